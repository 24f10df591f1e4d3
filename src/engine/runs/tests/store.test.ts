import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import { byteMasker } from "../../../lib/mask.ts";
import { createRunningRun, createServer, recordingKind } from "../../tests/support.ts";
import { longestLine, readJournal } from "../journal.ts";
import { listOutput } from "../output.ts";
import { findLastStep, findRun, listRunSteps, type Run } from "../queries.ts";
import { applyUpdate, parseUpdate } from "../store.ts";

let database: TestDatabase;
let serverId: number;

before(async () => {
  database = await testDatabase();
  serverId = await createServer(database.pool);
});

after(() => database.drop());

describe("storing a run's journal", () => {
  let run: Run;
  let kind: ReturnType<typeof recordingKind>;
  let journal: Buffer;

  beforeEach(async () => {
    run = await createRunningRun(database.pool, serverId);
    kind = recordingKind();
    journal = Buffer.alloc(0);
  });

  const record = (text: string): string => `\n\x1e${run.nonce} ${text}\n`;
  const write = (...texts: string[]): void => {
    journal = Buffer.concat([journal, ...texts.map((text) => Buffer.from(text))]);
  };

  /** Stores the journal from an offset on; returns the offset it reached. */
  async function storeFrom(offset: number, mask = byteMasker([])): Promise<number> {
    const piece = readJournal(journal.subarray(offset), offset, run.nonce);
    const position = await findLastStep(database.pool, run.id);
    const update = parseUpdate(run, { ...piece, offset }, position, mask);
    await applyUpdate({ pool: database.pool, kinds: new Map([["test", kind]]) }, update);
    return offset + piece.consumed;
  }

  const output = async (): Promise<[string, string][]> =>
    (await listOutput(database.pool, run.id)).map(({ audience, text }) => [audience, text]);
  const statuses = async () => (await listRunSteps(database.pool, run.id)).map(({ status }) => status);
  const stored = async () => (await findRun(database.pool, run.id)) as Run;

  it("stores several outputs of one piece as they are, whatever is in them", async () => {
    const texts = ['a "quoted", {braced} and back\\slashed text\n', "ümläut 日本 🚢\n", "NULL\n"];
    write(record("run 1000"), record("step 0 1000"), texts[0] as string, record("done 0 0 7 1007"));
    write(record("step 1 1010"), texts[1] as string, record("done 1 0 8 1018"));
    write(record("step 2 1020"), texts[2] as string, record("done 2 0 9 1029"));
    await storeFrom(0);
    assert.deepEqual(
      (await output()).map(([, text]) => text),
      texts,
    );
  });

  it("stores steps, output, facts and the end of a run that succeeds", async () => {
    write(record("run 1000"), record("step 0 1000"), "fetched\n", record("fact commit abc"), record("done 0 0 7 1007"));
    write(record("step 1 1010"), "built\n", record("done 1 0 8 1018"));
    write(record("step 2 1020"), record("done 2 0 9 1029"), record("end succeeded 1030"));
    assert.equal(await storeFrom(0), journal.length);

    const { state, error, facts, journal_offset: offset, ended_at: endedAt } = await stored();
    assert.deepEqual([state, error, facts, offset], ["succeeded", null, { commit: "abc" }, journal.length]);
    assert.ok(endedAt);
    assert.deepEqual(await statuses(), ["completed", "completed", "completed"]);
    assert.deepEqual(await output(), [
      ["system", "fetched\n"],
      ["client", "built\n"],
    ]);
    assert.deepEqual(kind.reported, ["0 completed", "1 completed", "2 completed", "succeeded: null"]);
  });

  it("ends with the end, whatever the server prints after it", async () => {
    write(record("step 0 1000"), "fetched\n", record("done 0 0 7 1007"), record("end succeeded 1008"));
    write("find: ‘/var/lib/longshore/runs/2.new’: No such file or directory\n");
    await storeFrom(0);
    assert.deepEqual([(await stored()).state, await output()], ["succeeded", [["system", "fetched\n"]]]);
  });

  it("puts output that comes later to the step that is at work", async () => {
    write(record("step 0 1000"), record("done 0 0 7 1007"), record("step 1 1010"));
    let offset = await storeFrom(0);
    write("building\n");
    offset = await storeFrom(offset);
    write("built\n", record("done 1 0 8 1018"));
    await storeFrom(offset);
    assert.deepEqual(await output(), [
      ["client", "building\n"],
      ["client", "built\n"],
    ]);
  });

  it("stores a piece once, however often it is sent", async () => {
    write(record("step 0 1000"), "fetched\n");
    await storeFrom(0);
    await assert.rejects(storeFrom(0), /followed by another worker/);
    assert.deepEqual(await output(), [["system", "fetched\n"]]);
    assert.deepEqual(kind.reported, ["0 running"]);
  });

  it("stores a piece once when two come with it at the same time", async () => {
    write(record("step 0 1000"), "fetched\n");
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => storeFrom(0)));
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
    assert.deepEqual(await output(), [["system", "fetched\n"]]);
  });

  it("stores nothing when what it means to the feature cannot be stored", async () => {
    const failing = { ...kind, onEnded: () => Promise.reject(new Error("no room")) };
    write(record("step 0 1000"), "fetched\n", record("done 0 0 1 1001"), record("end succeeded 1002"));
    const kinds = new Map([["test", failing]]);
    const update = parseUpdate(run, { ...readJournal(journal, 0, run.nonce), offset: 0 }, null, byteMasker([]));
    await assert.rejects(applyUpdate({ pool: database.pool, kinds }, update), /no room/);
    const { state, journal_offset: offset } = await stored();
    assert.deepEqual([state, offset, await output()], ["running", 0, []]);
    await storeFrom(0);
    assert.equal((await stored()).state, "succeeded");
  });

  it("gives the last line of a failed step of the platform as the reason", async () => {
    write(record("step 0 1000"), "fetching\nThe branch main does not exist in the repository.\n");
    const offset = await storeFrom(0);
    write(record("done 0 1 7 1007"), record("end failed 1008"));
    await storeFrom(offset);
    const { state, error } = await stored();
    assert.deepEqual([state, error], ["failed", "The branch main does not exist in the repository."]);
    assert.deepEqual(await statuses(), ["failed", "skipped", "skipped"]);
  });

  it("names the step and the exit status of a failed command of the user", async () => {
    write(record("step 0 1000"), record("done 0 0 7 1007"), record("step 1 1010"), "npm error missing script\n");
    write(record("done 1 3 8 1018"), record("undo 0 1019"), "undone\n", record("undone 0 0 1020"));
    write(record("end failed 1021"));
    await storeFrom(0);
    assert.equal((await stored()).error, "“Build” failed with exit status 3: npm error missing script");
    assert.deepEqual((await output()).at(-1), ["system", "undone\n"]);
  });

  it("gives the line that states why a command of the user failed, and says it once", async () => {
    write(record("step 0 1000"), record("done 0 0 7 1007"), record("step 1 1010"), "error TS2322: no string\n");
    const offset = await storeFrom(0);
    write("npm notice\nnpm notice New version\nThe build ended with exit code 2.\n", record("done 1 2 8 1018"));
    write(record("end failed 1021"));
    await storeFrom(offset);
    assert.equal((await stored()).error, "“Build” failed with exit status 2: error TS2322: no string");
  });

  it("reports the exit status of a command that printed nothing", async () => {
    write(record("step 0 1000"), record("done 0 0 7 1007"), record("step 1 1010"));
    write("The build ended with exit code 2.\n", record("done 1 2 8 1018"), record("end failed 1021"));
    await storeFrom(0);
    assert.equal((await stored()).error, "“Build” failed with exit status 2.");
  });

  it("reports where the server was interrupted", async () => {
    write(record("step 0 1000"), record("resume 2000"), record("undo 0 2001"), record("undone 0 0 2002"));
    write(record("end failed 2003"));
    await storeFrom(0);
    assert.equal((await stored()).error, "The server was interrupted during “Fetch”.");
    assert.deepEqual(await statuses(), ["unreported", "skipped", "skipped"]);
  });

  it("reports that it was cancelled", async () => {
    write(record("step 0 1000"), record("done 0 143 7 1007"), record("end cancelled 1008"));
    await storeFrom(0);
    assert.equal((await stored()).error, "Cancelled.");
  });

  it("masks secrets before anything is stored, also in the reason", async () => {
    const mask = byteMasker(["hunter2-hunter2"]);
    write(record("step 0 1000"), "password hunter2-hunter2\ncannot use hunter2-hunter2\n", record("done 0 1 7 1007"));
    write(record("end failed 1008"));
    await storeFrom(0, mask);
    assert.deepEqual(await output(), [["system", "password ********\ncannot use ********\n"]]);
    assert.equal((await stored()).error, "cannot use ********");
  });

  it("masks secrets in the line that states why a command of the user failed, too", async () => {
    write(record("step 0 1000"), record("done 0 0 7 1007"), record("step 1 1010"));
    write("Error: cannot use hunter2-hunter2\nmore of hunter2-hunter2\n", record("done 1 1 8 1018"));
    write(record("end failed 1021"));
    await storeFrom(0, byteMasker(["hunter2-hunter2"]));
    assert.equal((await stored()).error, "“Build” failed with exit status 1: Error: cannot use ********");
  });

  it("finds that line before many others, in output that came in many pieces", async () => {
    write(record("step 0 1000"), record("done 0 0 7 1007"), record("step 1 1010"), "Error: no till\n");
    let offset = await storeFrom(0);
    for (let at = 0; at < 5; at++) {
      write(`${"a warning about something\n".repeat(200)}`);
      offset = await storeFrom(offset);
    }
    write(record("done 1 1 8 1018"), record("end failed 1021"));
    await storeFrom(offset);
    assert.equal((await stored()).error, "“Build” failed with exit status 1: Error: no till");
  });

  it("stores output with NUL and broken characters as text", async () => {
    const broken = Buffer.concat([Buffer.from("a\0b"), Buffer.from([0xff, 0xfe, 0xc3]), Buffer.from("c\n")]);
    write(record("step 0 1000"));
    journal = Buffer.concat([journal, broken]);
    write(record("done 0 0 7 1007"));
    await storeFrom(0);
    // No longer than the printed text.
    assert.deepEqual(await output(), [["system", "a?b???c\n"]]);
  });

  it("stores a line longer than a piece without losing a byte", async () => {
    const line = "ä".repeat(longestLine);
    write(record("step 0 1000"), line, record("done 0 0 7 1007"));
    let offset = 0;
    while (offset < journal.length) offset = await storeFrom(offset);
    assert.equal((await output()).map(([, text]) => text).join(""), `${line}\n`);
  });
});
