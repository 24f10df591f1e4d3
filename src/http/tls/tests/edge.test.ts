import assert from "node:assert/strict";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { connect as connectTcp } from "node:net";
import { PassThrough, type Readable } from "node:stream";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { Type } from "typebox";
import { freePorts } from "../../../../stage/free-port.ts";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import { keyToPem, newCertificateKey, selfSignedCertificate } from "../../../lib/x509.ts";
import { route, StreamAnswer } from "../../route.ts";
import { appOn, type Cast, contextOn, createCast } from "../../tests/support.ts";
import type { ServerCertificate } from "../certificate.ts";
import { openEdge } from "../edge.ts";
import { answer2, ask2, certificateOn, connect2, get1, name, shake } from "./visitors.ts";

// The application behind HTTPS, as clients see it. Which certificates there are is the test's choice.

let database: TestDatabase;
let cast: Cast;
let app: FastifyInstance;
let port: number;
let httpPort: number;
/** Serves another certificate from now on. */
let present: (certificate: ServerCertificate) => void;
/** The stream of events of the latest request, and what the latest upload came to. */
let events: PassThrough;
let uploaded: PromiseWithResolvers<number | Error>;
/** The texts that were repeated. */
let echoed: string[];

const routes = [
  route({
    method: "GET",
    path: "/api/v1/stream",
    summary: "Stream events",
    permission: "any",
    streams: "text/event-stream",
    reply: Type.Object({}),
    handle: async () => {
      events = new PassThrough();
      events.write("data: first\n\n");
      return new StreamAnswer("text/event-stream", events);
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/uploads",
    summary: "Take a body",
    permission: "any",
    streamBody: true,
    bodyTimeoutMs: 1_000,
    reply: Type.Object({ size: Type.Integer() }),
    handle: async (_, { bodyStream }) => {
      let size = 0;
      try {
        for await (const chunk of bodyStream as Readable) size += chunk.length;
      } catch (error) {
        uploaded.resolve(error as Error);
        throw error;
      }
      uploaded.resolve(size);
      return { size };
    },
  }),
  route({
    method: "POST",
    path: "/api/v1/echo",
    summary: "Repeat a text",
    permission: "any",
    body: Type.Object({ text: Type.String() }),
    reply: Type.Object({ text: Type.String() }),
    handle: async (_, { body }) => {
      echoed.push(body.text);
      return body;
    },
  }),
];

function selfMade(): ServerCertificate {
  const key = newCertificateKey();
  const [notBefore, notAfter] = [new Date(), new Date(Date.now() + 86_400_000)];
  return { key: keyToPem(key), chain: selfSignedCertificate({ names: [name], key, notBefore, notAfter }) };
}

before(async () => {
  database = await testDatabase();
  cast = await createCast(database.pool);
});
after(() => database.drop());

beforeEach(async () => {
  uploaded = Promise.withResolvers();
  echoed = [];
  [port, httpPort] = (await freePorts(2)) as [number, number];
  const ports = { httpsPort: String(port), httpPort: String(httpPort), httpsHost: "127.0.0.1" };
  const ctx = contextOn(database.pool, { domains: name, ...ports });
  app = appOn(ctx, routes);
  const edge = await openEdge(app, {
    config: ctx.config,
    log: ctx.log,
    source: {
      open: async (onChange) => {
        present = onChange;
        return selfMade();
      },
      close: async () => undefined,
    },
    challenges: {
      findFile: async (token) => (token === "known" ? "proof" : undefined),
      findCertificate: async () => undefined,
    },
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  await edge.listen();
});
afterEach(() => app.close());

const bearer = () => ({ authorization: `Bearer ${cast.alice}` });

describe("clients of HTTP/1.1 and HTTP/2", () => {
  test("get the same answers", async () => {
    const session = await connect2(port);
    for (const path of ["/api/v1/health", "/api/v1/me", "/api/v1/nothing", "/"]) {
      const one = await get1(port, path, { headers: { ...bearer(), host: name } });
      const two = await answer2(ask2(session, { ":path": path, ...bearer() }));
      assert.deepEqual([two.status, two.body], [one.status, one.body], path);
      for (const header of ["content-type", "cache-control", "content-security-policy", "x-content-type-options"]) {
        assert.equal(two.headers[header], one.headers[header], `${header} of ${path}`);
      }
    }
    session.close();
  });

  test("may have so many requests at once on one connection", async () => {
    const session = await connect2(port);
    await answer2(ask2(session, { ":path": "/api/v1/health" }));
    assert.equal(session.remoteSettings.maxConcurrentStreams, 100);
    session.close();
  });

  test("are not asked to insist on HTTPS by a certificate that signs itself", async () => {
    const { headers } = await get1(port, "/api/v1/health");
    assert.equal(headers["strict-transport-security"], undefined);
  });

  test("send bodies of known and of unknown length", async () => {
    const session = await connect2(port);
    const body = JSON.stringify({ text: "hello" });
    for (const length of [{}, { "content-length": body.length }]) {
      const headers = { ":method": "POST", ":path": "/api/v1/echo", "content-type": "application/json", ...bearer() };
      const stream = ask2(session, { ...headers, ...length });
      stream.end(body);
      const { status, body: answer } = await answer2(stream);
      assert.deepEqual([status, JSON.parse(answer)], [200, { text: "hello" }]);
    }
    session.close();
  });
});

describe("a body over HTTP/2", () => {
  const upload = { ":method": "POST", ":path": "/api/v1/uploads", "content-type": "application/octet-stream" };

  test("arrives whole", async () => {
    const session = await connect2(port);
    const stream = ask2(session, { ...upload, ...bearer() });
    stream.end(Buffer.alloc(100_000));
    assert.equal((await answer2(stream)).status, 200);
    assert.equal(await uploaded.promise, 100_000);
    session.close();
  });

  test("that is cut off does not count as complete", async () => {
    const session = await connect2(port);
    const stream = ask2(session, { ...upload, ...bearer() }).on("error", () => undefined);
    stream.write("a part");
    // What was sent before has arrived with the answer.
    await new Promise((resolve) => session.ping(resolve));
    stream.destroy();
    assert.ok((await uploaded.promise) instanceof Error);
    session.close();
  });

  test("that is JSON and is cut off is not carried out, although it could be read", async () => {
    const session = await connect2(port);
    const headers = { ":method": "POST", ":path": "/api/v1/echo", "content-type": "application/json", ...bearer() };
    const cut = ask2(session, headers).on("error", () => undefined);
    cut.write(JSON.stringify({ text: "cut off" }));
    await new Promise((resolve) => session.ping(resolve));
    cut.destroy();
    // The later one takes the same way, and arrives behind it.
    const whole = ask2(session, headers);
    whole.end(JSON.stringify({ text: "whole" }));
    assert.equal((await answer2(whole)).status, 200);
    assert.deepEqual(echoed, ["whole"]);
    session.close();
  });

  test("has to arrive in the time of its route, and then ends alone", async () => {
    const session = await connect2(port);
    const stream = ask2(session, { ...upload, ...bearer() }).on("error", () => undefined);
    stream.write("drop");
    await once(stream, "close");
    assert.ok((await uploaded.promise) instanceof Error);
    assert.equal((await answer2(ask2(session, { ":path": "/api/v1/health" }))).status, 200);
    session.close();
  });
});

describe("a stream of events over HTTP/2", () => {
  test("arrives as it is sent, beside other requests of the connection, and ends with the client", async () => {
    const session = await connect2(port);
    const stream = ask2(session, { ":path": "/api/v1/stream", ...bearer() });
    stream.setEncoding("utf8");
    const [first] = await once(stream, "data");
    assert.equal(first, "data: first\n\n");
    assert.equal((await answer2(ask2(session, { ":path": "/api/v1/health" }))).status, 200);
    events.write("data: second\n\n");
    assert.deepEqual(await once(stream, "data"), ["data: second\n\n"]);
    stream.close();
    await once(events, "close");
    session.close();
  });

  test("does not keep the process from its end, and neither do connections without a request", async () => {
    const [busy, idle] = [await connect2(port), await connect2(port)];
    const stream = ask2(busy, { ":path": "/api/v1/stream", ...bearer() });
    await once(stream, "response");
    const kept = await shake(port, { ALPNProtocols: ["http/1.1"] });
    kept.write(`GET /api/v1/health HTTP/1.1\r\nHost: ${name}\r\n\r\n`);
    await once(kept, "data");
    const silent = connectTcp(port, "127.0.0.1");
    await once(silent, "connect");
    const closed = [busy, idle, kept, silent].map((each) => once(each, "close"));
    const startedAt = performance.now();
    await app.close();
    await Promise.all(closed);
    assert.ok(performance.now() - startedAt < 10_000);
  });

  test("survives a change of the certificate, which new connections get", async () => {
    const session = await connect2(port);
    const stream = ask2(session, { ":path": "/api/v1/stream", ...bearer() });
    stream.setEncoding("utf8");
    await once(stream, "data");
    const former = await certificateOn(port);
    present(selfMade());
    assert.notEqual((await certificateOn(port)).fingerprint, former.fingerprint);
    events.write("data: later\n\n");
    assert.deepEqual(await once(stream, "data"), ["data: later\n\n"]);
    session.close();
  });
});

describe("TLS", () => {
  test("is of version 1.2 at least, with the ciphers of Mozilla's intermediate profile", async () => {
    const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
    await assert.rejects(shake(port, old));
    await assert.rejects(shake(port, { maxVersion: "TLSv1.2", ciphers: "ECDHE-ECDSA-AES128-SHA" }));
    for (const version of ["TLSv1.2", "TLSv1.3"] as const) {
      const socket = await shake(port, { minVersion: version, maxVersion: version });
      assert.equal(socket.getProtocol(), version);
      socket.destroy();
    }
  });

  test("shows no certificate to an authority that did not ask for a proof", async () => {
    await assert.rejects(shake(port, { ALPNProtocols: ["acme-tls/1"] }));
  });
});

describe("port 80", () => {
  /** Over a connection of its own; `fetch` does not let its callers choose the Host. */
  async function plain(
    path: string,
    host: string,
  ): Promise<{ status: number; location: string | undefined; text: string }> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    get({ port: httpPort, host: "127.0.0.1", path, headers: { host }, agent: false }, resolve).on("error", reject);
    const response = await promise;
    let text = "";
    for await (const chunk of response) text += chunk;
    return { status: response.statusCode ?? 0, location: response.headers.location, text };
  }

  test("serves the proof of a certificate authority", async () => {
    assert.deepEqual(await plain("/.well-known/acme-challenge/known", name), {
      ...{ status: 200, location: undefined, text: "proof" },
    });
  });

  test("leads to HTTPS, and nowhere with another Host", async () => {
    const { status, location } = await plain("/api/v1/health?x=1", name);
    assert.deepEqual([status, location], [308, `https://${name}/api/v1/health?x=1`]);
    const other = await plain("/.well-known/acme-challenge/other", "evil.test");
    assert.deepEqual([other.status, other.location], [404, undefined]);
  });
});
