import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { pino } from "pino";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import { type Answers, type SshServer, sshServer } from "../../../../test/ssh-server.ts";
import { projectLayout } from "../../../host/layout.ts";
import { sh } from "../../../host/sh.ts";
import { Hosts } from "../../../host/ssh/hosts.ts";
import { projectSandbox } from "../../../host/systemd/sandbox.ts";
import { AppError } from "../../../lib/errors.ts";
import { createRunningRun, createServer, recordingKind } from "../../tests/support.ts";
import { bringToEnd } from "../follow.ts";
import { fromTheStart, plan, step } from "../plan.ts";
import { findRun, type Run } from "../queries.ts";
import type { RunKind } from "../runs.ts";
import { UpdateBatcher } from "../update-batcher.ts";

const noIds = async () => ({ order: 0, text: "" });

// Runs on a server that reports impossible data: they end, and what they store is bounded.

let database: TestDatabase;
let serverId: number;
let hosts: Hosts | undefined;
let server: SshServer | undefined;

before(async () => {
  database = await testDatabase();
  serverId = await createServer(database.pool);
});

afterEach(async () => {
  await hosts?.close();
  server?.close();
});

after(() => database.drop());

const sandbox = projectSandbox(projectLayout(1));
const somePlan = plan(
  "test",
  [
    step("fetch", "Fetch", sh`echo fetched`, { facts: { commit: "commit", live_port: "port", "job_<id>": "line" } }),
    step("build", "Build", sh`echo built`, { audience: "client", sandbox, facts: { commit: "commit" } }),
    step("export", "Export", sh`echo exported`, { sandbox, facts: { commit: "commit" } }),
  ],
  { pointOfNoReturn: fromTheStart, outputLimitMb: 1 },
);

