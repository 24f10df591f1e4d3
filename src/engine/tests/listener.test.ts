import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { tcpProxy } from "../../../test/tcp-proxy.ts";
import { row, sql } from "../../db/sql.ts";
import { pollUntil } from "../../lib/clock.ts";
import { openLog } from "../../lib/log.ts";
import { Listener } from "../listener.ts";

let database: TestDatabase;

before(async () => {
  database = await testDatabase();
});

after(() => database.drop());

const connections = async (): Promise<number | undefined> =>
  (
    await row<{ count: number }>(
      database.pool,
      sql`
        select count(*)::integer as count from pg_stat_activity
        where datname = current_database() and application_name = 'longshore listener'
      `,
    )
  )?.count;

test("a listener that stops while it connects keeps no connection, and connects no more", async () => {
  const listener = new Listener(database.url, openLog("silent"));
  await listener.start();
  assert.equal(await connections(), 1);
  await listener.stop();
  await listener.start();
  assert.ok(await pollUntil(async () => (await connections()) === 0, { timeoutMs: 60_000 }));

  const other = new Listener(database.url, openLog("silent"));
  const started = other.start();
  await other.stop();
  await started;
  assert.ok(await pollUntil(async () => (await connections()) === 0, { timeoutMs: 60_000 }));
});

test("a listener notices that its database vanished, and notifies when it listens again", async () => {
  const proxy = await tcpProxy(database.url);
  const listener = new Listener(proxy.url, openLog("silent"));
  const payloads: string[] = [];
  await listener.start();
  await listener.listen("longshore_test", (payload) => payloads.push(payload));
  proxy.swallow();
  proxy.heal();
  assert.ok(await pollUntil(() => payloads.length > 0, { timeoutMs: 30_000 }));
  await database.pool.query("notify longshore_test, 'again'");
  assert.ok(await pollUntil(() => payloads.at(-1) === "again", { timeoutMs: 30_000 }));
  assert.equal(payloads[0], "");
  await listener.stop();
  await proxy.close();
});
