import assert from "node:assert/strict";
import { test } from "node:test";
import { reportsOf } from "../src/pages/shell/deployment-report.ts";

const ended = (id: number, status: 1 | 2) => ({
  ...{ id, status, process_type: "deployment" as const, duration: 8 },
  project: { id: 5, name: "Shop" },
});

test("one that ended is named, with the time it took", () => {
  assert.deepEqual(reportsOf(7, [ended(1, 1)]), [
    { text: "Deployed Shop in 8 s", tone: "ok", link: { href: "/o/7/deployments/1", label: "Show" } },
  ]);
});

test("one that failed says so", () => {
  assert.equal(reportsOf(7, [ended(1, 2)])[0]?.tone, "bad");
});

test("many at once are one report, which leads to those that failed", () => {
  const reports = reportsOf(7, [ended(1, 1), ended(2, 2), ended(3, 1)]);
  assert.deepEqual(reports, [
    {
      text: "3 deployments have ended, 1 failed",
      tone: "bad",
      link: { href: "/o/7/deployments?status=failed", label: "Show" },
    },
  ]);
  assert.deepEqual(reportsOf(7, []), []);
});
