import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { after, before, describe, type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import type { Context } from "../../context.ts";
import { openPool } from "../../db/pool.ts";
import { row, sql } from "../../db/sql.ts";
import { siteRoutes } from "../../features/sites/routes.ts";
import { AppError } from "../../lib/errors.ts";
import { methodNotAllowed } from "../allowed-methods.ts";
import { Page, PageQuery, pageOf, paginated } from "../pagination.ts";
import { type Route, route, StreamAnswer, withStatus } from "../route.ts";
import { Id, IdParams, Name, Nullable, OneOf, Switch } from "../schemas.ts";
import { appFor, appOn, type Cast, call, contextOn, createCast } from "./support.ts";

let database: TestDatabase;
let ctx: Context;
let cast: Cast;
let app: FastifyInstance;

before(async () => {
  database = await testDatabase();
  ctx = contextOn(database.pool);
  cast = await createCast(database.pool);
  app = appOn(ctx, sampleRoutes);
});

after(async () => {
  await app?.close();
  await database?.drop();
});

const Sample = Type.Object({
  name: Name,
  notes: Type.Optional(Nullable(Type.String({ maxLength: 20 }))),
  environment: Type.Optional(OneOf(["production", "staging"])),
  git_repository: Type.Object({ repo: Type.String({ title: "repository", minLength: 1 }), branch: Type.String() }),
  ids: Type.Optional(Type.Array(Id)),
  is_open: Type.Optional(Switch),
  wait_seconds: Type.Optional(Type.Integer({ minimum: 5 })),
  level: Type.Optional(Nullable(OneOf(["low", "high"], { title: "alert level" }))),
  either: Type.Optional(Type.Union([Type.Object({ host: Type.String() }), Type.Null()])),
  extra: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

const sampleRoutes: Route[] = [
  route({
    method: "POST",
    path: "/api/v1/lists",
    summary: "Take lists",
    permission: "any",
    body: Type.Object({
      domains: Type.Array(Type.String()),
      on: Type.Array(Type.String(), { minItems: 1 }),
      redirect_to: Type.String(),
      expected_status: Type.Integer(),
    }),
    reply: Type.Object({}),
    handle: () => ({}),
  }),
  route({
    method: "GET",
    path: "/api/v1/lists/options",
    summary: "Show what a list can hold",
    permission: "any",
    reply: Type.Object({}),
    handle: () => ({}),
  }),
  route({
    method: "PUT",
    path: "/api/v1/lists/:id",
    summary: "Change a list",
    permission: "any",
    params: IdParams,
    reply: Type.Object({}),
    handle: () => ({}),
  }),
  route({
    method: "POST",
    path: "/api/v1/samples/import",
    summary: "Import",
    permission: "any",
    reply: Type.Object({}),
    handle: () => ({}),
  }),
  route({
    method: "POST",
    path: "/api/v1/samples",
    summary: "Echo",
    permission: "project:create",
    body: Sample,
    status: 201,
    otherStatuses: [202],
    reply: Type.Object({ received: Type.Unknown() }),
    handle: (_ctx, { body }) => (body.name === "later" ? withStatus(202, { received: body }) : { received: body }),
  }),
  route({
    method: "GET",
    path: "/api/v1/samples",
    summary: "List",
    permission: "project:read",
    query: Type.Object({ ...PageQuery.properties, group: Type.Optional(Id) }),
    reply: Page(Type.Unknown()),
    handle: (_ctx, { query }) => paginated(pageOf(query, 10), 0, [] as unknown[]),
  }),
  route({
    method: "GET",
    path: "/api/v1/samples/:id",
    summary: "Show",
    permission: "project:read",
    params: IdParams,
    reply: Type.Object({ id: Id }),
    handle: (_ctx, { params }) => ({ id: params.id, secret: "not in the reply" }) as { id: number },
  }),
  route({
    method: "GET",
    path: "/api/v1/broken",
    summary: "Fail",
    permission: "any",
    reply: Type.Object({}),
    handle: () => {
      throw new Error("select * from secrets at /srv/longshore/src/x.ts");
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/stored",
    summary: "Store a number that the schema does not bound",
    permission: "any",
    body: Type.Object({ number: Type.Number() }),
    reply: Type.Object({}),
    handle: async ({ pool }, { body }) => {
      await row(pool, sql`select ${body.number}::bigint`);
      return {};
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/conflict",
    summary: "Refuse",
    permission: "any",
    reply: Type.Object({}),
    handle: () => {
      throw new AppError("conflict", "It is already being cancelled.");
    },
  }),
  route({
    method: "GET",
    path: "/api/v1/stream",
    summary: "Stream",
    permission: "any",
    streams: "text/event-stream",
    reply: Type.String(),
    handle: () => new StreamAnswer("text/event-stream", endless()),
  }),
  route({
    method: "POST",
    path: "/api/v1/hooks/:source",
    summary: "Take a webhook",
    permission: "public",
    params: Type.Object({ source: Type.String() }),
    rawBody: true,
    reply: Type.Object({ bytes: Type.Integer() }),
    handle: (_ctx, { rawBody }) => ({ bytes: rawBody?.length ?? 0 }),
  }),
];

function endless(): Readable {
  const stream = new Readable({ read() {} });
  stream.push(": hello\n\n");
  return stream;
}

const validSample = { name: "one", git_repository: { repo: "https://git.example/a", branch: "main" } };

describe("authentication", () => {
  for (const [what, headers] of Object.entries<Record<string, string>>({
    "no header": {},
    "an empty token": { authorization: "Bearer " },
    "another scheme": { authorization: "Basic YWxpY2U6cGFzcw==" },
    "an unknown token": { authorization: `Bearer lsh_${"x".repeat(40)}` },
    "control characters": { authorization: "Bearer a\u007fb" },
  })) {
    test(`refuses ${what} with 401`, async () => {
      const answer = await call(app, "GET /api/v1/me", { headers });
      assert.equal(answer.status, 401);
      assert.deepEqual(answer.body, { status: "error", message: "Unauthenticated." });
      assert.equal(answer.headers["www-authenticate"], "Bearer");
    });
  }

  test("comes before the body is looked at", async () => {
    assert.equal((await call(app, "POST /api/v1/samples", { body: "{" })).status, 401);
  });

  test("names the missing permission with 403", async () => {
    const answer = await call(app, "POST /api/v1/samples", { token: cast.victor, body: validSample });
    assert.equal(answer.status, 403);
    assert.deepEqual(Object.keys(answer.body), ["status", "message"]);
    assert.match(answer.body.message, /project:create/);
  });
});

describe("errors", () => {
  test("name the field that is wrong, every one at once, under dotted names", async () => {
    const body = { name: "", notes: 5, environment: "moon", git_repository: { branch: 7 }, ids: [1, 0, "x"] };
    const answer = await call(app, "POST /api/v1/samples", { token: cast.alice, body });
    assert.equal(answer.status, 422);
    assert.equal(answer.body.status, "error");
    assert.equal(typeof answer.body.message, "string");
    assert.deepEqual(answer.body.errors, {
      "git_repository.repo": "The repository is required.",
      "git_repository.branch": "The branch must be a string.",
      name: "The name is required.",
      notes: "The notes must be a string or null.",
      environment: "The environment must be production or staging.",
      "ids.1": "Entry 2 of ids does not exist.",
      "ids.2": "Entry 3 of ids must be an integer.",
    });
  });

  test("make sentences of names that are no nouns, of blanks, and of alternatives", async () => {
    const body = { ...validSample, name: " ", is_open: "yes", level: 7, wait_seconds: 1 };
    const answer = await call(app, "POST /api/v1/samples", { token: cast.alice, body });
    assert.deepEqual(answer.body.errors, {
      name: "The name is required.",
      is_open: "The field is_open must be true, false, 0 or 1.",
      wait_seconds: "The wait must be at least 5 seconds.",
      level: "The alert level must be low, high or null.",
    });
  });

  test("name all of many bad fields", async () => {
    const body = { ...validSample, ids: Array.from({ length: 50 }, () => "x") };
    const answer = await call(app, "POST /api/v1/samples", { token: cast.alice, body });
    assert.equal(Object.keys(answer.body.errors).length, 50);
  });

  test("agree with plurals, and name fields that are no nouns as they are", async () => {
    const body = { ...validSample, redirect_to: 5, on: [] };
    const answer = await call(app, "POST /api/v1/lists", { token: cast.alice, body });
    assert.deepEqual(answer.body.errors, {
      domains: "The domains are required.",
      on: "The field on must have at least 1 entry.",
      redirect_to: "The field redirect_to must be a string.",
      expected_status: "The expected status is required.",
    });
  });

  test("of a union speak of the variant that was meant", async () => {
    const errorsOf = async (either: unknown) => {
      const answer = await call(app, "POST /api/v1/samples", { token: cast.alice, body: { ...validSample, either } });
      return answer.body.errors;
    };
    assert.deepEqual(await errorsOf({}), { "either.host": "The host is required." });
    assert.deepEqual(await errorsOf({ host: 5 }), { "either.host": "The host must be a string." });
    assert.deepEqual(await errorsOf("x"), { either: "The either must be an object or null." });
    assert.equal(await errorsOf(null), undefined);
  });

  for (const [what, body] of Object.entries({ "no body": undefined, "an empty object": {}, null: "null" })) {
    test(`name every required field for ${what}`, async () => {
      const answer = await call(app, "POST /api/v1/samples", { token: cast.alice, body });
      assert.equal(answer.status, 422);
      assert.deepEqual(Object.keys(answer.body.errors).sort(), [
        "git_repository.branch",
        "git_repository.repo",
        "name",
      ]);
    });
  }

  for (const body of ["[]", '"text"', "5", "true"]) {
    test(`refuse the body ${body} with 422`, async () => {
      const answer = await call(app, "POST /api/v1/samples", { token: cast.alice, body });
      assert.equal(answer.status, 422);
      assert.deepEqual(answer.body.errors, { body: "The body must be an object." });
    });
  }

  for (const body of ["{", "", '{"a":}', "\u0000"]) {
    test(`answer the malformed body ${JSON.stringify(body)} without a 5xx`, async () => {
      const answer = await call(app, "POST /api/v1/samples", { token: cast.alice, body });
      assert.equal(answer.status, body === "" ? 422 : 400);
      if (body !== "") assert.deepEqual(Object.keys(answer.body), ["status", "message"]);
    });
  }

  test("of bugs show no detail, and carry the request id", async () => {
    const answer = await call(app, "GET /api/v1/broken", { token: cast.alice });
    assert.equal(answer.status, 500);
    assert.deepEqual(Object.keys(answer.body), ["status", "message"]);
    assert.doesNotMatch(answer.text, /select|srv|Error/);
    assert.ok(answer.text.includes(String(answer.headers["x-request-id"])));
  });

  test("of the reader's kind keep status and sentence", async () => {
    const answer = await call(app, "GET /api/v1/conflict", { token: cast.alice });
    assert.equal(answer.status, 409);
    assert.deepEqual(answer.body, { status: "error", message: "It is already being cancelled." });
  });

  test("are 404 for an unknown route, with or without a token", async () => {
    for (const token of [cast.alice, undefined]) {
      const answer = await call(app, "GET /api/v1/nothing", token ? { token } : {});
      assert.equal(answer.status, 404);
      assert.deepEqual(Object.keys(answer.body), ["status", "message"]);
    }
  });

  for (const id of [
    "abc",
    "0",
    "-1",
    "1.5",
    "9007199254740992",
    "99999999999999999999",
    "1e3",
    "%00",
    "01",
    "%zz",
    "x".repeat(300),
  ]) {
    test(`are 404 for the id ${id.slice(0, 30)}`, async () => {
      const answer = await call(app, `GET /api/v1/samples/${id}`, { token: cast.alice });
      assert.equal(answer.status, 404, answer.text);
      assert.equal(answer.body.status, "error");
    });
  }

  test("are not caused by the largest id", async () => {
    const answer = await call(app, "GET /api/v1/samples/9007199254740991", { token: cast.alice });
    assert.deepEqual(answer.body, { id: 9007199254740991 });
  });

  test("are 405 with Allow for a wrong method on a known path", async () => {
    const answer = await call(app, "DELETE /api/v1/samples/5?x=1", { token: cast.alice });
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.allow, "GET, HEAD");
    assert.equal((await call(app, "PUT /api/v1/samples")).headers.allow, "GET, HEAD, POST");
  });

  test("are 405 with the address that has the method, where only the number of a noun differs", async () => {
    const { status, body } = await call(app, "PUT /api/v1/lists/options", { token: cast.alice });
    assert.deepEqual([status, body.message], [405, "PUT is not possible here. Use GET, HEAD."]);
    const wrong = methodNotAllowed("DELETE", "/api/v1/things/7", (path) =>
      path === "/api/v1/thing/7" ? ["DELETE"] : ["GET", "PUT"],
    );
    assert.equal(wrong.message, "DELETE is not possible here. Use GET, PUT. Or send DELETE /api/v1/thing/7.");
  });

  test("are 405 where another route with an id has the method, also without a token", async () => {
    for (const line of ["GET /api/v1/samples/import", "DELETE /api/v1/samples/import", "PUT /api/v1/lists/options"]) {
      const answer = await call(app, line);
      assert.equal(answer.status, 405, line);
      assert.equal(answer.headers.allow, line.includes("import") ? "POST" : "GET, HEAD");
    }
    assert.equal((await call(app, "PUT /api/v1/lists/abc", { token: cast.alice })).status, 404);
  });

  test("are 405 for paths that are not in the table of routes", async (t) => {
    const mounted = appOn(ctx);
    t.after(() => mounted.close());
    mounted.register(async (scope) => scope.post("/beat/:token", () => "OK"));
    assert.equal((await call(mounted, "PUT /beat/abc")).headers.allow, "POST");
    assert.equal((await call(mounted, "POST /docs")).headers.allow, "GET, HEAD");
    assert.equal((await call(mounted, "OPTIONS /beat/abc")).status, 204);
    assert.equal((await call(mounted, "PUT /beat")).status, 404);
  });

  test("are 405 whatever the method and the body are", async (t) => {
    const { port } = await listening(t);
    for (const line of ["QUERY /api/v1/me", "TRACE /api/v1/me", "PROPFIND /api/v1/me"]) {
      const text = await sendRaw(port, `${line} HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n`);
      assert.match(text, /^HTTP\/1.1 405 .*allow: GET, HEAD, PUT\r\n/is, line);
    }
    assert.equal((await call(app, "PUT /api/v1/samples", { body: "{" })).status, 405);
  });

  test("are 413 above 1 MiB, and not at it", async () => {
    const sized = (bytes: number) => {
      const frame = JSON.stringify({ ...validSample, unknown: "" });
      return frame.replace('"unknown":""', `"unknown":"${"x".repeat(bytes - frame.length)}"`);
    };
    const fits = await call(app, "POST /api/v1/samples", { token: cast.alice, body: sized(1024 * 1024) });
    assert.equal(fits.status, 201);
    const large = await call(app, "POST /api/v1/samples", { token: cast.alice, body: sized(1024 * 1024 + 1) });
    assert.equal(large.status, 413);
    assert.deepEqual(Object.keys(large.body), ["status", "message"]);
  });

  test("are handed over unread where a route wants their bytes", async () => {
    for (const type of ["application/json", "text/plain"]) {
      const answer = await call(app, "POST /api/v1/hooks/git", { body: "{no json", headers: { "content-type": type } });
      assert.deepEqual([answer.status, answer.body], [200, { bytes: 8 }], type);
    }
  });

  for (const type of [
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "nonsense",
    "application/jsonp",
  ]) {
    test(`are 415 for a body of type ${type}`, async () => {
      const answer = await call(app, "POST /api/v1/samples", {
        token: cast.alice,
        body: JSON.stringify(validSample),
        headers: { "content-type": type },
      });
      assert.equal(answer.status, 415, answer.text);
      assert.deepEqual(Object.keys(answer.body), ["status", "message"]);
    });
  }

  for (const [coding, compress] of [
    ["gzip", gzipSync],
    ["deflate", deflateSync],
    ["BR", brotliCompressSync],
    ["gzip, identity", gzipSync],
    ["x-unknown", Buffer.from],
  ] as const) {
    test(`are 415 with a sentence for a body that is compressed with ${coding}`, async (t) => {
      const { port } = await listening(t, sampleRoutes);
      for (const [path, type] of [
        ["/api/v1/samples", "application/json"],
        ["/api/v1/samples", "text/plain"],
        ["/api/v1/hooks/git", "application/json"],
      ]) {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
          method: "POST",
          headers: { authorization: `Bearer ${cast.alice}`, "content-type": `${type}`, "content-encoding": coding },
          body: new Uint8Array(compress(JSON.stringify(validSample))),
        });
        const { message } = (await answer.json()) as { message: string };
        assert.deepEqual([answer.status, answer.headers.get("accept-encoding")], [415, "identity"], message);
        assert.match(message, /compressed/);
      }
    });
  }

  test("are not caused by a coding that changes nothing, or by one without a body", async () => {
    for (const coding of ["identity", " Identity ", ""]) {
      const headers = { "content-encoding": coding };
      const answer = await call(app, "POST /api/v1/samples", { token: cast.alice, body: validSample, headers });
      assert.equal(answer.status, 201, answer.text);
    }
    const headers = { "content-encoding": "gzip", "content-type": "application/json" };
    assert.equal((await call(app, "GET /api/v1/me", { token: cast.alice, headers })).status, 200);
  });

  test("are not caused by the whole address in the request line", async (t) => {
    const { port } = await listening(t);
    const rest = `HTTP/1.1\r\nHost: here\r\nAuthorization: bEARER ${cast.alice}\r\nConnection: close\r\n\r\n`;
    for (const [target, status] of [
      ["http://here/api/v1/me", 200],
      [`HTTP://here:${port}/api/v1/me`, 200],
      ["https://[::1]/api/v1/health", 200],
      ["http://here/nowhere", 404],
      ["http://here?a=/api/v1/me", 200],
      ["/http://here/api/v1/me", 404],
    ] as const)
      assert.match(await sendRaw(port, `GET ${target} ${rest}`), new RegExp(`^HTTP/1.1 ${status} `), target);
    const preflight = await sendRaw(port, `OPTIONS http://here/api/v1/me ${rest}`);
    assert.match(preflight, /^HTTP\/1.1 204 .*allow: GET, HEAD/is);
  });

  test("are not caused by a client that waits before it sends its body, or marks it with its byte order", async (t) => {
    const { port } = await listening(t, sampleRoutes);
    const body = Buffer.from(`\ufeff${JSON.stringify(validSample)}`);
    const head = [
      "POST /api/v1/samples HTTP/1.1",
      "Host: here",
      `Authorization: Bearer ${cast.alice}`,
      "Content-Type: Application/JSON",
      `Content-Length: ${body.length}`,
      "Expect: 100-continue",
      "Connection: close",
    ].join("\r\n");
    const socket = connect(port, "127.0.0.1");
    let text = "";
    socket.setEncoding("utf8").on("data", (piece: string) => {
      if (text === "" && piece.startsWith("HTTP/1.1 100 ")) socket.write(body);
      text += piece;
    });
    socket.write(`${head}\r\n\r\n`);
    await once(socket, "end");
    assert.match(text, /^HTTP\/1.1 100 .*\r\n\r\nHTTP\/1.1 201 /s);
  });

  test("are 401 for a header with a list of tokens, and not for one that is sent twice", async (t) => {
    const { port } = await listening(t);
    const token = `Authorization: Bearer ${cast.alice}\r\n`;
    const twice = await sendRaw(
      port,
      `GET /api/v1/me HTTP/1.1\r\nHost: here\r\n${token}${token}Connection: close\r\n\r\n`,
    );
    assert.match(twice, /^HTTP\/1.1 200 /);
    const listed = { authorization: `Bearer ${cast.alice}, Bearer ${cast.alice}` };
    assert.equal((await call(app, "GET /api/v1/me", { headers: listed })).status, 401);
  });

  test("are not caused by a JSON type with parameters", async () => {
    const headers = { "content-type": "application/json; charset=utf-8" };
    const answer = await call(app, "POST /api/v1/samples", { token: cast.alice, body: validSample, headers });
    assert.equal(answer.status, 201);
  });

  const headAndBody = (text: string): [string, { status: string }] => {
    const [head = "", body = ""] = text.split("\r\n\r\n");
    return [head, JSON.parse(body)];
  };
  const malformed: Record<string, [number, string]> = {
    "what is not HTTP": [400, "NONSENSE\r\n\r\n"],
    "an address and headers that are too long": [431, `GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: here\r\n\r\n`],
    "HTTP/1.1 without Host": [400, "GET /api/v1/health HTTP/1.1\r\nConnection: close\r\n\r\n"],
  };
  for (const [what, [status, request]] of Object.entries(malformed)) {
    test(`are ${status} in the same shape, with the usual headers, for ${what}`, async (t) => {
      const { port } = await listening(t);
      const [head, body] = headAndBody(await sendRaw(port, request));
      assert.match(head, new RegExp(`^HTTP/1.1 ${status} `));
      assert.match(head, /^x-request-id: [\w-]{36}\r?$/im);
      assert.match(head, /^x-ratelimit-limit: 1000000\r?$/im);
      assert.match(head, /^x-ratelimit-remaining: 1000000\r?$/im);
      assert.equal(body.status, "error");
    });
  }

  test("are not caused by HTTP/1.0 without Host, or by an unknown expectation", async (t) => {
    const { port } = await listening(t);
    const requests = ["HTTP/1.0\r\n\r\n", "HTTP/1.1\r\nHost: here\r\nExpect: foo\r\nConnection: close\r\n\r\n"];
    for (const rest of requests) {
      const text = await sendRaw(port, `GET /api/v1/health ${rest}`);
      assert.match(text, /^HTTP\/1.1 200 .*x-request-id: /is);
    }
  });

  test("are 503 when the database is away", async (t) => {
    const pool = openPool("postgresql://missing@127.0.0.1:1/nothing");
    t.after(() => pool.end());
    const away = appFor(t, contextOn(pool));
    for (const line of ["GET /api/v1/health", "GET /api/v1/me"]) {
      const answer = await call(away, line, { token: cast.alice });
      assert.equal(answer.status, 503, line);
      assert.deepEqual(Object.keys(answer.body), ["status", "message"]);
      assert.ok(answer.headers["retry-after"]);
    }
  });
});

test("health and every request are 503 on a database that is read-only", async (t) => {
  const own = await testDatabase();
  t.after(() => own.drop());
  await own.pool.query(`alter database ${new URL(own.url).pathname.slice(1)} set default_transaction_read_only = on`);
  const pool = openPool(own.url);
  t.after(() => pool.end());
  const standby = appFor(t, contextOn(pool));
  for (const line of ["GET /api/v1/health", "GET /api/v1/me"]) {
    const answer = await call(standby, line, { token: cast.alice });
    assert.equal(answer.status, 503, line);
    assert.match(answer.body.message, /^The database is read-only/);
  }
});

async function listening(t: TestContext, routes: readonly Route[] = []): Promise<{ port: number }> {
  const other = appFor(t, ctx, routes);
  await other.listen({ port: 0, host: "127.0.0.1" });
  return other.server.address() as { port: number };
}

function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (chunk) => {
      received += chunk;
    });
    socket.on("end", () => resolve(received)).on("error", reject);
  });
}

