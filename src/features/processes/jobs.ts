import type { Context } from "../../context.ts";
import { printRestarts, readRestarts } from "../../host/systemd/restarts.ts";
import { systemClock } from "../../lib/clock.ts";
import { settleCheck } from "./process-checks.ts";

/** The query about a server's project processes, at each check of its connection. */
export const processCheck = {
  script: printRestarts,
  settle: async (ctx: Context, serverId: number, answer: string): Promise<void> => {
    const units = readRestarts(answer);
    if (units) await settleCheck(ctx, serverId, units, systemClock.now());
  },
};
