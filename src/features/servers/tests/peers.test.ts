import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { transaction } from "../../../db/transaction.ts";
import { targetRunKind } from "../../../engine/reconcile/apply.ts";
import { endRun, findRunOf, type Run } from "../../../engine/runs/queries.ts";
import { reconcileAll } from "../../../engine/tests/engines.ts";
import { completeSteps } from "../../../engine/tests/support.ts";
import { periodicTask } from "../../../features.ts";
import { peersSchedule, peersTarget } from "../data/peers.ts";
import { findServicePassword, keepServicePassword, listPeerAddresses, peersKind } from "../data/queries.ts";
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
  await peersSchedule(stage.ctx).work(new AbortController().signal);
  await reconcileAll(stage.ctx, [peersTarget]);
}

async function end(run: Run | undefined, state: "succeeded" | "failed"): Promise<void> {
  await transaction(stage.pool, async (tx) => {
    if (state === "succeeded") await completeSteps(tx, run?.id as number);
    const ended = await endRun(tx, run?.id as number, { state, error: state === "failed" ? "No." : null });
    if (ended) await targetRunKind(stage.ctx, peersTarget).onEnded(tx, ended, state);
  });
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
    await end(first, "succeeded");
    await followPeers();
    assert.equal((await peersRun(cache))?.id, first?.id);
    await connected(await addServer(stage));
    await followPeers();
    assert.notEqual((await peersRun(cache))?.id, first?.id);
  });

  it("are let through later when an attempt failed, without another run before", async () => {
    const cache = await addServer(stage, { server_type: 2 });
    await provisioned(cache);
    await followPeers();
    const run = await peersRun(cache);
    await end(run, "failed");
    await periodicTask(stage.ctx, "reconcile-firewall-peers").work(new AbortController().signal);
    assert.equal((await peersRun(cache))?.id, run?.id);
    await followPeers();
    assert.notEqual((await peersRun(cache))?.id, run?.id);
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
