// Reads the capability tables: what can be done to a record in its state, and why not.
import { type Condition, filledIn, isMet } from "./capability-rules.ts";
import capabilities from "./capabilities.json" with { type: "json" };

export type Noun = keyof typeof capabilities;
export type VerbOf<Name extends Noun> = keyof (typeof capabilities)[Name]["verbs"];

/**
 * Why the API refuses a verb of a record in its state: the first reason that applies to the fields that the API showed.
 * Undefined: the record is no reason. The permission, and the reasons under `depends_on`, are left to the API.
 */
export function findRefusal<Name extends Noun>(
  noun: Name,
  verb: VerbOf<Name>,
  record: object,
): { reason: string; status: number; message: string } | undefined {
  const { verbs } = capabilities[noun] as unknown as { verbs: Record<PropertyKey, { refusals: readonly AnyRefusal[] }> };
  const found = verbs[verb]?.refusals.find((refusal) => isMet(refusal, record));
  return found && { reason: found.reason, status: found.status, message: filledIn(found.message, record) };
}

type AnyRefusal = Condition & { reason: string; status: number; message: string };
