import { type TObject, type TSchema, Type } from "typebox";
import { AppError } from "../lib/errors.ts";

// A change on the condition that its record is still as the client has seen it: `expected_updated_at` in the body. The handler
// compares in the transaction of the change, with the record locked; the answer to a refused one shows the record as it is.

const field = "expected_updated_at";

const ExpectedUpdatedAt = Type.Optional(
  Type.String({
    description:
      "`updated_at` as the record was last shown. If it has changed since, nothing is changed: the answer is 409, with the record as it " +
      "is now in `current`.",
    pattern: "^\\d{4}-\\d{2}-\\d{2}[T ]\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,6})?(Z|\\+00:00)?$",
  }),
);

/** The body of a change, which may have the condition too. */
export function withExpected(body: TSchema): TSchema {
  // A spread would lose what TypeBox keeps in properties that are not enumerable.
  const copy = Object.defineProperties({}, Object.getOwnPropertyDescriptors(body)) as TObject;
  return Object.assign(copy, { properties: { ...copy.properties, [field]: ExpectedUpdatedAt } });
}

/** The condition, and the body without it. */
export function expectedIn(body: unknown): { expected: string | undefined; body: unknown } {
  const { [field]: expected, ...rest } = (body ?? {}) as Record<string, unknown>;
  return { expected: expected as string | undefined, body: rest };
}

/** The record has changed since the client has seen it. The HTTP layer adds it as `current`. */
export class ChangedSince extends AppError {
  current: unknown;

  constructor() {
    super(
      "conflict",
      "The record has changed since then. Compare yours with the one in `current`, and send the change again.",
      {
        reason: "changed_since",
      },
    );
  }
}

/** Refuses the change of a record that is not as the client expects. The caller has locked it. */
export function refuseChanged(
  { expectedUpdatedAt: expected }: { readonly expectedUpdatedAt?: string | undefined },
  { updated_at: present }: { readonly updated_at: string },
): void {
  if (expected !== undefined && !isShownAs(present, expected)) throw new ChangedSince();
}

const parts = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(?:\.(\d+))?/;
/** Clients with clocks of milliseconds cut the rest off. */
const fewestDigits = 3;

/** As texts: a number of JavaScript does not hold microseconds. */
function isShownAs(present: string, expected: string): boolean {
  const [, day, time, fraction = ""] = parts.exec(present) ?? [];
  const [, expectedDay, expectedTime, expectedFraction = ""] = parts.exec(expected) ?? [];
  const digits = Math.min(fraction.length, Math.max(fewestDigits, expectedFraction.length));
  return (
    day === expectedDay && time === expectedTime && fraction.slice(0, digits) === expectedFraction.slice(0, digits)
  );
}
