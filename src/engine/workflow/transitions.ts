import type { PoolClient } from "pg";
import { type Change, changePhase, changeWorkflow, type Holder } from "./queries.ts";
import {
  isBeforePointOfNoReturn,
  isOver,
  type Phase,
  type PhaseRecord,
  type Workflow,
  type WorkflowKind,
} from "./workflow.ts";

/**
 * A workflow and the holder that may change it. Every transition is a compare-and-set: undefined when another holder
 * has been first.
 */
export interface Settling {
  kind: WorkflowKind;
  workflow: Workflow;
  holder: Holder;
}

/** The current phase of a workflow. Throws when the kind has no phase of that name, as after a change of the code. */
export function phaseOf(kind: WorkflowKind, { id, phase: name }: Workflow): Phase {
  const phase = kind.phases.find((each) => each.name === name);
  if (!phase) throw new Error(`Workflow ${id} of kind ${kind.kind} is at an unknown phase ${name}`);
  return phase;
}

/** Begins the first phase. */
export const beginWorkflow = (tx: PoolClient, settling: Settling): Promise<Workflow | undefined> =>
  move(tx, settling, entering(settling.kind, settling.kind.phases[0]));

/**
 * Ends the current phase of the workflow, and begins the next; after the last the workflow has succeeded. A cancel that was
 * accepted before the point of no return takes effect there at the latest: the phase is undone too.
 */
export async function completePhase(
  tx: PoolClient,
  settling: Settling,
  { state = "completed", patch }: { state?: "completed" | "skipped"; patch?: object | undefined },
): Promise<Workflow | undefined> {
  const { kind, workflow } = settling;
  const next = kind.phases[kind.phases.findIndex(({ name }) => name === workflow.phase) + 1];
  const isPassing = workflow.isUndoable && !(next && isBeforePointOfNoReturn(kind, next.name));
  const change: Change = { ...entering(kind, next), patch, unlessCancelled: isPassing };
  const moved = await move(tx, settling, change, { state });
  return moved || !isPassing ? moved : beginUndo(tx, settling, { patch, runId: null });
}

/** Fails the current phase of the workflow: finished phases are undone, or past the point of no return it ends as it is. */
export function failPhase(tx: PoolClient, settling: Settling, error: string): Promise<Workflow | undefined> {
  const { isUndoable, phase } = settling.workflow;
  // Setting the phase again restarts the clock for its undo.
  const change: Change = isUndoable ? { state: "undoing", phase } : { state: "failed" };
  return move(tx, settling, { ...change, error, runId: null }, { state: "failed", detail: error });
}

/** Begins to undo the finished phases, after a cancel. */
export const beginUndo = (tx: PoolClient, settling: Settling, more: Change = {}): Promise<Workflow | undefined> =>
  move(tx, settling, { ...more, state: "undoing", phase: settling.workflow.phase, error: "Cancelled." });

/** Moves from a phase that was undone, or has no undo, to the previous one; before the first, the workflow ends. */
export function endUndone(
  tx: PoolClient,
  settling: Settling,
  outcome?: { state: "undone" | "failed"; detail?: string },
): Promise<Workflow | undefined> {
  const { kind, workflow } = settling;
  const before = kind.phases[kind.phases.findIndex(({ name }) => name === workflow.phase) - 1];
  const change: Change = before
    ? { phase: before.name }
    : { state: workflow.cancelRequestedAt ? "cancelled" : "failed" };
  return move(tx, settling, change, outcome);
}

/** Starts the run of a phase again after a while. */
export const retryRun = (tx: PoolClient, settling: Settling, error: string | null, retryInMs: number) =>
  move(tx, settling, { runId: null, attempts: settling.workflow.attempts + 1, error, retryInMs });

function entering(kind: WorkflowKind, phase: Phase | undefined): Change {
  if (!phase) return { state: "succeeded", error: null, runId: null };
  return { phase: phase.name, isUndoable: isBeforePointOfNoReturn(kind, phase.name), error: null, runId: null };
}

async function move(
  tx: PoolClient,
  { kind, workflow, holder }: Settling,
  change: Change,
  left?: { state: PhaseRecord["state"]; detail?: string },
): Promise<Workflow | undefined> {
  const moved = await changeWorkflow(tx, workflow.id, holder, change);
  if (!moved) return undefined;
  if (left && workflow.phase) await changePhase(tx, workflow.id, workflow.phase, left);
  const hasBegunPhase = moved.state === "running" && moved.phase !== null && moved.phase !== workflow.phase;
  if (hasBegunPhase && moved.phase) await changePhase(tx, workflow.id, moved.phase, { state: "running", attempts: 0 });
  if (isOver(moved)) await kind.onEnded(tx, moved);
  else await kind.onChanged?.(tx, moved);
  return moved;
}
