import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { testDatabase } from "../../../test/database.ts";
import { loadConfig } from "../../config.ts";
import { pollUntil } from "../../lib/clock.ts";
import { lockFile, readNote } from "../../lib/lock.ts";
import { openDatabase } from "../data-directory.ts";
import { openPool } from "../pool.ts";

let data: string;

beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "longshore-data-"));
});
afterEach(() => rm(data, { recursive: true }));

const config = () => loadConfig({}, { dataDirectory: data });

test("with DATABASE_URL nothing is started and no data directory is needed", async () => {
  const { url, drop } = await testDatabase({ migrated: false });
  const database = await openDatabase(loadConfig({ DATABASE_URL: url }, { dataDirectory: "/proc/nowhere" }), "up");
  assert.equal(database.url, url);
  await drop();
  await database.close();
});

test("admin beside an up uses its database and leaves it running", async () => {
  const up = await openDatabase(config(), "up");
  const admin = await openDatabase(config(), "admin");
  assert.equal(admin.url, up.url);
  await admin.close();
  const pool = openPool(up.url);
  await pool.query("select 1");
  await pool.end();
  await up.close();
});

test("admin waits for an up that has just begun", async () => {
  const starting = openDatabase(config(), "up");
  await pollUntil(async () => (await readNote(join(data, "lock"))).includes('"up"'), { timeoutMs: 60_000, everyMs: 1 });
  const admin = await openDatabase(config(), "admin");
  const up = await starting;
  assert.equal(admin.url, up.url);
  await admin.close();
  await up.close();
});

test("a process that starts while admin is at work waits until it is done", async () => {
  await (await openDatabase(config(), "up")).close();
  const admin = await openDatabase(config(), "admin");
  let isAtWork = true;
  const next = [openDatabase(config(), "up"), openDatabase(config(), "admin")].map(async (opening) => {
    const database = await opening;
    assert.equal(isAtWork, false);
    await database.close();
  });
  const pool = openPool(admin.url);
  await pool.query("select 1");
  await pool.end();
  isAtWork = false;
  await admin.close();
  await Promise.all(next);
});

test("a second up is refused with the holder's process", async () => {
  const lock = await lockFile(join(data, "lock"));
  lock?.note(JSON.stringify({ pid: 4711, purpose: "up" }));
  await assert.rejects(openDatabase(config(), "up"), {
    code: "data_directory_in_use",
    message: /is in use by process 4711 \(longshore up\)\. Stop it/,
  });
  lock?.release();
});

test("a data directory that cannot be one is a sentence", async () => {
  await writeFile(join(data, "file"), "");
  const refused = loadConfig({}, { dataDirectory: join(data, "file", "below") });
  await assert.rejects(openDatabase(refused, "up"), {
    code: "configuration",
    message: /^The data directory .* cannot be written \(ENOTDIR/,
  });
});

test("the database is reported lost only when it ended by itself", async () => {
  const database = await openDatabase(config(), "up");
  let isLost = false;
  database.lost.then(() => {
    isLost = true;
  });
  await database.close();
  assert.equal(isLost, false);
});
