import { setTimeout as pause } from "node:timers/promises";
import type { Pool } from "pg";
import { transaction } from "../../db/transaction.ts";
import { cancelRun, JournalReader, startRun } from "../../host/runner/runner.ts";
import type { Connection } from "../../host/ssh/connection.ts";
import type { Hosts } from "../../host/ssh/hosts.ts";
import { type Backoff, backoffMs } from "../../lib/backoff.ts";
import { AppError, failureSentence, messageOf } from "../../lib/errors.ts";
import type { Logger } from "../../lib/log.ts";
import { byteMasker, cutter } from "../../lib/mask.ts";
import { bundle } from "./bundle.ts";
import { isDataError } from "./failures.ts";
import { readJournal } from "./journal.ts";
import { type JournalChanges, subscribe } from "./journal-changes.ts";
import type { Seal } from "./last-ids.ts";
import { isPlanned, outputLimitOf, type Plan } from "./plan.ts";
import { findLastStep, findRun, isEnded, moveRun, type Run, startWithPlan } from "./queries.ts";
import { kindOf, type RunKind, type RunKinds, type RunSecrets } from "./runs.ts";
import { type JournalUpdate, parseUpdate, settleEnd } from "./store.ts";
import type { UpdateBatcher } from "./update-batcher.ts";

export interface FollowContext {
  pool: Pool;
  hosts: Hosts;
  log: Logger;
  kinds: RunKinds;
  updates: UpdateBatcher;
  /** The last ids of the database, for the server. */
  seal: () => Promise<Seal>;
  /** A run whose server does not answer before anything was sent to it fails after this long. */
  unreachableAfterMs: number;
  /** A run that began is given up when its server has not answered this process for this long. */
  abandonAfterMs: number;
}

// Most reads return little: only after a full one the next reads more at once.
const smallPieceBytes = 32 * 1024;
const pieceBytes = 254 * 1024;
// The server notifies of each record. Output between records is polled at this interval, and less often while there is
// none.
const lookMs = 200;
const longestLookMs = 1_000;
// After this long without output the follower asks the server for the run: its unit may have ended without a record
// (reboot, out of memory).
const silenceMs = 15_000;
const retries: Backoff = { firstMs: 200, longestMs: 5_000 };
// The log warns when this many attempts in a row failed at once, which is after some six seconds. Attempts that take
// long, as with an unreachable server, are not counted.
const attemptsUntilWarning = 6;
// An error caused by the data repeats each time; one caused by a record that another transaction changed does not.
const mostDataErrors = 3;
// Room for the platform's own lines in the output of a plan, and for output that a build prints before the runner has
// ended it.
const outputAllowanceBytes = 64 * 2 ** 20;
// A server that takes longer than this for any answer counts as unreachable.
const answerMs = 5_000;

/**
 * Brings a run to its end: starts it or attaches to it, stores its journal, and continues from the stored offset after
 * any interruption. Several workers may call this at once; only what one of them stores counts. Returns when the run
 * has ended, or when `signal` aborts.
 */
