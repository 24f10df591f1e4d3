import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { call, type Reply } from "../../../../http/tests/support.ts";
import { addMonitor, addProject, addProvisioned, askDuring, openStage, type Stage } from "../../tests/support.ts";
import { findUnobservedReason } from "../../unobserved/queries.ts";
import { maintenanceSchedules } from "../jobs.ts";
import { occurrenceAt } from "../occurrences.ts";

let stage: Stage;
let serverId: number;
let monitorId: number;
let otherId: number;

before(async () => {
  stage = await openStage();
  serverId = await addProvisioned(stage);
  monitorId = await addMonitor(stage, await addProject(stage.pool, serverId));
  otherId = await addMonitor(stage, await addProject(stage.pool, await addProvisioned(stage)));
});

after(() => stage?.close());

const path = "/api/v1/maintenance-windows";
const ask = (line: string, body?: object, token = stage.cast.alice): Promise<Reply> =>
  call(stage.app, line, { token, ...(body && { body }) });

const once = { name: "Upgrade", starts_at: "2026-01-01T10:00:00Z", ends_at: "2026-01-01T12:00:00Z" };

async function create(body: object): Promise<number> {
  const reply = await ask(`POST ${path}`, body);
  assert.equal(reply.status, 201, reply.text);
  return reply.body.data.id;
}

const isCovered = async (id: number, at: string): Promise<boolean> =>
  (await findUnobservedReason(stage.pool, id, new Date(at))) !== undefined;

test("a window is created, listed, read, changed and deleted", async () => {
  const id = await create({ ...once, all_monitors: true });
  const read = (await ask(`GET ${path}/${id}`)).body.data;
  assert.deepEqual(
    [read.name, read.starts_at, read.all_monitors, read.monitor_ids, read.is_active, read.next_starts_at],
    ["Upgrade", "2026-01-01T10:00:00.000000Z", true, [], false, null],
  );
  assert.equal((await ask(`GET ${path}`)).body.total_items, 1);
  const changed = await ask(`PUT ${path}/${id}`, { monitor_ids: [monitorId], ends_at: "2026-01-01T13:00:00Z" });
  assert.deepEqual(
    [changed.status, changed.body.data.all_monitors, changed.body.data.monitor_ids],
    [200, false, [monitorId]],
  );
  assert.equal(changed.body.data.name, "Upgrade", "what is omitted stays");
  assert.equal((await ask(`DELETE ${path}/${id}`)).status, 200);
  assert.equal((await ask(`GET ${path}/${id}`)).status, 404);
});

test("all errors of a window are reported at once", async () => {
  const fieldsOf = async (line: string, body: object) =>
    Object.keys((await ask(line, body)).body.errors ?? {}).toSorted();
  assert.deepEqual(await fieldsOf(`POST ${path}`, {}), ["ends_at", "monitor_ids", "name", "starts_at"]);
  assert.deepEqual(
    await fieldsOf(`POST ${path}`, { name: "", cron_expression: "often", timezone: "Mars", starts_at: null }),
    ["cron_expression", "duration_seconds", "monitor_ids", "name", "timezone"],
  );
  const id = await create({ ...once, monitor_ids: [monitorId] });
  const wrong = { name: "", monitor_ids: [], ends_at: "2025-01-01T00:00:00Z" };
  assert.deepEqual(await fieldsOf(`PUT ${path}/${id}`, wrong), ["ends_at", "monitor_ids", "name"]);
  await ask(`DELETE ${path}/${id}`);
});

test("a window is refused when a monitor or a server of it is deleted at the same time", async () => {
  const id = await create({ ...once, monitor_ids: [monitorId] });
  for (const line of [`POST ${path}`, `PUT ${path}/${id}`]) {
    const server = await addProvisioned(stage);
    const monitor = await addMonitor(stage, await addProject(stage.pool, server));
    for (const [table, record, targets] of [
      ["monitors", monitor, { monitor_ids: [monitor] }],
      ["servers", server, { server_ids: [server] }],
    ] as const) {
      const reply = await askDuring(
        stage,
        (tx) => tx.query(`delete from ${table} where id = $1`, [record]),
        () => ask(line, { ...once, ...targets }),
      );
      assert.equal(reply.status, 404, `${line} ${table}: ${reply.text}`);
    }
  }
  await ask(`DELETE ${path}/${id}`);
});

