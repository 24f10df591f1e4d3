import assert from "node:assert/strict";
import { once } from "node:events";
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, beforeEach, test } from "node:test";
import { freePort } from "../../stage/free-port.ts";
import { testDatabase } from "../../test/database.ts";
import { World } from "../../test/route-world.ts";
import { tcpProxy } from "../../test/tcp-proxy.ts";
import { postgresProcessesOf } from "../db/embedded.ts";
import { row, sql } from "../db/sql.ts";
import { contextOn, createCast } from "../http/tests/support.ts";
import { pollUntil } from "../lib/clock.ts";
import { newKey } from "../lib/secrets.ts";
import { begin, inTerminal, longshore, type Platform, startPlatform } from "./platform.ts";

let data: string;
let running: Platform[];

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "longshore-up-"));
  running = [];
});
afterEach(async () => {
  for (const platform of running) platform.signal("SIGKILL");
  await Promise.all(running.map((platform) => platform.ended));
  await pollUntil(async () => (await postgresOf(data)).length === 0, { timeoutMs: 60_000 });
  await rm(data, { recursive: true });
});

const postgresOf = (directory: string): Promise<number[]> =>
  postgresProcessesOf(join(directory, "postgres", "data")).catch(() => []);

async function start(env: Record<string, string> = {}): Promise<Platform> {
  const platform = await startPlatform(data, env);
  running.push(platform);
  return platform;
}

/** Waits for it: a busy machine may need more time than the health check allows. */
const isHealthy = ({ url }: Platform): Promise<boolean | undefined> =>
  pollUntil(async () => (await fetch(`${url}/api/v1/health`)).status === 200, { timeoutMs: 60_000 });

async function makeToken(): Promise<string> {
  await longshore(["admin", "user", "--data", data, "--email", "alice@example.com", "--name", "Alice"]);
  const args = ["--email", "alice@example.com", "--name", "test", "--permissions", "*", "--json"];
  const { stdout } = await longshore(["admin", "token", "--data", data, ...args]);
  return (JSON.parse(stdout) as { token: string }).token;
}

async function nameOfCaller(url: string, token: string): Promise<unknown> {
  const answer = await fetch(`${url}/api/v1/me`, { headers: { Authorization: `Bearer ${token}` } });
  return ((await answer.json()) as { data?: { name: string } }).data?.name;
}

test("it gets ready, answers, and stops in order at SIGTERM with nothing left running", async () => {
  const platform = await start();
  assert.ok(await isHealthy(platform));
  platform.signal("SIGTERM");
  const { exitCode } = await platform.ended;
  assert.equal(exitCode, 0);
  assert.deepEqual(await postgresOf(data), []);
});

test("interrupted while its database is made, it stops, and the next start makes it", async () => {
  const { ended, interrupt } = inTerminal(["up", "--data", data, "--port", "0"]);
  const isMaking = () => readdir(join(data, "postgres/data.new")).catch(() => undefined);
  assert.ok(await pollUntil(isMaking, { timeoutMs: 60_000 }), "the database is being made");
  interrupt();
  const { exitCode, stdout, stderr } = await ended;
  assert.match(stdout, /^Stopped before Longshore was ready\.$/m);
  assert.doesNotMatch(stdout, /is ready at/);
  assert.deepEqual([exitCode, stderr], [0, ""]);
  await start();
});

test("a new installation prints a code for its first account, and the command line another one in its place", async () => {
  const platform = await start();
  const setupCode = () => longshore(["admin", "setup-code", "--data", data, "--json"]);
  const { code, setup_url } = JSON.parse((await setupCode()).stdout) as { code: string; setup_url: string };
  assert.equal(setup_url, `${platform.url}/setup#${code}`);
  const account = {
    name: "Alice",
    email: "alice@example.com",
    password: "correct horse battery",
    organization: "Acme",
  };
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ ...account, code });
  const answer = await fetch(`${platform.url}/api/v1/setup`, { method: "POST", headers, body });
  assert.equal(answer.status, 201);
  assert.notEqual((await setupCode()).exitCode, 0, "There is an account.");
  platform.signal("SIGTERM");
  const [, printed] = /http:\/\/127\.0\.0\.1:\d+\/setup#(\w{32})$/m.exec((await platform.ended).stdout) ?? [];
  assert.ok(printed !== undefined && printed !== code);
  const again = await start();
  again.signal("SIGTERM");
  assert.doesNotMatch((await again.ended).stdout, /setup#/);
});

