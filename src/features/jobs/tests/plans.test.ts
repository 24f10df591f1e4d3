import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { scriptsOf, shellcheck } from "../../../../test/shellcheck.ts";
import { fromTheStart, markIn, plan } from "../../../engine/runs/plan.ts";
import { crontab, runScript } from "../../../host/jobs/jobs.ts";
import { type ProjectLayout, projectLayout } from "../../../host/layout.ts";
import { runBash } from "../../../host/tests/bash.ts";
import { findFramework } from "../../projects/frameworks.ts";
import {
  applyJobs,
  type JobOnServer,
  type JobsProject,
  jobsPlan,
  restartJobPlan,
  restartJobs,
  runJobPlan,
} from "../plans.ts";
import { jobsKind } from "../schema.ts";

const layout = projectLayout(7);

function project(over: Partial<JobsProject> = {}): JobsProject {
  const framework = findFramework(8);
  assert.ok(framework);
  return { layout, directory: "", framework, maxMemoryMb: undefined, ...over };
}

const nightly: JobOnServer = { id: 3, command: "make backup", isActive: true, runs: { schedule: "30 4 * * *" } };
const queue: JobOnServer = { id: 4, command: "node work.js", isActive: true, runs: { processes: 2 } };

const scriptOf = (jobs: readonly JobOnServer[], over: Partial<JobsProject> = {}): string =>
  applyJobs(project(over), jobs).script;

describe("the project's crontab", () => {
  test("has a line for each scheduled job, without anything that a user wrote but the schedule", () => {
    const lines = crontab(layout, [
      { id: 3, schedule: "30 4 * * *" },
      { id: 5, schedule: "@reboot" },
    ]).split("\n");
    assert.deepEqual(lines.slice(4), [
      "30 4 * * * root systemctl start --no-block longshore-project-7-job-3@$$.service",
      "@reboot root systemctl start --no-block longshore-project-7-job-5@$$.service",
      "",
    ]);
  });

  test("starts units that report as root, with an address that is in no line and no script", () => {
    const script = scriptOf([{ ...nightly, heartbeatDigest: "d1" }]);
    assert.match(script, /^ExecStartPost=-\+\/usr\/local\/lib\/longshore\/report-job started 7-3$/m);
    assert.match(script, /^ExecStopPost=-\+\/usr\/local\/lib\/longshore\/report-job ended 7-3 %n$/m);
    assert.match(script, /^put_report \/etc\/longshore\/reports\/7-3 report-3 0 d1$/m);
    assert.ok(!scriptOf([nightly]).includes("ExecStopPost"));
  });
});