describe("hostile input never gives a 5xx", () => {
  const at = (value: unknown) => ({ ...validSample, ...(value as object) });
  const bodies: Record<string, [number, unknown]> = {
    "a NUL in a string": [422, at({ name: "a\u0000b" })],
    "a NUL deep inside": [422, at({ extra: { a: [{ b: "\u0000" }] } })],
    "a NUL under a key with a dot": [422, at({ extra: { "a.b": "\u0000" } })],
    "a NUL in a key": [422, at({ extra: { "a\u0000": 1 } })],
    "half a surrogate pair": [422, JSON.stringify(at({ name: "x" })).replace('"x"', '"\\ud800"')],
    "a NUL in an unknown field": [201, at({ unknown: "\u0000" })],
    "a huge integer": [422, at({ ids: [1e300] })],
    "an infinite number": [422, '{"name":"x","git_repository":{"repo":"a","branch":"b"},"ids":[1e999]}'],
    "too many code points in few graphemes": [422, at({ name: "👨‍👩‍👧‍👦".repeat(50) })],
    "the key __proto__": [400, '{"name":"x","git_repository":{"repo":"a","branch":"b"},"__proto__":{"admin":true}}'],
    "the key constructor.prototype": [
      400,
      '{"name":"x","git_repository":{"repo":"a","branch":"b"},"constructor":{"prototype":{"a":1}}}',
    ],
    "__proto__ in a free object": [
      400,
      '{"name":"x","git_repository":{"repo":"a","branch":"b"},"extra":{"__proto__":{"a":1}}}',
    ],
    "deep arrays": [422, `{"name":"x","extra":${'{"a":['.repeat(20_000)}1${"]}".repeat(20_000)}}`],
    "an array as name": [422, at({ name: ["x"] })],
    "prototype names as fields": [201, at({ toString: 1, hasOwnProperty: 2, valueOf: null })],
  };
  for (const [what, [status, body]] of Object.entries(bodies)) {
    test(`${what}: ${status}`, async () => {
      const answer = await call(app, "POST /api/v1/samples", { token: cast.alice, body });
      assert.equal(answer.status, status, answer.text.slice(0, 500));
      assert.equal(({} as { admin?: boolean }).admin, undefined);
    });
  }

  test("a number that only PostgreSQL refuses: 422", async () => {
    const answer = await call(app, "POST /api/v1/stored", { token: cast.alice, body: { number: 1e300 } });
    assert.equal(answer.status, 422, answer.text);
  });

  for (const query of ["group=%00", "group=abc", "group=1e999", "group=&group=1", "group=-1", "group[]=1"]) {
    test(`the query ${query} is no 5xx`, async () => {
      const answer = await call(app, `GET /api/v1/samples?${query}`, { token: cast.alice });
      assert.ok([200, 422].includes(answer.status), answer.text);
    });
  }
});

