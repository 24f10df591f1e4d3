import { isUtf8 } from "node:buffer";
import type { Pool, PoolClient } from "pg";
import { pipelined, transaction } from "../../db/transaction.ts";
import { recordMarks } from "../reconcile/marks.ts";
import { isFact } from "./facts.ts";
import type { Entry, JournalPiece, Outcome } from "./journal.ts";
import { lastOutputOf } from "./output.ts";
import type { Applied, Step } from "./plan.ts";
import {
  endRun,
  listRunSteps,
  lockRecordOf,
  type OutputPiece,
  type Piece,
  type Run,
  type RunEnding,
  type StepChange,
  storePieces,
} from "./queries.ts";
import { explain } from "./reason.ts";
import { kindOf, type Progress, type RunKinds } from "./runs.ts";

/** The content of a piece of a run's journal. */
export interface JournalUpdate extends Progress {
  /**
   * How many facts were dropped: their step did not declare them, or does not run as root, or they do not have the
   * declared form.
   */
  droppedFacts: number;
  /** The step to which the next output belongs. */
  position: number | null;
  /** How the run ended, when it has. */
  outcome: Outcome | undefined;
  /** What is known of targets that its steps change. */
  marks: Applied[];
}

/** Parses a piece of the journal. `position` is that of the previous piece; `mask` hides secrets, as UTF-8. */
export function parseUpdate(
  run: Run,
  { entries: read, consumed, offset }: JournalPiece & { offset: number },
  position: number | null,
  mask: (bytes: Buffer) => Buffer,
): JournalUpdate {
  // Output from a server after a run's end does not belong to the run.
  const end = read.findIndex(({ type }) => type === "end");
  const entries = end === -1 ? read : read.slice(0, end + 1);
  const last = entries.at(-1);
  const { facts, dropped: droppedFacts } = factsOf(run, entries, position);
  const piece = {
    runId: run.id,
    from: offset,
    to: offset + consumed,
    facts,
    output: outputOf(entries, run.plan.steps, position, mask),
    steps: stepChanges(entries),
  };
  const reached = entries.findLast((entry) => entry.type === "step" || entry.type === "undo");
  const outcome = last?.type === "end" ? last.outcome : undefined;
  const marks = marksOf(entries, run.plan.steps);
  return { run, piece, position: reached?.position ?? position, outcome, droppedFacts, marks };
}

/**
 * Stores an update of a run with its consequences for its feature, in one transaction: output, steps, facts, the end and the new
 * offset. Rejects when another follower has stored it, so that nothing is stored twice.
 */
export async function applyUpdate(
  { pool, kinds }: { pool: Pool; kinds: RunKinds },
  update: JournalUpdate,
): Promise<void> {
  const { run, outcome } = update;
  const kind = kindOf(kinds, run);
  await transaction(pool, async (tx) => {
    // Also before the targets, whose state is recorded.
    if (outcome || update.marks.length > 0) await lockRecordOf(tx, run);
    const piece = { ...update.piece, steps: await withDetails(tx, run, update.piece) };
    const stored = await storePieces(tx, [piece], { waits: true });
    if (!stored.has(run.id)) throw new Error(`Run ${run.id} is followed by another worker`);
    await recordMarks(tx, run.id, update.marks);
    const error = outcome === "failed" ? await reasonOf(tx, run) : outcome === "cancelled" ? "Cancelled." : null;
    // In this order: what the feature reports of the progress was before the end.
    const [, ended] = await pipelined(
      kind.onProgress?.(tx, [update]),
      outcome && endRun(tx, run.id, { state: outcome, error }),
    );
    if (outcome && ended) await kind.onEnded(tx, ended, outcome);
  });
}

/** Whether an update can be stored together with those of other runs: nothing ends, fails or changes a target in it. */
export const canBatch = ({ piece, outcome, marks }: JournalUpdate): boolean =>
  outcome === undefined && marks.length === 0 && piece.steps.every(({ status }) => status !== "failed");

/**
 * Stores updates of several runs (`canBatch`) in one transaction; returns the stored ones. It waits for no lock: a run whose
 * row is locked is left out, so that independent runs cannot deadlock.
 */
export function applyTogether(
  { pool, kinds }: { pool: Pool; kinds: RunKinds },
  several: readonly JournalUpdate[],
): Promise<ReadonlySet<JournalUpdate>> {
  return transaction(pool, async (tx) => {
    const ids = await storePieces(
      tx,
      several.map(({ piece }) => piece),
      { waits: false },
    );
    const stored = several.filter(({ run }) => ids.has(run.id));
    for (const [kind, updates] of Map.groupBy(stored, ({ run }) => run.kind))
      await kinds.get(kind)?.onProgress?.(tx, updates);
    return new Set(stored);
  });
}

/**
 * Ends a run that no record of its journal ends, in one transaction with the consequences for its feature; without `kinds`, the run
 * alone. Does nothing when the run has ended.
 */
