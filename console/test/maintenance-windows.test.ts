import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { MaintenanceWindow } from "../../contract/types.ts";
import { durationOf, isoOf, localOf, newValues, requestOf, valuesOf } from "../src/pages/maintenance-windows/values.ts";
import { msUntilChange, phaseOf } from "../src/pages/maintenance-windows/window.ts";
import { spanText, targetsText } from "../src/pages/maintenance-windows/window-text.ts";
import { moved } from "../src/pages/status-page/settings/moved.ts";
import { slugOf } from "../src/pages/status-pages/slug.ts";

// What pages about maintenance windows and status pages compute.

const once: MaintenanceWindow = {
  id: 1,
  name: "Upgrade",
  starts_at: "2026-12-24T22:00:00.000000Z",
  ends_at: "2026-12-25T00:00:00.000000Z",
  cron_expression: null,
  duration_seconds: null,
  timezone: null,
  all_monitors: true,
  monitor_ids: [],
  server_ids: [],
  is_active: false,
  next_starts_at: "2026-12-24T22:00:00.000000Z",
  next_ends_at: "2026-12-25T00:00:00.000000Z",
  created_at: "2026-09-20T10:42:05.000000Z",
  updated_at: "2026-09-20T10:42:05.000000Z",
};
const over = { ...once, next_starts_at: null, next_ends_at: null };
const weekly = { ...once, starts_at: null, ends_at: null, cron_expression: "0 3 * * 0", duration_seconds: 5_400 };
const start = Date.parse("2026-12-24T22:00:00Z");

describe("a maintenance window", () => {
  it("is running, coming or past as the API says", () => {
    assert.equal(phaseOf({ ...once, is_active: true }), "running");
    assert.equal(phaseOf(once), "coming");
    assert.equal(phaseOf(over), "past");
    assert.equal(phaseOf({ ...weekly, next_starts_at: null, next_ends_at: null }), "coming");
  });

  it("is read again when it begins or ends, and soon while the server has not noticed", () => {
    const hour = 3_600_000;
    assert.equal(msUntilChange([once], start - hour), hour + 500);
    assert.equal(msUntilChange([{ ...once, is_active: true }, weekly], start - hour), hour + 500);
    assert.equal(msUntilChange([once], start + 1), 10_000);
    assert.equal(msUntilChange([{ ...weekly, next_starts_at: null }], start), 10_000);
    assert.equal(msUntilChange([over], start), false);
    assert.equal(msUntilChange([once], 0), 2 ** 31 - 1);
  });

  it("is sent as it was read", () => {
    const { name, starts_at, ends_at, all_monitors } = once;
    const sent = requestOf(valuesOf(once));
    assert.deepEqual(
      { ...sent, starts_at: Date.parse(sent.starts_at ?? ""), ends_at: Date.parse(sent.ends_at ?? "") },
      { name, all_monitors, starts_at: Date.parse(starts_at ?? ""), ends_at: Date.parse(ends_at ?? "") },
    );
    const chosen = { ...weekly, timezone: "Asia/Tokyo", all_monitors: false, monitor_ids: [4] };
    assert.deepEqual(requestOf(valuesOf(chosen)), {
      ...{ name, monitor_ids: [4], server_ids: [] },
      ...{ cron_expression: "0 3 * * 0", duration_seconds: 5_400, timezone: "Asia/Tokyo" },
    });
    assert.equal(newValues(true).all_monitors, false, "a restricted member cannot choose all");
  });

  it("has its length in the largest whole unit", () => {
    assert.deepEqual(durationOf(172_800), { duration: "2", unit: "days" });
    assert.deepEqual(durationOf(7_200), { duration: "2", unit: "hours" });
    assert.deepEqual(durationOf(5_400), { duration: "90", unit: "minutes" });
  });

  it("has times as inputs have them; what is none is left to the API", () => {
    assert.equal(Date.parse(isoOf(localOf(once.next_starts_at ?? ""))), start);
    assert.equal(isoOf("soon"), "soon");
  });

  it("says when it is, and of what", () => {
    assert.equal(
      spanText(once.starts_at ?? "", once.ends_at ?? "", "Europe/Berlin").replaceAll("\u2009", " "),
      "Thu, 24 Dec 2026, 23:00 – Fri, 25 Dec 2026, 01:00",
    );
    const names = { monitors: new Map([[1, "Shop"]]), servers: new Map([[7, "web-1"]]) };
    const of = (monitor_ids: number[], server_ids: number[] = []) =>
      targetsText({ all_monitors: false, monitor_ids, server_ids }, names);
    assert.equal(targetsText(once, names), "All monitors");
    assert.equal(of([1], [7]), "Shop and all on web-1");
    assert.equal(of([1, 2], [7]), "2 monitors and 1 server", "a name is not known");
  });
});

describe("a status page", () => {
  it("has an address made of its name", () => {
    assert.equal(slugOf("Äther & Söhne – Status"), "ather-sohne-status");
    assert.equal(slugOf("الحالة"), "");
    assert.match(slugOf("very long ".repeat(20)), /^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  it("has its monitors in the order that one gives them", () => {
    assert.deepEqual(moved(["a", "b", "c"], 0, 1), ["b", "a", "c"]);
    assert.deepEqual(moved(["a", "b", "c"], 2, 1), ["a", "c", "b"]);
  });
});
