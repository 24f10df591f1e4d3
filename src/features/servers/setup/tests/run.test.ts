import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { type SshServer, sshServer } from "../../../../../test/ssh-server.ts";
import { transaction } from "../../../../db/transaction.ts";
import { endRun, findRunOf, startWithPlan } from "../../../../engine/runs/queries.ts";
import { reconcileAll } from "../../../../engine/tests/engines.ts";
import { Hosts } from "../../../../host/ssh/hosts.ts";
import { call } from "../../../../http/tests/support.ts";
import { serverRunKinds, serverTargets } from "../../jobs.ts";
import { setupKind } from "../../queries.ts";
import { addProvisioned, addServer, jobsIn, openStage, type Stage } from "../../tests/support.ts";

const osRelease = 'ID=debian\nVERSION_ID="12"\nPRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\n';

let stage: Stage;
let machine: SshServer;
let hosts: Hosts;
let id: number;

before(async () => {
  stage = await openStage();
  machine = await sshServer({
    exec: (_command, channel) => {
      channel.write(osRelease);
      channel.exit(0);
      channel.end();
    },
  });
  hosts = new Hosts({
    lookUp: () => Promise.resolve(machine.address),
    pin: () => Promise.resolve(),
    connectTimeoutMs: 10_000,
  });
});
after(async () => {
  await hosts?.close();
  machine?.close();
  await stage?.close();
});
beforeEach(async () => {
  id = await addProvisioned(stage);
});

const get = async (path: string) => {
  const reply = await call(stage.app, `GET /api/v1/servers${path}`, { token: stage.cast.alice });
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
};
const run = (token = stage.cast.alice) => call(stage.app, `POST /api/v1/servers/${id}/setup/run`, { token });
const recordOf = async () => (await get(`/${id}`)).data;

/** Plans the requested setup as the worker does, with these settings of the control plane. */
async function planned(settings: object = {}) {
  const ctx = { ...stage.ctx, hosts, config: { ...stage.ctx.config, ...settings } };
  const [kind] = serverRunKinds(ctx);
  const found = await findRunOf(stage.pool, setupKind, id);
  assert.ok(kind?.plan && found);
  const plan = await kind.plan(found);
  assert.ok(await startWithPlan(stage.pool, found.id, plan));
  return { kind, plan, runId: found.id };
}

/** Runs a setup from the request to its end. */
async function setUp({ failed, version }: { failed?: string; version?: string } = {}): Promise<number> {
  assert.equal((await run()).status, 202);
  const { kind, runId } = await planned();
  await stage.pool.query(
    "update run_steps set status = case when key = $2 then 'failed' else 'completed' end where run_id = $1",
    [runId, failed ?? null],
  );
  await transaction(stage.pool, async (tx) => {
    const ended = await endRun(tx, runId, { state: "succeeded", error: null });
    assert.ok(ended);
    if (version) ended.plan.version = version;
    await kind.onEnded(tx, ended, "succeeded");
  });
  return runId;
}

describe("running a setup again", () => {
  it("is for a server whose setup has completed, and plans it by the settings of today", async () => {
    await setUp();
    const reply = await run();
    assert.equal(reply.status, 202);
    assert.equal(reply.body.server_id, id);
    assert.equal((await recordOf()).server_status, 1);
    const { plan, runId } = await planned({ nodeMirror: "https://mirror.example.com/node" });
    assert.ok((await jobsIn(stage.pool, "run")).some((job) => job.runId === runId));
    const node = plan.steps.find((step) => step.key === "node-24");
    assert.match(node?.script ?? "", /mirror\.example\.com/);
    assert.equal((await get(`/${id}/setup-steps`)).data.summary.total, plan.steps.length);
  });

  it("is refused while a setup runs, also when it is asked for twice at once", async () => {
    const replies = await Promise.all([run(), run()]);
    assert.deepEqual(replies.map((reply) => reply.status).sort(), [202, 422]);
    assert.match((await run()).body.message, /The setup of web-1 is still running/);
  });

  it("is refused for a server that was never connected to, and while it reboots", async () => {
    await call(stage.app, `POST /api/v1/servers/${id}/reboot`, { token: stage.cast.alice });
    assert.match((await run()).body.message, /web-1 is rebooting/);
    id = await addServer(stage);
    const reply = await run();
    assert.equal(reply.status, 422);
    assert.match(reply.body.message, /was never connected to/);
    assert.equal((await recordOf()).server_status, 0);
  });

  it("is for members, not for viewers or strangers", async () => {
    assert.equal((await run(stage.cast.victor)).status, 403);
    assert.equal((await run(stage.cast.charlie)).status, 404);
    assert.equal((await run(stage.cast.bob)).status, 202);
  });

  it("leaves a database that exists as it was, though a step of the engine fails", async () => {
    const database = async () => {
      const { rows } = await stage.pool.query("select status, notes from databases where server_id = $1", [id]);
      return rows;
    };
    await setUp();
    await setUp({ failed: "database-settings" });
    assert.deepEqual(await database(), [{ status: 1, notes: null }]);
  });
});

