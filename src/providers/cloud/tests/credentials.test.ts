import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { credentials } from "../../../../test/clouds/all.ts";
import { refuseB } from "../../../../test/clouds/cloud-b.ts";
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

  it("refuses a token or key without rights that servers need, names them, and makes nothing to find out", async () => {
    const b = await openBench("cloud_b");
    b.clouds.b.isReadOnly = true;
    const key = await failure(b.driver.checkCredentials(b.access));
    assert.equal(key.field, "credentials");
    for (const action of [
      "RunInstances",
      "AllocateAddress",
      "CreateSecurityGroup",
      "AssociateAddress",
      "CreateImage",
    ]) {
      assert.match(key.message, new RegExp(`ec2:${action}\\b`));
    }
    assert.doesNotMatch(key.message, /Describe/);
    b.clouds.b.isReadOnly = false;
    b.clouds.b.denied.add("DescribeVolumes");
    assert.match((await failure(b.driver.checkCredentials(b.access))).message, /: ec2:DescribeVolumes\.$/);
    assert.deepEqual([b.clouds.b.groups.size, b.clouds.b.addresses.size, b.clouds.b.instances.size], [0, 0, 0]);
    await b.clouds.close();

    const c = await openBench("cloud_c");
    const reads = ["account", "regions", "sizes", "image", "droplet", "vpc", "firewall", "reserved_ip", "tag"];
    c.clouds.c.scopes = new Set(reads.map((noun) => `${noun}:read`));
    const token = await failure(c.driver.checkCredentials(c.access));
    assert.equal(token.field, "credentials");
    for (const scope of [
      "droplet:create",
      "droplet:update",
      "droplet:delete",
      "firewall:create",
      "reserved_ip:delete",
    ]) {
      assert.ok(token.message.includes(scope), token.message);
    }
    assert.doesNotMatch(token.message, /:read/);
    const more = ["image", "droplet", "firewall", "reserved_ip"].flatMap((noun) => [
      `${noun}:create`,
      `${noun}:delete`,
    ]);
    c.clouds.c.scopes = new Set([...c.clouds.c.scopes, ...more, "droplet:update", "tag:create"]);
    await c.driver.checkCredentials(c.access);
    assert.deepEqual([c.clouds.c.droplets.size, c.clouds.c.firewalls.size, c.clouds.c.tags.size], [0, 0, 0]);
    await c.clouds.close();
  });

  it("takes a key of cloud_b whose policy allows some regions only", async () => {
    const { driver, access, clouds } = await openBench("cloud_b");
    const answer = clouds.b.answer.bind(clouds.b);
    clouds.b.answer = (asked) => {
      const isFree = /Action=(GetCallerIdentity|DescribeRegions)/.test(asked.body);
      const isElsewhere = !isFree && String(asked.headers.authorization).includes("/us-east-1/ec2/");
      return isElsewhere ? refuseB("UnauthorizedOperation", "No.", 403) : answer(asked);
    };
    await driver.checkCredentials(access);
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
