import type { Context } from "../../context.ts";
import type { TargetKind } from "../../engine/reconcile/target.ts";
import type { RunKind } from "../../engine/runs.ts";
import { recordMaintenance } from "./maintenance.ts";
import { removalTarget } from "./removal.ts";
import { buildCacheKind, detectionKind, maintenanceKind } from "./schema.ts";
import { balancerSiteTarget, siteTarget } from "./web-server.ts";

// A person who is creating a project waits for the response.
const detectForMs = 30_000;
// A person who toggles waits for the response: the result has to be definite before the timeout.
const toggleForMs = 60_000;

export const projectTargets = (ctx: Context): TargetKind[] => [removalTarget, siteTarget(ctx), balancerSiteTarget(ctx)];

export const projectRunKinds = (): RunKind[] => [
  { kind: buildCacheKind, unreachableAfterMs: toggleForMs, onEnded: async () => {} },
  { kind: maintenanceKind, unreachableAfterMs: toggleForMs, onEnded: (tx, run) => recordMaintenance(tx, run) },
  { kind: detectionKind, unreachableAfterMs: detectForMs, onEnded: async () => {} },
];
