import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import { openPool } from "../../../db/pool.ts";
import { transaction } from "../../../db/transaction.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { openLog } from "../../../lib/log.ts";
import { Listener } from "../../listener.ts";
import { Queue, type QueueDefinition } from "../queue.ts";
import { type JobHandler, Worker } from "../worker.ts";

const log = openLog("silent");
const queues: QueueDefinition[] = [{ name: "work" }, { name: "by-key", policy: "keyed" }];

let database: TestDatabase;
let queue: Queue;
let listener: Listener;
const workers: Worker[] = [];

before(async () => {
  database = await testDatabase();
  queue = new Queue(database.pool, log);
  await queue.start(queues);
  listener = new Listener(database.url, log);
  await listener.start();
});

afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await database.pool.query("delete from queue.job");
});

after(async () => {
  await listener.stop();
  await queue.stop();
  await database.drop();
});

const enqueue = (name: string, data: Record<string, unknown>, options = {}): Promise<void> =>
  transaction(database.pool, (tx) => queue.enqueue(tx, name, data, options));

/** A worker that starts to work; it is stopped after the test. */
async function startWorker(work: JobHandler["work"], concurrency = 10): Promise<Worker> {
  const worker = new Worker(queue, [{ name: "work", concurrency, work }], log);
  workers.push(worker);
  await worker.start(listener);
  return worker;
}

/** A promise, and the function that fulfils it. */
function signal<Value = void>() {
  return Promise.withResolvers<Value>();
}

const statesOf = async (name: string): Promise<string[]> => {
  const found = await database.pool.query("select state from queue.job where name = $1 order by created_on", [name]);
  return found.rows.map(({ state }) => state as string);
};

const becomes = async (ask: () => Promise<boolean>, timeoutMs = 30_000): Promise<void> =>
  assert.ok(await pollUntil(ask, { timeoutMs }), "waited in vain");

describe("a queue that was just made", () => {
  it("takes its first job on the connection of the transaction alone", async () => {
    const pool = openPool(database.url, { max: 1 });
    const first = new Queue(pool, log);
    try {
      await first.start([{ name: "just-made" }]);
      await transaction(pool, (tx) => first.enqueue(tx, "just-made", {}));
      assert.deepEqual(await statesOf("just-made"), ["created"]);
    } finally {
      await first.stop();
      await pool.end();
    }
  });
});

describe("the queue", () => {
  it("begins with a key's waiting job at the earliest time that was asked for", async () => {
    const isDue = async () =>
      (await database.pool.query("select start_after <= now() as is_due from queue.job where name = 'by-key'")).rows;
    await enqueue("by-key", {}, { key: "a", afterSeconds: 60 });
    await enqueue("by-key", {}, { key: "a", afterSeconds: 90 });
    assert.deepEqual(await isDue(), [{ is_due: false }]);
    await enqueue("by-key", {}, { key: "a" });
    assert.deepEqual(await isDue(), [{ is_due: true }]);
  });

  it("holds a job from the commit on, and none of a transaction that failed", async () => {
    await transaction(database.pool, async (tx) => {
      await queue.enqueue(tx, "work", { n: 1 });
      assert.deepEqual(await queue.claim("work", 10), []);
    });
    const failing = transaction(database.pool, async (tx) => {
      await queue.enqueue(tx, "work", { n: 2 });
      throw new Error("changed my mind");
    });
    await assert.rejects(failing, /changed my mind/);
    const jobs = await queue.claim("work", 10);
    assert.deepEqual(
      jobs.map(({ data }) => data),
      [{ n: 1 }],
    );
  });

  it("gives a job to one worker, however many claim", async () => {
    for (let n = 0; n < 20; n++) await enqueue("work", { n });
    const claims = await Promise.all([1, 2, 3, 4, 5].map(() => queue.claim("work", 20)));
    const numbers = claims.flat().map(({ data }) => data.n as number);
    assert.deepEqual(
      numbers.sort((a, b) => a - b),
      [...Array(20).keys()],
    );
  });

  it("holds one waiting job for each key; one more once that is worked on", async () => {
    await enqueue("by-key", {}, { key: "1" });
    await enqueue("by-key", {}, { key: "1" });
    await enqueue("by-key", {}, { key: "2" });
    assert.deepEqual(await statesOf("by-key"), ["created", "created"]);
    assert.equal((await queue.claim("by-key", 10)).length, 2);
    await enqueue("by-key", {}, { key: "1" });
    assert.deepEqual(await statesOf("by-key"), ["active", "active", "created"]);
  });

  it("holds a job back until it is due", async () => {
    await enqueue("work", {}, { afterSeconds: 3600 });
    assert.deepEqual(await queue.claim("work", 1), []);
  });

  it("brings the jobs of a worker back whose heartbeat ended, and only those", async () => {
    await enqueue("work", { n: "died" });
    await enqueue("work", { n: "alive" });
    // In no particular order.
    const claimed = await queue.claim("work", 2);
    const [died, alive] = ["died", "alive"].map((n) => claimed.find(({ data }) => data.n === n));
    assert.ok(died && alive);
    const sinceHeartbeat = "update queue.job set heartbeat_on = heartbeat_on - $2::interval where id = $1";
    await database.pool.query(sinceHeartbeat, [alive.id, "5 seconds"]);
    const beating = setInterval(() => void queue.touch([alive]), 500);
    try {
      await database.pool.query(sinceHeartbeat, [died.id, "11 seconds"]);
      await becomes(async () => (await statesOf("work")).includes("retry"), 60_000);
    } finally {
      clearInterval(beating);
    }
    // A worker that was wrongly assumed dead has lost the job: its reports do not count.
    await queue.complete(died);
    assert.deepEqual((await statesOf("work")).sort(), ["active", "retry"]);
    await becomes(async () => (await queue.claim("work", 2)).some(({ data }) => data.n === "died"));
  });

  it("takes all jobs back at once for a process that is certainly alone", async () => {
    await enqueue("work", { n: 1 });
    await enqueue("work", { n: 2 });
    await enqueue("work", { n: 3 });
    const [first] = await queue.claim("work", 2);
    assert.ok(first);
    await queue.fail(first, "did not work");
    await queue.takeBackAll(queues, database.pool);
    assert.equal((await queue.claim("work", 10)).length, 3);
  });
});

