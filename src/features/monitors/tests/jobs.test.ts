import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { row, rows, sql } from "../../../db/sql.ts";
import type { Sharded } from "../../../engine/schedule/schedule.ts";
import { periodicTask } from "../../../features.ts";
import { call } from "../../../http/tests/support.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { shardCount } from "../checks/queries.ts";
import { deleteExpired, monitorSchedules } from "../jobs.ts";
import { addMonitor, addProject, addProvisioned, openStage, type Stage, storedMonitor } from "./support.ts";

let stage: Stage;
let server: number;
let project: number;
let site: Server;
let url: string;
/** How often each path was requested. */
const requests = new Map<string, number>();

before(async () => {
  stage = await openStage({ monitorAllow: "127.0.0.0/8", secondOpinion: "off" });
  await stage.pool.query("update organizations set plan = 'business'");
  server = await addProvisioned(stage, { name: "web" });
  site = createServer((request, response) => {
    const path = request.url ?? "";
    requests.set(path, (requests.get(path) ?? 0) + 1);
    response.end("fine");
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
after(async () => {
  site.close();
  await stage.close();
});
beforeEach(async () => {
  requests.clear();
  project = await addProject(stage.pool, server);
});
afterEach(async () => {
  for (const shard of [...holding.keys()]) await release(shard);
  await stage.pool.query("delete from projects");
});

async function until(what: string, look: () => Promise<boolean> | boolean): Promise<void> {
  if (!(await pollUntil(async () => look(), { timeoutMs: 30_000, everyMs: 20 }))) throw new Error(`In vain: ${what}`);
}

const holding = new Map<number, { schedule: Sharded; stopping: AbortController; ended: Promise<void> }>();

/** The schedule as one process has it. */
const openSchedule = (): Sharded =>
  monitorSchedules(stage.ctx).find(({ name }) => name === "http-checks") as unknown as Sharded;

function hold(schedule: Sharded, shard: number): void {
  const stopping = new AbortController();
  holding.set(shard, { schedule, stopping, ended: schedule.hold(shard, stopping.signal) });
}

async function release(shard: number): Promise<void> {
  const held = holding.get(shard);
  holding.delete(shard);
  held?.stopping.abort();
  await held?.ended;
}

const wasRequested = (path: string): boolean => (requests.get(path) ?? 0) > 0;

// So that no check but the first falls into a test.
const day = 86_400;

describe("the checks of a shard", () => {
  it("start when it is claimed, and their results are stored when it is released", async () => {
    const id = await addMonitor(stage, project, { url: `${url}/first`, intervalSeconds: day });
    hold(openSchedule(), id % shardCount);
    await until("the first check", () => wasRequested("/first"));
    await until("its verdict", async () => (await storedMonitor(stage, id)).current_status === "up");
    await release(id % shardCount);
    const counted = await row<{ checks: number }>(
      stage.pool,
      sql`select sum(checks)::integer as checks from monitor_hours where monitor_id = ${id}`,
    );
    assert.equal(counted?.checks, 1);
  });

  it("cover that shard alone, and each shard of a process is released separately", async () => {
    const schedule = openSchedule();
    const ids = [await addMonitor(stage, project, { url: `${url}/one`, intervalSeconds: day })];
    ids.push(await addMonitor(stage, project, { url: `${url}/two`, intervalSeconds: day }));
    const [one, two] = ids.map((id) => id % shardCount) as [number, number];
    hold(schedule, one);
    await until("the check of one", () => wasRequested("/one"));
    hold(schedule, two);
    await until("the check of two", () => wasRequested("/two"));
    await release(one);
    // The other one is still followed.
    await stage.pool.query("delete from monitors");
    const next = await nextInShard(two, `${url}/three`);
    await notify(next);
    await until("the check of three", () => wasRequested("/three"));
    assert.equal(requests.get("/one"), 1);
  });

  it("include created and changed monitors, through notifications", async () => {
    const schedule = openSchedule();
    for (let shard = 0; shard < shardCount; shard++) hold(schedule, shard);
    const of = { monitorable_type: "App\\Models\\Project", monitorable_id: project };
    const body = { type: "http", name: "Shop", interval_seconds: day, ...of };
    const created = await call(stage.app, "POST /api/v1/monitors", {
      token: stage.cast.alice,
      body: { ...body, config: { url: `${url}/created` } },
    });
    assert.equal(created.status, 201, created.text);
    const { id } = created.body.data;
    await until("its check", () => wasRequested("/created"));
    await change(id, { is_active: false });
    await change(id, { config: { url: `${url}/changed` }, is_active: true });
    await until("its check at the new address", () => wasRequested("/changed"));
    assert.equal(requests.get("/created"), 1);
  });

  it("reload all monitors when a notification names none", async () => {
    const id = await addMonitor(stage, project, { url: `${url}/known` });
    hold(openSchedule(), id % shardCount);
    await until("the check of the known one", () => wasRequested("/known"));
    await nextInShard(id % shardCount, `${url}/unknown`);
    await stage.pool.query("notify longshore_monitors");
    await until("the check of the unknown one", () => wasRequested("/unknown"));
  });

  it("start at the next attempt when the shard could not be read", async () => {
    const id = await addMonitor(stage, project, { url: `${url}/later` });
    const schedule = openSchedule();
    await stage.pool.query("alter table monitor_intervals rename to away");
    await assert.rejects(schedule.hold(id % shardCount, new AbortController().signal));
    await stage.pool.query("alter table away rename to monitor_intervals");
    hold(schedule, id % shardCount);
    await until("the check", () => wasRequested("/later"));
  });
});

const notify = (id: number) => stage.pool.query("select pg_notify('longshore_monitors', $1)", [String(id)]);

const change = async (id: number, body: object): Promise<void> => {
  const reply = await call(stage.app, `PUT /api/v1/monitors/${id}`, { token: stage.cast.alice, body });
  assert.equal(reply.status, 200, reply.text);
};

/** A monitor whose id is in that shard. */
async function nextInShard(shard: number, address: string): Promise<number> {
  for (;;) {
    const id = await addMonitor(stage, project, { url: address });
    if (id % shardCount === shard) return id;
    await stage.pool.query("delete from monitors where id = $1", [id]);
  }
}

describe("monitors of deleted domains", () => {
  const deleteOrphans = () => periodicTask(stage.ctx, "monitors-of-deleted-domains").work(new AbortController().signal);
  const remaining = async (): Promise<number[]> =>
    (await rows<{ id: number }>(stage.pool, sql`select id from monitors order by id`)).map(({ id }) => id);

  it("are deleted, unless a pending change may restore the domain", async () => {
    const kept = await addMonitor(stage, project);
    const orphan = await addMonitor(stage, project);
    await stage.pool.query("update monitors set target = 'domain', domain_id = 999999 where id = $1", [orphan]);
    await stage.pool.query("insert into site_changes (project_id, before, version) values ($1, '{}', 1)", [project]);
    await deleteOrphans();
    assert.deepEqual(await remaining(), [kept, orphan]);
    await stage.pool.query("update site_changes set state = 'accepted' where project_id = $1", [project]);
    await deleteOrphans();
    assert.deepEqual(await remaining(), [kept]);
  });
});

describe("retention", () => {
  const now = new Date(Date.UTC(2031, 5, 15));
  const daysAgo = (days: number): Date => new Date(now.getTime() - days * 86_400_000);
  const retentionDays = (): number => stage.ctx.config.monitorRetentionDays;

  it("deletes old events and states, and keeps open ones", async () => {
    const id = await addMonitor(stage, project);
    const [old, young] = [daysAgo(retentionDays() + 1), daysAgo(retentionDays() - 1)];
    const older = daysAgo(retentionDays() + 2);
    for (const [status, at, resolvedAt] of [
      ["up", old, null],
      ["up", young, null],
      ["down", older, old],
      ["down", older, young],
      ["down", older, null],
    ]) {
      await stage.pool.query(
        "insert into monitor_events (monitor_id, status, message, created_at, resolved_at) values ($1, $2, '', $3, $4)",
        [id, status, at, resolvedAt],
      );
    }
    for (const [state, from, to] of [
      ["up", older, old],
      ["down", old, young],
      ["up", young, null],
    ]) {
      await stage.pool.query(
        "insert into monitor_intervals (monitor_id, state, started_at, ended_at) values ($1, $2, $3, $4)",
        [id, state, from, to],
      );
    }
    await deleteExpired(stage.ctx, now, new AbortController().signal);
    const events = await rows(
      stage.pool,
      sql`select status, resolved_at is null as is_open from monitor_events where monitor_id = ${id} order by id`,
    );
    assert.deepEqual(events, [
      { status: "up", is_open: true },
      { status: "down", is_open: false },
      { status: "down", is_open: true },
    ]);
    const states = await rows(
      stage.pool,
      sql`select state from monitor_intervals where monitor_id = ${id} order by id`,
    );
    assert.deepEqual(states, [{ state: "down" }, { state: "up" }]);
  });

  it("deletes more than one batch", async () => {
    const id = await addMonitor(stage, project);
    await stage.pool.query(
      `insert into monitor_events (monitor_id, status, message, created_at)
       select $1, 'up', '', $2 from generate_series(1, 1200)`,
      [id, daysAgo(retentionDays() + 1)],
    );
    await deleteExpired(stage.ctx, now, new AbortController().signal);
    const left = await rows(stage.pool, sql`select 1 from monitor_events where monitor_id = ${id}`);
    assert.equal(left.length, 0);
  });

  it("drops old months of counts", async () => {
    const months = async (): Promise<string[]> =>
      (
        await rows<{ month: string }>(
          stage.pool,
          sql`
            select c.relname as month from pg_inherits i join pg_class c on c.oid = i.inhrelid
            where i.inhparent = 'monitor_hours'::regclass and c.relname < 'monitor_hours_2032' and c.relname > 'monitor_hours_2030'
            order by 1
          `,
        )
      ).map(({ month }) => month);
    const lastGone = daysAgo(retentionDays() + 35);
    await stage.pool.query("select add_monitor_months($1), add_monitor_months($2)", [lastGone, now]);
    const before = await months();
    await deleteExpired(stage.ctx, now, new AbortController().signal);
    const gone = `monitor_hours_${lastGone.toISOString().slice(0, 7).replace("-", "_")}`;
    const left = await months();
    assert.ok(before.includes(gone));
    assert.ok(!left.includes(gone));
    assert.ok(left.includes("monitor_hours_2031_06"));
  });
});
