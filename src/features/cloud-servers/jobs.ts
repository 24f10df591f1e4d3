import type { Context } from "../../context.ts";
import type { Schedule } from "../../engine/schedule/schedule.ts";
import type { WorkflowKind } from "../../engine/workflow/workflow.ts";
import { removalWorkflow } from "./removal.ts";
import { resizeWorkflow } from "./resize.ts";
import { snapshotWorkflows } from "./snapshots/workflow.ts";
import { sweepSchedule } from "./sweeping/sweeper.ts";
import { orderWorkflow } from "./workflow.ts";

export const cloudServerWorkflows = (ctx: Context): WorkflowKind[] => [
  orderWorkflow(ctx),
  removalWorkflow(ctx),
  resizeWorkflow(ctx),
  ...snapshotWorkflows(ctx),
];

export const cloudServerSchedules = (ctx: Context): Schedule[] => [sweepSchedule(ctx)];
