import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { credentials } from "../../../../test/clouds/all.ts";
import { cloudProviderTypes } from "../driver.ts";
import { driverFor } from "../drivers.ts";
import { failure, openBench, withEach } from "./support.ts";

describe("Checking credentials", () => {
  it("takes those of the account", () =>
    withEach(async ({ driver, access }) => {
      assert.notEqual((await driver.checkCredentials(access)).account, "");
    }));

  it("refuses wrong ones on their field, without repeating the call or quoting them", () =>
    withEach(async (bench) => {
      const { driver, cloud, case: at } = bench;
      const wrong = Object.fromEntries(
        Object.entries(credentials[at.providerType]).map(([name, value]) => [name, value.replace(/[a-zA-Z]$/, "0")]),
      );
      const error = await failure(driver.checkCredentials({ credentials: wrong }));
      assert.equal(error.field, "credentials");
      assert.equal(error.permanent, true);
      assert.equal(cloud.requests.length, 1);
      for (const value of Object.values(wrong)) assert.ok(!error.message.includes(value), error.message);
    }));

  it("refuses a token that may only read, and makes nothing to find out", async () => {
    const { driver, access, clouds } = await openBench("cloud_a");
    clouds.a.isReadOnly = true;
    const error = await failure(driver.checkCredentials(access));
    assert.equal(error.field, "credentials");
    assert.match(error.message, /only read/);
    assert.equal(clouds.a.firewalls.size, 0);
    await clouds.close();
  });

  it("refuses malformed, missing and unknown fields before anything is sent, without quoting them", () => {
    for (const providerType of cloudProviderTypes) {
      const driver = driverFor(providerType, { baseUrls: {} });
      assert.deepEqual(driver.parseCredentials(credentials[providerType]), credentials[providerType]);
      const [name = ""] = Object.keys(credentials[providerType]);
      const cases = [{}, { ...credentials[providerType], more: "x" }, { [name]: "se cret" }, { [name]: 7 }];
      for (const given of cases) {
        assert.throws(
          () => driver.parseCredentials(given),
          (error: Error & { field?: string }) => error.field === "credentials" && !error.message.includes("se cret"),
        );
      }
    }
  });
});
