import type { PoolClient } from "pg";
import { emitEvents } from "../../../engine/events.ts";
import type { VerdictChange } from "./queries.ts";
import { changeToUp, insertEvents, lockMonitors, recordStates, type Watched } from "./queries.ts";
import { updatedEvent } from "./record.ts";

/** A pending monitor that is up. */
export interface FirstVerdict {
  watched: Watched;
  change: Omit<VerdictChange, "status">;
}

/**
 * Like `recordVerdict`, for many pending monitors that are up: their first verdict is not announced. Returns the ids of the
 * changed ones; the verdicts on the others are outdated.
 */
export async function recordFirstVerdicts(tx: PoolClient, verdicts: readonly FirstVerdict[]): Promise<Set<number>> {
  const byId = new Map(verdicts.map((verdict) => [verdict.watched.id, verdict]));
  await lockMonitors(tx, [...byId.keys()]);
  const monitors = await changeToUp(tx, [...byId.values()]);
  const changes = monitors.map(({ id }) => ({ monitorId: id, ...(byId.get(id) as FirstVerdict).change }));
  await recordStates(
    tx,
    changes.map(({ monitorId, since }) => ({ monitorId, state: "up" as const, at: since })),
  );
  await insertEvents(
    tx,
    changes.map((change) => ({ ...change, status: "up" as const })),
  );
  await emitEvents(tx, monitors.map(updatedEvent));
  return new Set(monitors.map(({ id }) => id));
}
