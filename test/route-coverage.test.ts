import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { FastifyInstance } from "fastify";
import { findRefusal } from "../contract/capabilities.ts";
import { filledIn } from "../contract/capability-rules.ts";
import type { Context } from "../src/context.ts";
import { rows, sql } from "../src/db/sql.ts";
import { transaction } from "../src/db/transaction.ts";
import { placeEvents } from "../src/engine/events.ts";
import { Listener } from "../src/engine/listener.ts";
import { jobsChannel, Queue } from "../src/engine/queue/queue.ts";
import { endRun } from "../src/engine/runs/queries.ts";
import { adminMember, adminToken, adminUser } from "../src/features/accounts/admin.ts";
import { authenticator } from "../src/features/accounts/authenticator.ts";
import { rolePermissions } from "../src/features/accounts/schema.ts";
import { browserOf } from "../src/features/accounts/tests/support.ts";
import { eventKinds } from "../src/features/events/schema.ts";
import { capabilityTables, features, jobsOf, routesOf } from "../src/features.ts";
import { Hosts } from "../src/host/ssh/hosts.ts";
import { type Permission, permissions } from "../src/http/actor.ts";
import { buildApp } from "../src/http/app.ts";
import { operationId, paramsAs, type Route, type RoutePermission } from "../src/http/route.ts";
import { contextOn, createCast } from "../src/http/tests/support.ts";
import { type ErrorCode, errorStatus } from "../src/lib/errors.ts";
import { type PublishedRefusal, publishedCapabilities } from "../tools/capabilities.ts";
import { another, type Fields, idOf, makers } from "./capability-records.ts";
import { startClouds } from "./clouds/all.ts";
import { type TestDatabase, testDatabase } from "./database.ts";
import { startGitHosts } from "./git-hosts/all.ts";
import { type Fixture, fixtures, type Params } from "./route-fixtures.ts";
import { commit, marker, World } from "./route-world.ts";

// Walks the route table and proves for each route who may use it. A route without an entry in route-fixtures.ts fails.

interface Reply {
  status: number;
  text: string;
  isReplayed: boolean;
}