describe("bodies", () => {
  test("lose fields that the schema does not name", async () => {
    const body = { ...validSample, is_admin: true, git_repository: { ...validSample.git_repository, more: 1 } };
    const answer = await call(app, "POST /api/v1/samples", { token: cast.alice, body });
    assert.equal(answer.status, 201);
    assert.deepEqual(answer.body.received, validSample);
  });

  test("of answers hold only what the reply names", async () => {
    const answer = await call(app, "GET /api/v1/samples/3", { token: cast.alice });
    assert.deepEqual(answer.body, { id: 3 });
  });

  test("of webhooks reach the handler as bytes, whatever their type", async () => {
    for (const type of ["application/json", "application/x-www-form-urlencoded"]) {
      const answer = await call(app, "POST /api/v1/hooks/git", { body: '{"a":1}', headers: { "content-type": type } });
      assert.deepEqual(answer.body, { bytes: 7 });
    }
  });

  test("can come with another success status of the route", async () => {
    const answer = await call(app, "POST /api/v1/samples", {
      token: cast.alice,
      body: { ...validSample, name: "later" },
    });
    assert.equal(answer.status, 202);
  });
});

describe("pagination", () => {
  const cases: [string, number, number][] = [
    ["", 1, 10],
    ["?per_page=25&page=3", 3, 25],
    ["?per_page=1000", 1, 100],
    ["?per_page=0&page=0", 1, 10],
    ["?per_page=-5&page=-1", 1, 10],
    ["?per_page=abc&page=abc", 1, 10],
    ["?per_page=&page=", 1, 10],
    ["?per_page=2.5&page=1e3", 1, 10],
    ["?per_page=1&per_page=2", 1, 10],
    ["?page=9007199254740991", 9007199254740991, 10],
    ["?page=99999999999999999999", 1, 10],
  ];
  for (const [query, page, perPage] of cases) {
    test(`reads ${query || "nothing"}`, async () => {
      const answer = await call(app, `GET /api/v1/samples${query}`, { token: cast.alice });
      assert.deepEqual(answer.body, {
        current_page: page,
        data: [],
        per_page: perPage,
        total_pages: 1,
        total_items: 0,
      });
    });
  }

  test("counts pages", () => {
    const request = pageOf({ per_page: "10" }, 25);
    assert.equal(paginated(request, 21, []).total_pages, 3);
    assert.equal(paginated(request, 20, []).total_pages, 2);
    assert.ok(Number.isSafeInteger(pageOf({ page: "9007199254740991", per_page: 100 }, 10).offset));
  });
});

