import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { transaction } from "../../../db/transaction.ts";
import { findTarget } from "../../../engine/reconcile/queries.ts";
import type { Run } from "../../../engine/runs/queries.ts";
import { call, type Reply, tokenOf } from "../../../http/tests/support.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { lockProjectForWork } from "../../projects/queries.ts";
import {
  createPreparedProject,
  createProject,
  openStage,
  type Play,
  playServers,
  readProject,
  type Stage,
  update,
} from "../../projects/tests/support.ts";
import { untilWaiting } from "../../servers/tests/support.ts";
import { publishKind } from "../../site-records/schema.ts";
import { recordPreparation } from "../preparation.ts";

let stage: Stage;
let stop: () => Promise<void> = async () => {};

before(async () => {
  stage = await openStage();
});

afterEach(async () => {
  await stop();
  stop = async () => {};
});

after(() => stage?.close());

const ask = (line: string, token = stage.cast.alice): Promise<Reply> => call(stage.app, line, { token });
const toggle = (id: number, token?: string) => ask(`POST /api/v1/projects/${id}/maintenance/toggle`, token);
const publish = (id: number, query = "", token?: string) => ask(`GET /api/v1/projects/${id}/publish${query}`, token);
const status = async (id: number) => (await ask(`GET /api/v1/projects/${id}/maintenance/status`)).body;

async function play(how: (run: Run) => Promise<Play> | Play): Promise<void> {
  stop = await playServers(stage, how);
}

/** A server that carries out its runs: its flag equals the facts. */
const obey = (run: Run): Play => {
  const isOn = /: > \S+maintenance/.test(run.plan.steps[0]?.script ?? "");
  return run.kind === "maintenance"
    ? { facts: { maintenance: isOn ? "on" : "off" } }
    : { output: "test is successful\n" };
};

const rowOf = async (id: number) =>
  (
    await stage.pool.query(
      "select site.*, pl.is_prepared from sites site join placements pl using (project_id) where project_id = $1",
      [id],
    )
  ).rows[0];
/** What is known of the site on the project's server. */
const markOf = async (id: number) =>
  (await findTarget(stage.pool, { ...publishKind, subjectId: id, serverId: stage.serverId }))?.appliedMark;
const runsOf = async (id: number): Promise<Run[]> =>
  (
    await stage.pool.query("select * from runs where kind in ('site', 'maintenance') and subject_id = $1 order by id", [
      id,
    ])
  ).rows;

/** Lets a test hold back the end of a run. */
function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, open: resolve };
}

describe("maintenance", () => {
  test("is toggled on and off, and the record follows the server", async () => {
    const id = await createPreparedProject(stage);
    await play(obey);
    assert.deepEqual(await status(id), { status: "success", maintenance_mode: false });
    const on = await toggle(id);
    assert.deepEqual([on.status, on.body.status, on.body.maintenance_mode], [200, "success", true]);
    assert.deepEqual(await status(id), { status: "success", maintenance_mode: true });
    assert.equal((await readProject(stage, id)).maintenance_mode, true);
    assert.equal((await toggle(id)).body.maintenance_mode, false);
    assert.equal((await status(id)).maintenance_mode, false);
  });

  test("is set as often as asked, and changes once", async () => {
    const id = await createPreparedProject(stage);
    await play(obey);
    const send = (method: string, path: string, body: object) =>
      call(stage.app, `${method} /api/v1/projects/${id}/maintenance${path}`, { token: stage.cast.alice, body });
    for (const [enabled, expected] of [
      [true, true],
      [1, true],
      [true, true],
      [false, false],
      [0, false],
    ] as const) {
      const reply = await send("PUT", "", { enabled });
      assert.deepEqual([reply.status, reply.body.maintenance_mode], [200, expected], reply.text);
      assert.equal((await status(id)).maintenance_mode, expected);
    }
    assert.equal((await runsOf(id)).length, 2);
    for (let time = 0; time < 2; time++) {
      assert.equal((await send("POST", "/toggle", { enabled: true })).body.maintenance_mode, true);
    }
    assert.equal((await send("POST", "/toggle", {})).body.maintenance_mode, false);
    const replies = await Promise.all([1, 2, 3].map(() => send("PUT", "", { enabled: true })));
    assert.deepEqual(
      replies.map(({ body }) => body.maintenance_mode),
      [true, true, true],
    );
    for (const body of [{}, { enabled: "yes" }, { maintenance_mode: true }]) {
      assert.equal((await send("PUT", "", body)).status, 422);
    }
    assert.equal((await status(id)).maintenance_mode, true);
  });

  test("the record changes with the end of the run, not before", async () => {
    const id = await createPreparedProject(stage);
    const held = gate();
    await play(async (run) => {
      await held.promise;
      return obey(run);
    });
    const answering = toggle(id);
    await pollUntil(async () => (await runsOf(id)).length === 1, { timeoutMs: 30_000 });
    assert.equal((await status(id)).maintenance_mode, false);
    held.open();
    assert.equal((await answering).body.maintenance_mode, true);
    assert.equal((await status(id)).maintenance_mode, true);
  });

  test("stays as it was, and reports why, when the server does not do it", async () => {
    const id = await createPreparedProject(stage);
    await play(() => ({ exitCode: 1, output: "No space left on device\n" }));
    const reply = await toggle(id);
    assert.equal(reply.status, 503);
    assert.match(reply.body.message, /stays off: No space left on device/);
    assert.equal((await status(id)).maintenance_mode, false);
  });

  test("two toggles at once are two toggles, one after the other", async () => {
    const id = await createPreparedProject(stage);
    await play(obey);
    const replies = await Promise.all([toggle(id), toggle(id), toggle(id)]);
    assert.deepEqual(
      replies.map((reply) => reply.status),
      [200, 200, 200],
    );
    const modes = replies.map((reply) => reply.body.maintenance_mode);
    assert.deepEqual(modes.toSorted(), [false, true, true]);
    assert.equal((await status(id)).maintenance_mode, true);
  });

  test("needs a project that is on its server", async () => {
    const id = await createProject(stage);
    const reply = await toggle(id);
    assert.deepEqual([reply.status, Object.keys(reply.body)], [422, ["status", "message"]]);
    assert.match(reply.body.message, /not installed on its server yet/);
    assert.equal((await runsOf(id)).length, 0);
  });

  test("is for those who may: 403, 404", async () => {
    const { cast, pool } = stage;
    const id = await createPreparedProject(stage);
    assert.equal((await toggle(id, cast.victor)).status, 403);
    assert.equal((await toggle(id, cast.charlie)).status, 404);
    const line = `GET /api/v1/projects/${id}/maintenance/status`;
    assert.equal((await ask(line, cast.victor)).status, 200);
    assert.equal((await ask(line, cast.charlie)).status, 404);
    assert.equal((await ask(line, await tokenOf(pool, "Alice", "server:read"))).status, 403);
  });
});

