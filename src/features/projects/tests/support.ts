import type { FastifyInstance } from "fastify";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import type { Context } from "../../../context.ts";
import type { Pool } from "../../../db/pool.ts";
import { row, sql } from "../../../db/sql.ts";
import { Listener } from "../../../engine/listener.ts";
import { Queue } from "../../../engine/queue/queue.ts";
import { Worker } from "../../../engine/queue/worker.ts";
import { reconcileJobs, targetRunKind } from "../../../engine/reconcile/apply.ts";
import { isFact } from "../../../engine/runs/facts.ts";
import type { Entry } from "../../../engine/runs/journal.ts";
import { isPlanned } from "../../../engine/runs/plan.ts";
import { findRun, type Run, startWithPlan } from "../../../engine/runs/queries.ts";
import { runQueue } from "../../../engine/runs/runs.ts";
import { applyUpdate, parseUpdate } from "../../../engine/runs/store.ts";
import { workflowQueue } from "../../../engine/workflow/start.ts";
import { appOn, type Cast, call, contextOn, createCast, type Reply } from "../../../http/tests/support.ts";
import { deploymentJobs, deploymentRunKinds } from "../../deployments/jobs.ts";
import { deploymentRoutes } from "../../deployments/routes.ts";
import { jobRoutes } from "../../jobs/routes.ts";
import { certificateQueue } from "../../sites/certificate-queue.ts";
import { siteRunKinds, siteTargets } from "../../sites/jobs.ts";
import { siteRoutes } from "../../sites/routes.ts";
import { groupRoutes } from "../groups/routes.ts";
import { projectRunKinds, projectTargets } from "../jobs.ts";
import { phpRoutes } from "../php/routes.ts";
import { projectRoutes } from "../routes.ts";

/** The platform without servers: database, queue and API are real; `playServers` answers in their place. */
export interface Stage {
  ctx: Context;
  pool: Pool;
  app: FastifyInstance;
  cast: Cast;
  /** An App server of Acme's whose setup has ended. */
  serverId: number;
  close(): Promise<void>;
}

export async function openStage(settings: Record<string, string> = {}): Promise<Stage> {
  const database: TestDatabase = await testDatabase();
  const { pool } = database;
  const base = contextOn(pool, settings);
  const queue = new Queue(pool, base.log);
  const listener = new Listener(database.url, base.log);
  const ctx: Context = { ...base, queue, listener };
  const reconciling = reconcileJobs(ctx, [...projectTargets(ctx), ...siteTargets(ctx)]);
  await queue.start([
    ...reconciling,
    { name: runQueue },
    { name: "cancel-run" },
    { name: workflowQueue, policy: "keyed" },
    { name: certificateQueue, policy: "keyed" },
    ...deploymentJobs(ctx),
  ]);
  await listener.start();
  const worker = new Worker(queue, reconciling, base.log);
  await worker.start(listener);
  const app = appOn(ctx, [
    ...groupRoutes,
    ...projectRoutes,
    ...phpRoutes,
    ...siteRoutes,
    ...deploymentRoutes,
    ...jobRoutes,
  ]);
  const cast = await createCast(pool);
  const serverId = await insertServer(pool, cast.organizationId);
  const close = async () => {
    await worker.stop();
    await app.close();
    await listener.stop();
    await queue.stop();
    await database.drop();
  };
  return { ctx, pool, app, cast, serverId, close };
}

export async function insertServer(
  pool: Pool,
  organizationId: number,
  fields: { status?: number; type?: number } = {},
) {
  const { status = 10, type = 0 } = fields;
  const inserted = await row<{ id: number }>(
    pool,
    sql`
      insert into servers (organization_id, name, server_os, server_type, server_status, ssh_public_key, ssh_private_key)
      values (${organizationId}, 'app', 'debian_12', ${type}, ${status}, '', '') returning id
    `,
  );
  return (inserted as { id: number }).id;
}

let count = 0;

