import type { Context } from "../../../context.ts";
import { transaction } from "../../../db/transaction.ts";
import { masker } from "../../../lib/mask.ts";
import { timestamp } from "../../../lib/timestamp.ts";
import { maskedValues } from "../../projects/logs.ts";
import { findUnobservedReason } from "../unobserved/queries.ts";
import type { VerdictChange } from "../verdicts/queries.ts";
import { recordStates } from "../verdicts/queries.ts";
import { recordVerdict } from "../verdicts/record.ts";
import { type DueHeartbeat, type Evaluation, listGaps, recordEvaluation } from "./queries.ts";
import { type Expected, firstUnexcused, type Gap, type Timing } from "./timing.ts";

// A heartbeat is evaluated when a report becomes late, soon after a report that may change its status, and at least every ten
// minutes. `conclude` decides the result, and uses neither clock nor database.

/**
 * The next evaluation, in seconds: while failing and not confirmed, while down, while up, while nothing is expected, and then with a
 * first report that waits to be counted.
 */
const seconds = { failing: 30, down: 300, up: 600, held: 60, reported: 5 };
/** An evaluation counts for this long beyond the next one, which may be a little late. */
const slackSeconds = 60;
/** Time in which gaps can excuse a report; older ones are deleted. */
export const gapDays = 60;
const shownOutput = 2_000;

/** The result of an evaluation. */
export type Conclusion =
  | { state: "held"; reason: string }
  /** No report was due yet. */
  | { state: "waiting"; expected: Expected | undefined }
  | { state: "passing"; since: Date; expected: Expected | undefined }
  | { state: "failing"; since: Date; message: string; context: Record<string, unknown> };

/** The evidence on a heartbeat when it is evaluated. */
export type Evidence = Pick<
  DueHeartbeat,
  | "current_status"
  | "expected_period_seconds"
  | "grace_seconds"
  | "watched_since"
  | "counted_since"
  | "last_started_at"
  | "last_end_at"
  | "last_end_kind"
  | "last_ping_exit_status"
  | "last_ping_duration_ms"
  | "last_ping_body"
  | "cron_expression"
  | "timezone"
  | "hold"
>;

export function conclude(heartbeat: Evidence, gaps: readonly Gap[], now: Date): Conclusion {
  if (heartbeat.hold !== null) return { state: "held", reason: heartbeat.hold };
  const watchedSince = new Date(heartbeat.watched_since);
  const reportedAt = lastCounted(heartbeat);
  if (reportedAt && heartbeat.last_end_kind === "fail") {
    const { last_ping_exit_status: exitStatus, last_ping_duration_ms: durationMs, last_ping_body: output } = heartbeat;
    const context = { reported_at: heartbeat.last_end_at, exit_status: exitStatus, duration_ms: durationMs };
    const shown = output === null ? {} : { output: output.slice(-shownOutput) };
    const message = failureMessage(heartbeat);
    return { state: "failing", since: reportedAt, message, context: { ...context, ...shown } };
  }
  const since = reportedAt && reportedAt > watchedSince ? reportedAt : watchedSince;
  const timing: Timing = {
    schedule: heartbeat.cron_expression,
    timezone: heartbeat.timezone,
    periodSeconds: heartbeat.expected_period_seconds,
    graceSeconds: heartbeat.grace_seconds,
  };
  const expected = firstUnexcused(timing, since, gaps);
  if (expected !== undefined && expected.lateAt <= now) {
    return { state: "failing", since: expected.lateAt, ...lateness(heartbeat, expected) };
  }
  return reportedAt ? { state: "passing", since: reportedAt, expected } : { state: "waiting", expected };
}

/** The last end of a run that counts, also if it was reported while no report was expected. */
function lastCounted({ last_end_at, counted_since, current_status }: Evidence): Date | undefined {
  if (last_end_at === null) return undefined;
  const end = new Date(last_end_at);
  return end >= new Date(counted_since) || current_status !== "pending" ? end : undefined;
}

function failureMessage(heartbeat: Evidence): string {
  const { cron_expression: schedule, last_ping_exit_status: exitStatus, last_ping_duration_ms: durationMs } = heartbeat;
  const firstLine = heartbeat.last_ping_body?.split("\n", 1)[0] ?? "";
  if (schedule === null) return firstLine === "" ? "The job reported a failure." : `The server reports: ${firstLine}`;
  const after = durationMs === null ? "" : ` after ${Math.round(durationMs / 1_000)} s`;
  return exitStatus === null ? "The job reported a failure." : `The job ended with exit status ${exitStatus}${after}.`;
}

