import type { Arguments, OperationName, Reply } from "../../../contract/client.ts";
import type { CarriedOut } from "../../../contract/types.ts";
import { NoAnswer, newKey, refusal, type Session, unreachable } from "../session.ts";
import type { Contact } from "./contact.ts";

/** The answer to a request that was carried out although its own answer is lost names the records, and nothing else. */
export type Carried<Name extends OperationName> = Reply<Name> | CarriedOut;

/**
 * Sends a request that changes something, and repeats it under the same key until there is an answer, so that it is carried out
 * once. Throws a `Failure`: 1 if it never left, 7 if it did and no answer came within the time of `contact`.
 */
export async function requestOnce<Name extends OperationName>(
  session: Session,
  contact: Contact,
  name: Name,
  input: object,
): Promise<Carried<Name>> {
  const args = [{ ...input, idempotencyKey: newKey() }] as unknown as Arguments<Name>;
  let wasSent = false;
  for (;;) {
    let reason: string;
    try {
      const answer = await session.answer(name, ...args);
      if (answer.ok) return answer.body;
      const { status, headers } = answer as { status: number; headers: Headers };
      const isUnderWay = status === 409 && headers.has("Retry-After");
      if (!isUnderWay && ![502, 503, 504].includes(status)) throw refusal(status, answer.body, session.url, headers);
      wasSent = true;
      reason = `status ${status}`;
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      wasSent ||= error.wasSent;
      if (!wasSent) throw unreachable(session.url, name, error);
      reason = error.message;
    }
    await contact.lost(reason);
  }
}

/** The ids of the deployments that a request queued. */
export function deploymentIdsOf(answer: object): number[] {
  const {
    deployment_ids: ids,
    deployment_id: id,
    records,
  } = answer as {
    deployment_ids?: number[];
    deployment_id?: number;
    records?: string[];
  };
  if (ids) return ids;
  if (id !== undefined) return [id];
  return (records ?? [])
    .filter((record) => record.startsWith("deployment:"))
    .map((record) => Number(record.split(":")[1]));
}