/** Follows a run whose journal the server makes up; returns the run afterwards, the calls to the kind, and the log. */
async function follow(journalOf: (run: Run) => Answers["read"], change: Partial<RunKind> = {}, offset = 0) {
  const run = await createRunningRun(database.pool, serverId, somePlan);
  await database.pool.query("update runs set journal_offset = $2 where id = $1", [run.id, offset]);
  const commands: string[] = [];
  const answerRunner: Answers["exec"] = (command, channel) => {
    const verb = /longshore\/runner-\w+ (\w+) /.exec(command)?.[1];
    if (!verb) return;
    commands.push(verb);
    channel.write(verb === "start" ? "running\n" : "cancelling\n");
    channel.exit(0);
    channel.end();
  };
  server = await sshServer({ exec: answerRunner, read: journalOf(run) });
  const { address } = server;
  hosts = new Hosts({ lookUp: async () => address, pin: async () => undefined, connectTimeoutMs: 30_000 });
  const logged: { level: number; msg: string; count?: number }[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const kind = recordingKind();
  const context = { pool: database.pool, hosts, log, kinds: new Map([["test", { ...kind, ...change }]]) };
  const patience = { unreachableAfterMs: 60_000, abandonAfterMs: 3_600_000 };
  await bringToEnd(
    { ...context, ...patience, updates: new UpdateBatcher(context), seal: noIds },
    run.id,
    AbortSignal.timeout(60_000),
  );
  const ended = (await findRun(database.pool, run.id)) as Run;
  return { run: ended, reported: kind.reported, commands, logged };
}

const served = (journal: Buffer): Answers["read"] => {
  return (offset, length) => journal.subarray(offset, offset + length);
};

const commit = "0123456789abcdef0123456789abcdef01234567";
const journal = ({ nonce }: Run, ...records: string[]): Answers["read"] =>
  served(Buffer.from(records.map((record) => `\n\x1e${nonce} ${record}\n`).join("")));

describe("a run that began long ago", () => {
  const followUnreachable = async (abandonAfterMs: number, forMs: number): Promise<Run> => {
    const run = await createRunningRun(database.pool, serverId, somePlan);
    await database.pool.query("update runs set started_at = now() - interval '30 hours' where id = $1", [run.id]);
    const lookUp = () => Promise.reject(new AppError("server_unreachable", "The server does not answer."));
    hosts = new Hosts({ lookUp, pin: async () => undefined, connectTimeoutMs: 1_000 });
    const context = {
      pool: database.pool,
      hosts,
      log: pino({ level: "silent" }),
      kinds: new Map([["test", recordingKind()]]),
    };
    const patience = { unreachableAfterMs: 1, abandonAfterMs };
    await bringToEnd(
      { ...context, ...patience, updates: new UpdateBatcher(context), seal: noIds },
      run.id,
      AbortSignal.timeout(forMs),
    );
    return (await findRun(database.pool, run.id)) as Run;
  };

  it("is not given up for its age when its server cannot be reached for a moment", async () => {
    assert.equal((await followUnreachable(3_600_000, 1_000)).state, "running");
  });

  it("is given up when its server has not answered for long", async () => {
    assert.equal((await followUnreachable(300, 30_000)).state, "stalled");
  });
});

describe("a journal without an end", () => {
  it("is followed up to the limit of its plan, whatever the bytes, and the run is cancelled", async () => {
    const zeros = Buffer.alloc(256 * 1024);
    const mebibyte = 2 ** 20;
    const endless = () => (_offset: number, length: number) => zeros.subarray(0, length);
    // The earlier part is already stored: sending all of it takes long.
    const { run, reported, commands } = await follow(endless, {}, 64 * mebibyte);
    assert.deepEqual(
      [run.state, run.error],
      ["failed", "The log is longer than 1 MB, so the rest of it was not read."],
    );
    assert.deepEqual(reported, [`failed: ${run.error}`]);
    assert.equal(commands.at(-1), "cancel");
    const { rows } = await database.pool.query(
      "select sum(octet_length(text))::int as bytes from run_output where run_id = $1",
      [run.id],
    );
    assert.ok(rows[0].bytes > 0 && rows[0].bytes <= mebibyte, `${rows[0].bytes} bytes are stored`);
    assert.ok(run.journal_offset <= 65 * mebibyte);
  });

  it("is not asked for a time or a position that no record can hold", async () => {
    const { run } = await follow((run) =>
      journal(
        run,
        ...["step 99999999999 5", "step 0 99999999999999999", "done 0 99999999999 5 6", "done 0 0 5 1e9"],
        ...["step 0 5", "done 0 0 -7 6", "end succeeded 7"],
      ),
    );
    assert.equal(run.state, "succeeded");
  });
});

describe("facts", () => {
  it("are stored when the step declares them, is root's, and they have the form", async () => {
    const { run, logged } = await follow((run) =>
      journal(
        run,
        ...["step 0 1", `fact commit ${commit}`, "fact live_port abc", "fact live_port 65536", "fact deploy_key x"],
        ...["fact constructor x", "fact __proto__ x", "fact job_7 active", "fact job_x active", "done 0 0 1 2"],
        ...["step 1 3", `fact commit ${commit.replace("0", "f")}`, "done 1 0 1 4"],
        ...["step 2 5", `fact commit ${commit.replace("0", "e")}`, "done 2 0 1 6", "end succeeded 7"],
      ),
    );
    assert.deepEqual(run.facts, { commit, job_7: "active" });
    assert.deepEqual(
      logged.map(({ level, count }) => [level, count]),
      [[40, 8]],
    );
  });

  it("cannot fill the record", async () => {
    const facts = Array.from({ length: 60_000 }, (_, at) => `fact job_${at + 1} active`);
    const { run } = await follow((run) => journal(run, "step 0 1", ...facts, "done 0 0 1 2", "end succeeded 7"));
    assert.equal(Object.keys(run.facts).length, 1_000);
  });
});

describe("a run whose data its feature cannot store", () => {
  const reporting = (run: Run) => journal(run, "step 0 1", `fact commit ${commit}`, "done 0 0 1 2", "end succeeded 7");
  const dividing: RunKind["onEnded"] = async (tx) => void (await tx.query("select 'abc'::integer"));

  it("ends as failed, without its facts, through its feature", async () => {
    const ends: unknown[] = [];
    const { run, logged } = await follow(reporting, {
      onEnded: async (tx, ended, outcome) => {
        if (outcome === "succeeded") await dividing(tx, ended, outcome);
        ends.push([outcome, ended.facts]);
      },
    });
    assert.deepEqual([run.state, run.error, run.facts], ["failed", "What the server reported cannot be stored.", {}]);
    assert.deepEqual(ends, [["failed", {}]]);
    assert.ok(logged.some(({ level }) => level === 50));
  });

  it("ends by itself when its feature cannot store that either", async () => {
    const { run, logged } = await follow(reporting, { onEnded: dividing });
    assert.deepEqual([run.state, run.facts], ["failed", {}]);
    assert.ok(logged.some(({ msg }) => msg.includes("cannot be settled")));
  });

  it("ends when its feature cannot read its progress", async () => {
    const onProgress = () => Promise.reject(new TypeError("Cannot read properties of undefined"));
    const { run, reported, commands } = await follow(reporting, { onProgress });
    assert.equal(run.state, "failed");
    assert.deepEqual(reported, [`failed: ${run.error}`]);
    assert.equal(commands.at(-1), "cancel");
  });

  it("is retried while the database refuses for another reason", async () => {
    let refusals = 4;
    const { run, reported } = await follow(reporting, {
      onProgress: async (tx) => {
        if (refusals-- > 0) await tx.query("do $$ begin raise exception using errcode = '55P03'; end $$");
      },
    });
    assert.deepEqual([run.state, run.facts, reported], ["succeeded", { commit }, ["succeeded: null"]]);
  });
});
