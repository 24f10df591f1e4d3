import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { subnetB } from "../../../../test/clouds/cloud-b.ts";
import type { SkippedItem } from "../driver.ts";
import { type Bench, failure, openBench, owner, placeOrder, prepareOrder, withEach } from "./support.ts";

/** The catalogue, and what was reported as left out. */
async function read({ driver, access, case: { request } }: Bench) {
  const reported: SkippedItem[] = [];
  const noting = { ...access, onSkipped: (item: SkippedItem) => reported.push(item) };
  const prices = await driver.listPrices(access, request.location);
  return { catalogue: await driver.readCatalogue(noting, request.location, prices), reported };
}

const odd = {
  cloud_a: {
    server_types: [{ id: 900, name: "cq77", cores: "many" }],
    images: [{ id: 901, name: null, os_flavor: 7 }],
    networks: [{ id: 902, subnets: null }, "nothing"],
    locations: [{ name: "orbit1" }],
  },
  cloud_b: {
    instanceTypeSet: [{ instanceType: "q9.quantum", vCpuInfo: "" }],
    vpcSet: [{ vpcId: "vpc-0odd" }],
    subnetSet: [{ subnetId: "subnet-0odd", vpcId: "vpc-0odd" }, { subnetId: "subnet-0more" }],
  },
  cloud_c: {
    sizes: [{ slug: "q-1", memory: "all" }],
    images: [{ id: 77, name: 7 }],
    vpcs: [{ id: "0e5a0b7f-1d52-4c32-8a6d-6a6d2c1f1a11" }],
    regions: [{ slug: "orb1" }],
  },
};

describe("Entries of another form in a list", () => {
  it("hide nothing else of a location, and are reported", () =>
    withEach(async (bench) => {
      const before = (await read(bench)).catalogue;
      const lists: Record<string, unknown[]> = odd[bench.case.providerType];
      Object.assign(bench.cloud.odd, lists);
      const { catalogue, reported } = await read(bench);
      const { omitted, skipped = [], ...same } = catalogue;
      const { omitted: omittedBefore, skipped: _, ...rest } = before;
      assert.deepEqual(same, rest);
      assert.equal(omitted.length, omittedBefore.length + 1);
      assert.match(omitted.find(({ name }) => /^(cq77|q9|q-1)/.test(name))?.reason ?? "", /another form/);
      assert.deepEqual(skipped, reported);
      assert.deepEqual([...new Set(skipped.map(({ list }) => list))].sort(), Object.keys(lists).sort());
      await bench.driver.listLocations(bench.access);
      const prices = await bench.driver.listPrices(bench.access, bench.case.request.location);
      await bench.driver.checkOrder(bench.access, bench.case.request, { prices });
      await placeOrder(bench);
    }));

  it("are no failure when they are subnets without IPv4 or addresses without a public one", async (t) => {
    const bench = await openBench("cloud_b");
    t.after(bench.clouds.close);
    const vpcId = (await read(bench)).catalogue.networks[0]?.id ?? "";
    bench.cloud.odd.subnetSet = [
      { subnetId: "subnet-0six", vpcId, availabilityZone: "eu-central-1a", ipv6Native: true, tagSet: [] },
    ];
    bench.cloud.odd.addressesSet = [{ allocationId: "eipalloc-0carrier", carrierIp: "198.51.100.9", domain: "vpc" }];
    const { catalogue } = await read(bench);
    assert.ok(!catalogue.networks.flatMap(({ subnets }) => subnets).some(({ id }) => id === "subnet-0six"));
    assert.deepEqual(catalogue.skipped, []);
    await bench.driver.checkOrder(bench.access, bench.case.request);
    const network = "subnet-0six";
    const error = await failure(bench.driver.checkOrder(bench.access, { ...bench.case.request, network }));
    assert.equal(error.field, "network");
  });

  it("of a look-up of our own resources are a failure: one that is not seen would be ordered again", async () => {
    for (const [providerType, list] of [
      ["cloud_a", "servers"],
      ["cloud_c", "droplets"],
    ] as const) {
      const bench = await openBench(providerType);
      const order = await prepareOrder(bench);
      bench.cloud.odd[list] = [{ id: "x" }];
      const error = await failure(bench.driver.ensureServer(bench.access, order));
      assert.deepEqual([error.code, error.permanent], ["unavailable", false]);
      await bench.clouds.close();
    }
  });

  it("do not hide others from the sweep", () =>
    withEach(async (bench) => {
      const { server } = await placeOrder(bench);
      const lists = { cloud_a: ["servers", "primary_ips"], cloud_b: ["volumeSet"], cloud_c: ["droplets", "firewalls"] };
      for (const list of lists[bench.case.providerType]) bench.cloud.odd[list] = [{ id: "odd", volumeId: "odd" }];
      const skipped: SkippedItem[] = [];
      const onSkipped = (item: SkippedItem) => skipped.push(item);
      const found = await bench.driver.listTagged({ ...bench.access, onSkipped }, { owner });
      assert.ok(found.some(({ kind, id }) => kind === "server" && id === server.id));
      assert.ok(skipped.length > 0);
    }));

  it("of images that are not published are found by owner and name", async (t) => {
    const bench = await openBench("cloud_b");
    t.after(bench.clouds.close);
    const before = (await read(bench)).catalogue.images.map(({ id }) => id).sort();
    const path = "/aws/service/canonical/ubuntu/server/24.04/stable/current/amd64/hvm/ebs-gp3/ami-id";
    bench.clouds.b.unpublished.add(path);
    assert.deepEqual((await read(bench)).catalogue.images.map(({ id }) => id).sort(), before);
  });

  it("do not stop an order into another subnet", async (t) => {
    const bench = await openBench("cloud_b");
    t.after(bench.clouds.close);
    bench.cloud.odd.subnetSet = [{ subnetId: "subnet-0odd" }];
    const request = { ...bench.case.request, network: subnetB("eu-central-1", "b") };
    assert.notEqual((await bench.driver.checkOrder(bench.access, request)).image, "");
  });
});
