import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { rows, sql } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { AppError } from "../../../lib/errors.ts";
import type { Kind } from "../../kind.ts";
import type { RunKind } from "../../runs/runs.ts";
import { type Engines, eventually, openEngines } from "../../tests/engines.ts";
import { somePlan } from "../../tests/support.ts";
import { workflowJobs, workflowSchedules } from "../advance.ts";
import { changeWorkflow, findWorkflow, getWorkflow, listPhases } from "../queries.ts";
import { workflowRunKind, workflowRunKinds } from "../runs.ts";
import { cancelWorkflow, startWorkflow, workflowQueue } from "../start.ts";
import { isOver, type Phase, type Workflow, type WorkflowKind } from "../workflow.ts";

interface Order {
  machine?: string;
  address?: string;
  ready?: boolean;
}

let engines: Engines;
let phases: Phase<Order>[];
let calls: string[];
let ended: Workflow<Order>[];
let pointOfNoReturn: string | undefined;
let subject = 0;

const orderKind: Kind = { kind: "order", subject: "server_order" };
const otherKind: Kind = { kind: "other", subject: "server" };
const kind: WorkflowKind<Order> = {
  ...orderKind,
  get phases() {
    return phases;
  },
  get pointOfNoReturn() {
    return pointOfNoReturn as string;
  },
  onEnded: async (_tx, workflow) => void ended.push(workflow),
};

const call = (name: string, work?: () => Promise<Partial<Order>>): Phase<Order> => ({
  name,
  label: name,
  call: async () => {
    calls.push(name);
    return work?.();
  },
  undo: async () => void calls.push(`undo ${name}`),
});
const refuse = (message: string) => Promise.reject(new AppError("refused", message, { permanent: true }));

const begin = (): Promise<number> =>
  transaction(engines.pool, (tx) =>
    startWorkflow<Order>(tx, engines.queue, { ...orderKind, subjectId: ++subject, data: {} }),
  );
const cancel = (id: number) => transaction(engines.pool, (tx) => cancelWorkflow(tx, engines.queue, id));
const end = (id: number) =>
  eventually(async () => {
    const workflow = await getWorkflow(engines.pool, id);
    return workflow && isOver(workflow) && workflow;
  });
const states = async (id: number) => (await listPhases(engines.pool, id)).map(({ name, state }) => `${name} ${state}`);
/** Simulates that time passes until the next attempt is due. */
const dueNow = () =>
  engines.pool.query("update queue.job set start_after = now() where name = $1 and state = 'created'", [workflowQueue]);
const attempted = (id: number) =>
  eventually(async () => {
    const workflow = await getWorkflow(engines.pool, id);
    return workflow?.retryAt ? workflow : undefined;
  });

before(async () => {
  engines = await openEngines([{ name: workflowQueue, policy: "keyed" }]);
  await engines.work(workflowJobs(engines, [kind]));
});
after(() => engines?.close());
beforeEach(() => {
  [calls, ended, pointOfNoReturn] = [[], [], undefined];
});
afterEach(async () => {
  await engines.pool.query("delete from workflows");
  await engines.pool.query("delete from runs");
});

