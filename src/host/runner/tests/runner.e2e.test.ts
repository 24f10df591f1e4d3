import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { rebootServer } from "../../../../sandbox/sandbox.ts";
import { until } from "../../../../sandbox/until.ts";
import { bundle, type SecretFiles } from "../../../engine/runs/bundle.ts";
import { type Entry, readJournal } from "../../../engine/runs/journal.ts";
import { fromTheStart, type Plan, plan, type Step, step } from "../../../engine/runs/plan.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { projectLayout } from "../../layout.ts";
import { sh, userCommand } from "../../sh.ts";
import { connect } from "../../ssh/connect.ts";
import type { Connection } from "../../ssh/connection.ts";
import { projectSandbox } from "../../systemd/sandbox.ts";
import { type Booted, boot } from "../../tests/booted.ts";
import {
  cancelRun,
  JournalReader,
  onJournalChange,
  runDirectory,
  runnerPath,
  type StartAnswer,
  startRun,
} from "../runner.ts";

// Only the runner, on a real server: no database, no worker.

const nonce = "0123456789abcdef01234567";
const longMs = 60_000;
const connectTimeoutMs = 30_000;

const sandbox = projectSandbox(projectLayout(1));

let host: Booted;
let connection: Connection;
let lastRun = 0;

before(async () => {
  host = await boot("runner");
  connection = await connect(host.address, connectTimeoutMs);
  await host.bash(`
    install -d ${sandbox.directory}
    useradd --system --home-dir ${sandbox.directory}/home --shell /usr/sbin/nologin project-1
    install -d -o project-1 -g project-1 ${sandbox.directory}/home`);
});

after(async () => {
  connection?.close();
  await host?.down();
});

interface Order {
  secrets?: SecretFiles;
  outputLimitMb?: number;
  pointOfNoReturn?: string;
}

/** A run that was started; its journal is read again at each call. */
class Run {
  readonly id: number;
  readonly plan: Plan;
  readonly secrets: SecretFiles;

  constructor(steps: Step[], { secrets = {}, pointOfNoReturn = (steps.at(-1) as Step).key, ...limits }: Order) {
    this.id = ++lastRun;
    this.plan = plan("test", steps, { pointOfNoReturn, ...limits });
    this.secrets = secrets;
  }

  async start(): Promise<StartAnswer> {
    return startRun(connection, this.id, bundle(this.id, this.plan, nonce, this.secrets));
  }

  async entries(): Promise<Entry[]> {
    return readJournal(await this.journal(), 0, nonce).entries;
  }

  async journal(): Promise<Buffer> {
    const reader = new JournalReader(connection, this.id);
    try {
      return await reader.read(0, 1 << 20);
    } finally {
      reader.close();
    }
  }

  /** Waits for an entry in the journal. */
  async finds<Found>(what: string, find: (entries: Entry[]) => Found | undefined | false): Promise<Found> {
    const found = await pollUntil(async () => find(await this.entries()), { timeoutMs: longMs, everyMs: 5 });
    if (found === undefined || found === false) {
      assert.fail(`${what} did not appear: ${JSON.stringify(await this.entries())}`);
    }
    return found;
  }

  says(text: string): Promise<boolean> {
    return this.finds(`“${text}”`, (entries) => outputOf(entries).includes(text));
  }

  ends(): Promise<string> {
    return this.finds("the end", (entries) => entries.flatMap((each) => (each.type === "end" ? each.outcome : []))[0]);
  }
}

async function start(steps: Step[], order: Order = {}): Promise<Run> {
  const run = new Run(steps, order);
  assert.equal(await run.start(), "started");
  return run;
}

const outputOf = (entries: Entry[]): string =>
  entries.map((entry) => (entry.type === "output" ? entry.bytes.toString() : "")).join("");

/** The records as words, without times: `done 0 1`. */
const storyOf = (entries: Entry[]): string[] =>
  entries.flatMap((entry) => {
    if (entry.type === "output" || entry.type === "fact") return [];
    if (entry.type === "end") return [`end ${entry.outcome}`];
    if (!("position" in entry)) return [entry.type];
    return [`${entry.type} ${entry.position}${"exitCode" in entry ? ` ${entry.exitCode}` : ""}`];
  });