describe("a worker", () => {
  it("is notified of a job at its commit", async () => {
    const done = signal<unknown>();
    await startWorker(async (data) => done.resolve(data));
    await enqueue("work", { n: 1 });
    assert.deepEqual(await done.promise, { n: 1 });
    await becomes(async () => (await statesOf("work")).join() === "completed");
  });

  it("tries a job that failed again", async () => {
    const attempts: unknown[] = [];
    await startWorker(async ({ n }) => {
      attempts.push(n);
      if (attempts.length < 2) throw new Error("not yet");
    });
    await enqueue("work", { n: 1 });
    await becomes(async () => (await statesOf("work")).join() === "completed");
    assert.deepEqual(attempts, [1, 1]);
  });

  it("works on no more than it has room for, and takes the next as soon as there is room", async () => {
    const gates = new Map<number, () => void>();
    let most = 0;
    await startWorker(async ({ n }) => {
      const gate = signal();
      gates.set(n as number, gate.resolve);
      most = Math.max(most, gates.size);
      await gate.promise;
      gates.delete(n as number);
    }, 2);
    for (let n = 0; n < 4; n++) await enqueue("work", { n });
    for (let n = 0; n < 4; n++) {
      await becomes(async () => gates.has(n));
      gates.get(n)?.();
    }
    await becomes(async () => (await statesOf("work")).every((state) => state === "completed"));
    assert.equal(most, 2);
  });

  it("gives back what it had not finished when it stops, and another one takes it up", async () => {
    const begun = signal();
    const first = await startWorker(async (_data, stopping) => {
      begun.resolve();
      await new Promise((resolve) => stopping.addEventListener("abort", resolve));
    });
    await enqueue("work", { n: 1 });
    await begun.promise;
    await first.stop();
    assert.deepEqual(await statesOf("work"), ["retry"]);
    const done = signal<unknown>();
    await startWorker(async (data) => done.resolve(data));
    assert.deepEqual(await done.promise, { n: 1 });
  });

  it("keeps a job that takes longer than a heartbeat may be silent", async () => {
    const begun = signal();
    const gate = signal();
    let attempts = 0;
    await startWorker(async () => {
      attempts += 1;
      begun.resolve();
      await gate.promise;
    });
    await enqueue("work", { n: 1 });
    await begun.promise;
    await database.pool.query("update queue.job set heartbeat_on = heartbeat_on - interval '4 seconds'");
    const beating = async () => {
      const silent = await database.pool.query(
        "select heartbeat_on < now() - interval '3500 milliseconds' as s from queue.job",
      );
      return silent.rows[0]?.s === false;
    };
    await becomes(beating);
    gate.resolve();
    await becomes(async () => (await statesOf("work")).join() === "completed");
    assert.equal(attempts, 1);
  });
});

describe("the listener", () => {
  it("is notified again after its connection was lost, and makes all listeners look in case something was missed", async () => {
    const payloads: string[] = [];
    const forget = await listener.listen("test_channel", (payload) => payloads.push(payload));
    const kill = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'longshore listener'";
    await database.pool.query(`${kill} and datname = current_database()`);
    await becomes(async () => payloads.includes(""));
    await database.pool.query("select pg_notify('test_channel', 'received')");
    await becomes(async () => payloads.includes("received"));
    forget();
  });

  it("has one connection again after the database was away for a while", async () => {
    const { rows } = await database.pool.query<{ name: string }>("select current_database() as name");
    const name = rows[0]?.name ?? "";
    const elsewhere = openPool(database.url.replace(`/${name}?`, "/template1?"), { max: 1 });
    const ours = `from pg_stat_activity where application_name = 'longshore listener' and datname = '${name}'`;
    const before = (await elsewhere.query(`select pid ${ours}`)).rowCount;
    let failures = 0;
    const counting = Object.assign(Object.create(log), { warn: () => (failures += 1) });
    const another = new Listener(database.url, counting);
    await another.start();
    const received: string[] = [];
    await another.listen("test_channel", (payload) => received.push(payload));
    try {
      await elsewhere.query(`alter database ${name} allow_connections false`);
      await elsewhere.query(`select pg_terminate_backend(pid) ${ours}`);
      await becomes(async () => failures >= 3);
      await elsewhere.query(`alter database ${name} allow_connections true`);
      await becomes(async () => received.includes(""));
      await becomes(async () => (await elsewhere.query(`select pid ${ours}`)).rowCount === (before ?? 0) + 1);
    } finally {
      await elsewhere.query(`alter database ${name} allow_connections true`);
      await elsewhere.end();
      await another.stop();
    }
  });
});
