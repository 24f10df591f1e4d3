import assert from "node:assert/strict";
import { test } from "node:test";
import { countsOf } from "../src/pages/overview/count-list.ts";
import { kindText } from "../src/pages/overview/kind-text.ts";
import { queueText } from "../src/pages/overview/running-text.ts";
import { snoozes } from "../src/pages/overview/snoozes.ts";

test("the place in the queue is in words", () => {
  assert.equal(queueText({ waits_for: 0 }, "web-1"), "Next on web-1");
  assert.equal(queueText({ waits_for: 1 }, "web-1"), "After 1 other on web-1");
  assert.equal(queueText({ waits_for: 12 }, "web-1"), "After 12 others on web-1");
  assert.equal(queueText({ waits_for: null }, "web-1"), "on web-1");
  assert.equal(queueText({ waits_for: 2 }, null), "After 2 others");
});

test("a kind of a later version reads as words", () => {
  assert.equal(kindText("backup_failed"), "Backup failed");
  assert.equal(kindText("server_disk_filling"), "Disk is filling");
});

test("a snooze ends in the future, at most 90 days from now", () => {
  for (const now of [new Date(2026, 1, 28, 8, 59), new Date(2026, 11, 31, 23, 59), new Date(2026, 2, 29, 1, 30)]) {
    const untils = snoozes(now).map(({ until }) => until.getTime() - now.getTime());
    assert.ok(untils.every((ms) => ms > 0 && ms <= 90 * 86_400_000));
    assert.deepEqual(
      untils,
      untils.toSorted((a, b) => a - b),
    );
  }
});

test("counts leave out what is well, and what the account may not see", () => {
  const servers = { total: 3, ready: 2, installing: 0, provisioning: 0, unreachable: 1 };
  assert.deepEqual(countsOf({ projects: null, servers, monitors: null, deployments: null }, 7), [
    {
      ...{ label: "Servers", total: 3, href: "/o/7/servers" },
      parts: [{ word: "unreachable", count: 1, tone: "bad", href: "/o/7/servers?state=unreachable" }],
    },
  ]);
});
