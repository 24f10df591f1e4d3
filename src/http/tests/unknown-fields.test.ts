import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { ProjectUpdate } from "../../features/projects/schema.ts";
import { ServerRequest } from "../../features/servers/requests.ts";
import { type Route, route, withStatus } from "../route.ts";
import { Nullable, OneOf } from "../schemas.ts";
import { parserOf } from "../validation.ts";
import { appOn, type Cast, call, contextOn, createCast } from "./support.ts";

let database: TestDatabase;
let cast: Cast;
let app: FastifyInstance;

before(async () => {
  database = await testDatabase();
  cast = await createCast(database.pool);
  app = appOn(contextOn(database.pool), routes);
});

after(async () => {
  await app?.close();
  await database?.drop();
});

const Ship = Type.Object({
  name: Type.Optional(Type.String()),
  hull: Type.Optional(Nullable(Type.Object({ color: Type.Optional(Type.String()) }))),
  crew: Type.Optional(Type.Array(Type.Object({ email: Type.String() }))),
  labels: Type.Optional(Type.Record(Type.String(), Type.String())),
  free: Type.Optional(Type.Unsafe<object>({ type: "object", additionalProperties: true })),
});
const Reply = Type.Object({ received: Type.Unknown(), warnings: Type.Optional(Type.Array(Type.String())) });
const path = "/api/v1/ships";
const usual = { path, permission: "any", reply: Type.Object({ received: Type.Unknown() }) } as const;

const routes: Route[] = [
  route({ ...usual, method: "POST", summary: "Build", body: Ship, handle: (_, { body }) => ({ received: body }) }),
  route({ ...usual, method: "PUT", summary: "Change", body: Ship, handle: (_, { body }) => ({ received: body }) }),
  route({ ...usual, method: "DELETE", summary: "Sink", handle: () => withStatus(200, { received: null }) }),
  route({
    ...usual,
    method: "PATCH",
    summary: "Change, with a warning of its own",
    body: Type.Object({ name: Type.String() }),
    reply: Reply,
    handle: () => ({ received: null, warnings: ["It leaks."] }),
  }),
  route({
    ...usual,
    method: "GET",
    summary: "List",
    query: Type.Object({ kind: Type.Optional(OneOf(["sail", "steam"])), port: Type.Optional(Type.Integer()) }),
    handle: () => ({ received: "all" }),
  }),
  route({
    ...usual,
    method: "GET",
    path: `${path}/lenient`,
    summary: "For callers with parameters of their own",
    ignoresQuery: true,
    handle: () => ({ received: "all" }),
  }),
  route({ ...usual, method: "GET", path: `${path}/bare`, summary: "Read", handle: () => ({ received: "all" }) }),
];

const send = (line: string, body?: unknown) => call(app, line, { token: cast.alice, body });

describe("a field that is not known", () => {
  test("is ignored, and named in warnings, at every depth", async () => {
    const answer = await send(`POST ${path}`, {
      nmae: "Ann",
      hull: { colour: "red" },
      crew: [{ email: "a@example.com", rank: 1 }],
      labels: { any: "thing" },
      free: { deep: { any: 1 } },
    });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body, {
      received: { hull: {}, crew: [{ email: "a@example.com" }], labels: { any: "thing" }, free: { deep: { any: 1 } } },
      warnings: [
        "nmae is not a field here: it was ignored. Did you mean name?",
        "hull.colour is not a field here: it was ignored. Did you mean hull.color?",
        "crew.0.rank is not a field here: it was ignored.",
      ],
    });
  });

  test("adds nothing to an answer when there is none", async () => {
    const { body } = await send(`POST ${path}`, { name: "Ann" });
    assert.deepEqual(body, { received: { name: "Ann" } });
  });

  test("is named beside the errors of the others", async () => {
    const { status, body } = await send(`POST ${path}`, { name: 1, hulk: {} });
    assert.equal(status, 422);
    assert.deepEqual(body.errors, { name: "The name must be a string." });
    assert.deepEqual(body.warnings, ["hulk is not a field here: it was ignored. Did you mean hull?"]);
  });

  test("is named by routes without fields, in answers of every status", async () => {
    const { body } = await send(`DELETE ${path}`, { force: true });
    assert.deepEqual(body.warnings, ["force is not a field here: it was ignored."]);
    assert.equal((await send(`DELETE ${path}`, [1])).status, 200);
    assert.equal((await send(`DELETE ${path}`, "null")).status, 200);
  });

  test("joins the warnings of the answer itself", async () => {
    const { body } = await send(`PATCH ${path}`, { name: "Ann", nick: "A" });
    assert.deepEqual(body.warnings, ["It leaks.", "nick is not a field here: it was ignored."]);
  });

  test("alone makes no change: 422", async () => {
    for (const given of [{ nmae: "Ann" }, { hull: { colour: "red" } }, { toString: 1 }]) {
      const { status, body } = await send(`PUT ${path}`, given);
      assert.equal(status, 422);
      assert.match(body.message, /is not a field here/);
      assert.equal(Object.keys(body.errors).length, 1);
    }
    assert.equal((await send(`PUT ${path}`, {})).status, 200);
    assert.equal((await send(`PUT ${path}`, { name: "Ann", nmae: "Ann" })).status, 200);
  });

  test("is not named for ever: neither thousands nor long names", async () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`x${at}${"y".repeat(20)}`, at]));
    const { body, text } = await send(`POST ${path}`, { ...many, ["n".repeat(100_000)]: 1 });
    assert.equal(body.warnings.length, 20);
    assert.equal(body.warnings[19], "19982 further fields are not known here: they were ignored.");
    assert.ok(text.length < 10_000);
    const long = await send(`POST ${path}`, { ["n".repeat(100_000)]: 1 });
    assert.ok(long.text.length < 300, long.text);
  });

  test("is in a repeated answer too", async () => {
    const headers = { "idempotency-key": "once" };
    for (let time = 0; time < 2; time++) {
      const answer = await call(app, `POST ${path}`, { token: cast.alice, headers, body: { nmae: "Ann" } });
      assert.equal(answer.body.warnings.length, 1);
    }
  });
});

