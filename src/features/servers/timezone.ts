import type { Db } from "../../db/sql.ts";
import type { Kind } from "../../engine/kind.ts";
import type { Queue } from "../../engine/queue/queue.ts";
import { touch } from "../../engine/reconcile/reconcile.ts";
import type { TargetKind } from "../../engine/reconcile/target.ts";
import { fromTheStart, type Plan, plan, step } from "../../engine/runs/plan.ts";
import { withPrelude } from "../../host/runner/prelude.ts";
import * as system from "../../host/system/system.ts";
import { findServerForWork } from "./queries.ts";
import { serverStatus } from "./schema.ts";

const timezoneKind: Kind = { kind: "timezone", subject: "server" };

/** Sets a provisioned server's time zone, which scheduled jobs then follow. */
export const timezonePlan = (timezone: string): Plan =>
  plan(
    timezoneKind.kind,
    [
      step("time-zone", "Time zone", withPrelude("The time zone could not be set.", system.setTimeZone(timezone)), {
        timeoutSeconds: 900,
      }),
      step("cron", "Scheduled jobs", withPrelude("cron could not be restarted.", system.startCron)),
    ],
    { pointOfNoReturn: fromTheStart },
  );

/** A server's time zone. Before the end of the setup there is nothing to do: the setup itself sets it. */
export const timezoneTarget: TargetKind = {
  ...timezoneKind,
  desired: async (tx, { serverId }) => {
    const server = await findServerForWork(tx, serverId);
    return server?.server_status === serverStatus.provisioned ? timezonePlan(server.timezone) : undefined;
  },
};

export const touchTimezone = (tx: Db, queue: Queue, serverId: number): Promise<number> =>
  touch(tx, queue, { ...timezoneKind, subjectId: serverId, serverId });