describe("a time zone that is changed while the setup runs", () => {
  it("is set when the setup has ended, and only then", async () => {
    const countRuns = async () => {
      await reconcileAll(stage.ctx, serverTargets());
      return (await stage.pool.query("select 1 from runs where kind = 'timezone' and subject_id = $1", [id])).rowCount;
    };
    await setUp();
    assert.equal(await countRuns(), 0);
    await run();
    const { kind, runId } = await planned();
    const body = { timezone: "Asia/Tokyo" };
    await call(stage.app, `PUT /api/v1/servers/${id}`, { token: stage.cast.alice, body });
    assert.equal(await countRuns(), 0);
    await transaction(stage.pool, async (tx) => {
      const ended = await endRun(tx, runId, { state: "succeeded", error: null });
      assert.ok(ended);
      await kind.onEnded(tx, ended, "succeeded");
    });
    assert.equal(await countRuns(), 1);
  });
});

describe("the version of a setup", () => {
  it("is that of the last setup that reached its end", async () => {
    const before = await recordOf();
    assert.deepEqual([before.setup_version, before.setup_is_outdated], [null, true]);
    await setUp();
    const after = await recordOf();
    assert.match(after.setup_version, /^[\w-]{16}$/);
    assert.equal(after.setup_is_outdated, false);
    await run();
    const { kind, runId } = await planned();
    await transaction(stage.pool, async (tx) => {
      const ended = await endRun(tx, runId, { state: "failed", error: "It gave up." });
      assert.ok(ended);
      ended.plan.version = "another";
      await kind.onEnded(tx, ended, "failed");
    });
    const gaveUp = await recordOf();
    assert.deepEqual([gaveUp.setup_version, gaveUp.server_status], [after.setup_version, 1]);
  });

  it("is outdated when the steps of today are other ones, in the list as well", async () => {
    await setUp({ version: "of-a-former-one" });
    const listed = async () =>
      (await get("?per_page=100")).data.find((server: { id: number }) => server.id === id).setup_is_outdated;
    assert.equal((await recordOf()).setup_is_outdated, true);
    assert.equal(await listed(), true);
    await setUp();
    assert.equal(await listed(), false);
  });

  it("is outdated when what it carries changes, and not when its own settings do", async () => {
    await setUp();
    await stage.pool.query("update servers set timezone = 'Europe/Berlin', ssh_port = 2222 where id = $1", [id]);
    assert.equal((await recordOf()).setup_is_outdated, false);
    await stage.pool.query("update servers set database_engine = 'postgresql' where id = $1", [id]);
    assert.equal((await recordOf()).setup_is_outdated, true);
  });

  it("is not outdated before the first setup has ended", async () => {
    id = await addServer(stage);
    const { setup_version, setup_is_outdated } = await recordOf();
    assert.deepEqual([setup_version, setup_is_outdated], [null, false]);
  });
});

describe("the setups of a server", () => {
  it("stay readable, each with its outcome, steps and log", async () => {
    const first = await setUp({ failed: "nginx" });
    const second = await setUp();
    const list = await get(`/${id}/setup-runs`);
    assert.equal(list.total_items, 2);
    assert.deepEqual(
      list.data.map((setup: { id: number; state: string }) => [setup.id, setup.state]),
      [
        [second, "completed"],
        [first, "completed_with_failures"],
      ],
    );
    const [, earlier] = list.data;
    assert.deepEqual([earlier.summary.failed, earlier.setup_version], [1, (await recordOf()).setup_version]);
    assert.match(earlier.ended_at, /Z$/);
    assert.equal((await get(`/${id}/setup-runs?per_page=1&page=2`)).data[0].id, first);
    const { data } = await get(`/${id}/setup-steps?run_id=${first}&include_steps=true`);
    assert.deepEqual([data.run_id, data.attention[0].key], [first, "nginx"]);
    assert.equal(data.steps.length, data.summary.total);
    assert.equal((await get(`/${id}/setup-steps`)).data.run_id, second);
  });

  it("print a log, which is read in pages while it grows and afterwards", async () => {
    assert.deepEqual((await get(`/${id}/setup-log`)).is_complete, false);
    const first = await setUp();
    await stage.pool.query("insert into run_output values ($1, 0, 0, 'system', 'Debian.\n')", [first]);
    await stage.pool.query("insert into run_output values ($1, 40, 1, 'system', 'x86_64.\n')", [first]);
    const page = await get(`/${id}/setup-log?limit=1`);
    assert.deepEqual(page.data, [
      { offset: 0, step: "operating-system", audience: "system", text: "Debian.\n", first_line: 1 },
    ]);
    assert.deepEqual([page.has_more, page.is_complete], [true, false]);
    const rest = await get(`/${id}/setup-log?after=${page.next}`);
    assert.equal(rest.data[0].text, "x86_64.\n");
    assert.equal(rest.is_complete, true);
    await run();
    assert.deepEqual(await get(`/${id}/setup-log`), {
      status: "success",
      data: [],
      next: 0,
      has_more: false,
      is_complete: false,
      total_lines: 0,
      total_bytes: 0,
    });
    assert.equal((await get(`/${id}/setup-log?run_id=${first}`)).data.length, 2);
  });

  it("are found below their own server only", async () => {
    const setup = await setUp();
    const other = await addProvisioned(stage);
    for (const path of [`setup-steps?run_id=${setup}`, `setup-log?run_id=${setup}`, `setup-log?run_id=${setup + 99}`]) {
      const reply = await call(stage.app, `GET /api/v1/servers/${other}/${path}`, { token: stage.cast.alice });
      assert.equal(reply.status, 404, path);
    }
    for (const path of ["setup-runs", "setup-log"]) {
      const reply = await call(stage.app, `GET /api/v1/servers/${id}/${path}`, { token: stage.cast.charlie });
      assert.equal(reply.status, 404, path);
    }
  });
});
