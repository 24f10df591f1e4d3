import { Type } from "typebox";
import { type FieldErrors, invalid } from "../lib/errors.ts";

/** A point in time as a query parameter; `timesOf` reads it. */
export const Time = (about: string) =>
  Type.Optional(
    Type.String({
      maxLength: 40,
      pattern: "^\\d{4}-\\d\\d-\\d\\d",
      description: `${about}, ISO 8601`,
      errorMessage: "The time must be in ISO 8601, such as 2026-03-01T10:00:00Z.",
    }),
  );

/** The times as ISO 8601 in UTC. Throws an AppError with a sentence for each that is no time. */
export function timesOf<Name extends string>(given: Partial<Record<Name, string | undefined>>) {
  const times: Partial<Record<Name, string>> = {};
  const errors: FieldErrors = {};
  for (const [name, text] of Object.entries<string | undefined>(given)) {
    if (text === undefined) continue;
    const time = new Date(text);
    if (Number.isNaN(time.getTime())) errors[name] = `The ${name} must be a time.`;
    else times[name as Name] = time.toISOString();
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return times;
}
