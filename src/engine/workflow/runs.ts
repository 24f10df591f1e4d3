import type { PoolClient } from "pg";
import { lockRecord } from "../locks.ts";
import type { Outcome } from "../runs/journal.ts";
import type { Run } from "../runs/queries.ts";
import type { RunKind } from "../runs/runs.ts";
import type { WorkflowContext } from "./advance.ts";
import { findWorkflowOfRun } from "./queries.ts";
import { enqueueWorkflow } from "./start.ts";
import { completePhase, failPhase, phaseOf, retryRun, type Settling } from "./transitions.ts";
import { pauseAfter, type RunPhase, type Workflow, type WorkflowKind } from "./workflow.ts";

/** The kinds of runs of a workflow: the end of one continues the workflow in the same transaction. */
export const workflowRunKinds = (ctx: WorkflowContext, kind: WorkflowKind): RunKind[] =>
  [{}, ...(kind.runKinds ?? [])].map((own) => ({ ...workflowRunKind(ctx, kind), ...own }));

/** The runs of a workflow that have its kind. */
export const workflowRunKind = (ctx: WorkflowContext, kind: WorkflowKind): RunKind => ({
  kind: kind.kind,
  subject: kind.subject,
  secrets: async (run) => {
    const workflow = await findWorkflowOfRun(ctx.pool, run.id);
    const phase = workflow && runPhaseOf(kind, workflow);
    return (await phase?.secrets?.(workflow as Workflow, run)) ?? { files: {}, masked: [] };
  },
  onProgress: async (tx, progress) => {
    for (const one of progress) {
      const workflow = await findWorkflowOfRun(tx, one.run.id);
      if (workflow) await runPhaseOf(kind, workflow)?.onProgress?.(tx, [one]);
    }
  },
  onEnded: async (tx, run, outcome) => {
    const workflow = await findWorkflowOfRun(tx, run.id);
    if (!workflow) return;
    await lockRecord(tx, workflow);
    const settling: Settling = { kind, workflow, holder: { runId: run.id } };
    await enqueueWorkflow(tx, ctx.queue, workflow.id, await settle(tx, settling, run, outcome));
  },
});

const runPhaseOf = (kind: WorkflowKind, workflow: Workflow): RunPhase | undefined => {
  const phase = phaseOf(kind, workflow);
  return "run" in phase ? phase : undefined;
};

/** After how many seconds the workflow continues. */
async function settle(tx: PoolClient, settling: Settling, run: Run, outcome: Outcome | "stalled"): Promise<number> {
  const { kind, workflow } = settling;
  const phase = runPhaseOf(kind, workflow);
  if (outcome === "succeeded") {
    const patch = await phase?.onSucceeded?.(tx, workflow, run);
    await completePhase(tx, settling, { patch: patch ?? undefined });
    return 0;
  }
  await phase?.onFailed?.(tx, workflow, run, outcome);
  if (outcome !== "cancelled" && !workflow.cancelRequestedAt && phase?.retry?.(workflow, run)) {
    const pauseMs = pauseAfter(workflow.attempts + 1, undefined, false);
    await retryRun(tx, settling, run.error, pauseMs);
    return pauseMs / 1_000;
  }
  await failPhase(tx, settling, run.error ?? "The work was cancelled.");
  return 0;
}
