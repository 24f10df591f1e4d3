import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { MonitorHistory } from "../src/data/monitors.ts";
import { readExport, sourceOf } from "../src/pages/import-monitors/export-text.ts";
import { findingsOf, phasesText, switchText } from "../src/pages/monitor/events/context-texts.ts";
import { chartDataOf } from "../src/pages/monitor/history/chart-data.ts";
import { updateOf, valuesOf } from "../src/pages/monitor/settings/values.ts";
import { filterIn, searchOf, withFilter } from "../src/pages/monitors/filters.ts";

const statuses = { none: 0, "1xx": 0, "2xx": 60, "3xx": 0, "4xx": 0, "5xx": 0 };
const at = (time: string) => `2026-11-27T${time}:00.000000Z`;
const point = (time: string, changes: Partial<MonitorHistory["points"][number]> = {}) => ({
  ...{ at: at(time), checks: 60, ok: 60, unobserved: 0, average_ms: 90, p50_ms: 80, p95_ms: 140, statuses },
  ...{ up_seconds: 3_600, down_seconds: 0 },
  ...changes,
});

const history: MonitorHistory = {
  ...{ from: at("06:00"), to: at("11:00"), resolution: "hour", uptime: 98 },
  points: [point("06:00"), point("08:00", { ok: 48, down_seconds: 720, up_seconds: 2_880 }), point("10:00")],
  states: [
    { state: "up", from: at("05:00"), to: at("08:10") },
    { state: "down", from: at("08:10"), to: at("08:22") },
    { state: "unobserved", from: at("10:20"), to: null },
  ],
};
const now = Date.parse(at("10:30"));
const ofRelease = { commit_id: "3fa92b1000", process_type: "deployment", ended_at: at("08:05") } as const;
const deployment = { ...ofRelease, id: 7, rolling_of: null };

describe("the chart of a monitor", () => {
  it("has a place for each hour until now, also for those without a check", () => {
    const { times, series } = chartDataOf(history, [], now);
    assert.equal(times.length, 5);
    assert.deepEqual(series[0]?.values, [80, null, 80, null, 80]);
  });

  it("shades what was not up, as long as it lasts", () => {
    assert.deepEqual(chartDataOf(history, [], now).shades, [
      { from: Date.parse(at("08:10")), to: Date.parse(at("08:22")), tone: "bad" },
      { from: Date.parse(at("10:20")), to: now, tone: "idle" },
    ]);
  });

  it("notes what went wrong in an hour, and what was deployed in it, once for all of its servers", () => {
    const other = { ...deployment, id: 8, rolling_of: 7 };
    const { notes, marks } = chartDataOf(history, [deployment, other], now);
    assert.deepEqual(marks, [Date.parse(at("08:05"))]);
    assert.equal(notes[0], undefined);
    assert.equal(notes[1], "nothing was checked");
    assert.equal(notes[2], "down for 12 min, 12 of 60 checks failed, deployed 3fa92b1");
  });
});

describe("an event in words", () => {
  it("has what the check found, and leaves out what it did not", () => {
    assert.deepEqual(findingsOf({ status: 502, latency_ms: 34.4, failures: 1 }), ["HTTP 502", "34 ms"]);
    assert.deepEqual(findingsOf({ status: null, exit_status: 0, duration_ms: 65_000 }), [
      "exit status 0",
      "ran for 1 min 5 s",
    ]);
    assert.equal(phasesText({ phases_ms: { connect: 12, dns: 4.2, unknown: 1 } }), "DNS 4 ms, connection 12 ms");
  });

  it("says how long before a deployment went live", () => {
    const switched = { process_type: "rollback", switched_at: at("08:00") } as Parameters<typeof switchText>[0];
    assert.equal(switchText(switched, at("08:02")), "A rollback went live 2 min before");
  });
});

describe("the settings of a monitor", () => {
  const record = {
    ...{ name: "Shop", notification_channels: [] },
    config: { ...{ url: "https://a.example/", method: "GET", expected_status: 200 }, confirmation_threshold: 3 },
  } as unknown as Parameters<typeof valuesOf>[0];

  it("send only what was changed, in the API's form", () => {
    const values = { ...valuesOf(record), expected_status: " ", timeout_seconds: "20", interval_seconds: "soon" };
    assert.deepEqual(updateOf("http", values, ["expected_status", "timeout_seconds", "interval_seconds"]), {
      config: { expected_status: null, timeout_seconds: 20, interval_seconds: "soon" },
    });
    assert.deepEqual(updateOf("http", { ...values, name: " Store " }, ["name"]), { name: "Store" });
  });
});

describe("the filters of the list of monitors", () => {
  it("are those of the address that the API knows", () => {
    const given = new URLSearchParams("q= shop &status=down,up&type=ping&project_id=3,x,4&server_id=");
    assert.deepEqual(filterIn(given), { q: "shop", status: "down", project_id: [3, 4] });
    assert.deepEqual(searchOf({ status: "up", project_id: [3, 4] }), { status: "up", project_id: "3,4" });
    assert.deepEqual(withFilter({ status: "up", q: "a" }, "status", []), { q: "a" });
  });
});

describe("an export", () => {
  it("is read with the program that it comes from, or says why not", () => {
    assert.equal(sourceOf('{"monitorList": []}'), "uptime_kuma");
    assert.equal(sourceOf('{"checks": []}'), "healthchecks");
    assert.equal(sourceOf("[1]"), undefined);
    assert.match(readExport("[1]").error ?? "", /object/);
    assert.match(readExport('{"checks": [').error ?? "", /not JSON/);
  });
});
