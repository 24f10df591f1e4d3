import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { firstUnexcused, nextExpected, type Timing } from "../timing.ts";

const job = (over: Partial<Timing> = {}): Timing => ({
  schedule: "30 2 * * *",
  timezone: "Europe/Berlin",
  periodSeconds: null,
  graceSeconds: null,
  ...over,
});

const after = (timing: Timing, since: string) => {
  const next = nextExpected(timing, new Date(since));
  return next && [next.expectedAt.toISOString().slice(0, 16), next.lateAt.toISOString().slice(0, 16)];
};

describe("when the next report is expected", () => {
  test("is read from the cron expression in the server's time zone, with half of the period as grace", () => {
    assert.deepEqual(after(job(), "2026-01-10T03:00:00Z"), ["2026-01-11T01:30", "2026-01-11T13:30"]);
    assert.deepEqual(after(job({ timezone: "UTC" }), "2026-01-10T03:00:00Z"), ["2026-01-11T02:30", "2026-01-11T14:30"]);
    assert.deepEqual(after(job({ schedule: "* * * * *" }), "2026-01-10T03:00:20Z"), [
      "2026-01-10T03:01",
      "2026-01-10T03:02",
    ]);
  });

  test("follows the grace and the period that were set", () => {
    assert.deepEqual(after(job({ graceSeconds: 300 }), "2026-01-10T03:00:00Z"), [
      "2026-01-11T01:30",
      "2026-01-11T01:35",
    ]);
    assert.deepEqual(after(job({ periodSeconds: 3600 }), "2026-01-10T03:00:00Z"), [
      "2026-01-10T04:00",
      "2026-01-10T04:30",
    ]);
    const background = job({ schedule: null });
    assert.deepEqual(after(background, "2026-01-10T03:00:00Z"), ["2026-01-10T03:01", "2026-01-10T03:03"]);
  });

  test("uses the shortest interval of an uneven schedule", () => {
    assert.deepEqual(after(job({ schedule: "0 9 * * 1-5", timezone: "UTC" }), "2026-01-09T09:00:05Z"), [
      "2026-01-12T09:00",
      "2026-01-12T21:00",
    ]);
  });

  test("is never for a job that only runs at boot", () => {
    assert.equal(after(job({ schedule: "@reboot" }), "2026-01-10T03:00:00Z"), undefined);
  });

  test("accepts a report that is slightly early by our clock as that of the due run", () => {
    assert.deepEqual(after(job({ timezone: "UTC" }), "2026-01-10T02:29:50Z"), ["2026-01-11T02:30", "2026-01-11T14:30"]);
  });
});

describe("across changes to daylight saving time", () => {
  const strict = { graceSeconds: 300 };

  test("a run whose time is skipped in spring is expected right after the change, as cron runs it", () => {
    assert.deepEqual(after(job(strict), "2026-03-28T01:30:05Z"), ["2026-03-29T01:00", "2026-03-29T01:05"]);
    assert.deepEqual(after(job(strict), "2026-03-29T01:00:05Z"), ["2026-03-30T00:30", "2026-03-30T00:35"]);
  });

  test("a run whose time comes twice in autumn is expected once, as cron runs it", () => {
    assert.deepEqual(after(job(strict), "2026-10-24T00:30:05Z"), ["2026-10-25T00:30", "2026-10-25T00:35"]);
    assert.deepEqual(after(job(strict), "2026-10-25T00:30:05Z"), ["2026-10-26T01:30", "2026-10-26T01:35"]);
    const several = job({ ...strict, schedule: "0,20,40 2 * * *" });
    assert.deepEqual(after(several, "2026-10-25T00:40:05Z"), ["2026-10-26T01:00", "2026-10-26T01:05"]);
  });

  test("an hourly run is expected in both hours", () => {
    const hourly = job({ ...strict, schedule: "30 * * * *" });
    assert.deepEqual(after(hourly, "2026-10-25T00:30:05Z"), ["2026-10-25T01:30", "2026-10-25T01:35"]);
    assert.deepEqual(after(hourly, "2026-03-29T00:30:05Z"), ["2026-03-29T01:30", "2026-03-29T01:35"]);
  });

  test("clocks that are set back by half an hour are handled too", () => {
    const lordHowe = job({ ...strict, schedule: "45 1 * * *", timezone: "Australia/Lord_Howe" });
    assert.deepEqual(after(lordHowe, "2026-04-04T14:45:05Z"), ["2026-04-05T15:15", "2026-04-05T15:20"]);
  });
});

describe("a report that was due while none were received", () => {
  const gap = (from: string, to: string) => ({ startedAt: new Date(from), endedAt: new Date(to) });
  const daily = job({ timezone: "UTC", graceSeconds: 3600 });
  const lateAt = (gaps: ReturnType<typeof gap>[], timing = daily) =>
    firstUnexcused(timing, new Date("2026-01-09T02:31:00Z"), gaps)?.lateAt.toISOString();

  test("is excused when the gap overlaps the time in which it was due", () => {
    assert.equal(lateAt([]), "2026-01-10T03:30:00.000Z");
    assert.equal(lateAt([gap("2026-01-10T02:00:00Z", "2026-01-10T02:31:00Z")]), "2026-01-11T03:30:00.000Z");
    assert.equal(lateAt([gap("2026-01-10T03:00:00Z", "2026-01-10T05:00:00Z")]), "2026-01-11T03:30:00.000Z");
    assert.equal(lateAt([gap("2026-01-10T02:00:00Z", "2026-01-12T02:31:00Z")]), "2026-01-13T03:30:00.000Z");
  });

  test("is not excused by a gap at another time", () => {
    const other = [
      gap("2026-01-09T12:00:00Z", "2026-01-09T13:00:00Z"),
      gap("2026-01-10T04:00:00Z", "2026-01-10T05:00:00Z"),
    ];
    assert.equal(lateAt(other), "2026-01-10T03:30:00.000Z");
  });

  test("is expected one period after the gap if there is no schedule", () => {
    const background = job({ schedule: null });
    assert.equal(lateAt([gap("2026-01-09T02:31:30Z", "2026-01-09T03:31:00Z")], background), "2026-01-09T03:34:30.000Z");
  });
});
