import type { PoolClient } from "pg";
import type { Static } from "typebox";
import { transaction } from "../../../db/transaction.ts";
import { type LogPageRequest, readLog, searchLog } from "../../../engine/runs/log.ts";
import { findRun, findRunOf, isEnded, listRunSteps, listStepsOfRuns, type Run } from "../../../engine/runs/queries.ts";
import { createUnplannedRun } from "../../../engine/runs/runs.ts";
import type { LogSearchQuery } from "../../../http/logs.ts";
import { pageOf, paginated, totalOf } from "../../../http/pagination.ts";
import { endRehearsal } from "../../../http/rehearsal.ts";
import type { RequestContext } from "../../../http/route.ts";
import { notFound } from "../../../lib/errors.ts";
import { getServer } from "../actions.ts";
import { serverCapabilities } from "../capabilities.ts";
import { startConnecting } from "../connecting/queries.ts";
import { emitServer } from "../events.ts";
import { orderingOf } from "../hooks.ts";
import {
  findServerForWork,
  listActiveRuns,
  lockReachableServer,
  moveServer,
  rebootKind,
  setupKind,
} from "../queries.ts";
import { type ServerRow, serverStatus } from "../schema.ts";
import { hasStoppedConnecting, scheduleLook } from "./connect.ts";
import { countSetupRuns, listSetupRuns } from "./queries.ts";
import { setupRecord, setupRunRecord, setupState, stepRecord, summaryOf } from "./record.ts";

const setupsPerPage = 25;

/** The setup record: progress, failures and durations. */
export async function showSetup(ctx: RequestContext, id: number, query: { include_steps?: boolean; run_id?: number }) {
  const server = await getServer(ctx, id);
  const run = await getSetup(ctx, id, query.run_id);
  const steps = run ? await listRunSteps(ctx.pool, run.id) : [];
  const order = query.run_id === undefined ? (await orderingOf(ctx).listProgress(ctx.pool, [id])).get(id) : undefined;
  const record = setupRecord(id, { run, steps, order });
  // For an earlier setup, only its outcome.
  const error = record.error ?? (query.run_id === undefined ? server.connection_error : null);
  return {
    ...record,
    error,
    ...(query.include_steps ? { steps: [...(order?.steps ?? []), ...steps].map(stepRecord) } : {}),
  };
}

/** The setups of a server, the newest first. */
export async function showSetupRuns(ctx: RequestContext, id: number, query: { page?: unknown; per_page?: unknown }) {
  await getServer(ctx, id);
  const page = pageOf(query, setupsPerPage);
  const runs = await listSetupRuns(ctx.pool, id, page);
  const total = await totalOf(page, runs, () => countSetupRuns(ctx.pool, id));
  const steps = await listStepsOfRuns(
    ctx.pool,
    runs.map((run) => run.id),
  );
  const stepsByRun = Map.groupBy(steps, (step) => step.run_id);
  return paginated(
    page,
    total,
    runs.map((run) => setupRunRecord(run, stepsByRun.get(run.id) ?? [])),
  );
}

/** A page of a setup's output. */
export async function showSetupLog(ctx: RequestContext, id: number, query: LogPageRequest & { run_id?: number }) {
  await getServer(ctx, id);
  const run = await getSetup(ctx, id, query.run_id);
  const parts = run ? [{ runId: run.id, base: 0, hasEnded: isEnded(run) }] : [];
  return readLog(ctx.pool, parts, { ...query, hasEnded: run !== undefined });
}

export async function searchSetupLog(
  ctx: RequestContext,
  id: number,
  query: Static<typeof LogSearchQuery> & { run_id?: number },
) {
  await getServer(ctx, id);
  const run = await getSetup(ctx, id, query.run_id);
  return searchLog(ctx.pool, run ? [{ runId: run.id, base: 0, hasEnded: isEnded(run) }] : [], query);
}

/** The requested setup, or the newest; undefined if there is none. */
export async function getSetup(ctx: RequestContext, serverId: number, runId?: number): Promise<Run | undefined> {
  if (runId === undefined) return findRunOf(ctx.pool, setupKind, serverId);
  const run = await findRun(ctx.pool, runId);
  if (run?.kind !== setupKind.kind || run.subject_id !== serverId) throw notFound("The setup");
  return run;
}

/**
 * Repeats a setup that failed or has failed steps, resumes abandoned attempts to connect, or repeats a failed order of a machine.
 */
export async function retrySetup(ctx: RequestContext, id: number) {
  const reorder = await orderingOf(ctx).checkAgain(ctx, id);
  return changeSetup(ctx, id, async (tx, server) => {
    if (reorder) return reorder(tx, server);
    if (server.server_status === serverStatus.installing) {
      const connecting = await findServerForWork(tx, id);
      if (!connecting || !hasStoppedConnecting(ctx, connecting)) {
        throw serverCapabilities.refusal("retry_setup", "still_connecting", server);
      }
      endRehearsal();
      await startConnecting(tx, id);
      await scheduleLook(tx, ctx.queue, id);
      return `${server.name} is being connected to again. Run the connect command on it as root if that was not done.`;
    }
    const run = await findRunOf(tx, setupKind, id);
    const state = setupState(run, summaryOf(run ? await listRunSteps(tx, run.id) : []));
    if (state === "completed" || (state === "not_recorded" && server.server_status === serverStatus.provisioned)) {
      throw serverCapabilities.refusal("retry_setup", "setup_completed", server);
    }
    return startSetup(ctx, tx, server, "retry_setup");
  });
}

/** Runs the setup of this version on a server, after any outcome of earlier setups. */
export const runSetup = (ctx: RequestContext, id: number) =>
  changeSetup(ctx, id, (tx, server) => startSetup(ctx, tx, server, "run_setup"));

/** Changes the state of a server's setup, with the server locked; `change` returns the message of the response. */
async function changeSetup(
  ctx: RequestContext,
  id: number,
  change: (tx: PoolClient, server: ServerRow) => Promise<string>,
) {
  const message = await transaction(ctx.pool, async (tx) => {
    const server = await lockReachableServer(tx, ctx.actor, id);
    if (!server) throw notFound("The server");
    const answer = await change(tx, server);
    await emitServer(tx, server);
    return answer;
  });
  return { message, server_id: id };
}

// The plan is made when the run starts: an earlier plan may be of another version, or of settings that made steps fail.
async function startSetup(
  ctx: RequestContext,
  tx: PoolClient,
  server: ServerRow,
  verb: "retry_setup" | "run_setup",
): Promise<string> {
  const { id, name, server_status } = server;
  const active = new Set((await listActiveRuns(tx, id)).map((run) => run.kind));
  await serverCapabilities.refuse(verb, server, {
    setup_running: () => active.has(setupKind.kind),
    rebooting: () => active.has(rebootKind.kind),
  });
  await moveServer(tx, id, server_status, serverStatus.provisioning);
  await createUnplannedRun(tx, ctx.queue, { serverId: id, ...setupKind, subjectId: id });
  return `The setup of ${name} runs again.`;
}
