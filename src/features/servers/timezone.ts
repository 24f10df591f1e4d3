import { fromTheStart, type Plan, plan, step } from "../../engine/plan.ts";
import type { RunKind } from "../../engine/runs.ts";
import { withPrelude } from "../../host/prelude.ts";
import * as system from "../../host/system.ts";
import type { Logger } from "../../lib/log.ts";

export const timezoneKind = "timezone";

/** Sets a provisioned server's clock to another zone; scheduled jobs go by it from then on. */
export const timezonePlan = (timezone: string): Plan =>
  plan(
    "timezone",
    [
      step("time-zone", "Time zone", withPrelude("The time zone could not be set.", system.setTimeZone(timezone)), {
        timeoutSeconds: 900,
      }),
      step("cron", "Scheduled jobs", withPrelude("cron could not be restarted.", system.startCron)),
    ],
    { pointOfNoReturn: fromTheStart },
  );

export const timezoneRunKind = (log: Logger): RunKind => ({
  kind: timezoneKind,
  onEnded: async (_tx, run, outcome) => {
    if (outcome !== "succeeded") log.warn({ server: run.server_id }, `A time zone could not be set: ${run.error}`);
  },
});