interface Ask {
  token?: string | undefined;
  /** The cookie of a session, sent by a page of the console. */
  session?: string | undefined;
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

/**
 * Alice owns Acme, Victor views it, Rita administers nothing but one of its empty servers, Rosa administers each of its servers by
 * name, Charlie is a stranger.
 */
const tokens = { alice: "", victor: "", rita: "", rosa: "", charlie: "" };
const narrowTokens = new Map<string, string>();

before(async () => {
  database = await testDatabase();
  const gitHosts = await startGitHosts();
  gitHosts.git_host_a.addRepository("acme/shop");
  endings.push(gitHosts.close);
  // No worker takes queued jobs: a request that waits for a job must not wait long.
  const clouds = await startClouds();
  endings.push(clouds.close);
  const base = contextOn(database.pool, {
    answerWithinSeconds: "1",
    mcpOauth: "on",
    ...gitHosts.settings,
    ...clouds.settings,
  });
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

const rosasEmail = "rosa@example.com";

const unreachable = (): Promise<never> => Promise.reject(new Error("There are no servers in this test."));

async function createPeople(): Promise<void> {
  const cast = await createCast(database.pool);
  world = new World(ctx, cast);
  const { pool } = database;
  const organization = String(cast.organizationId);
  const restricted = async (email: string, name: string) => {
    await adminUser({ pool }, { email, name, organization, role: "Admin" });
    await adminMember({ pool }, { email, organization, role: "Admin", servers: [await world.server("elsewhere")] });
    return (await adminToken({ pool }, { email, name: `${name}'s token`, permissions: "*" })).token;
  };
  tokens.rita = await restricted("rita@example.com", "Rita");
  tokens.rosa = await restricted(rosasEmail, "Rosa");
  Object.assign(tokens, { alice: cast.alice, victor: cast.victor, charlie: cast.charlie });
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

/** What Alice proves herself with. Some routes end her sessions. */
async function aliceFor({ permission }: Route): Promise<Pick<Ask, "token" | "session">> {
  if (permission === "session") return { session: (await browserOf(ctx, world.cast.userIds.alice)).cookie };
  return { token: permission === "public" ? undefined : tokens.alice };
}

async function ask(route: Route, { token, session, params = {}, query, body, key }: Ask): Promise<Reply> {
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? `no ${name}`));
  const gone = new AbortController();
  const response = await fetch(`${origin}${path}${query ?? fixtures[nameOf(route)]?.query ?? ""}`, {
    method: route.method,
    signal: gone.signal,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(session === undefined ? {} : { cookie: session, "sec-fetch-site": "same-origin" }),
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
  const expected = fixture.asksServer ? [unavailable] : fixture.answers ? [fixture.answers] : successesOf(route);
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

async function refusesTokens(trial: Trial): Promise<void> {
  const { route, params } = trial;
  for (const token of Object.values(tokens)) {
    assertRefused(await ask(route, { token, params, body: await bodyOf(trial) }), 403);
  }
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
  permission !== "any" && permission !== "account" && permission !== "session" && permission !== "public";

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
  const by = await aliceFor(route);
  for (const bad of ["0", "-1", "1.5", "x", "9007199254740992"]) {
    for (const name of integerParams(route)) {
      const reply = await ask(route, { ...by, params: { ...params, [name]: bad }, body: await bodyOf(trial) });
      assertRefused(reply, 404);
    }
  }
  const query = wrongQuery(route);
  if (query) assertRefused(await ask(route, { ...by, params, query, body: await bodyOf(trial) }), 422);
  const unknown = await ask(route, { ...by, params, query: "?no_such_filter=1", body: await bodyOf(trial) });
  assertRefused(unknown, 422);
  assert.match(JSON.parse(unknown.text).errors?.no_such_filter ?? "", /is not a query parameter here/);
  if (Object.keys(propertiesOf(route.body)).length === 0) return;
  const reply = await ask(route, { ...by, params, body: nonsense(route) });
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
  const body = await bodyOf(trial);
  const asked: Ask = {
    ...(await aliceFor(route)),
    params,
    body: route.body ? { ...body, no_such_field: 1 } : body,
    key: isKeyed(route) ? nameOf(route).replace(" ", ":") : undefined,
  };
  const newest = await newestEvent();
  const reply = await ask(route, asked);
  assertSuccess(trial, reply);
  if (!trial.fixture.asksServer && !trial.fixture.answers) await assertAnnounced(route, newest);
  if (route.body && !trial.fixture.asksServer && !trial.fixture.answers) {
    const warnings = ["no_such_field is not a field here: it was ignored."];
    assert.deepEqual(JSON.parse(reply.text).warnings, warnings, "Only the field that it does not have is ignored.");
  }
  if (trial.fixture.answers) return;
  if (route.method !== "GET" && route.permission !== "public") await assertRecorded(route);
  if (asked.key !== undefined) await worksOnce(trial, asked);
}

const isKeyed = ({ method, permission, streamBody, streams }: Route): boolean =>
  method === "POST" && permission !== "public" && !streamBody && streams === undefined;

/** They only read, or look up: a repetition does so again. */
const readOnly = [
  "POST /api/v1/projects/detect",
  "POST /api/v1/projects/:id/environment-variables/compare",
  "POST /api/v1/check-ns",
  "POST /api/v1/monitors/import",
];
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
  const entries = await rows<{ subjects: string[] }>(
    database.pool,
    sql`select subjects from audit_log where action = ${nameOf(route)} and user_id = ${world.cast.userIds.alice}`,
  );
  assert.ok(entries.length > 0, "It leaves no entry in the audit log.");
  const unnamed = entries.flatMap(({ subjects }) => subjects).filter((subject) => !/^[a-z-]+:[1-9]\d*$/.test(subject));
  assert.deepEqual(unnamed, [], "Its entries name records without their noun.");
}

/** Routes that change nothing that others see, each with its reason. */
const unannounced: Record<string, string> = {
  "POST /api/v1/projects/detect": "It only reads the repository.",
  "POST /api/v1/notification-channels/:id/test": "The outcome of the delivery is announced, by the worker.",
  "POST /api/v1/monitors/import": "Without `apply` it only reads the file.",
  "DELETE /api/v1/me/sessions":
    "Sessions are of an account, and events of an organization. Streams of the session end.",
  "DELETE /api/v1/me/sessions/:id":
    "Sessions are of an account, and events of an organization. Streams of the session end.",
  "POST /api/auth/sign-in/link": "A session changes no record.",
  "POST /api/auth/reset-password": "A password is shown to no one.",
  "POST /api/v1/device-authorizations": "No one knows yet whose it will be.",
  "POST /api/v1/device-authorizations/:userCode/approve":
    "The token is made, with an event, when the program collects it.",
  "POST /api/v1/device-authorizations/:userCode/deny": "It is of no organization.",
  "POST /api/v1/organizations/:id/switch": "It is where the account's next request runs without X-Organization.",
  "GET /api/v1/projects/:id/publish": "The record stays as it is: what it says is published again.",
  "POST /api/v1/projects/:id/maintenance/toggle":
    "The record follows the report of the server, and the trial has none.",
  "PUT /api/v1/projects/:id/maintenance": "The record follows the report of the server, and the trial has none.",
  "DELETE /api/v1/projects/:id/build-cache": "The record shows less disk space with the next deployment.",
  "POST /api/v1/projects/:id/scheduler-jobs/:jobId/run": "The record of the job stays as it is.",
  "POST /api/v1/projects/:id/background-jobs/:jobId/restart": "The record of the job stays as it is.",
  "POST /api/v1/projects/:id/environment-variables/compare": "Nothing is changed.",
  "POST /api/v1/projects/:id/source/register": "Each registration is announced when it was made, by another process.",
  "POST /api/v1/hooks/:source/:token": "The project of the trial does not deploy what is pushed.",
};

const newestEvent = async (): Promise<number> =>
  (await rows<{ id: number }>(database.pool, sql`select coalesce(max(id), 0) as id from events`))[0]?.id ?? 0;

/** Clients that show the record learn of every change. */
async function assertAnnounced(route: Route, before: number): Promise<void> {
  const isRead = route.method === "GET" && !route.changes;
  if (isRead || unannounced[nameOf(route)]) return;
  await placeEvents(database.pool);
  const events = await rows<{ name: string; data: object }>(
    database.pool,
    // A project that leaves a further server is announced there too: to members who reach only that server.
    sql`select organization_id, server_id, name, data from events where id > ${before}`,
  );
  const names = events.map(({ name }) => name);
  assert.ok(names.length > 0, "It records no event: clients that show the record keep what it was.");
  assert.ok(
    names.every((name) => (eventKinds as readonly string[]).includes(name)),
    `Not in the documentation of events: ${names.join(", ")}`,
  );
  // Need of attention that begins and ends is announced twice, in the same words.
  const updates = events.filter(({ name }) => name.endsWith(".updated") && name !== "attention.updated");
  const changes = updates.map((event) => JSON.stringify(event));
  assert.deepEqual(changes, [...new Set(changes)], "It announces a change several times.");
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

// What the API says can be done, and what it does -----------------------------------------------------------------------

interface Action {
  operation: string;
  is_allowed: boolean;
  reason: string | null;
  status: number | null;
  message: string | null;
}

/** A verb with one of its records. */
interface Attempt {
  noun: string;
  verb: string;
  route: Route;
  params: Params;
}

const actionPath = (noun: string): string => {
  const [table] = capabilityTables().filter((each) => each.noun === noun);
  return `${table?.path ?? table?.record.replace("GET ", "")}/actions`;
};

const actionRouteOf = (noun: string): Route =>
  routesOf().find(({ method, path }) => method === "GET" && path === actionPath(noun)) as Route;

async function askForActions({ noun, route, params }: Attempt, token: string): Promise<Reply> {
  const shown = actionRouteOf(noun);
  const ids = paramsAs(shown.path, { path: route.path, params });
  const known = Object.values(ids).every((id) => id !== undefined);
  return ask(shown, { token, params: (known ? ids : { id: idOf(params) }) as Params });
}

/** Sends the verb after asking whether it is allowed: the request is refused as announced, or carried out. */
async function agrees(attempt: Attempt, token: string): Promise<string> {
  const { verb, route, params } = attempt;
  const body = await fixtures[nameOf(route)]?.body?.(world, params);
  if (token === tokens.rosa) await showAllToRosa();
  const announced = await askForActions(attempt, token);
  const reply = await ask(route, { token, params, body });
  if (announced.status !== 200) {
    assert.equal(reply.status, announced.status, `${announced.text} ${reply.text}`);
    return "hidden";
  }
  const action = JSON.parse(announced.text).data[verb] as Action;
  assert.equal(action.operation, operationId(route));
  if (action.is_allowed) {
    assert.deepEqual([action.reason, action.status, action.message], [null, null, null]);
    assert.ok(reply.status < 400 || isLater(attempt, reply), `It was allowed: ${reply.status} ${reply.text}`);
    return "allowed";
  }
  assert.deepEqual(
    [reply.status, reply.status < 400 ? null : JSON.parse(reply.text).message],
    [action.status, action.message],
    JSON.stringify(action),
  );
  return action.reason as string;
}

/** There are no servers here, and some refusals show only while the work is done. */
function isLater({ noun, verb, route }: Attempt, { status, text }: Reply): boolean {
  if (fixtures[nameOf(route)]?.asksServer && status === unavailable) return true;
  const { message } = JSON.parse(text);
  const late = capabilityTables()
    .filter((table) => table.noun === noun)
    .flatMap(({ verbs }) => Object.values(verbs[verb]?.refusals ?? {}))
    .filter((refusal) => refusal.late);
  return late.some((refusal) => refusal.message.split(/\{[^}]*\}/).every((part) => message.includes(part)));
}

type MakeRecord = () => Promise<Params>;

/** Records for a verb: in each state of its table, and those for the walk over the routes. */
function recordsFor(noun: string, verb: string): MakeRecord[] {
  const route = routeNamed((capabilities[noun] as Noun).verbs[verb]?.operation ?? "");
  const { params, wrongState } = fixtures[nameOf(route)] as Fixture;
  const make = makers[noun];
  const inStates = make
    ? triedFields(capabilities[noun] as Noun, (capabilities[noun] as Noun).verbs[verb] as Verb)
    : [];
  return [
    ...inStates.map((fields) => () => (make as (typeof makers)[string])(world, nameOf(route), fields)),
    async () => (await params?.(world)) ?? { project_id: await world.project() },
    ...(wrongState ? [() => wrongState(world)] : []),
  ];
}

/** Rosa's membership names every server that there is now. */
const showAllToRosa = () =>
  world.insert(sql`
    update memberships set server_ids = array(select id from servers where organization_id = ${world.cast.organizationId})
    where user_id = (select id from users where email = ${rosasEmail}) returning id`);

describe("what can be done to a record", () => {
  for (const [noun, { verbs }] of Object.entries(capabilities)) {
    for (const verb of Object.keys(verbs)) {
      it(`${verb} of ${noun} is answered as announced, to each caller in each state`, async () => {
        const route = routeNamed(verbs[verb]?.operation ?? "");
        const attemptOn = async (make: MakeRecord) => ({ noun, verb, route, params: await make() });
        const records = recordsFor(noun, verb);
        const ofAll = await attemptOn(records[0] as MakeRecord);
        await agrees(ofAll, tokens.charlie);
        await agrees(ofAll, tokens.victor);
        await agrees(ofAll, narrowTokens.get(route.permission) ?? tokens.victor);
        for (const make of records) {
          await agrees(await attemptOn(make), tokens.alice);
          await agrees(await attemptOn(make), tokens.rosa);
        }
      });
    }
  }

  it("has a reason for each refusal", async () => {
    const id = await world.server();
    await world.insert(sql`update servers set delete_protection = true where id = ${id} returning id`);
    const attempt = {
      noun: "server",
      verb: "delete",
      route: routeNamed("DELETE /api/v1/servers/{id}"),
      params: { id },
    };
    assert.equal(await agrees(attempt, tokens.victor), "forbidden");
    assert.equal(await agrees(attempt, tokens.charlie), "hidden");
    assert.equal(await agrees(attempt, tokens.alice), "protected");
    await world.insert(sql`update servers set delete_protection = false where id = ${id} returning id`);
    assert.equal(await agrees(attempt, tokens.alice), "allowed");
  });

  it("is shown without any effect", async () => {
    const records = await Promise.all(
      Object.keys(capabilities).map(async (noun) => {
        const shown = actionRouteOf(noun);
        return { shown, params: (await fixtures[nameOf(shown)]?.params?.(world)) ?? {} };
      }),
    );
    const before = await wholeDatabase();
    for (const { shown, params } of records) {
      const { status, text } = await ask(shown, { token: tokens.alice, params });
      assert.equal(status, 200, text);
      assert.ok(
        Object.values<Action>(JSON.parse(text).data).some(({ is_allowed }) => is_allowed),
        text,
      );
    }
    assert.deepEqual(await wholeDatabase(), before);
  });

  it("has every verb of every noun", async () => {
    for (const [noun, { verbs }] of Object.entries(capabilities)) {
      const shown = actionRouteOf(noun);
      const params = (await fixtures[nameOf(shown)]?.params?.(world)) ?? {};
      const { text } = await ask(shown, { token: tokens.alice, params });
      assert.deepEqual(Object.keys(JSON.parse(text).data), Object.keys(verbs));
    }
  });
});

/** A digest of the rows of each table. What is written apart from requests is left out. */
async function wholeDatabase(): Promise<Record<string, string>> {
  const beside = ["rate_limits", "jobs", "processes"];
  const tables = await rows<{ name: string }>(
    database.pool,
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const digests = tables
    .filter(({ name }) => !beside.includes(name))
    .map(async ({ name }) => {
      // Once a minute, any request that a token may make notes its use.
      const row = "(to_jsonb(t) - 'last_used_at')::text";
      const query = `select md5(coalesce(string_agg(${row}, '' order by ${row}), '')) as digest from "${name}" t`;
      const { rows: found } = await database.pool.query<{ digest: string }>(query);
      return [name, found[0]?.digest ?? ""] as const;
    });
  return Object.fromEntries(await Promise.all(digests));
}

// A change on the condition that the record is as it was seen ---------------------------------------------------------------

/** A change with `expected_updated_at`, and the record that it names. */
interface Conditional {
  route: Route;
  shown: Route;
  params: Params;
  body: object;
}

async function conditionalOn(route: Route): Promise<Conditional> {
  const shown = routesOf().find(({ method, path }) => method === "GET" && path === route.record) as Route;
  const { params: make, body } = fixtures[nameOf(route)] as Fixture;
  const params = (await make?.(world)) ?? {};
  return { route, shown, params, body: (await body?.(world, params)) ?? {} };
}

async function shownRecord({ route, shown, params }: Conditional): Promise<{ updated_at: string }> {
  const { status, text } = await ask(shown, {
    token: tokens.alice,
    params: paramsAs(shown.path, { path: route.path, params }) as Params,
  });
  assert.equal(status, 200, text);
  const { data, status: _, ...rest } = JSON.parse(text);
  return data ?? rest;
}

function changeIf(conditional: Conditional, expected: string, token = tokens.alice): Promise<Reply> {
  const { route, params, body } = conditional;
  return ask(route, { token, params, body: { ...body, expected_updated_at: expected } });
}

/** Whether the change was accepted: some wait for a server, which there is none. */
const isAccepted = ({ status }: Reply): boolean => status < 300 || status === unavailable;

const millisecond = (time: string): string => time.replace(/(\.\d{3})\d{3}Z$/, "$1Z");

describe("every PUT", () => {
  const puts = routesOf().filter(({ method }) => method === "PUT");
  /** docs/api-decisions.md has the reasons. */
  const unconditional = [
    "PUT /api/v1/me",
    "PUT /api/v1/projects/:id/app",
    "PUT /api/v1/projects/:id/domains/:domainId/primary",
    "PUT /api/v1/projects/:id/maintenance",
    "PUT /api/v1/projects/bulk",
    "PUT /api/v1/projects/bulk/auto-deploy",
  ];

  it("takes the time at which its record was seen, apart from those without one", () => {
    const without = puts.filter(({ record }) => record === undefined).map(nameOf);
    assert.deepEqual(without.toSorted(), unconditional);
  });

  for (const route of puts.filter(({ record }) => record !== undefined)) {
    it(`${route.path} changes the record that was seen, and no other`, async () => {
      const conditional = await conditionalOn(route);
      const { updated_at: seen } = await shownRecord(conditional);
      const both = await Promise.all([changeIf(conditional, seen), changeIf(conditional, millisecond(seen))]);
      const texts = both.map(({ status, text }) => `${status} ${text}`).join("\n");
      assert.equal(both.filter(isAccepted).length, 1, texts);
      const [refused] = both.filter((reply) => !isAccepted(reply)) as [Reply];
      assert.equal(refused.status, 409, texts);
      const now = await shownRecord(conditional);
      assert.notEqual(now.updated_at, seen);
      assert.equal(JSON.parse((await changeIf(conditional, seen)).text).current.updated_at, now.updated_at);
      const late = await changeIf(conditional, seen);
      assert.deepEqual(JSON.parse(late.text).current, await shownRecord(conditional));
      const next = await changeIf(conditional, now.updated_at);
      assert.ok(isAccepted(next), `${next.status} ${next.text}`);
      assertRefused(await changeIf(conditional, "yesterday"), 422);
    });
  }

  it("does not show the record to a caller who may not read it", async () => {
    const conditional = await conditionalOn(routeNamed("PUT /api/v1/projects/{id}"));
    const refused = await changeIf(conditional, "2020-01-01T00:00:00.000000Z", narrowTokens.get("project:read"));
    assert.equal(refused.status, 409);
    assertShowsNothing(refused);
  });
});

describe("a rollback as a dry run", () => {
  const rollback = () => routeNamed("POST /api/v1/deployments/{id}/rollback");
  const tried = (params: Params, token = tokens.alice) => ask(rollback(), { token, params, query: "?dry_run=1" });

  it("shows the release, and changes nothing", async () => {
    const projectId = await world.project();
    const id = await world.deployment({ status: 1, commit, projectId });
    await world.insert(sql`update deployments set release_id = id, in_place = false where id = ${id} returning id`);
    const before = await wholeDatabase();
    const { status, text } = await tried({ id });
    assert.equal(status, 200, text);
    const { plan } = JSON.parse(text);
    assert.equal(plan.needs_build, false);
    assert.deepEqual(plan.release, {
      deployment_id: id,
      release_id: id,
      git_branch: "main",
      git_tag: null,
      commit_id: commit,
      is_kept: true,
    });
    assert.deepEqual(await wholeDatabase(), before);
    await world.insert(sql`update projects set zero_downtime = false where id = ${projectId} returning id`);
    const { plan: later } = JSON.parse((await tried({ id })).text);
    assert.deepEqual([later.release.is_kept, later.needs_build], [false, true]);
  });

  it("is refused as the rollback is", async () => {
    for (const status of [0, 2, 3, 4, 5] as const) {
      const params = { id: await world.deployment({ status, commit }) };
      const [dry, real] = [await tried(params), await ask(rollback(), { token: tokens.alice, params })];
      assert.equal(real.status, 422);
      assert.deepEqual([dry.status, dry.text], [real.status, real.text]);
    }
    const params = { id: await world.deployment({ status: 1, commit }) };
    assertRefused(await tried(params, tokens.victor), 403);
    assertRefused(await tried(params, tokens.rita), 404);
  });
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
        if (route.permission === "session") it("refuses every token", () => refusesTokens(trial));
        else {
          it("hides from strangers", () => hidesFrom(trial, tokens.charlie));
          it("hides from a restricted membership that does not reach it", () => hidesFromRestricted(trial));
          it("lets viewers read and nothing else", () => knowsViewers(trial));
          it("refuses a token without the permission", () => knowsNarrowTokens(trial));
        }
        it("refuses bad input", () => refusesBadInput(trial));
      }
      if (route.permission === "public" && !route.ignoresQuery) {
        it("refuses a query parameter that it does not have", async () => {
          assertRefused(
            await ask(route, {
              params: trial.params,
              query: "?no_such_filter=1",
              ...(route.method !== "GET" && { body: {} }),
            }),
            422,
          );
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
