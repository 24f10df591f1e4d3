import type { PoolClient } from "pg";
import type { Context, WithQueue } from "../../../context.ts";
import type { Db } from "../../../db/sql.ts";
import type { Kind } from "../../../engine/kind.ts";
import { touch } from "../../../engine/reconcile/reconcile.ts";
import type { TargetKind, TargetRef } from "../../../engine/reconcile/target.ts";
import { fromTheStart, type Plan, plan } from "../../../engine/runs/plan.ts";
import type { Run } from "../../../engine/runs/queries.ts";
import type { PlacementRef } from "../../placements/schema.ts";
import { type Begun, publishingOf } from "../hooks.ts";
import { frameworkOf, onServer } from "../on-server.ts";
import { phpSteps } from "../plans.ts";
import { findProjectOn, listReplicas, lockProjectOn } from "../queries.ts";
import type { PlacedProject } from "../schema.ts";
import { acceptPhp, takeBackPhp } from "./queries.ts";

/** The PHP workers of a project on one of its servers. Deployments set them up as well, by a step of this name. */
export const phpKind: Kind = { kind: "write-pool", subject: "project" };

/**
 * Makes the PHP of a project follow its row, on each of its servers, in the transaction that changed it. Undefined: its first
 * deployment will.
 */
export async function touchPhp(
  tx: PoolClient,
  { queue }: WithQueue,
  project: PlacedProject,
): Promise<Begun | undefined> {
  for (const replica of await listReplicas(tx, project.id))
    if (replica.placement.is_prepared) await touch(tx, queue, phpOn(replica));
  if (!project.placement.is_prepared) return undefined;
  const own = phpOn(project);
  return { ...own, version: await touch(tx, queue, own) };
}

const phpOn = ({ id: subjectId, placement }: PlacedProject): TargetRef => ({
  ...phpKind,
  subjectId,
  serverId: placement.server_id,
});

/** What PHP-FPM refuses is not retried, and the values of before are restored. The project's own server decides. */
export const phpTarget = (ctx: Pick<Context, "queue" | "hooks">): TargetKind => ({
  ...phpKind,
  desired: desiredPhp,
  onApplied: async (tx, target) => {
    const project = await lockProjectOn(tx, placementOf(target));
    // Rows that have changed since are accepted by the next run.
    if (project?.placement.role !== "own" || target.wantedVersion !== target.runningVersion) return;
    await acceptPhp(tx, project.id);
  },
  onFailed: async (tx, target, run, error) => {
    if (!run || !isRefusal(run) || target.wantedVersion !== target.runningVersion) return "retry";
    const project = await lockProjectOn(tx, placementOf(target));
    if (project?.placement.role !== "own" || !(await takeBackPhp(tx, project.id, error))) return "retry";
    const restored = await findProjectOn(tx, placementOf(target));
    if (restored) await followPhp(tx, ctx, restored);
    return "stop";
  },
});

/** Workers and web server follow the row: both end requests that take too long. */
export async function followPhp(
  tx: PoolClient,
  ctx: Pick<Context, "queue" | "hooks">,
  project: PlacedProject,
): Promise<Begun | undefined> {
  if (project.placement.is_prepared) await publishingOf(ctx).follow(tx, ctx, project);
  return touchPhp(tx, ctx, project);
}

const placementOf = ({ subjectId: projectId, serverId }: TargetRef): PlacementRef => ({ projectId, serverId });

/** Whether the server itself reported the failure, rather than being out of reach. */
const isRefusal = ({ state, journal_offset }: Run): boolean => state === "failed" && journal_offset > 0;

async function desiredPhp(tx: Db, target: TargetRef): Promise<Plan | undefined> {
  const project = await findProjectOn(tx, placementOf(target));
  const isServing = project?.placement.role === "own" || project?.placement.role === "replica";
  if (!project?.placement.is_prepared || !isServing || frameworkOf(project).runtimeFamily !== "php") return undefined;
  return plan(phpKind.kind, phpSteps(onServer(project, false)), { pointOfNoReturn: fromTheStart });
}