/** A user's command, unchanged. */
const bash = (text: string) => userCommand(text);

/** The traces of a run for a moment after its end: processes of its unit, and its place in memory. */
const tracesOf = (run: Run): Promise<string> =>
  host.bash(`
    systemctl is-active longshore-run-${run.id} | grep -v inactive || true
    find /sys/fs/cgroup -path '*longshore-run-${run.id}.service*' -name cgroup.procs -exec cat {} + 2>/dev/null || true
    ls -d /run/longshore/${run.id} /run/longshore/${run.id}.* 2>/dev/null || true`);

const assertNoTraces = (run: Run) =>
  until(`run ${run.id} had left nothing`, async () => (await tracesOf(run)) === "", { timeoutMs: longMs });

describe("starting a run", () => {
  it("carries out the steps in order, as their users, and reports all of it", async () => {
    const run = await start([
      step("as-root", "As root", bash('echo "$(id -un) in $PWD"; echo to stderr >&2; printf "no newline"')),
      step("as-user", "As a user", bash('echo "$(id -un) in $PWD"; [[ -r /dev/stdin ]]; cat'), { sandbox }),
      step(
        "facts",
        "Facts",
        bash('echo "commit a b" >> "$LONGSHORE_FACTS"; printf "no-newline x" >> "$LONGSHORE_FACTS"'),
      ),
    ]);
    assert.equal(await run.ends(), "succeeded");
    const entries = await run.entries();
    assert.deepEqual(storyOf(entries), [
      ...["run", "step 0", "done 0 0", "step 1", "done 1 0", "step 2", "done 2 0", "end succeeded"],
    ]);
    assert.equal(
      outputOf(entries),
      "root in /root\nto stderr\nno newline\nproject-1 in /srv/longshore/projects/1/home\n",
    );
    assert.deepEqual(
      entries.filter((entry) => entry.type === "fact"),
      [
        { type: "fact", key: "commit", value: "a b" },
        { type: "fact", key: "no-newline", value: "x" },
      ],
    );
    await assertNoTraces(run);
  });

  // Each takes a millisecond or two to start, in every deployment, rollback and publication. Processes of other
  // programs come in between.
  it("takes few processes", async () => {
    const lastProcess = async () => Number(await host.bash("cat /proc/sys/kernel/ns_last_pid"));
    const counts: number[] = [];
    for (let round = 0; round < 5; round++) {
      const run = new Run([step("nothing", "Nothing", bash("true"))], {});
      const before = await lastProcess();
      assert.equal(await run.start(), "started");
      await run.ends();
      counts.push((await lastProcess()) - before);
    }
    assert.ok(Math.min(...counts) <= 12, `took ${counts} processes`);
  });

  it("notifies its followers of each step and of its end", async () => {
    const notified: number[] = [];
    const stop = await onJournalChange(connection, (runId) => notified.push(runId));
    try {
      // What listens on the server has begun.
      await until("the listener", () => host.bash("echo 0 >> /run/longshore/bell").then(() => notified.length > 0), {
        timeoutMs: longMs,
      });
      const wait = bash("until [[ -e /tmp/go-notify ]]; do sleep 0.05; done");
      const run = await start([step("wait", "Wait", wait), step("more", "More", bash("true"))]);
      await until("the first step", () => notified.filter((id) => id === run.id).length === 1, { timeoutMs: longMs });
      await host.bash("touch /tmp/go-notify");
      assert.equal(await run.ends(), "succeeded");
      await until("all of them", () => notified.filter((id) => id === run.id).length === 3, { timeoutMs: longMs });
    } finally {
      stop();
    }
  });

  it("attaches to a run that is at work, and to one that has ended", async () => {
    const run = await start([step("wait", "Wait", bash("until [[ -e /tmp/go-attach ]]; do sleep 0.05; done"))]);
    assert.equal(await run.start(), "running");
    await host.bash("touch /tmp/go-attach");
    assert.equal(await run.ends(), "succeeded");
    await until("the start reports that it has ended", async () => (await run.start()) === "ended");
    assert.deepEqual(storyOf(await run.entries()), ["run", "step 0", "done 0 0", "end succeeded"]);
  });

  it("attaches to a run that systemd has queued and not begun", async () => {
    const settings = "/run/systemd/system/longshore-run-.service.d";
    const busy = "longshore-test-busy.service";
    await host.bash(`
      mkdir -p ${settings}
      printf '[Unit]\\nAfter=${busy}\\n' > ${settings}/busy.conf
      printf '[Service]\\nType=oneshot\\nExecStart=/bin/bash -c "until [[ -e /tmp/go-busy ]]; do sleep 0.05; done"\\n' \
        > /run/systemd/system/${busy}
      systemctl daemon-reload
      systemctl start --no-block ${busy}`);
    const run = new Run([step("once", "Once", bash("echo once"))], {});
    const answers = [await run.start(), await run.start().catch(String)];
    await host.bash(`touch /tmp/go-busy; rm -r ${settings} /run/systemd/system/${busy}; systemctl daemon-reload`);
    assert.deepEqual(answers, ["started", "running"]);
    assert.equal(await run.ends(), "succeeded");
    assert.equal(outputOf(await run.entries()), "once\n");
  });

  it("attaches to a run that ends while systemd is asked for it", async () => {
    const run = await start([step("wait", "Wait", bash("until [[ -e /tmp/go-late ]]; do sleep 0.05; done"))]);
    const ended = `${runDirectory(run.id)}/ended`;
    await host.bash(`
      printf '%s\\n' '#!/bin/bash' '[[ $1 == show ]] || exec /usr/bin/systemctl "$@"' 'touch /tmp/go-late' \
        'until [[ -e ${ended} ]]; do sleep 0.05; done' 'echo ActiveState=inactive' > /usr/local/sbin/systemctl
      chmod +x /usr/local/sbin/systemctl`);
    try {
      assert.equal(await run.start(), "ended");
    } finally {
      await host.bash("rm -f /usr/local/sbin/systemctl");
    }
    assert.deepEqual(storyOf(await run.entries()), ["run", "step 0", "done 0 0", "end succeeded"]);
  });

  it("begins once, however many start it at once", async () => {
    for (let round = 0; round < 5; round++) {
      const gate = `/tmp/go-once-${round}`;
      const run = new Run([step("once", "Once", bash(`echo once; until [[ -e ${gate} ]]; do sleep 0.05; done`))], {});
      const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(() => run.start()));
      await host.bash(`touch ${gate}`);
      assert.deepEqual(answers.sort().slice(0, 5), Array(5).fill("running"));
      assert.equal(answers[5], "started");
      assert.equal(await run.ends(), "succeeded");
      assert.deepEqual(storyOf(await run.entries()), ["run", "step 0", "done 0 0", "end succeeded"]);
      assert.equal(outputOf(await run.entries()), "once\n");
    }
  });

  it("prints nothing after its end, whatever goes wrong with tidying up", async () => {
    await host.bash(`
      rm -f /var/lib/longshore/looked
      printf '#!/bin/bash\necho "find: a directory went meanwhile" >&2\necho called >/tmp/tidied\n' >/usr/local/sbin/find
      chmod +x /usr/local/sbin/find`);
    try {
      const run = await start([step("once", "Once", bash("echo once"))]);
      await until("it had tidied up", async () => (await host.bash("ls /tmp/tidied || true")) !== "");
      await assertNoTraces(run);
      assert.deepEqual(
        (await run.entries()).map(({ type }) => type),
        ["run", "step", "output", "done", "end"],
      );
    } finally {
      await host.bash("rm -f /usr/local/sbin/find");
    }
  });

  it("removes runs that ended more than a week ago, once a day", async () => {
    const ended = async () => {
      const run = await start([step("once", "Once", bash("echo once"))]);
      assert.equal(await run.ends(), "succeeded");
      await assertNoTraces(run);
      await host.bash(`touch -d '8 days ago' ${runDirectory(run.id)}/ended`);
      return runDirectory(run.id);
    };
    const today = () => host.bash("date +%F");
    const day = await today();
    let directories = [await ended(), await ended()];
    // At midnight the first one was removed after the second.
    if ((await today()) !== day) directories = [await ended(), await ended()];
    assert.equal(await host.bash(`ls -d ${directories.join(" ")} | wc -l`), "2");
    await host.bash("echo 2020-01-01 > /var/lib/longshore/looked");
    await ended();
    assert.equal(await host.bash(`ls -d ${directories.join(" ")} 2> /dev/null || true`), "");
  });

  it("is sent again when what is on the server is not whole", async () => {
    const run = new Run([step("once", "Once", bash("echo once"))], {});
    await host.bash(`
      mkdir -p ${runDirectory(run.id)}/steps
      printf 'nonce=${nonce}\nsteps=1\n' > ${runDirectory(run.id)}/plan`);
    assert.equal(await cancelRun(connection, run), "unknown");
    assert.equal(await run.start(), "started");
    assert.equal(await run.ends(), "succeeded");
    assert.equal(outputOf(await run.entries()), "once\n");
  });

  it("is put on a server that lacks it, each time", async () => {
    const large = { padding: "x".repeat(200_000) };
    const run = await start([step("once", "Once", bash("echo once"))], { secrets: large });
    assert.equal(await run.ends(), "succeeded");
    await assertNoTraces(run);
    // A call that fails at once ends before a listener may be attached.
    for (let round = 0; round < 100; round++) {
      await connection.exec(sh`rm ${runnerPath}`);
      assert.equal(await run.start(), "ended");
    }
  });

  it("refuses a bundle that was cut off, and keeps nothing of it", async () => {
    const run = new Run([step("never", "Never", bash("touch /tmp/never"))], { secrets: { password: "s3cr3t-s3cr3t" } });
    const whole = bundle(run.id, run.plan, nonce, run.secrets);
    for (const length of [0, 2, 40, 250, whole.indexOf("s3cr3t") + 7, whole.length - 1]) {
      await assert.rejects(startRun(connection, run.id, whole.subarray(0, length)), /did not arrive whole/);
    }
    assert.equal(await host.bash(`ls -d ${runDirectory(run.id)} /run/longshore/${run.id}* 2>/dev/null || true`), "");
    assert.equal(await run.start(), "started");
    assert.equal(await run.ends(), "succeeded");
  });

  it("takes a number that another database gave for what it is: another run", async () => {
    const run = await start([step("first", "First", bash("echo of the first"))]);
    assert.equal(await run.ends(), "succeeded");
    await assertNoTraces(run);
    const other = "f".repeat(24);
    const secondPlan = plan("test", [step("second", "Second", bash("echo of the second"))], {
      pointOfNoReturn: "second",
    });
    assert.equal(await startRun(connection, run.id, bundle(run.id, secondPlan, other, {})), "started");
    const output = async () => outputOf(readJournal(await run.journal(), 0, other).entries);
    await until("the second run prints it", async () => (await output()) === "of the second\n");
    await assertNoTraces(run);
  });

  it("continues when the connection is gone, and is found again over another", async () => {
    const run = await start([
      step("wait", "Wait", bash("echo begun; until [[ -e /tmp/go-on ]]; do sleep 0.05; done; echo continued")),
      step("more", "More", bash("echo the end")),
    ]);
    connection.close();
    await host.bash("touch /tmp/go-on");
    connection = await connect(host.address, connectTimeoutMs);
    assert.equal(await run.ends(), "succeeded");
    assert.equal(outputOf(await run.entries()), "begun\ncontinued\nthe end\n");
  });
});

