import type { Context } from "../../context.ts";
import type { PeriodicTask } from "../../engine/schedule/schedule.ts";
import { deleteExpired } from "./queries.ts";

const hourMs = 3_600_000;

export const signInSchedules = ({ pool }: Context): PeriodicTask[] => [
  {
    name: "delete-ended-sessions",
    everyMs: hourMs,
    work: async () => {
      await deleteExpired(pool);
    },
  },
];
