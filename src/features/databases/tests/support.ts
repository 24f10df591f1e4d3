import type { FastifyInstance } from "fastify";
import { testDatabase } from "../../../../test/database.ts";
import type { Context } from "../../../context.ts";
import type { Pool } from "../../../db/pool.ts";
import { type Db, row, rows, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { Listener } from "../../../engine/listener.ts";
import { Queue } from "../../../engine/queue/queue.ts";
import { Worker } from "../../../engine/queue/worker.ts";
import { targetRunKind } from "../../../engine/reconcile/apply.ts";
import { reconcileQueue } from "../../../engine/reconcile/reconcile.ts";
import { endRun, findRun, type Run } from "../../../engine/runs/queries.ts";
import { jobsOf, routesOf } from "../../../features.ts";
import { Hosts } from "../../../host/ssh/hosts.ts";
import { buildApp } from "../../../http/app.ts";
import { type Cast, call, contextOn, createCast, type Reply } from "../../../http/tests/support.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { authenticator } from "../../accounts/authenticator.ts";
import { databaseTargets } from "../jobs.ts";

/** The application with its real queue; runs are real, and the test ends them in place of a server. */
export interface Stage {
  pool: Pool;
  ctx: Context;
  app: FastifyInstance;
  cast: Cast;
  /** A provisioned App server of Acme's with MariaDB. */
  serverId: number;
  close: () => Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const database = await testDatabase();
  const { pool } = database;
  const base = contextOn(pool);
  const queue = new Queue(pool, base.log);
  const listener = new Listener(database.url, base.log);
  const away = () => Promise.reject(new Error("No server answers in this test."));
  const hosts = new Hosts({ lookUp: away, pin: away, connectTimeoutMs: 1_000 });
  const ctx: Context = { ...base, queue, listener, hosts };
  const jobs = jobsOf(ctx);
  await queue.start(jobs);
  await listener.start();
  const worker = new Worker(
    queue,
    jobs.filter(({ name }) => name === reconcileQueue),
    base.log,
  );
  await worker.start(listener);
  const cast = await createCast(pool);
  const app = buildApp(ctx, routesOf(), authenticator(ctx));
  const close = async () => {
    await worker.stop();
    await app.close();
    await hosts.close();
    await listener.stop();
    await queue.stop();
    await database.drop();
  };
  return { pool, ctx, app, cast, serverId: await addServer(pool, cast.organizationId), close };
}

let count = 0;

export async function addServer(
  pool: Pool,
  organizationId: number,
  { engine = "mariadb", type = 0, status = 10 }: { engine?: string; type?: number; status?: number } = {},
): Promise<number> {
  const inserted = await row<{ id: number }>(
    pool,
    sql`
      insert into servers (organization_id, name, server_os, server_type, server_status, database_engine, public_ip,
        ssh_public_key, ssh_private_key)
      values (${organizationId}, 'web-1', 'debian_12', ${type}, ${status}, ${engine}, ${`192.0.2.${++count}`}, '', '')
      returning id
    `,
  );
  return (inserted as { id: number }).id;
}

export async function addProject(pool: Pool, serverId: number, frameworkId = 1): Promise<number> {
  const inserted = await row<{ id: number }>(
    pool,
    sql`
      with project as (
        insert into projects (organization_id, server_id, name, framework_id, repository_type, repository, repository_branch)
        select organization_id, id, 'Shop', ${frameworkId}, 'git', 'https://git.example.com/shop.git', 'main'
        from servers where id = ${serverId} returning id, server_id
      ), site as (
        insert into sites (project_id) select id from project
      )
      insert into placements (project_id, server_id, role) select id, server_id, 'own' from project
      returning project_id as id
    `,
  );
  return (inserted as { id: number }).id;
}

let moves = 0;

/** Records a move of the project that is under way. */
export async function addMove(db: Db, projectId: number): Promise<void> {
  await db.query(sql`insert into moves (deployment_id, project_id, databases) values (${++moves}, ${projectId}, '[]')`);
}

export const databasesOf = (stage: Stage): string => `/api/v1/servers/${stage.serverId}/databases`;

/** Sends a request below a server's databases, as Alice unless another token is given. */
export const ask = (
  stage: Stage,
  method: string,
  path = "",
  more: { token?: string; body?: unknown } = {},
): Promise<Reply> => call(stage.app, `${method} ${databasesOf(stage)}${path}`, { token: stage.cast.alice, ...more });

/** Creates a database over the API; its id. */
export async function create(stage: Stage, body: object): Promise<number> {
  const reply = await ask(stage, "POST", "", { body });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.data.id;
}

/** The run that creates or changes a database on the server, once it is under way. */
export async function runOf({ pool }: Stage, databaseId: number): Promise<Run> {
  const found = await pollUntil(
    async () => {
      const [run] = await rows<Run>(
        pool,
        sql`select * from runs where kind = 'database' and subject_id = ${databaseId} and ended_at is null`,
      );
      return run;
    },
    { timeoutMs: 10_000 },
  );
  return found as Run;
}

/** Ends the run of a database as its server would: with all steps done, or with the first one failed for this reason. */
export async function end(stage: Stage, databaseId: number, error?: string): Promise<Run> {
  const { ctx, pool } = stage;
  const run = await runOf(stage, databaseId);
  const kind = databaseTargets(ctx)[0];
  if (!kind) throw new Error("There is no kind of target");
  const state = error === undefined ? "succeeded" : "failed";
  await transaction(pool, async (tx) => {
    await tx.query("update runs set state = 'running', started_at = clock_timestamp() where id = $1", [run.id]);
    await tx.query("update run_steps set status = 'completed' where run_id = $1", [run.id]);
    const ended = await endRun(tx, run.id, { state, error: error ?? null });
    if (ended) await targetRunKind(ctx, kind).onEnded(tx, ended, state);
  });
  return { ...((await findRun(pool, run.id)) as Run), plan: run.plan };
}

/** A database that exists. */
export async function created(stage: Stage, body: object): Promise<number> {
  const id = await create(stage, body);
  await end(stage, id);
  return id;
}

export const read = async (stage: Stage, id: number) => (await ask(stage, "GET", `/${id}`)).body.data;

export const list = async (stage: Stage) => (await ask(stage, "GET")).body.data as { id: number; status: number }[];