describe("an active window suspends", () => {
  const [inside, outside] = ["2026-01-01T11:00:00Z", "2026-01-01T12:00:00Z"];

  test("the monitors that it names", async () => {
    const id = await create({ ...once, monitor_ids: [monitorId] });
    assert.deepEqual(
      [await isCovered(monitorId, inside), await isCovered(otherId, inside), await isCovered(monitorId, outside)],
      [true, false, false],
    );
    await ask(`DELETE ${path}/${id}`);
    assert.equal(await isCovered(monitorId, inside), false);
  });

  test("the monitors on the servers that it names", async () => {
    const id = await create({ ...once, server_ids: [serverId] });
    assert.deepEqual([await isCovered(monitorId, inside), await isCovered(otherId, inside)], [true, false]);
    await ask(`DELETE ${path}/${id}`);
  });

  test("all monitors", async () => {
    const id = await create({ ...once, all_monitors: 1 });
    assert.deepEqual([await isCovered(monitorId, inside), await isCovered(otherId, inside)], [true, true]);
    await ask(`DELETE ${path}/${id}`);
  });
});

test("a recurring window shows its next occurrence, and the following one when that has ended", async () => {
  const id = await create({
    name: "Nightly",
    cron_expression: "0 3 * * *",
    duration_seconds: 3600,
    timezone: "Europe/Berlin",
    all_monitors: true,
  });
  await stage.pool.query(
    "update maintenance_windows set active_from = '2026-01-01', active_until = '2026-01-02' where id = $1",
    [id],
  );
  const [task] = maintenanceSchedules(stage.ctx);
  await task?.work(new AbortController().signal);
  const { next_starts_at: starts, next_ends_at: ends } = (await ask(`GET ${path}/${id}`)).body.data;
  assert.equal(Date.parse(ends) - Date.parse(starts), 3_600_000);
  assert.ok(Date.parse(ends) > Date.now() && Date.parse(starts) < Date.now() + 25 * 3_600_000);
  const recurring = { cronExpression: "0 3 * * *", timezone: "Europe/Berlin", durationSeconds: 3600 };
  const at = (now: string) => occurrenceAt(recurring, new Date(now))?.from.toISOString();
  assert.equal(at("2026-01-10T02:30:00Z"), "2026-01-10T02:00:00.000Z", "one that is under way counts");
  assert.equal(at("2026-01-10T03:00:00Z"), "2026-01-11T02:00:00.000Z");
  assert.equal(at("2026-07-10T03:00:00Z"), "2026-07-11T01:00:00.000Z");
});

test("a recurring window means by its expression what cron does", async () => {
  const id = await create({
    name: "Sundays",
    cron_expression: "30 */26 8-14 * */7",
    duration_seconds: 60,
    all_monitors: true,
  });
  const starts = new Date((await ask(`GET ${path}/${id}`)).body.data.next_starts_at);
  assert.deepEqual([starts.getUTCDay(), starts.getUTCHours(), starts.getUTCMinutes()], [0, 0, 30]);
  assert.ok(starts.getUTCDate() >= 8 && starts.getUTCDate() <= 14, starts.toISOString());
  await ask(`DELETE ${path}/${id}`);
});

test("an invalid window is refused with the names of its fields", async () => {
  const refused = async (body: object) =>
    Object.keys((await ask(`POST ${path}`, { name: "x", ...body })).body.errors ?? {});
  assert.deepEqual(await refused({ all_monitors: true }), ["starts_at", "ends_at"]);
  assert.deepEqual(await refused({ ...once }), ["monitor_ids"]);
  assert.deepEqual(await refused({ all_monitors: true, starts_at: "soon", ends_at: "2026-13-01T00:00:00Z" }), [
    "starts_at",
    "ends_at",
  ]);
  assert.deepEqual(await refused({ ...once, ends_at: once.starts_at, all_monitors: true }), ["ends_at"]);
  assert.deepEqual(await refused({ ...once, cron_expression: "0 3 * * *", duration_seconds: 60, all_monitors: true }), [
    "cron_expression",
  ]);
  assert.deepEqual(await refused({ cron_expression: "61 * * * *", duration_seconds: 60, all_monitors: true }), [
    "cron_expression",
  ]);
  assert.deepEqual(await refused({ cron_expression: "0 3 * * *", all_monitors: true }), ["duration_seconds"]);
  assert.deepEqual(
    await refused({ cron_expression: "0 3 * * *", duration_seconds: 60, timezone: "Mars/Base", all_monitors: true }),
    ["timezone"],
  );
});

test("records out of reach answer 404, and strangers find no window", async () => {
  assert.equal((await ask(`POST ${path}`, { ...once, monitor_ids: [monitorId] }, stage.cast.charlie)).status, 404);
  const id = await create({ ...once, monitor_ids: [monitorId] });
  assert.equal((await ask(`GET ${path}/${id}`, undefined, stage.cast.charlie)).status, 404);
  assert.equal((await ask(`PUT ${path}/${id}`, { name: "y" }, stage.cast.victor)).status, 403);
});
