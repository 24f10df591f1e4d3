import type { Pool, PoolClient } from "pg";
import { transaction } from "../db/transaction.ts";
import type { Entry, JournalPiece } from "./journal.ts";
import type { Step } from "./plan.ts";
import {
  advanceRun,
  endRun,
  insertOutput,
  lastOutputOf,
  listRunSteps,
  type OutputPiece,
  type Run,
  type StepChange,
  updateSteps,
} from "./queries.ts";
import type { RunKind } from "./runs.ts";

/**
 * Stores a piece of a run's journal: output, steps, facts, the end and the new offset, in one transaction.
 * Rejects when another follower stored this piece, so that nothing is stored twice.
 */
export async function storePiece(
  { pool, kind }: { pool: Pool; kind: RunKind },
  run: Run,
  piece: JournalPiece & { offset: number },
  mask: (text: string) => string,
): Promise<void> {
  await transaction(pool, async (tx) => {
    const to = piece.offset + piece.consumed;
    const advanced = await advanceRun(tx, { id: run.id, from: piece.offset, to, facts: factsOf(piece.entries) });
    if (!advanced) throw new Error(`Run ${run.id} is followed by somebody else`);
    const output = outputOf(piece.entries, run.plan.steps, await currentStep(tx, run, piece), mask);
    await insertOutput(tx, run.id, output);
    const steps = await withDetails(tx, run.id, stepChanges(piece.entries));
    await updateSteps(tx, run.id, steps);
    await kind.onProgress?.(tx, run, { steps, outputFrom: output[0]?.offset });
    const last = piece.entries.at(-1);
    if (last?.type === "end") await storeEnd(tx, kind, run, last.outcome);
  });
}

async function storeEnd(
  tx: PoolClient,
  kind: RunKind,
  run: Run,
  state: "succeeded" | "failed" | "cancelled",
): Promise<void> {
  const error = state === "succeeded" ? null : state === "cancelled" ? "Cancelled." : await reasonOf(tx, run);
  const ended = await endRun(tx, run.id, { state, error });
  if (ended) await kind.onEnded(tx, ended, state);
}

// The step that ended the run is the last that failed.
async function reasonOf(tx: PoolClient, run: Run): Promise<string> {
  const steps = await listRunSteps(tx, run.id);
  const failed = steps.findLast((step) => step.status === "failed" || step.status === "running");
  const planned = failed && run.plan.steps[failed.position];
  if (!failed || !planned) return "The server was interrupted between two steps.";
  if (failed.status === "running") return `The server was interrupted during “${failed.label}”.`;
  if (planned.audience === "system" && failed.detail) return failed.detail;
  const ending = failed.detail ? `: ${failed.detail}` : ".";
  return `“${failed.label}” failed with exit status ${failed.exit_code}${ending}`;
}

function factsOf(entries: Entry[]): Record<string, string> {
  return Object.fromEntries(
    entries.flatMap((entry) => (entry.type === "fact" ? [[entry.key, clean(entry.value)]] : [])),
  );
}

async function currentStep(
  tx: PoolClient,
  run: Run,
  piece: { offset: number; entries: Entry[] },
): Promise<number | null> {
  if (piece.offset === 0 || piece.entries[0]?.type !== "output") return null;
  const steps = await listRunSteps(tx, run.id);
  return steps.findLast((step) => step.started_at !== null)?.position ?? null;
}

/** Output with the step it belongs to. Between steps it belongs to the last one. */
export function outputOf(
  entries: Entry[],
  steps: readonly Step[],
  first: number | null,
  mask: (text: string) => string,
): OutputPiece[] {
  const pieces: OutputPiece[] = [];
  let position = first;
  for (const entry of entries) {
    if (entry.type === "step" || entry.type === "undo") position = entry.position;
    if (entry.type !== "output") continue;
    const audience = (position === null ? undefined : steps[position]?.audience) ?? "system";
    pieces.push({ offset: entry.offset, position, audience, text: mask(clean(entry.text)) });
  }
  return pieces;
}

// PostgreSQL's text cannot hold NUL.
const clean = (text: string): string => text.replaceAll("\0", "\ufffd");

/** What the records say of each step: the last word counts, times are kept from where they are told. */
export function stepChanges(entries: Entry[]): StepChange[] {
  const changes = new Map<number, StepChange>();
  for (const entry of entries) {
    if (entry.type === "step") {
      changes.set(entry.position, { position: entry.position, status: "running", startedAt: entry.at });
    } else if (entry.type === "done") {
      const { position, exitCode, durationMs, at } = entry;
      const status = exitCode === 0 ? "completed" : "failed";
      changes.set(position, { ...changes.get(position), position, status, exitCode, durationMs, finishedAt: at });
    }
  }
  return [...changes.values()];
}

// A failed step's last line of output says why: scripts end with a sentence, commands with their own words.
async function withDetails(tx: PoolClient, runId: number, changes: StepChange[]): Promise<StepChange[]> {
  const detailed: StepChange[] = [];
  for (const change of changes) {
    const output = change.status === "failed" ? await lastOutputOf(tx, runId, change.position) : "";
    const detail = output.trimEnd().split("\n").at(-1)?.trim();
    detailed.push(detail ? { ...change, detail } : change);
  }
  return detailed;
}
