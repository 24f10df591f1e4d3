import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { row, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { call } from "../../../http/tests/support.ts";
import { deployed } from "../../deployments/tests/support.ts";
import type { Verdict } from "../schema.ts";
import type { VerdictChange } from "../verdicts/queries.ts";
import { endFlapping, recordStates, type Watched } from "../verdicts/queries.ts";
import { recordVerdict } from "../verdicts/record.ts";
import {
  addMonitor,
  addProject,
  addProvisioned,
  eventsOf,
  intervalsOf,
  noticesOf,
  openStage,
  type Stage,
  storedMonitor,
} from "./support.ts";

let stage: Stage;
let server: number;
let project: number;
let monitor: number;

const start = Date.now() - 3_600_000;
const at = (minutes: number): Date => new Date(start + minutes * 60_000);

before(async () => {
  stage = await openStage();
  server = await addProvisioned(stage, { name: "web" });
  project = await addProject(stage.pool, server);
});
after(() => stage.close());
beforeEach(async () => {
  monitor = await addMonitor(stage, project);
});

const changeAt = (minutes: number, status: Verdict): VerdictChange => ({
  status,
  at: at(minutes),
  since: at(minutes),
  observedUntil: at(minutes + 2),
  message: status === "up" ? "It answered 200." : "It refused the connection.",
  context: { error: "ECONNREFUSED" },
});

const judge = (watched: Watched, change: VerdictChange): Promise<boolean> =>
  transaction(stage.pool, (tx) => recordVerdict(tx, stage.ctx, watched, change));

/** A verdict on the monitor as it is now. */
const verdict = async (minutes: number, status: Verdict): Promise<boolean> =>
  judge(await storedMonitor(stage, monitor), changeAt(minutes, status));

describe("recordVerdict", () => {
  it("writes status, interval and event of a first verdict, and no notice if it is up", async () => {
    assert.equal(await verdict(0, "up"), true);
    assert.equal((await storedMonitor(stage, monitor)).current_status, "up");
    assert.deepEqual(
      (await eventsOf(stage, monitor)).map(({ status }) => status),
      ["up"],
    );
    assert.equal((await intervalsOf(stage, monitor)).at(-1)?.state, "up");
    assert.deepEqual(await noticesOf(stage, monitor), []);
  });

  it("ends an outage when the monitor is up again", async () => {
    await verdict(0, "up");
    await verdict(5, "down");
    await verdict(8, "up");
    const [, down, up] = await eventsOf(stage, monitor);
    assert.equal(Date.parse(down?.resolved_at ?? ""), at(8).getTime());
    assert.equal(up?.resolved_at, null);
    const intervals = await intervalsOf(stage, monitor);
    assert.deepEqual(
      intervals.map(({ state, ended_at }) => [state, ended_at && Date.parse(ended_at)]),
      [
        ["up", at(5).getTime()],
        ["down", at(8).getTime()],
        ["up", null],
      ],
    );
    assert.deepEqual(
      (await noticesOf(stage, monitor)).map(({ topic }) => topic),
      ["monitor.down", "monitor.up"],
    );
  });

  it("records a change once when several processes find it at the same time", async () => {
    const watched = await storedMonitor(stage, monitor);
    const won = await Promise.all(Array.from({ length: 8 }, () => judge(watched, changeAt(0, "down"))));
    assert.equal(won.filter(Boolean).length, 1);
    assert.equal((await eventsOf(stage, monitor)).length, 1);
    assert.equal((await noticesOf(stage, monitor)).length, 1);
  });

  it("discards a verdict on former settings or on a monitor that is switched off", async () => {
    const watched = await storedMonitor(stage, monitor);
    assert.equal(await judge({ ...watched, revision: watched.revision - 1 }, changeAt(0, "down")), false);
    await stage.pool.query("update monitors set is_active = false where id = $1", [monitor]);
    assert.equal(await judge(watched, changeAt(0, "down")), false);
    assert.deepEqual(await eventsOf(stage, monitor), []);
  });

  it("emits monitor.updated with the change", async () => {
    await verdict(0, "down");
    const event = await row<{ project_id: number }>(
      stage.pool,
      sql`select project_id from events where name = 'monitor.updated' and (data->>'id')::bigint = ${monitor}`,
    );
    assert.equal(event?.project_id, project);
  });

  it("writes nothing when the transaction is rolled back", async () => {
    const watched = await storedMonitor(stage, monitor);
    const failing = transaction(stage.pool, async (tx) => {
      await recordVerdict(tx, stage.ctx, watched, changeAt(0, "down"));
      throw new Error("killed");
    });
    await assert.rejects(failing, /killed/);
    assert.equal((await storedMonitor(stage, monitor)).current_status, "pending");
    assert.deepEqual(await noticesOf(stage, monitor), []);
    assert.deepEqual(await intervalsOf(stage, monitor), []);
  });

  it("names the deployment that became live shortly before an outage", async () => {
    const deployment = await deployed(stage, project, server);
    const { run_id: runId } = (await row<{ run_id: number }>(
      stage.pool,
      sql`select run_id from deployments where id = ${deployment}`,
    )) as { run_id: number };
    await stage.pool.query(
      `update run_steps set key = 'activate', status = 'completed', finished_at = $2
       where run_id = $1 and position = (select min(position) from run_steps where run_id = $1)`,
      [runId, at(1)],
    );
    await verdict(0, "up");
    await verdict(10, "down");
    const [, down] = await eventsOf(stage, monitor);
    assert.equal((down?.context.deployment as { id?: number } | undefined)?.id, deployment);
    const [notice] = await noticesOf(stage, monitor);
    assert.match(notice?.text ?? "", new RegExp(`Deployment ${deployment} of commit aaaaaaa became live`));
    assert.match(notice?.text ?? "", /roll ?back/i);

    await verdict(15, "up");
    await verdict(20, "down");
    const later = (await eventsOf(stage, monitor)).at(-1);
    assert.equal(later?.context.deployment, undefined);
    await stage.pool.query("delete from run_steps where run_id = $1", [runId]);
  });
});

describe("flapping", () => {
  const calmSince = async (minutes: number): Promise<Verdict[]> => {
    const calm = await endFlapping(stage.pool, at(minutes), 10);
    return calm.filter(({ id }) => id === monitor).map(({ current_status }) => current_status);
  };

  it("sends one notice for many changes, and one when the monitor is calm", async () => {
    await verdict(0, "up");
    for (const [minutes, status] of [
      [31, "down"],
      [33, "up"],
      [35, "down"],
      [37, "up"],
      [39, "down"],
      [41, "up"],
    ] as const) {
      await verdict(minutes, status);
    }
    const titles = (await noticesOf(stage, monitor)).map(({ title }) => title);
    assert.deepEqual(titles, ["Shop is down", "Shop is up again", "Shop is down", "Shop is flapping"]);
    assert.equal((await eventsOf(stage, monitor)).length, 7);

    assert.deepEqual(await calmSince(40), []);
    assert.deepEqual(await calmSince(41), ["up"]);
    assert.deepEqual(await calmSince(41), []);
  });
});

describe("uptime", () => {
  const uptime = async (): Promise<number | null> => {
    const reply = await call(stage.app, `GET /api/v1/monitors/${monitor}`, { token: stage.cast.alice });
    return reply.body.data.uptime_24h;
  };
  const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);
  const observe = async (state: "up" | "down" | "unobserved", hours: number): Promise<void> =>
    recordStates(stage.pool, [{ monitorId: monitor, state, at: hoursAgo(hours) }]);
  const observedUntil = (hours: number) =>
    stage.pool.query("update monitors set observed_until = $2 where id = $1", [monitor, hoursAgo(hours)]);

  it("is null until a tenth of the window was observed", async () => {
    await observe("up", 2.3);
    await observedUntil(0);
    assert.equal(await uptime(), null);
    await observedUntil(-1);
    await stage.pool.query("delete from monitor_intervals where monitor_id = $1", [monitor]);
    await observe("up", 2.5);
    assert.equal(await uptime(), 100);
  });

  it("is the share of up in the observed time, which ends with the last check", async () => {
    await observe("up", 20);
    await observe("unobserved", 17);
    await observe("down", 12);
    await observedUntil(11);
    assert.equal(Math.round((await uptime()) ?? 0), 75);
  });
});