describe("the nearest field", () => {
  const hints: [string, unknown, string | undefined][] = [
    ["a name of the record", { repository_branch: "x" }, "git_repository.branch"],
    ["another name of the record", { repository_type: "x" }, "git_repository.type"],
    ["a word of an object", { repository: "x" }, "git_repository"],
    ["a shorter name", { git_branch: "x" }, "git_repository.branch"],
    ["a name without its object", { build: "x" }, "custom_commands.build"],
    ["an inner name", { git_repository: { repository: "x" } }, "git_repository.repo"],
    ["camel case", { customCommands: {} }, "custom_commands"],
    ["a longer name", { project_name: "x" }, "name"],
    ["swapped letters", { noets: "x" }, "notes"],
    ["a missing letter", { shared_director: [] }, "shared_directories"],
    ["singular", { shared_file: [] }, "shared_files"],
    ["nothing alike", { nonsense: 1 }, undefined],
    ["another word with the same beginning", { environment_variables: "A=b" }, undefined],
  ];
  for (const [what, body, near] of hints) {
    test(`for ${what} is ${near ?? "not named"}`, () => {
      const [sentence = ""] = Object.values(parserOf(ProjectUpdate).parse(body).unknown?.sentences ?? {});
      assert.equal(/Did you mean (.*)\?$/.exec(sentence)?.[1], near, sentence);
    });
  }

  test("of a request with several forms is one of the form that it has", () => {
    const sentences = (body: object) => Object.values(parserOf(ServerRequest).parse(body).unknown?.sentences ?? {});
    assert.deepEqual(sentences({ provider_type: "cloud_a", server_os: "x", cloud_b_region: "x" }), [
      "cloud_b_region is not a field here: it was ignored.",
    ]);
    assert.deepEqual(sentences({ server_os: "x", publicIp: "x" }), [
      "publicIp is not a field here: it was ignored. Did you mean public_ip?",
    ]);
    assert.deepEqual(sentences({ provider_type: "nonsense", cloud_b_region: "x" }), []);
  });
});

describe("a query parameter that is not known", () => {
  test("gets 422, with the known ones", async () => {
    const { status, body } = await send(`GET ${path}?knd=sail&page=1`);
    assert.equal(status, 422);
    assert.deepEqual(body.errors, {
      knd: "knd is not a query parameter here. Known are kind, port, organization.",
      page: "page is not a query parameter here. Known are kind, port, organization.",
    });
  });

  test("gets 422 also where there are no others, with other methods, and beside errors of others", async () => {
    assert.deepEqual((await send(`GET ${path}/bare?a=`)).body.errors, {
      a: "a is not a query parameter here. Known are organization.",
    });
    for (const method of ["POST", "PUT", "DELETE"]) assert.equal((await send(`${method} ${path}?a=1`, {})).status, 422);
    const { body } = await send(`GET ${path}?kind=rowing&kind[]=sail&__proto__=1`);
    assert.deepEqual(Object.keys(body.errors).sort(), ["__proto__", "kind", "kind[]"]);
  });

  test("is ignored where callers add their own", async () => {
    assert.equal((await send(`GET ${path}/lenient?a=1`)).status, 200);
  });

  test("is not named for ever", async () => {
    const query = Array.from({ length: 2_000 }, (_, at) => `x${at}=1`).join("&");
    const { body, text } = await send(`GET ${path}?${query}`);
    assert.equal(Object.keys(body.errors).length, 20);
    assert.ok(text.length < 3_000);
  });
});
