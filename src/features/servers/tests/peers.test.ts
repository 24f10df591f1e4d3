import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { transaction } from "../../../db/transaction.ts";
import { endRun, findRunOf } from "../../../engine/queries.ts";
import { findServicePassword, keepServicePassword, listPeerAddresses, peersKind } from "../data/queries.ts";
import { serverRunKinds, serverSchedules } from "../jobs.ts";
import { addServer, openStage, type Stage } from "./support.ts";

let stage: Stage;

before(async () => {
  stage = await openStage();
});
after(() => stage?.close());

const addressOf = async (id: number): Promise<string> =>
  (await stage.pool.query("select host(public_ip) as address from servers where id = $1", [id])).rows[0].address;

const provisioned = (id: number) =>
  stage.pool.query("update servers set server_status = 10, connection_status = 1 where id = $1", [id]);

const connected = (id: number) =>
  stage.pool.query("update servers set host_key = 'ssh-ed25519 AAAA' where id = $1", [id]);

async function followPeers(): Promise<void> {
  const task = serverSchedules(stage.ctx).find(({ name }) => name === "reconcile-firewall-peers");
  await task?.work(new AbortController().signal);
}

const peersRun = (id: number) => findRunOf(stage.pool, peersKind, id);

describe("the peers of a server", () => {
  it("are no servers that were never connected to", async () => {
    const cache = await addServer(stage, { server_type: 2 });
    const claimed = await addServer(stage, { public_ip: "6.6.6.6" });
    assert.ok(!(await listPeerAddresses(stage.pool, cache)).includes("6.6.6.6"));
    await connected(claimed);
    assert.ok((await listPeerAddresses(stage.pool, cache)).includes("6.6.6.6"));
  });

  it("are its organization's other servers, by public and private address", async () => {
    const cache = await addServer(stage, { server_type: 2 });
    const app = await addServer(stage);
    await connected(app);
    await stage.pool.query("update servers set private_ip = '10.8.0.1' where id = $1", [app]);
    const peers = await listPeerAddresses(stage.pool, cache);
    assert.ok(peers.includes(await addressOf(app)));
    assert.ok(peers.includes("10.8.0.1"));
    assert.ok(!peers.includes(await addressOf(cache)));
  });

  it("are let through as soon as the server with the data is provisioned, and again when they change", async () => {
    const cache = await addServer(stage, { server_type: 2 });
    await followPeers();
    assert.equal(await peersRun(cache), undefined);
    await provisioned(cache);
    await followPeers();
    const first = await peersRun(cache);
    assert.equal(first?.ended_at, null);
    await transaction(stage.pool, (tx) => endRun(tx, first?.id as number, { state: "succeeded", error: null }));
    await followPeers();
    assert.equal((await peersRun(cache))?.id, first?.id);
    await connected(await addServer(stage));
    await followPeers();
    assert.notEqual((await peersRun(cache))?.id, first?.id);
  });

  it("are told of again later when it was in vain", async () => {
    const cache = await addServer(stage, { server_type: 2 });
    await provisioned(cache);
    await followPeers();
    const run = await peersRun(cache);
    assert.ok(run);
    const kind = serverRunKinds(stage.ctx).find(({ kind }) => kind === peersKind);
    await transaction(stage.pool, async (tx) => {
      await endRun(tx, run.id, { state: "failed", error: "No." });
      await kind?.onEnded(tx, run, "failed");
    });
    await followPeers();
    assert.equal((await peersRun(cache))?.id, run.id);
    await stage.pool.query(
      "update runs set ended_at = ended_at - interval '1 hour', started_at = null, created_at = created_at - interval '1 hour' where id = $1",
      [run.id],
    );
    await followPeers();
    assert.notEqual((await peersRun(cache))?.id, run.id);
  });
});

describe("the password of a service", () => {
  it("is made for servers with one only, and stays what it was", async () => {
    const cache = await addServer(stage, { server_type: 2 });
    const app = await addServer(stage);
    for (const id of [cache, app]) await keepServicePassword(stage.pool, id, stage.ctx.secrets.encrypt("first"));
    await keepServicePassword(stage.pool, cache, stage.ctx.secrets.encrypt("second"));
    assert.equal(stage.ctx.secrets.decrypt((await findServicePassword(stage.pool, cache)) as Buffer), "first");
    assert.equal(await findServicePassword(stage.pool, app), undefined);
  });
});
