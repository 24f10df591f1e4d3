import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { rows, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { endRun, findRunOf, insertRun } from "../../../engine/runs/queries.ts";
import { call } from "../../../http/tests/support.ts";
import {
  claimConnectionChecks,
  claimFirstConnections,
  type FirstConnection,
  setNextConnection,
  startConnecting,
} from "../connecting/queries.ts";
import { rebootKind, setupKind } from "../queries.ts";
import { rebootPlan, rebootRunKind } from "../reboot.ts";
import { connectSchedule } from "../setup/connect.ts";
import { addProvisioned, addServer, checkConnections, eventsOf, jobsIn, openStage, type Stage } from "./support.ts";

let stage: Stage;
let id: number;

before(async () => {
  stage = await openStage();
});
after(() => stage?.close());
beforeEach(async () => {
  id = await addProvisioned(stage);
});

const reboot = (serverId = id, token = stage.cast.alice) =>
  call(stage.app, `POST /api/v1/servers/${serverId}/reboot`, { token });
const connection = async () => {
  const { body } = await call(stage.app, `GET /api/v1/servers/${id}`, { token: stage.cast.alice });
  return [body.data.connection_status, body.data.connection_error];
};

describe("a reboot", () => {
  it("is queued as a run, and the server counts as disconnected until it is back", async () => {
    const reply = await reboot();
    assert.equal(reply.status, 202);
    assert.deepEqual(Object.keys(reply.body).sort(), ["message", "server_id", "status"]);
    const run = await findRunOf(stage.pool, rebootKind, id);
    assert.ok((await jobsIn(stage.pool, "run")).some((job) => job.runId === run?.id));
    assert.deepEqual(await connection(), [0, "The server is rebooting."]);
    assert.equal((await eventsOf(stage.pool, id)).at(-1), "server.updated");
  });

  it("asked for twice, also at once, is one", async () => {
    const replies = await Promise.all([reboot(), reboot(), reboot()]);
    assert.deepEqual(
      replies.map((reply) => reply.status),
      [202, 202, 202],
    );
    const runs = await rows(stage.pool, sql`select 1 from runs where server_id = ${id} and kind = 'reboot'`);
    assert.equal(runs.length, 1);
  });

  it("ends connected, or reports why not", async () => {
    for (const [state, expected] of [
      ["succeeded", [1, null]],
      ["failed", [0, "It did not come back."]],
    ] as const) {
      await reboot();
      const run = await findRunOf(stage.pool, rebootKind, id);
      await transaction(stage.pool, async (tx) => {
        const error = state === "failed" ? "It did not come back." : null;
        const ended = await endRun(tx, run?.id as number, { state, error });
        if (ended) await rebootRunKind.onEnded(tx, ended, state);
      });
      assert.deepEqual(await connection(), expected);
    }
  });

  it("is left alone by the checks of the connection", async () => {
    const other = await addProvisioned(stage);
    await reboot();
    const claimed = (await claimConnectionChecks(stage.pool, 1_000)).map((server) => server.id);
    assert.deepEqual([claimed.includes(id), claimed.includes(other)], [false, true]);
  });

  it("is refused for a server that was never connected to, and while its setup runs", async () => {
    const reply = await reboot(await addServer(stage));
    assert.equal(reply.status, 422);
    assert.deepEqual(Object.keys(reply.body).sort(), ["message", "status"]);
    await insertRun(stage.pool, { serverId: id, ...setupKind, subjectId: id, plan: rebootPlan });
    assert.equal((await reboot()).status, 422);
  });

  it("is for members, not for viewers or strangers", async () => {
    assert.equal((await reboot(id, stage.cast.bob)).status, 202);
    assert.equal((await reboot(id, stage.cast.victor)).status, 403);
    assert.equal((await reboot(id, stage.cast.charlie)).status, 404);
  });
});

describe("checks of connections", () => {
  it("take each connected server once a minute, and no server twice at once", async () => {
    const waiting = await addServer(stage);
    const claims = await Promise.all([1, 2, 3].map(() => claimConnectionChecks(stage.pool, 1_000)));
    const claimed = claims.flat().map((server) => server.id);
    assert.equal(claimed.filter((each) => each === id).length, 1);
    assert.equal(claimed.includes(waiting), false);
    assert.deepEqual(await claimConnectionChecks(stage.pool, 1_000), []);
    await stage.pool.query(
      "update servers set connection_checked_at = connection_checked_at - interval '61 seconds' where id = $1",
      [id],
    );
    assert.deepEqual(await claimConnectionChecks(stage.pool, 1_000), [{ id }]);
  });

  it("notify about a server that does not answer, once", async () => {
    await stage.pool.query("update servers set connection_checked_at = null where id = $1", [id]);
    const updates = async () => (await eventsOf(stage.pool, id)).filter((name) => name === "server.updated").length;
    const before = await updates();
    for (const _ of [1, 2]) {
      await checkConnections(stage);
      await stage.pool.query("update servers set connection_checked_at = null where id = $1", [id]);
    }
    assert.deepEqual(await connection(), [0, "No server answers in this test."]);
    assert.equal(await updates(), before + 1);
  });
});

describe("the first connection", () => {
  const dueNow = () => stage.pool.query("update servers set connect_at = now() where connect_at is not null");
  const isDue = async () => (await claimFirstConnections(stage.pool, 1_000)).some((each) => each.id === id);

  beforeEach(async () => {
    await stage.pool.query("update servers set connect_at = null");
    id = await addServer(stage);
  });

  it("is attempted by one process, again after a failure, and by another when that one died", async () => {
    const { claim, work } = connectSchedule(stage.ctx);
    const [claimed, ...others] = await claim(stage.pool, 100);
    assert.deepEqual([claimed?.id, others], [id, []]);
    assert.equal(await isDue(), false, "the claim of one");
    await dueNow();
    assert.ok(await isDue(), "after the time of an attempt that was cut off");
    await dueNow();
    const [again] = await claim(stage.pool, 100);
    await work(again as FirstConnection, new AbortController().signal);
    assert.match(String((await connection())[1]), /No server answers/);
    const next = await stage.pool.query(
      "select connect_at between now() and now() + interval '5 seconds' as is_soon from servers where id = $1",
      [id],
    );
    assert.deepEqual(next.rows, [{ is_soon: true }]);
  });

  it("is given up in time, with a word on what to do, unless a retry was requested just then", async () => {
    await stage.pool.query("update servers set connecting_since = now() - interval '25 hours' where id = $1", [id]);
    const { claim, work } = connectSchedule(stage.ctx);
    const [claimed] = await claim(stage.pool, 100);
    await work(claimed as FirstConnection, new AbortController().signal);
    assert.match(String((await connection())[1]), /ended after 24 hours: retry the setup/);
    await dueNow();
    assert.equal(await isDue(), false);
    await startConnecting(stage.pool, id);
    await setNextConnection(stage.pool, claimed as FirstConnection, null);
    assert.ok(await isDue());
  });
});
