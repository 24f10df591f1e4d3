import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { freePorts } from "../../stage/free-port.ts";
import { type Authority, environmentOf, startAuthority } from "../../stage/pebble.ts";
import { selfSigned } from "../../stage/self-signed.ts";
import { type TestDatabase, testDatabase } from "../../test/database.ts";
import { answer2, ask2, certificateOn, connect2, get1, name } from "../http/tls/tests/visitors.ts";
import { pollUntil } from "../lib/clock.ts";
import { newKey } from "../lib/secrets.ts";
import { longshore, type Platform, startPlatform } from "./platform.ts";

// A real `longshore up` that serves HTTPS itself, and a real authority.

let directory: string;
let authority: Authority;
let database: TestDatabase;
let httpsPort: number;
let httpPort: number;
let running: Platform[];
let env: Record<string, string>;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "longshore-https-"));
  [httpsPort, httpPort] = (await freePorts(2)) as [number, number];
  authority = await startAuthority({ directory, httpPort, tlsPort: httpsPort });
});
after(async () => {
  await authority?.close();
  await rm(directory, { recursive: true, force: true });
});
beforeEach(async () => {
  running = [];
  database = await testDatabase();
  env = {
    ...environmentOf(authority),
    DATABASE_URL: database.url,
    LONGSHORE_SECRET_KEY: newKey(),
    LONGSHORE_DOMAIN: name,
    LONGSHORE_HTTPS_HOST: "127.0.0.1",
    LONGSHORE_HTTPS_PORT: String(httpsPort),
    LONGSHORE_HTTP_PORT: String(httpPort),
  };
});
afterEach(async () => {
  for (const platform of running) platform.signal("SIGKILL");
  await Promise.all(running.map((platform) => platform.ended));
  authority.mend();
  await database.drop();
});

async function start(settings: Record<string, string> = {}): Promise<Platform> {
  const platform = await startPlatform(join(directory, "data"), { ...env, ...settings });
  running.push(platform);
  return platform;
}

const isIssued = async (): Promise<boolean> => /Pebble/.test((await certificateOn(httpsPort)).issuer);
const untilIssued = () => pollUntil(isIssued, { timeoutMs: 60_000 });

test("it prints the fingerprint of a certificate that signs itself, serves it, and then the one that was issued", async () => {
  // Until this request is passed on, there is no certificate of the authority.
  const held = Promise.withResolvers<void>();
  authority.before(/order-plz/, () => held.promise);
  const platform = await start();
  assert.equal(platform.url, `https://${name}`);
  const { fingerprint } = await certificateOn(httpsPort);
  assert.equal((await get1(httpsPort, "/api/v1/health")).status, 200);
  held.resolve();
  assert.ok(await untilIssued());
  const redirect = await fetch(`http://127.0.0.1:${httpPort}/setup`, { redirect: "manual" });
  assert.deepEqual([redirect.status, redirect.headers.get("location")], [404, null]);
  const session = await connect2(httpsPort);
  const health = await answer2(ask2(session, { ":path": "/api/v1/health" }));
  assert.equal(health.headers["strict-transport-security"], "max-age=31536000");
  platform.signal("SIGTERM");
  await once(session, "close");
  const { exitCode, stdout } = await platform.ended;
  assert.equal(exitCode, 0);
  assert.match(stdout, new RegExp(`^ {2}${fingerprint}$`, "m"));
  assert.match(stdout, /^ {2}https:\/\/panel\.example\.com\/setup#\w{32}$/m);
});

test("killed in the middle of an order, it gets the certificate of that order after the next start", async () => {
  const killed = Promise.withResolvers<void>();
  const before = authority.answered.length;
  authority.before(/finalize-order/, async () => {
    first.signal("SIGKILL");
    killed.resolve();
    await first.ended;
  });
  const first = await start();
  await killed.promise;
  await first.ended;
  await start();
  assert.ok(await untilIssued());
  assert.equal(authority.answered.slice(before).filter((each) => /order-plz 201/.test(each)).length, 1);
});

test("a certificate of the operator's own is read again when its files change, and a broken one is not served", async () => {
  const [certificate, key] = [join(directory, "own.pem"), join(directory, "own.key")];
  const write = async () => {
    const made = await selfSigned([name]);
    await writeFile(certificate, made.certificate);
    await writeFile(key, made.private_key);
  };
  await write();
  const before = authority.requests.length;
  const platform = await start({
    LONGSHORE_TLS_CERT: certificate,
    LONGSHORE_TLS_KEY: key,
    LONGSHORE_LOG_LEVEL: "info",
  });
  const first = await certificateOn(httpsPort);
  assert.equal(first.issuer, "CN=own");
  await write();
  const hasChanged = async () => (await certificateOn(httpsPort)).fingerprint !== first.fingerprint;
  assert.ok(await pollUntil(hasChanged, { timeoutMs: 30_000 }));
  const second = await certificateOn(httpsPort);
  await writeFile(key, "nonsense");
  assert.ok(
    await pollUntil(() => /cannot be served, the former one stays/.test(platform.output()), { timeoutMs: 30_000 }),
  );
  assert.deepEqual(await certificateOn(httpsPort), second);
  assert.equal(authority.requests.length, before, "Nothing is ordered.");
});

test("a certificate that cannot be served, and a port that another program has, are reported before anything is made", async () => {
  const [certificate, key] = [join(directory, "one.pem"), join(directory, "other.key")];
  await writeFile(certificate, (await selfSigned([name])).certificate);
  await writeFile(key, (await selfSigned([name])).private_key);
  const data = join(directory, "none");
  const up = (more: Record<string, string>) => longshore(["up", "--data", data, "--port", "0"], { ...env, ...more });
  const unfit = await up({ LONGSHORE_TLS_CERT: certificate, LONGSHORE_TLS_KEY: key });
  assert.equal(unfit.stderr, `longshore: The key does not belong to the certificate of ${certificate}.\n`);
  await start();
  const taken = await up({});
  assert.match(
    taken.stderr,
    new RegExp(`^longshore: Port ${httpsPort} of 127\\.0\\.0\\.1 is in use by another program\\.`),
  );
});
