import type { PoolClient } from "pg";
import { transaction } from "../../db/transaction.ts";
import { awaitRun, patience, type RunReport } from "../../engine/runs/await-run.ts";
import { findRunOf, isEnded, type Run } from "../../engine/runs/queries.ts";
import { createRun } from "../../engine/runs/runs.ts";
import { endRehearsal } from "../../http/rehearsal.ts";
import { type RequestContext, withStatus } from "../../http/route.ts";
import { success } from "../../http/schemas.ts";
import { AppError } from "../../lib/errors.ts";
import { lockPrepared } from "../projects/actions.ts";
import { projectCapabilities, projectState } from "../projects/capabilities.ts";
import { emitUpdated } from "../projects/events.ts";
import { isMoving } from "../projects/hooks.ts";
import { onServer } from "../projects/on-server.ts";
import { lockProjectForWork } from "../projects/queries.ts";
import { setMaintenance } from "../site-records/queries.ts";
import { maintenancePlan } from "./plans.ts";
import { maintenanceKind } from "./schema.ts";

type Verb = "toggle_maintenance" | "set_maintenance";

/**
 * Shows visitors the holding page, or the site again; by default the other of the two. The record follows the server's report.
 * Starts no run if the project is in this mode already.
 */
export async function changeMaintenance(ctx: RequestContext, id: number, verb: Verb, asked?: boolean) {
  const deadline = performance.now() + patience(ctx);
  for (;;) {
    const { runId, wanted } = await transaction(ctx.pool, (tx) => beginChange(tx, ctx, id, { verb, asked }));
    if (runId === undefined) return maintenanceAnswer({ outcome: "succeeded", error: null }, wanted);
    const left = { timeoutMs: deadline - performance.now(), signal: ctx.signal };
    const report = await awaitRun(ctx, runId, left);
    if (wanted !== undefined) return maintenanceAnswer(report, wanted);
    if (report.outcome === undefined) {
      throw projectCapabilities.refusal(verb, "changing");
    }
  }
}

// Two concurrent requests are two toggles, one after the other: `wanted` is missing while another one is under way.
async function beginChange(
  tx: PoolClient,
  ctx: RequestContext,
  id: number,
  { verb, asked }: { verb: Verb; asked: boolean | undefined },
): Promise<{ runId: number; wanted?: boolean } | { runId: undefined; wanted: boolean }> {
  const project = await lockPrepared(tx, ctx, id);
  await projectCapabilities.refuse(verb, projectState(project), { moving: () => isMoving(tx, ctx, id) });
  endRehearsal();
  const last = await findRunOf(tx, maintenanceKind, id);
  if (last && !isEnded(last)) return { runId: last.id };
  const { maintenance_mode: present, front_server_id: serverId } = project.site;
  const wanted = asked ?? !present;
  if (wanted === present) return { runId: undefined, wanted };
  const plan = maintenancePlan(onServer(project, false).layout, wanted);
  const runId = await createRun(tx, ctx.queue, {
    serverId,
    ...maintenanceKind,
    subjectId: id,
    plan,
  });
  return { runId, wanted };
}

function maintenanceAnswer({ outcome, error }: Pick<RunReport, "outcome" | "error">, wanted: boolean) {
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
  const isOn = maintenance === "on";
  const project = await lockProjectForWork(tx, run.subject_id);
  if (!project || project.site.maintenance_mode === isOn) return;
  await setMaintenance(tx, project.id, isOn);
  await emitUpdated(tx, project);
}
