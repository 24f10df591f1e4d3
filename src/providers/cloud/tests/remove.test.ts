import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CloudResource, RemainingResource } from "../driver.ts";
import {
  addressesAt,
  type Bench,
  firewallsAt,
  impatient,
  openBench,
  owner,
  placeOrder,
  prepareOrder,
  serversAt,
  withEach,
} from "./support.ts";

interface Removal {
  attempts: RemainingResource[][];
  saved: CloudResource[];
}

/** As the workflow does: repeats until nothing is left, with the saved resources. */
async function remove({ driver, access }: Bench, order: { key: string; location: string }): Promise<Removal> {
  const removal: Removal = { attempts: [], saved: [] };
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const ref = { key: order.key, owner, location: order.location, known: removal.saved };
    const left = await driver.removeOrder(access, ref, async (resources) => {
      removal.saved = resources;
    });
    removal.attempts.push(left);
    if (left.length === 0) return removal;
  }
  throw new Error(`Left: ${JSON.stringify(removal.attempts.at(-1))}`);
}

describe("Removing an order", () => {
  it("removes server, address, volume and firewall, and repeating it does nothing", () =>
    withEach(async (bench) => {
      const { order } = await placeOrder(bench);
      const { saved } = await remove(bench, order);
      assert.ok(saved.some(({ kind }) => kind === "server"));
      assert.deepEqual(serversAt(bench), []);
      assert.deepEqual(addressesAt(bench), []);
      assert.equal(bench.clouds.b.volumes.size, 0);
      assert.equal(bench.clouds.a.primaryIps.size, 0);
      // The security group of a VPC is shared and free of charge.
      assert.equal(firewallsAt(bench).length, bench.case.providerType === "cloud_b" ? 1 : 0);
      assert.equal(bench.machines.living.size, 0);
      assert.equal((await remove(bench, order)).attempts.length, 1);
    }));

  it("saves all it found before the first resource is removed", () =>
    withEach(async (bench) => {
      const { order } = await placeOrder(bench);
      const stop = new Error("crash");
      let found: CloudResource[] = [];
      const ref = { key: order.key, owner, location: order.location, known: [] };
      const removal = bench.driver.removeOrder(bench.access, ref, async (resources) => {
        found = resources;
        throw stop;
      });
      await assert.rejects(removal, stop);
      assert.equal(serversAt(bench).length, 1);
      assert.ok(found.some(({ kind }) => kind === "address"));
    }));

  it("removes the server first, and what depends on it after that", () =>
    withEach(async (bench) => {
      const { order } = await placeOrder(bench);
      bench.cloud.requests.length = 0;
      await remove(bench, order);
      const removals = bench.cloud.requests.filter((each) => /^DELETE|Terminate|Release|DeleteVolume/.test(each));
      assert.match(removals[0] ?? "", /servers|Terminate|droplets/);
      assert.doesNotMatch(removals.slice(-1)[0] ?? "", /volumes$/);
      const last = { cloud_a: /firewalls/, cloud_b: /Release/, cloud_c: /tags/ }[bench.case.providerType];
      assert.match(removals.at(-1) ?? "", last);
    }));

  it("reports why something is left, and continues with the rest", () =>
    withEach(async (bench) => {
      const { order } = await placeOrder(bench);
      const call = { cloud_a: /^DELETE .*servers/, cloud_b: /TerminateInstances/, cloud_c: /^DELETE .*droplets/ };
      bench.cloud.faults.next(call[bench.case.providerType], "broken", { times: 10 });
      const ref = { key: order.key, owner, location: order.location, known: [] };
      const left = await bench.driver.removeOrder(bench.access, ref, async () => undefined);
      const server = left.find(({ kind }) => kind === "server");
      assert.match(server?.reason ?? "", /timeout|InternalError|Unexpected/);
      assert.ok(left.every(({ reason }) => reason !== ""));
      bench.cloud.faults.clear();
      await remove(bench, order);
      assert.deepEqual(serversAt(bench), []);
    }));

  it("finishes although answers are lost", () =>
    withEach(async (bench) => {
      const { order } = await placeOrder(bench);
      for (const [at, kind] of (["silent", "cut", "broken", "limit"] as const).entries()) {
        bench.cloud.faults.next(/^DELETE|Terminate|Release|DeleteVolume/, kind, {
          when: at % 2 === 0 ? "after" : "before",
        });
      }
      await remove(bench, order);
      assert.deepEqual(serversAt(bench), []);
      assert.deepEqual(addressesAt(bench), []);
    }, impatient));

  it("finds by tag what was never stored", () =>
    withEach(async (bench) => {
      const order = await prepareOrder(bench);
      bench.cloud.faults.next(bench.case.orderCall, "cut", { when: "after" });
      await bench.driver.ensureServer(bench.access, order).catch(() => undefined);
      assert.equal(serversAt(bench).length, 1);
      // Lists of cloud_b lag behind.
      bench.clouds.b.lag = 3;
      await remove(bench, order);
      assert.deepEqual(serversAt(bench), []);
    }));

  it("removes a volume of cloud_b that stayed after its server", async (t) => {
    const bench = await openBench("cloud_b");
    t.after(bench.clouds.close);
    const { order, server } = await placeOrder(bench);
    for (const volume of bench.clouds.b.volumes.values()) volume.isKept = true;
    assert.equal(server.resources[0]?.kind, "volume");
    await remove(bench, order);
    assert.equal(bench.clouds.b.volumes.size, 0);
  });

  it("removes an address of cloud_c whose droplet is gone, because it was saved", async (t) => {
    const bench = await openBench("cloud_c");
    t.after(bench.clouds.close);
    const { order, server, address } = await placeOrder(bench);
    const known: CloudResource[] = [{ kind: "address", id: address.id, location: order.location }];
    bench.clouds.c.droplets.delete(Number(server.id));
    for (const each of bench.clouds.c.reservedIps.values()) each.droplet = null;
    const ref = { key: order.key, owner, location: order.location, known };
    assert.deepEqual(await bench.driver.removeOrder(bench.access, ref, async () => undefined), []);
    assert.deepEqual(addressesAt(bench), []);
  });

  it("touches nothing of another order or installation", () =>
    withEach(async (bench) => {
      const first = await placeOrder(bench);
      const second = await placeOrder(bench);
      await remove(bench, first.order);
      assert.deepEqual(serversAt(bench), [second.server.id]);
      const ref = { key: second.order.key, owner: "ls-other", location: second.order.location, known: [] };
      if (bench.case.providerType !== "cloud_c") {
        await bench.driver.removeOrder(bench.access, ref, async () => undefined);
        assert.deepEqual(serversAt(bench), [second.server.id]);
      }
    }));
});

