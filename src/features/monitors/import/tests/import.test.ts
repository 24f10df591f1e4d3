import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
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

test("an export of too many monitors is refused before they are compared", async () => {
  const { status, body } = await send({ ...kuma(...Array.from({ length: 100_000 }, () => ({}))), dry_run: true });
  assert.equal(status, 422);
  assert.match(body.errors.data, /more than 1000/);
});

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

  test("marks the items whose target the request can name", async () => {
    await Promise.all([addJob("Twice"), addJob("Twice")]);
    const { body } = await send({
      ...checks({ name: "Twice" }, { name: "Unknown job" }, { name: "Nightly backup" }),
      dry_run: true,
    });
    const needing = body.data.items.map(({ needs_target: needs }: { needs_target: boolean }) => needs);
    assert.deepEqual(needing, [true, true, false]);
    const { body: others } = await send({
      ...kuma(http({ type: "dns" }), http({ url: "https://elsewhere.example.org" })),
      dry_run: true,
    });
    assert.deepEqual(
      others.data.items.map(({ needs_target: needs }: { needs_target: boolean }) => needs),
      [false, true],
    );
  });

  test("finds nothing that is out of reach", async () => {
    const { body } = await send({ ...kuma(http()), dry_run: true }, stage.cast.charlie);
    assert.match(body.data.items[0].reason, /No project in reach/);
  });
});

describe("what cannot be as it is in the source", () => {
  const notesOf = async (body: object): Promise<string> => {
    const { items } = (await send({ ...body, dry_run: true })).body.data;
    return items[0].notes.join(" ");
  };
  const configOf = async (body: object) => (await send({ ...body, dry_run: true })).body.data.items[0].config;
  const check = (more: object) => checks({ name: "Nightly backup", slug: "n", ...more });
  const page = (more: object) => kuma(http({ maxredirects: 0, url: `https://${host}/noted`, ...more }));

  test("is noted, whether it is a number that changes or a field that is left out", async () => {
    assert.match(await notesOf(check({ grace: 700_000 })), /grace in seconds is 86400 here instead of 700000/);
    assert.match(await notesOf(check({ timeout: 12 })), /period in seconds is 60 here instead of 12/);
    assert.match(await notesOf(page({ interval: 100_000 })), /interval in seconds is 86400 here instead of 100000/);
    assert.match(await notesOf(page({ timeout: 90.5 })), /timeout in seconds is 60 here instead of 90.5/);
    assert.match(await notesOf(page({ maxretries: 12 })), /failures before it is down is 10 here instead of 13/);
    assert.match(await notesOf(page({ proxyId: 2 })), /proxy is left out/);
    assert.match(await notesOf(page({ maxretries: 1, retryInterval: 20 })), /not every 20 seconds/);
    assert.match(await notesOf(page({ name: "x".repeat(101) })), /name is cut/);
    assert.match(
      await notesOf(page({ from_tomorrow: "a", toString: { toString: 1 } })),
      /not known here.*from_tomorrow/,
    );
    assert.match(await notesOf(check({ failure_kw: "ERR", success_kw: "OK" })), /^Its keywords[^.]*\.$/);
    assert.match(await notesOf(check({ methods: "POST" })), /not only by POST/);
  });

  test("is kept where the job itself has it: a period above 30 days is that of its schedule", async () => {
    const yearly = check({ timeout: 31_536_000, grace: 3_600 });
    assert.match(await notesOf(yearly), /period of 365 days is that of the job's schedule/);
    assert.deepEqual(await configOf(yearly), { grace_seconds: 3_600, confirmation_threshold: 1 });
    const push = kuma({ id: 9, name: "Nightly backup", type: "push", interval: 7_776_000 });
    assert.match(await notesOf(push), /period of 90 days/);
    assert.deepEqual(await configOf(push), { confirmation_threshold: 1 });
  });

  test("is the reason to skip an item that would watch something else", async () => {
    assert.match(await reasonOf(kuma({ id: 1, name: "Push", type: "push", upsideDown: true })), /nothing answers/);
    assert.match(await reasonOf(page({ url: `https://${host}/${"a".repeat(2_000)}` })), /more than 2000 characters/);
    assert.match(await reasonOf(page({ oauth_client_id: "id" })), /sign in/);
  });

  test("leaves no field of the sources without a word, or known to make no difference", async () => {
    const { fields } = JSON.parse(await readFile(new URL("fields.json", import.meta.url), "utf8"));
    for (const [source, wrap] of [
      ["healthchecks", check],
      ["uptime_kuma", page],
    ] as const) {
      assert.doesNotMatch(await notesOf(wrap(fields[source])), /not known here/, source);
    }
    const push = { ...fields.uptime_kuma, id: 3, name: "Nightly backup", type: "push", upsideDown: false };
    assert.doesNotMatch(await notesOf(kuma(push)), /not known here/);
    assert.doesNotMatch(await notesOf(kuma(push)), /proxy|certificate/, "what a push does not have");
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
    assert.match(one.notes.join(" "), /not from "0 5 \* \* \*" \(UTC\)/);
    assert.match(one.notes.join(" "), /grace in seconds is 30 here instead of 5/);
    assert.deepEqual(two.config, { expected_period_seconds: 86_400, grace_seconds: 3_600, confirmation_threshold: 1 });
    const read = await call(stage.app, `GET /api/v1/monitors/${two.monitor_id}`, { token: stage.cast.alice });
    assert.equal(read.body.data.is_active, false);
    const again = await send(checks({ name: "Nightly backup" }));
    assert.equal(again.body.data.items[0].reason, "The job has a heartbeat already.");
  });

  test("names each item alone, so that targets can name it, too", async () => {
    const [one, two] = [await addJob("Dump one"), await addJob("Dump two")];
    const target = { monitorable_type: "App\\Models\\SchedulerJob" };
    const { body } = await send({
      ...checks(
        { name: "Dump", slug: "dump", uuid: "aaaa-1", grace: 60 },
        { name: "Dump", slug: "dump", uuid: "aaaa-2", grace: 60 },
        { name: "Alone", slug: "alone", uuid: "aaaa-3", grace: 60 },
        { name: "Nameless", grace: 60 },
        { name: "Nameless", grace: 60 },
      ),
      targets: [
        { item: "aaaa-1", ...target, monitorable_id: one },
        { item: "aaaa-2", ...target, monitorable_id: two },
      ],
    });
    const { items } = body.data;
    assert.deepEqual(
      items.map(({ item }: { item: string }) => item),
      ["aaaa-1", "aaaa-2", "alone", "Nameless (1)", "Nameless (2)"],
    );
    assert.deepEqual([items[0].monitorable_id, items[1].monitorable_id], [one, two]);
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
