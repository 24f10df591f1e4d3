import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { FastifyInstance } from "fastify";
import { findRefusal } from "../contract/capabilities.ts";
import { filledIn } from "../contract/capability-rules.ts";
import type { Context } from "../src/context.ts";
import { rows, sql } from "../src/db/sql.ts";
import { transaction } from "../src/db/transaction.ts";
import { Listener } from "../src/engine/listener.ts";
import { jobsChannel, Queue } from "../src/engine/queue/queue.ts";
import { endRun } from "../src/engine/runs/queries.ts";
import { adminMember, adminToken, adminUser } from "../src/features/accounts/admin.ts";
import { authenticator } from "../src/features/accounts/authenticator.ts";
import { rolePermissions } from "../src/features/accounts/schema.ts";
import { eventKinds } from "../src/features/events/schema.ts";
import { capabilityTables, features, jobsOf, routesOf } from "../src/features.ts";
import { Hosts } from "../src/host/ssh/hosts.ts";
import { type Permission, permissions } from "../src/http/actor.ts";
import { buildApp } from "../src/http/app.ts";
import type { Route, RoutePermission } from "../src/http/route.ts";
import { contextOn, createCast } from "../src/http/tests/support.ts";
import { type ErrorCode, errorStatus } from "../src/lib/errors.ts";
import { type PublishedRefusal, publishedCapabilities } from "../tools/capabilities.ts";
import { another, type Fields, idOf, makers } from "./capability-records.ts";
import { startClouds } from "./clouds/all.ts";
import { type TestDatabase, testDatabase } from "./database.ts";
import { startGitHosts } from "./git-hosts/all.ts";
import { type Fixture, fixtures, type Params } from "./route-fixtures.ts";
import { marker, World } from "./route-world.ts";

// Walks the route table and proves for each route who may use it. A route without an entry in route-fixtures.ts fails.

interface Reply {
  status: number;
  text: string;
  isReplayed: boolean;
}

interface Ask {
  token?: string | undefined;
  params?: Params;
  query?: string;
  body?: object | undefined;
  /** The Idempotency-Key. */
  key?: string | undefined;
}

let database: TestDatabase;
let ctx: Context;
let app: FastifyInstance;
let origin: string;
let world: World;
const endings: (() => Promise<unknown>)[] = [];

/** Alice owns Acme, Victor views it, Rita administers nothing but one of its empty servers, Charlie is a stranger. */
const tokens = { alice: "", victor: "", rita: "", charlie: "" };
const narrowTokens = new Map<string, string>();

before(async () => {
  database = await testDatabase();
  const gitHosts = await startGitHosts();
  gitHosts.git_host_a.addRepository("acme/shop");
  endings.push(gitHosts.close);
  // No worker takes queued jobs: a request that waits for a job must not wait long.
  const clouds = await startClouds();
  endings.push(clouds.close);
  const base = contextOn(database.pool, { answerWithinSeconds: "1", ...gitHosts.settings, ...clouds.settings });
  const queue = new Queue(database.pool, base.log);
  const listener = new Listener(database.url, base.log);
  const hosts = new Hosts({ lookUp: unreachable, pin: unreachable, connectTimeoutMs: 1_000 });
  ctx = { ...base, queue, listener, hosts };
  await queue.start(jobsOf(ctx));
  await listener.start();
  await obeyAtOnce(ctx);
  app = buildApp(ctx, routesOf(), authenticator(ctx));
  origin = await app.listen({ host: "127.0.0.1", port: 0 });
  endings.push(
    () => app.close(),
    () => hosts.close(),
    () => listener.stop(),
    () => queue.stop(),
    () => database.drop(),
  );
  await createPeople();
});

after(async () => {
  for (const end of endings) await end();
});

const unreachable = (): Promise<never> => Promise.reject(new Error("There are no servers in this test."));

