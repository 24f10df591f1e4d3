import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { row, rows, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { call, type Reply, restrict } from "../../../http/tests/support.ts";
import { addServer, errorsOf } from "../../servers/tests/support.ts";
import { listAddresses } from "../checks/queries.ts";
import { recordStates } from "../verdicts/queries.ts";
import { recordVerdict } from "../verdicts/record.ts";
import {
  addMonitor,
  addProject,
  addProvisioned,
  askDuring,
  eventsOf,
  intervalsOf,
  openStage,
  type Stage,
  storedMonitor,
} from "./support.ts";

let stage: Stage;
let server: number;
let project: number;

before(async () => {
  stage = await openStage();
  server = await addProvisioned(stage, { name: "web", public_ip: "10.20.30.40" });
  project = await addProject(stage.pool, server);
});
after(() => stage.close());
beforeEach(async () => {
  await stage.pool.query("delete from monitors");
  await stage.pool.query("update organizations set plan = 'business'");
});

const ask = (route: string, body?: object, token = stage.cast.alice): Promise<Reply> =>
  call(stage.app, route, { token, ...(body && { body }) });

const request = (changes: object = {}): object => ({
  type: "http",
  name: "Shop",
  monitorable_type: "App\\Models\\Project",
  monitorable_id: project,
  config: { url: "https://shop.example.com/health" },
  ...changes,
});

const create = async (changes: object = {}): Promise<number> => {
  const reply = await ask("POST /api/v1/monitors", request(changes));
  assert.equal(reply.status, 201, reply.text);
  return reply.body.data.id;
};

const read = async (id: number) => (await ask(`GET /api/v1/monitors/${id}`)).body.data;
const plan = (name: string) => stage.pool.query("update organizations set plan = $1", [name]);

async function addJob(kind: "scheduled" | "background", schedule = "@daily"): Promise<number> {
  const inserted = await row<{ id: number }>(
    stage.pool,
    sql`
      insert into project_jobs (project_id, kind, name, command, cron_expression, processes)
      values (${project}, ${kind}, 'Nightly', 'true', ${kind === "scheduled" ? schedule : null},
        ${kind === "background" ? 1 : null})
      returning id
    `,
  );
  return (inserted as { id: number }).id;
}

async function fall(id: number): Promise<void> {
  const watched = await storedMonitor(stage, id);
  const at = new Date();
  const change = { at, since: at, observedUntil: at, message: "It answered 500.", context: { status: 500 } };
  await transaction(stage.pool, (tx) => recordVerdict(tx, stage.ctx, watched, { status: "down", ...change }));
}

describe("creating a monitor", () => {
  it("answers with the pending monitor and applies the defaults", async () => {
    const reply = await ask("POST /api/v1/monitors", request());
    assert.equal(reply.status, 201);
    const { id, ...shown } = reply.body.data;
    assert.deepEqual(shown, { type: "http", name: "Shop", current_status: "pending", is_active: true });
    const monitor = await read(id);
    assert.deepEqual(monitor.config, {
      url: "https://shop.example.com/health",
      method: "GET",
      expected_status: null,
      interval_seconds: 60,
      timeout_seconds: 10,
      confirmation_threshold: 3,
    });
    assert.equal(monitor.monitorable_type, "App\\Models\\Project");
    assert.equal(monitor.monitorable_id, project);
    assert.deepEqual(monitor.target, {
      type: "App\\Models\\Project",
      id: project,
      name: "shop",
      project_id: project,
    });
    assert.deepEqual(monitor.events, []);
    assert.equal(monitor.uptime_24h, null);
    assert.equal(monitor.uptime_7d, null);
    assert.ok(!("ping_url" in monitor));
  });

  it("gives a heartbeat an address for its reports, which is not readable in the database", async () => {
    const job = await addJob("scheduled");
    const reply = await ask("POST /api/v1/monitors", {
      type: "heartbeat",
      name: "Nightly",
      monitorable_type: "App\\Models\\SchedulerJob",
      monitorable_id: job,
    });
    assert.equal(reply.status, 201, reply.text);
    const monitor = await read(reply.body.data.id);
    assert.match(monitor.ping_url, /\/ping\/[0-9A-Za-z]{40}$/);
    assert.equal(monitor.ping_url, reply.body.data.ping_url);
    assert.equal(monitor.last_ping_at, null);
    const token = monitor.ping_url.split("/").at(-1);
    for (const line of [`GET /api/v1/monitors/${monitor.id}`, "GET /api/v1/monitors?per_page=100"]) {
      const { text } = await ask(line, undefined, stage.cast.victor);
      assert.match(text, /\/ping\/…"/, "those who only read see where the job reports to");
      assert.ok(!text.includes(token), "and cannot report in its place");
    }
    assert.deepEqual(monitor.config, {
      expected_period_seconds: 86_400,
      grace_seconds: 43_200,
      confirmation_threshold: 3,
    });
    assert.equal(monitor.target.name, "Nightly");
    const stored = JSON.stringify(await rows(stage.pool, sql`select * from monitors`));
    assert.ok(!stored.includes(monitor.ping_url.split("/").at(-1)));
  });

  it("reports every invalid field", async () => {
    const reply = await ask("POST /api/v1/monitors", {
      type: "http",
      name: "",
      monitorable_type: "App\\Models\\SchedulerJob",
      monitorable_id: project,
      config: {
        url: "ftp://shop.example.com",
        method: "PUT",
        expected_status: 99,
        interval_seconds: 86_401,
        timeout_seconds: 61,
        confirmation_threshold: 11,
      },
      notification_channels: [{ type: "email", target: "nowhere", on: ["down"] }],
    });
    assert.equal(reply.status, 422);
    assert.deepEqual(Object.keys(errorsOf(reply)).toSorted(), [
      "config.confirmation_threshold",
      "config.expected_status",
      "config.interval_seconds",
      "config.method",
      "config.timeout_seconds",
      "config.url",
      "monitorable_type",
      "name",
      "notification_channels.0.target",
    ]);
  });

  it("requires the config of an HTTP monitor, and its address", async () => {
    const without = await ask("POST /api/v1/monitors", request({ config: undefined }));
    assert.deepEqual(errorsOf(without), { config: "The config is required." });
    const empty = await ask("POST /api/v1/monitors", request({ config: {} }));
    assert.deepEqual(errorsOf(empty), { "config.url": "The address is required." });
  });

  for (const url of ["http://127.0.0.1/", "http://[::ffff:10.0.0.1]/", "http://169.254.169.254/", "http://0x7f.1/"]) {
    it(`refuses ${url}, an address in the control plane's network`, async () => {
      const reply = await ask("POST /api/v1/monitors", request({ config: { url } }));
      assert.match(errorsOf(reply)["config.url"] ?? "", /private or reserved/);
    });
  }

  it("accepts the private address of a server of the organization", async () => {
    await create({ config: { url: "http://10.20.30.40:8080/" } });
  });

  it("refuses the address of a server that was never connected to, and a server's private address", async () => {
    await addServer(stage, { name: "claimed", public_ip: "10.9.9.9" });
    const own = await ask(`PUT /api/v1/servers/${server}`, { private_ip: "10.9.9.8" });
    assert.equal(own.status, 200, own.text);
    const moved = await addProvisioned(stage, { name: "moved", public_ip: "10.20.30.50" });
    const elsewhere = await ask(`PUT /api/v1/servers/${moved}`, { public_ip: "10.9.9.7" });
    assert.equal(elsewhere.status, 200, elsewhere.text);
    for (const address of ["10.9.9.9", "10.9.9.8", "10.9.9.7"]) {
      const reply = await ask("POST /api/v1/monitors", request({ config: { url: `http://${address}:5432/` } }));
      assert.match(errorsOf(reply)["config.url"] ?? "", /private or reserved/, address);
    }
    const checked = (await listAddresses(stage.pool, [stage.cast.organizationId])).map(({ address }) => address);
    assert.ok(checked.includes("10.20.30.40"));
    assert.deepEqual(
      checked.filter((address) => address.startsWith("10.9.9.")),
      [],
      "A check does not reach them either.",
    );
  });

  it("refuses a restricted member the address of a server out of reach", async () => {
    await addProvisioned(stage, { name: "hidden", public_ip: "10.20.30.41" });
    await restrict(stage.pool, "Bob", stage.cast.organizationId, { servers: [server] });
    const ofUrl = (url: string) => ask("POST /api/v1/monitors", request({ config: { url } }), stage.cast.bob);
    assert.equal((await ofUrl("http://10.20.30.40:8080/")).status, 201);
    const hidden = errorsOf(await ofUrl("http://10.20.30.41:8080/"))["config.url"] ?? "";
    const unused = errorsOf(await ofUrl("http://10.20.30.42:8080/"))["config.url"] ?? "";
    assert.equal(hidden.replace("10.20.30.41", "10.20.30.42"), unused);
    assert.match(hidden, /private or reserved/);
  });

  it("refuses credentials in the address", async () => {
    const reply = await ask("POST /api/v1/monitors", request({ config: { url: "https://user:word@example.com/" } }));
    assert.match(errorsOf(reply)["config.url"] ?? "", /user name or a password/);
  });

  it("answers 404 for a target out of reach", async () => {
    for (const body of [
      request({ monitorable_id: 9_999 }),
      request({ monitorable_type: "App\\Models\\Domain", monitorable_id: 9_999 }),
      { ...request(), type: "heartbeat", monitorable_type: "App\\Models\\BackgroundJob", monitorable_id: 9_999 },
    ]) {
      assert.equal((await ask("POST /api/v1/monitors", body)).status, 404);
    }
    // A scheduled job is not a background job.
    const job = await addJob("scheduled");
    const mixed = { type: "heartbeat", monitorable_type: "App\\Models\\BackgroundJob", monitorable_id: job };
    assert.equal((await ask("POST /api/v1/monitors", request(mixed))).status, 404);
    assert.equal((await ask("POST /api/v1/monitors", request(), stage.cast.charlie)).status, 404);
  });
});

describe("the config of a heartbeat", () => {
  const heartbeat = async (kind: "scheduled" | "background", schedule = "@daily") => {
    const job = await addJob(kind, schedule);
    const name = kind === "scheduled" ? "SchedulerJob" : "BackgroundJob";
    return { type: "heartbeat", name: "Nightly", monitorable_type: `App\\Models\\${name}`, monitorable_id: job };
  };
  const timing = async (id: number) => {
    const { expected_period_seconds: period, grace_seconds: grace } = (await read(id)).config;
    return [period, grace];
  };
  const stored = (id: number) =>
    row(stage.pool, sql`select expected_period_seconds, grace_seconds from monitors where id = ${id}`);

  it("shows the period and the grace in force", async () => {
    const scheduled = await create({ ...(await heartbeat("scheduled", "* * * * *")), config: undefined });
    assert.deepEqual(await timing(scheduled), [60, 60]);
    const weekly = await create({ ...(await heartbeat("scheduled", "0 4 * * 1")), config: { grace_seconds: 90 } });
    assert.deepEqual(await timing(weekly), [604_800, 90]);
    const background = await create({ ...(await heartbeat("background")), config: {} });
    assert.deepEqual(await timing(background), [60, 150]);
    const atBoot = await create({ ...(await heartbeat("scheduled", "@reboot")), config: {} });
    assert.deepEqual(await timing(atBoot), [null, null]);
    const { data } = (await ask("GET /api/v1/monitors")).body;
    const listed = data.find(({ id }: { id: number }) => id === background);
    assert.equal(listed.config.grace_seconds, 150);
  });

  it("stays derived when a client sends it back unchanged, even beyond the limits of the fields", async () => {
    const id = await create({ ...(await heartbeat("scheduled", "0 4 * * 1")), config: {} });
    const { config } = await read(id);
    assert.equal(config.grace_seconds, 302_400);
    const reply = await ask(`PUT /api/v1/monitors/${id}`, { name: "Weekly", config });
    assert.equal(reply.status, 200, reply.text);
    assert.deepEqual(await stored(id), { expected_period_seconds: null, grace_seconds: null });
    await ask(`PUT /api/v1/monitors/${id}`, { config: { ...config, grace_seconds: 3_600 } });
    assert.deepEqual(await stored(id), { expected_period_seconds: null, grace_seconds: 3_600 });
  });

  it("may be null, like an omitted one", async () => {
    const id = await create({ ...(await heartbeat("background")), config: null });
    assert.equal((await ask(`PUT /api/v1/monitors/${id}`, { config: null })).status, 200);
    assert.deepEqual(errorsOf(await ask("POST /api/v1/monitors", request({ config: null }))), {
      config: "The config is required.",
    });
  });

  it("ignores the fields of HTTP monitors, with a warning, and the reverse", async () => {
    const ofHttp = { url: "", interval_seconds: 0, method: 5 };
    const body = await heartbeat("background");
    const id = await create({ ...body, config: ofHttp });
    const changed = await ask(`PUT /api/v1/monitors/${id}`, { config: ofHttp });
    assert.equal(changed.status, 200);
    assert.deepEqual(
      changed.body.warnings.map((sentence: string) => sentence.split(" ", 1)[0]),
      ["config.url", "config.interval_seconds", "config.method"],
    );
    assert.deepEqual(Object.keys((await read(id)).config).toSorted(), [
      "confirmation_threshold",
      "expected_period_seconds",
      "grace_seconds",
    ]);
    const url = "https://shop.example.com/";
    const http = await create({ config: { url, grace_seconds: 0, expected_period_seconds: "often" } });
    assert.equal((await ask(`PUT /api/v1/monitors/${http}`, { config: { grace_seconds: 0 } })).status, 200);
    const wrong = { grace_seconds: 0, expected_period_seconds: "often", confirmation_threshold: 0 };
    for (const refused of [
      await ask("POST /api/v1/monitors", { ...body, config: wrong }),
      await ask(`PUT /api/v1/monitors/${id}`, { config: wrong }),
    ]) {
      assert.deepEqual(Object.keys(errorsOf(refused)).toSorted(), [
        "config.confirmation_threshold",
        "config.expected_period_seconds",
        "config.grace_seconds",
      ]);
    }
  });

  it("must be an object", async () => {
    const body = await heartbeat("background");
    const http = await create();
    const background = await create({ ...body, config: {} });
    for (const config of ["text", "", 0, false, [], ["text"]]) {
      for (const refused of [
        await ask("POST /api/v1/monitors", request({ config })),
        await ask(`PUT /api/v1/monitors/${http}`, { config }),
        await ask("POST /api/v1/monitors", { ...body, config }),
        await ask(`PUT /api/v1/monitors/${background}`, { config }),
      ]) {
        assert.deepEqual(errorsOf(refused), { config: "The config must be an object." }, JSON.stringify(config));
      }
    }
  });
});

describe("a heartbeat of a job that changes at the same time", () => {
  const heartbeat = (job: number) =>
    request({ type: "heartbeat", monitorable_type: "App\\Models\\SchedulerJob", monitorable_id: job, config: {} });

  it("is created once", async () => {
    const job = await addJob("scheduled");
    const replies = await Promise.all(Array.from({ length: 6 }, () => ask("POST /api/v1/monitors", heartbeat(job))));
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [201, 422, 422, 422, 422, 422]);
    const refused = replies.find(({ status }) => status === 422) as Reply;
    assert.deepEqual(Object.keys(errorsOf(refused)), ["monitorable_id"]);
  });

  it("is not found when the job is deleted first", async () => {
    const job = await addJob("scheduled");
    const reply = await askDuring(
      stage,
      (tx) => tx.query("delete from project_jobs where id = $1", [job]),
      () => ask("POST /api/v1/monitors", heartbeat(job)),
    );
    assert.equal(reply.status, 404, reply.text);
  });
});

describe("the plan", () => {
  it("limits the active monitors of a type, and states the limit in the error", async () => {
    await plan("starter");
    const config = { url: "https://shop.example.com/", interval_seconds: 300 };
    const ids = [];
    for (let n = 0; n < 5; n++) ids.push(await create({ config }));
    const refused = await ask("POST /api/v1/monitors", request({ config }));
    assert.equal(refused.status, 403);
    assert.deepEqual(Object.keys(refused.body).toSorted(), ["message", "status"]);
    assert.match(refused.body.message, /\b5 active/);
    const sixth = await create({ config, is_active: false });
    const on = await ask(`PUT /api/v1/monitors/${sixth}`, { is_active: true });
    assert.equal(on.status, 403);
    assert.match(on.body.message, /\b5 active/);
    await ask(`PUT /api/v1/monitors/${ids[0]}`, { is_active: false });
    assert.equal((await ask(`PUT /api/v1/monitors/${sixth}`, { is_active: true })).status, 200);
  });

  it("counts each type separately", async () => {
    await plan("starter");
    for (let n = 0; n < 5; n++) await addMonitor(stage, project);
    const job = await addJob("background");
    const target = { monitorable_type: "App\\Models\\BackgroundJob", monitorable_id: job };
    await create({ type: "heartbeat", ...target });
  });

  it("allows no more than the limit when many are created at once", async () => {
    await plan("starter");
    const config = { url: "https://shop.example.com/", interval_seconds: 300 };
    const replies = await Promise.all(
      Array.from({ length: 9 }, () => ask("POST /api/v1/monitors", request({ config }))),
    );
    assert.equal(replies.filter(({ status }) => status === 201).length, 5);
  });

  it("sets the shortest interval, and keeps a shorter one that exists", async () => {
    const id = await create({ config: { url: "https://shop.example.com/", interval_seconds: 60 } });
    const fast = { url: "https://shop.example.com/", interval_seconds: 59 };
    assert.ok(errorsOf(await ask("POST /api/v1/monitors", request({ config: fast })))["config.interval_seconds"]);
    await plan("starter");
    const tooFast = await ask(`PUT /api/v1/monitors/${id}`, { config: { interval_seconds: 299 } });
    assert.match(errorsOf(tooFast)["config.interval_seconds"] ?? "", /\b300\b/);
    const kept = await ask(`PUT /api/v1/monitors/${id}`, { config: { interval_seconds: 60, timeout_seconds: 5 } });
    assert.equal(kept.status, 200, kept.text);
    assert.equal((await read(id)).config.interval_seconds, 60);
    const byDefault = await create({ config: { url: "https://shop.example.com/" } });
    assert.equal((await read(byDefault)).config.interval_seconds, 300);
  });

  it("is part of the options", async () => {
    await plan("starter");
    const { data } = (await ask("GET /api/v1/monitors/options")).body;
    assert.deepEqual(data.interval, { min_seconds: 300, max_seconds: 86_400, default_seconds: 300 });
    assert.deepEqual(data.monitor_limit, { http: 5, heartbeat: 5 });
    assert.deepEqual(data.defaults, { timeout_seconds: 10, confirmation_threshold: 3 });
    assert.deepEqual(data.methods, ["GET", "HEAD", "POST"]);
    assert.deepEqual(
      data.types.map((each: { type: string; targets: string[] }) => [each.type, each.targets]),
      [
        ["http", ["App\\Models\\Project", "App\\Models\\Domain"]],
        ["heartbeat", ["App\\Models\\SchedulerJob", "App\\Models\\BackgroundJob"]],
      ],
    );
    await plan("business");
    assert.equal((await ask("GET /api/v1/monitors/options")).body.data.monitor_limit.http, null);
  });
});

describe("the list", () => {
  it("has 25 monitors per page, those that are down first", async () => {
    const ids = [];
    for (let n = 0; n < 27; n++) ids.push(await addMonitor(stage, project));
    await fall(ids[26] as number);
    const page = (await ask("GET /api/v1/monitors")).body;
    assert.equal(page.per_page, 25);
    assert.equal(page.total_items, 27);
    assert.equal(page.total_pages, 2);
    assert.deepEqual(
      page.data.slice(0, 2).map(({ id }: { id: number }) => id),
      [ids[26], ids[0]],
    );
    const last = (await ask("GET /api/v1/monitors?page=2")).body;
    assert.deepEqual(
      last.data.map(({ id }: { id: number }) => id),
      [ids[24], ids[25]],
    );
  });

  it("filters by type and status", async () => {
    const down = await addMonitor(stage, project);
    await addMonitor(stage, project);
    await fall(down);
    const idsOf = async (query: string): Promise<number[]> =>
      (await ask(`GET /api/v1/monitors?${query}`)).body.data.map(({ id }: { id: number }) => id);
    assert.deepEqual(await idsOf("status=down"), [down]);
    assert.deepEqual(await idsOf("type=heartbeat"), []);
    assert.equal((await idsOf("type=http&status=pending")).length, 1);
    assert.equal((await ask("GET /api/v1/monitors?status=broken")).status, 422);
  });

  it("hides the monitors of other organizations", async () => {
    const id = await addMonitor(stage, project);
    assert.equal((await ask("GET /api/v1/monitors", undefined, stage.cast.charlie)).body.total_items, 0);
    assert.equal((await ask(`GET /api/v1/monitors/${id}`, undefined, stage.cast.charlie)).status, 404);
  });
});

describe("reading a monitor", () => {
  it("has the 50 newest events, newest first", async () => {
    const id = await addMonitor(stage, project);
    await stage.pool.query(
      "insert into monitor_events (monitor_id, status, message) select $1, 'up', n::text from generate_series(1, 55) n",
      [id],
    );
    const { events } = await read(id);
    assert.equal(events.length, 50);
    assert.deepEqual([events[0].message, events[49].message], ["55", "6"]);
    assert.deepEqual(Object.keys(events[0]).toSorted(), [
      "context",
      "created_at",
      "id",
      "message",
      "resolved_at",
      "status",
    ]);
  });
});

describe("changing a monitor", () => {
  it("rejects fields that are fixed at creation", async () => {
    const id = await create();
    const reply = await ask(`PUT /api/v1/monitors/${id}`, {
      type: "http",
      monitorable_type: "App\\Models\\Project",
      monitorable_id: project,
    });
    assert.equal(reply.status, 422);
    assert.deepEqual(Object.keys(errorsOf(reply)).toSorted(), ["monitorable_id", "monitorable_type", "type"]);
  });

  it("keeps omitted fields, also inside the config", async () => {
    const id = await create({ config: { url: "https://shop.example.com/", expected_status: 301, timeout_seconds: 7 } });
    const reply = await ask(`PUT /api/v1/monitors/${id}`, { name: "Front", config: { method: "HEAD" } });
    assert.deepEqual(reply.body.data, { id, is_active: true });
    const { name, config } = await read(id);
    assert.equal(name, "Front");
    assert.deepEqual(config, {
      url: "https://shop.example.com/",
      method: "HEAD",
      expected_status: 301,
      interval_seconds: 60,
      timeout_seconds: 7,
      confirmation_threshold: 3,
    });
    await ask(`PUT /api/v1/monitors/${id}`, { config: { expected_status: null } });
    assert.equal((await read(id)).config.expected_status, null);
  });

  it("ends the outage when it is turned off, and is pending when it is turned on again", async () => {
    const id = await create();
    await fall(id);
    await ask(`PUT /api/v1/monitors/${id}`, { is_active: false });
    const [outage] = await eventsOf(stage, id);
    assert.notEqual(outage?.resolved_at, null);
    assert.notEqual((await intervalsOf(stage, id)).at(-1)?.ended_at, null);
    await ask(`PUT /api/v1/monitors/${id}`, { is_active: true });
    const monitor = await read(id);
    assert.equal(monitor.current_status, "pending");
    assert.equal(monitor.is_active, true);
  });

  it("raises the revision with a change of the check, not of the name", async () => {
    const id = await create();
    await ask(`PUT /api/v1/monitors/${id}`, { name: "Front" });
    assert.equal((await storedMonitor(stage, id)).revision, 1);
    await ask(`PUT /api/v1/monitors/${id}`, { config: { url: "https://other.example.com/" } });
    assert.equal((await storedMonitor(stage, id)).revision, 2);
  });
});

describe("a monitor's own channels", () => {
  const slack = { type: "slack", target: "https://hooks.slack.com/services/T0/B0/secretsecret", on: ["down"] };

  it("are shown without their secrets, and kept when a client sends them back unchanged", async () => {
    const id = await create({ notification_channels: [slack] });
    const { notification_channels: shown } = await read(id);
    assert.deepEqual(shown[0].on, ["down"]);
    assert.ok(!JSON.stringify(shown).includes("secretsecret"));
    const stored = () => rows(stage.pool, sql`select id, target from notification_channels where monitor_id = ${id}`);
    const before = await stored();
    await ask(`PUT /api/v1/monitors/${id}`, { notification_channels: [{ ...shown[0], on: ["down", "up"] }] });
    assert.deepEqual(await stored(), before);
    assert.deepEqual((await read(id)).notification_channels[0].on, ["down", "up"]);
    await ask(`PUT /api/v1/monitors/${id}`, { notification_channels: [] });
    assert.deepEqual(await stored(), []);
  });

  it("are not channels of the organization, and receive only their monitor's notices", async () => {
    const id = await create({ notification_channels: [slack] });
    const other = await create();
    assert.equal((await ask("GET /api/v1/notification-channels")).body.total_items, 0);
    await fall(other);
    const deliveries = () => rows(stage.pool, sql`select id from notification_deliveries`);
    assert.equal((await deliveries()).length, 0);
    await fall(id);
    assert.equal((await deliveries()).length, 1);
  });

  it("show the secret of a webhook once", async () => {
    const webhook = { type: "webhook", target: "https://hooks.example.com/a", on: ["down", "up"] };
    const reply = await ask("POST /api/v1/monitors", request({ notification_channels: [webhook] }));
    assert.match(reply.body.data.webhook_secrets[0].secret, /^whsec_/);
    const again = await ask(`PUT /api/v1/monitors/${reply.body.data.id}`, { notification_channels: [webhook] });
    assert.equal(again.body.data.webhook_secrets, undefined);
  });
});

describe("deletion", () => {
  it("removes the monitor with its events and history", async () => {
    const id = await create();
    await fall(id);
    assert.equal((await ask(`DELETE /api/v1/monitors/${id}`)).status, 200);
    assert.equal((await ask(`GET /api/v1/monitors/${id}`)).status, 404);
    assert.deepEqual(await eventsOf(stage, id), []);
    assert.deepEqual(await intervalsOf(stage, id), []);
    assert.equal((await ask(`DELETE /api/v1/monitors/${id}`)).status, 404);
  });

  it("happens with the project and with the server", async () => {
    for (const table of ["projects", "servers"]) {
      const ownServer = await addProvisioned(stage, { name: `own-${table}` });
      const ownProject = await addProject(stage.pool, ownServer);
      const id = await addMonitor(stage, ownProject);
      await stage.pool.query(`delete from ${table} where id = $1`, [table === "projects" ? ownProject : ownServer]);
      assert.equal((await ask(`GET /api/v1/monitors/${id}`)).status, 404);
    }
  });

  it("hides a domain's monitor with the domain, and shows it again when the domain comes back", async () => {
    const found = await row<{ id: number; domain_name: string }>(
      stage.pool,
      sql`insert into domains (project_id, domain_name) values (${project}, 'side.example.com') returning id, domain_name`,
    );
    const domain = found?.id ?? 0;
    const id = await create({ monitorable_type: "App\\Models\\Domain", monitorable_id: domain });
    assert.equal((await read(id)).target.name, "side.example.com");
    await stage.pool.query("delete from domains where id = $1", [domain]);
    assert.equal((await ask(`GET /api/v1/monitors/${id}`)).status, 404);
    assert.equal((await ask("GET /api/v1/monitors")).body.total_items, 0);
    await stage.pool.query(
      "insert into domains (id, project_id, domain_name) overriding system value values ($1, $2, 'side.example.com')",
      [domain, project],
    );
    assert.equal((await ask(`GET /api/v1/monitors/${id}`)).status, 200);
  });
});

describe("the transfer of a server", () => {
  const transfer = async (plan: string, monitors: number) => {
    const own = await addProvisioned(stage, { name: `gone-${plan}-${monitors}` });
    const moved = await addProject(stage.pool, own);
    const ids = [];
    for (let n = 0; n < monitors; n++) ids.push(await addMonitor(stage, moved));
    const made = await ask("POST /api/v1/organizations", { name: "Another" });
    await stage.pool.query("update organizations set plan = $1 where id = $2", [plan, made.body.data.id]);
    const reply = await ask(`POST /api/v1/servers/${own}/transfer-organization`, {
      organization_id: made.body.data.id,
    });
    return { reply, ids, organization: made.body.data.id };
  };

  it("moves its projects' monitors too, with their own channels", async () => {
    const { reply, ids, organization } = await transfer("pro", 1);
    assert.equal(reply.status, 200, reply.text);
    const stored = await row<{ organization_id: number }>(
      stage.pool,
      sql`select organization_id from monitors where id = ${ids[0]}`,
    );
    assert.equal(stored?.organization_id, organization);
    assert.equal((await ask(`GET /api/v1/monitors/${ids[0]}`)).status, 404);
  });

  it("is refused when the destination's plan does not cover the monitors", async () => {
    const { reply, ids } = await transfer("starter", 6);
    assert.equal(reply.status, 403, reply.text);
    assert.match(reply.body.message, /\b5 active/);
    assert.equal((await ask(`GET /api/v1/monitors/${ids[0]}`)).status, 200);
  });
});

describe("the history", () => {
  const thisHour = Math.floor(Date.now() / 3_600_000);
  const hour = (hoursAgo: number): Date => new Date((thisHour - hoursAgo) * 3_600_000);

  const addHour = (id: number, hoursAgo: number, counts: { checks: number; ok: number; latency: number[] }) =>
    stage.pool.query("select add_monitor_months($1)", [hour(hoursAgo)]).then(() =>
      stage.pool.query(
        `insert into monitor_hours (monitor_id, hour, checks, ok, unobserved, latency_sum_ms, latency, statuses)
         values ($1, $2, $3, $4, 1, 1000, $5, $6)`,
        [
          id,
          hour(hoursAgo),
          counts.checks,
          counts.ok,
          counts.latency,
          [counts.checks - counts.ok, 0, counts.ok, 0, 0, 0],
        ],
      ),
    );

  it("has counts, percentiles and states for each hour", async () => {
    const id = await addMonitor(stage, project);
    await addHour(id, 3, { checks: 60, ok: 60, latency: [0, 0, 30, 30, 0, 0, 0, 0, 0, 0, 0, 0] });
    await addHour(id, 2, { checks: 60, ok: 30, latency: [10, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] });
    await recordStates(stage.pool, [{ monitorId: id, state: "up", at: hour(3) }]);
    await recordStates(stage.pool, [{ monitorId: id, state: "down", at: new Date(hour(2).getTime() + 1_800_000) }]);
    await stage.pool.query("update monitors set observed_until = $2 where id = $1", [id, hour(1)]);
    const { data } = (await ask(`GET /api/v1/monitors/${id}/history`)).body;
    assert.equal(data.resolution, "hour");
    assert.deepEqual(
      data.points.map((point: Record<string, unknown>) => [
        point.checks,
        point.ok,
        point.unobserved,
        point.p50_ms,
        point.p95_ms,
        point.up_seconds,
        point.down_seconds,
      ]),
      [
        [60, 60, 1, 100, 190, 3600, 0],
        [60, 30, 1, 31, 48, 1800, 1800],
      ],
    );
    assert.deepEqual(data.points[1].statuses, { none: 30, "1xx": 0, "2xx": 30, "3xx": 0, "4xx": 0, "5xx": 0 });
    assert.equal(data.uptime, 75);
    assert.deepEqual(
      data.states.map(({ state }: { state: string }) => state),
      ["up", "down"],
    );
  });

  it("sums hours to days", async () => {
    const id = await addMonitor(stage, project);
    for (const ago of [50, 49, 2, 1])
      await addHour(id, ago, { checks: 60, ok: 60, latency: [60, ...Array(11).fill(0)] });
    const from = new Date(Date.now() - 4 * 86_400_000).toISOString();
    const { data } = (await ask(`GET /api/v1/monitors/${id}/history?from=${from}&resolution=day`)).body;
    const counts = data.points.map(({ checks }: { checks: number }) => checks);
    assert.equal(
      counts.reduce((sum: number, count: number) => sum + count, 0),
      240,
    );
    assert.ok(counts.length <= 4);
  });

  it("refuses invalid times and too many points", async () => {
    const id = await addMonitor(stage, project);
    const path = `GET /api/v1/monitors/${id}/history`;
    assert.ok(errorsOf(await ask(`${path}?from=yesterday`)).from);
    const all = await ask(`${path}?from=yesterday&to=tomorrow&resolution=week`);
    assert.deepEqual(Object.keys(errorsOf(all)).toSorted(), ["from", "resolution", "to"]);
    assert.ok(errorsOf(await ask(`${path}?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z`)).from);
    assert.ok(errorsOf(await ask(`${path}?from=2020-01-01T00:00:00Z&resolution=hour`)).from);
  });
});
