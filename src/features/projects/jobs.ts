import type { Context } from "../../context.ts";
import type { TargetKind } from "../../engine/reconcile/target.ts";
import type { RunKind } from "../../engine/runs/runs.ts";
import { phpTarget } from "./php/target.ts";
import { removalTarget } from "./removal.ts";
import { buildCacheKind, detectionKind } from "./schema.ts";

// A person who is creating a project waits for the response.
const detectForMs = 30_000;
// A person who clears the cache waits for the response: the result has to be definite before the timeout.
const clearForMs = 60_000;

export const projectTargets = (ctx: Context): TargetKind[] => [removalTarget, phpTarget(ctx)];

export const projectRunKinds = (): RunKind[] => [
  { ...buildCacheKind, unreachableAfterMs: clearForMs, onEnded: async () => {} },
  { ...detectionKind, unreachableAfterMs: detectForMs, onEnded: async () => {} },
];