async function createPeople(): Promise<void> {
  const cast = await createCast(database.pool);
  world = new World(ctx, cast);
  const { pool } = database;
  const organization = String(cast.organizationId);
  const email = "rita@example.com";
  await adminUser({ pool }, { email, name: "Rita", organization, role: "Admin" });
  await adminMember({ pool }, { email, organization, role: "Admin", servers: [await world.server("elsewhere")] });
  const rita = await adminToken({ pool }, { email, name: "Rita's token", permissions: "*" });
  Object.assign(tokens, { alice: cast.alice, victor: cast.victor, rita: rita.token, charlie: cast.charlie });
  for (const permission of permissions) {
    const others = permissions.filter((each) => each !== permission).join(",");
    const made = await adminToken({ pool }, { email: "alice@example.com", name: "Narrow", permissions: others });
    narrowTokens.set(permission, made.token);
  }
  const all = permissions.join(",");
  const almost = await adminToken({ pool }, { email: "alice@example.com", name: "No *", permissions: all });
  narrowTokens.set("account", almost.token);
}

/** Replaces servers and completes every run: each run succeeds as soon as it was created. */
async function obeyAtOnce(ctx: Context): Promise<void> {
  const kinds = new Map(features.flatMap((each) => each.runKinds?.(ctx) ?? []).map((kind) => [kind.kind, kind]));
  const endAll = async () => {
    const runs = await rows<{ id: number }>(ctx.pool, sql`select id from runs where ended_at is null order by id`);
    for (const { id } of runs) {
      await transaction(ctx.pool, async (tx) => {
        const run = await endRun(tx, id, { state: "succeeded", error: null });
        if (run) await kinds.get(run.kind)?.onEnded(tx, run, "succeeded");
      });
    }
  };
  let working = Promise.resolve();
  let isOver = false;
  await ctx.listener.listen(jobsChannel, () => {
    // Retries like a worker does: PostgreSQL may have chosen the first attempt to end a deadlock with a request.
    if (!isOver) working = working.then(() => endAll().catch(endAll));
  });
  endings.push(() => {
    isOver = true;
    return working;
  });
}

// Asking -----------------------------------------------------------------------------------------------------------------

