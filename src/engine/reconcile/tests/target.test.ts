import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inSync, syncOfAll, type TargetState } from "../target.ts";

const since = "2026-03-01T10:20:30.123456Z";
const applied: TargetState = {
  wantedVersion: 2,
  appliedVersion: 2,
  givenUpVersion: 0,
  attempts: 0,
  error: null,
  retryAt: null,
  since,
};
const pending = { ...applied, appliedVersion: 1 };
const failing = { ...pending, attempts: 1, error: "Not yet.", retryAt: "2026-03-01T10:21:00.000000Z" };
const failed = { ...pending, givenUpVersion: 2, error: "Never." };

describe("the sync of a record", () => {
  it("is that of its target which is furthest behind, in whichever order they are", () => {
    const order = [failed, failing, pending, applied];
    const states = ["failed", "failing", "pending", "applied"];
    for (const [at, state] of states.entries()) {
      const targets = order.slice(at);
      assert.equal(syncOfAll(targets).state, state);
      assert.equal(syncOfAll(targets.toReversed()).state, state);
    }
    assert.deepEqual(syncOfAll([applied, failing]), {
      state: "failing",
      since,
      error: "Not yet.",
      retry_at: failing.retryAt,
    });
  });

  it("is applied where no server has to follow it", () => assert.deepEqual(syncOfAll([]), inSync));
});