describe("a workflow", () => {
  it("carries out its phases in order, and keeps what each learnt", async () => {
    phases = [
      call("order", async () => ({ machine: "m-1" })),
      { name: "skipped", label: "Skipped", skip: ({ machine }) => machine === "m-1", call: () => refuse("never") },
      call("address", async () => ({ address: "192.0.2.1" })),
    ];
    const id = await begin();
    const done = await end(id);
    assert.equal(done.state, "succeeded");
    assert.deepEqual(done.data, { machine: "m-1", address: "192.0.2.1" });
    assert.deepEqual(calls, ["order", "address"]);
    assert.deepEqual(await states(id), ["order completed", "skipped skipped", "address completed"]);
    assert.deepEqual(
      ended.map(({ state }) => state),
      ["succeeded"],
    );
  });

  it("is one at a time for a record", async () => {
    phases = [{ name: "wait", label: "Wait", until: async () => undefined, everyMs: 60_000, timeoutMs: 1e9 }];
    await begin();
    subject--;
    await assert.rejects(begin(), /under way/);
  });

  it("looks again until what it waits for is there", async () => {
    let looks = 0;
    phases = [
      {
        name: "wait",
        label: "Wait",
        everyMs: 60_000,
        timeoutMs: 1e9,
        until: async () => (++looks === 3 ? { address: "192.0.2.2" } : undefined),
      },
    ];
    const id = await begin();
    await eventually(async () => {
      await dueNow();
      return looks === 3;
    });
    assert.deepEqual((await end(id)).data, { address: "192.0.2.2" });
  });

  it("fails a wait whose time is over, and undoes what came before", async () => {
    phases = [
      call("order"),
      { name: "wait", label: "Wait for an address", until: async () => undefined, everyMs: 1, timeoutMs: -1 },
    ];
    const done = await end(await begin());
    assert.equal(done.state, "failed");
    assert.match(done.error ?? "", /Wait for an address.* took too long/);
    assert.deepEqual(calls, ["order", "undo order"]);
  });

  it("makes short pauses of a wait itself, as long as the phase asks for", async () => {
    const waited: number[] = [];
    phases = [
      {
        name: "wait",
        label: "Wait",
        until: async () => (waited.length === 3 ? true : undefined),
        everyMs: (ms) => {
          waited.push(ms);
          return 5;
        },
        timeoutMs: 1e9,
      },
    ];
    const id = await begin();
    const done = await end(id);
    assert.deepEqual([done.state, done.attempts, waited.length], ["succeeded", 0, 3]);
    assert.deepEqual(
      waited,
      waited.toSorted((one, other) => one - other),
    );
    const job = sql`select 1 from queue.job where name = ${workflowQueue} and data->>'workflowId' = ${String(id)}`;
    assert.equal((await rows(engines.pool, job)).length, 1, "it was not queued again");
  });

  it("does not count the time in which no process worked on it for the timeout of a phase", async () => {
    let looks = 0;
    phases = [
      {
        name: "wait",
        label: "Wait",
        until: async () => (++looks === 3 ? true : undefined),
        everyMs: 3_600_000,
        timeoutMs: 600_000,
      },
    ];
    const id = await begin();
    await attempted(id);
    await engines.pool.query(
      "update workflows set phase_started_at = now() - interval '1 hour', retry_at = now() - interval '55 minutes'",
    );
    await eventually(async () => {
      await dueNow();
      return looks === 3;
    });
    assert.equal((await end(id)).state, "succeeded");
  });

  it("retries a call that failed for a reason that passes", async () => {
    let attempts = 0;
    phases = [
      call("order", () =>
        ++attempts === 1 ? Promise.reject(new AppError("unavailable", "Busy.")) : Promise.resolve({}),
      ),
    ];
    const id = await begin();
    const waiting = await attempted(id);
    assert.equal(waiting.error, "Busy.");
    assert.equal(waiting.attempts, 1);
    await dueNow();
    const done = await end(id);
    assert.deepEqual([done.state, done.error, attempts], ["succeeded", null, 2]);
  });

  it("undoes every phase, the last first, when one fails for good", async () => {
    phases = [call("key"), call("machine"), call("address", () => refuse("The quota is used up."))];
    const id = await begin();
    const done = await end(id);
    assert.equal(done.state, "failed");
    assert.equal(done.error, "The quota is used up.");
    assert.deepEqual(calls, ["key", "machine", "address", "undo address", "undo machine", "undo key"]);
    assert.deepEqual(await states(id), ["key undone", "machine undone", "address undone"]);
  });

  it("undoes nothing past the point of no return", async () => {
    pointOfNoReturn = "machine";
    phases = [call("machine"), call("polish", () => refuse("No polish."))];
    const done = await end(await begin());
    assert.deepEqual([done.state, done.error], ["failed", "No polish."]);
    assert.deepEqual(calls, ["machine", "polish"]);
  });

  it("retries an undo that fails, and does not lose the first error", async () => {
    let undos = 0;
    phases = [
      {
        ...call("machine"),
        undo: () => (++undos === 1 ? Promise.reject(new AppError("unavailable", "Busy.")) : Promise.resolve()),
      },
      call("address", () => refuse("The quota is used up.")),
    ];
    const id = await begin();
    assert.equal((await attempted(id)).state, "undoing");
    await dueNow();
    const done = await end(id);
    assert.deepEqual([done.state, done.error, undos], ["failed", "The quota is used up.", 2]);
  });

  it("gives an undo up after a week, and reports what was left", async () => {
    phases = [
      { ...call("machine"), undo: () => Promise.reject(new AppError("unavailable", "The provider does not answer.")) },
      call("address", () => refuse("The quota is used up.")),
    ];
    const id = await begin();
    await attempted(id);
    await engines.pool.query("update workflows set phase_started_at = now() - interval '8 days'");
    await dueNow();
    assert.equal((await end(id)).state, "failed");
    const [machine] = await listPhases(engines.pool, id);
    assert.deepEqual([machine?.state, machine?.detail], ["failed", "The provider does not answer."]);
  });
});

