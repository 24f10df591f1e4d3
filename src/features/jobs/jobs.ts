import type { Context } from "../../context.ts";
import type { RunKind } from "../../engine/runs.ts";
import { findProjectForWork } from "../projects/queries.ts";
import { jobCommandKind, jobsKind } from "../projects/schema.ts";
import { listJobsForWork } from "./queries.ts";
import { recordJobs, recordRestart } from "./server.ts";

// What was saved reaches the server as soon as it is back.
const applyForMs = 24 * 3600_000;
// Whoever runs a job by hand waits for the answer.
const commandForMs = 60_000;

export const jobRunKinds = (ctx: Context): RunKind[] => [
  {
    kind: jobsKind,
    unreachableAfterMs: applyForMs,
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
