import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { call, type Reply } from "../../../../http/tests/support.ts";
import { insertJob } from "../../../jobs/queries.ts";
import { addProject, addProvisioned, openStage, type Stage } from "../../tests/support.ts";

let stage: Stage;
let projectId: number;
let host: string;
let nightly: number;

before(async () => {
  stage = await openStage();
  projectId = await addProject(stage.pool, await addProvisioned(stage));
  host = `shop-${projectId}.example.com`;
  nightly = await addJob("Nightly backup");
});

after(() => stage?.close());

const addJob = (name: string): Promise<number> =>
  insertJob(stage.pool, projectId, "scheduled", {
    name,
    command: "true",
    cron_expression: "30 4 * * *",
    processes: null,
    is_active: true,
  });

const send = (body: object, token = stage.cast.alice): Promise<Reply> =>
  call(stage.app, "POST /api/v1/monitors/import", { token, body });

const http = (more: object = {}) => ({
  id: 1,
  name: "Shop",
  type: "http",
  url: `https://${host}/health`,
  interval: 60,
  maxretries: 2,
  ...more,
});

const kuma = (...monitorList: object[]) => ({ source: "uptime_kuma", data: { version: "1.23.16", monitorList } });
const checks = (...list: object[]) => ({ source: "healthchecks", data: { checks: list } });

const reasonOf = async (body: object): Promise<string> =>
  (await send({ ...body, dry_run: true })).body.data.items[0].reason;

describe("a dry run", () => {
  test("shows what would be created, and creates nothing", async () => {
    const { status, body } = await send({
      ...kuma(http({ interval: 20, timeout: 48, accepted_statuscodes: ["301"] })),
      dry_run: true,
    });
    assert.equal(status, 200);
    assert.deepEqual([body.data.dry_run, body.data.created, body.data.skipped], [true, 1, 0]);
    const [item] = body.data.items;
    assert.deepEqual(
      [item.action, item.type, item.monitorable_type, item.monitor_id],
      ["create", "http", "App\\Models\\Domain", null],
    );
    assert.deepEqual(item.config, {
      url: `https://${host}/health`,
      method: "GET",
      expected_status: 301,
      interval_seconds: 60,
      timeout_seconds: 48,
      confirmation_threshold: 3,
    });
    assert.match(item.notes.join(" "), /Redirects are not followed.*every 60 seconds instead of every 20/);
    const list = await call(stage.app, "GET /api/v1/monitors", { token: stage.cast.alice });
    assert.equal(list.body.total_items, 0);
  });

  test("gives the reason for each item that cannot be created", async () => {
    assert.match(await reasonOf(kuma(http({ type: "keyword", keyword: "ok" }))), /content of answers/);
    assert.match(await reasonOf(kuma(http({ type: "dns" }))), /no monitors of type dns/);
    assert.match(await reasonOf(kuma(http({ upsideDown: 1 }))), /nothing answers/);
    assert.match(await reasonOf(kuma(http({ method: "DELETE" }))), /method DELETE/);
    assert.match(await reasonOf(kuma(http({ headers: '{"a":"b"}' }))), /headers or a body/);
    assert.match(await reasonOf(kuma(http({ basic_auth_user: "me" }))), /sign in/);
    assert.match(await reasonOf(kuma(http({ accepted_statuscodes: ["200-299", "404"] }))), /several statuses/);
    assert.match(
      await reasonOf(kuma(http({ url: "https://elsewhere.example.org" }))),
      /No project in reach has the domain elsewhere/,
    );
    assert.match(await reasonOf(kuma(http({ url: "https://u:p@x/" }))), /No project|user name/);
    assert.match(await reasonOf(checks({ name: "Unknown job" })), /No job in reach is named "Unknown job"/);
  });

  test("finds nothing that is out of reach", async () => {
    const { body } = await send({ ...kuma(http()), dry_run: true }, stage.cast.charlie);
    assert.match(body.data.items[0].reason, /No project in reach/);
  });
});

describe("an import", () => {
  test("creates monitors from an export of Uptime Kuma, once", async () => {
    const first = await send(kuma(http(), http({ id: 2, name: "Queue", type: "ping" })));
    assert.deepEqual([first.body.data.created, first.body.data.skipped], [1, 1], first.text);
    const id = first.body.data.items[0].monitor_id;
    const { body } = await call(stage.app, `GET /api/v1/monitors/${id}`, { token: stage.cast.alice });
    assert.deepEqual(
      [body.data.name, body.data.config.url, body.data.config.confirmation_threshold],
      ["Shop", `https://${host}/health`, 3],
    );
    const second = await send(kuma(http()));
    assert.equal(second.body.data.items[0].reason, "A monitor watches this address already.");
  });

  test("creates heartbeats from Healthchecks' checks, for the jobs of the same name", async () => {
    const other = await addJob("Reports");
    const { body } = await send({
      ...checks(
        { name: "nightly BACKUP", slug: "nightly", schedule: "0 5 * * *", tz: "UTC", grace: 5, status: "up" },
        { name: "Weekly mail", slug: "weekly", timeout: 86_400, grace: 3_600, status: "paused" },
      ),
      targets: [{ item: "weekly", monitorable_type: "App\\Models\\SchedulerJob", monitorable_id: other }],
    });
    assert.equal(body.data.created, 2, JSON.stringify(body));
    const [one, two] = body.data.items;
    assert.deepEqual([one.monitorable_id, one.config], [nightly, { grace_seconds: 30, confirmation_threshold: 1 }]);
    assert.match(one.notes[0], /not from "0 5 \* \* \*"/);
    assert.deepEqual(two.config, { expected_period_seconds: 86_400, grace_seconds: 3_600, confirmation_threshold: 1 });
    const read = await call(stage.app, `GET /api/v1/monitors/${two.monitor_id}`, { token: stage.cast.alice });
    assert.equal(read.body.data.is_active, false);
    const again = await send(checks({ name: "Nightly backup" }));
    assert.equal(again.body.data.items[0].reason, "The job has a heartbeat already.");
  });

  test("accepts or refuses files of any shape, and does not fail", async () => {
    for (const data of [{}, { monitorList: "x" }, { monitorList: [] }]) {
      assert.equal((await send({ source: "uptime_kuma", data })).status, 422);
    }
    const strange = await send(
      kuma({}, { name: 7, type: ["http"], url: {} }, http({ id: { a: 1 }, interval: "soon", timeout: -4 })),
    );
    assert.equal(strange.status, 200, strange.text);
    const object = {
      source: "uptime_kuma",
      dry_run: true,
      data: { monitorList: { 1: http({ url: `https://${host}/other` }) } },
    };
    assert.equal((await send(object)).body.data.created, 1);
    const many = Array.from({ length: 1_001 }, (_, id) => ({ id }));
    assert.equal((await send(kuma(...many))).status, 422);
  });
});