test("admin prints the address at which it runs, or the public one", async () => {
  const platform = await start();
  await makeToken();
  const link = async (env: Record<string, string> = {}) => {
    const args = ["admin", "sign-in-link", "--data", data, "--email", "alice@example.com", "--json"];
    const { stdout } = await longshore(args, env);
    return new URL((JSON.parse(stdout) as { sign_in_url: string }).sign_in_url).origin;
  };
  assert.equal(await link(), platform.url);
  assert.equal(await link({ LONGSHORE_PUBLIC_URL: "https://panel.example.com" }), "https://panel.example.com");
  platform.signal("SIGTERM");
  await platform.ended;
  const again = await start({ LONGSHORE_PUBLIC_URL: "https://deploy.example.com" });
  assert.equal(await link(), "https://deploy.example.com");
  again.signal("SIGTERM");
});

test("admin works beside it, and while it is stopped", async () => {
  const first = await start();
  const token = await makeToken();
  assert.equal(await nameOfCaller(first.url, token), "Alice");
  first.signal("SIGTERM");
  await first.ended;
  const other = await makeToken();
  const platform = await start();
  assert.equal(await nameOfCaller(platform.url, other), "Alice");
});

test("admin makes no installation where there is none", async () => {
  const user = ["admin", "user", "--email", "alice@example.com", "--name", "Alice"];
  const inDirectory = await longshore([...user, "--data", data]);
  assert.equal(inDirectory.exitCode, 1);
  assert.match(inDirectory.stderr, new RegExp(`^longshore: There is no installation in ${data}\\.`));
  assert.deepEqual(await readdir(data), []);
  const database = await testDatabase({ migrated: false });
  after(() => database.drop());
  const inDatabase = await longshore(user, { DATABASE_URL: database.url });
  assert.equal(inDatabase.exitCode, 1);
  assert.match(inDatabase.stderr, /^longshore: The database of DATABASE_URL holds no installation\./);
  const tables = await database.pool.query("select 1 from pg_tables where schemaname = 'public'");
  assert.equal(tables.rowCount, 0);
});

test("a database that goes away at any moment of the start ends it with one sentence", async () => {
  const database = await testDatabase();
  after(() => database.drop());
  const secrets = { LONGSHORE_SECRET_KEY: newKey(), LONGSHORE_LOG_LEVEL: "silent" };
  const up = ["up", "--data", data, "--port", "0"];
  // Those after the first start find the tables of the queues. Work that begins beside the start adds packets at times.
  let packets = Number.POSITIVE_INFINITY;
  for (let starts = 0; starts < 3; starts++) {
    const whole = await tcpProxy(database.url);
    const { ready, ended, signal } = begin(up, { DATABASE_URL: whole.url, ...secrets });
    assert.ok(await ready);
    packets = Math.min(packets, whole.packets);
    signal("SIGTERM");
    await ended;
    await whole.close();
  }
  for (const moment of Array.from({ length: 8 }, (_, index) => Math.ceil((packets * 0.6 * (index + 1)) / 8))) {
    const proxy = await tcpProxy(database.url);
    proxy.breakAt(moment);
    const { ready, ended, signal } = begin(up, { DATABASE_URL: proxy.url, ...secrets });
    // It would continue without its database.
    if (await ready) signal("SIGKILL");
    const { exitCode, stdout, stderr } = await ended;
    await proxy.close();
    const seen = `packet ${moment} of ${packets}: ${stdout}${stderr}`;
    assert.equal(exitCode, 1, seen);
    assert.match(stderr, /^longshore: [^\n]+[.)]\n$/, seen);
    assert.doesNotMatch(stdout, /is ready/, seen);
  }
});

