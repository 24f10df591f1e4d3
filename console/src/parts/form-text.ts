/** What was typed into the fields of a form, by their names. */
export const textsOf = <Name extends string>(values: FormData, ...names: Name[]): Record<Name, string> =>
  Object.fromEntries(names.map((name) => [name, String(values.get(name) ?? "")])) as Record<Name, string>;

/** The number that was typed, and any other text as it is: the API says what is wrong with it. */
export const numberIn = (text: string): number | string => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : text);
