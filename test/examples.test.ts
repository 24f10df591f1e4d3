import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { FastifyInstance } from "fastify";
import type { Context } from "../src/context.ts";
import { changed, raw, sql } from "../src/db/sql.ts";
import { Listener } from "../src/engine/listener.ts";
import { Queue } from "../src/engine/queue/queue.ts";
import { authenticator } from "../src/features/accounts/authenticator.ts";
import { acceptance } from "../src/features/organizations/examples.ts";
import { jobsOf, routesOf } from "../src/features.ts";
import { Hosts } from "../src/host/ssh/hosts.ts";
import { buildApp } from "../src/http/app.ts";
import type { Route } from "../src/http/route.ts";
import { call, contextOn, createCast } from "../src/http/tests/support.ts";
import { startClouds } from "./clouds/all.ts";
import { type TestDatabase, testDatabase } from "./database.ts";
import { startGitHosts } from "./git-hosts/all.ts";
import { fixtures, type Params } from "./route-fixtures.ts";
import { World } from "./route-world.ts";

// Sends the body that the documentation shows for each operation, as it is. The records that the examples name are made with
// the ids that they have there; those of the addresses are of route-fixtures.ts.

/** Examples that are refused as they are: the status, and the reason. */
const refused: Record<string, { status: number; reason: string }> = {
  "POST /api/v1/projects/:projectId/certificates/custom": { status: 422, reason: "No private key is published." },
  "POST /api/v1/server-providers": { status: 422, reason: "The token is no one's." },
  "POST /api/v1/source-providers": { status: 422, reason: "The token is no one's." },
  "POST /api/v1/attention/:key/snooze": {
    status: 422,
    reason: "Its day has passed, and it has to be one of the next 90.",
  },
  "POST /api/v1/setup": { status: 410, reason: "There is an account already." },
  "POST /api/auth/sign-in/link": { status: 410, reason: "The token of the link is no one's." },
  "POST /api/auth/request-password-reset": { status: 422, reason: "The installation of the test sends no mail." },
  "POST /api/auth/reset-password": { status: 410, reason: "The token of the link is no one's." },
  "POST /api/auth/change-email": {
    status: 403,
    reason: "It is for people who are signed in, and the test has a token.",
  },
  "POST /api/auth/verify-email": { status: 410, reason: "The token of the link is no one's." },
  "POST /api/v1/device-authorizations/token": { status: 410, reason: "No program has the code." },
  "POST /api/v1/device-authorizations/:userCode/approve": {
    status: 403,
    reason: "It is for people who are signed in, and the test has a token.",
  },
  "POST /api/v1/oauth-authorizations": {
    status: 403,
    reason: "It is for people who are signed in, and the test has a token.",
  },
  "POST /api/v1/projects/detect": { status: 503, reason: "A server reads the repository, and there is none here." },
};

/** Where the record has to fit the body. */
const paths: Record<string, (world: World) => Promise<Params>> = {
  "POST /api/v1/servers/:id/databases": async () => ({ id: 1 }),
  "PUT /api/v1/servers/:id/databases/:database": async (world) => ({ id: 1, database: await databaseOn(world, 1) }),
  "POST /api/v1/invitations/accept": async (world) => ({ id: await world.invitation(acceptance.token) }),
  "POST /api/v1/servers/:id/databases/adopt": async (world) => ({ id: await world.foundDatabase("old_shop") }),
};

let database: TestDatabase;
let ctx: Context;
let app: FastifyInstance;
let world: World;
const endings: (() => Promise<unknown>)[] = [];

before(async () => {
  database = await testDatabase();
  endings.push(() => database.drop());
  const gitHosts = await startGitHosts();
  gitHosts.git_host_a.addRepository("acme/shop");
  endings.push(gitHosts.close);
  const clouds = await startClouds();
  endings.push(clouds.close);
  const base = contextOn(database.pool, { answerWithinSeconds: "1", ...gitHosts.settings, ...clouds.settings });
  const queue = new Queue(database.pool, base.log);
  const listener = new Listener(database.url, base.log);
  const unreachable = () => Promise.reject(new Error("There are no servers in this test."));
  const hosts = new Hosts({ lookUp: unreachable, pin: unreachable, connectTimeoutMs: 1_000 });
  ctx = { ...base, queue, listener, hosts };
  endings.push(() => hosts.close());
  await queue.start(jobsOf(ctx));
  endings.push(() => queue.stop());
  await listener.start();
  endings.push(() => listener.stop());
  app = buildApp(ctx, routesOf(), authenticator(ctx));
  endings.push(() => app.close());
  await makeRecords();
});

