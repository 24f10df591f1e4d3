import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/database.ts";
import { transaction } from "../../db/transaction.ts";
import { openLog } from "../../lib/log.ts";
import { awaitRun, linesOf } from "../await-run.ts";
import { Listener } from "../listener.ts";
import { endRun, insertRun, storePieces } from "../queries.ts";

let database: TestDatabase;
let listener: Listener;
let serverId: number;

before(async () => {
  database = await testDatabase();
  listener = new Listener(database.url, openLog("silent"));
  await listener.start();
  const { pool } = database;
  await pool.query("insert into organizations (name) values ('Acme')");
  const { rows } = await pool.query(
    `insert into servers (organization_id, name, server_os, ssh_public_key, ssh_private_key)
     select id, 'app-1', 'debian_12', '', '' from organizations returning id`,
  );
  serverId = rows[0].id;
});

after(async () => {
  await listener.stop();
  await database.drop();
});

const newRun = () => {
  const plan = { kind: "test", steps: [], pointOfNoReturn: "start" };
  return insertRun(database.pool, { serverId, kind: "test", subject: "server", subjectId: 1, plan });
};

const end = (id: number, state: "succeeded" | "failed", error: string | null = null) =>
  transaction(database.pool, (tx) => endRun(tx, id, { state, error }));

const wait = (id: number, timeoutMs: number, signal?: AbortSignal) =>
  awaitRun({ pool: database.pool, listener }, id, { timeoutMs, ...(signal ? { signal } : {}) });

describe("waiting for a run", () => {
  /** How long a caller waits for a run that ends at once, and prints something before that. */
  async function wakesWithinMs(): Promise<number> {
    const id = await newRun();
    const text = "nginx: [emerg] no\nThe web server…\n";
    const output = [{ offset: 0, position: 0, audience: "system" as const, text: Buffer.from(text) }];
    await storePieces(database.pool, [{ runId: id, from: 0, to: 9, facts: {}, output, steps: [] }], { waits: true });
    const waiting = wait(id, 30_000);
    const startedAt = performance.now();
    await end(id, "failed", "nginx rejects it.");
    const said = ["nginx: [emerg] no", "The web server…"];
    assert.deepEqual(await waiting, { outcome: "failed", error: "nginx rejects it.", output: said });
    return performance.now() - startedAt;
  }

  test("is woken by its end, and returns the server's output", async () => {
    const times = [await wakesWithinMs()];
    // A machine that also does other work has pauses.
    while (Math.min(...times) >= 1_500 && times.length < 5) times.push(await wakesWithinMs());
    assert.ok(Math.min(...times) < 1_500, `the notification woke it, not the look every two seconds: ${times} ms`);
  });

  test("returns at once when it has ended before", async () => {
    const id = await newRun();
    await end(id, "succeeded");
    assert.deepEqual(await wait(id, 0), { outcome: "succeeded", error: null, output: [] });
  });

  test("gives up when the time is over, and leaves the run going", async () => {
    const id = await newRun();
    assert.deepEqual(await wait(id, 20), { outcome: undefined, error: null, output: [] });
  });

  test("is not woken by another run's end", async () => {
    const [id, other] = [await newRun(), await newRun()];
    const waiting = wait(id, 300);
    await end(other, "succeeded");
    assert.equal((await waiting).outcome, undefined);
  });

  test("ends when no caller is left to be answered", async () => {
    const gone = new AbortController();
    const waiting = wait(await newRun(), 30_000, gone.signal);
    gone.abort();
    assert.equal((await waiting).outcome, undefined);
  });

  test("ends for a run that is not there", async () => {
    assert.equal((await wait(987_654, 30_000)).outcome, undefined);
  });
});

test("lines are put together from pieces", () => {
  assert.deepEqual(linesOf(["one\ntw", "o\n", "\nthree"]), ["one", "two", "", "three"]);
  assert.deepEqual(linesOf([]), []);
});
