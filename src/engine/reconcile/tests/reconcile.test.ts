import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { row, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { AppError } from "../../../lib/errors.ts";
import type { Kind } from "../../kind.ts";
import { applyingAll, type Plan } from "../../runs/plan.ts";
import type { Run } from "../../runs/queries.ts";
import { settleEnd } from "../../runs/store.ts";
import { countRuns, type Engines, eventually, openEngines } from "../../tests/engines.ts";
import { createRunningRun, createServer, recordingKind, report, somePlan } from "../../tests/support.ts";
import { reconcileJobs, reconcileSchedules, targetRunKind } from "../apply.ts";
import { findTarget, leaseTarget, raiseWanted } from "../queries.ts";
import {
  awaitApplied,
  forgetTarget,
  forgetTargets,
  listSyncs,
  moveTarget,
  outsideQueue,
  reconcileQueue,
  retryServer,
  touch,
} from "../reconcile.ts";
import { type AnyRef, type OutsideTargetKind, retryDelaySeconds, type TargetKind, type TargetRef } from "../target.ts";

let engines: Engines;
let desired: TargetKind["desired"];
let failure: "retry" | "stop";
let applied: (number | undefined)[];
let subject = 0;

const thingKind: Kind = { kind: "thing", subject: "project" };
const kind: TargetKind = {
  ...thingKind,
  desired: (tx, target) => desired(tx, target),
  onApplied: async (_tx, target, run) => void applied.push(run?.id ?? -target.subjectId),
  onFailed: async () => failure,
};

let call: OutsideTargetKind["call"];
const serviceKind: Kind = { kind: "service", subject: "project" };
const service: OutsideTargetKind = { ...serviceKind, call: (target, signal) => call(target, signal) };

const ref = (): TargetRef => ({ ...thingKind, subjectId: subject, serverId: engines.serverId });
const runKind = () => targetRunKind(engines, kind);
const change = () => transaction(engines.pool, (tx) => touch(tx, engines.queue, ref()));
const target = () => findTarget(engines.pool, ref());
const wait = (version: number) => awaitApplied(engines, { ...ref(), version }, { timeoutMs: 30_000 });
const sync = async () => (await listSyncs(engines.pool, thingKind, [subject])).get(subject);
/** Simulates that time passes until the waiting retries are due. */
const dueNow = () => engines.pool.query("update queue.job set start_after = now()");

before(async () => {
  engines = await openEngines([
    { name: reconcileQueue, policy: "keyed" },
    { name: outsideQueue, policy: "keyed" },
  ]);
  await engines.work(reconcileJobs(engines, [kind, service]));
});
after(() => engines?.close());
beforeEach(() => {
  subject++;
  desired = async () => somePlan;
  failure = "retry";
  applied = [];
});
afterEach(async () => {
  await engines.pool.query("delete from targets");
  await engines.pool.query("delete from runs");
  await engines.pool.query("delete from queue.job");
});

describe("a target that was touched", () => {
  it("is applied by one run, and the waiting request learns of it", async () => {
    const version = await change();
    const waiting = wait(version);
    assert.equal((await sync())?.state, "pending");
    const run = await engines.currentRun();
    assert.equal(run.kind, "thing");
    assert.equal(run.subject_id, subject);
    await engines.end(runKind(), run, "succeeded");
    assert.deepEqual(await waiting, { state: "applied", error: null, output: [] });
    assert.deepEqual(applied, [run.id]);
    assert.equal((await sync())?.state, "applied");
  });

  it("is applied again when the records changed during the run, with their state at that time", async () => {
    await change();
    const first = await engines.currentRun();
    await change();
    const version = await change();
    desired = async () => ({ ...somePlan, steps: somePlan.steps.slice(0, 1) });
    await engines.end(runKind(), first, "succeeded");
    assert.equal((await sync())?.state, "pending");
    const second = await engines.currentRun();
    assert.equal((second.plan as Plan).steps.length, 1);
    await engines.end(runKind(), second, "succeeded");
    assert.equal((await wait(version)).state, "applied");
    assert.equal(await countRuns(engines), 2);
  });

  it("never has two runs at once, however often it is touched", async () => {
    await Promise.all(Array.from({ length: 20 }, () => change()));
    const first = await engines.currentRun();
    assert.equal(await countRuns(engines), 1);
    await engines.end(runKind(), first, "succeeded");
    const found = await target();
    assert.equal(found?.wantedVersion, 20);
    if (found.appliedVersion < 20) await engines.end(runKind(), await engines.currentRun(), "succeeded");
    await eventually(async () => (await target())?.appliedVersion === 20);
    assert.ok((await countRuns(engines)) <= 2);
  });

  it("waits while something else comes first, and asks again when that may be over", async () => {
    desired = async () => ({ afterSeconds: 3_600 });
    const version = await change();
    const waiting = wait(version);
    await eventually(() => row(engines.pool, sql`select 1 from queue.job where start_after > now()`));
    assert.equal(await countRuns(engines), 0);
    assert.equal((await sync())?.state, "pending");
    desired = async () => somePlan;
    await change();
    await engines.end(runKind(), await engines.currentRun(), "succeeded");
    assert.equal((await waiting).state, "applied");
  });

  it("counts as applied when there is nothing to do", async () => {
    desired = async () => undefined;
    assert.equal((await wait(await change())).state, "applied");
    assert.deepEqual(applied, [-subject]);
    assert.equal(await countRuns(engines), 0);
  });
});

describe("a target whose run failed", () => {
  it("is retried after a while, which the record shows", async () => {
    const version = await change();
    await engines.end(runKind(), await engines.currentRun(), "failed", "nginx refused it.");
    assert.deepEqual(await wait(version), { state: "pending", error: "nginx refused it.", output: [] });
    const failing = await sync();
    assert.equal(failing?.state, "failing");
    assert.equal(failing?.error, "nginx refused it.");
    assert.ok(Date.parse(failing?.retry_at ?? "") > Date.now() + 10_000);
    await dueNow();
    await engines.end(runKind(), await engines.currentRun(), "succeeded");
    assert.equal((await sync())?.state, "applied");
  });

  it("is retried at once when its server answers again", async () => {
    await change();
    await engines.end(runKind(), await engines.currentRun(), "failed", "The server does not answer.");
    await transaction(engines.pool, (tx) => retryServer(tx, engines.queue, engines.serverId));
    const again = await engines.currentRun();
    await engines.end(runKind(), again, "succeeded");
    assert.equal((await sync())?.state, "applied");
  });

  it("is given up where its feature decides so, until the next change", async () => {
    failure = "stop";
    const version = await change();
    await engines.end(runKind(), await engines.currentRun(), "failed", "The name is taken.");
    assert.deepEqual(await wait(version), { state: "failed", error: "The name is taken.", output: [] });
    assert.deepEqual(await sync().then((found) => [found?.state, found?.retry_at]), ["failed", null]);
    await transaction(engines.pool, (tx) => retryServer(tx, engines.queue, engines.serverId));
    assert.equal(await countRuns(engines), 1);
    await change();
    await engines.end(runKind(), await engines.currentRun(), "succeeded");
    assert.equal((await sync())?.state, "applied");
  });

  it("does not make a newer change wait", async () => {
    await change();
    const first = await engines.currentRun();
    await change();
    await engines.end(runKind(), first, "failed", "Interrupted.");
    assert.equal((await sync())?.state, "pending");
    await engines.end(runKind(), await engines.currentRun(), "succeeded");
    assert.equal((await sync())?.state, "applied");
  });
});

it("gives a version up whose records cannot be planned", async () => {
  desired = () => Promise.reject(new AppError("refused", "The server has no engine.", { permanent: true }));
  const result = await wait(await change());
  assert.deepEqual([result.state, result.error], ["failed", "The server has no engine."]);
});

it("ends a wait when the target is gone", async () => {
  const version = await change();
  const waiting = wait(version);
  await engines.currentRun();
  await transaction(engines.pool, (tx) => forgetTarget(tx, ref()));
  assert.equal((await waiting).state, "applied");
});

it("ends every target of a record on one server or all, and no other's", async () => {
  const there = await createServer(engines.pool);
  const record = { subject: "project", subjectId: subject } as const;
  const its = [ref(), { ...ref(), kind: "more" }, { ...ref(), serverId: there }];
  const others: AnyRef[] = [
    { ...ref(), kind: "other", subject: "server" },
    { ...ref(), subjectId: subject + 1_000 },
    { ...serviceKind, subjectId: subject },
  ];
  const left = async () =>
    (await Promise.all([...its, ...others].map((each) => findTarget(engines.pool, each)))).map(Boolean);
  await transaction(engines.pool, async (tx) => {
    for (const each of [...its, ...others]) await raiseWanted(tx, each);
  });
  await transaction(engines.pool, (tx) => forgetTargets(tx, record, engines.serverId));
  assert.deepEqual(await left(), [false, false, true, true, true, true]);
  await transaction(engines.pool, (tx) => forgetTargets(tx, record));
  assert.deepEqual(await left(), [false, false, false, true, true, true]);
});

it("goes along to another server, whose answer ends the wait", async () => {
  const version = await change();
  const waiting = wait(version);
  const former = await engines.currentRun();
  const there = { ...ref(), serverId: await createServer(engines.pool) };
  await transaction(engines.pool, async (tx) => {
    await moveTarget(tx, ref(), there.serverId);
    await touch(tx, engines.queue, there);
  });
  const run = await eventually(() =>
    row<Run>(engines.pool, sql`select * from runs where server_id = ${there.serverId}`),
  );
  await engines.end(runKind(), former, "failed", "It is gone.");
  assert.equal((await findTarget(engines.pool, there))?.attempts, 0);
  await engines.end(runKind(), run, "succeeded");
  assert.equal((await waiting).state, "applied");
  assert.equal(await target(), undefined);
});

describe("a target whose plan declares its state", () => {
  const stateOf = (mark: string): Plan => ({ ...somePlan, steps: applyingAll(ref(), somePlan.steps, mark) });
  const kinds = () => new Map([runKind(), recordingKind()].map((each) => [each.kind, each]));
  const succeed = (run: Run) => {
    const steps = run.plan.steps.flatMap((_, at) => [`step ${at} 1000`, `done ${at} 0 1 1001`]);
    return report({ pool: engines.pool, kinds: kinds() }, run, ...steps, "end succeeded 1002");
  };
  /** A run of another feature, such as a deployment, that brings the server to a state. */
  const other = async (mark: string) => createRunningRun(engines.pool, engines.serverId, stateOf(mark));

  beforeEach(() => {
    desired = async () => stateOf("one");
  });

  it("is applied without a run when the server has that state", async () => {
    await change();
    const first = await engines.currentRun();
    await succeed(first);
    assert.equal((await target())?.appliedMark, "one");
    assert.equal((await wait(await change())).state, "applied");
    assert.deepEqual([applied, await countRuns(engines)], [[first.id, -subject], 1]);
    desired = async () => stateOf("two");
    const version = await change();
    await succeed(await engines.currentRun());
    assert.equal((await wait(version)).state, "applied");
    assert.equal((await target())?.appliedMark, "two");
  });

  it("is applied by any run that brings that state, also after it was given up", async () => {
    failure = "stop";
    await change();
    await engines.end(runKind(), await engines.currentRun(), "failed", "The name is taken.");
    assert.equal((await sync())?.state, "failed");
    await succeed(await other("one"));
    assert.equal((await wait(await change())).state, "applied");
    assert.deepEqual([(await sync())?.error, await countRuns(engines)], [null, 2]);
  });

  it("is applied again after another run has brought another state", async () => {
    await change();
    await succeed(await engines.currentRun());
    await succeed(await other("former"));
    const version = await change();
    await succeed(await engines.currentRun());
    assert.equal((await wait(version)).state, "applied");
    assert.equal((await target())?.appliedMark, "one");
  });

  it("is applied again on request, whatever the server has", async () => {
    await change();
    await succeed(await engines.currentRun());
    await transaction(engines.pool, (tx) => touch(tx, engines.queue, ref(), { again: true }));
    await succeed(await engines.currentRun());
    assert.equal(await countRuns(engines), 2);
  });

  it("is applied again after a run of which the end was lost", async () => {
    await change();
    await succeed(await engines.currentRun());
    const lost = await other("one");
    await settleEnd({ pool: engines.pool, kinds: kinds() }, lost, { state: "stalled", error: "It is gone." });
    assert.equal((await target())?.appliedMark, null);
    const version = await change();
    await succeed(await engines.currentRun());
    assert.equal((await wait(version)).state, "applied");
  });

  it("takes the state of the server to which it moves", async () => {
    const there = { ...ref(), serverId: await createServer(engines.pool) };
    await change();
    await succeed(await engines.currentRun());
    await succeed(await createRunningRun(engines.pool, there.serverId, stateOf("moved")));
    const version = (await target())?.wantedVersion;
    await transaction(engines.pool, (tx) => moveTarget(tx, ref(), there.serverId));
    const moved = await findTarget(engines.pool, there);
    assert.deepEqual([moved?.appliedMark, moved?.wantedVersion], ["moved", version]);
  });
});

it("finds what was lost: a run whose end never reached its target", async () => {
  await change();
  const run = await engines.currentRun();
  await engines.pool.query(
    "update runs set state = 'failed', error = 'Lost.', ended_at = now() - interval '2 minutes'",
  );
  await reconcileSchedules(engines)[0]?.work(new AbortController().signal);
  const found = await eventually(async () => {
    const now = await target();
    return now?.runId === run.id ? undefined : now;
  });
  assert.equal(found.error, "Lost.");
});

it("has no run left over when the transaction that touched it is rolled back", async () => {
  await assert.rejects(
    transaction(engines.pool, async (tx) => {
      await touch(tx, engines.queue, ref());
      throw new Error("no");
    }),
  );
  assert.equal(await target(), undefined);
  assert.equal(await row(engines.pool, sql`select 1 from queue.job where name = ${reconcileQueue}`), undefined);
});

describe("a target that an outside service follows", () => {
  const outside = () => ({ ...serviceKind, subjectId: subject });
  const changeIt = () => transaction(engines.pool, (tx) => touch(tx, engines.queue, outside()));
  const targetOf = () => findTarget(engines.pool, outside());
  const waitFor = (version: number) => awaitApplied(engines, { ...outside(), version }, { timeoutMs: 30_000 });
  const syncOfIt = async () => (await listSyncs(engines.pool, serviceKind, [subject])).get(subject);

  it("is applied by one call at a time, and by another for what changed meanwhile", async () => {
    let [calls, atOnce] = [0, 0];
    const { promise: open, resolve: release } = Promise.withResolvers<void>();
    call = async () => {
      calls++;
      assert.equal(++atOnce, 1);
      if (calls === 1) await open;
      atOnce--;
    };
    await changeIt();
    await eventually(async () => calls === 1);
    const version = await changeIt();
    const [job] = reconcileJobs(engines, [service]);
    await job?.work({ targetId: (await targetOf())?.id }, new AbortController().signal).finally(release);
    assert.equal(calls, 1);
    assert.equal((await waitFor(version)).state, "applied");
    assert.equal(calls, 2);
  });

  it("is retried later after a failure, and not before the service allows it", async () => {
    call = () => Promise.reject(new AppError("unavailable", "It is busy.", { retryAfterMs: 300_000 }));
    const version = await changeIt();
    assert.deepEqual([(await waitFor(version)).state, (await syncOfIt())?.state], ["pending", "failing"]);
    const { error, retry_at } = (await syncOfIt()) ?? assert.fail();
    assert.equal(error, "It is busy.");
    assert.ok(Date.parse(retry_at ?? "") - Date.now() > 290_000);
    call = async () => undefined;
    await dueNow();
    await eventually(async () => (await syncOfIt())?.state === "applied");
  });

  it("is retried rarely when the service refuses for good, and at once after a change", async () => {
    call = () => Promise.reject(new AppError("refused", "No.", { permanent: true }));
    await waitFor(await changeIt());
    assert.ok(Date.parse((await syncOfIt())?.retry_at ?? "") - Date.now() > 3_500_000);
    call = async () => undefined;
    assert.equal((await waitFor(await changeIt())).state, "applied");
  });

  it("is taken over from a process that stops, and from one that died", async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    call = (_, signal) => {
      begin();
      return new Promise((_, reject) => void signal.addEventListener("abort", () => reject(new Error("stopped"))));
    };
    const stop = new AbortController();
    const [job] = reconcileJobs(engines, [service]);
    await transaction(engines.pool, (tx) => raiseWanted(tx, outside()));
    const { id: targetId } = (await targetOf()) ?? assert.fail();
    const cut = job?.work({ targetId }, stop.signal);
    await begun;
    stop.abort();
    await cut;
    assert.deepEqual([(await targetOf())?.runningVersion, (await targetOf())?.attempts], [null, 0]);
    await transaction(engines.pool, (tx) => leaseTarget(tx, targetId, randomUUID()));
    await engines.pool.query("update targets set lease_until = now() - interval '1 second'");
    call = async () => undefined;
    await job?.work({ targetId }, new AbortController().signal);
    assert.equal((await targetOf())?.appliedVersion, 1);
  });

  it("keeps what another process stored that took over", async () => {
    call = async ({ id }) => {
      await engines.pool.query("update targets set lease_token = $2 where id = $1", [id, randomUUID()]);
      throw new AppError("refused", "Too late.");
    };
    await transaction(engines.pool, (tx) => raiseWanted(tx, outside()));
    const { id: targetId } = (await targetOf()) ?? assert.fail();
    const [job] = reconcileJobs(engines, [service]);
    await job?.work({ targetId }, new AbortController().signal);
    assert.deepEqual([(await targetOf())?.attempts, (await targetOf())?.error], [0, null]);
  });
});

it("retries quickly at first and at least once an hour, or as often as its kind requires", () => {
  const delaysUpTo = (longest?: number) => [1, 2, 3, 20].map((attempts) => retryDelaySeconds(attempts, longest, 0.5));
  assert.deepEqual(delaysUpTo(), [15, 30, 60, 3600]);
  assert.deepEqual(delaysUpTo(900), [15, 30, 60, 900]);
});