/** A body that creates a project with a unique domain. */
export const projectBody = (serverId: number, fields: object = {}) => ({
  name: "Shop",
  server_id: serverId,
  domain: `shop-${++count}.example.com`,
  framework_id: 8,
  git_repository: { repo: "https://git.example.com/acme/shop.git", type: "git", branch: "main" },
  ...fields,
});

/** Creates a project as Alice; resolves with its id. */
export async function createProject({ app, cast, serverId }: Stage, fields: object = {}): Promise<number> {
  const body = projectBody(serverId, fields);
  const reply = await call(app, "POST /api/v1/projects", { token: cast.alice, body });
  if (reply.status !== 201) throw new Error(`The project was not created: ${reply.text}`);
  return Number(reply.body.project_id);
}

/** A project as it is after the first deployment has set up its site. */
export async function createPreparedProject(stage: Stage, fields: object = {}): Promise<number> {
  const id = await createProject(stage, fields);
  await stage.pool.query("update placements set is_prepared = true where project_id = $1", [id]);
  return id;
}

export const readProject = async ({ app, cast }: Stage, id: number) =>
  (await call(app, `GET /api/v1/projects/${id}`, { token: cast.alice })).body;

export const update = ({ app, cast }: Stage, id: number, body: unknown, token = cast.alice): Promise<Reply> =>
  call(app, `PUT /api/v1/projects/${id}`, { token, body });

/** What a server does with a run: the end of its last step. */
export interface Play {
  output?: string;
  facts?: Record<string, string>;
  exitCode?: number;
}

/** Answers runs in the servers' place, through the same records as a real journal; ends with the returned function. */
export async function playServers({ ctx, pool }: Stage, play: (run: Run) => Promise<Play> | Play) {
  const kinds = new Map(
    [
      ...projectRunKinds(),
      ...siteRunKinds(),
      ...[...projectTargets(ctx), ...siteTargets(ctx)].map((target) => targetRunKind(ctx, target)),
      ...deploymentRunKinds(ctx),
    ].map((kind) => [kind.kind, kind]),
  );
  const work = async (data: Record<string, unknown>) => {
    const found = await findRun(pool, Number(data.runId));
    if (!found || !kinds.has(found.kind) || found.ended_at) return;
    const run = await plannedRun(found);
    const entries = journalOf(run, await play(run));
    const update = parseUpdate(run, { entries, consumed: 1, offset: 0 }, null, (bytes) => bytes);
    await applyUpdate({ pool, kinds }, update);
  };
  const plannedRun = async (run: Run): Promise<Run> => {
    const plan = isPlanned(run.plan) ? undefined : await kinds.get(run.kind)?.plan?.(run);
    if (!plan) return run;
    await startWithPlan(pool, run.id, plan);
    return { ...run, plan };
  };
  const worker = new Worker(ctx.queue, [{ name: runQueue, concurrency: 10, work }], ctx.log);
  await worker.start(ctx.listener);
  return () => worker.stop();
}

function journalOf({ plan }: Run, { output, facts = {}, exitCode = 0 }: Play): Entry[] {
  const at = Date.now();
  const last = Math.max(plan.steps.length - 1, 0);
  const factsOf = (position: number) =>
    Object.entries(facts).filter(([key, value]) => isFact(plan.steps[position]?.facts ?? {}, key, value));
  const steps = Array.from({ length: last + 1 }, (_, position): Entry[] => [
    { type: "step", position, at },
    ...(output === undefined || position < last
      ? []
      : [{ type: "output" as const, bytes: Buffer.from(output), offset: 0 }]),
    ...factsOf(position).map(([key, value]) => ({ type: "fact" as const, key, value })),
    { type: "done", position, exitCode: position < last ? 0 : exitCode, durationMs: 1, at },
  ]);
  const outcome = exitCode === 0 ? "succeeded" : "failed";
  return [{ type: "run", at }, ...steps.flat(), { type: "end", outcome, at }];
}
