import type { Context } from "../../context.ts";
import type { TargetKind } from "../../engine/reconcile/target.ts";
import type { RunKind } from "../../engine/runs/runs.ts";
import type { DueRows, Schedule } from "../../engine/schedule/schedule.ts";
import type { WorkflowKind } from "../../engine/workflow/workflow.ts";
import { addressChecks, addressTargets } from "./addresses.ts";
import { installWorkflow } from "./installation.ts";
import { claimVersionChecks, type DueInstallation } from "./queries.ts";
import { checkForUpdate, updateRunKind } from "./updating.ts";

export const appWorkflows = (ctx: Context): WorkflowKind[] => [installWorkflow(ctx)];

export const appTargets = (ctx: Context): TargetKind[] => addressTargets(ctx);

export const appRunKinds = (ctx: Context): RunKind[] => [updateRunKind(ctx)];

export function appSchedules(ctx: Context): Schedule[] {
  const checks: DueRows<DueInstallation> = {
    name: "check-app-versions",
    everyMs: 60_000,
    batch: 100,
    concurrency: 5,
    claim: claimVersionChecks,
    work: ({ project_id: projectId }) => checkForUpdate(ctx, projectId),
  };
  return [checks, addressChecks(ctx)];
}
