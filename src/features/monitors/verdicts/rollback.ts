import type { PoolClient } from "pg";
import type { WithQueue } from "../../../context.ts";
import { rollBackAutomatically } from "../../deployments/automatic-rollback.ts";
import { type ChangedMonitor, isRolledBackOnDown, type Switch, type VerdictChange, type Watched } from "./queries.ts";

/** The result of a project's `rollback_on_down`, as in the event's context. */
export type Rollback =
  | { deployment_id: number; target_id: number; refusal?: undefined }
  | { refusal: string; deployment_id?: undefined; target_id?: undefined };

/** A fall this soon after a switch may be rolled back. */
const blamedMs = 5 * 60_000;

interface Fall {
  monitor: ChangedMonitor;
  /** The monitor's previous state. */
  watched: Watched;
  change: VerdictChange;
  suspect: Switch;
}

/**
 * Rolls the project back, if its settings ask for it, when a monitor that was up went down within 5 minutes after a deployment
 * became live, and another server confirms it. Undefined if the settings do not ask for it or the deployment is not the cause.
 */
export async function rollBackIfConfigured(
  tx: PoolClient,
  ctx: WithQueue,
  { monitor, watched, change, suspect }: Fall,
): Promise<Rollback | undefined> {
  const sinceSwitchMs = change.since.getTime() - Date.parse(suspect.switched_at);
  const isToBlame = suspect.process_type === "deployment" && sinceSwitchMs >= 0 && sinceSwitchMs <= blamedMs;
  if (!isToBlame || monitor.url === null || watched.current_status !== "up") return undefined;
  if (!(await isRolledBackOnDown(tx, monitor.project_id))) return undefined;
  if (monitor.is_flapping) return { refusal: "The monitor was flapping before." };
  if (!change.isConfirmedElsewhere) return { refusal: "No other server could confirm the outage." };
  const result = await rollBackAutomatically(tx, ctx, {
    projectId: monitor.project_id,
    deploymentId: suspect.rolling_of ?? suspect.id,
    monitor: { id: monitor.id, name: monitor.name },
  });
  if (result.refusal !== undefined) return { refusal: result.refusal };
  return { deployment_id: result.deploymentId, target_id: result.targetId };
}
