import type { PoolClient } from "pg";
import { transaction } from "../../db/transaction.ts";
import { awaitRun, patience } from "../../engine/runs/await-run.ts";
import { fromTheStart, type Plan, plan, step } from "../../engine/runs/plan.ts";
import { findRunOf, isEnded } from "../../engine/runs/queries.ts";
import { createRun } from "../../engine/runs/runs.ts";
import { type ProjectLayout, projectLayout } from "../../host/layout.ts";
import { sh } from "../../host/sh.ts";
import { projectSandbox } from "../../host/systemd/sandbox.ts";
import { endRehearsal } from "../../http/rehearsal.ts";
import { type RequestContext, withStatus } from "../../http/route.ts";
import { success } from "../../http/schemas.ts";
import { AppError } from "../../lib/errors.ts";
import { lockPrepared } from "./actions.ts";
import { projectCapabilities, projectState } from "./capabilities.ts";
import { isMoving } from "./hooks.ts";
import { listReplicas } from "./queries.ts";
import { buildCacheKind } from "./schema.ts";

/** Clears the project's build caches on each of its servers. Concurrent requests share the runs. */
export async function clearBuildCache(ctx: RequestContext, id: number) {
  const runIds = await transaction(ctx.pool, (tx) => begin(tx, ctx, id));
  const wait = { timeoutMs: patience(ctx), signal: ctx.signal };
  const reports = await Promise.all(runIds.map((runId) => awaitRun(ctx, runId, wait)));
  const failed = reports.find(({ outcome }) => outcome !== undefined && outcome !== "succeeded");
  if (failed) throw new AppError("unavailable", `The build cache was not cleared: ${failed.error}`);
  if (reports.every(({ outcome }) => outcome === "succeeded")) {
    return success({ message: "The build cache was cleared.", project_id: id });
  }
  const message = "The server has not answered yet. The build cache is cleared in the background.";
  return withStatus(202, success({ message, project_id: id }));
}

async function begin(tx: PoolClient, ctx: RequestContext, id: number): Promise<number[]> {
  const project = await lockPrepared(tx, ctx, id);
  await projectCapabilities.refuse("clear_build_cache", projectState(project), { moving: () => isMoving(tx, ctx, id) });
  endRehearsal();
  const placements = [project, ...(await listReplicas(tx, id))].map(({ placement }) => placement);
  const plan = buildCachePlan(projectLayout(id));
  const runIds: number[] = [];
  for (const { server_id: serverId } of placements.filter(({ is_prepared: isPrepared }) => isPrepared)) {
    const last = await findRunOf(tx, buildCacheKind, id, serverId);
    const isUnderWay = last !== undefined && !isEnded(last);
    const run = { serverId, ...buildCacheKind, subjectId: id, plan };
    runIds.push(isUnderWay ? last.id : await createRun(tx, ctx.queue, run));
  }
  return runIds;
}

/**
 * Removes the caches of build tools and copies of packages, as their owner. Its time is part of the key of packages, so that the
 * next release does not reuse those of an existing one either.
 */
export const buildCachePlan = (layout: ProjectLayout): Plan =>
  plan(
    buildCacheKind.kind,
    [
      step(
        "clear-build-cache",
        "Clear the build cache",
        sh`
          cd -P -- ${layout.cache}
          date +%s.%N > cleared
          find . -mindepth 1 -maxdepth 1 ! -name cleared -exec rm -rf -- {} +
          echo "Cleared the build cache."`,
        { sandbox: projectSandbox(layout), timeoutSeconds: 600 },
      ),
    ],
    { pointOfNoReturn: fromTheStart },
  );
