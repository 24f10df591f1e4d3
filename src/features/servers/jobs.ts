import type { Context } from "../../context.ts";
import type { JobHandler } from "../../engine/queue/worker.ts";
import type { TargetKind } from "../../engine/reconcile/target.ts";
import type { RunKind } from "../../engine/runs/runs.ts";
import type { Schedule } from "../../engine/schedule/schedule.ts";
import type { Counts } from "../../lib/metrics.ts";
import { connectionSchedule } from "./connection-checks.ts";
import { peersSchedule, peersTarget } from "./data/peers.ts";
import { leaveJob } from "./leaving/deletion.ts";
import { countServers } from "./queries.ts";
import { rebootRunKind } from "./reboot.ts";
import { connectSchedule, lookJob } from "./setup/connect.ts";
import { setupRunKind } from "./setup/run.ts";
import { timezoneTarget } from "./timezone.ts";
import { unreachableJob } from "./unreachable.ts";

export const serverJobs = (ctx: Context): JobHandler[] => [leaveJob(ctx), unreachableJob(ctx), lookJob(ctx)];

export const serverRunKinds = (ctx: Context): RunKind[] => [setupRunKind(ctx), rebootRunKind];

export const serverTargets = (): TargetKind[] => [timezoneTarget, peersTarget];

export const serverSchedules = (ctx: Context): Schedule[] => [
  connectSchedule(ctx),
  connectionSchedule(ctx),
  peersSchedule(ctx),
];

export const serverCounts = ({ pool }: Context): Counts[] => [
  {
    name: "longshore_servers",
    help: "Servers by status and connection.",
    labels: ["status", "connection"],
    read: () => countServers(pool),
  },
];
