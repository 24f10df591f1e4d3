import type { PoolClient } from "pg";
import type { WithQueue } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { findTarget } from "../../engine/reconcile/queries.ts";
import { awaitApplied, listSyncs, touch } from "../../engine/reconcile/reconcile.ts";
import type { Sync, TargetRef } from "../../engine/reconcile/target.ts";
import { outputWithError, patience, type RunReport } from "../../engine/runs/await-run.ts";
import type { Plan } from "../../engine/runs/plan.ts";
import { findRunOf, type Run } from "../../engine/runs/queries.ts";
import { healthText } from "../../host/nginx/balancer-health.ts";
import { servedName } from "../../host/nginx/names.ts";
import type { RequestContext } from "../../http/route.ts";
import { notFound } from "../../lib/errors.ts";
import { listForwardings } from "../placements/queries.ts";
import type { Begun, ChangeReport, OpenChange } from "../projects/hooks.ts";
import { onBalancer } from "../projects/on-server.ts";
import { findProjectForWork, listReplicas } from "../projects/queries.ts";
import type { PlacedProject } from "../projects/schema.ts";
import { findSiteChange, insertSiteChange } from "../site-records/queries.ts";
import { balancerSiteKind, publishKind, type SiteBefore } from "../site-records/schema.ts";
import { frontSite } from "./front.ts";
import { balancerSitePlan } from "./plans.ts";
import { forwardingKind } from "./schema.ts";

// The targets of a project: its site on each of its servers, and on its load balancer. They are touched and waited for here;
// `target.ts` and `balancer-target.ts` make the servers follow.

type Waiting = Pick<RequestContext, "config" | "pool" | "queue" | "listener" | "signal">;

/**
 * Makes the project's web servers follow its rows, in the transaction that changed them: `project` is the changed row, locked.
 * `followPublication` waits for the answer of the project's own server, and of its load balancer.
 */
export async function beginPublication(tx: PoolClient, ctx: WithQueue, project: PlacedProject): Promise<Begun> {
  await touchForwardings(tx, ctx, project.id);
  if (project.site.load_balancer_id === null) return touchSite(tx, ctx, project);
  for (const replica of await listReplicas(tx, project.id)) {
    if (replica.placement.is_prepared) await touchSite(tx, ctx, replica);
  }
  // The load balancer follows after the nodes.
  await touchBalancerSite(tx, ctx, project.id);
  return touchSite(tx, ctx, project);
}

/** Makes the servers that the project has left follow its rows: they forward its visitors. */
export async function touchForwardings(tx: Db, { queue }: WithQueue, projectId: number): Promise<void> {
  for (const { server_id: serverId } of await listForwardings(tx, projectId)) {
    if (serverId !== null) await touch(tx, queue, { ...forwardingKind, subjectId: projectId, serverId });
  }
}

/** The target of the project's site on the server of a placement. */
export const siteOf = ({ id: subjectId, placement }: PlacedProject): TargetRef => ({
  ...publishKind,
  subjectId,
  serverId: placement.server_id,
});

/** Makes the web server of one placement follow the project's rows. `again`: also when it has that state already. */
export async function touchSite(
  tx: PoolClient,
  { queue }: WithQueue,
  project: PlacedProject,
  options?: { again: boolean },
): Promise<Begun> {
  const site = siteOf(project);
  return { ...site, version: await touch(tx, queue, site, options) };
}

