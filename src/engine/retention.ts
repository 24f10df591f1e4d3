import type { Pool } from "pg";
import { inBatches } from "../db/batches.ts";
import type { Kind } from "./kind.ts";
import { deleteOldOutput } from "./runs/output.ts";
import { deleteOldRuns, dropEndedPlans } from "./runs/queries.ts";
import type { PeriodicTask } from "./schedule/schedule.ts";
import { deleteOldWorkflows } from "./workflow/queries.ts";

/** Kinds of work that records show for as long as they exist. */
export interface Kept {
  /** Their runs stay, without the output. */
  runs: readonly Kind[];
  /** The newest workflow of each of these kinds stays for each record. */
  workflows: readonly Kind[];
}

const everyMs = 3_600_000;

/**
 * Delete the plans of ended work, and the output, runs and workflows of work that ended more than `days` days ago, except `kept`, and of runs the newest of each
 * kind for a record. In batches, so that no statement takes long.
 */
export const retentionSchedules = (pool: Pool, days: number, kept: Kept): PeriodicTask[] => [
  {
    name: "delete-old-logs",
    everyMs,
    work: async (signal) => {
      await inBatches(signal, (limit) => dropEndedPlans(pool, limit));
      await inBatches(signal, (limit) => deleteOldOutput(pool, days, limit));
      await inBatches(signal, (limit) => deleteOldRuns(pool, { kept: kept.runs, days, limit }));
    },
  },
  {
    name: "delete-old-workflows",
    everyMs,
    work: (signal) => inBatches(signal, (limit) => deleteOldWorkflows(pool, { kept: kept.workflows, days, limit })),
  },
];
