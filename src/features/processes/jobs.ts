import { printRestarts, readRestarts } from "../../host/systemd/restarts.ts";
import { systemClock } from "../../lib/clock.ts";
import type { ServerCheck } from "../servers/hooks.ts";
import { settleCheck } from "./process-checks.ts";

/** The query about a server's project processes, at each check of its connection. */
export const processCheck: ServerCheck = {
  name: "processes",
  script: printRestarts,
  settle: async (ctx, serverId, output) => {
    const units = readRestarts(output);
    if (units) await settleCheck(ctx, serverId, units, systemClock.now());
  },
};
