// Reads JSON that another program wrote: a value may have any shape. `String(value)` and `${value}` call methods of the value,
// and those of `{"toString": 1}` throw.

/** The fields of an object; none for any other value. */
export const objectOf = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** The entries of a list; none for any other value. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** A text; empty for any other value. */
export const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** A text, number or boolean as text, such as an id, which one program writes as a number and another as a text; else empty. */
export const scalarOf = (value: unknown): string =>
  typeof value === "number" || typeof value === "boolean" ? String(value) : textOf(value);