describe("every answer", () => {
  for (const line of ["GET /api/v1/me", "GET /api/v1/nothing", "PATCH /api/v1/me", "GET /api/v1/health", "GET /%zz"]) {
    test(`of ${line} carries a request id and the rate limit`, async () => {
      const answer = await call(app, line);
      assert.match(String(answer.headers["x-request-id"]), /^[\w-]{36}$/);
      assert.equal(answer.headers["x-ratelimit-limit"], "1000000");
      assert.match(String(answer.headers["x-ratelimit-remaining"]), /^\d+$/);
    });
  }

  test("takes over a harmless request id of the caller, and no other", async () => {
    const kept = await call(app, "GET /api/v1/health", { headers: { "x-request-id": "trace-0123456789" } });
    assert.equal(kept.headers["x-request-id"], "trace-0123456789");
    const replaced = await call(app, "GET /api/v1/health", { headers: { "x-request-id": 'a"} {"level":"fatal' } });
    assert.match(String(replaced.headers["x-request-id"]), /^[\w-]{36}$/);
  });
});

describe("the log", () => {
  test("has a line for each request with its id, and no token", async (t) => {
    const lines: string[] = [];
    const { pino } = await import("pino");
    const log = pino(
      { level: "info" },
      { write: (line: string) => void lines.push(line) },
    ) as unknown as Context["log"];
    const logged = appFor(t, { ...ctx, log }, sampleRoutes);
    const answer = await call(logged, "GET /api/v1/samples/7?secret=1", { token: cast.alice });
    await call(logged, "POST /api/v1/hooks/very-secret", { body: {} });
    const line = JSON.parse(lines.find((each) => each.includes("samples")) ?? "{}");
    assert.equal(line.requestId, answer.headers["x-request-id"]);
    assert.deepEqual([line.method, line.route, line.status], ["GET", "/api/v1/samples/:id", 422]);
    assert.equal(line.userId, cast.userIds.alice);
    assert.doesNotMatch(lines.join(""), /lsh_|secret/);
  });
});

