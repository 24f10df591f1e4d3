import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CallAllowance, CallLimit } from "../driver.ts";
import { failure, openBench, prepareOrder, withEach } from "./support.ts";

/** An allowance that records what is taken from it. */
function recording(waits: number[] = []) {
  const taken: CallLimit[][] = [];
  const blocked: [string, number][] = [];
  const allowance: CallAllowance = {
    take: async (limits) => {
      const wait = waits.shift() ?? 0;
      if (wait === 0) taken.push([...limits]);
      return wait;
    },
    block: async ({ bucket }, forMs) => void blocked.push([bucket, forMs]),
  };
  return { allowance, taken, blocked };
}

describe("The allowance of a connection", () => {
  it("is asked for every call that is sent, repeated ones too", () =>
    withEach(async ({ driver, access, cloud }) => {
      const { allowance, taken } = recording();
      cloud.faults.next(/./, "cut");
      await driver.listLocations({ ...access, allowance });
      assert.equal(taken.length, cloud.requests.length);
      assert.equal(taken.length, 2);
    }));

  it("has the provider's documented limits", async () => {
    const expected = {
      cloud_a: ["hour 3600"],
      cloud_b: ["read 80", "change 40", "run 5", "prices 5"],
      cloud_c: ["minute 250", "hour 5000"],
    };
    await withEach(async ({ driver, case: { providerType } }) => {
      const limits = driver.limits.map(({ bucket, capacity }) => `${bucket} ${capacity}`);
      assert.deepEqual(limits, expected[providerType]);
    });
  });

  it("of cloud_b is separate for each region and kind of call", async () => {
    const bench = await openBench("cloud_b");
    const { allowance, taken } = recording();
    await prepareOrder({ ...bench, access: { ...bench.access, allowance } });
    const buckets = new Set(taken.flat().map(({ bucket }) => bucket));
    for (const bucket of ["read eu-central-1", "read us-east-1", "change eu-central-1", "run eu-central-1"]) {
      assert.ok(buckets.has(bucket), `${bucket} of ${[...buckets]}`);
    }
    await bench.clouds.close();
  });

  it("is waited for when it is near, and reported with its time when it is far", () =>
    withEach(async ({ driver, access, cloud }) => {
      const near = recording([5, 5]);
      await driver.listLocations({ ...access, allowance: near.allowance });
      assert.equal(cloud.requests.length, 1);
      const far = recording([60_000]);
      const error = await failure(driver.listLocations({ ...access, allowance: far.allowance }));
      assert.deepEqual([error.permanent, error.retryAfterMs], [false, 60_000]);
      assert.equal(cloud.requests.length, 1);
    }));

  it("is blocked when the provider refuses a call for its limit", async () => {
    const { driver, access, cloud, clouds } = await openBench("cloud_c");
    const { allowance, blocked } = recording();
    cloud.faults.next(/./, "limit");
    await driver.listLocations({ ...access, allowance });
    assert.deepEqual(blocked, [["minute", 1_000]]);
    await clouds.close();
  });
});
