import type { Context } from "../../context.ts";
import type { RunKind, RunSecrets } from "../../engine/runs.ts";
import { reportSecret } from "../../host/job-reports.ts";
import { findProjectForWork } from "../projects/queries.ts";
import { jobCommandKind, jobsKind } from "../projects/schema.ts";
import { listJobsForWork } from "./queries.ts";
import { recordJobs, recordRestart } from "./server.ts";

// Saved changes reach the server as soon as it is back.
const applyForMs = 24 * 3600_000;
// A person who runs a job by hand waits for the answer.
const commandForMs = 60_000;

export const jobRunKinds = (ctx: Context): RunKind[] => [
  {
    kind: jobsKind,
    unreachableAfterMs: applyForMs,
    secrets: (run) => reportSecrets(ctx, run.subject_id),
    onEnded: async (tx, run, outcome) => {
      if (outcome !== "succeeded") ctx.log.warn({ run: run.id }, `Jobs were not set up: ${run.error}`);
      await recordJobs(tx, ctx, run, outcome);
    },
  },
  {
    kind: jobCommandKind,
    unreachableAfterMs: commandForMs,
    onEnded: async (tx, run) => {
      const project = await findProjectForWork(tx, run.subject_id);
      if (project) await recordRestart(tx, project, run, await listJobsForWork(tx, project.id));
    },
  },
];

/** The addresses to which the project's jobs report. */
async function reportSecrets({ pool, secrets }: Context, projectId: number): Promise<RunSecrets> {
  const reporting = (await listJobsForWork(pool, projectId)).filter((job) => job.report_url !== null);
  const files = reporting.map(({ id, report_url: url }) => [reportSecret(id), secrets.decrypt(url as Buffer)]);
  return { files: Object.fromEntries(files), masked: [] };
}
