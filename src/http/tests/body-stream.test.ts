import assert from "node:assert/strict";
import { once } from "node:events";
import { type ClientRequest, request as httpRequest } from "node:http";
import { Readable } from "node:stream";
import { after, before, beforeEach, describe, it } from "node:test";
import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { AppError } from "../../lib/errors.ts";
import { route } from "../route.ts";
import { appOn, type Cast, contextOn, createCast } from "./support.ts";

const kib = 1024;

let database: TestDatabase;
let app: FastifyInstance;
let url: string;
let cast: Cast;
/** The part of the latest body that the handler received. */
let first: PromiseWithResolvers<string>;
let ended: PromiseWithResolvers<number | Error>;

const uploadsAt = (path: string, bodyTimeoutMs: number) =>
  route({
    method: "POST",
    path,
    summary: "Take a body",
    permission: "server:update",
    streamBody: true,
    bodyLimit: 256 * kib,
    bodyTimeoutMs,
    query: Type.Object({ refused: Type.Optional(Type.Boolean()) }),
    reply: Type.Object({ size: Type.Integer() }),
    async handle(_ctx, { query, bodyStream }) {
      if (query.refused) throw new AppError("refused", "Not now.");
      let size = 0;
      try {
        for await (const chunk of bodyStream as Readable) {
          size += chunk.length;
          first.resolve(String(chunk).slice(0, 5));
        }
      } catch (error) {
        ended.resolve(error as Error);
        throw error;
      }
      ended.resolve(size);
      return { size };
    },
  });

before(async () => {
  database = await testDatabase();
  const ctx = contextOn(database.pool);
  cast = await createCast(database.pool);
  app = appOn(ctx, [uploadsAt("/api/v1/uploads", 60_000), uploadsAt("/api/v1/uploads/quick", 2_000)]);
  url = `${await app.listen({ host: "127.0.0.1", port: 0 })}/api/v1/uploads`;
});

beforeEach(() => {
  first = Promise.withResolvers();
  ended = Promise.withResolvers();
});

after(async () => {
  await app?.close();
  await database?.drop();
});

const headers = (): Record<string, string> => ({
  authorization: `Bearer ${cast.alice}`,
  "content-type": "application/octet-stream",
});

/** Opens an upload of unknown length, which the test writes by hand. */
function open(path = "") {
  const upload = httpRequest(`${url}${path}`, { method: "POST", headers: headers() });
  upload.on("error", () => undefined);
  return upload;
}

/** With or without an error. */
const closeOf = (upload: ClientRequest): Promise<void> => new Promise((resolve) => upload.once("close", resolve));

const send = async (body: Buffer | Readable, more: { path?: string; headers?: Record<string, string> } = {}) => {
  const answer = await fetch(`${url}${more.path ?? ""}`, {
    method: "POST",
    headers: { ...headers(), ...more.headers },
    body: body instanceof Readable ? (Readable.toWeb(body) as ReadableStream) : new Uint8Array(body),
    duplex: "half",
  } as RequestInit);
  return {
    status: answer.status,
    connection: answer.headers.get("connection"),
    body: (await answer.json()) as { message: string },
  };
};

describe("a body that is streamed", () => {
  it("reaches the handler while it comes", async () => {
    const upload = open();
    upload.write("begin");
    assert.equal(await first.promise, "begin");
    upload.end("-end");
    assert.equal(await ended.promise, 9);
    const [answer] = await once(upload, "response");
    assert.equal(answer.statusCode, 200);
    answer.resume();
  });

  it("may be as long as the limit, and no longer, whether or not its length is declared", async () => {
    assert.deepEqual((await send(Buffer.alloc(256 * kib))).body, { size: 256 * kib });
    const declared = await send(Buffer.alloc(256 * kib + 1));
    assert.equal(declared.status, 413);
    const undeclared = await send(Readable.from([Buffer.alloc(200 * kib), Buffer.alloc(57 * kib)]));
    assert.equal(undeclared.status, 413);
    assert.match(undeclared.body.message, /larger than 0\.25 MiB/);
  });

  it("fails for the handler when the client goes", async () => {
    const upload = open();
    upload.write("begin");
    await first.promise;
    upload.destroy();
    assert.match(String(await ended.promise), /did not arrive completely/);
  });

  it("fails, and the connection ends, when it takes too long", async () => {
    const upload = open("/quick");
    upload.write("begin");
    await first.promise;
    const startedAt = performance.now();
    await closeOf(upload);
    assert.ok((await ended.promise) instanceof Error);
    assert.ok(performance.now() - startedAt < 50_000);
  });

  it("is not read to its end when the handler refuses", async () => {
    const upload = httpRequest(`${url}?refused=true`, { method: "POST", headers: headers() });
    upload.on("error", () => undefined);
    upload.write("begin");
    const [answer] = await once(upload, "response");
    assert.equal(answer.statusCode, 422);
    answer.resume();
    await closeOf(upload);
  });

  it("has one type", async () => {
    const { status, body } = await send(Buffer.from("{}"), { headers: { "content-type": "application/json" } });
    assert.equal(status, 415);
    assert.match(body.message, /application\/octet-stream/);
  });

  it("is refused before it is read without a permission", async () => {
    const { status } = await send(Buffer.from("x"), { headers: { authorization: `Bearer ${cast.victor}` } });
    assert.equal(status, 403);
  });
});
