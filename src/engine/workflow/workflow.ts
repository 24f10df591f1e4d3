import type { PoolClient } from "pg";
import { type Backoff, backoffMs, requestedWaitMs } from "../../lib/backoff.ts";
import type { Kind } from "../kind.ts";
import type { Outcome } from "../runs/journal.ts";
import type { Plan } from "../runs/plan.ts";
import type { Run } from "../runs/queries.ts";
import type { RunKind, RunSecrets } from "../runs/runs.ts";

export type WorkflowState = "running" | "undoing" | "succeeded" | "failed" | "cancelled";

/** Several runs and outside calls in order, for one record. */
export interface Workflow<Data extends object = object> extends Kind {
  id: number;
  subjectId: number;
  organizationId: number | null;
  state: WorkflowState;
  /** The current phase; null before the first and after the last. */
  phase: string | null;
  /** Failed attempts at this phase. */
  attempts: number;
  /** JSON; holds no secrets. */
  data: Data;
  runId: number | null;
  /** Why it failed, or why the last attempt failed; a sentence for the reader. */
  error: string | null;
  /** Whether it is still before its point of no return. */
  isUndoable: boolean;
  cancelRequestedAt: string | null;
  retryAt: string | null;
  phaseStartedAt: string | null;
  createdAt: string;
  endedAt: string | null;
}

/** A feature's declaration: the phases read like the story of the use case. */
export interface WorkflowKind<Data extends object = object> extends Kind {
  phases: readonly Phase<Data>[];
  /**
   * Name of the phase after whose success nothing is undone and no cancel is accepted. Default: the last. A later phase is
   * retried until its timeout; then the workflow fails as it is.
   */
  pointOfNoReturn?: string;
  /** Kinds of its runs besides its own: for another record, or with other times to wait for an unreachable server. */
  runKinds?: readonly Pick<RunKind, "kind" | "subject" | "unreachableAfterMs" | "abandonAfterMs">[];
  /**
   * Called in each transaction that changes the workflow, with its record locked (`lockRecord`), so that the feature's record
   * never disagrees.
   */
  onChanged?(tx: PoolClient, workflow: Workflow<Data>): Promise<void>;
  /** Called in the transaction that ends it. */
  onEnded(tx: PoolClient, workflow: Workflow<Data>): Promise<void>;
}

export interface Work<Data extends object = object> {
  workflow: Workflow<Data>;
  data: Data;
  /** Aborts when the process stops, or another one took over. */
  signal: AbortSignal;
  /**
   * Stores a result, such as the id of an ordered machine, before the next line runs. Throws when another process took
   * over. `alsoIn` runs in the same transaction.
   */
  save(patch: Partial<Data>, alsoIn?: (tx: PoolClient) => Promise<void>): Promise<void>;
}

interface PhaseBase<Data extends object> {
  /** Unique in its workflow; `[a-z0-9-]+`. */
  name: string;
  label: string;
  skip?(data: Data): boolean;
  /**
   * Undoes the phase, including a partly executed one: its process may have died half-way. It may run twice, and checks the
   * outside state before it changes it. An error is retried for a week.
   */
  undo?(work: Work<Data>): Promise<void>;
  /** Total time for all attempts; default: 15 minutes. */
  timeoutMs?: number;
}

/**
 * An outside call. It may run twice: it checks first, or sends an idempotency key. A permanent AppError fails the phase; any
 * other error is retried until the timeout. Returns the additions to the data.
 */
export interface CallPhase<Data extends object = object> extends PhaseBase<Data> {
  // biome-ignore lint/suspicious/noConfusingVoidType: a call that learnt nothing returns nothing.
  call(work: Work<Data>): Promise<Partial<Data> | void>;
}

/**
 * Called every `everyMs` until it returns a value; `everyMs` may depend on how long the phase has waited. Errors are treated as
 * in a call.
 */
export interface WaitPhase<Data extends object = object> extends PhaseBase<Data> {
  until(work: Work<Data>): Promise<Partial<Data> | true | undefined>;
  everyMs: number | ((waitedMs: number) => number);
  timeoutMs: number;
}

/** What a phase runs: a run of one of the workflow's `runKinds`; default: of the workflow's own kind, for its record. */
export interface PhaseRun extends Partial<Kind> {
  serverId: number;
  plan: Plan;
  subjectId?: number;
}

/** A run on a server. */
export interface RunPhase<Data extends object = object> extends PhaseBase<Data> {
  /** Undefined: it cannot start yet, and is called again after two seconds. */
  run(tx: PoolClient, workflow: Workflow<Data>): Promise<PhaseRun | undefined>;
  /** Read when the run starts. */
  secrets?(workflow: Workflow<Data>, run: Run): Promise<RunSecrets>;
  onProgress?: RunKind["onProgress"];
  /** Called in the transaction that stores the end of the run, for example to turn facts into data. */
  // biome-ignore lint/suspicious/noConfusingVoidType: as above.
  onSucceeded?(tx: PoolClient, workflow: Workflow<Data>, run: Run): Promise<Partial<Data> | void>;
  /** The same when the run did not succeed, before the phase fails or the run is restarted. */
  onFailed?(tx: PoolClient, workflow: Workflow<Data>, run: Run, outcome: Outcome | "stalled"): Promise<void>;
  /** Whether a failed run is restarted; default: it fails the phase. */
  retry?(workflow: Workflow<Data>, run: Run): boolean;
}

export type Phase<Data extends object = object> = CallPhase<Data> | WaitPhase<Data> | RunPhase<Data>;

/** A phase as shown in a record. */
export interface PhaseRecord {
  position: number;
  name: string;
  label: string;
  state: "pending" | "running" | "completed" | "failed" | "skipped" | "undone";
  /** Why it failed, or why the last attempt failed. */
  detail: string | null;
  attempts: number;
  started_at: string | null;
  finished_at: string | null;
}

export const isOver = ({ endedAt }: Pick<Workflow, "endedAt">): boolean => endedAt !== null;

const defaultTimeoutMs = 15 * 60_000;

export const timeoutOf = ({ timeoutMs = defaultTimeoutMs }: { timeoutMs?: number }): number => timeoutMs;

/** Whether a phase is before the point of no return of its workflow, or leads to it. */
export function isBeforePointOfNoReturn({ phases, pointOfNoReturn }: WorkflowKind, phase: string): boolean {
  const last = pointOfNoReturn ?? phases.at(-1)?.name;
  return phases.findIndex(({ name }) => name === phase) <= phases.findIndex(({ name }) => name === last);
}

const retries: Backoff = { firstMs: 2_000, longestMs: 60_000 };
const undoRetries: Backoff = { firstMs: 2_000, longestMs: 600_000 };
const longestRequestedMs = 600_000;

/** The pause after so many failed attempts: 2 s, doubling to a minute (ten when undoing), or what the other side requested. */
export function pauseAfter(attempts: number, error: unknown, isUndoing: boolean): number {
  const requestedMs = Math.min(requestedWaitMs(error), longestRequestedMs);
  return requestedMs || backoffMs(attempts, isUndoing ? undoRetries : retries);
}
