import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { startDnsServer } from "../../../../stage/dns-server.ts";
import { freePort, freePorts } from "../../../../stage/free-port.ts";
import { type Authority, startAuthority } from "../../../../stage/pebble.ts";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import type { Context } from "../../../context.ts";
import { row, sql } from "../../../db/sql.ts";
import { Listener } from "../../../engine/listener.ts";
import { appOn, contextOn, createCast } from "../../../http/tests/support.ts";
import { openEdge } from "../../../http/tls/edge.ts";
import { answer2, ask2, certificateOn, connect2, get1, name } from "../../../http/tls/tests/visitors.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { openAuthority } from "../../certificates/authority/account.ts";
import { eventRoutes } from "../../events/routes.ts";
import { renewIfDue } from "../orders.ts";
import { type CertificateStatus, listCertificateStatus } from "../queries.ts";
import { challengesOf, sharedCertificate } from "../served.ts";

// Orders at a real authority, which verifies the names at the ports of processes that serve HTTPS. A worker orders, and they answer.

let directory: string;
let authority: Authority;
let database: TestDatabase;
let token: string;
let httpsPort: number;
let httpPort: number;
let opened: { app: FastifyInstance; listener: Listener }[];

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "longshore-installation-"));
  [httpsPort, httpPort] = (await freePorts(2)) as [number, number];
  authority = await startAuthority({ directory, httpPort, tlsPort: httpsPort });
});
after(async () => {
  await authority?.close();
  await rm(directory, { recursive: true, force: true });
});

beforeEach(async () => {
  opened = [];
  database = await testDatabase();
  token = (await createCast(database.pool)).alice;
});
afterEach(async () => {
  authority.mend();
  await authority.point(name, "127.0.0.1");
  for (const { app, listener } of opened) {
    await app.close();
    await listener.stop();
  }
  await database.drop();
});

const contextWith = (settings: Record<string, string> = {}): Context =>
  contextOn(database.pool, {
    domains: name,
    httpsHost: "127.0.0.1",
    httpsPort: String(httpsPort),
    httpPort: String(httpPort),
    acmeDirectory: authority.directoryUrl,
    acmeTrustFile: authority.trustFile,
    dnsServers: authority.dns,
    ...settings,
  });

