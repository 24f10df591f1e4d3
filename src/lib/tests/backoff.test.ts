import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { backoffMs, requestedWaitMs } from "../backoff.ts";
import { AppError } from "../errors.ts";

describe("the delay between attempts", () => {
  it("doubles from the first to the longest, however many attempts there were", () => {
    const delays = [0, 1, 2, 3, 4, 5, 5_000].map((attempts) => backoffMs(attempts, { firstMs: 100, longestMs: 900 }));
    assert.deepEqual(delays, [100, 100, 200, 400, 800, 900, 900]);
  });

  it("is randomized between the bounds of its jitter", () => {
    const backoff = { firstMs: 100, longestMs: 900, jitter: [0.5, 1] } as const;
    assert.deepEqual(
      [0, 0.5, 1].map((random) => backoffMs(2, backoff, random)),
      [100, 150, 200],
    );
  });
});

describe("the wait that an outside service requested", () => {
  it("is that of the error, and 0 for an error without one", () => {
    assert.equal(requestedWaitMs(new AppError("unavailable", "It is busy.", { retryAfterMs: 5_000 })), 5_000);
    assert.equal(requestedWaitMs(new AppError("unavailable", "It is busy.")), 0);
    assert.equal(requestedWaitMs(new Error("a bug")), 0);
  });
});
