import { row, rows, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { isPlanned, type Plan } from "../../../engine/runs/plan.ts";
import { endRun, findRun, type Run, startWithPlan } from "../../../engine/runs/queries.ts";
import { runQueue } from "../../../engine/runs/runs.ts";
import { jobsOf } from "../../../features.ts";
import { call } from "../../../http/tests/support.ts";
import { addProject, addProvisioned, openStage, type Stage, untilWaiting } from "../../servers/tests/support.ts";
import { deploymentRunKinds } from "../jobs.ts";
import type { DeploymentRow } from "../schema.ts";
import { deploymentKind } from "../starting.ts";

export { addProject, addProvisioned, openStage, type Stage, untilWaiting };

export const findRow = async (stage: Stage, id: number): Promise<DeploymentRow> => {
  const found = await row<DeploymentRow>(stage.pool, sql`select * from deployments where id = ${id}`);
  if (!found) throw new Error(`No deployment ${id}`);
  return found;
};

export const statuses = async (stage: Stage, ids: readonly number[]): Promise<number[]> => {
  const found = await rows<{ status: number }>(
    stage.pool,
    sql`select status from deployments where id = any(${ids}::bigint[]) order by id`,
  );
  return found.map((deployment) => deployment.status);
};

/** Queues a deployment of each project over the API; their ids. */
export async function deploy(stage: Stage, ...projects: number[]): Promise<number[]> {
  const reply = await call(stage.app, "POST /api/v1/deployments", {
    token: stage.cast.alice,
    body: { project_ids: projects },
  });
  if (reply.status !== 202) throw new Error(reply.text);
  return reply.body.deployment_ids;
}

/** Does what a worker does with a dispatch job. */
export async function dispatch(stage: Stage, ...serverIds: number[]): Promise<void> {
  const handler = jobsOf(stage.ctx).find((job) => job.name === "dispatch-deployments");
  await handler?.work({ serverIds }, new AbortController().signal);
}

/** Plans the runs of deployments that have begun, as a follower does before it sends anything to their servers. */
export async function startRuns(stage: Stage): Promise<void> {
  const [kind] = deploymentRunKinds(stage.ctx);
  const created = await rows<Run>(
    stage.pool,
    sql`
      select r.* from runs r join deployments d on d.run_id = r.id
      where r.kind = ${deploymentKind.kind} and r.state = 'created' order by r.id
    `,
  );
  for (const run of created) if (kind?.plan) await startWithPlan(stage.pool, run.id, await kind.plan(run));
}

/** The plan of a deployment that has begun. */
export async function planOf(stage: Stage, deploymentId: number): Promise<Plan> {
  await startRuns(stage);
  const run = await findRun(stage.pool, Number((await findRow(stage, deploymentId)).run_id));
  if (!run || !isPlanned(run.plan)) throw new Error(`Deployment ${deploymentId} has no plan`);
  return run.plan;
}

/** Does what a worker does with the run of a deployment on an unreachable server. */
export async function attendRun(stage: Stage, runId: number | null): Promise<void> {
  const handler = jobsOf(stage.ctx).find((job) => job.name === runQueue);
  await handler?.work({ runId }, new AbortController().signal);
}

export const attend = async (stage: Stage, deploymentId: number): Promise<void> =>
  attendRun(stage, (await findRow(stage, deploymentId)).run_id);

/** Ends a running deployment's run, as a follower does when it stores the end of the journal. */
export async function finishRun(
  stage: Stage,
  deploymentId: number,
  outcome: "succeeded" | "failed" | "cancelled",
  facts: Record<string, string> = {},
  reason = "It went wrong.",
): Promise<void> {
  const { run_id: runId } = await findRow(stage, deploymentId);
  await startRuns(stage);
  await transaction(stage.pool, async (tx) => {
    await tx.query("update runs set facts = $2 where id = $1", [runId, JSON.stringify(facts)]);
    const error = outcome === "succeeded" ? null : reason;
    const run = await endRun(tx, Number(runId), { state: outcome, error });
    const [kind] = deploymentRunKinds(stage.ctx);
    if (run) await kind?.onEnded(tx, run, outcome);
  });
}

/** Does what a worker does when the server answers a cancel with `passed`. */
export async function tellTooLate(stage: Stage, deploymentId: number): Promise<void> {
  const { run_id: runId } = await findRow(stage, deploymentId);
  const run = await findRun(stage.pool, Number(runId));
  const [kind] = deploymentRunKinds(stage.ctx);
  await transaction(stage.pool, async (tx) => run && kind?.onCancelRefused?.(tx, run));
}

/** A deployment that has run to its end. */
export async function deployed(
  stage: Stage,
  projectId: number,
  serverId: number,
  outcome: "succeeded" | "failed" | "cancelled" = "succeeded",
  commit = "a".repeat(40),
): Promise<number> {
  const [id] = (await deploy(stage, projectId)) as [number];
  await dispatch(stage, serverId);
  await finishRun(stage, id, outcome, { commit });
  return id;
}

/** Makes a project a Node project that is installed. */
export const makeNode = (stage: Stage, projectId: number) =>
  stage.pool.query(
    `with project as (update projects set framework_id = 8 where id = $1)
     update placements set port_pair = 20000 + project_id * 2, live_port = 20000 + project_id * 2 where project_id = $1`,
    [projectId],
  );
