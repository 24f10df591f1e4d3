import type { Context } from "../../context.ts";
import type { TargetKind } from "../../engine/reconcile/target.ts";
import type { RunKind } from "../../engine/runs/runs.ts";
import { findProjectForWork } from "../projects/queries.ts";
import { listJobsForWork } from "./queries.ts";
import { jobCommandKind } from "./schema.ts";
import { jobsTarget, recordRestart } from "./targets.ts";

// A person who runs a job by hand waits for the response.
const commandForMs = 60_000;

export const jobTargets = (ctx: Context): TargetKind[] => [jobsTarget(ctx)];

export const jobRunKinds = (): RunKind[] => [
  {
    ...jobCommandKind,
    unreachableAfterMs: commandForMs,
    onEnded: async (tx, run) => {
      const project = await findProjectForWork(tx, run.subject_id);
      if (project) await recordRestart(tx, project, run, await listJobsForWork(tx, project.id));
    },
  },
];