describe("The sweep", () => {
  it("lists what carries the installation's tag, with order and price", () =>
    withEach(async (bench) => {
      const { driver, access } = bench;
      const { order, server } = await placeOrder(bench);
      const prices = { [order.location]: await driver.listPrices(access, order.location) };
      const resources = await driver.listTagged(access, { owner, prices });
      const found = resources.find(({ kind, id }) => kind === "server" && id === server.id);
      assert.equal(found?.orderKey, order.key);
      assert.equal(found?.location, order.location);
      assert.ok(Number(found?.monthlyPrice?.net) > 3);
      assert.ok(found?.createdAt);
      const firewall = resources.find(({ kind }) => kind === "firewall");
      assert.equal(firewall?.orderKey, bench.case.providerType === "cloud_b" ? null : order.key);
      assert.equal(firewall?.monthlyPrice?.net, "0.00");
      assert.deepEqual(await driver.listTagged(access, { owner: "ls-other" }), []);
    }));

  it("lists addresses and volumes of cloud_b with their prices, in every region of the account", async (t) => {
    const bench = await openBench("cloud_b");
    t.after(bench.clouds.close);
    const { order } = await placeOrder(bench);
    const prices = { [order.location]: await bench.driver.listPrices(bench.access, order.location) };
    const resources = await bench.driver.listTagged(bench.access, { owner, prices });
    const priceOf = (kind: string) => resources.find((each) => each.kind === kind)?.monthlyPrice?.net;
    assert.equal(priceOf("address"), "3.65");
    assert.equal(priceOf("volume"), "1.904");
    assert.deepEqual(await bench.driver.listTagged(bench.access, { owner, locations: ["us-east-1"] }), []);
  });

  it("lists addresses without a server, which have no tag, with their prices", async () => {
    const a = await openBench("cloud_a");
    a.clouds.a.primaryIps.set(5, { id: 5, ip: "198.51.100.7", server: null, location: "fsn1" });
    const c = await openBench("cloud_c");
    c.clouds.c.reservedIps.set("198.51.100.8", { ip: "198.51.100.8", region: "fra1", droplet: null, pending: null });
    for (const [{ driver, access, clouds }, id, price] of [
      [a, "5", "0.50"],
      [c, "198.51.100.8", "5.00"],
    ] as const) {
      const [found, ...more] = await driver.listTagged(access, { owner });
      assert.deepEqual([found?.id, found?.isLoose, found?.monthlyPrice?.net, more], [id, true, price, []]);
      await clouds.close();
    }
  });

  it("prices a server of cloud_a with its address", async (t) => {
    const bench = await openBench("cloud_a");
    t.after(bench.clouds.close);
    await placeOrder(bench);
    const found = await bench.driver.listTagged(bench.access, { owner });
    assert.equal(found.find(({ kind }) => kind === "server")?.monthlyPrice?.net, "3.99");
  });

  it("lists a server whose order was forgotten", () =>
    withEach(async (bench) => {
      const order = await prepareOrder(bench, "forgotten");
      const { id } = await bench.driver.ensureServer(bench.access, order);
      const look = async () =>
        (await bench.driver.listTagged(bench.access, { owner })).filter(({ kind }) => kind === "server");
      await look();
      assert.deepEqual(
        (await look()).map((each) => [each.id, each.orderKey]),
        [[id, "forgotten"]],
      );
    }));
});