describe("publishing", () => {
  test("answers with nginx's output", async () => {
    const id = await createPreparedProject(stage);
    await play(() => ({ output: "nginx: the configuration file is ok\nnginx: test is successful\n" }));
    const { status, body } = await publish(id);
    assert.equal(status, 200);
    assert.deepEqual(body, {
      status: "success",
      message: "The web server serves the project.",
      nginx_response: { ok: true, system_output: ["nginx: the configuration file is ok", "nginx: test is successful"] },
    });
  });

  test("answers with nginx's reason when it is rejected", async () => {
    const id = await createPreparedProject(stage);
    const said = 'nginx: [emerg] unknown directive "nonsense" in broken.conf:1';
    const reason = "nginx rejects the new settings: unknown directive. The former ones stay.";
    await play(() => ({ exitCode: 1, output: `${said}\n${reason}\n` }));
    const { status, body } = await publish(id);
    assert.deepEqual([status, body.status, body.message], [200, "failed", reason]);
    assert.deepEqual(body.nginx_response, { ok: false, system_output: [said, reason] });
    const { sync } = await readProject(stage, id);
    assert.deepEqual([sync.state, sync.error, sync.retry_at], ["failed", reason, null]);
    const { body: domains } = await ask(`GET /api/v1/projects/${id}/domains`);
    assert.deepEqual(domains.data[0]?.sync, sync, "times in the same format, whichever query reads them");
  });

  test("force_ssl sets or removes SSL; omitted it stays", async () => {
    const id = await createPreparedProject(stage);
    await play(obey);
    const after = async (query: string) => {
      assert.equal((await publish(id, query)).status, 200);
      return (await readProject(stage, id)).ssl_is_enabled;
    };
    assert.equal(await after("?force_ssl=1"), 1);
    assert.equal(await after(""), 1);
    assert.equal(await after("?force_ssl=0"), 0);
    assert.equal(await after(""), 0);
    for (const wrong of ["2", "yes", "-1"]) {
      const reply = await publish(id, `?force_ssl=${wrong}`);
      assert.deepEqual([reply.status, Object.keys(reply.body.errors)], [422, ["force_ssl"]]);
    }
  });

  test("force_ssl is taken back when the server rejects the site, and the answer says so", async () => {
    const id = await createPreparedProject(stage);
    await play(() => ({ exitCode: 1, output: "nginx rejects the new settings.\n" }));
    const { status, body } = await publish(id, "?force_ssl=1");
    assert.deepEqual([status, body.status, body.nginx_response.ok], [200, "failed", false]);
    assert.match(body.message, /^The change was taken back\. nginx rejects/);
    assert.equal((await readProject(stage, id)).ssl_is_enabled, 0);
  });

  test("starts no deployment", async () => {
    const id = await createPreparedProject(stage);
    await play(obey);
    await publish(id);
    const { rows } = await stage.pool.query("select count(*) from deployments where project_id = $1", [id]);
    assert.equal(rows[0].count, 1, "the installation's");
  });

  test("requests at once share one run", async (t) => {
    const id = await createPreparedProject(stage);
    const held = gate();
    await play(async (run) => {
      await held.promise;
      return obey(run);
    });
    const waiting = t.mock.method(stage.ctx.listener, "listen");
    const answering = Promise.all([publish(id), publish(id), publish(id)]);
    assert.ok(await pollUntil(() => waiting.mock.callCount() >= 3, { timeoutMs: 30_000 }), "each waits for a run");
    held.open();
    for (const reply of await answering) assert.equal(reply.body.nginx_response.ok, true);
    assert.ok((await runsOf(id)).length <= 2);
  });

  test("what changed while a run was under way is published by another one", async () => {
    const id = await createPreparedProject(stage, { framework_id: 10 });
    const held = gate();
    const scripts: string[] = [];
    await play(async (run) => {
      // A run of the previous test may still be answered.
      if (run.subject_id !== id) return obey(run);
      scripts.push(run.plan.steps.at(-1)?.script ?? "");
      if (scripts.length === 1) await held.promise;
      return obey(run);
    });
    const first = publish(id);
    await pollUntil(() => scripts.length === 1, { timeoutMs: 30_000 });
    const second = update(stage, id, { markdown_negotiation_enabled: true });
    await pollUntil(async () => (await rowOf(id)).markdown_negotiation_enabled, { timeoutMs: 30_000 });
    held.open();
    assert.equal((await first).body.nginx_response.ok, true);
    assert.equal((await second).body.message, "The project was updated, and the web server follows it.");
    assert.equal(scripts.length, 2);
    assert.match(scripts[1] as string, /http_accept/);
  });

  test("a rejected site is not published again by itself", async () => {
    const id = await createPreparedProject(stage);
    await play(() => ({ exitCode: 1, output: "no\n" }));
    await publish(id);
    assert.equal((await runsOf(id)).length, 1);
    assert.equal(await markOf(id), null);
  });

  test("records what the server has", async () => {
    const id = await createPreparedProject(stage);
    await play(obey);
    await publish(id);
    assert.ok(await markOf(id));
  });

  test("the end of a run locks the project before the placement", async () => {
    const id = await createPreparedProject(stage);
    await play(obey);
    await publish(id);
    const [run] = await runsOf(id);
    await stage.pool.query("update placements set is_prepared = false where project_id = $1", [id]);
    const { recording } = await transaction(stage.pool, async (tx) => {
      await lockProjectForWork(tx, id);
      const recording = transaction(stage.pool, (other) => recordPreparation(other, stage.ctx, run as Run, id));
      await untilWaiting(stage.pool);
      await tx.query("select 1 from placements where project_id = $1 for update nowait", [id]);
      return { recording };
    });
    await recording;
    assert.equal((await rowOf(id)).is_prepared, true);
  });

  test("a publication under way ends with its project", async () => {
    const id = await createPreparedProject(stage);
    const waiting = publish(id);
    await pollUntil(async () => (await runsOf(id)).length === 1, { timeoutMs: 30_000 });
    assert.equal((await ask(`DELETE /api/v1/project/${id}`)).status, 200);
    const [run] = await runsOf(id);
    assert.ok(run?.cancel_requested_at, "the run is cancelled");
    await transaction(stage.pool, (tx) => recordPreparation(tx, stage.ctx, run as Run, id));
    assert.equal((await runsOf(id)).length, 1, "and none follows it");
    await stage.pool.query("update runs set state = 'cancelled', ended_at = now() where id = $1", [run?.id]);
    assert.equal((await waiting).body.nginx_response.ok, false);
  });

  test("needs a project that is on its server, and an actor with permission", async () => {
    const { cast } = stage;
    assert.equal((await publish(await createProject(stage))).status, 422);
    const id = await createPreparedProject(stage);
    assert.equal((await publish(id, "", cast.victor)).status, 403);
    assert.equal((await publish(id, "", cast.charlie)).status, 404);
  });
});

