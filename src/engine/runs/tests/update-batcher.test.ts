import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import { openLog } from "../../../lib/log.ts";
import { createRunningRun, createServer, recordingKind } from "../../tests/support.ts";
import type { Entry } from "../journal.ts";
import { listOutput } from "../output.ts";
import { findRun, type Run } from "../queries.ts";
import type { RunKind } from "../runs.ts";
import { type JournalUpdate, parseUpdate } from "../store.ts";
import { UpdateBatcher } from "../update-batcher.ts";

let database: TestDatabase;
let serverId: number;

before(async () => {
  database = await testDatabase();
  serverId = await createServer(database.pool);
});

after(() => database.drop());

describe("storing what many runs report", () => {
  let runs: Run[];

  beforeEach(async () => {
    runs = [];
    while (runs.length < 4) runs.push(await createRunningRun(database.pool, serverId));
  });

  const batcherOf = (kind: RunKind = recordingKind()) =>
    new UpdateBatcher({ pool: database.pool, log: openLog("silent"), kinds: new Map([["test", kind]]) });

  const updateFrom = (run: Run, entries: Entry[], offset = 0): JournalUpdate =>
    parseUpdate(run, { entries, consumed: 10, offset }, 0, (bytes) => bytes);
  const line = (run: Run, offset = 0) =>
    updateFrom(run, [{ type: "output", bytes: Buffer.from(`of ${run.id}\n`), offset }], offset);
  const [first, second] = [0, 1].map((at) => () => runs[at] as Run) as [() => Run, () => Run];

  const offsetOf = async ({ id }: Run) => (await findRun(database.pool, id))?.journal_offset;
  const textsOf = async ({ id }: Run) => (await listOutput(database.pool, id)).map(({ text }) => text);
  const transactionOf = async ({ id }: Run) =>
    (await database.pool.query("select xmin::text from runs where id = $1", [id])).rows[0].xmin;

  it("takes what comes while it stores into one transaction", async () => {
    const batcher = batcherOf();
    await Promise.all(runs.map((run) => batcher.store(line(run))));
    const transactions = await Promise.all(runs.map(transactionOf));
    assert.equal(new Set(transactions).size, 2, "the first alone, the others together");
    for (const run of runs) assert.deepEqual(await textsOf(run), [`of ${run.id}\n`]);
  });

  it("keeps the steps, facts and offsets of the runs apart", async () => {
    const kind = recordingKind();
    const batcher = batcherOf(kind);
    const reported = (run: Run, position: number): Entry[] => [
      { type: "step", position, at: 1_000 },
      { type: "fact", key: "of", value: String(run.id) },
      { type: "done", position, exitCode: 0, durationMs: 5, at: 1_005 },
    ];
    await Promise.all(runs.map((run, at) => batcher.store(updateFrom(run, reported(run, at % 3)))));
    for (const [at, run] of runs.entries()) {
      const steps = await database.pool.query(
        "select position from run_steps where run_id = $1 and status = 'completed'",
        [run.id],
      );
      assert.deepEqual(steps.rows, [{ position: at % 3 }]);
      const stored = await findRun(database.pool, run.id);
      // The second step runs the user's commands, which report no facts.
      assert.deepEqual([stored?.facts, stored?.journal_offset], [at % 3 === 1 ? {} : { of: String(run.id) }, 10]);
    }
    assert.deepEqual(kind.reported.toSorted(), ["0 completed", "0 completed", "1 completed", "2 completed"]);
  });

  it("makes no other run wait for a run whose row is held, and stores that one as soon as it is free", async () => {
    const batcher = batcherOf();
    const holder = await database.pool.connect();
    await holder.query("begin");
    await holder.query("select 1 from runs where id = $1 for update", [second().id]);
    const [, held, ...others] = runs.map((run) => batcher.store(line(run)));
    await Promise.all(others);
    assert.equal(await offsetOf(second()), 0);
    await holder.query("commit");
    holder.release();
    await held;
    assert.deepEqual(await textsOf(second()), [`of ${second().id}\n`]);
  });

  it("fails only for the follower that came second", async () => {
    const batcher = batcherOf();
    await batcherOf().store(line(second()));
    const outcomes = await Promise.allSettled(runs.map((run) => batcher.store(line(run))));
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled", "fulfilled"],
    );
    assert.match(String((outcomes[1] as PromiseRejectedResult).reason), /followed by another worker/);
  });

  it("stores a piece once when two followers in one process come with it", async () => {
    const batcher = batcherOf();
    const outcomes = await Promise.allSettled([first(), second(), second()].map((run) => batcher.store(line(run))));
    assert.equal(outcomes.filter(({ status }) => status === "rejected").length, 1);
    assert.deepEqual(await textsOf(second()), [`of ${second().id}\n`]);
  });

  it("stores the others when what one of them means cannot be stored", async () => {
    const kind = recordingKind();
    const failing: RunKind = {
      ...kind,
      onProgress: async (_tx, progress) => {
        if (progress.some(({ run }) => run.id === second().id)) throw new Error("no room");
      },
    };
    const batcher = batcherOf(failing);
    const outcomes = await Promise.allSettled(runs.map((run) => batcher.store(line(run))));
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["fulfilled", "rejected", "fulfilled", "fulfilled"],
    );
    assert.deepEqual(await Promise.all(runs.map(offsetOf)), [10, 0, 10, 10]);
  });

  it("stores ends and failures in transactions of their own", async () => {
    const kind = recordingKind();
    const batcher = batcherOf(kind);
    const at = 1_000;
    const failure: Entry[] = [
      { type: "step", position: 0, at },
      { type: "output", bytes: Buffer.from("There is no branch main.\n"), offset: 3 },
      { type: "done", position: 0, exitCode: 1, durationMs: 5, at },
    ];
    const waiting = batcher.store(line(first()));
    await batcher.store(updateFrom(second(), failure));
    await batcher.store(updateFrom(second(), [{ type: "end", outcome: "failed", at }], 10));
    await waiting;
    assert.equal((await findRun(database.pool, second().id))?.error, "There is no branch main.");
    assert.ok(kind.reported.includes("failed: There is no branch main."));
  });
});
