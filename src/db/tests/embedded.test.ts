import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { type EmbeddedPostgres, postgresProcessesOf, startEmbeddedPostgres } from "../embedded.ts";

let root: string;
let directory: string;
let running: EmbeddedPostgres[];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "longshore-embedded-"));
  directory = join(root, "postgres");
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((postgres) => postgres.stop()));
  await rm(root, { recursive: true });
});

async function start(where = directory): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres(where);
  running.push(postgres);
  return postgres;
}

async function query(url: string, text: string): Promise<unknown[][]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query({ text, rowMode: "array" })).rows;
  } finally {
    await client.end();
  }
}

test("what is committed survives, and nothing keeps running after a stop", async () => {
  const first = await start();
  await query(first.url, "create table kept as select 42 as answer");
  await first.stop();
  assert.deepEqual(await postgresProcessesOf(join(directory, "data")), []);
  const second = await start();
  assert.deepEqual(await query(second.url, "select answer from kept"), [[42]]);
});

test("it writes durably, with checksums, in UTF-8, and the product's role is no superuser", async () => {
  const { url } = await start();
  const settings = ["fsync", "full_page_writes", "synchronous_commit", "data_checksums", "server_encoding"];
  const [row] = await query(url, `select ${settings.map((name) => `current_setting('${name}')`).join(", ")}`);
  assert.deepEqual(row, ["on", "on", "on", "on", "UTF8"]);
  assert.deepEqual(await query(url, "select current_user::text, rolsuper from pg_roles where rolname = current_user"), [
    ["longshore", false],
  ]);
});

test("only this user reaches it: no network, and a socket behind a closed directory", async () => {
  const { url } = await start();
  assert.deepEqual(await query(url, "select current_setting('listen_addresses')"), [[""]]);
  const socketDirectory = new URL(url).searchParams.get("host") ?? "";
  assert.equal((await stat(socketDirectory)).mode & 0o777, 0o700);
  assert.equal((await stat(directory)).mode & 0o777, 0o700);
});

test("a directory too long for a socket's path gets its socket elsewhere", async () => {
  const long = join(root, "x".repeat(100));
  const { url } = await start(long);
  const socketDirectory = new URL(url).searchParams.get("host") ?? "";
  assert.ok(!socketDirectory.startsWith(root));
  assert.equal((await stat(socketDirectory)).mode & 0o777, 0o700);
  assert.deepEqual(await query(url, "select 1"), [[1]]);
  await rm(socketDirectory, { recursive: true });
});

test("a cluster whose making was interrupted is made again", async () => {
  await mkdir(join(directory, "data.new", "base"), { recursive: true });
  const { url } = await start();
  assert.deepEqual(await query(url, "select 1"), [[1]]);
  assert.equal(existsSync(join(directory, "data.new")), false);
});

test("a pid file that names a process of something else does not stop it from starting", async () => {
  const first = await start();
  const pidFile = join(directory, "data", "postmaster.pid");
  const lines = (await readFile(pidFile, "utf8")).split("\n");
  await first.stop();
  await writeFile(pidFile, [process.ppid, ...lines.slice(1)].join("\n"), { mode: 0o600 });
  const { url } = await start();
  assert.deepEqual(await query(url, "select 1"), [[1]]);
});

test("a socket that a killed PostgreSQL left does not stop it from starting", async () => {
  const first = await start();
  const lock = join(new URL(first.url).searchParams.get("host") ?? "", ".s.PGSQL.5432.lock");
  const lines = (await readFile(lock, "utf8")).split("\n");
  await first.stop();
  await writeFile(lock, [process.ppid, ...lines.slice(1)].join("\n"), { mode: 0o600 });
  const { url } = await start();
  assert.deepEqual(await query(url, "select 1"), [[1]]);
});

test("one that recovers from a crash is stopped at once, whether it has begun to or not", async () => {
  for (const afterMs of [0, 30, 300]) {
    const postgres = await start();
    const client = new pg.Client(postgres.url);
    client.on("error", () => {});
    await client.connect();
    process.kill((await client.query("select pg_backend_pid() as pid")).rows[0].pid, "SIGKILL");
    await delay(afterMs);
    const begunAt = performance.now();
    await postgres.stop();
    assert.ok(performance.now() - begunAt < 15_000, `after ${afterMs} ms`);
  }
});

test("a start that waits for an earlier process says so", async () => {
  await start();
  const old = await postgresProcessesOf(join(directory, "data"));
  for (const pid of old) process.kill(pid, "SIGSTOP");
  const { promise: said, resolve: onWait } = Promise.withResolvers<string>();
  const second = startEmbeddedPostgres(directory, { onWait });
  assert.match(await said, /^Waiting for the PostgreSQL of an earlier process to end\.$/);
  for (const pid of old) process.kill(pid, "SIGCONT");
  running.push(await second);
});

test("a cluster of another version is refused and left as it is", async () => {
  await mkdir(join(directory, "data"), { recursive: true });
  await writeFile(join(directory, "data", "PG_VERSION"), "17\n");
  await assert.rejects(start(), { code: "configuration", message: /was made by PostgreSQL 17/ });
  assert.equal(await readFile(join(directory, "data", "PG_VERSION"), "utf8"), "17\n");
});

test("when it does not start, the reason is PostgreSQL's own", async () => {
  await (await start()).stop();
  await appendFile(join(directory, "data", "postgresql.conf"), "\nshared_buffers = banana\n");
  await assert.rejects(start(), (error: Error & { code?: string }) => {
    assert.equal(error.code, "unavailable");
    assert.match(
      error.message,
      /^The embedded PostgreSQL did not start\. It said: .*contains errors.*postgres\/log\.$/s,
    );
    return true;
  });
  assert.deepEqual(await postgresProcessesOf(join(directory, "data")), []);
});

test("a data directory that was moved works where it is now", async () => {
  const first = await start();
  await query(first.url, "create table kept as select 42 as answer");
  await first.stop();
  const elsewhere = join(root, "moved", "postgres");
  await mkdir(dirname(elsewhere));
  await rename(directory, elsewhere);
  const second = await start(elsewhere);
  assert.deepEqual(await query(second.url, "select answer from kept"), [[42]]);
});