function lateness({ last_end_at: lastEnd, last_started_at: lastStart }: Evidence, expected: Expected) {
  const expectedAt = timestamp(expected.expectedAt);
  const isHanging = lastStart !== null && (lastEnd === null || lastStart > lastEnd);
  const last = lastEnd === null ? "No report has arrived" : `No report has arrived since ${lastEnd}`;
  const hanging = isHanging ? ` The run that started at ${lastStart} has not ended.` : "";
  return {
    message: `${last}; one was expected at ${expectedAt}.${hanging}`,
    context: {
      expected_at: expectedAt,
      late_at: timestamp(expected.lateAt),
      last_report_at: lastEnd,
      started_at: isHanging ? lastStart : null,
    },
  };
}

/** Evaluates a claimed heartbeat and stores the result in one transaction. */
export async function evaluateHeartbeat(
  ctx: Pick<Context, "pool" | "queue" | "secrets">,
  heartbeat: DueHeartbeat,
): Promise<void> {
  const now = new Date(heartbeat.claimed_at);
  const rows = await listGaps(ctx.pool, new Date(heartbeat.last_end_at ?? heartbeat.watched_since));
  const gaps = rows.map((gap) => ({ startedAt: new Date(gap.started_at), endedAt: new Date(gap.ended_at) }));
  const hold = heartbeat.hold ?? (await findUnobservedReason(ctx.pool, heartbeat.id, now)) ?? null;
  const conclusion = await masked(ctx, heartbeat, conclude({ ...heartbeat, hold }, gaps, now));
  const found = { heartbeat, conclusion, now };
  const evaluation = evaluationOf(found);
  await transaction(ctx.pool, async (tx) => {
    if (!(await recordEvaluation(tx, heartbeat, evaluation))) return;
    const { current_status: status, id: monitorId } = heartbeat;
    if (conclusion.state === "held") return recordStates(tx, [{ monitorId, state: "unobserved", at: now }]);
    const change = changeOf(found, evaluation);
    if (change !== undefined) await recordVerdict(tx, ctx, heartbeat, change);
    // An unobserved monitor is observed again.
    else if (status !== "pending") await recordStates(tx, [{ monitorId, state: status, at: now }]);
  });
}

/** Events and notices never contain values of the project's environment, which its jobs may print. */
async function masked(
  ctx: Pick<Context, "pool" | "secrets">,
  { project_id: projectId }: DueHeartbeat,
  conclusion: Conclusion,
): Promise<Conclusion> {
  if (conclusion.state !== "failing") return conclusion;
  const mask = masker(await maskedValues(ctx, projectId));
  const { message, context } = conclusion;
  const { output } = context;
  return {
    ...conclusion,
    message: mask(message),
    context: typeof output === "string" ? { ...context, output: mask(output) } : context,
  };
}

interface Found {
  heartbeat: DueHeartbeat;
  conclusion: Conclusion;
  now: Date;
}

function evaluationOf({ heartbeat, conclusion, now }: Found): Evaluation {
  const failures = conclusion.state === "failing" ? heartbeat.failures + 1 : 0;
  const dueAt = dueAfter({ heartbeat, conclusion, now }, failures);
  const isObserved = conclusion.state === "passing" || conclusion.state === "failing";
  return {
    at: now,
    // A monitor that is down stays down: the count need not grow.
    failures: heartbeat.current_status === "down" ? 0 : failures,
    dueAt,
    observedUntil: isObserved ? later(dueAt, slackSeconds) : null,
    restartsWatch: conclusion.state === "held",
  };
}

function dueAfter({ heartbeat, conclusion, now }: Found, failures: number): Date {
  if (conclusion.state === "held") {
    const isWaiting = heartbeat.current_status === "pending" && lastCounted(heartbeat) !== undefined;
    return later(now, isWaiting ? seconds.reported : seconds.held);
  }
  if (conclusion.state === "failing") {
    const isDown = heartbeat.current_status === "down" || failures >= heartbeat.confirmation_threshold;
    return later(now, isDown ? seconds.down : seconds.failing);
  }
  const latest = later(now, seconds.up);
  const lateAt = conclusion.expected?.lateAt;
  return lateAt !== undefined && lateAt < latest ? lateAt : latest;
}

/** The resulting change of status; undefined if there is none. */
function changeOf({ heartbeat, conclusion, now }: Found, evaluation: Evaluation): VerdictChange | undefined {
  const { current_status: status, confirmation_threshold: threshold } = heartbeat;
  const observedUntil = evaluation.observedUntil ?? now;
  if (conclusion.state === "passing" && status !== "up") {
    const context = {
      reported_at: heartbeat.last_end_at,
      exit_status: heartbeat.last_ping_exit_status,
      duration_ms: heartbeat.last_ping_duration_ms,
    };
    return {
      status: "up",
      at: now,
      since: conclusion.since,
      observedUntil,
      message: "The job reported success.",
      context,
    };
  }
  if (conclusion.state === "failing" && status !== "down" && evaluation.failures >= threshold) {
    const { since, message, context } = conclusion;
    return { status: "down", at: now, since, observedUntil, message, context };
  }
  return undefined;
}

const later = (date: Date, secondsLater: number): Date => new Date(date.getTime() + secondsLater * 1_000);
