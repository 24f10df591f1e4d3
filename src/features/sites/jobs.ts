import type { Context } from "../../context.ts";
import type { TargetKind } from "../../engine/reconcile/target.ts";
import type { RunKind } from "../../engine/runs/runs.ts";
import type { Schedule } from "../../engine/schedule/schedule.ts";
import { balancerSiteTarget } from "./balancer-target.ts";
import { forwardingSchedule, forwardingTarget } from "./forwarding.ts";
import { recordMaintenance } from "./maintenance.ts";
import { maintenanceKind } from "./schema.ts";
import { siteTarget } from "./target.ts";

// A person who toggles waits for the response: the result has to be definite before the timeout.
const toggleForMs = 60_000;

export const siteTargets = (ctx: Context): TargetKind[] => [siteTarget(ctx), balancerSiteTarget(ctx), forwardingTarget];

export const siteSchedules = (ctx: Context): Schedule[] => [forwardingSchedule(ctx)];

export const siteRunKinds = (): RunKind[] => [
  { ...maintenanceKind, unreachableAfterMs: toggleForMs, onEnded: (tx, run) => recordMaintenance(tx, run) },
];