describe("CORS", () => {
  test("lets configured origins in, and no other", async (t) => {
    const open = appFor(t, contextOn(database.pool, { corsOrigins: "https://console.example.com" }));
    const preflight = {
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization",
    };
    const ours = await call(open, "OPTIONS /api/v1/me", {
      headers: { ...preflight, origin: "https://console.example.com" },
    });
    assert.equal(ours.status, 204);
    assert.equal(ours.headers["access-control-allow-origin"], "https://console.example.com");
    assert.match(String(ours.headers["access-control-allow-headers"]), /Authorization/);
    const answer = await call(open, "GET /api/v1/health", { headers: { origin: "https://console.example.com" } });
    assert.equal(answer.headers["access-control-allow-origin"], "https://console.example.com");
    const theirs = await call(open, "OPTIONS /api/v1/me", {
      headers: { ...preflight, origin: "https://evil.example" },
    });
    assert.equal(theirs.headers["access-control-allow-origin"], undefined);
    const refused = await call(open, "GET /api/v1/me", { headers: { origin: "https://console.example.com" } });
    assert.equal(
      refused.headers["access-control-allow-origin"],
      "https://console.example.com",
      "also errors are readable",
    );
  });
});

describe("health", () => {
  test("is 200 while database and queue answer", async () => {
    const answer = await call(app, "GET /api/v1/health");
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, { status: "ok" });
  });

  test("is 503 when the queue does not", async (t) => {
    for (const healthy of [async () => false, async () => Promise.reject(new Error("no"))]) {
      const sick = appFor(t, { ...ctx, queue: { healthy } as unknown as Context["queue"] });
      const answer = await call(sick, "GET /api/v1/health");
      assert.equal(answer.status, 503);
      assert.equal(answer.body.status, "error");
    }
  });
});