export async function bringToEnd(ctx: FollowContext, runId: number, signal: AbortSignal): Promise<void> {
  let dataErrors = 0;
  let answeredAt = Date.now();
  for (let attempt = 1; !signal.aborted; attempt++) {
    const startedAt = Date.now();
    let isConnected = false;
    try {
      const run = await findRun(ctx.pool, runId);
      if (!run || isEnded(run)) return;
      const onConnected = () => {
        isConnected = true;
      };
      await runOnce(ctx, run, { signal, onConnected });
      return;
    } catch (error) {
      // A connection that was lost in silence is closed within seconds.
      if (isConnected) answeredAt = Date.now();
      dataErrors = isDataError(error) ? dataErrors + 1 : 0;
      // The database may be the cause of the failure: then the state of the run is unknown.
      const silentForMs = Date.now() - answeredAt;
      const end =
        dataErrors < mostDataErrors
          ? failIfOverdue(ctx, runId, { error, silentForMs })
          : endUnstorable(ctx, runId, error);
      if (await end.catch(() => false)) return;
      ctx.log[attempt === attemptsUntilWarning ? "warn" : "debug"](
        `Lost contact with run ${runId}, retrying: ${messageOf(error)}`,
      );
      // A run that was followed for a while before the failure is retried as quickly as the first time.
      if (Date.now() - startedAt > retries.longestMs) attempt = 1;
      await pause(backoffMs(attempt, retries), undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Passes a cancel on to the server that executes the run. Rejects while that is not possible; the caller retries. */
export async function passOnCancel(ctx: FollowContext, runId: number): Promise<void> {
  const run = await findRun(ctx.pool, runId);
  if (!run || isEnded(run) || run.server_id === null || run.state === "created") return;
  const answer = await cancelRun(await ctx.hosts.get(run.server_id), run);
  // The bundle is still on its way.
  if (answer === "unknown") throw new Error(`Run ${runId} is not on its server yet`);
  if (answer !== "passed") return;
  await transaction(ctx.pool, async (tx) => kindOf(ctx.kinds, run).onCancelRefused?.(tx, run));
}

interface Attempt {
  signal: AbortSignal;
  onConnected: () => void;
}

async function runOnce(ctx: FollowContext, found: Run, { signal, onConnected }: Attempt): Promise<void> {
  const kind = kindOf(ctx.kinds, found);
  if (found.server_id === null) return settleEnd(ctx, found, { state: "failed", error: "The server was deleted." });
  if (found.state === "created" && found.cancel_requested_at) {
    return settleEnd(ctx, found, { state: "cancelled", error: "Cancelled before it began." });
  }
  const connecting = connect(ctx, found, found.server_id);
  // A run that cannot be planned fails, even when its server is unreachable.
  connecting.catch(() => undefined);
  const [secrets = { files: {}, masked: [] }, plan, seal] = await Promise.all([
    kind.secrets?.(found),
    planFor(kind, found),
    ctx.seal(),
  ]);
  const connection = await connecting;
  onConnected();
  if (found.state === "created") {
    // When two workers plan a run, it uses the plan of one of them.
    const isClaimed = isPlanned(found.plan)
      ? (await moveRun(ctx.pool, found.id, ["created"], "starting")) !== undefined
      : await startWithPlan(ctx.pool, found.id, plan);
    if (!isClaimed) throw new Error("Another worker began the run");
  }
  await startRun(connection, found.id, bundle(found.id, plan, found.nonce, secrets.files, seal));
  const moved = await moveRun(ctx.pool, found.id, ["starting"], "running");
  const run = moved ? { ...found, plan, ...moved } : await findRun(ctx.pool, found.id);
  if (!run || isEnded(run)) return;
  // A cancel that arrived while the bundle was on its way.
  if (run.cancel_requested_at) await cancelRun(connection, run);
  await follow(ctx, run, { connection, secrets, signal });
}

// Data sent into a dead connection may have arrived or not, so the follower verifies a connection before it sends the
// first data, even if the server answered a moment ago: until then a run can fail without having done anything.
async function connect({ hosts }: FollowContext, { state }: Run, serverId: number): Promise<Connection> {
  const connection = await hosts.get(serverId);
  if (state === "created") await connection.prove(answerMs);
  return connection;
}

async function planFor(kind: RunKind, run: Run): Promise<Plan> {
  if (isPlanned(run.plan)) return run.plan;
  if (!kind.plan) throw new Error(`Nothing makes plans for runs of kind ${run.kind}`);
  return kind.plan(run);
}

interface Following {
  connection: Connection;
  secrets: RunSecrets;
  signal: AbortSignal;
}

/** Stores the journal of a run from the stored offset on until its end. */
async function follow(ctx: FollowContext, run: Run, { connection, secrets, signal }: Following): Promise<void> {
  const { files, mixedFiles = [], masked } = secrets;
  const whole = Object.entries(files).filter(([name]) => !mixedFiles.includes(name));
  const values = [...whole.map(([, content]) => content), ...masked];
  const [mask, cut] = [byteMasker(values), cutter(values)];
  const reader = new JournalReader(connection, run.id);
  const changes = await subscribe(connection, run.id);
  try {
    let offset = run.journal_offset;
    let position = offset === 0 ? null : await findLastStep(ctx.pool, run.id);
    let changedAt = Date.now();
    let limit = smallPieceBytes;
    let hasEnded = false;
    while (!signal.aborted) {
      // One piece at a time, and the next when it is stored: faster output waits on the server's disk.
      changes.arm();
      const bytes = await reader.read(offset, limit);
      const piece = readJournal(bytes, offset, run.nonce, cut);
      if (offset + piece.consumed > longestJournal(run)) return await endEndless(ctx, connection, run);
      if (piece.consumed > 0) {
        const update = parseUpdate(run, { ...piece, offset }, position, mask);
        await storeUpdate(ctx, run, update);
        if (update.outcome) return;
        offset = update.piece.to;
        position = update.position;
        changedAt = Date.now();
      }
      const wasFull = bytes.length === limit;
      limit = wasFull ? pieceBytes : smallPieceBytes;
      if (wasFull) continue;
      // The whole journal was read.
      if (hasEnded) return await endLost(ctx, run);
      if (Date.now() - changedAt > silenceMs) {
        hasEnded = (await startRun(connection, run.id, bundle(run.id, run.plan, run.nonce, secrets.files))) === "ended";
        changedAt = Date.now();
        if (hasEnded) continue;
      }
      await waitForMore(ctx, run, { changes, silentForMs: Date.now() - changedAt }, signal);
    }
  } finally {
    changes.unsubscribe();
    reader.close();
  }
}

const longestJournal = ({ plan }: Run): number => outputLimitOf(plan) + outputAllowanceBytes;

async function storeUpdate(ctx: FollowContext, run: Run, update: JournalUpdate): Promise<void> {
  await ctx.updates.store(update);
  if (update.droppedFacts > 0) warnOfDroppedFacts(ctx, run, update.droppedFacts);
  Object.assign(run.facts, update.piece.facts);
}

// The record of the end was lost, as on a disk that is full to the last byte.
const endLost = (ctx: FollowContext, run: Run): Promise<void> =>
  settleEnd(ctx, run, { state: "stalled", error: "The run ended on its server, where its record was lost." });

const warnOfDroppedFacts = ({ log }: FollowContext, { id, server_id: serverId }: Run, count: number): void =>
  log.warn({ runId: id, serverId, count }, `Run ${id} reported facts that its steps do not declare; they were dropped`);

// The runner ends a step that prints too much. A longer log does not come from our runner.
async function endEndless(ctx: FollowContext, connection: Connection, run: Run): Promise<void> {
  await cancelRun(connection, run).catch(() => undefined);
  const limitMb = outputLimitOf(run.plan) / 2 ** 20;
  const error = `The log is longer than ${limitMb} MB, so the rest of it was not read.`;
  await settleEnd(ctx, run, { state: "failed", error });
}

interface Waiting {
  changes: JournalChanges;
  silentForMs: number;
}

async function waitForMore(
  ctx: FollowContext,
  run: Run,
  { changes, silentForMs }: Waiting,
  signal: AbortSignal,
): Promise<void> {
  await changes.wait(Math.min(Math.max(lookMs, silentForMs / 2), longestLookMs), signal);
  // This keeps the connection from being closed as idle, and rejects when it was replaced.
  if (run.server_id !== null) await ctx.hosts.get(run.server_id);
}

interface Failure {
  error: unknown;
  /** Since the server last answered this process, or since this process follows the run. */
  silentForMs: number;
}

async function failIfOverdue(ctx: FollowContext, runId: number, { error, silentForMs }: Failure): Promise<boolean> {
  const run = await findRun(ctx.pool, runId);
  if (!run || isEnded(run)) return true;
  // Once the plan was sent, only the server has the result, so the follower keeps asking for as long as the server may
  // come back.
  const { unreachableAfterMs = ctx.unreachableAfterMs, abandonAfterMs = ctx.abandonAfterMs } = kindOf(ctx.kinds, run);
  const overdue =
    run.state === "created"
      ? Date.now() - Date.parse(run.created_at) > unreachableAfterMs
      : silentForMs > abandonAfterMs;
  // A retry cannot help, or the runner itself reported that it did not begin.
  const isFinal = error instanceof AppError && (error.permanent || error.code === "run_failed");
  if (!overdue && (run.state === "running" || !isFinal)) return false;
  const reason = failureSentence(error, (err) => ctx.log.error({ err, runId }, "a run was given up"));
  await settleEnd(ctx, run, { state: run.state === "running" ? "stalled" : "failed", error: reason });
  return true;
}

/**
 * Ends a run whose data cannot be stored, such as facts that its feature cannot use. The feature may be able to settle its
 * records without the facts; if not, only the run ends, so that nothing waits for it.
 */
async function endUnstorable(ctx: FollowContext, runId: number, cause: unknown): Promise<boolean> {
  const run = await findRun(ctx.pool, runId);
  if (!run || isEnded(run)) return true;
  ctx.log.error({ err: cause, runId }, "what a run reported cannot be stored, so the run was ended");
  if (run.server_id !== null && run.state === "running") {
    const connection = await ctx.hosts.get(run.server_id).catch(() => undefined);
    if (connection) await cancelRun(connection, run).catch(() => undefined);
  }
  const error =
    run.state === "running" ? "What the server reported cannot be stored." : "The work could not be prepared.";
  const ending = { state: "failed" as const, error, withoutFacts: true };
  try {
    await settleEnd(ctx, run, ending);
  } catch (error) {
    if (!isDataError(error)) throw error;
    ctx.log.error({ err: error, runId }, "the end of a run cannot be settled, so the run alone was ended");
    await settleEnd({ pool: ctx.pool }, run, ending);
  }
  return true;
}
