// How conditions of the capability tables are evaluated: the same code for the API and its clients.

/** The values that count, by the name of the field in the API's record. `true` and 1 are the same, `false` and 0 as well. */
export type FieldValues = Readonly<Record<string, readonly unknown[]>>;

export interface Condition {
  /** Refused when each of these fields has one of these values. */
  readonly when?: FieldValues;
  /** Refused unless each of these fields has one of these values. */
  readonly unless?: FieldValues;
}

/** Whether a record meets the condition of a refusal. */
export function isMet({ when, unless }: Condition, record: object): boolean {
  return (when === undefined || matches(record, when)) && (unless === undefined || !matches(record, unless));
}

function matches(record: object, values: FieldValues): boolean {
  const fields = record as Readonly<Record<string, unknown>>;
  return Object.entries(values).every(([name, allowed]) =>
    allowed.some((value) => asNumber(value) === asNumber(fields[name])),
  );
}

const asNumber = (value: unknown): unknown => (typeof value === "boolean" ? Number(value) : value);

/** A sentence with its `{field}`s filled in. `{field|text}`: the text where the record does not have the field. */
export function filledIn(sentence: string, record: object): string {
  const fields = record as Readonly<Record<string, unknown>>;
  return sentence.replace(/\{(\w+)(?:\|([^}]*))?\}/g, (placeholder, name: string, text?: string) =>
    String(fields[name] ?? text ?? placeholder),
  );
}
