import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import pg from "pg";
import { freePort } from "../../../stage/free-port.ts";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { type TcpProxy, tcpProxy } from "../../../test/tcp-proxy.ts";
import { urlsOfHosts } from "../../lib/postgres-url.ts";
import { checkConnection } from "../connection-check.ts";
import { migrate } from "../migrate.ts";
import { isOutage } from "../outage.ts";
import { openPool, type Pool } from "../pool.ts";
import { transaction } from "../transaction.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase({ migrated: false });
});
after(() => database.drop());

interface Stage {
  proxy: TcpProxy;
  pool: Pool;
}

/** A pool behind a proxy of its own. */
async function openStage(more: Parameters<typeof openPool>[1] = {}): Promise<Stage & AsyncDisposable> {
  const proxy = await tcpProxy(database.url);
  const pool = openPool(proxy.url, { max: 2, ...more });
  const close = async (): Promise<void> => {
    await pool.end();
    await proxy.close();
  };
  return { proxy, pool, [Symbol.asyncDispose]: close };
}

/** How the work fails, and after how many seconds. */
async function failure(work: Promise<unknown>): Promise<{ error: unknown; seconds: number }> {
  const begunAt = performance.now();
  const error = await work.then(
    () => assert.fail("It did not fail."),
    (reason: unknown) => reason,
  );
  return { error, seconds: (performance.now() - begunAt) / 1_000 };
}

describe("a database that vanishes without closing its connections", { concurrency: true }, () => {
  it("fails what was sent to it within a limit, as an outage, and works at once when it is back", async () => {
    await using stage = await openStage();
    await stage.pool.query("select 1");
    stage.proxy.swallow();
    const sent = Array.from({ length: 6 }, () => failure(stage.pool.query("select 1")));
    for (const { error, seconds } of await Promise.all(sent)) {
      assert.ok(isOutage(error), String(error));
      assert.ok(seconds < 25, `${seconds} s`);
    }
    stage.proxy.heal();
    assert.equal((await stage.pool.query("select 1 as one")).rows[0].one, 1);
  });

  it("fails a transaction whose connection died, while others already use the next one", async () => {
    await using stage = await openStage();
    const { promise: isOpen, resolve: opened } = Promise.withResolvers<void>();
    const { promise: isDead, resolve: died } = Promise.withResolvers<void>();
    const cut = failure(
      transaction(stage.pool, async (tx) => {
        await tx.query("select 1");
        opened();
        await isDead;
        await tx.query("select 1");
      }),
    );
    await isOpen;
    stage.proxy.swallow();
    stage.proxy.heal();
    died();
    assert.equal((await stage.pool.query("select 1 as one")).rows[0].one, 1);
    const { error, seconds } = await cut;
    assert.ok(isOutage(error), String(error));
    assert.ok(seconds < 15, `${seconds} s`);
  });

  it("fails a wait without a limit, as soon as the database has nothing to do for it", async () => {
    await using stage = await openStage();
    const holder = await database.pool.connect();
    await holder.query("select pg_advisory_lock(7235001)");
    const migrating = failure(migrate(stage.pool));
    const isWaiting = async () =>
      (await database.pool.query("select 1 from pg_locks where objid = 7235001 and not granted")).rowCount === 1;
    while (!(await isWaiting()));
    stage.proxy.swallow();
    stage.proxy.heal();
    holder.release(true);
    const { error, seconds } = await migrating;
    assert.ok(isOutage(error), String(error));
    assert.ok(seconds < 15, `${seconds} s`);
  });

  it("does not keep the pool from ending", async () => {
    const stage = await openStage();
    await stage.pool.query("select 1");
    stage.proxy.swallow();
    const begunAt = performance.now();
    await stage[Symbol.asyncDispose]();
    assert.ok(performance.now() - begunAt < 10_000);
  });
});

