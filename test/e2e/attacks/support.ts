import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { openPool, type Pool } from "../../../src/db/pool.ts";
import { waitFor } from "../../../stage/api-client.ts";
import type { Files } from "../../../stage/git-server.ts";
import type { Project, Stage } from "../../../stage/support.ts";

// Shared by the attacks. An attacker is anyone who can run code as the system user of one project; the code writes its
// findings into a file in the project's own `shared` directory, where the tests read them.

export const soon = { timeoutMs: 300_000 };

/** A unique text. */
export const canary = (): string => `canary-${randomBytes(12).toString("hex")}`;

/** The programs of ./code, as files below `attack/` of a repository. */
export async function attackFiles(): Promise<Files> {
  const directory = join(import.meta.dirname, "code");
  const names = await readdir(directory);
  const contents = await Promise.all(names.map((name) => readFile(join(directory, name), "utf8")));
  return Object.fromEntries(names.map((name, n) => [`attack/${name}`, contents[n] as string]));
}

/** The platform's own database, for states that no request can cause. */
export async function openPlatformDatabase({ platform }: Stage): Promise<Pool> {
  const { url } = JSON.parse(await readFile(join(platform.dataDirectory, "lock"), "utf8")) as { url: string };
  return openPool(url, { max: 2 });
}

/** Makes the next deployment repeat all steps that prepare the project on its server, as a new version would. */
export const forgetPreparation = (pool: Pool, { id }: Project) =>
  pool.query(
    "update targets set applied_mark = null, applied_at = null where subject = 'project' and subject_id = $1",
    [id],
  );

/** Runs a command in a background job of the project until `end` is called. The job stays when the command ends. */
export async function startJob({ client }: Stage, { id }: Project, command: string) {
  const { data } = await client("POST /api/v1/projects/{id}/background-jobs", {
    params: { id },
    body: { name: "Attack", command: `${command}\nexec sleep infinity` },
  });
  const job = { params: { id, jobId: data.id } };
  const isSetUp = async () =>
    (await client("GET /api/v1/projects/{id}/background-jobs/{jobId}", job)).data.status !== "pending";
  await waitFor(`job ${data.id} to be set up`, isSetUp, soon);
  return { end: () => client("DELETE /api/v1/projects/{id}/background-jobs/{jobId}", job) };
}

/** Runs a function while an attack, which never ends, runs in a background job of the project. */
export async function duringJob(
  stage: Stage,
  project: Project,
  command: string,
  work: () => Promise<void>,
): Promise<void> {
  const name = `job-${randomUUID()}`;
  const report = reportOf(project, name);
  const job = await startJob(stage, project, `echo started > ${report}\n${command}\necho "ended with $?" >> ${report}`);
  try {
    await reported(stage, project, name, /^started$/m);
    await work();
    assert.equal(await readReport(stage, project, name), "started", "the attack ended before the work did");
  } finally {
    await job.end();
  }
}

/** Where code of the project reports. */
export const reportOf = ({ home }: Project, name: string): string => `${home}/shared/report-${name}`;

/** What code of the project has reported so far. */
export const readReport = ({ bash }: Stage, project: Project, name: string): Promise<string> =>
  bash(`cat ${reportOf(project, name)} 2> /dev/null || true`);

/** Waits until code of the project has reported a text that matches. */
export const reported = (stage: Stage, project: Project, name: string, what: RegExp): Promise<string> =>
  waitFor(
    `${project.name} to report ${what}`,
    async () => {
      const report = await readReport(stage, project, name);
      return what.test(report) && report;
    },
    soon,
  );

/** Runs a script once in a background job of the project; resolves with its output. */
export async function runOnce(stage: Stage, project: Project, script: string): Promise<string> {
  const name = `once-${randomUUID()}`;
  const job = await startJob(
    stage,
    project,
    `{ ${script}\n} > ${reportOf(project, name)} 2>&1\necho "[end]" >> ${reportOf(project, name)}`,
  );
  const report = await reported(stage, project, name, /^\[end\]$/m);
  await job.end();
  return report.replace(/\[end\]$/, "");
}

/** All properties of the files below a path that a write, a change of owner or mode, or a move would change. */
export const fingerprintOf = ({ bash }: Stage, ...paths: string[]): Promise<string> =>
  bash(`find ${paths.join(" ")} -printf '%p %y %l %m %U:%G %s %C@\\n' | sort`);

/** Files of the project that hold a text. */
export const filesWith = ({ bash }: Stage, { home }: Project, text: string): Promise<string> =>
  bash(`grep -rlF --devices=skip -- '${text}' ${home} || true`);
