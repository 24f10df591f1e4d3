import { openGate } from "../../../stage/instrument.ts";
import type { Begun, Fleet } from "./fleet.ts";

// Cancels that are in transit when a fault happens.

export const cancelGate = "cancel";

export interface Cancels {
  /** The status of each answer, by project; no entry when no process was there to answer. */
  answers: ReadonlyMap<number, number>;
  /** Waits until the server has decided on all of them, and releases the runs that were not cancelled. */
  letGoOn(): Promise<void>;
}

/** Requests a cancel of each of these deployments at once; resolves when half of the requests have been answered. */
export async function askForCancels(fleet: Fleet, begun: readonly Begun[]): Promise<Cancels> {
  const answers = new Map<number, number>();
  const members = begun.filter(({ kind }) => kind.action === "cancellation").map(({ member }) => member);
  const ids = new Map<number, number>();
  for (const { id } of members) ids.set(id, (await fleet.newestDeployment(id)).id);
  const half = Promise.withResolvers<void>();
  let settled = 0;
  const settle = (): void => {
    settled += 1;
    if (settled * 2 >= members.length) half.resolve();
  };
  const { client } = fleet.stage;
  const requests = members.map(({ id }) =>
    client
      .answer("POST /api/v1/deployments/{id}/cancel", { params: { id: ids.get(id) as number } })
      .then(({ status }) => answers.set(id, status))
      .catch(() => undefined)
      .finally(settle),
  );
  if (members.length > 0) await half.promise;
  const letGoOn = async (): Promise<void> => {
    await Promise.all(requests);
    await fleet.cancelsDecided(members);
    await openGate(fleet.stage, cancelGate);
  };
  return { answers, letGoOn };
}
