import type { FastifyInstance } from "fastify";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import type { Context } from "../../../context.ts";
import type { Pool } from "../../../db/pool.ts";
import { row, rows, sql } from "../../../db/sql.ts";
import { placeEvents } from "../../../engine/events.ts";
import { Listener } from "../../../engine/listener.ts";
import { Queue } from "../../../engine/queue/queue.ts";
import { jobsOf, routesOf } from "../../../features.ts";
import { Hosts } from "../../../host/ssh/hosts.ts";
import { buildApp } from "../../../http/app.ts";
import { type Cast, call, contextOn, createCast, type Reply } from "../../../http/tests/support.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { authenticator } from "../../accounts/authenticator.ts";
import { connectionSchedule } from "../connection-checks.ts";
import { followAddresses } from "../connections.ts";

export interface Stage {
  database: TestDatabase;
  pool: Pool;
  ctx: Context;
  app: FastifyInstance;
  cast: Cast;
  /** Servers to which a new connection was made, or attempted. */
  connected: number[];
  close(): Promise<void>;
}

/** The whole application on a separate database, with the real queue and listener; no server responds. */
export async function openStage(settings: Record<string, string> = {}): Promise<Stage> {
  const database = await testDatabase();
  const base = contextOn(database.pool, settings);
  const connected: number[] = [];
  const queue = new Queue(database.pool, base.log);
  const listener = new Listener(database.url, base.log);
  const lookUp = (serverId: number) => {
    connected.push(serverId);
    return Promise.reject(new Error("No server answers in this test."));
  };
  const hosts = new Hosts({ lookUp, pin: () => Promise.resolve(), connectTimeoutMs: 1_000 });
  const ctx: Context = { ...base, queue, listener, hosts };
  await queue.start(jobsOf(ctx));
  await listener.start();
  await followAddresses(ctx);
  const cast = await createCast(database.pool);
  const app = buildApp(ctx, routesOf(), authenticator(ctx));
  const close = async () => {
    await app.close();
    await hosts.close();
    await listener.stop();
    await queue.stop();
    await database.drop();
  };
  return { database, pool: database.pool, ctx, app, cast, connected, close };
}

let addresses = 0;

/** An address that no server of these tests has. */
export const newAddress = (): string => `10.0.${(addresses >> 8) & 255}.${addresses++ & 255}`;

/** An IPv4 address in the forms of an IPv6 address that mean the same host. */
export function spellingsOf(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  const groups = [a * 256 + b, c * 256 + d].map((group) => group.toString(16)).join(":");
  return [`::ffff:${address}`, `::ffff:${groups}`, `0:0:0:0:0:FFFF:${groups}`, `0::ffff:${address}`];
}

/** Adds a server over the API; its id. */
export async function addServer({ app, cast }: Stage, more: object = {}, token = cast.alice): Promise<number> {
  const body = { name: "web-1", server_os: "debian_12", public_ip: newAddress(), ...more };
  const reply = await call(app, "POST /api/v1/servers", { token, body });
  if (reply.status !== 201) throw new Error(reply.text);
  return reply.body.server_id;
}

/** A server as it is after its setup. */
export async function addProvisioned(stage: Stage, more: object = {}, token = stage.cast.alice): Promise<number> {
  const id = await addServer(stage, more, token);
  await stage.pool.query(
    "update servers set server_status = 10, connection_status = 1, host_key = 'ssh-ed25519 AAAA', seen_ip = public_ip where id = $1",
    [id],
  );
  return id;
}

export async function addProject(pool: Pool, serverId: number, groupId: number | null = null): Promise<number> {
  const inserted = await row<{ id: number }>(
    pool,
    sql`
      with project as (
        insert into projects (organization_id, server_id, project_group_id, name, framework_id, repository_type,
          repository, repository_branch)
        select organization_id, id, ${groupId}, 'shop', 10, 'git', 'https://git.example.com/shop.git', 'main'
        from servers where id = ${serverId} returning id, server_id
      ), placement as (
        insert into placements (project_id, server_id, role) select id, server_id, 'own' from project
      ), site as (
        insert into sites (project_id) select id from project
      ), domain as (
        insert into domains (project_id, domain_name, is_primary)
        select id, 'shop-' || id || '.example.com', true from project
      )
      select id from project
    `,
  );
  return (inserted as { id: number }).id;
}

export async function addDeployment(pool: Pool, projectId: number, more: { type?: string } = {}): Promise<number> {
  const inserted = await row<{ id: number }>(
    pool,
    sql`
      insert into deployments (organization_id, project_id, server_id, process_type, git_branch, description)
      select organization_id, id, server_id, ${more.type ?? "deployment"}, 'main', 'test'
      from projects where id = ${projectId} returning id
    `,
  );
  return (inserted as { id: number }).id;
}

/** Checks the connections of all servers that are due. */
export async function checkConnections({ ctx }: Stage): Promise<void> {
  const { claim, work } = connectionSchedule(ctx);
  const due = await claim(ctx.pool, 1_000);
  await Promise.all(due.map((server) => work(server, new AbortController().signal)));
}

/** Waits until this many of the database's sessions wait for a lock of another one. */
export async function untilWaiting(pool: Pool, sessions = 1): Promise<void> {
  const count = async () =>
    (
      await rows(
        pool,
        sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    `,
      )
    ).length >= sessions;
  if (!(await pollUntil(count, { timeoutMs: 30_000 }))) throw new Error("No connection waits for a lock.");
}

/** The data of a queue's waiting jobs. */
export const jobsIn = async (pool: Pool, queue: string): Promise<Record<string, unknown>[]> => {
  const jobs = await rows<{ data: Record<string, unknown> }>(
    pool,
    sql`select data from queue.job where name = ${queue} and state = 'created' order by created_on`,
  );
  return jobs.map((job) => job.data);
};

export const emptyQueue = (pool: Pool, queue: string) => pool.query("delete from queue.job where name = $1", [queue]);

export const errorsOf = (reply: Reply): Record<string, string> => reply.body.errors;

export const eventsOf = async (pool: Pool, serverId: number): Promise<string[]> => {
  const events = await rows<{ name: string }>(
    pool,
    sql`select name from events where server_id = ${serverId} order by id`,
  );
  return events.map((event) => event.name);
};

/** Written for the request itself, whatever it does. */
const ofRequests = ["rate_limits", "idempotency_keys", "api_tokens", "tokens"];

/** A digest of all rows of each table: equal only if nothing was changed in between. */
export async function contentsOf(pool: Pool): Promise<Record<string, string>> {
  // Events of what was done before get their positions later.
  await placeEvents(pool);
  const tables = await rows<{ name: string }>(
    pool,
    sql`
      select quote_ident(table_schema) || '.' || quote_ident(table_name) as name from information_schema.tables
      where (table_schema = 'public' or (table_schema = 'queue' and table_name like 'job%')) and table_type = 'BASE TABLE'
        and table_name <> all(${ofRequests})
    `,
  );
  const contents: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows: found } = await pool.query<{ digest: string }>(
      `select count(*) || coalesce(md5(string_agg(t::text, ' ' order by t::text)), '') as digest from ${name} t`,
    );
    contents[name] = found[0]?.digest ?? "";
  }
  return contents;
}