test("a DATABASE_URL that cannot be used is one sentence without its password", async () => {
  const database = await testDatabase({ migrated: false });
  after(() => database.drop());
  const missing = new URL(database.url);
  missing.pathname = "/no_such_database";
  const free = `127.0.0.1:${await freePort()}`;
  const reasons: [string, RegExp][] = [
    [`postgresql://alice:s3cret@${free}/longshore`, new RegExp(`nothing listens at ${free}`)],
    ["postgresql://alice:s3cret@no-such-host.invalid/longshore", /has no address/],
    [missing.href, /has no database no_such_database\. Create it/],
  ];
  for (const [url, reason] of reasons) {
    const { exitCode, stdout, stderr } = await longshore(["up", "--data", data, "--port", "0"], { DATABASE_URL: url });
    assert.equal(exitCode, 1, url);
    assert.match(stderr, reason);
    assert.match(stderr, /^longshore: DATABASE_URL: .*\n$/);
    assert.doesNotMatch(stdout + stderr, /s3cret|Database connected/);
  }
});

test("a data directory that cannot be made is one sentence, with and without a database of its own", async () => {
  const database = await testDatabase({ migrated: false });
  after(() => database.drop());
  const env: Record<string, string>[] = [{}, { DATABASE_URL: database.url }];
  for (const each of env) {
    const { exitCode, stderr } = await longshore(["up", "--data", "/proc/x/y", "--port", "0"], each);
    assert.equal(exitCode, 1);
    assert.match(stderr, /^longshore: The data directory \/proc\/x\/y cannot be written .*\n$/);
  }
});

test("a start that waits for ever ends at SIGTERM", async () => {
  const database = await testDatabase({ migrated: false });
  const holder = await database.pool.connect();
  after(async () => {
    holder.release(true);
    await database.drop();
  });
  // Another process migrates, and never ends.
  await holder.query("select pg_advisory_lock(7235001)");
  const { ended, signal } = begin(["up", "--data", data, "--port", "0"], { DATABASE_URL: database.url });
  const isWaiting = async () =>
    (await database.pool.query("select 1 from pg_locks where objid = 7235001 and not granted")).rowCount === 1;
  assert.ok(await pollUntil(isWaiting, { timeoutMs: 60_000 }));
  signal("SIGTERM");
  const { exitCode, stdout } = await ended;
  assert.equal(exitCode, 0);
  assert.match(stdout, /^Stopped before Longshore was ready\.$/m);
});

test("an unusable key is reported before anything is created", async () => {
  const { exitCode, stderr } = await longshore(["up", "--data", data, "--port", "0"], {
    LONGSHORE_SECRET_KEY: "short",
  });
  assert.equal(exitCode, 1);
  assert.match(stderr, /^longshore: LONGSHORE_SECRET_KEY is not a key: /);
  assert.deepEqual(await readdir(data), []);
});

test("a key file that is missing is not replaced", async () => {
  const platform = await start();
  platform.signal("SIGTERM");
  await platform.ended;
  await rm(join(data, "secret.key"));
  const { exitCode, stderr } = await longshore(["up", "--data", data, "--port", "0"]);
  assert.equal(exitCode, 1);
  assert.match(stderr, /^longshore: The key file .*secret\.key is missing\. Restore the key from your backup/m);
  assert.ok(!(await readdir(data)).includes("secret.key"));
});

test("killed, it comes back with every answer it gave, and its PostgreSQL does not linger", async () => {
  const killed = await start();
  const token = await makeToken();
  killed.signal("SIGKILL");
  await killed.ended;
  const platform = await start();
  assert.equal(await nameOfCaller(platform.url, token), "Alice");
});

test("killed for good, it takes its PostgreSQL with it", async () => {
  const killed = await start();
  assert.notDeepEqual(await postgresOf(data), []);
  killed.signal("SIGKILL");
  await killed.ended;
  assert.ok(await pollUntil(async () => (await postgresOf(data)).length === 0, { timeoutMs: 60_000 }));
});

