import type { Context } from "../../context.ts";
import type { TargetKind } from "../../engine/reconcile/target.ts";
import type { RunKind } from "../../engine/runs/runs.ts";
import { balancerSiteTarget } from "./balancer-site-target.ts";
import { recordMaintenance } from "./maintenance.ts";
import { maintenanceKind } from "./schema.ts";
import { siteTarget } from "./site-target.ts";

// A person who toggles waits for the response: the result has to be definite before the timeout.
const toggleForMs = 60_000;

export const publicationTargets = (ctx: Context): TargetKind[] => [siteTarget(ctx), balancerSiteTarget(ctx)];

export const publicationRunKinds = (): RunKind[] => [
  { ...maintenanceKind, unreachableAfterMs: toggleForMs, onEnded: (tx, run) => recordMaintenance(tx, run) },
];