describe("closing", () => {
  test("ends streams and lets a request under way finish", async () => {
    const begun = Promise.withResolvers<void>();
    const released = Promise.withResolvers<{ done: boolean }>();
    const slow = route({
      method: "GET",
      path: "/api/v1/slow",
      summary: "Wait",
      permission: "any",
      reply: Type.Object({ done: Type.Boolean() }),
      handle: () => {
        begun.resolve();
        return released.promise;
      },
    });
    const closing = appOn(ctx, [...sampleRoutes, slow]);
    const url = await closing.listen({ port: 0, host: "127.0.0.1" });
    const headers = { authorization: `Bearer ${cast.alice}` };
    const stream = await fetch(`${url}/api/v1/stream`, { headers });
    assert.equal(stream.headers.get("content-type"), "text/event-stream");
    const pending = fetch(`${url}/api/v1/slow`, { headers });
    await begun.promise;
    const closed = closing.close();
    await stream.text().catch(() => "");
    released.resolve({ done: true });
    assert.deepEqual(await (await pending).json(), { done: true });
    await closed;
  });

  test("signals a request that waits, so that it answers with what it has", async () => {
    const begun = Promise.withResolvers<void>();
    const waiting = route({
      method: "GET",
      path: "/api/v1/waiting",
      summary: "Wait for a server",
      permission: "any",
      reply: Type.Object({ done: Type.Boolean() }),
      otherStatuses: [202],
      handle: async ({ signal }) => {
        begun.resolve();
        await sleep(60_000, undefined, { signal }).catch(() => undefined);
        return withStatus(202, { done: false });
      },
    });
    const closing = appOn(ctx, [waiting]);
    const url = await closing.listen({ port: 0, host: "127.0.0.1" });
    const pending = fetch(`${url}/api/v1/waiting`, { headers: { authorization: `Bearer ${cast.alice}` } });
    await begun.promise;
    await closing.close();
    assert.equal((await pending).status, 202);
  });
});

