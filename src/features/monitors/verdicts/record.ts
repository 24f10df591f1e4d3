import type { PoolClient } from "pg";
import type { WithQueue } from "../../../context.ts";
import { type Event, emitEvent } from "../../../engine/events.ts";
import { fit } from "../../../providers/notify/text.ts";
import { announceChange, announceFlapping } from "./notices.ts";
import {
  type ChangedMonitor,
  changeStatus,
  countChanges,
  findSwitch,
  insertEvent,
  recordStates,
  resolveOutage,
  startFlapping,
  type VerdictChange,
  type Watched,
} from "./queries.ts";
import { rollBackIfConfigured } from "./rollback.ts";

/** A fall this soon after a switch names the deployment. */
const suspicionMs = 10 * 60_000;

export const flappingChanges = 4;
export const flappingWindowMs = 30 * 60_000;

/**
 * Changes the status of a monitor, in the caller's transaction: status, interval, event row, notices and `monitor.updated`, all
 * or none. False, with nothing written, if the verdict is outdated: the monitor's status or settings have changed, or it is
 * switched off or gone. Any number of processes may call this for the same change; one succeeds.
 */
export async function recordVerdict(
  tx: PoolClient,
  ctx: WithQueue,
  watched: Watched,
  change: VerdictChange,
): Promise<boolean> {
  const monitor = await changeStatus(tx, watched, change);
  if (!monitor) return false;
  const after = new Date(change.since.getTime() - suspicionMs);
  const suspect =
    change.status === "down" ? await findSwitch(tx, monitor.project_id, { after, before: change.at }) : undefined;
  const rollback = suspect && (await rollBackIfConfigured(tx, ctx, { monitor, watched, change, suspect }));
  const context = { ...change.context, ...(suspect && { deployment: suspect }), ...(rollback && { rollback }) };
  await recordStates(tx, [{ monitorId: monitor.id, state: change.status, at: change.since }]);
  if (change.status === "up") await resolveOutage(tx, monitor.id, change.at);
  const event = { monitorId: monitor.id, status: change.status, message: fit(change.message, 1_000), context };
  const eventId = await insertEvent(tx, { ...event, at: change.at });
  // The first verdict of a monitor that is up is not announced.
  const isNews = change.status === "down" || watched.current_status === "down";
  if (isNews && !monitor.is_flapping) {
    const noticed = { ...change, context, eventId, suspect, rollback };
    const changes = await countChanges(tx, monitor.id, new Date(change.at.getTime() - flappingWindowMs));
    if (changes < flappingChanges) await announceChange(tx, ctx, monitor, noticed);
    else {
      // One notice replaces those of all changes.
      await startFlapping(tx, monitor.id, change.at);
      await announceFlapping(tx, ctx, monitor, { ...noticed, changes });
    }
  }
  await emitMonitor(tx, monitor);
  return true;
}

type Emitted = Pick<ChangedMonitor, "id" | "organization_id" | "project_id" | "server_id">;

/** A visible field of a monitor changed. */
export const updatedEvent = (monitor: Emitted): Event => ({
  organizationId: monitor.organization_id,
  serverId: monitor.server_id,
  projectId: monitor.project_id,
  name: "monitor.updated",
  data: { id: monitor.id },
});

export const emitMonitor = (tx: PoolClient, monitor: Emitted): Promise<void> => emitEvent(tx, updatedEvent(monitor));