describe("a cancel", () => {
  it("is honoured between attempts, and undoes what was done", async () => {
    phases = [
      call("order"),
      { name: "wait", label: "Wait", until: async () => undefined, everyMs: 3_600_000, timeoutMs: 1e9 },
    ];
    const id = await begin();
    await attempted(id);
    assert.equal(await cancel(id), true);
    assert.equal(await cancel(id), false);
    assert.equal((await end(id)).state, "cancelled");
    assert.deepEqual(calls, ["order", "undo order"]);
  });

  it("is not accepted past the point of no return", async () => {
    pointOfNoReturn = "order";
    phases = [
      call("order"),
      { name: "wait", label: "Wait", until: async () => undefined, everyMs: 3_600_000, timeoutMs: 1e9 },
    ];
    const id = await begin();
    await attempted(id);
    assert.equal(await cancel(id), false);
  });

  it("that comes during a call is honoured when the call ends", async () => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<Partial<Order>>();
    phases = [
      call("order", () => {
        asked.resolve();
        return answer.promise;
      }),
      call("address"),
    ];
    const id = await begin();
    await asked.promise;
    await cancel(id);
    answer.resolve({ machine: "m-2" });
    const done = await end(id);
    assert.equal(done.state, "cancelled");
    assert.deepEqual(done.data, { machine: "m-2" });
    assert.deepEqual(calls, ["order", "undo address", "undo order"]);
  });

  it("that is accepted in the last phase before the point of no return is honoured, although the phase succeeds", async () => {
    for (const point of [undefined, "address"]) {
      const asked = Promise.withResolvers<void>();
      const answer = Promise.withResolvers<Partial<Order>>();
      const last = call("address", () => {
        asked.resolve();
        return answer.promise;
      });
      [calls, ended, pointOfNoReturn] = [[], [], point];
      phases = point ? [call("order"), last, call("polish")] : [call("order"), last];
      const id = await begin();
      await asked.promise;
      assert.equal(await cancel(id), true);
      answer.resolve({ address: "192.0.2.3" });
      const done = await end(id);
      assert.deepEqual([done.state, done.data], ["cancelled", { address: "192.0.2.3" }]);
      assert.deepEqual(calls, ["order", "address", "undo address", "undo order"]);
    }
  });
});

