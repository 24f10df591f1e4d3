import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import fc from "fast-check";
import type { FastifyInstance, InjectOptions } from "fastify";
import { pino } from "pino";
import type { Context } from "../src/context.ts";
import { rows, sql } from "../src/db/sql.ts";
import { transaction } from "../src/db/transaction.ts";
import { Listener } from "../src/engine/listener.ts";
import { jobsChannel, Queue } from "../src/engine/queue/queue.ts";
import { endRun } from "../src/engine/runs/queries.ts";
import { adminMember, adminUser } from "../src/features/accounts/admin.ts";
import { authenticator } from "../src/features/accounts/authenticator.ts";
import { features, jobsOf, routesOf } from "../src/features.ts";
import { Hosts } from "../src/host/ssh/hosts.ts";
import { buildApp } from "../src/http/app.ts";
import { routeTable } from "../src/http/table.ts";
import { type Cast, contextOn, createCast, tokenOf } from "../src/http/tests/support.ts";
import { type TestDatabase, testDatabase } from "./database.ts";
import { answerChecker, operationsOf } from "./document.ts";
import { startGitHosts } from "./git-hosts/all.ts";
import { type RandomRequest, randomRequest, traceOfCommands } from "./hostile.ts";
import { type Fixture, fixtures, type Params } from "./route-fixtures.ts";
import { World } from "./route-world.ts";

// Random requests to every operation of the document: the answer is one that the document describes, it is never a
// fault of the service, and it contains nothing of another organization.

/** LONGSHORE_PROPERTY_REQUESTS=20000 is the whole proof; the suite's own number takes a fraction of a minute. */
const requestsWanted = Number(process.env.LONGSHORE_PROPERTY_REQUESTS ?? 3_000);
/** The suite sends the same requests each time, so that it fails because of a change and not by chance; `random` sends others. */
const seedWanted = process.env.LONGSHORE_PROPERTY_SEED ?? "749430547";
/** Sent at once, so that they run concurrently. */
const batch = 8;
/** Requests delete, revoke and restrict: from time to time people and records are replaced. */
const batchesBeforeRenewal = 12;

/** Part of every text of the other organization. */
const canary = "canary-93f1c7";

const document = routeTable(routesOf()).document();
const operations = operationsOf(document);
const faultOf = answerChecker(document);

let database: TestDatabase;
let ctx: Context;
let app: FastifyInstance;
let world: World;
let tokens: string[] = [];
let ids: number[] = [];
let organizationId = 0;
const endings: (() => Promise<unknown>)[] = [];

before(async () => {
  database = await testDatabase();
  const gitHosts = await startGitHosts();
  gitHosts.git_host_a.addRepository("acme/shop");
  endings.push(gitHosts.close);
  const base = contextOn(database.pool, { answerWithinSeconds: "1", ...gitHosts.settings });
  const queue = new Queue(database.pool, base.log);
  const listener = new Listener(database.url, base.log);
  const hosts = new Hosts({ lookUp: unreachable, pin: unreachable, connectTimeoutMs: 1_000 });
  ctx = { ...base, log: pino({ level: "error" }, { write: remember }), queue, listener, hosts };
  await queue.start(jobsOf(ctx));
  await listener.start();
  await obeyAtOnce();
  app = buildApp(ctx, routesOf(), authenticator(ctx));
  await app.ready();
  endings.push(
    () => app.close(),
    () => hosts.close(),
    () => listener.stop(),
    () => queue.stop(),
    () => database.drop(),
  );
  const cast = await createCast(database.pool);
  organizationId = cast.organizationId;
  world = new World(ctx, cast);
  await makeOthers(cast);
  await renew();
});

after(async () => {
  for (const end of endings) await end();
});

/** Internal errors by request id, for the report. */
const logged = new Map<string, string>();

function remember(line: string): void {
  const { requestId, err } = JSON.parse(line) as { requestId?: string; err?: { message: string; stack: string } };
  if (requestId && err) logged.set(requestId, err.stack.split("\n").slice(0, 3).join(" "));
}

const unreachable = (): Promise<never> => Promise.reject(new Error("There are no servers in this test."));