describe("a statement that takes long", { concurrency: true }, () => {
  it("is not cut while the database works on it", async () => {
    await using stage = await openStage();
    const { rows } = await stage.pool.query("select 42 as answer from pg_sleep(12)");
    assert.deepEqual(rows, [{ answer: 42 }]);
  });

  it("is not cut when the database has no connection left to ask by", async () => {
    const role = `lone_${process.pid}`;
    const admin = new pg.Client(database.url.replace("user=longshore", "user=postgres"));
    await admin.connect();
    await admin.query(`create role ${role} login connection limit 1`);
    const proxy = await tcpProxy(database.url);
    const pool = openPool(proxy.url.replace("longshore@", `${role}@`), { max: 1 });
    const { rows } = await pool.query("select 42 as answer from pg_sleep(9)");
    assert.deepEqual(rows, [{ answer: 42 }]);
    await pool.end();
    await proxy.close();
    await admin.query(`drop role ${role}`);
    await admin.end();
  });

  it("is given up when the database should have ended it itself", async () => {
    await using stage = await openStage({ statementTimeoutMs: 1_000 });
    const { error, seconds } = await failure(
      transaction(stage.pool, async (tx) => {
        await tx.query("set local statement_timeout = 0");
        await tx.query("select pg_sleep(60)");
      }),
    );
    assert.ok(isOutage(error), String(error));
    assert.ok(seconds < 12, `${seconds} s`);
  });
});

describe("several hosts", () => {
  it("are read from a URL as libpq reads them", () => {
    const cases: Record<string, string[]> = {
      "postgresql://u:p@a:1,b:2/d?sslmode=disable": [
        "postgresql://u:p@a:1/d?sslmode=disable",
        "postgresql://u:p@b:2/d?sslmode=disable",
      ],
      "postgres://a,[::1]:7,10.0.0.3/d": ["postgres://a/d", "postgres://[::1]:7/d", "postgres://10.0.0.3/d"],
      "postgresql://u:p%2C@a/d": ["postgresql://u:p%2C@a/d"],
      "postgresql://u:a,b@c/d?x=e,f": ["postgresql://u:a,b@c/d?x=e,f"],
      "postgresql:///d?host=/run/a,b&port=1,2": [
        "postgresql:///d?host=%2Frun%2Fa&port=1",
        "postgresql:///d?host=b&port=2",
      ],
      "postgresql:///d?host=a,b&port=9": ["postgresql:///d?host=a&port=9", "postgresql:///d?host=b&port=9"],
    };
    for (const [url, hosts] of Object.entries(cases)) assert.deepEqual(urlsOfHosts(url), hosts);
  });

  it("are used as one: the writable one is found at the start and again after it is lost", async () => {
    const [first, second] = [await tcpProxy(database.url), await tcpProxy(database.url)];
    const dead = await freePort();
    const url = first.url.replace(
      /127.0.0.1:\d+/,
      `127.0.0.1:${dead},127.0.0.1:${first.port},127.0.0.1:${second.port}`,
    );
    await checkConnection(url);
    const pool = openPool(url, { max: 2 });
    const isAlive = async () => (await pool.query("select 1 as one")).rows[0].one === 1;
    assert.ok(await isAlive());
    await first.close();
    // Each failure leads to the next host: here only the lost one is between.
    for (let failures = 0; !(await isAlive().catch(() => false)); failures++) assert.ok(failures < 3);
    await pool.end();
    await second.close();
    await assert.rejects(checkConnection(url), {
      code: "configuration",
      message: /^DATABASE_URL: (nothing listens at 127.0.0.1:\d+\. .*?( Also, |$)){3}/,
    });
  });
});

describe("a database that is read-only", () => {
  it("is an outage for every new connection, and one sentence at the start", async () => {
    const own = await testDatabase({ migrated: false });
    const name = new URL(own.url).pathname.slice(1);
    await own.pool.query(`alter database ${name} set default_transaction_read_only = on`);
    const pool = openPool(own.url);
    const { error } = await failure(pool.query("select 1"));
    assert.ok(isOutage(error), String(error));
    await assert.rejects(checkConnection(own.url), { code: "configuration", message: /is read-only: it is a standby/ });
    await pool.end();
    await own.drop();
  });

  it("gives up a connection that became read-only, and uses one that is not", async () => {
    const pool = openPool(database.url, { max: 1 });
    const { error } = await failure(
      transaction(pool, async (tx) => {
        await tx.query("set transaction read only");
        await tx.query("create table never (id integer)");
      }),
    );
    assert.ok(isOutage(error), String(error));
    assert.equal(pool.totalCount, 0);
    await pool.end();
  });
});
