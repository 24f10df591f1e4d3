import type { Context } from "../../../context.ts";
import type { DueRows, PeriodicTask, Schedule } from "../../../engine/schedule/schedule.ts";
import { evaluateHeartbeat, gapDays } from "./evaluation.ts";
import { intakeGapSeconds } from "./pings.ts";
import { claimDueHeartbeats, type DueHeartbeat, deleteOldGaps } from "./queries.ts";
import { rewireJobs } from "./wiring.ts";

const secondMs = 1_000;
const leaseSeconds = 60;

export const heartbeatSchedules = (ctx: Context): Schedule[] => {
  const evaluations: DueRows<DueHeartbeat> = {
    name: "evaluate-heartbeats",
    everyMs: secondMs,
    batch: 200,
    concurrency: 4,
    claim: (db, limit) => claimDueHeartbeats(db, limit, { leaseSeconds, gapSeconds: intakeGapSeconds }),
    work: (heartbeat) => evaluateHeartbeat(ctx, heartbeat),
  };
  const wiring: PeriodicTask = {
    name: "rewire-heartbeats",
    everyMs: 600 * secondMs,
    work: async (signal) => {
      await rewireJobs(ctx, signal);
      await deleteOldGaps(ctx.pool, gapDays);
    },
  };
  return [evaluations, wiring];
};