describe("what a server receives of jobs", () => {
  test("differs with everything that it acts upon, and not with the order of a run", () => {
    const of = (jobs: readonly JobOnServer[], over: Partial<JobsProject> = {}) =>
      markIn([applyJobs(project(over), jobs)], { ...jobsKind, subjectId: 7 });
    const base = of([nightly, queue]);
    assert.equal(of([nightly, queue]), base);
    const others = [
      of([nightly]),
      of([{ ...nightly, command: "make all" }, queue]),
      of([{ ...nightly, runs: { schedule: "31 4 * * *" } }, queue]),
      of([{ ...nightly, isActive: false }, queue]),
      of([nightly, { ...queue, runs: { processes: 3 } }]),
      of([nightly, queue], { directory: "web" }),
      of([{ ...nightly, heartbeatDigest: "d1" }, queue]),
      of([{ ...nightly, heartbeatDigest: "d2" }, queue]),
      of([nightly, { ...queue, heartbeatDigest: "d1" }]),
      of([nightly, queue], { maxMemoryMb: 512 }),
    ];
    assert.equal(new Set([base, ...others]).size, others.length + 1);
  });

  test("keeps what is switched off out of crontab and systemd, with its command ready to be run by hand", () => {
    const script = scriptOf([
      { ...nightly, isActive: false },
      { ...queue, isActive: false },
    ]);
    assert.ok(!script.includes("30 4 * * *"));
    assert.ok(!script.includes("jobs/run 4 background"));
    assert.ok(script.includes("jobs/run 3 scheduled"));
    assert.ok(script.includes("make backup"));
  });

  test("limits each process, and the heap of Node", () => {
    const script = scriptOf([queue], { maxMemoryMb: 512 });
    assert.match(script, /^MemoryMax=512M$/m);
    assert.match(script, /NODE_OPTIONS\^=--max-old-space-size=384'/);
    const [php] = [findFramework(4)];
    assert.ok(php);
    assert.doesNotMatch(scriptOf([queue], { maxMemoryMb: 512, framework: php }), /--max-old-space-size/);
  });
});

test("shellcheck is content with every script", () => {
  const hostile = "echo '%$(id)\"`\n# x";
  const plans = [
    jobsPlan(project({ directory: "web", maxMemoryMb: 512 }), [
      { ...nightly, command: hostile, heartbeatDigest: "d1" },
      { ...queue, heartbeatDigest: "d2" },
    ]),
    jobsPlan(project(), []),
    runJobPlan(layout, 3),
    restartJobPlan(layout, 4),
    plan("others", [restartJobs(layout)], { pointOfNoReturn: fromTheStart }),
  ];
  const scripts = plans.flatMap((each, at) =>
    Object.entries(scriptsOf(each)).map(([key, script]) => [`${at}-${key}`, script] as const),
  );
  const run = runScript({ layout, directory: "web", maxHeapOfMb: 512 });
  // Warnings about words that are data: dollars in single quotes, quotes beside quotes, files on the server, one-word lists.
  const ofData = /\[SC(?:2016|2140|1091|1090|2043|2034|2154)\]$/;
  const said = shellcheck({ ...Object.fromEntries(scripts), run }).split("\n");
  assert.deepEqual(
    said.filter((line) => line !== "" && !ofData.test(line)),
    [],
  );
});

describe("a job's run", () => {
  let prefix: string;
  let own: ProjectLayout;

  beforeEach(() => {
    prefix = mkdtempSync(join(tmpdir(), "longshore-jobs-"));
    own = projectLayout(7, prefix);
    for (const directory of [own.jobs, `${own.releases}/12/web app`, `${own.environments}/12`, own.home]) {
      mkdirSync(directory, { recursive: true });
    }
    symlinkSync("releases/12", own.current);
  });
  afterEach(() => rmSync(prefix, { recursive: true, force: true }));

  async function run(command: string, directory = ""): Promise<{ code: number; log: string }> {
    writeFileSync(`${own.jobs}/run`, runScript({ layout: own, directory }));
    writeFileSync(`${own.jobs}/3.command`, `${command}\n`);
    const { code, stdout } = await runBash({ script: `bash '${own.jobs}/run' 3 scheduled 2>&1` }, prefix);
    return { code, log: stdout };
  }

  test("happens in the live release's working directory, with its environment, and is logged", async () => {
    writeFileSync(`${own.environments}/12/environment-exports`, "export COLOR='deep blue'\n");
    const { code, log } = await run('pwd; echo "$COLOR"; echo "$HOME"; echo oops >&2', "web app");
    assert.equal(code, 0);
    const [started, ...said] = log.split("\n");
    assert.match(started ?? "", /^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\] Started\.$/);
    assert.deepEqual(said.slice(0, 4), [`${own.releases}/12/web app`, "deep blue", own.home, "oops"]);
    assert.match(said[4] ?? "", /Ended with exit code 0 after \d+ s\.$/);
  });

  test("takes the command as it was written, and ends with its exit code", async () => {
    const { code, log } = await run("set -e\nfor n in 1 2; do printf '%s-' \"$n\"; done # 100%\nexit 7");
    assert.equal(code, 7);
    assert.match(log, /^1-2-\[/m);
    assert.match(log, /Ended with exit code 7/);
  });

  test("reports what is missing", async () => {
    assert.match((await run("true", "nowhere")).log, /The live release has no directory nowhere\./);
    rmSync(own.current);
    const { code, log } = await run("true");
    assert.notEqual(code, 0);
    assert.match(log, /The project has no live release\.\n$/);
  });
});
