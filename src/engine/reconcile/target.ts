import type { PoolClient } from "pg";
import { type Static, Type } from "typebox";
import type { Db } from "../../db/sql.ts";
import { backoffMs, recoveryBackoff } from "../../lib/backoff.ts";
import type { Kind, WorkRef } from "../kind.ts";
import type { Plan } from "../runs/plan.ts";
import type { Run } from "../runs/queries.ts";
import type { RunKind, RunSecrets } from "../runs/runs.ts";

/** One thing on one server that is kept in the state of its records. */
export interface TargetRef extends WorkRef {
  serverId: number;
}

/** A record that an outside service follows instead of a server: it has one target of each kind. */
export type OutsideRef = WorkRef;

export type AnyRef = OutsideRef & { serverId?: number };

/** A target and how far the server has followed. Versions count the changes of the records. */
export interface Target extends TargetRef {
  id: number;
  wantedVersion: number;
  appliedVersion: number;
  /** The newest version that is not retried. */
  givenUpVersion: number;
  runId: number | null;
  runningVersion: number | null;
  /** Failed attempts since the last change or success. */
  attempts: number;
  error: string | null;
  retryAt: string | null;
  since: string;
  /** Identifies the state that the server has; null: unknown. */
  appliedMark: string | null;
}

/** Something else has to happen first: `desired` is called again after this time, or at the next `touch`. */
export interface NotYet {
  afterSeconds: number;
}

/**
 * A feature's declaration that makes servers follow its records. Its runs have the same kind and subject. Deleting the server
 * deletes its targets.
 */
export interface TargetKind extends Kind {
  /**
   * Reads the records and returns the plan that brings the server in line with them; undefined when there is nothing to do,
   * which counts as applied. The plan must be safe to execute twice. A permanent AppError gives this version up. When its steps
   * declare the target's state (`applying`), and the server has it already, no run starts.
   */
  desired: (tx: Db, target: TargetRef) => Promise<Plan | NotYet | undefined>;
  /** Read when the run starts. */
  secrets?: (target: TargetRef, run: Run) => Promise<RunSecrets>;
  /**
   * In the transaction that stores the end of the run; `run` is undefined when there was nothing to do, or the server had this
   * state already. After a removal, the callback deletes the rows, and the target with them (`forgetTarget`).
   */
  onApplied?: (tx: PoolClient, target: Target, run: Run | undefined) => Promise<void>;
  /**
   * The same after a failure; `error` is a sentence for the reader. `retry`: the engine tries again, quickly at first and ever
   * more rarely. `stop`: this version is given up, and nothing happens before the next `touch`.
   */
  onFailed?: (tx: PoolClient, target: Target, run: Run | undefined, error: string) => Promise<"retry" | "stop">;
  onProgress?: RunKind["onProgress"];
  /** The longest pause between attempts; default: an hour. */
  longestRetrySeconds?: number;
}

/** A feature's declaration that makes an outside service, such as a git host, follow its records. */
export interface OutsideTargetKind extends Kind {
  /**
   * Reads the records and updates the service to match them. It may run twice, so it checks first or sends an idempotency key;
   * two processes never run it for the same record. `signal` aborts when the process stops or another one took over. Every error
   * is retried: after at least the time in its `retryAfterMs`, and a permanent AppError after the longest delay.
   */
  call: (target: Target, signal: AbortSignal) => Promise<void>;
}

export type AnyTargetKind = TargetKind | OutsideTargetKind;

/** How far a server has followed a record, as shown by the API. */
export const Sync = Type.Object(
  {
    state: Type.Union(
      [Type.Literal("applied"), Type.Literal("pending"), Type.Literal("failing"), Type.Literal("failed")],
      {
        description:
          "applied: the server matches the record. pending: the change is under way. failing: an attempt failed, the next is at retry_at. failed: given up until the next change.",
      },
    ),
    since: Type.Union([Type.String(), Type.Null()], { description: "Since when it is in this state." }),
    error: Type.Union([Type.String(), Type.Null()], { description: "Why the last attempt failed." }),
    retry_at: Type.Union([Type.String(), Type.Null()], {
      description: "When the next attempt is; null: there is none without a change",
    }),
  },
  // `named` of http does this for other schemas. The engine does not import it.
  { description: "Whether the server matches this record.", documentedName: "Sync" },
);
export type Sync = Static<typeof Sync>;

/** The sync of a record without a target: nothing has to be done on a server. @public */
export const inSync: Sync = { state: "applied", since: null, error: null, retry_at: null };

export const longestRetrySeconds = recoveryBackoff.longestMs / 1_000;

/** How long to wait after so many failed attempts: 15 s, doubling to `longest` (default: an hour), 10 % earlier or later. */
export function retryDelaySeconds(attempts: number, longest = longestRetrySeconds, random = Math.random()): number {
  const backoff = { ...recoveryBackoff, longestMs: longest * 1_000, jitter: [0.9, 1.1] } as const;
  return Math.round(backoffMs(attempts, backoff, random) / 1_000);
}

/** What the sync of a target depends on. */
export type TargetState = Pick<
  Target,
  "wantedVersion" | "appliedVersion" | "givenUpVersion" | "attempts" | "error" | "retryAt" | "since"
>;

/** The sync of a target. */
export function syncOf(target: TargetState): Sync {
  const { wantedVersion, appliedVersion, givenUpVersion, attempts, since, error, retryAt } = target;
  const retry_at = appliedVersion < wantedVersion && givenUpVersion < wantedVersion ? retryAt : null;
  if (appliedVersion === wantedVersion) return { state: "applied", since, error: null, retry_at: null };
  if (givenUpVersion === wantedVersion) return { state: "failed", since, error, retry_at };
  return { state: attempts > 0 ? "failing" : "pending", since, error, retry_at };
}

const worstFirst = ["failed", "failing", "pending", "applied"];

/** The sync of a record: that of its target which is furthest behind. */
export function syncOfAll(targets: readonly TargetState[]): Sync {
  const syncs = targets.map(syncOf);
  const rank = ({ state }: Sync) => worstFirst.indexOf(state);
  return syncs.reduce((worst, sync) => (rank(sync) < rank(worst) ? sync : worst), syncs[0] ?? inSync);
}
