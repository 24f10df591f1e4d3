import type { PoolClient } from "pg";
import { transaction } from "../../db/transaction.ts";
import { awaitRun } from "../../engine/await-run.ts";
import { fromTheStart, type Plan, plan, step } from "../../engine/plan.ts";
import { findRunOf, isEnded } from "../../engine/queries.ts";
import { createRun } from "../../engine/runs.ts";
import { type ProjectLayout, projectLayout } from "../../host/layout.ts";
import { sh } from "../../host/sh.ts";
import { projectSandbox } from "../../host/systemd/sandbox.ts";
import { type RequestContext, withStatus } from "../../http/route.ts";
import { success } from "../../http/schemas.ts";
import { AppError } from "../../lib/errors.ts";
import { projectCapabilities } from "./capabilities.ts";
import { isMoving } from "./queries.ts";
import { buildCacheKind } from "./schema.ts";
import { lockPrepared, patience } from "./web-server.ts";

/** Clears the project's build caches on its server. Concurrent requests share a run. */
export async function clearBuildCache(ctx: RequestContext, id: number) {
  const runId = await transaction(ctx.pool, (tx) => begin(tx, ctx, id));
  const { outcome, error } = await awaitRun(ctx, runId, { timeoutMs: patience(ctx), signal: ctx.signal });
  if (outcome === "succeeded") return success({ message: "The build cache was cleared.", project_id: id });
  if (outcome === undefined) {
    const message = "The server has not answered yet. The build cache is cleared in the background.";
    return withStatus(202, success({ message, project_id: id }));
  }
  throw new AppError("unavailable", `The build cache was not cleared: ${error}`);
}

async function begin(tx: PoolClient, ctx: RequestContext, id: number): Promise<number> {
  const project = await lockPrepared(tx, ctx, id);
  await projectCapabilities.refuse("clear_build_cache", project, { moving: () => isMoving(tx, id) });
  const last = await findRunOf(tx, buildCacheKind, id);
  if (last && !isEnded(last) && last.server_id === project.server_id) return last.id;
  return createRun(tx, ctx.queue, {
    serverId: project.server_id,
    kind: buildCacheKind,
    subjectId: id,
    plan: buildCachePlan(projectLayout(id)),
  });
}

/**
 * Removes the caches of build tools and copies of packages, as their owner. Its time is part of the key of packages, so that the
 * next release does not reuse those of an existing one either.
 */
export const buildCachePlan = (layout: ProjectLayout): Plan =>
  plan(
    buildCacheKind,
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
