import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import { rows, sql } from "../../../db/sql.ts";
import { openLog } from "../../../lib/log.ts";
import { eventually } from "../../tests/engines.ts";
import type { Schedule } from "../schedule.ts";
import { Scheduler } from "../scheduler.ts";

const log = openLog("silent");
let database: TestDatabase;

before(async () => {
  database = await testDatabase();
  await database.pool.query("create table due (id integer primary key, due_at timestamptz not null default now())");
});
after(() => database?.drop());

/** A process: a separate scheduler on the same database. */
async function startProcess(...schedules: Schedule[]): Promise<Scheduler> {
  const scheduler = new Scheduler({ pool: database.pool, log }, schedules);
  await scheduler.start();
  return scheduler;
}

describe("a periodic task", () => {
  it("is done again and again, also after a failure", async () => {
    let times = 0;
    const task = { name: "often", everyMs: 5, work: async () => void (++times === 1 ? assert.fail("once") : times) };
    const scheduler = await startProcess(task);
    await eventually(async () => times >= 3);
    await scheduler.stop();
  });

  it("is done by one of several processes at a time, and never overlaps itself", async () => {
    let [active, most, times] = [0, 0, 0];
    const work = async () => {
      most = Math.max(most, ++active);
      await new Promise((resolve) => setTimeout(resolve, 15));
      active--;
      times++;
    };
    const processes = await Promise.all([1, 2, 3].map(() => startProcess({ name: "alone", everyMs: 1, work })));
    await eventually(async () => times >= 8);
    await Promise.all(processes.map((each) => each.stop()));
    assert.equal(most, 1);
  });

  it("is taken over from a process that died, when its lease ends", async () => {
    await database.pool.query(
      "insert into periodic_tasks (name, lease_token, lease_until) values ('orphan', gen_random_uuid(), now() + interval '1 day')",
    );
    let times = 0;
    const scheduler = await startProcess({ name: "orphan", everyMs: 5, work: async () => void times++ });
    assert.equal(times, 0);
    await database.pool.query("update periodic_tasks set lease_until = now() where name = 'orphan'");
    await eventually(async () => times > 0);
    await scheduler.stop();
  });

  it("waits for work that is under way before it is stopped", async () => {
    const begun = Promise.withResolvers<void>();
    let ended = false;
    const work = async (signal: AbortSignal) => {
      begun.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      ended = true;
    };
    const scheduler = await startProcess({ name: "long", everyMs: 5, work });
    await begun.promise;
    await scheduler.stop();
    assert.ok(ended);
  });
});

describe("rows that are due", () => {
  it("are each worked on once over several processes, and a failing one stops no other", async () => {
    await database.pool.query("insert into due (id) select generate_series(1, 500)");
    const done = new Map<number, number>();
    const schedule: Schedule = {
      name: "due",
      everyMs: 5,
      batch: 20,
      concurrency: 50,
      claim: (db, limit) =>
        rows<{ id: number }>(
          db,
          sql`
            update due set due_at = now() + interval '1 hour' where id in (
              select id from due where due_at <= now() order by due_at limit ${limit} for update skip locked)
            returning id
          `,
        ),
      work: async ({ id }: { id: number }) => {
        done.set(id, (done.get(id) ?? 0) + 1);
        if (id % 7 === 0) throw new Error("poisoned");
      },
    };
    const processes = await Promise.all([1, 2].map(() => startProcess(schedule)));
    await eventually(async () => done.size === 500);
    await Promise.all(processes.map((each) => each.stop()));
    assert.deepEqual([...new Set(done.values())], [1]);
  });
});

describe("shards", () => {
  /** Shards that a process began to hold while another one did. */
  const heldTwice: number[] = [];
  afterEach(() => assert.deepEqual(heldTwice.splice(0), []));

  const sharded = (name: string, held: Map<number, string>, process: string): Schedule => ({
    name,
    shards: 6,
    hold: async (shard, signal) => {
      if (held.has(shard)) heldTwice.push(shard);
      held.set(shard, process);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      held.delete(shard);
    },
  });
  const sizes = (held: Map<number, string>) =>
    [...Map.groupBy(held.values(), (process) => process).values()].map((shards) => shards.length).sort();

  it("are divided over the processes, and move when one stops", async () => {
    const held = new Map<number, string>();
    const first = await startProcess(sharded("shared", held, "a"));
    await eventually(async () => held.size === 6);
    const second = await startProcess(sharded("shared", held, "b"));
    await eventually(async () => sizes(held).join() === "3,3");
    await first.stop();
    await eventually(async () => sizes(held).join() === "6");
    await second.stop();
    assert.equal(held.size, 0);
  });

  it("are held again by a process that could not renew its leases for a while", async () => {
    const held = new Map<number, string>();
    const scheduler = await startProcess(sharded("late", held, "a"));
    await eventually(async () => held.size === 6);
    // All connections are in use until the process has released its shards.
    const taken = await Promise.all(Array.from({ length: 10 }, () => database.pool.connect()));
    await eventually(async () => held.size === 0);
    for (const client of taken) client.release();
    await eventually(async () => held.size === 6);
    await scheduler.stop();
  });

  it("are left to others when the database's answer comes after the lease has ended", async (t) => {
    const held = new Map<number, string>();
    const now = performance.now.bind(performance);
    let passedMs = 0;
    t.mock.method(performance, "now", () => now() + passedMs);
    let other: Scheduler | undefined;
    const query = async (asked: { text: string }) => {
      const answer = await database.pool.query(asked);
      if (other === undefined && /update shards set\s+owner = \$/.test(asked.text)) {
        passedMs = 11_000;
        await database.pool.query("update shards set lease_until = clock_timestamp() where name = 'slow'");
        other = await startProcess(sharded("slow", held, "b"));
        await eventually(async () => held.size === 3);
      }
      return answer;
    };
    const pool = Object.create(database.pool, { query: { value: query } }) as TestDatabase["pool"];
    const late = new Scheduler({ pool, log }, [sharded("slow", held, "a")]);
    await late.start();
    await eventually(async () => sizes(held).join() === "3,3");
    await Promise.all([late.stop(), other?.stop()]);
  });

  it("are held by others when a process died", async () => {
    const held = new Map<number, string>();
    await database.pool.query(
      "insert into shards (name, shard, owner, lease_until) select 'orphans', generate_series(0, 5), gen_random_uuid(), now() + interval '1 day'",
    );
    const scheduler = await startProcess(sharded("orphans", held, "a"));
    assert.equal(held.size, 0);
    await database.pool.query("update shards set lease_until = now() where name = 'orphans'");
    await eventually(async () => held.size === 6);
    await scheduler.stop();
  });
});
