import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { refuseB, subnetB } from "../../../../test/clouds/cloud-b.ts";
import type { CloudProviderType, OrderField, OrderRequest } from "../driver.ts";
import {
  addressesAt,
  type Bench,
  count,
  failure,
  openBench,
  owner,
  prepareOrder,
  running,
  serversAt,
  withEach,
} from "./support.ts";

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

  it("adds the address to the price of a server of cloud_a, and has no price without that of the address", async () => {
    const { driver, access, cloud, clouds, case: at } = await openBench("cloud_a");
    const quote = await driver.checkOrder(access, at.request);
    assert.deepEqual(quote.monthlyPrice, { net: "3.99", gross: "4.7481", currency: "EUR" });
    for (const pricing of [{ primary_ips: [{ type: "ipv4", prices: [{ location: "hel1" }] }, 7] }, {}]) {
      cloud.override(/pricing/, { status: 200, body: { pricing } });
      const unknown = await driver.checkOrder(access, at.request);
      assert.equal(unknown.monthlyPrice, null);
      assert.match(unknown.priceProblem ?? "", /no price of an IPv4 address in fsn1/);
    }
    await clouds.close();
  });

  it("adds volume and address to the price of a server of cloud_b, and has no price without the price list", async () => {
    const {
      driver,
      access,
      clouds,
      case: { request },
    } = await openBench("cloud_b");
    const prices = await driver.listPrices(access, request.location);
    // 0.012 USD for 730 hours, 20 GB for 0.0952 each, and 0.005 USD for 730 hours, also without a static address.
    for (const useStaticAddress of [true, false]) {
      const quote = await driver.checkOrder(access, { ...request, useStaticAddress }, { prices });
      assert.equal(quote.monthlyPrice?.net, "14.314");
    }
    const unknown = await driver.checkOrder(access, request);
    assert.equal(unknown.monthlyPrice, null);
    assert.match(unknown.priceProblem ?? "", /no price of t3\.micro in eu-central-1/);
    await clouds.close();
  });

  it("adds the guaranteed operations of an io2 volume, and has no price without theirs", async () => {
    const { driver, access, clouds, case: at } = await openBench("cloud_b");
    const { location } = at.request;
    const prices = await driver.listPrices(access, location);
    const io2 = { ...at.request, volume: { sizeGb: 100, type: "io2" } };
    // 8.76 for the server, 100 GB for 0.149 each, 1000 operations for 0.078 each, and 3.65 for the address.
    assert.equal((await driver.checkOrder(access, io2, { prices })).monthlyPrice?.net, "105.31");
    const { operations: _, ...without } = prices;
    const unknown = await driver.checkOrder(access, io2, { prices: without });
    assert.deepEqual(unknown.monthlyPrice, null);
    assert.match(unknown.priceProblem ?? "", /operations of an io2 volume/);
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
      [{ sizeGb: 65_537, type: "gp3" }, "volume_size"],
      [{ sizeGb: 20.5, type: "gp3" }, "volume_size"],
      [null, "volume_size"],
    ];
    for (const [volume, field] of cases) {
      assert.equal((await failure(driver.checkOrder(access, { ...request, volume }))).field, field);
    }
    await driver.checkOrder(access, { ...request, volume: { sizeGb: 20_000, type: "gp3" } });
    await clouds.close();
  });

  it("refuses a snapshot that does not fit: its disk, its architecture, its place, or none at all", async () => {
    const bench = (type: CloudProviderType) => openBench(type, { looksUntilRunning: 1 });
    const [a, b, c] = [await bench("cloud_a"), await bench("cloud_b"), await bench("cloud_c")] as const;
    const big = { cloud_a: "cx33", cloud_b: "t3.small", cloud_c: "s-2vcpu-2gb" };
    const cases: [Bench, Partial<OrderRequest>, OrderField | undefined][] = [
      [a, { serverType: "cx23" }, "server_type"],
      [a, { serverType: "cax11" }, "server_type"],
      [a, { serverType: "cx33", location: "hel1" }, undefined],
      [b, { volume: { sizeGb: 29, type: "gp3" } }, "volume_size"],
      [b, { serverType: "t4g.small", volume: { sizeGb: 30, type: "gp3" } }, "server_type"],
      [b, { location: "us-east-1", network: subnetB("us-east-1", "a") }, "image"],
      [b, { volume: { sizeGb: 30, type: "gp3" } }, undefined],
      [c, { serverType: "s-1vcpu-1gb" }, "server_type"],
      [c, { serverType: "s-2vcpu-2gb", location: "nyc3" }, "image"],
      [c, { serverType: "s-2vcpu-2gb" }, undefined],
    ];
    const images = new Map<Bench, string>();
    for (const each of [a, b, c]) {
      each.case.request = { ...each.case.request, serverType: big[each.case.providerType] };
      if (each === b) each.case.request = { ...each.case.request, volume: { sizeGb: 30, type: "gp3" } };
      images.set(each, await snapshotOf(each));
    }
    for (const [each, change, field] of cases) {
      const request = { ...each.case.request, ...change, image: images.get(each) ?? "" };
      const check = each.driver.checkOrder(each.access, request);
      if (field === undefined) assert.equal((await check).image, request.image);
      else assert.equal((await failure(check)).field, field, JSON.stringify(change));
    }
    for (const each of [a, b, c]) {
      const image = each === b ? "ami-0000000000000dead" : "99999";
      assert.equal(
        (await failure(each.driver.checkOrder(each.access, { ...each.case.request, image }))).field,
        "image",
      );
      await each.clouds.close();
    }
  });

  it("rehearses the address of cloud_b, too, and leaves none behind", async (t) => {
    const bench = await openBench("cloud_b");
    t.after(bench.clouds.close);
    bench.clouds.b.denied.add("AllocateAddress");
    const error = await failure(bench.driver.checkOrder(bench.access, bench.case.request));
    assert.equal(error.field, "credentials");
    await bench.driver.checkOrder(bench.access, { ...bench.case.request, useStaticAddress: false });
    bench.clouds.b.denied.clear();
    await bench.driver.checkOrder(bench.access, bench.case.request);
    assert.deepEqual(addressesAt(bench), []);
  });

  it("does without a quota of addresses that cloud_b does not return", async (t) => {
    const bench = await openBench("cloud_b");
    t.after(bench.clouds.close);
    bench.cloud.override(
      /DescribeAccountAttributes/,
      refuseB("InvalidParameterValue", "vpc-max-elastic-ips is unknown"),
    );
    assert.notEqual((await bench.driver.checkOrder(bench.access, bench.case.request)).image, "");
  });

  it("rehearses an order of cloud_b: a missing permission is refused before anything exists", async (t) => {
    const bench = await openBench("cloud_b");
    t.after(bench.clouds.close);
    bench.clouds.b.denied.add("RunInstances");
    const error = await failure(bench.driver.checkOrder(bench.access, bench.case.request));
    assert.equal(error.field, "credentials");
    assert.equal(count(bench, /RunInstances/), 1);
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

/** The image of a server of the bench's type. */
async function snapshotOf(bench: Bench): Promise<string> {
  const { driver, access } = bench;
  const server = await running(bench, await driver.ensureServer(access, await prepareOrder(bench)));
  let known: string | null = null;
  for (let look = 0; look < 20; look += 1) {
    const image = await driver.ensureImage(access, server, { key: "golden", owner, known });
    if (image.isReady && image.id !== null) return image.id;
    known = image.id;
  }
  return assert.fail("The image was never ready.");
}