describe("a phase that is a run", () => {
  const run: Phase<Order> = {
    name: "install",
    label: "Install",
    run: async () => ({ serverId: engines.serverId, plan: somePlan }),
    onSucceeded: async (_tx, _workflow, { id }) => ({ machine: `run ${id}` }),
  };

  it("continues with what the run reported", async () => {
    phases = [run, call("after")];
    const id = await begin();
    const current = await engines.currentRun();
    assert.deepEqual([current.kind, current.subject_id], ["order", subject]);
    await engines.end(workflowRunKind(engines, kind), current, "succeeded");
    const done = await end(id);
    assert.deepEqual([done.state, done.data], ["succeeded", { machine: `run ${current.id}` }]);
  });

  it("fails with the reason of the run", async () => {
    phases = [call("before"), run];
    const id = await begin();
    await engines.end(workflowRunKind(engines, kind), await engines.currentRun(), "failed", "The disk is full.");
    const done = await end(id);
    assert.deepEqual([done.state, done.error], ["failed", "The disk is full."]);
    assert.deepEqual(calls, ["before", "undo before"]);
  });

  it("starts when it can, with its own kind and subject, and its failure is reported before the phase fails", async () => {
    let isReady = false;
    const failures: unknown[] = [];
    phases = [
      {
        ...run,
        run: async () =>
          isReady ? { serverId: engines.serverId, plan: somePlan, ...otherKind, subjectId: 7 } : undefined,
        onFailed: async (_tx, workflow, _run, outcome) => void failures.push([workflow.state, outcome]),
      },
    ];
    const id = await begin();
    assert.equal((await attempted(id)).error, null);
    isReady = true;
    await dueNow();
    const current = await engines.currentRun();
    assert.deepEqual([current.kind, current.subject, current.subject_id], ["other", "server", 7]);
    const [, other] = workflowRunKinds(engines, { ...kind, phases, runKinds: [otherKind] });
    await engines.end(other as RunKind, current, "failed", "The server is gone.");
    assert.equal((await end(id)).error, "The server is gone.");
    assert.deepEqual(failures, [["running", "failed"]]);
  });

  it("is cancelled on its server", async () => {
    phases = [run];
    const id = await begin();
    const current = await engines.currentRun();
    await cancel(id);
    assert.ok((await engines.currentRun()).cancel_requested_at);
    await engines.end(workflowRunKind(engines, kind), current, "cancelled");
    assert.equal((await end(id)).state, "cancelled");
  });

  it("is undone after a cancel that came too late for its server", async () => {
    phases = [call("before"), { ...run, undo: async () => void calls.push("undo install") }];
    const id = await begin();
    const current = await engines.currentRun();
    assert.equal(await cancel(id), true);
    await engines.end(workflowRunKind(engines, kind), current, "succeeded");
    assert.equal((await end(id)).state, "cancelled");
    assert.deepEqual(calls, ["before", "undo install", "undo before"]);
  });

  it("is settled when its end was lost", async () => {
    phases = [run];
    const id = await begin();
    await engines.currentRun();
    await engines.pool.query(
      "update runs set state = 'failed', error = 'Lost.', ended_at = now() - interval '2 minutes'",
    );
    await engines.pool.query("delete from queue.job where name = $1 and state = 'created'", [workflowQueue]);
    await workflowSchedules(engines)[0]?.work(new AbortController().signal);
    assert.equal((await end(id)).error, "Lost.");
  });
});

describe("a process that died", () => {
  it("is followed by another one, in the phase where it was", async () => {
    phases = [call("first"), call("order")];
    const id = await transaction(engines.pool, (tx) =>
      startWorkflow<Order>(tx, engines.queue, { ...orderKind, subjectId: ++subject, data: {}, afterSeconds: 3_600 }),
    );
    await engines.pool.query(
      `update workflows set phase = 'order', phase_started_at = now(), data = '{"machine": "m-3"}',
       lease_token = gen_random_uuid(), lease_until = now() + interval '1 day' where id = $1`,
      [id],
    );
    await dueNow();
    await eventually(async () => (await findWorkflow(engines.pool, { kind: "order", subjectId: subject }))?.id === id);
    assert.deepEqual(calls, []);
    await engines.pool.query("update workflows set lease_until = now() where id = $1", [id]);
    const done = await end(id);
    assert.deepEqual([done.state, done.data, calls], ["succeeded", { machine: "m-3" }, ["order"]]);
  });

  it("cannot store what it learnt when another one took over", async () => {
    const asked = Promise.withResolvers<void>();
    const proceed = Promise.withResolvers<void>();
    let failure: unknown;
    phases = [
      {
        name: "order",
        label: "Order",
        call: async ({ save }) => {
          asked.resolve();
          await proceed.promise;
          await save({ machine: "late" }).catch((error: unknown) => {
            failure = error;
            throw error;
          });
        },
      },
    ];
    const id = await begin();
    await asked.promise;
    const token = "00000000-0000-4000-8000-000000000000";
    await engines.pool.query(
      "update workflows set lease_token = $2, lease_until = now() + interval '1 day' where id = $1",
      [id, token],
    );
    proceed.resolve();
    await eventually(async () => failure !== undefined);
    assert.deepEqual((await getWorkflow(engines.pool, id))?.data, {});
    assert.ok(await changeWorkflow(engines.pool, id, { token }, { state: "failed" }));
  });
});
