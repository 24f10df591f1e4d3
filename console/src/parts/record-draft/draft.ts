// What a form holds while its record changes elsewhere: fields that were not touched follow, touched ones stay.

export interface Draft<Values extends object> {
  /** As the record was last read. */
  base: Values;
  /** When it was, for `expected_updated_at`. */
  updatedAt: string;
  values: Values;
  /** What was changed elsewhere since the form was opened or saved. */
  changedElsewhere: readonly (keyof Values)[];
  /** What is being saved: the record's next version has it as the API stored it. */
  sent?: Values | undefined;
  /** The record as it became while that was under way. */
  held?: Read<Values> | undefined;
}

/** A version of the record. */
export interface Read<Values> {
  values: Values;
  updatedAt: string;
}

export type DraftAction<Values extends object> =
  | { type: "set"; values: Partial<Values> }
  /** The record as it is now. */
  | ({ type: "follow" } & Read<Values>)
  | { type: "send" }
  | ({ type: "saved" } & Read<Values>)
  | { type: "refused" }
  | { type: "reset" }
  | { type: "seen" };

export const beginDraft = <Values extends object>(values: Values, updatedAt: string): Draft<Values> => ({
  base: values,
  updatedAt,
  values,
  changedElsewhere: [],
});

export function nextDraft<Values extends object>(draft: Draft<Values>, action: DraftAction<Values>): Draft<Values> {
  switch (action.type) {
    case "set":
      return { ...draft, values: { ...draft.values, ...action.values } };
    case "follow":
      return draft.sent ? { ...draft, held: action } : follow(draft, action);
    case "send":
      return { ...draft, sent: draft.values };
    case "saved":
      return saved(draft, action);
    case "refused":
      return refused(draft);
    case "reset":
      return { ...draft, values: draft.base, changedElsewhere: [] };
    case "seen":
      return { ...draft, changedElsewhere: [] };
  }
}

/** The fields whose values differ from the record's. */
export const dirtyFields = <Values extends object>({ base, values }: Draft<Values>): (keyof Values)[] =>
  namesOf(values).filter((name) => !isSame(values[name], base[name]));

export const isDirty = <Values extends object>(draft: Draft<Values>): boolean => dirtyFields(draft).length > 0;

function follow<Values extends object>(draft: Draft<Values>, now: Read<Values>): Draft<Values> {
  if (now.updatedAt === draft.updatedAt) return draft;
  const changed = namesOf(now.values).filter((name) => !isSame(draft.base[name], now.values[name]));
  const mine = new Set(dirtyFields(draft));
  const followed = changed.filter((name) => !mine.has(name)).map((name) => [name, now.values[name]]);
  return {
    ...draft,
    base: now.values,
    updatedAt: now.updatedAt,
    values: { ...draft.values, ...Object.fromEntries(followed) },
    changedElsewhere: [...new Set([...draft.changedElsewhere, ...changed])],
  };
}

/** Nothing was saved: the form continues with what the record became. */
function refused<Values extends object>({ sent: _sent, held, ...draft }: Draft<Values>): Draft<Values> {
  return held ? follow(draft, held) : draft;
}

/** The form shows what the API stored, except in fields that were changed again since. */
function saved<Values extends object>(draft: Draft<Values>, now: Read<Values>): Draft<Values> {
  const { sent = draft.values, values } = draft;
  const later = namesOf(values).filter((name) => !isSame(values[name], sent[name]));
  const kept = later.map((name) => [name, values[name]]);
  return { ...beginDraft(now.values, now.updatedAt), values: { ...now.values, ...Object.fromEntries(kept) } };
}

const namesOf = <Values extends object>(values: Values): (keyof Values)[] => Object.keys(values) as (keyof Values)[];

/** Values of forms are texts, numbers, switches, and lists of them. */
const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