/** A process that serves the names. */
async function serve(settings: Record<string, string> = {}): Promise<Context> {
  const context = contextWith(settings);
  const listener = new Listener(database.url, context.log);
  await listener.start();
  const ctx = { ...context, listener };
  const app = appOn(ctx, eventRoutes);
  opened.push({ app, listener });
  const edge = await openEdge(app, {
    config: ctx.config,
    log: ctx.log,
    source: sharedCertificate(ctx),
    challenges: challengesOf(ctx),
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  await edge.listen();
  return ctx;
}

/** A worker looks once whether a certificate is due. */
const work = (ctx: Context): Promise<void> =>
  renewIfDue({ ...ctx, authority: openAuthority(ctx) }, new AbortController().signal);

async function status(): Promise<CertificateStatus> {
  const [found] = await listCertificateStatus(database.pool);
  return found as CertificateStatus;
}

const isIssued = async (port = httpsPort): Promise<boolean> => /Pebble/.test((await certificateOn(port)).issuer);
const untilIssued = (port?: number) => pollUntil(() => isIssued(port), { timeoutMs: 30_000 });
const ordersOf = (requests: readonly string[]): number => requests.filter((each) => /order-plz 201/.test(each)).length;
const makeDue = () => database.pool.query("update installation_certificates set renew_at = now(), retry_at = null");

describe("the first certificate", () => {
  test("is proven over HTTP, and takes the place of the one that signs itself", async () => {
    const ctx = await serve();
    assert.equal((await certificateOn(httpsPort)).issuer, "CN=Longshore");
    assert.equal((await get1(httpsPort, "/api/v1/health")).headers["strict-transport-security"], undefined);
    await work(ctx);
    assert.ok(await untilIssued());
    const { source, error, names } = await status();
    assert.deepEqual([source, error, names], ["acme", null, [name]]);
    const { headers } = await get1(httpsPort, "/api/v1/health");
    assert.equal(headers["strict-transport-security"], "max-age=31536000");
    const left = await row<{ count: number }>(
      database.pool,
      sql`select (select count(*) from installation_orders) + (select count(*) from installation_challenges) as count`,
    );
    assert.equal(left?.count, 0);
  });

  test("is proven over TLS where there is no port 80", async () => {
    await work(await serve({ httpPort: "off" }));
    assert.ok(await untilIssued());
  });

  test("is proven over TLS at once where port 80 is closed on the way", async () => {
    // The authority asks at a port where nothing listens.
    const ctx = await serve({ httpPort: String(await freePort()) });
    await work(ctx);
    assert.ok(await untilIssued());
    await makeDue();
    const before = authority.answered.length;
    await work(ctx);
    assert.equal(ordersOf(authority.answered.slice(before)), 1, "The next one begins with the proof that succeeded.");
  });

  test("is not ordered while a name has no address", async (t) => {
    const dns = await startDnsServer();
    t.after(() => dns.close());
    const ctx = await serve({ dnsServers: dns.address });
    const before = authority.requests.length;
    await work(ctx);
    const { source, error } = await status();
    assert.equal(source, "self");
    assert.match(error ?? "", /^panel\.example\.com has no address in the DNS: add an A or AAAA record /);
    assert.equal(authority.requests.slice(before).filter((each) => /order-plz/.test(each)).length, 0);
    dns.zone.set(name, { A: ["127.0.0.1"] });
    await makeDue();
    await work(ctx);
    assert.ok(await untilIssued());
  });

  test("that no proof gets is not asked for again before ten minutes", async () => {
    const ctx = await serve({ httpPort: String(await freePort()) });
    await authority.point(name, "127.0.0.9");
    await work(ctx);
    const { error, retry_at: retryAt } = await status();
    assert.match(error ?? "", /^The authority could not verify panel\.example\.com over HTTPS \(port 443\): /);
    assert.ok(Date.parse(retryAt ?? "") > Date.now() + 7 * 60_000);
    const failed = sql`select count(*)::int as count from acme_requests where scope = ${`failed:${name}`}`;
    assert.equal((await row<{ count: number }>(database.pool, failed))?.count, 2);
  });
});

describe("a renewal", () => {
  test("breaks no connection, and needs no order before a third of its life is left", async () => {
    const ctx = await serve();
    await work(ctx);
    assert.ok(await untilIssued());
    const before = authority.requests.length;
    await work(ctx);
    assert.equal(authority.requests.length, before);
    const session = await connect2(httpsPort);
    const stream = ask2(session, { ":path": "/api/v1/events", authorization: `Bearer ${token}` });
    await once(stream, "response");
    const former = await certificateOn(httpsPort);
    await makeDue();
    await work(ctx);
    const hasChanged = async () => (await certificateOn(httpsPort)).fingerprint !== former.fingerprint;
    assert.ok(await pollUntil(hasChanged, { timeoutMs: 30_000 }));
    assert.equal((await answer2(ask2(session, { ":path": "/api/v1/health" }))).status, 200);
    assert.ok(!stream.closed);
    session.destroy();
  });

  test("that fails keeps the certificate, has a reason, and is not repeated at once", async () => {
    const ctx = await serve();
    await work(ctx);
    assert.ok(await untilIssued());
    authority.fail(/order-plz/, { status: 500, type: "serverInternal", detail: "out of order" });
    await makeDue();
    await work(ctx);
    assert.ok(await isIssued());
    const { error, retry_at: retryAt } = await status();
    assert.match(error ?? "", /The certificate authority refuses: out of order/);
    assert.ok(Date.parse(retryAt ?? "") > Date.now() + 30_000);
    const before = authority.requests.length;
    await work(ctx);
    assert.equal(authority.requests.length, before);
  });

  test("waits as long as the authority requires", async () => {
    const ctx = await serve();
    const fault = { status: 429, type: "rateLimited", detail: "too many", headers: { "Retry-After": "7200" } };
    authority.fail(/order-plz/, fault, 1);
    await work(ctx);
    const { error, retry_at: retryAt } = await status();
    assert.match(error ?? "", /too many/);
    assert.ok(Date.parse(retryAt ?? "") > Date.now() + 7_100_000);
    // A process that starts looks again, and still asks for nothing.
    await makeDue();
    const before = authority.requests.length;
    await work(ctx);
    assert.equal(authority.requests.slice(before).filter((each) => /order-plz/.test(each)).length, 0);
  });
});

test("two processes share the certificate, and each answers for the order that a third one makes", async () => {
  const other = await freePort();
  // The authority asks the first one for the file, and the second one serves the same names.
  await serve();
  await serve({ httpsPort: String(other), httpPort: "off" });
  assert.deepEqual(await certificateOn(httpsPort), await certificateOn(other));
  await work(contextWith());
  assert.ok((await untilIssued(httpsPort)) && (await untilIssued(other)));
  assert.deepEqual(await certificateOn(httpsPort), await certificateOn(other));
});

describe("a worker that dies in the middle of an order", () => {
  const places: Record<string, RegExp> = {
    "before the order is answered": /order-plz/,
    "before the challenge is reported": /chalZ/,
    "before the order is finalized": /finalize-order/,
    "before the certificate is fetched": /certZ/,
  };
  for (const [place, path] of Object.entries(places)) {
    test(`${place}, leaves what the next one continues with`, async () => {
      const ctx = await serve();
      const dying = new AbortController();
      const hasDied = Promise.withResolvers<void>();
      // It never returns from this request, as if its process were gone.
      authority.before(path, async () => {
        dying.abort();
        hasDied.resolve();
        await new Promise(() => undefined);
      });
      const before = authority.answered.length;
      void renewIfDue({ ...ctx, authority: openAuthority(ctx) }, dying.signal).catch(() => undefined);
      await hasDied.promise;
      await work(ctx);
      assert.ok(await untilIssued());
      assert.equal(ordersOf(authority.answered.slice(before)), 1);
    });
  }
});