describe("a server that does not answer in time", () => {
  before(async () => {
    await stage.close();
    stage = await openStage({ answerWithinSeconds: "1" });
  });

  test("is not waited for any longer, and the maintenance mode changes when it does", async () => {
    const id = await createPreparedProject(stage);
    const first = await toggle(id);
    assert.deepEqual([first.status, first.body.status, first.body.maintenance_mode], [202, "success", false]);
    const second = await toggle(id);
    assert.equal(second.status, 422);
    assert.match(second.body.message, /being changed by another request/);
    await play(obey);
    await pollUntil(async () => (await status(id)).maintenance_mode, { timeoutMs: 30_000 });
    assert.equal((await runsOf(id)).length, 1);
  });

  test("publishes later", async () => {
    const id = await createPreparedProject(stage);
    const { status, body } = await publish(id);
    assert.deepEqual([status, body.status, body.nginx_response], [202, "success", null]);
    assert.match(body.message, /continues in the background/);
    assert.equal((await readProject(stage, id)).sync.state, "pending");
    await play(obey);
    assert.ok(await pollUntil(async () => (await markOf(id)) !== null, { timeoutMs: 30_000 }));
    const { sync } = await readProject(stage, id);
    assert.deepEqual([sync.state, sync.error], ["applied", null]);
  });
});