/** Replaces servers and completes every run at once: some requests wait for them. */
async function obeyAtOnce(): Promise<void> {
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
    if (!isOver) working = working.then(endAll).catch(() => {});
  });
  endings.push(() => {
    isOver = true;
    return working;
  });
}

// People and records ---------------------------------------------------------------------------------------------------------

/** Creates records of all kinds in the other organization, with the canary in each of their texts. */
async function makeOthers({ charlieOrganizationId: theirs, userIds: { charlie } }: Cast): Promise<void> {
  const server = await world.server(canary);
  const project = await world.project({ serverId: server });
  await world.deployment({ status: 2, projectId: project });
  const domain = `${canary}.example.com`;
  const statements = [
    sql`update servers set organization_id = ${theirs}, name = ${canary}, notes = ${canary} where id = ${server}`,
    sql`update projects set organization_id = ${theirs}, name = ${canary}, notes = ${canary}, repository = ${canary},
      repository_branch = ${canary} where id = ${project}`,
    sql`update deployments set organization_id = ${theirs}, description = ${canary}, git_branch = ${canary}
      where project_id = ${project}`,
    sql`update domains set domain_name = ${domain} where project_id = ${project}`,
    sql`insert into project_groups (organization_id, name, description) values (${theirs}, ${canary}, ${canary})`,
    sql`update organizations set name = ${canary} where id = ${theirs}`,
    sql`update users set name = ${canary}, email = ${`${canary}@example.com`} where id = ${charlie}`,
    sql`update tokens set name = ${canary} where user_id = ${charlie}`,
  ];
  for (const statement of statements) await rows(ctx.pool, statement);
}

/** Restores the role and token of every member, and adds records to work on. */
async function renew(): Promise<void> {
  const { pool } = database;
  const organization = String(organizationId);
  const people = [
    ["Alice", "Owner"],
    ["Adam", "Admin"],
    ["Bob", "Member"],
    ["Victor", "Viewer"],
    ["Rita", "Member"],
  ] as const;
  const server = await world.server();
  const project = await world.project({ serverId: server });
  const node = await world.project({ serverId: server, frameworkId: 8 });
  const deployment = await world.deployment({ status: 2, projectId: project });
  const made: string[] = [];
  for (const [name, role] of people) {
    const email = `${name.toLowerCase()}@example.com`;
    await adminUser({ pool }, { email, name, organization, role });
    await adminMember({ pool }, { email, organization, role, ...(name === "Rita" ? { servers: [server] } : {}) });
    made.push(await tokenOf(pool, name));
  }
  tokens = made;
  const all = await rows<{ id: number }>(
    pool,
    sql`
    select id from servers union select id from projects union select id from deployments union
    select id from project_groups union select id from organizations union select id from users union
    select id from domains union select id from tokens order by id`,
  );
  ids = [server, project, node, deployment, ...all.map(({ id }) => id)];
}

// Sending --------------------------------------------------------------------------------------------------------------------

/** Puts ids of records into the placeholders of the request. */
function withIds(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Object.keys(value).length === 1 && "pick" in value) return ids[Number(value.pick) % ids.length];
  if (Array.isArray(value)) return value.map(withIds);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withIds(inner)]));
}

const withIdsInText = (text: string): string =>
  text.replace(/\{"pick":(\d+)\}/g, (_, pick: string) => String(ids[Number(pick) % ids.length]));

interface Sent {
  line: string;
  body: string | undefined;
  status: number;
  contentType: string;
  text: string;
}

interface Parts {
  params: Record<string, unknown>;
  body: string | undefined;
}

