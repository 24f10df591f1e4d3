import { planLimits } from "../../accounts/schema.ts";
import type { CheckedMonitor } from "./queries.ts";

/** How often a monitor is checked: at its own interval, but no more often than its plan allows. */
export const intervalMsOf = ({ interval_seconds, plan }: Pick<CheckedMonitor, "interval_seconds" | "plan">): number =>
  1_000 * Math.max(interval_seconds, planLimits[plan].monitorIntervalSeconds);

/** An offset within the interval that depends only on the id, so that checks are spread evenly and keep their times. */
export const slotOf = (id: number, intervalMs: number): number => (Math.imul(id, 0x9e3779b1) >>> 0) % intervalMs;

/** The first slot after a time. */
export function nextSlot(id: number, intervalMs: number, after: number): number {
  const slot = slotOf(id, intervalMs);
  return Math.floor((after - slot) / intervalMs) * intervalMs + slot + intervalMs;
}

/**
 * When a monitor that this process begins to check is due: at once if it has no verdict, as when it is new or was turned
 * on, or if its last slot was missed by less than half an interval; otherwise at its next slot.
 */
export function firstDue(monitor: CheckedMonitor, now: number): number {
  if (monitor.current_status === "pending" || monitor.last_checked_at === null) return now;
  const intervalMs = intervalMsOf(monitor);
  const next = nextSlot(monitor.id, intervalMs, now);
  const last = next - intervalMs;
  const isMissed = Date.parse(monitor.last_checked_at) < last - intervalMs / 2;
  return isMissed && now - last < intervalMs / 2 ? last : next;
}

const longestConfirmationMs = 30_000;
const shortestPauseMs = 10_000;

/**
 * The pause before a failure is confirmed: all confirmations together take half an interval, 30 seconds at most, and at least
 * 10 seconds each. A verdict with the default threshold so comes within interval + timeout + 30 seconds of the fall; a pause of
 * 30 seconds before each confirmation would take twice as long.
 */
export function confirmationPauseMs(intervalMs: number, threshold: number): number {
  const all = Math.min(intervalMs / 2, longestConfirmationMs);
  return Math.min(all, Math.max(shortestPauseMs, all / Math.max(1, threshold - 1)));
}
