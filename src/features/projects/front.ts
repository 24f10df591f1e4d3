import { createHash } from "node:crypto";
import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import type { Plan } from "../../engine/plan.ts";
import { findRunOf, isEnded, type Run } from "../../engine/queries.ts";
import { createRun } from "../../engine/runs.ts";
import { healthText } from "../../host/nginx/balancer-health.ts";
import { servedName } from "../../host/nginx/names.ts";
import { frontSite } from "./on-server.ts";
import { frontPlan, frontSteps } from "./plans.ts";
import { isNodeBehind, lockProjectForWork } from "./queries.ts";
import { installKind, type ProjectRow } from "./schema.ts";

// How a load balancer follows the rows of a project that is behind it. One run at a time applies their state; when they
// have moved on by its end, another one follows. The nodes come first: the balancer must not send a visitor to a node that is not
// ready.

/** Runs that make a load balancer follow a project; their subject is the project. */
export const frontKind = "front";

/** The queue whose jobs check whether a load balancer has the state of a project's rows. */
export const frontQueue = "follow-front";

/** How long the load balancer waits for nodes that receive the same change. */
const nodesFirstSeconds = 15;
const againSeconds = 60;

type Working = Pick<Context, "queue">;

/** Distinguishes two states of a project by what its load balancer gets of them; undefined: it has none. */
export const frontFingerprint = (project: ProjectRow): string | undefined =>
  project.load_balancer_id === null ? undefined : markOf(planOf(project));

function planOf(project: ProjectRow): Plan {
  const site = frontSite(project);
  return frontPlan(site, healthText(site.layout, servedName(site), project.balance?.nodes ?? []));
}

/** The state that a run sent to the load balancer. */
export const markOf = ({ steps }: Plan): string => {
  const scripts = steps.filter(({ key }) => frontSteps.includes(key)).map(({ script }) => script);
  return createHash("sha256").update(scripts.join("\0")).digest("base64url").slice(0, 16);
};

/** The run that makes the load balancer follow the project now. */
export async function findFrontRun(tx: PoolClient, project: ProjectRow): Promise<Run | undefined> {
  for (const kind of [frontKind, installKind]) {
    const last = await findRunOf(tx, kind, project.id);
    if (last && !isEnded(last) && last.server_id === project.load_balancer_id) return last;
  }
  return undefined;
}

/** Makes the load balancer follow the project's rows, unless it does already. Safe to ask at any time. */
export async function followFront(tx: PoolClient, ctx: Working, projectId: number): Promise<void> {
  const project = await lockProjectForWork(tx, projectId);
  if (!project || project.load_balancer_id === null) return;
  // The end of the run under way checks this again.
  if (project.front_published === frontFingerprint(project) || (await findFrontRun(tx, project))) return;
  if (await hasJustFailed(tx, project)) return;
  if (await isNodeBehind(tx, projectId, nodesFirstSeconds)) return;
  const run = { serverId: project.load_balancer_id, kind: frontKind, subjectId: projectId, plan: planOf(project) };
  await createRun(tx, ctx.queue, run);
}

// It is retried, but not for the present caller.
async function hasJustFailed(tx: PoolClient, project: ProjectRow): Promise<boolean> {
  const last = await findRunOf(tx, frontKind, project.id);
  if (!last?.ended_at || last.state === "succeeded" || markOf(last.plan) !== frontFingerprint(project)) return false;
  return Date.now() - Date.parse(last.ended_at) < (againSeconds - 5) * 1_000;
}

/** Has it looked at after the transaction; at once, or when nodes have had their time, or when a failure is retried. */
export const lookAtFront = (
  tx: Db,
  { queue }: Working,
  projectId: number,
  after: "now" | "nodes" | "failure" = "now",
): Promise<void> => {
  const afterSeconds = { now: 0, nodes: nodesFirstSeconds + 1, failure: againSeconds }[after];
  return queue.enqueue(tx, frontQueue, { projectId }, { afterSeconds });
};
