import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it, type TestContext } from "node:test";
import { type SshServer, sshServer } from "../../../../../test/ssh-server.ts";
import { transaction } from "../../../../db/transaction.ts";
import type { Entry } from "../../../../engine/runs/journal.ts";
import { endRun, findRun, findRunOf, startWithPlan } from "../../../../engine/runs/queries.ts";
import { applyUpdate, parseUpdate } from "../../../../engine/runs/store.ts";
import { Hosts } from "../../../../host/ssh/hosts.ts";
import { followEvents } from "../../../../http/tests/event-stream.ts";
import { call } from "../../../../http/tests/support.ts";
import { serverRunKinds } from "../../jobs.ts";
import { setupKind } from "../../queries.ts";
import { addProvisioned, openStage, type Stage } from "../../tests/support.ts";

let stage: Stage;
let machine: SshServer;
let hosts: Hosts;
let origin: string;
let id: number;

before(async () => {
  stage = await openStage();
  origin = await stage.app.listen({ host: "127.0.0.1", port: 0 });
  machine = await sshServer({
    exec: (_command, channel) => {
      channel.write('ID=debian\nVERSION_ID="12"\n');
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

const follow = (t: TestContext, query = "") =>
  followEvents(t, `${origin}/api/v1/servers/${id}/setup-log/stream${query}`, { token: stage.cast.alice });

/** Requests a setup and plans it; what reports on it. */
async function begin() {
  assert.equal(
    (await call(stage.app, `POST /api/v1/servers/${id}/setup/run`, { token: stage.cast.alice })).status,
    202,
  );
  const [kind] = serverRunKinds({ ...stage.ctx, hosts });
  const created = await findRunOf(stage.pool, setupKind, id);
  assert.ok(kind?.plan && created);
  assert.ok(await startWithPlan(stage.pool, created.id, await kind.plan(created)));
  const run = await findRun(stage.pool, created.id);
  assert.ok(run);
  const report = (offset: number, ...entries: Entry[]) => {
    const update = parseUpdate(run, { entries, consumed: 100, offset }, 0, (bytes) => bytes);
    return applyUpdate({ pool: stage.pool, kinds: new Map([[kind.kind, kind]]) }, update);
  };
  const end = (state: "succeeded" | "failed", error: string | null) =>
    transaction(stage.pool, async (tx) => {
      const ended = await endRun(tx, run.id, { state, error });
      if (ended) await kind.onEnded(tx, ended, state);
    });
  return { runId: run.id, report, end };
}

const output = (text: string, offset: number): Entry => ({ type: "output", bytes: Buffer.from(text), offset });

describe("the log of a setup that is followed", () => {
  it("is that of the first one as soon as it begins, with its state and its end", async (t) => {
    const followed = await follow(t);
    await followed.until(() => followed.all("status").length === 1);
    assert.deepEqual(followed.all("status"), [{ status: "not_recorded", error: null }]);
    const { report, end } = await begin();
    await report(0, { type: "step", position: 0, at: Date.now() });
    await report(100, output("Reading package lists\n", 100));
    await followed.until(() => followed.all("log").length === 1);
    assert.equal(followed.all("log")[0].text, "Reading package lists\n");
    assert.equal(followed.all("step")[0].status_label, "Running");
    await end("failed", "The server has no network.");
    await followed.ended();
    assert.deepEqual(followed.all("end"), [{ status: "failed", error: "The server has no network." }]);
  });

  it("is that of the setup which was the newest, or is named", async (t) => {
    const first = await begin();
    await first.report(0, output("first\n", 10));
    const followed = await follow(t);
    await followed.until(() => followed.all("log").length === 1);
    await first.end("succeeded", null);
    const second = await begin();
    await second.report(0, output("second\n", 20));
    await followed.ended();
    assert.deepEqual(
      followed.all("log").map(({ text }) => text),
      ["first\n"],
    );
    const named = await follow(t, `?run_id=${first.runId}`);
    await named.ended();
    assert.equal(named.all("log")[0].text, "first\n");
    const newest = await follow(t);
    await newest.until(() => newest.all("log").length === 1);
    assert.equal(newest.all("log")[0].text, "second\n");
  });

  it("is not that of another server", async () => {
    const { runId } = await begin();
    const other = await addProvisioned(stage);
    const path = `GET /api/v1/servers/${other}/setup-log/stream?run_id=${runId}`;
    assert.equal((await call(stage.app, path, { token: stage.cast.alice })).status, 404);
  });
});