test("a PostgreSQL that outlived its Longshore is ended before another is started", async () => {
  const platform = await start();
  const token = await makeToken();
  const old = await postgresOf(data);
  // Stopped, they cannot follow the kernel's request to end until a SIGCONT continues them.
  for (const pid of old) process.kill(pid, "SIGSTOP");
  platform.signal("SIGKILL");
  await platform.ended;
  const starting = start();
  for (const pid of old) process.kill(pid, "SIGCONT");
  const { url } = await starting;
  assert.equal(await nameOfCaller(url, token), "Alice");
  const now = await postgresOf(data);
  assert.deepEqual(
    old.filter((pid) => now.includes(pid)),
    [],
  );
});

const postmaster = async (): Promise<number> =>
  Number((await readFile(join(data, "postgres/data/postmaster.pid"), "utf8").catch(() => "")).split("\n")[0]);

/** Kills PostgreSQL's first process; resolves with its number. */
async function killPostgres(): Promise<number> {
  const pid = await postmaster();
  process.kill(pid, "SIGKILL");
  return pid;
}

test("when its PostgreSQL is killed it starts it again and continues", async () => {
  const platform = await start();
  const token = await makeToken();
  const killed = await killPostgres();
  const answers = async () => (await nameOfCaller(platform.url, token).catch(() => undefined)) === "Alice";
  assert.ok(await pollUntil(async () => (await postmaster()) !== killed && answers(), { timeoutMs: 60_000 }));
  assert.ok(await isHealthy(platform));
  platform.signal("SIGTERM");
  const { exitCode, stderr } = await platform.ended;
  assert.equal(exitCode, 0);
  assert.match(stderr, /The embedded PostgreSQL ended unexpectedly and is started again/);
  assert.deepEqual(await postgresOf(data), []);
});

test("when its PostgreSQL cannot be started again it reports that and ends", async () => {
  const platform = await start();
  await appendFile(join(data, "postgres/data/postgresql.conf"), "\nshared_buffers = banana\n");
  await killPostgres();
  const { exitCode, stderr } = await platform.ended;
  assert.equal(exitCode, 1);
  assert.match(stderr, /^longshore: The embedded PostgreSQL ended unexpectedly and does not come back\./m);
});

test("a second one on the same data directory is refused, and the first continues", async () => {
  const platform = await start();
  const { exitCode, stderr } = await longshore(["up", "--data", data, "--port", "0"]);
  assert.equal(exitCode, 1);
  assert.equal(
    stderr,
    `longshore: The data directory ${data} is in use by process ${platform.pid} (longshore up). Stop it, choose another directory with --data, or run several processes on one database with DATABASE_URL.\n`,
  );
  assert.ok(await isHealthy(platform));
});

test("a port in use is named before anything is made", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  const { port } = other.address() as AddressInfo;
  const { exitCode, stderr } = await longshore(["up", "--data", data, "--port", `${port}`]);
  other.close();
  assert.equal(exitCode, 1);
  assert.match(stderr, new RegExp(`^longshore: Port ${port} of 127\\.0\\.0\\.1 is in use by another program\\.`, "m"));
  assert.deepEqual(await readdir(data), []);
});

test("a corrupt key file is refused", async () => {
  await writeFile(join(data, "secret.key"), "0123\n", { mode: 0o600 });
  const { exitCode, stderr } = await longshore(["up", "--data", data, "--port", "0"]);
  assert.equal(exitCode, 1);
  assert.match(stderr, /^longshore: The key file .*secret\.key is not a key/m);
});

test("another key than the one the database was filled with is refused", async () => {
  const platform = await start();
  platform.signal("SIGTERM");
  await platform.ended;
  const { exitCode, stderr } = await longshore(["up", "--data", data, "--port", "0"], {
    LONGSHORE_SECRET_KEY: newKey(),
  });
  assert.equal(exitCode, 1);
  assert.match(
    stderr,
    /^longshore: A secret was encrypted with key [0-9a-f]{8}, which this installation does not have/m,
  );
});