describe("a check of the route's own", () => {
  const checked: Route = route({
    method: "POST",
    path: "/api/v1/checked",
    summary: "Check",
    permission: "any",
    body: Type.Object({ name: Name, size: Type.Integer(), inner: Type.Object({ a: Type.String(), b: Type.String() }) }),
    reply: Type.Object({ ok: Type.Boolean() }),
    check: (_ctx, { body }) => ({
      ...(body.name === "taken" ? { name: "The name is taken." } : {}),
      ...(body.inner?.b === "bad" ? { "inner.b": "The b is bad." } : {}),
      ...(body.size !== undefined && typeof body.size !== "number" ? { size: "It was not left out." } : {}),
    }),
    handle: () => ({ ok: true }),
  });
  const errorsOf = async (t: TestContext, body: unknown) => {
    const reply = await call(appFor(t, ctx, [checked]), "POST /api/v1/checked", { token: cast.alice, body });
    return { status: reply.status, errors: reply.body.errors };
  };

  test("is reported together with what the schema finds", async (t) => {
    assert.deepEqual(await errorsOf(t, { name: "taken", size: "large", inner: { a: 1, b: "bad" } }), {
      status: 422,
      errors: {
        name: "The name is taken.",
        "inner.a": "The a must be a string.",
        "inner.b": "The b is bad.",
        size: "The size must be an integer.",
      },
    });
  });

  test("sees the valid entries of a list with others, and names its own by their places in the request", async (t) => {
    const listed = route({
      method: "POST",
      path: "/api/v1/listed",
      summary: "Check lists",
      permission: "any",
      body: Type.Object({
        names: Type.Array(Name),
        inner: Type.Object({
          channels: Type.Array(Type.Object({ type: OneOf(["email", "chat"]), to: Type.String() })),
        }),
      }),
      reply: Type.Object({ ok: Type.Boolean() }),
      check: (_ctx, { body }) =>
        Object.fromEntries([
          ...(body.names ?? []).flatMap((name, at) => (name === "bad" ? [[`names.${at}`, "It is bad."]] : [])),
          ...(body.inner?.channels ?? []).flatMap(({ to }, at) =>
            to === "bad" ? [[`inner.channels.${at}.to`, "It is bad."]] : [],
          ),
        ]),
      handle: () => ({ ok: true }),
    });
    const one = { type: "email", to: "bad" };
    const body = { names: [5, "bad", "", "x", "bad"], inner: { channels: [one, { type: "chat" }, { to: 1 }, one] } };
    const { body: answer } = await call(appFor(t, ctx, [listed]), "POST /api/v1/listed", { token: cast.alice, body });
    assert.deepEqual(answer.errors, {
      "names.0": "Entry 1 of names must be a string.",
      "names.1": "It is bad.",
      "names.2": "Entry 3 of names is required.",
      "names.4": "It is bad.",
      "inner.channels.0.to": "It is bad.",
      "inner.channels.1.to": "The field to is required.",
      "inner.channels.2.type": "The type is required.",
      "inner.channels.2.to": "The field to must be a string.",
      "inner.channels.3.to": "It is bad.",
    });
  });

  test("refuses by itself, and lets through what is right", async (t) => {
    const inner = { a: "", b: "" };
    assert.deepEqual((await errorsOf(t, { name: "taken", size: 1, inner })).errors, { name: "The name is taken." });
    assert.equal((await errorsOf(t, { name: "free", size: 1, inner })).status, 200);
  });
});

