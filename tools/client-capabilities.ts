// The part of contract/client.ts that reads the capability tables.
import { capabilities } from "../contract/client.ts";
import { type Condition, filledIn, isMet } from "../src/http/capability-rules.ts";

// cut here: what follows is copied

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
  const { verbs } = capabilities[noun] as { verbs: Record<PropertyKey, { refusals: readonly AnyRefusal[] }> };
  const found = verbs[verb]?.refusals.find((refusal) => isMet(refusal, record));
  return found && { reason: found.reason, status: found.status, message: filledIn(found.message, record) };
}

type AnyRefusal = Condition & { reason: string; status: number; message: string };