test("a bad setting is one sentence", async () => {
  const { exitCode, stderr } = await longshore(["up", "--data", data, "--port", "http"]);
  assert.equal(exitCode, 1);
  assert.equal(
    stderr,
    'longshore: LONGSHORE_PORT (--port) must be a whole number between 0 and 65535. It is "http".\n',
  );
});

test("with --json the last line of a failure is one object", async () => {
  const { exitCode, stdout } = await longshore(["up", "--data", data, "--port", "http", "--json"]);
  assert.equal(exitCode, 1);
  assert.match((JSON.parse(stdout) as { error: string }).error, /^LONGSHORE_PORT/);
});

test("a request under way when it is asked to stop gets its answer", async () => {
  const database = await testDatabase();
  after(() => database.drop());
  const platform = await start({ DATABASE_URL: database.url, LONGSHORE_SECRET_KEY: newKey() });
  const lock = await database.pool.connect();
  await lock.query("begin; lock table tokens in access exclusive mode");
  const answer = fetch(`${platform.url}/api/v1/me`, { headers: { Authorization: "Bearer of-no-account" } });
  const waiting = "select 1 from pg_locks where relation = 'tokens'::regclass and not granted";
  assert.ok(await pollUntil(async () => (await lock.query(waiting)).rowCount === 1, { timeoutMs: 60_000 }));
  platform.signal("SIGTERM");
  const refused = () =>
    fetch(`${platform.url}/api/v1/health`).then(
      () => false,
      () => true,
    );
  assert.ok(await pollUntil(refused, { timeoutMs: 60_000 }), "it still takes connections");
  await lock.query("commit");
  lock.release();
  assert.equal((await answer).status, 401);
  assert.equal((await platform.ended).exitCode, 0);
});

test("several processes share a database that is named, and need no data directory of their own", async () => {
  const database = await testDatabase({ migrated: false });
  after(() => database.drop());
  const env = { DATABASE_URL: database.url, LONGSHORE_SECRET_KEY: newKey() };
  const platforms = await Promise.all([start({ ...env, LONGSHORE_ROLE: "api" }), start(env)]);
  for (const platform of platforms) assert.ok(await isHealthy(platform));
  for (const platform of platforms) platform.signal("SIGTERM");
  const ends = await Promise.all(platforms.map((platform) => platform.ended));
  assert.deepEqual(
    ends.map((end) => end.exitCode),
    [0, 0],
  );
});

test("killed between the change and its answer, it carries out the repeated request once, and answers within 30 s", async () => {
  const database = await testDatabase();
  try {
    const { pool, url } = database;
    const cast = await createCast(pool);
    const project = await new World(contextOn(pool), cast).project();
    const toggle = (platform: Platform) =>
      fetch(`${platform.url}/api/v1/projects/${project}/maintenance/toggle`, {
        method: "POST",
        headers: { Authorization: `Bearer ${cast.alice}`, "Idempotency-Key": "toggle" },
      });
    const countToggles = async () =>
      (await row<{ count: number }>(pool, sql`select count(*)::integer from runs where kind = 'maintenance'`))?.count;
    // Its server does not answer, so the first request waits.
    const first = await start({ DATABASE_URL: url });
    const lost = toggle(first).catch(() => "lost");
    await pollUntil(async () => (await countToggles()) === 1, { timeoutMs: 30_000 });
    first.signal("SIGKILL");
    await first.ended;
    assert.equal(await lost, "lost");
    const second = await start({ DATABASE_URL: url });
    const repeatedAt = performance.now();
    const answer = await toggle(second);
    const { message, records } = (await answer.json()) as { message: string; records: string[] };
    assert.deepEqual([answer.status, answer.headers.get("idempotency-replayed")], [202, "true"], message);
    assert.ok(performance.now() - repeatedAt < 30_000);
    assert.deepEqual(records, [`project:${project}`]);
    assert.equal(await countToggles(), 1);
    second.signal("SIGKILL");
    await second.ended;
  } finally {
    await database.drop();
  }
});
