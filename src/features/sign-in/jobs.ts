import type { Context } from "../../context.ts";
import type { PeriodicTask } from "../../engine/schedule/schedule.ts";
import { deleteExpiredSessions } from "../accounts/queries.ts";
import { deleteExpired } from "./queries.ts";

const hourMs = 3_600_000;

export const signInSchedules = ({ pool }: Context): PeriodicTask[] => [
  {
    name: "delete-ended-sessions",
    everyMs: hourMs,
    work: async () => {
      await deleteExpiredSessions(pool);
      await deleteExpired(pool);
    },
  },
];