/** The result of a publication: as soon as it is known, or without an outcome after `timeoutMs`. It continues in any case. */
export async function followPublication(
  ctx: Waiting,
  begun: Begun,
  timeoutMs: number = patience(ctx),
): Promise<RunReport> {
  const deadline = performance.now() + timeoutMs;
  const { state, error, output } = await awaitApplied(ctx, begun, { timeoutMs, signal: ctx.signal });
  const project = await findProjectForWork(ctx.pool, begun.subjectId);
  if (!project) return { outcome: "cancelled", error: "The project was deleted.", output };
  // An attempt that failed on the way to the server is retried.
  if (state === "pending") return { outcome: undefined, error: null, output };
  if (state === "failed") return { outcome: "failed", error: error ?? "The web server refused the settings.", output };
  const own = { outcome: "succeeded" as const, error: null, output };
  // The server that visitors reach decides: a load balancer follows its nodes.
  const target = balancerSiteOf(project);
  const wanted = target && (await findTarget(ctx.pool, target));
  if (!wanted) return own;
  const left = { timeoutMs: deadline - performance.now(), signal: ctx.signal };
  const balancer = await awaitApplied(ctx, { ...wanted, version: wanted.wantedVersion }, left);
  if (balancer.state === "applied") return own;
  const last = await findRunOf(ctx.pool, balancerSiteKind, project.id);
  // Waits for an unreachable load balancer.
  return balancer.error !== null && last && isRefusal(last)
    ? { outcome: "failed", error: balancer.error, output: balancer.output }
    : { ...own, outcome: undefined };
}

// Changes that the web server decides on --------------------------------------------------------------------------------------

/** As `beginPublication`, and if the web server rejects the site, `replaced` is restored (`domains/changes.ts`). */
export async function beginSiteChange(
  tx: PoolClient,
  ctx: WithQueue,
  project: PlacedProject,
  replaced: { before: SiteBefore; hash?: Buffer | null },
): Promise<OpenChange> {
  const begun = await beginPublication(tx, ctx, project);
  return { begun, changeId: await insertSiteChange(tx, project.id, replaced, begun.version) };
}

/** The result of a change, otherwise as `followPublication` returns it. */
export async function followSiteChange(
  ctx: Waiting,
  { changeId, begun }: OpenChange,
  timeoutMs?: number,
): Promise<ChangeReport> {
  const report = await followPublication(ctx, begun, timeoutMs);
  const decided = await findSiteChange(ctx.pool, changeId);
  if (!decided) throw notFound("The project");
  if (decided.state === "refused") return { ...report, refused: decided.reason ?? "The change was taken back." };
  // The project's own server has the change: its load balancer follows, also after a failure.
  return report.outcome === "failed" ? { ...report, outcome: undefined } : report;
}

interface ServerAnswer {
  ok: boolean;
  system_output: string[];
}

/** What the web server answered to a site that it rejects; the state of before may be served by now. */
export const rejection = (message: string, { outcome, output }: RunReport): ServerAnswer => ({
  ok: false,
  system_output: outputWithError({ outcome, output: outcome === "succeeded" ? [] : output, error: message }),
});

/** The web server's result of a publication; null while there is none. */
export const serverAnswer = (report: RunReport): ServerAnswer | null =>
  report.outcome === undefined ? null : { ok: report.outcome === "succeeded", system_output: outputWithError(report) };

/** Whether the server itself reported the failure, rather than being out of reach. */
export const isRefusal = ({ state, journal_offset }: Run): boolean => state === "failed" && journal_offset > 0;

/** The sync of projects in reach with their web servers: their own servers and load balancers. */
export const listSiteSyncs = (db: Db, projectIds: readonly number[]): Promise<Map<number, Sync>> =>
  listSyncs(db, [publishKind, balancerSiteKind], projectIds);

// Load balancers -------------------------------------------------------------------------------------------------------------

/** Makes the load balancer, if there is one, follow the project's rows, in the transaction that changed them. */
export async function touchBalancerSite(tx: Db, { queue }: WithQueue, projectId: number): Promise<void> {
  const project = await findProjectForWork(tx, projectId);
  const target = project && balancerSiteOf(project);
  if (target) await touch(tx, queue, target);
}

/** Undefined: the project is not behind a load balancer. */
export const balancerSiteOf = ({ id: subjectId, site }: PlacedProject): TargetRef | undefined =>
  site.load_balancer_id === null ? undefined : { ...balancerSiteKind, subjectId, serverId: site.load_balancer_id };

/** The plan of the run that puts the project's present site on its load balancer. */
export function balancerPlanOf(project: PlacedProject): Plan {
  const site = frontSite(project);
  return balancerSitePlan(
    site,
    onBalancer(project),
    healthText(site.layout, servedName(site), project.site.balance?.nodes ?? []),
  );
}
