import type { Context } from "../../context.ts";
import type { TargetKind } from "../../engine/reconcile/target.ts";
import type { RunKind } from "../../engine/runs.ts";
import { recordMaintenance } from "./maintenance.ts";
import { removalTarget } from "./removal.ts";
import { buildCacheKind, detectionKind, maintenanceKind, publishKind } from "./schema.ts";
import { balancerSiteTarget, recordPublication, siteSecrets } from "./web-server.ts";

// Saved changes are published as soon as the server is back.
const publishForMs = 24 * 3600_000;
// A person who is about to make a project waits for the answer.
const detectForMs = 30_000;
// A person who toggles waits for the answer: it has to be definite before the wait is over.
const toggleForMs = 60_000;

export const projectTargets = (ctx: Context): TargetKind[] => [removalTarget, balancerSiteTarget(ctx)];

export const projectRunKinds = (ctx: Context): RunKind[] => [
  {
    kind: publishKind,
    unreachableAfterMs: publishForMs,
    secrets: async (run) => ({ files: await siteSecrets(ctx, run.subject_id), masked: [] }),
    onEnded: async (tx, run, outcome) => {
      if (outcome !== "succeeded") ctx.log.warn({ run: run.id }, `A site was not published: ${run.error}`);
      await recordPublication(tx, ctx, run, outcome);
    },
  },
  { kind: buildCacheKind, unreachableAfterMs: toggleForMs, onEnded: async () => {} },
  { kind: maintenanceKind, unreachableAfterMs: toggleForMs, onEnded: (tx, run) => recordMaintenance(tx, run) },
  { kind: detectionKind, unreachableAfterMs: detectForMs, onEnded: async () => {} },
];