export const settleEnd = (
  { pool, kinds }: { pool: Pool; kinds?: RunKinds },
  run: Run,
  ending: RunEnding,
): Promise<void> =>
  transaction(pool, async (tx) => {
    await lockRecordOf(tx, run);
    const ended = await endRun(tx, run.id, ending);
    if (!ended) return;
    await forgetUnreported(tx, ended);
    if (kinds) await kindOf(kinds, run).onEnded(tx, ended, ending.state);
  });

/** A step that did not report may have run. */
async function forgetUnreported(tx: PoolClient, { id, plan }: Run): Promise<void> {
  const others = (await listRunSteps(tx, id)).filter(({ status }) => status !== "completed" && status !== "failed");
  const marks = others.flatMap(({ position }) => plan.steps[position]?.applies ?? []);
  await recordMarks(
    tx,
    id,
    marks.map((each) => ({ ...each, mark: null })),
  );
}

// The step that ended the run is the last one that failed.
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

// The server chooses the ids in keys: it must not fill the record with them.
const mostFacts = 1_000;

function factsOf({ plan, facts: known }: Run, entries: readonly Entry[], first: number | null) {
  const facts: Record<string, string> = {};
  let room = mostFacts - Object.keys(known).length;
  let dropped = 0;
  let position = first;
  for (const entry of entries) {
    if (entry.type === "step" || entry.type === "undo") position = entry.position;
    if (entry.type !== "fact") continue;
    const step = position === null ? undefined : plan.steps[position];
    const isOfRoot = step !== undefined && step.sandbox === undefined && step.audience === "system";
    if (isOfRoot && room > 0 && isFact(step.facts ?? {}, entry.key, entry.value)) {
      facts[entry.key] = entry.value;
      room--;
    } else dropped++;
  }
  return { facts, dropped };
}

/** Output with its step. Between steps it belongs to the last one. */
export function outputOf(
  entries: Entry[],
  steps: readonly Step[],
  first: number | null,
  mask: (bytes: Buffer) => Buffer,
): OutputPiece[] {
  const pieces: OutputPiece[] = [];
  let position = first;
  for (const entry of entries) {
    if (entry.type === "step" || entry.type === "undo") position = entry.position;
    if (entry.type !== "output") continue;
    const audience = (position === null ? undefined : steps[position]?.audience) ?? "system";
    pieces.push({ offset: entry.offset, position, audience, text: storable(mask(entry.bytes)) });
  }
  return pieces;
}

// PostgreSQL's text cannot hold NUL. Each is replaced by one byte, as is everything that is not UTF-8: the stored text
// is never longer than the printed one, so that one limit holds for both.
const storable = (bytes: Buffer): Buffer =>
  bytes.includes(0) || !isUtf8(bytes)
    ? Buffer.from(bytes.toString().replaceAll("\0", "?").replaceAll("\ufffd", "?"))
    : bytes;

/** The reported results of each step: the last record counts, and each time comes from the record that has it. */
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

/** A step that has begun, or is being reverted, leaves its targets in an unknown state until it has succeeded. */
function marksOf(entries: readonly Entry[], steps: readonly Step[]): Applied[] {
  const marks = new Map<string, Applied>();
  for (const entry of entries) {
    if (entry.type !== "step" && entry.type !== "done" && entry.type !== "undo") continue;
    const hasSucceeded = entry.type === "done" && entry.exitCode === 0;
    for (const each of steps[entry.position]?.applies ?? [])
      marks.set(`${each.kind} ${each.subjectId}`, hasSucceeded ? each : { ...each, mark: null });
  }
  return [...marks.values()];
}

// A failed step's output contains the reason: the platform's scripts end with a sentence, the user's
// commands with a message of their own, and more.
async function withDetails(tx: PoolClient, { plan }: Run, piece: Piece): Promise<StepChange[]> {
  const { runId, steps, output } = piece;
  const detailed: StepChange[] = [];
  for (const step of steps) {
    const words = step.status === "failed" ? await lastWords(tx, runId, output, step.position) : "";
    const isUsers = plan.steps[step.position]?.audience === "client";
    const detail = isUsers ? explain(words, step.exitCode) : words.split("\n").at(-1)?.trim();
    detailed.push(detail ? { ...step, detail } : step);
  }
  return detailed;
}

// The line that states the reason comes before all that its command prints about it: the warnings of a whole application.
const longestWords = 32_000;

async function lastWords(
  tx: PoolClient,
  runId: number,
  output: readonly OutputPiece[],
  position: number,
): Promise<string> {
  const said = output.filter((piece) => piece.position === position).map((piece) => piece.text);
  const text = (await lastOutputOf(tx, runId, position, longestWords)) + Buffer.concat(said).toString();
  return text.trimEnd().slice(-longestWords);
}
