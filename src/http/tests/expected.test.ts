import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ChangedSince, refuseChanged } from "../expected.ts";

const isAccepted = (expectedUpdatedAt: string | undefined, updated_at: string): boolean => {
  try {
    refuseChanged({ expectedUpdatedAt }, { updated_at });
    return true;
  } catch (error) {
    assert.ok(error instanceof ChangedSince);
    return false;
  }
};

describe("the time at which a record was seen", () => {
  const shown = "2026-03-01T10:20:30.123456Z";

  it("is compared to the microsecond", () => {
    assert.ok(isAccepted(shown, shown));
    assert.ok(isAccepted("2026-03-01T10:20:30.123456+00:00", shown));
    assert.ok(!isAccepted("2026-03-01T10:20:30.123457Z", shown));
    assert.ok(!isAccepted("2026-03-01T10:20:30.123456Z", "2026-03-01T10:20:31.123456Z"));
    assert.ok(!isAccepted("2026-03-02T10:20:30.123456Z", shown));
  });

  it("may be cut to milliseconds, and no further", () => {
    assert.ok(isAccepted(new Date(shown).toISOString(), shown));
    assert.ok(isAccepted("2026-03-01T10:20:30.999Z", "2026-03-01T10:20:30.999999Z"));
    assert.ok(!isAccepted("2026-03-01T10:20:30.124Z", shown));
    assert.ok(!isAccepted("2026-03-01T10:20:30.12Z", shown));
    assert.ok(!isAccepted("2026-03-01T10:20:30Z", shown));
  });

  it("is a whole second where records show seconds", () => {
    assert.ok(isAccepted("2026-03-01 10:20:30", "2026-03-01 10:20:30"));
    assert.ok(isAccepted("2026-03-01T10:20:30Z", "2026-03-01 10:20:30"));
    assert.ok(isAccepted("2026-03-01T10:20:30.000Z", "2026-03-01 10:20:30"));
    assert.ok(!isAccepted("2026-03-01 10:20:31", "2026-03-01 10:20:30"));
  });

  it("need not be sent", () => assert.ok(isAccepted(undefined, shown)));
});