describe("queries", () => {
  const received = route({
    method: "GET",
    path: "/api/v1/received",
    summary: "Echo the query",
    permission: "any",
    query: Type.Object({
      number: Type.Optional(Type.Integer({ minimum: -5, maximum: 1e15 })),
      isOn: Type.Optional(Type.Boolean()),
      level: Type.Optional(OneOf(["low", "high"])),
      text: Type.Optional(Type.String()),
      confirm: Type.Optional(Type.String({ minLength: 0 })),
    }),
    reply: Type.Object({ query: Type.Unknown() }),
    handle: (_ctx, { query }) => ({ query }),
  });
  const read = async (t: TestContext, query: string) =>
    await call(appFor(t, ctx, [received]), `GET /api/v1/received?${query}`, { token: cast.alice });

  test("have integers in digits, and booleans as true, false, 1 or 0", async (t) => {
    for (const [query, expected] of [
      ["number=12&isOn=true", { number: 12, isOn: true }],
      ["number=-5&isOn=1", { number: -5, isOn: true }],
      ["number=0&isOn=false", { number: 0, isOn: false }],
      ["isOn=0", { isOn: false }],
    ] as const) {
      assert.deepEqual((await read(t, query)).body.query, expected, query);
    }
  });

  for (const text of ["%20", "true", "false", "0.9", "1.0", "1e0", "+1", "0x1", "null", "1%20", "1&number=2"]) {
    test(`are refused with the integer ${text}`, async (t) => {
      const answer = await read(t, `number=${text}`);
      assert.equal(answer.status, 422, answer.text);
      assert.deepEqual(answer.body.errors, { number: "The number must be an integer." });
    });
  }

  for (const text of ["yes", "on", "TRUE", "2", "%20", "null"]) {
    test(`are refused with the boolean ${text}`, async (t) => {
      assert.equal((await read(t, `isOn=${text}`)).status, 422);
    });
  }

  test("count an empty parameter as omitted, unless an empty text means something", async (t) => {
    assert.deepEqual((await read(t, "number=&isOn=&level=&text=&confirm=")).body.query, { confirm: "" });
  });
});

describe("a GET that changes something", () => {
  const publish = route({
    method: "GET",
    path: "/api/v1/published",
    summary: "Publish",
    permission: "project:update",
    changes: true,
    reply: Type.Object({}),
    handle: () => ({}),
  });
  const cookie = `longshore.session_token=${"s".repeat(32)}.${"A".repeat(43)}%3D`;
  const statusOf = async (on: FastifyInstance, path: string, headers: Record<string, string>) =>
    (await call(on, `GET ${path}`, { headers: { host: "console.example.com", cookie, ...headers } })).status;

  test("has no HEAD", async (t) => {
    const answer = await call(appFor(t, ctx, [publish]), "HEAD /api/v1/published", { token: cast.alice });
    assert.deepEqual([answer.status, answer.headers.allow], [405, "GET"]);
    const table = appFor(t, ctx, siteRoutes);
    assert.equal((await call(table, "HEAD /api/v1/projects/1/publish", { token: cast.alice })).headers.allow, "GET");
  });

  test("takes a session only from a page of its own origin", async (t) => {
    const on = appFor(t, ctx, [publish]);
    // The session does not exist: 401 shows that its origin was accepted.
    const cases: [Record<string, string>, number][] = [
      [{}, 403],
      [{ origin: "http://other.example.com" }, 403],
      [{ referer: "http://other.example.com/page" }, 403],
      [{ referer: "nonsense" }, 403],
      [{ "sec-fetch-site": "same-site", origin: "http://console.example.com" }, 403],
      [{ origin: "http://console.example.com" }, 401],
      [{ referer: "http://console.example.com/projects/1" }, 401],
      [{ "sec-fetch-site": "same-origin" }, 401],
    ];
    for (const [headers, status] of cases) {
      assert.equal(await statusOf(on, "/api/v1/published", headers), status, JSON.stringify(headers));
    }
    assert.equal(await statusOf(on, "/api/v1/me", {}), 401, "one that only reads needs no proof");
  });
});

describe("metrics", () => {
  test("count requests by route on a port of their own", async (t) => {
    const counted = appFor(t, contextOn(database.pool, { metricsPort: "0" }));
    const { openMetrics } = await import("../metrics.ts");
    const metrics = openMetrics(contextOn(database.pool, { metricsPort: "0" }));
    metrics.observe("GET", "/api/v1/me", 200, 0.003);
    metrics.observe("GET", "/api/v1/me", 200, 99);
    const text = await metrics.text();
    assert.match(text, /_bucket\{le="0.005",method="GET",route="\/api\/v1\/me",status="200"\} 1\n/);
    assert.match(text, /_bucket\{le="\+Inf",[^}]*\} 2\n/);
    assert.match(text, /_count\{[^}]*\} 2\n/);
    await counted.ready();
  });
});
