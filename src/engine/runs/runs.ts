import type { PoolClient } from "pg";
import type { Db } from "../../db/sql.ts";
import type { Kind } from "../kind.ts";
import type { Queue } from "../queue/queue.ts";
import type { SecretFiles } from "./bundle.ts";
import type { Outcome } from "./journal.ts";
import { type Plan, unplanned } from "./plan.ts";
import { insertRun, markCancelRequested, type Piece, type Run } from "./queries.ts";

export const runQueue = "run";
export const cancelQueue = "cancel-run";

/** The secrets that a run sends to the server, and values that must not appear in its log. */
export interface RunSecrets {
  files: SecretFiles;
  /** Names of files that also hold what may be shown: `masked` has their secrets. The other files are masked as a whole. */
  mixedFiles?: readonly string[];
  /** Values to mask in addition to the files' contents. */
  masked: readonly string[];
}

/** The part of a run that was just stored; output and steps are in the order of the journal. */
export interface Progress {
  run: Run;
  piece: Piece;
}

/**
 * What a kind of run means to its feature. The callbacks run in the transaction that stores what the run reported, so a
 * record and the journal never disagree.
 */
export interface RunKind extends Kind {
  /**
   * Makes the plan of a run that was created without one (`unplanned`), when it starts. Rejects with `run_failed`, or a
   * permanent error, when no plan is possible: that ends the run. Any other failure is retried.
   */
  plan?: (run: Run) => Promise<Plan>;
  secrets?: (run: Run) => Promise<RunSecrets>;
  /** For one run or several of this kind. */
  onProgress?: (tx: PoolClient, progress: readonly Progress[]) => Promise<void>;
  /** A cancel came too late: the run continues. It may have ended by now. */
  onCancelRefused?: (tx: PoolClient, run: Run) => Promise<void>;
  /** `run.error` is a sentence for the reader unless the outcome is `succeeded`. */
  onEnded: (tx: PoolClient, run: Run, outcome: Outcome | "stalled") => Promise<void>;
  /** How long to retry while the server does not answer and the run was never sent; default: configuration. */
  unreachableAfterMs?: number;
  /** How long the server may not answer once the run was sent; default: configuration. */
  abandonAfterMs?: number;
}

export type RunKinds = ReadonlyMap<string, RunKind>;

export function kindOf(kinds: RunKinds, run: Run): RunKind {
  const kind = kinds.get(run.kind);
  if (!kind) throw new Error(`No feature has runs of kind ${run.kind}`);
  return kind;
}

export interface NewRun extends Kind {
  serverId: number;
  subjectId: number;
  plan: Plan;
}

/** Creates a run and its job in the caller's transaction; it starts as soon as that commits. */
export async function createRun(tx: Db, queue: Queue, run: NewRun): Promise<number> {
  const runId = await insertRun(tx, run);
  await queue.enqueue(tx, runQueue, { runId });
  return runId;
}

/** As `createRun`, but the run's kind makes the plan when the run starts. */
export async function createUnplannedRun(tx: Db, queue: Queue, run: Omit<NewRun, "plan">): Promise<number> {
  const runId = await insertRun(tx, { ...run, plan: unplanned(run.kind) });
  await queueRuns(tx, queue, [runId]);
  return runId;
}

/** The jobs of runs that were inserted in the caller's transaction: the runs start as soon as that commits. */
export const queueRuns = (tx: Db, queue: Queue, runIds: readonly number[]): Promise<void> =>
  queue.enqueueAll(
    tx,
    runQueue,
    runIds.map((runId) => ({ runId })),
  );

/**
 * Requests a cancel in the caller's transaction. The server decides: before the point of no return the run ends
 * `cancelled`, past it as it would have ended anyway. False when the run has ended or a cancel was already requested.
 */
export async function requestCancel(tx: Db, queue: Queue, runId: number): Promise<boolean> {
  const run = await markCancelRequested(tx, runId);
  if (run) await queue.enqueue(tx, cancelQueue, { runId });
  return run !== undefined;
}
