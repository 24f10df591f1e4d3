import type { FastifyInstance } from "fastify";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import type { Context } from "../../../context.ts";
import { row, sql } from "../../../db/sql.ts";
import { Listener } from "../../../engine/listener.ts";
import { Queue } from "../../../engine/queue/queue.ts";
import { features, jobsOf, routesOf } from "../../../features.ts";
import { appOn, type Cast, call, contextOn, createCast, type Reply } from "../../../http/tests/support.ts";

/** The platform without servers and workers: queued jobs stay queued. */
export interface Stage {
  ctx: Context;
  app: FastifyInstance;
  cast: Cast;
  ask(line: string, body?: object, token?: string): Promise<Reply>;
  close(): Promise<void>;
}

export async function openStage(settings: Record<string, string> = {}): Promise<Stage> {
  const database: TestDatabase = await testDatabase();
  const base = contextOn(database.pool, settings);
  const queue = new Queue(database.pool, base.log);
  const listener = new Listener(database.url, base.log);
  const ctx: Context = { ...base, queue, listener };
  await queue.start(jobsOf(ctx).map(({ name, policy }) => ({ name, ...(policy && { policy }) })));
  await listener.start();
  const app = appOn(
    ctx,
    routesOf().filter(({ path }) => !accountPaths.has(path)),
  );
  const cast = await createCast(database.pool);
  return {
    ctx,
    app,
    cast,
    ask: (line, body, token = cast.alice) => call(app, line, { token, ...(body && { body }) }),
    close: async () => {
      await app.close();
      await listener.stop();
      await queue.stop();
      await database.drop();
    },
  };
}

// `appOn` adds those of accounts itself.
const accountPaths = new Set(
  features.filter(({ name }) => name === "accounts").flatMap(({ routes = [] }) => routes.map(({ path }) => path)),
);

let count = 0;

export interface ServerFields {
  engine?: "mariadb" | "postgresql" | "none";
  type?: number;
  status?: number;
  distribution?: string;
}

/** The records of a server of Acme's. */
export async function addServer({ ctx, cast }: Stage, fields: ServerFields = {}): Promise<number> {
  const { engine = "mariadb", type = 0, status = 10, distribution = "debian 12" } = fields;
  const inserted = await row<{ id: number }>(
    ctx.pool,
    sql`
      insert into servers (organization_id, name, server_os, public_ip, server_type, server_status, connection_status,
        database_engine, distribution, ssh_public_key, ssh_private_key, host_key)
      values (${cast.organizationId}, ${`server ${++count}`}, 'debian_12', ${`2001:db8::${count.toString(16)}`}, ${type},
        ${status}, 1, ${engine}, ${distribution}, 'ssh-ed25519 AAAA', ${ctx.secrets.encrypt("key")}, 'ssh-ed25519 AAAA')
      returning id
    `,
  );
  return (inserted as { id: number }).id;
}
