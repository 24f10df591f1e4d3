import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { conclude, type Evidence } from "../evaluation.ts";

// A job over several nights, evaluated each minute by an injected clock. Runs are those of the server's cron.

const minuteMs = 60_000;

const evidence = (lastEnd: Date): Evidence => ({
  current_status: "up",
  expected_period_seconds: null,
  grace_seconds: 300,
  watched_since: "2026-01-01T00:00:00Z",
  counted_since: "2026-01-01T00:00:00Z",
  last_started_at: null,
  last_end_at: lastEnd.toISOString(),
  last_end_kind: "success",
  last_ping_exit_status: 0,
  last_ping_duration_ms: 1_000,
  last_ping_body: null,
  cron_expression: "30 2 * * *",
  timezone: "Europe/Berlin",
  hold: null,
});

/** The minutes in which the heartbeat is failing if its job reports two seconds after each of these times. */
function failingMinutes(runs: readonly string[], from: string, until: string): string[] {
  const reports = runs.map((run) => new Date(Date.parse(run) + 2_000));
  const failing: string[] = [];
  for (let now = Date.parse(from); now < Date.parse(until); now += minuteMs) {
    const last = reports.findLast((report) => report.getTime() <= now);
    assert.ok(last);
    if (conclude(evidence(last), [], new Date(now)).state === "failing")
      failing.push(new Date(now).toISOString().slice(5, 16));
  }
  return failing;
}

describe("a job at 02:30 over the nights in which clocks change", () => {
  test("is not late in spring, when cron runs it at 03:00", () => {
    const runs = ["2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"];
    assert.deepEqual(failingMinutes(runs, "2026-03-28T02:00:00Z", "2026-03-31T00:30:00Z"), []);
  });

  test("is not late in autumn, when cron runs it once", () => {
    const runs = ["2026-10-24T00:30:00Z", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"];
    assert.deepEqual(failingMinutes(runs, "2026-10-24T01:00:00Z", "2026-10-27T01:30:00Z"), []);
  });

  test("is late five minutes after the run that is missing in such a night", () => {
    const spring = failingMinutes(["2026-03-28T01:30:00Z"], "2026-03-28T02:00:00Z", "2026-03-29T02:00:00Z");
    assert.equal(spring[0], "03-29T01:05");
    const autumn = failingMinutes(["2026-10-24T00:30:00Z"], "2026-10-24T01:00:00Z", "2026-10-25T02:00:00Z");
    assert.equal(autumn[0], "10-25T00:35");
  });
});
