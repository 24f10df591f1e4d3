import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { subnetB } from "../../../../test/clouds/cloud-b.ts";
import { type CloudCatalogue, cloudSystems } from "../driver.ts";
import { type Bench, failure, openBench, withEach } from "./support.ts";

async function readCatalogue({ driver, access, case: { request } }: Bench): Promise<CloudCatalogue> {
  const { location } = request;
  return driver.readCatalogue(access, location, await driver.listPrices(access, location));
}

describe("A catalogue", () => {
  it("lists the locations with their countries", () =>
    withEach(async ({ driver, access, case: { request } }) => {
      const locations = await driver.listLocations(access);
      const location = locations.find(({ id }) => id === request.location);
      assert.equal(location?.country, "DE");
      assert.ok(locations.length >= 2);
    }));

  it("has the types of a location with their prices, and images of every system", () =>
    withEach(async (bench) => {
      const { request } = bench.case;
      const { serverTypes, images, location } = await readCatalogue(bench);
      assert.equal(location, request.location);
      const type = serverTypes.find(({ name }) => name === request.serverType);
      assert.ok(type);
      assert.match(type.monthlyPrice.net, /^\d+\.\d{2,4}$/);
      assert.equal(type.monthlyPrice.currency, bench.driver.currency);
      assert.equal(type.diskGb === null, bench.driver.volumeRules !== null);
      for (const system of cloudSystems) {
        assert.ok(images.some(({ serverOs, architecture }) => serverOs === system && architecture === "x86"));
      }
      assert.equal(JSON.stringify(JSON.parse(JSON.stringify({ serverTypes }))), JSON.stringify({ serverTypes }));
    }));

  it("has net and gross prices of cloud_a, and monthly ones of cloud_b's hours", async () => {
    const a = await openBench("cloud_a");
    const cx23 = (await readCatalogue(a)).serverTypes.find(({ name }) => name === "cx23");
    assert.deepEqual(cx23?.monthlyPrice, { net: "3.49", gross: "4.1531", currency: "EUR" });
    await a.clouds.close();
    const b = await openBench("cloud_b");
    const micro = (await readCatalogue(b)).serverTypes.find(({ name }) => name === "t3.micro");
    assert.deepEqual(micro?.monthlyPrice, { net: "8.76", gross: "8.76", currency: "USD" });
    await b.clouds.close();
  });

  it("omits what is sold out, expired or without a price, with the reason", async () => {
    const reasons: Record<string, RegExp> = {
      cx11: /not sold/,
      cx53: /no capacity/,
      "x9.new": /no price/,
      "c-32": /no capacity/,
    };
    await withEach(async (bench) => {
      const { omitted, serverTypes } = await readCatalogue(bench);
      assert.ok(omitted.length > 0);
      for (const { name, reason } of omitted) {
        assert.match(reason, reasons[name] ?? /never/);
        assert.ok(!serverTypes.some((type) => type.name === name));
      }
    });
  });

  it("omits all types of cloud_b with a reason when the key may not read prices", async () => {
    const bench = await openBench("cloud_b");
    bench.clouds.b.denied.add("pricing");
    const { serverTypes, omitted } = await readCatalogue(bench);
    assert.equal(serverTypes.length, 0);
    assert.match(omitted[0]?.reason ?? "", /may not read prices/);
    await bench.clouds.close();
  });

  it("finds cloud_b's images by owner and name when the key may not read the parameters", async () => {
    const bench = await openBench("cloud_b");
    const published = (await readCatalogue(bench)).images.map(({ id }) => id).sort();
    bench.clouds.b.denied.add("ssm");
    assert.deepEqual((await readCatalogue(bench)).images.map(({ id }) => id).sort(), published);
    await bench.clouds.close();
  });

  it("has cloud_b's networks with their subnets, and fails when they cannot be read", async () => {
    const bench = await openBench("cloud_b");
    const [vpc] = (await readCatalogue(bench)).networks;
    assert.deepEqual(
      vpc?.subnets.map(({ id, zone }) => [id, zone]),
      [
        [subnetB("eu-central-1", "a"), "eu-central-1a"],
        [subnetB("eu-central-1", "b"), "eu-central-1b"],
      ],
    );
    bench.clouds.b.denied.add("DescribeSubnets");
    const error = await failure(readCatalogue(bench));
    assert.match(error.message, /does not permit/);
    assert.doesNotMatch(error.message, /Encoded/);
    await bench.clouds.close();
  });

  it("refuses an unknown location on its field", () =>
    withEach(async ({ driver, access }) => {
      for (const location of ["xx-west-9", "169.254.169.254/", "fsn1.evil.example#"]) {
        const error = await failure(driver.readCatalogue(access, location));
        assert.ok(error.field === "location" || /\(OptInRequired\)/.test(error.message), error.message);
      }
    }));
});