after(async () => {
  for (const end of endings.reverse()) await end();
});

/** The records that examples name. All others have higher ids. */
async function makeRecords(): Promise<void> {
  const tables = ["organizations", "servers", "projects", "domains", "monitors", "ssh_keys", "project_groups"];
  const countFrom = (table: string, id: number) =>
    world.insert(sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${id}, false) as id`);
  world = new World(ctx, {} as World["cast"]);
  await countFrom("organizations", 1_000);
  const cast = await createCast(database.pool);
  world = new World(ctx, cast);
  const numbered = async (table: string, id: number, make: () => Promise<unknown>) => {
    await countFrom(table, id);
    await make();
  };
  // An example invites this address.
  await changed(database.pool, sql`update users set email = 'robert@example.com' where email = 'bob@example.com'`);
  await numbered("organizations", 2, () => world.organization());
  await numbered("servers", 1, () => world.databaseServer());
  await numbered("servers", 2, () => world.server());
  await numbered("servers", 3, () => world.balancer());
  await countFrom("domains", 12);
  await numbered("projects", 7, () => world.project({ serverId: 1 }));
  await numbered("projects", 8, () => world.project({ serverId: 1 }));
  await numbered("monitors", 4, () => world.monitor());
  await numbered("ssh_keys", 3, () => world.sshKey());
  await numbered("project_groups", 3, () => world.group());
  for (const table of tables) await countFrom(table, 2_000);
}

const databaseOn = (world: World, serverId: number): Promise<number> =>
  world.insert(sql`
    insert into databases (server_id, database_type, database_name, username, password, status)
    values (${serverId}, 'mariadb', 'orders', 'orders', ${world.ctx.secrets.encrypt("a password")}, 1) returning id`);

/** What is unique was used by the example before. */
async function makeRoom(): Promise<void> {
  const unique = [
    ["domains", "domain_name", "id || '.example.net'"],
    ["databases", "database_name", "'database_' || id"],
    ["databases", "username", "'user_' || id"],
    ["status_pages", "slug", "'page-' || id"],
    ["status_pages", "domain", "null"],
    ["projects", "name", "'Project ' || id"],
  ] as const;
  for (const [table, column, value] of unique) {
    await changed(database.pool, sql`update ${raw(table)} set ${raw(column)} = ${raw(value)}`);
  }
}

async function send(route: Route): Promise<{ status: number; text: string }> {
  const name = nameOf(route);
  const params = await (paths[name] ?? fixtures[name]?.params)?.(world);
  await makeRoom();
  const path = route.path.replace(/:(\w+)/g, (_, part: string) => encodeURIComponent(params?.[part] ?? `no ${part}`));
  const caller = route.permission === "public" ? {} : { token: world.cast.alice };
  return call(app, `${route.method} ${path}`, { ...caller, body: route.examples?.body });
}

const nameOf = ({ method, path }: Route): string => `${method} ${path}`;

const withExample = routesOf().filter(({ examples }) => examples?.body !== undefined);

describe("the example of", () => {
  for (const route of withExample) {
    const name = nameOf(route);
    const expected = refused[name] ? [refused[name].status] : [route.status ?? 200, ...(route.otherStatuses ?? [])];
    it(name, async () => {
      const { status, text } = await send(route);
      assert.ok(expected.includes(status), `${status} ${text}`);
      if (refused[name] === undefined) assert.equal(JSON.parse(text).warnings, undefined, text);
    });
  }

  it("every exception is an operation with an example", () => {
    const names = withExample.map(nameOf);
    const unknown = [...Object.keys(refused), ...Object.keys(paths)].filter((name) => !names.includes(name));
    assert.deepEqual(unknown, []);
  });
});
