import type { PoolClient } from "pg";
import { transaction } from "../../db/transaction.ts";
import { awaitRun, patience, type RunReport } from "../../engine/await-run.ts";
import { findRunOf, isEnded, type Run } from "../../engine/queries.ts";
import { createRun } from "../../engine/runs.ts";
import { type RequestContext, withStatus } from "../../http/route.ts";
import { success } from "../../http/schemas.ts";
import { AppError } from "../../lib/errors.ts";
import { lockPrepared } from "../projects/actions.ts";
import { projectCapabilities } from "../projects/capabilities.ts";
import { emitUpdated } from "../projects/events.ts";
import { onServer } from "../projects/on-server.ts";
import { maintenancePlan } from "../projects/plans.ts";
import { isMoving, setMaintenance } from "../projects/queries.ts";
import { maintenanceKind } from "./schema.ts";

/** Shows visitors the holding page, or the site again. The record follows the server's report. */
export async function toggleMaintenance(ctx: RequestContext, id: number) {
  const deadline = performance.now() + patience(ctx);
  for (;;) {
    const { runId, wanted } = await transaction(ctx.pool, (tx) => beginToggle(tx, ctx, id));
    const left = { timeoutMs: deadline - performance.now(), signal: ctx.signal };
    const report = await awaitRun(ctx, runId, left);
    if (wanted !== undefined) return maintenanceAnswer(report, wanted);
    if (report.outcome === undefined) {
      throw projectCapabilities.refusal("toggle_maintenance", "changing");
    }
  }
}

// Two concurrent requests are two toggles, one after the other: `wanted` is missing while another one is under way.
async function beginToggle(
  tx: PoolClient,
  ctx: RequestContext,
  id: number,
): Promise<{ runId: number; wanted?: boolean }> {
  const project = await lockPrepared(tx, ctx, id);
  const last = await findRunOf(tx, maintenanceKind, id);
  if (last && !isEnded(last)) return { runId: last.id };
  await projectCapabilities.refuse("toggle_maintenance", project, { moving: () => isMoving(tx, id) });
  const wanted = !project.maintenance_mode;
  const plan = maintenancePlan(onServer(project, false).layout, wanted);
  const runId = await createRun(tx, ctx.queue, {
    serverId: project.front_server_id,
    ...maintenanceKind,
    subjectId: id,
    plan,
  });
  return { runId, wanted };
}

function maintenanceAnswer({ outcome, error }: RunReport, wanted: boolean) {
  if (outcome === "succeeded") {
    const message = wanted ? "Visitors see the maintenance page." : "Visitors see the site again.";
    return success({ message, maintenance_mode: wanted });
  }
  if (outcome === undefined) {
    const message = "The server has not answered yet. The change continues in the background.";
    return withStatus(202, success({ message, maintenance_mode: !wanted }));
  }
  throw new AppError("unavailable", `The maintenance mode stays ${wanted ? "off" : "on"}: ${error}`);
}

/** In the transaction that stores the end of a run: records what the server reported. */
export async function recordMaintenance(tx: PoolClient, run: Run): Promise<void> {
  const { maintenance } = run.facts;
  if (maintenance === undefined) return;
  const changed = await setMaintenance(tx, run.subject_id, maintenance === "on");
  if (changed) await emitUpdated(tx, changed);
}
