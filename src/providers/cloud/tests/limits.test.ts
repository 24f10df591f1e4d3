import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type CallLimit, type CallLimits, CloudError } from "../driver.ts";
import { failure, openBench, prepareOrder, withEach } from "./support.ts";

/** Call limits that record what is taken from them. */
function recording() {
  const taken: CallLimit[][] = [];
  const blocked: [string, number][] = [];
  const callLimits: CallLimits = {
    take: async (limits) => void taken.push([...limits]),
    block: async ({ bucket }, forMs) => void blocked.push([bucket, forMs]),
  };
  return { callLimits, taken, blocked };
}

describe("The call limits of a connection", () => {
  it("are asked for every call that is sent, repeated ones too", () =>
    withEach(async ({ driver, access, cloud }) => {
      const { callLimits, taken } = recording();
      cloud.faults.next(/./, "cut");
      await driver.listLocations({ ...access, callLimits });
      assert.equal(taken.length, cloud.requests.length);
      assert.equal(taken.length, 2);
    }));

  it("have the provider's documented limits", async () => {
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

  it("of cloud_b are separate for each region and kind of call", async () => {
    const bench = await openBench("cloud_b");
    const { callLimits, taken } = recording();
    await prepareOrder({ ...bench, access: { ...bench.access, callLimits } });
    const buckets = new Set(taken.flat().map(({ bucket }) => bucket));
    for (const bucket of ["read eu-central-1", "read us-east-1", "change eu-central-1", "run eu-central-1"]) {
      assert.ok(buckets.has(bucket), `${bucket} of ${[...buckets]}`);
    }
    await bench.clouds.close();
  });

  it("reject a call whose turn is too far away, and it is not sent", () =>
    withEach(async ({ driver, access, cloud }) => {
      const far = new CloudError("unavailable", "Try again in 60 seconds.", { retryAfterMs: 60_000 });
      const callLimits = { ...recording().callLimits, take: () => Promise.reject(far) };
      assert.equal(await failure(driver.listLocations({ ...access, callLimits })), far);
      assert.equal(cloud.requests.length, 0);
    }));

  it("are blocked when the provider refuses a call for its limit", async () => {
    const { driver, access, cloud, clouds } = await openBench("cloud_c");
    const { callLimits, blocked } = recording();
    cloud.faults.next(/./, "limit");
    await driver.listLocations({ ...access, callLimits });
    assert.deepEqual(blocked, [["minute", 1_000]]);
    await clouds.close();
  });
});
