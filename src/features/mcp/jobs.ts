import type { Context } from "../../context.ts";
import type { PeriodicTask } from "../../engine/schedule/schedule.ts";
import { deleteUsedConfirmations } from "./queries.ts";

const hourMs = 3_600_000;

export const mcpSchedules = ({ pool }: Context): PeriodicTask[] => [
  {
    name: "delete-used-confirmations",
    everyMs: hourMs,
    work: async () => {
      await deleteUsedConfirmations(pool);
    },
  },
];