async function send(request: RandomRequest, { params, body }: Parts): Promise<Sent> {
  const { operation, headers } = request;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const url = request.query === "" ? path : `${path}?${withIdsInText(decodeIds(request.query))}`;
  const options: InjectOptions = {
    method: operation.method as NonNullable<InjectOptions["method"]>,
    url,
    headers: {
      authorization: `Bearer ${tokens[request.caller]}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: body }),
  };
  return { line: `${options.method} ${url}`, body, ...(await answerTo(request, options)) };
}

const decodeIds = (query: string): string =>
  query.replace(/%7B%22pick%22%3A(\d+)%7D/g, (_, pick: string) => `{"pick":${pick}}`);

/** Waits only for the beginning of an endless answer. */
async function answerTo({ operation }: RandomRequest, options: InjectOptions) {
  const success = operation.responses.get(200);
  const goesOn = success !== undefined && success.content["text/event-stream"] !== undefined;
  const answer = await app.inject({ ...options, payloadAsStream: goesOn });
  const contentType = String(answer.headers["content-type"] ?? "");
  const status = answer.statusCode;
  if (!goesOn) return { status, contentType, text: answer.body };
  const stream = answer.stream();
  if (status !== 200) return { status, contentType, text: Buffer.concat(await stream.toArray()).toString() };
  stream.destroy();
  return { status, contentType, text: "" };
}

async function partsOf(request: RandomRequest): Promise<Parts> {
  const params = withIds(request.params) as Record<string, unknown>;
  const random = { params, body: request.body === undefined ? undefined : withIdsInText(request.body) };
  const fixture = request.fromFixture && fixtures[request.operation.name.replace(/\{(\w+)\}/g, ":$1")];
  // Some fixtures can be created only once.
  return fixture ? partsFrom(fixture, random).catch(() => random) : random;
}

async function partsFrom(fixture: Fixture, random: Parts): Promise<Parts> {
  const params = { ...random.params, ...(await fixture.params?.(world)) } as Params;
  const body = await fixture.body?.(world, params);
  return { params, body: body === undefined ? random.body : JSON.stringify(body) };
}

/** What is wrong with an answer; undefined when it is right. */
function wrongOf({ operation }: RandomRequest, { status, contentType, text }: Sent): string | undefined {
  // This test has no servers. An error that a server does not answer is fine, if it is documented.
  if (status >= 500 && status !== 503) return `It is answered with ${status}.`;
  if (text.includes(canary)) return "It shows what belongs to another organization.";
  if (/\bat .+\.ts:\d|node_modules|syntax error at|relation "/.test(text)) return "It shows the inside of the service.";
  return faultOf(operation, { status, contentType, body: text });
}

const described = ({ caller, headers }: RandomRequest, { line, body, status, text }: Sent): string =>
  [
    line,
    `as caller ${caller} with ${JSON.stringify(headers)} and ${body?.slice(0, 400) ?? "no body"}`,
    `answered ${status} ${text.slice(0, 400)}`,
    logged.get(/request id ([\w-]+)/.exec(text)?.[1] ?? "") ?? "",
  ].join("\n    ");

describe("any request to any operation", () => {
  it(`is answered as documented: ${requestsWanted} of them`, { timeout: 900_000 }, async () => {
    const statuses = new Map<number, number>();
    /** One request for each operation and fault. */
    const faults = new Map<string, string>();
    let batches = 0;
    const requests = fc.array(randomRequest(operations, tokens.length), { minLength: batch, maxLength: batch });
    const property = fc.asyncProperty(requests, async (all) => {
      if (++batches % batchesBeforeRenewal === 0) await renew();
      const parts: Parts[] = [];
      for (const request of all) parts.push(await partsOf(request));
      const answers = await Promise.all(all.map((request, at) => send(request, parts[at] as Parts)));
      for (const [at, answer] of answers.entries()) {
        const request = all[at] as RandomRequest;
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        const wrong = wrongOf(request, answer);
        if (wrong) faults.set(`${request.operation.name}: ${wrong}`, described(request, answer));
      }
    });
    // Does not stop at the first failure to look for a smaller one: the sent requests have changed the records since.
    const { seed, errorInstance } = await fc.check(property, {
      numRuns: Math.ceil(requestsWanted / batch),
      ...(seedWanted === "random" ? {} : { seed: Number(seedWanted) }),
      endOnFailure: true,
    });
    if (errorInstance) throw errorInstance;
    const list = [...faults].map(([fault, request]) => `${fault}\n    ${request}`).join("\n  ");
    assert.equal(faults.size, 0, `LONGSHORE_PROPERTY_SEED=${seed} sends the same requests again.\n  ${list}`);
    const successes = [...statuses].reduce((sum, [status, count]) => (status < 300 ? sum + count : sum), 0);
    assert.ok(successes > requestsWanted / 10, `The proof is worth little: only ${successes} requests succeeded.`);
  });

  it("left no trace of a command on this machine", () => assert.ok(!existsSync(traceOfCommands)));
});
