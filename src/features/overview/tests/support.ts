import type { FastifyInstance } from "fastify";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import { World } from "../../../../test/route-world.ts";
import type { Sql } from "../../../db/sql.ts";
import { appOn, type Cast, call, contextOn, createCast, type Reply } from "../../../http/tests/support.ts";
import { adminMember, adminToken, adminUser } from "../../accounts/admin.ts";
import { overviewRoutes } from "../routes.ts";

export interface Stage {
  database: TestDatabase;
  cast: Cast;
  world: World;
  app: FastifyInstance;
  ask: (line: string, token?: string, body?: unknown) => Promise<Reply>;
  /** The id that the statement returns. */
  make: (statement: Sql) => Promise<number>;
  /** A token of a member who is restricted to these servers and projects. */
  restricted: (reach: { servers?: number[]; projects?: number[] }) => Promise<string>;
  end: () => Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const database = await testDatabase();
  const cast = await createCast(database.pool);
  const ctx = contextOn(database.pool);
  const app = appOn(ctx, overviewRoutes);
  let members = 0;
  return {
    ...{ database, cast, app },
    world: new World(ctx, cast),
    ask: (line, token = cast.alice, body = undefined) => call(app, line, { token, ...(body ? { body } : {}) }),
    make: async (statement) => (await database.pool.query<{ id: number }>(statement)).rows[0]?.id ?? 0,
    restricted: async ({ servers = [], projects = [] }) => {
      const [email, organization] = [`restricted${++members}@example.com`, String(cast.organizationId)];
      const { pool } = database;
      await adminUser({ pool }, { email, name: "Restricted", organization, role: "Member" });
      await adminMember({ pool }, { email, organization, role: "Member", servers, projects });
      return (await adminToken({ pool }, { email, name: "A token", permissions: "*" })).token;
    },
    end: async () => {
      await app.close();
      await database.drop();
    },
  };
}

/** A token of Alice's with these permissions. */
export const narrowToken = async ({ database: { pool } }: Stage, permissions: string): Promise<string> =>
  (await adminToken({ pool }, { email: "alice@example.com", name: "Narrow", permissions })).token;