async function ask(route: Route, { token, params = {}, query, body, key }: Ask): Promise<Reply> {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? `no ${name}`));
  const gone = new AbortController();
  const response = await fetch(`${origin}${path}${query ?? fixtures[nameOf(route)]?.query ?? ""}`, {
    method: route.method,
    signal: gone.signal,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(key === undefined ? {} : { "idempotency-key": key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // An endless answer has begun: nothing more can be checked.
  const goesOn = route.streams !== undefined && response.ok;
  const text = goesOn ? "" : await response.text();
  gone.abort();
  return { status: response.status, text, isReplayed: response.headers.has("idempotency-replayed") };
}

function assertRefused(reply: Reply, status: number): void {
  assert.equal(reply.status, status, reply.text);
  assert.equal(JSON.parse(reply.text).status, "error", reply.text);
}

function assertShowsNothing(reply: Reply): void {
  assert.ok(!reply.text.includes(marker), `It shows what is out of reach: ${reply.text}`);
}

const successesOf = (route: Route): number[] => [route.status ?? 200, ...(route.otherStatuses ?? [])];

const unavailable = 503;

function assertSuccess({ route, fixture }: Pick<Trial, "route" | "fixture">, reply: Reply): void {
  const expected = fixture.asksServer ? [unavailable] : successesOf(route);
  assert.ok(expected.includes(reply.status), `${reply.status} ${reply.text}`);
}

// The requests that each route has to stand --------------------------------------------------------------------------------

type SchemaProperties = Record<string, { type?: unknown; enum?: unknown[]; documentedAs?: unknown }>;

const propertiesOf = (schema: unknown): SchemaProperties =>
  (schema as { properties?: SchemaProperties } | undefined)?.properties ?? {};

/** Every field has a type that no field accepts. */
const nonsense = (route: Route): object =>
  Object.fromEntries(Object.keys(propertiesOf(route.body)).map((name) => [name, [[[]]]]));

/** The query's fields that are not free text, all invalid. Undefined when there are none. */
function wrongQuery(route: Route): string | undefined {
  const strict = Object.entries(propertiesOf(route.query)).filter(
    ([, { type, enum: choices, documentedAs }]) => !documentedAs && (choices !== undefined || type !== "string"),
  );
  return strict.length === 0 ? undefined : `?${strict.map(([name]) => `${name}=nonsense!`).join("&")}`;
}

interface Trial {
  route: Route;
  fixture: Fixture;
  /**
   * Parameters of the one record that every actor tries; its owner tries last, which proves that the refused requests
   * did not harm it.
   */
  params: Params;
}

const bodyOf = ({ fixture, params }: Trial) => fixture.body?.(world, params);

async function refusesWithoutToken(trial: Trial): Promise<void> {
  const { route, params } = trial;
  assertRefused(await ask(route, { params, body: await bodyOf(trial) }), 401);
}

/** The answer to an actor that cannot see the records of the trial. */
async function hidesFrom(trial: Trial, token: string): Promise<void> {
  const { route, fixture, params } = trial;
  const reply = await ask(route, { token, params, body: await bodyOf(trial) });
  if (fixture.unreachable) assertRefused(reply, fixture.unreachable);
  else if (fixture.params) assertRefused(reply, 404);
  else assertSuccess(trial, reply);
  assertShowsNothing(reply);
}

async function hidesFromRestricted(trial: Trial): Promise<void> {
  const { route, fixture, params } = trial;
  const { permission } = route;
  const mayAdmin = !isOfRole(permission) || rolePermissions.Admin.has(permission);
  if (!mayAdmin) assertRefused(await ask(route, { token: tokens.rita, params, body: await bodyOf(trial) }), 403);
  else if (fixture.of !== "organization") await hidesFrom(trial, tokens.rita);
}

const isOfRole = (permission: RoutePermission): permission is Permission =>
  permission !== "any" && permission !== "account" && permission !== "public";

async function knowsViewers(trial: Trial): Promise<void> {
  const { route, fixture, params } = trial;
  const { permission } = route;
  if (!isOfRole(permission)) return;
  const changesOthers = route.method !== "GET" && !fixture.isPersonal;
  assert.ok(
    !changesOthers || !rolePermissions.Viewer.has(permission),
    `${permission} is not enough to change something.`,
  );
  const reply = await ask(route, { token: tokens.victor, params, body: await bodyOf(trial) });
  if (!rolePermissions.Viewer.has(permission)) assertRefused(reply, 403);
  else if (fixture.of !== "user") assertSuccess(trial, reply);
}

async function knowsNarrowTokens(trial: Trial): Promise<void> {
  const { route, params } = trial;
  const token = narrowTokens.get(route.permission);
  if (token) assertRefused(await ask(route, { token, params, body: await bodyOf(trial) }), 403);
}

async function refusesBadInput(trial: Trial): Promise<void> {
  const { route, params } = trial;
  const token = tokens.alice;
  for (const bad of ["0", "-1", "1.5", "x", "9007199254740992"]) {
    for (const name of integerParams(route)) {
      const reply = await ask(route, { token, params: { ...params, [name]: bad }, body: await bodyOf(trial) });
      assertRefused(reply, 404);
    }
  }
  const query = wrongQuery(route);
  if (query) assertRefused(await ask(route, { token, params, query, body: await bodyOf(trial) }), 422);
  const unknown = await ask(route, { token, params, query: "?no_such_filter=1", body: await bodyOf(trial) });
  assertRefused(unknown, 422);
  assert.match(JSON.parse(unknown.text).errors?.no_such_filter ?? "", /is not a query parameter here/);
  if (Object.keys(propertiesOf(route.body)).length === 0) return;
  const reply = await ask(route, { token, params, body: nonsense(route) });
  assertRefused(reply, 422);
  assert.ok(Object.keys(JSON.parse(reply.text).errors ?? {}).length > 0, `No field is blamed: ${reply.text}`);
}

const integerParams = (route: Route): string[] =>
  Object.entries(propertiesOf(route.params)).flatMap(([name, { type }]) => (type === "integer" ? [name] : []));

/** Refusals by state, for routes that document them. */
async function refusesWrongState({ route, fixture }: Trial): Promise<void> {
  const documented = (["conflict", "refused"] as const).filter((code) => route.errors?.[code] !== undefined);
  if (documented.length === 0) return;
  assert.ok(fixture.wrongState, "It documents refusals by state, and its fixture has no record in such a state.");
  const params = await fixture.wrongState(world);
  const reply = await ask(route, { token: tokens.alice, params, body: await fixture.body?.(world, params) });
  assert.ok(
    documented.map((code) => errorStatus[code] as number).includes(reply.status),
    `${reply.status} ${reply.text}`,
  );
}

async function works(trial: Trial): Promise<void> {
  const { route, params } = trial;
  const token = route.permission === "public" ? undefined : tokens.alice;
  const body = await bodyOf(trial);
  const asked: Ask = {
    token,
    params,
    body: route.body ? { ...body, no_such_field: 1 } : body,
    key: isKeyed(route) ? nameOf(route).replace(" ", ":") : undefined,
  };
  const newest = await newestEvent();
  const reply = await ask(route, asked);
  assertSuccess(trial, reply);
  if (!trial.fixture.asksServer) await assertAnnounced(route, newest);
  if (route.body && !trial.fixture.asksServer) {
    const warnings = ["no_such_field is not a field here: it was ignored."];
    assert.deepEqual(JSON.parse(reply.text).warnings, warnings, "Only the field that it does not have is ignored.");
  }
  if (route.method !== "GET" && token) await assertRecorded(route);
  if (asked.key !== undefined) await worksOnce(trial, asked);
}

const isKeyed = ({ method, permission, streamBody, streams }: Route): boolean =>
  method === "POST" && permission !== "public" && !streamBody && streams === undefined;

/** They only read, or look up: a repetition does so again. */
const readOnly = ["POST /api/v1/projects/detect", "POST /api/v1/check-ns", "POST /api/v1/monitors/import"];
/** Its caller is a stranger afterwards, to whom nothing is answered. */
const leaving = "POST /api/v1/organizations/:id/leave";

/** A process that ends after the change and before its answer is stored leaves this: the repetition changes nothing. */
async function worksOnce({ route }: Trial, asked: Ask): Promise<void> {
  const { rows: keys } = await database.pool.query<{ records: string[] | null }>(sql`
    update idempotency_keys set answer = null, claimed_until = '-infinity' where key = ${asked.key} returning records`);
  if (keys.length === 0 || !keys[0]?.records) return assert.ok(readOnly.includes(nameOf(route)), "It marks no key.");
  if (nameOf(route) === leaving) return;
  const before = await stateOf(route);
  const again = await ask(route, asked);
  assert.deepEqual([again.status, again.isReplayed], [202, true], again.text);
  assert.deepEqual(JSON.parse(again.text).records, keys[0].records);
  assert.deepEqual(await stateOf(route), before);
}

/** What a second change would add to. */
const stateOf = (route: Route) =>
  rows(
    database.pool,
    sql`select (select count(*) from audit_log where action = ${nameOf(route)}), (select max(id) from events), (select max(id) from runs)`,
  );

/** The audit log has every change that Alice makes, in the organization in which she made it. */
async function assertRecorded(route: Route): Promise<void> {
  const entries = await rows(
    database.pool,
    sql`select id from audit_log where action = ${nameOf(route)} and user_id = ${world.cast.userIds.alice}`,
  );
  assert.ok(entries.length > 0, "It leaves no entry in the audit log.");
}

/** Routes that change nothing that others see, each with its reason. */
const unannounced: Record<string, string> = {
  "POST /api/v1/projects/detect": "It only reads the repository.",
  "POST /api/v1/monitors/import": "Without `apply` it only reads the file.",
  "POST /api/v1/organizations/:id/switch": "It is where the account's next request runs without X-Organization.",
};

const newestEvent = async (): Promise<number> =>
  (await rows<{ id: number }>(database.pool, sql`select coalesce(max(id), 0) as id from events`))[0]?.id ?? 0;

/** Clients that show the record learn of every change. */
async function assertAnnounced(route: Route, before: number): Promise<void> {
  const changes = route.method !== "GET" || route.changes === true;
  if (!changes || unannounced[nameOf(route)]) return;
  const names = await rows<{ name: string }>(database.pool, sql`select name from events where id > ${before}`);
  assert.ok(names.length > 0, "It records no event: clients that show the record keep what it was.");
  assert.ok(
    names.every(({ name }) => (eventKinds as readonly string[]).includes(name)),
    `Not in the documentation of events: ${names.map(({ name }) => name).join(", ")}`,
  );
}

interface Shape {
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: Shape[];
}

/** The names of all fields of a schema, at every depth. */
const namesIn = ({ properties = {}, items = {}, anyOf = [] }: Shape): string[] => [
  ...Object.keys(properties),
  ...[...Object.values(properties), ...anyOf].flatMap(namesIn),
  ...(Object.keys(items).length > 0 ? namesIn(items) : []),
];

const isSecretName = (name: string): boolean => /token|secret|password|private_key/.test(name);

const nameOf = (route: Route): string => `${route.method} ${route.path}`;

// What can be done to a record in which state ----------------------------------------------------------------------------

const capabilities = publishedCapabilities(capabilityTables(), routesOf());
type Noun = (typeof capabilities)[string];
type Verb = Noun["verbs"][string];

/** Fields of records for the table: one record in each state, and one for each refusal that depends on other fields. */
function triedFields({ state }: Noun, { allowed_states, refusals }: Verb): Fields[] {
  const inStates = Object.values(state?.values ?? {}).map((value) => ({ [state?.field ?? ""]: value }));
  const [allowed = ""] = allowed_states ?? [];
  const inAllowed = state ? { [state.field]: state.values[allowed] } : {};
  const refused = refusals.map(({ when = {}, unless = {} }) => ({
    ...Object.fromEntries(Object.entries(when).map(([name, [first]]) => [name, first])),
    ...Object.fromEntries(Object.keys(unless).map((name) => [name, another])),
  }));
  const byOthers = refused.filter((fields) => Object.keys(fields).some((name) => name !== state?.field));
  return [...inStates, ...byOthers.map((fields) => ({ ...inAllowed, ...fields }))];
}

/** The API refuses as the table predicts from the shown record, or for a reason that is not in the record. */
async function followsTable(noun: string, name: string, fields: Fields): Promise<string | undefined> {
  const { record: shownBy, verbs } = capabilities[noun] as Noun;
  const { operation, refusals } = verbs[name] as Verb;
  const [route, show] = [routeNamed(operation), routeNamed(shownBy)];
  const params = await (makers[noun] as (typeof makers)[string])(world, nameOf(route), fields);
  const shownParams = { id: idOf(params) as number, ...params };
  const shown = await ask(show, { token: tokens.alice, params: shownParams });
  assert.equal(shown.status, 200, shown.text);
  const { data, ...rest } = JSON.parse(shown.text);
  const listed = Array.isArray(data) ? data.find(({ id }) => id === Object.values(params).at(-1)) : undefined;
  const record = listed ?? data ?? rest;
  const named = refusals.flatMap(({ when, unless }) => Object.keys({ ...when, ...unless }));
  assert.deepEqual(
    named.filter((field) => !(field in record)),
    [],
    "The API does not show these fields.",
  );
  const expected = findRefusal(noun as "server", name as "reboot", record);
  const body = await fixtures[nameOf(route)]?.body?.(world, params);
  const reply = await ask(route, { token: tokens.alice, params, body });
  const { message } = reply.status < 400 ? { message: undefined } : JSON.parse(reply.text);
  if (expected) {
    assert.equal(reply.status, expected.status, reply.text);
    const { message: sentence } = refusals.find(({ reason }) => reason === expected.reason) as PublishedRefusal;
    const parts = sentence.split(/\{\w+\|[^}]*\}/).map((part) => filledIn(part, record));
    assert.ok(
      parts.every((part) => message.includes(part)),
      `${reply.text} is not: ${sentence}`,
    );
  } else assert.ok(!refusals.some((refusal) => filledIn(refusal.message, record) === message), reply.text);
  return expected?.reason;
}

function routeNamed(name: string): Route {
  const found = routesOf().find((each) => nameOf(each).replace(/:(\w+)/g, "{$1}") === name);
  assert.ok(found, `There is no route ${name}.`);
  return found;
}

/** Routes that pass on refusals of another API; they do not depend on the state of a record. */
const refusedByOthers = ["GET /api/v1/server-providers/:id/options"];

describe("every capability", () => {
  it("is documented by its route with each code that it refuses with", () => {
    const missing = Object.values(capabilities).flatMap(({ verbs }) =>
      Object.values(verbs).flatMap(({ operation, refusals, depends_on }) =>
        [...refusals, ...depends_on]
          .filter(
            ({ status }) =>
              !Object.keys(routeNamed(operation).errors ?? {}).some(
                (code) => errorStatus[code as ErrorCode] === status,
              ),
          )
          .map(({ reason }) => `${operation}: ${reason}`),
      ),
    );
    assert.deepEqual(missing, []);
  });

  it("of a route that refuses by state is in a table", () => {
    const inTables = Object.values(capabilities).flatMap(({ verbs }) => Object.values(verbs));
    const known = new Set(inTables.map(({ operation }) => nameOf(routeNamed(operation))));
    const without = routesOf().filter(({ errors }) => errors?.refused !== undefined || errors?.conflict !== undefined);
    assert.deepEqual(
      without.map(nameOf).filter((name) => !known.has(name)),
      refusedByOthers,
    );
  });

  for (const [noun, { verbs }] of Object.entries(capabilities)) {
    for (const [name, verb] of Object.entries(verbs)) {
      const tried = triedFields(capabilities[noun] as Noun, verb);
      if (tried.length === 0) continue;
      it(`${name} of ${noun} is refused as its table declares`, async () => {
        const met = new Set<string | undefined>();
        for (const fields of tried) met.add(await followsTable(noun, name, fields));
        assert.deepEqual(
          verb.refusals.map(({ reason }) => reason).filter((reason) => !met.has(reason)),
          [],
        );
      });
    }
  }
});

describe("every route", () => {
  for (const route of routesOf()) {
    const fixture = fixtures[nameOf(route)];
    describe(nameOf(route), () => {
      if (!fixture) {
        it("has a fixture", () => assert.fail(`Add "${nameOf(route)}" to test/route-fixtures.ts.`));
        return;
      }
      const trial: Trial = { route, fixture, params: {} };
      before(async () => {
        trial.params = (await fixture.params?.(world)) ?? {};
      });
      if (route.permission !== "public") {
        it("refuses who brings no token", () => refusesWithoutToken(trial));
        it("hides from strangers", () => hidesFrom(trial, tokens.charlie));
        it("hides from a restricted membership that does not reach it", () => hidesFromRestricted(trial));
        it("lets viewers read and nothing else", () => knowsViewers(trial));
        it("refuses a token without the permission", () => knowsNarrowTokens(trial));
        it("refuses bad input", () => refusesBadInput(trial));
      }
      if (route.permission === "public" && !route.ignoresQuery) {
        it("refuses a query parameter that it does not have", async () => {
          assertRefused(await ask(route, { params: trial.params, query: "?no_such_filter=1", body: {} }), 422);
        });
      }
      it("refuses in a wrong state", () => refusesWrongState(trial));
      it("works after all that", () => works(trial));
    });
  }

  it("that shows a secret is marked, so that its answer is repeated to the same credential only", () => {
    const shows = routesOf().filter((route) => route.method === "POST" && namesIn(route.reply).some(isSecretName));
    assert.ok(shows.length > 3);
    assert.deepEqual(shows.filter((route) => !route.showsSecret).map(nameOf), []);
  });

  it("has a route for each fixture", () => {
    const names = new Set(routesOf().map(nameOf));
    assert.deepEqual(
      Object.keys(fixtures).filter((name) => !names.has(name)),
      [],
    );
  });
});
