import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { subnetB } from "../../../../test/clouds/cloud-b.ts";
import type { OrderField, OrderRequest } from "../driver.ts";
import { count, failure, openBench, serversAt, withEach } from "./support.ts";

describe("Checking an order", () => {
  it("names image and price, and orders nothing", () =>
    withEach(async (bench) => {
      const {
        driver,
        access,
        case: { request },
      } = bench;
      const prices = await driver.listPrices(access, request.location);
      const quote = await driver.checkOrder(access, request, { prices });
      assert.notEqual(quote.image, "");
      assert.equal(quote.architecture, "x86");
      assert.equal(quote.monthlyPrice?.currency, driver.currency);
      assert.deepEqual(serversAt(bench), []);
    }));

  it("adds the volume to the price of a server of cloud_b, and has no price without the price list", async () => {
    const {
      driver,
      access,
      clouds,
      case: { request },
    } = await openBench("cloud_b");
    const prices = await driver.listPrices(access, request.location);
    // 0.012 USD for 730 hours, and 20 GB for 0.0952 each.
    assert.equal((await driver.checkOrder(access, request, { prices })).monthlyPrice?.net, "10.664");
    assert.equal((await driver.checkOrder(access, request)).monthlyPrice, null);
    const io2 = { ...request, volume: { sizeGb: 20, type: "io2" } };
    assert.equal((await driver.checkOrder(access, io2, { prices })).monthlyPrice, null);
    await clouds.close();
  });

  it("refuses what the provider does not have, on the field", () =>
    withEach(async (bench) => {
      const {
        driver,
        access,
        case: { request, otherNetwork },
      } = bench;
      const bad: [Partial<OrderRequest>, OrderField][] = [
        [{ location: bench.case.providerType === "cloud_b" ? "xx-east-9" : "mars1" }, "location"],
        [{ serverType: "huge.99" }, "server_type"],
        [{ network: otherNetwork }, "network"],
        [{ volume: request.volume ? { sizeGb: 19, type: "gp3" } : { sizeGb: 50, type: "gp3" } }, "volume_size"],
      ];
      for (const [change, field] of bad) {
        const error = await failure(driver.checkOrder(access, { ...request, ...change }));
        assert.equal(error.field, field, error.message);
        assert.equal(error.permanent, true);
      }
      assert.deepEqual(serversAt(bench), []);
    }));

  it("refuses a type that is sold elsewhere only, and one without capacity with that reason", async () => {
    const elsewhere = { cloud_a: "cpx11", cloud_b: "m7i.large", cloud_c: "s-4vcpu-8gb" };
    const soldOut = { cloud_a: "cx53", cloud_b: "", cloud_c: "c-32" };
    await withEach(async ({ driver, access, case: { request, providerType } }) => {
      const error = await failure(driver.checkOrder(access, { ...request, serverType: elsewhere[providerType] }));
      assert.equal(error.field, "server_type");
      if (soldOut[providerType] === "") return;
      const full = await failure(driver.checkOrder(access, { ...request, serverType: soldOut[providerType] }));
      assert.match(full.message, /no capacity/);
    });
  });

  it("takes a type of cloud_b in the zone of the subnet", async () => {
    const {
      driver,
      access,
      clouds,
      case: { request },
    } = await openBench("cloud_b");
    const inB = { ...request, serverType: "m7i.large", network: subnetB("eu-central-1", "b") };
    await driver.checkOrder(access, inB);
    await clouds.close();
  });

  it("refuses volumes of cloud_b of an unknown type, too big, or missing", async () => {
    const {
      driver,
      access,
      clouds,
      case: { request },
    } = await openBench("cloud_b");
    const cases: [OrderRequest["volume"], OrderField][] = [
      [{ sizeGb: 20, type: "st1" }, "volume_type"],
      [{ sizeGb: 16_385, type: "gp2" }, "volume_size"],
      [{ sizeGb: 20.5, type: "gp3" }, "volume_size"],
      [null, "volume_size"],
    ];
    for (const [volume, field] of cases) {
      assert.equal((await failure(driver.checkOrder(access, { ...request, volume }))).field, field);
    }
    await clouds.close();
  });

  it("rehearses an order of cloud_b: a missing permission is refused before anything exists", async () => {
    const bench = await openBench("cloud_b");
    bench.clouds.b.denied.add("RunInstances");
    const error = await failure(bench.driver.checkOrder(bench.access, bench.case.request));
    assert.equal(error.field, "credentials");
    assert.equal(count(bench, /RunInstances/), 1);
    await bench.clouds.close();
  });

  it("refuses when the account has its limit of servers or addresses, where that can be read", async () => {
    const c = await openBench("cloud_c", { serverLimit: 0 });
    assert.equal((await failure(c.driver.checkOrder(c.access, c.case.request))).field, "server_type");
    await c.clouds.close();
    for (const providerType of ["cloud_b", "cloud_c"] as const) {
      const bench = await openBench(providerType);
      bench.clouds.b.addressLimit = 0;
      bench.clouds.c.addressLimit = 0;
      const {
        driver,
        access,
        case: { request },
      } = bench;
      assert.equal((await failure(driver.checkOrder(access, request))).field, "static_address");
      await driver.checkOrder(access, { ...request, useStaticAddress: false });
      await bench.clouds.close();
    }
  });
});
