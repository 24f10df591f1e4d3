import { nextRun } from "../../../host/jobs/cron.ts";

export interface Recurring {
  cronExpression: string;
  timezone: string;
  durationSeconds: number;
}

/** The occurrence under way at `now`, or the next one; undefined if there are no more. */
export function occurrenceAt(recurring: Recurring, now: Date): { from: Date; until: Date } | undefined {
  const durationMs = recurring.durationSeconds * 1_000;
  const from = nextRun(recurring.cronExpression, recurring.timezone, new Date(now.getTime() - durationMs));
  return from && { from, until: new Date(from.getTime() + durationMs) };
}
