import type { Context } from "../../../context.ts";
import type { PeriodicTask } from "../../../engine/schedule/schedule.ts";
import { occurrenceAt } from "./occurrences.ts";
import { listEndedWindows, moveWindow } from "./queries.ts";

const everyMs = 10_000;
const atOnce = 500;

/** Recurring windows get their next occurrence when one has ended. */
export const maintenanceSchedules = ({ pool }: Pick<Context, "pool">): PeriodicTask[] => [
  {
    name: "move-maintenance-windows",
    everyMs,
    work: async () => {
      for (const window of await listEndedWindows(pool, atOnce)) {
        const { cron_expression: cronExpression, timezone, duration_seconds: durationSeconds } = window;
        const next = occurrenceAt({ cronExpression, timezone, durationSeconds }, new Date());
        if (next) await moveWindow(pool, window, next);
      }
    },
  },
];