describe("a step that fails", () => {
  it("ends the run, and what was changed is put back, the last first", async () => {
    const run = await start([
      step("one", "One", bash("echo do one"), { undo: bash("echo undo one") }),
      step("two", "Two", bash("echo do two"), { undo: bash("echo undo two; exit 4") }),
      step("three", "Three", bash("echo do three; exit 3"), { undo: bash("echo undo three") }),
      step("four", "Four", bash("echo do four"), { undo: bash("echo undo four") }),
    ]);
    assert.equal(await run.ends(), "failed");
    const entries = await run.entries();
    assert.deepEqual(storyOf(entries), [
      ...["run", "step 0", "done 0 0", "step 1", "done 1 0", "step 2", "done 2 3"],
      ...["undo 2", "undone 2 0", "undo 1", "undone 1 4", "undo 0", "undone 0 0", "end failed"],
    ]);
    assert.equal(outputOf(entries), "do one\ndo two\ndo three\nundo three\nundo two\nundo one\n");
  });

  it("does not end a run that continues without it", async () => {
    const run = await start([
      step("optional", "Optional", bash("exit 7"), { onFailure: "continue" }),
      step("rest", "Rest", bash("echo continued")),
    ]);
    assert.equal(await run.ends(), "succeeded");
    assert.deepEqual(storyOf(await run.entries()), [
      "run",
      "step 0",
      "done 0 7",
      "step 1",
      "done 1 0",
      "end succeeded",
    ]);
  });

  it("stops at the first command that fails, also in a pipe and for an unset variable", async () => {
    const codes = ["false; echo not reached", "false | true; echo not reached", "echo $nothing; echo not reached"];
    for (const code of codes) {
      const run = await start([step("fails", "Fails", bash(code))]);
      assert.equal(await run.ends(), "failed");
      assert.doesNotMatch(outputOf(await run.entries()), /not reached/);
    }
  });

  it("is ended after its time, with all that it started", async () => {
    const run = await start([
      step("slow", "Slow", bash("trap '' TERM; (trap '' TERM; exec sleep 987) & sleep 987"), { timeoutSeconds: 1 }),
    ]);
    assert.equal(await run.ends(), "failed");
    const entries = await run.entries();
    assert.match(outputOf(entries), /took longer than 1 seconds/);
    assert.equal(await host.bash("pgrep -fx 'sleep 987' || true"), "");
    await assertNoTraces(run);
  });

  it("is ended when a user's commands print without end, with all that they started", async () => {
    const flood = bash("setsid sleep 986 & while :; do head -c 100000 /dev/zero | tr '\\0' x; echo; sleep 0.02; done");
    const run = await start(
      [
        step("chatty", "Chatty", bash("for n in 1 2 3; do head -c 100000 /dev/zero | tr '\\0' x; sleep 0.3; done"), {
          audience: "client",
          sandbox,
        }),
        step("flood", "Flood", flood, { audience: "client", sandbox, undo: bash("echo undone") }),
      ],
      { outputLimitMb: 1 },
    );
    const directory = runDirectory(run.id);
    // The journal is longer than the part that `entries` reads.
    await until("the run ended", async () => (await host.bash(`ls ${directory}/ended 2>/dev/null || true`)) !== "");
    const records = await host.bash(`grep -aoE 'The step was .*| undone 1 0 | end [a-z]+ ' ${directory}/journal`);
    assert.equal(records, "The step was ended: the log is longer than 1 MB.\n undone 1 0 \n end failed");
    assert.equal(await host.bash("pgrep -fx 'sleep 986' || true"), "");
    await assertNoTraces(run);
  });

  it("reports when the server's disk is full, and its record is not lost", async () => {
    await host.bash("mkdir -p /srv && mount -t tmpfs -o size=2m tmpfs /srv");
    await host.bash("mv /var/lib/longshore /var/lib/longshore.kept && mkdir -m 711 /var/lib/longshore");
    await host.bash("mount -t tmpfs -o size=2m tmpfs /var/lib/longshore && chmod 711 /var/lib/longshore");
    try {
      const fill = "cat /dev/zero > /var/lib/longshore/fill";
      const run = await start([step("fill", "Fill", bash(fill), { undo: bash("rm -f /var/lib/longshore/fill") })]);
      assert.equal(await run.ends(), "failed");
      assert.deepEqual(storyOf(await run.entries()), [
        "run",
        "step 0",
        "done 0 1",
        "undo 0",
        "undone 0 0",
        "end failed",
      ]);
      assert.match(outputOf(await run.entries()), /The server's disk is full\.\n$/);
      const next = await start([step("fine", "Fine", bash("echo fine"))]);
      assert.equal(await next.ends(), "succeeded");
    } finally {
      await host.bash("umount /var/lib/longshore /srv && rmdir /var/lib/longshore");
      await host.bash("mv /var/lib/longshore.kept /var/lib/longshore");
    }
  });
});

describe("processes that a step leaves behind", () => {
  it("are gone before the next step begins", async () => {
    const leaving = "setsid sleep 986 & nohup bash -c 'trap \"\" TERM HUP; while :; do sleep 986; done' & disown -a";
    const run = await start([
      step("leave", "Leave", bash(`${leaving}; echo left`), { sandbox }),
      step("look", "Look", bash("pgrep -fx 'sleep 986' || echo nothing is left")),
    ]);
    assert.equal(await run.ends(), "succeeded");
    assert.match(outputOf(await run.entries()), /nothing is left\n$/);
    await assertNoTraces(run);
  });
});

describe("a cancel", () => {
  /** How long it took to end a step with many processes. */
  async function tookMs(): Promise<number> {
    const deep = "setsid sleep 985 & nohup sleep 985 & (setsid bash -c 'trap \"\" TERM; nohup sleep 985; :' &) ";
    const run = await start([
      step("one", "One", bash("touch /tmp/one"), { undo: bash("rm /tmp/one; echo undid one") }),
      step("long", "Long", bash(`touch long; ${deep}; echo at work; sleep 985`), {
        undo: bash("rm long; echo undid long"),
        sandbox,
      }),
      step("never", "Never", bash("touch /tmp/never-reached")),
    ]);
    await run.says("at work");
    const began = performance.now();
    assert.equal(await cancelRun(connection, run), "cancelling");
    assert.equal(await run.ends(), "cancelled");
    const took = performance.now() - began;
    assert.match(outputOf(await run.entries()), /undid long\nundid one\n$/);
    assert.equal(
      await host.bash(
        `pgrep -fx 'sleep 985' || true; ls /tmp/one ${sandbox.directory}/home/long /tmp/never-reached 2>/dev/null || true`,
      ),
      "",
    );
    await assertNoTraces(run);
    return took;
  }

  it("ends a long command at once with everything it started, and puts back what was changed", async () => {
    const times = [await tookMs()];
    // It contains no fixed waits; a machine that also does other work has pauses.
    while (Math.min(...times) > 10_000 && times.length < 5) times.push(await tookMs());
    assert.ok(Math.min(...times) <= 10_000, `took ${times} ms`);
  });

  it("waits for the end of a step that must not be interrupted", async () => {
    const run = await start([
      step("whole", "Whole", bash("echo at work; until [[ -e /tmp/go-whole ]]; do sleep 0.05; done; echo whole"), {
        checkpoint: false,
      }),
      step("next", "Next", bash("echo not reached")),
      step("last", "Last", bash("echo not reached")),
    ]);
    await run.says("at work");
    assert.equal(await cancelRun(connection, run), "cancelling");
    await host.bash("touch /tmp/go-whole");
    assert.equal(await run.ends(), "cancelled");
    assert.deepEqual(storyOf(await run.entries()), ["run", "step 0", "done 0 0", "end cancelled"]);
    assert.equal(outputOf(await run.entries()), "at work\nwhole\n");
  });

  it("is refused past the point of no return, and the run continues", async () => {
    const run = await start(
      [
        step("switch", "Switch", bash("echo switched"), { checkpoint: false }),
        step("rest", "Rest", bash("echo at work; until [[ -e /tmp/go-rest ]]; do sleep 0.05; done; echo done")),
      ],
      { pointOfNoReturn: "switch" },
    );
    await run.says("at work");
    assert.equal(await cancelRun(connection, run), "passed");
    await host.bash("touch /tmp/go-rest");
    assert.equal(await run.ends(), "succeeded");
    assert.equal(outputOf(await run.entries()), "switched\nat work\ndone\n");
  });

  it("is too late for a run that has ended, and unknown before one began", async () => {
    const run = await start([step("quick", "Quick", bash("true"))]);
    assert.equal(await run.ends(), "succeeded");
    await assertNoTraces(run);
    assert.equal(await cancelRun(connection, run), "ended");
    assert.equal(await cancelRun(connection, { id: 999_999 }), "unknown");
  });

  it("lets what puts a step back run to its end, however long that takes", async () => {
    const putBack = bash("sleep 1; echo put back");
    const run = await start([step("switch", "Switch", bash("echo at work; sleep 60"), { undo: putBack })]);
    await run.says("at work");
    assert.equal(await cancelRun(connection, run), "cancelling");
    assert.equal(await run.ends(), "cancelled");
    assert.match(outputOf(await run.entries()), /put back\n/);
  });

  it("or the point of no return: one of them wins, never both", async () => {
    for (let round = 0; round < 20; round++) {
      const run = await start(
        [
          step("before", "Before", bash(`echo at work; sleep 0.0${round % 10}`), { checkpoint: false }),
          step("switch", "Switch", bash("echo switched"), { undo: bash("echo put back") }),
        ],
        { pointOfNoReturn: "switch" },
      );
      await run.says("at work");
      const answer = await cancelRun(connection, run);
      const outcome = await run.ends();
      const switched = outputOf(await run.entries()).includes("switched\n");
      const putBack = outputOf(await run.entries()).includes("put back\n");
      if (answer === "cancelling") assert.deepEqual([outcome, switched && !putBack], ["cancelled", false]);
      else assert.deepEqual([outcome, switched, putBack], ["succeeded", true, false]);
    }
  });
});

describe("secrets", () => {
  it("are files for the step's user, and nothing of them stays or shows", async () => {
    const secret = "s3cr3t-0123456789\nand 'more'";
    const show =
      'ls "$LONGSHORE_SECRETS"; sha256sum < "$LONGSHORE_SECRETS/key"; touch "$LONGSHORE_SECRETS/new" || echo fixed';
    const untilLooked = `until [[ -e go-secrets ]]; do sleep 0.05; done`;
    const run = await start(
      [
        step("use", "Use", bash(`id -un; ${show}; ${untilLooked}`), { sandbox, secrets: ["key"] }),
        step(
          "client",
          "Client",
          bash(
            'echo "$(env | grep -c LONGSHORE_SECRETS)"; cat "/run/longshore/$LONGSHORE_RUN/secrets/key" || echo not readable',
          ),
          {
            sandbox,
            audience: "client",
          },
        ),
      ],
      { secrets: { key: secret, other: "s3cr3t of another" } },
    );
    await run.says("project-1");
    assert.equal(await host.bash("ps -eo args,cmd eww | grep -c '[s]3cr3t' || true"), "0");
    await host.bash(`touch ${sandbox.directory}/home/go-secrets`);
    assert.equal(await run.ends(), "succeeded");
    const output = outputOf(await run.entries());
    assert.match(output, /^project-1\nkey\nscript\n[0-9a-f]{64}.*\n.*\nfixed\n/);
    assert.match(output, /\n0\ncat: .*(Permission denied|No such file or directory)\nnot readable\n$/);
    assert.doesNotMatch((await run.journal()).toString(), /s3cr3t/);
    await assertNoTraces(run);
    assert.equal(await host.bash(`grep -rl s3cr3t /run /var /tmp /etc /srv 2>/dev/null || true`), "");
    assert.equal(await host.bash("journalctl --no-pager | grep -c s3cr3t || true"), "0");
  });
});

describe("what travels with a run", () => {
  it("arrives to the byte", async () => {
    const ascii = String.fromCharCode(...Array.from({ length: 127 }, (_, at) => at + 1));
    const secrets = { odd: `${ascii}é🚢\u{feff}\n\n`, empty: "", long: `${"é\\ \u0001\u007f\n".repeat(20_000)} ` };
    const sums = bash('cd "$LONGSHORE_SECRETS"; stat -c "%n %a" *; sha256sum odd empty long');
    const run = await start([step("sums", "Sums", sums)], { secrets });
    assert.equal(await run.ends(), "succeeded");
    const sumOf = (text: string) => createHash("sha256").update(text).digest("hex");
    const { odd, empty, long } = secrets;
    assert.deepEqual(
      outputOf(await run.entries())
        .trim()
        .split("\n"),
      [
        ...["empty 600", "long 600", "odd 600"],
        ...[`${sumOf(odd)}  odd`, `${sumOf(empty)}  empty`, `${sumOf(long)}  long`],
      ],
    );
  });
});

describe("an interrupted run", () => {
  /** One step before the point of no return, one past it; each waits for a file before it ends. */
  const twoHalves = (name: string): Step[] => {
    const once = (part: string) => bash(`echo ${part}; until [[ -e /var/tmp/${name}-${part} ]]; do sleep 0.05; done`);
    return [
      step("prepare", "Prepare", bash("echo prepared"), { undo: bash("echo put back prepare") }),
      step("first", "First", once("first"), { undo: bash("echo put back first") }),
      step("switch", "Switch", bash("echo switched"), { checkpoint: false, undo: bash("echo put back switch") }),
      step("second", "Second", once("second"), { undo: bash("echo put back second") }),
    ];
  };
  const startHalves = (name: string): Promise<Run> => start(twoHalves(name), { pointOfNoReturn: "switch" });
  const killRunner = async (run: Run): Promise<void> => {
    await host.bash(`kill -9 "$(cat /run/longshore/${run.id}/pid)"`);
    await until("the unit is gone", async () => (await host.bash(`pgrep -f 'execute ${run.id}$' || true`)) === "");
  };
  const reboot = async (): Promise<void> => {
    connection.close();
    await rebootServer(host.server.name);
    connection = await connect(host.address, connectTimeoutMs);
  };
  const resume = async (run: Run): Promise<void> =>
    void (await until("the run is resumed", async () => (await run.start()) !== "running"));

  for (const [how, interrupt] of [
    ["a kill of its runner", killRunner],
    ["a reboot", reboot],
  ] as const) {
    const name = how === "a reboot" ? "reboot" : "kill";

    it(`is put back after ${how} before the point of no return`, async () => {
      const run = await startHalves(`${name}-before`);
      await run.says("first");
      await interrupt(run);
      await resume(run);
      assert.equal(await run.ends(), "failed");
      const entries = await run.entries();
      assert.deepEqual(storyOf(entries).slice(0, 6), ["run", "step 0", "done 0 0", "step 1", "resume", "undo 1"]);
      assert.match(outputOf(entries), /was interrupted .*\nput back first\nput back prepare\n$/);
      await assertNoTraces(run);
    });

    it(`goes forward after ${how} past the point of no return`, async () => {
      const run = await startHalves(`${name}-past`);
      await host.bash(`touch /var/tmp/${name}-past-first`);
      await run.says("second");
      await interrupt(run);
      await host.bash(`touch /var/tmp/${name}-past-second`);
      await resume(run);
      assert.equal(await run.ends(), "succeeded");
      const entries = await run.entries();
      assert.deepEqual(storyOf(entries).slice(-4), ["resume", "step 3", "done 3 0", "end succeeded"]);
      assert.equal(outputOf(entries), "prepared\nfirst\nswitched\nsecond\nsecond\n");
      await assertNoTraces(run);
    });
  }

  it("is put back again when it is killed while it is being put back", async () => {
    const undo = bash("echo putting back; until [[ -e /var/tmp/undo-again ]]; do sleep 0.05; done; echo put back");
    const run = await start([
      step("one", "One", bash("true"), { undo: bash("echo put back one") }),
      step("two", "Two", bash("exit 1"), { undo }),
    ]);
    await run.says("putting back");
    await killRunner(run);
    await host.bash("touch /var/tmp/undo-again");
    await resume(run);
    assert.equal(await run.ends(), "failed");
    assert.match(outputOf(await run.entries()), /putting back\nputting back\nput back\nput back one\n$/);
  });

  it("goes only forward when its plan starts past the point of no return", async () => {
    const forward = "echo begun; until [[ -e /var/tmp/forward ]]; do sleep 0.05; done";
    const run = await start([step("one", "One", bash(forward), { undo: bash("echo put back") })], {
      pointOfNoReturn: fromTheStart,
    });
    await run.says("begun");
    await killRunner(run);
    await host.bash("touch /var/tmp/forward");
    await resume(run);
    assert.equal(await run.ends(), "succeeded");
    assert.equal(outputOf(await run.entries()), "begun\nbegun\n");
  });
});

describe("words of a script", () => {
  it("arrive as they are, whatever is in them", async () => {
    const words = [
      "a b",
      "it's",
      '"',
      "$(touch /tmp/canary)",
      "`touch /tmp/canary`",
      "a\nb",
      "-rf",
      "*",
      "\\",
      "é🚢",
      "",
    ];
    const run = await start([step("print", "Print", sh`printf '<%s>\\n' ${words}`)]);
    assert.equal(await run.ends(), "succeeded");
    assert.equal(outputOf(await run.entries()), words.map((word) => `<${word}>\n`).join(""));
    assert.equal(await host.bash("ls /tmp/canary 2>/dev/null || true"), "");
  });
});
