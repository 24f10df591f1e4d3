import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { rows, sql } from "../../../db/sql.ts";
import { call } from "../../../http/tests/support.ts";
import { serverJobs } from "../jobs.ts";
import { addProvisioned, checkConnections, emptyQueue, openStage, type Stage } from "./support.ts";

const queue = "announce-unreachable-server";

describe("a server that does not answer", () => {
  let stage: Stage;
  before(async () => {
    stage = await openStage();
  });
  after(() => stage.close());
  beforeEach(async () => {
    await stage.pool.query("delete from servers");
    await stage.pool.query("delete from announcements");
    await emptyQueue(stage.pool, queue);
  });

  /** Checks all servers as a worker does each minute; none responds in this test. */
  const look = async () => {
    await stage.pool.query("update servers set connection_checked_at = null");
    await checkConnections(stage);
  };
  const waiting = () =>
    rows<{ data: Record<string, unknown>; later: boolean }>(
      stage.pool,
      sql`select data, start_after > now() + interval '100 seconds' as later from queue.job
        where name = ${queue} and state = 'created'`,
    );
  const twoMinutesLater = async () => {
    const handler = serverJobs(stage.ctx).find(({ name }) => name === queue);
    for (const { data } of await waiting()) await handler?.work(data, new AbortController().signal);
    await emptyQueue(stage.pool, queue);
  };
  const announced = () =>
    rows<{ topic: string; title: string; text: string; data: Record<string, unknown> }>(
      stage.pool,
      sql`select topic, title, text, data from announcements`,
    );

  it("is announced once when it does not answer two minutes later either", async () => {
    const id = await addProvisioned(stage);
    await look();
    assert.deepEqual(await waiting(), [{ data: { serverId: id }, later: true }]);
    await look();
    await stage.pool.query("update servers set connection_error = 'Something else.'");
    await look();
    assert.equal((await waiting()).length, 1);
    await twoMinutesLater();
    const [announcement, ...more] = await announced();
    assert.deepEqual(more, []);
    assert.equal(announcement?.topic, "server.unreachable");
    assert.equal(announcement.title, "The server web-1 does not answer");
    assert.match(announcement.text, /^web-1 \(10\.\S+\): No server answers in this test\.$/);
    assert.equal(announcement.data.server_id, id);
    await look();
    assert.deepEqual(await waiting(), [], "not again while it stays like that");
  });

  it("is announced as well when it does not come back from a reboot", async () => {
    const id = await addProvisioned(stage);
    await call(stage.app, `POST /api/v1/servers/${id}/reboot`, { token: stage.cast.alice });
    await look();
    assert.deepEqual(await waiting(), [{ data: { serverId: id }, later: true }], "one look, though it is down");
    await twoMinutesLater();
    assert.deepEqual(
      (await announced()).map(({ text }) => text.split(": ")[1]),
      ["The server is rebooting."],
    );
  });

  it("is announced as well while its setup runs again, or gave up doing so", async () => {
    const id = await addProvisioned(stage);
    await stage.pool.query("update servers set server_status = 1, setup_version = 'a-version' where id = $1", [id]);
    await look();
    await twoMinutesLater();
    assert.equal((await announced()).length, 1);
  });

  it("is no news when it answers again by then", async () => {
    await addProvisioned(stage);
    await look();
    await stage.pool.query("update servers set connection_status = 1, connection_error = null");
    await twoMinutesLater();
    assert.deepEqual(await announced(), []);
  });

  it("is no news before its first setup has ended, or when it is gone", async () => {
    const id = await addProvisioned(stage);
    await stage.pool.query("update servers set server_status = 1 where id = $1", [id]);
    await look();
    await twoMinutesLater();
    assert.deepEqual(await announced(), []);
    await addProvisioned(stage);
    await look();
    await stage.pool.query("delete from servers");
    await twoMinutesLater();
    assert.deepEqual(await announced(), []);
  });
});
