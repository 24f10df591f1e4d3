import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { FaultKind } from "../../../../test/clouds/faults.ts";
import type { CloudResource, OrderRef } from "../driver.ts";
import {
  addressesAt,
  cases,
  count,
  failure,
  firewallsAt,
  firstBoot,
  impatient,
  openBench,
  owner,
  placeOrder,
  prepareOrder,
  running,
  serversAt,
  withEach,
} from "./support.ts";

const lost: { kind: FaultKind; when: "before" | "after" }[] = [
  { kind: "silent", when: "before" },
  { kind: "silent", when: "after" },
  { kind: "cut", when: "before" },
  { kind: "cut", when: "after" },
  { kind: "broken", when: "before" },
  { kind: "broken", when: "after" },
];

describe("An order", () => {
  it("ends in a running server with an address, our user data and our tags", () =>
    withEach(async (bench) => {
      const { order, server, address } = await placeOrder(bench);
      assert.deepEqual(serversAt(bench), [server.id]);
      assert.equal(server.location, order.location);
      assert.equal(server.serverType, order.serverType);
      assert.equal(server.orderKey, order.key);
      assert.match(address.ip, /^198\.\d+\.\d+\.\d+$/);
      assert.deepEqual(
        bench.machines.booted.map(({ userData, image }) => [userData, image]),
        [[firstBoot, "ubuntu_24_04"]],
      );
    }));

  it("placed again is the same server, firewall and address", () =>
    withEach(async (bench) => {
      const { driver, access } = bench;
      const { order, server, address } = await placeOrder(bench);
      const again = await placeOrder(bench, order.key);
      assert.equal(again.server.id, server.id);
      assert.equal(again.address.id, address.id);
      assert.equal(again.order.firewallId, order.firewallId);
      assert.equal((await driver.ensureServer(access, order)).id, server.id);
      assert.equal(serversAt(bench).length, 1);
      assert.equal(firewallsAt(bench).length, 1);
      assert.equal(bench.machines.booted.length, 1);
    }));

  it("is one server although its answer was lost, before or after the effect", () =>
    withEach(async (bench) => {
      for (const { kind, when } of lost) {
        const order = await prepareOrder(bench);
        bench.cloud.faults.next(bench.case.orderCall, kind, { when });
        const before = serversAt(bench).length;
        const server = await untilPlaced(() => bench.driver.ensureServer(bench.access, order));
        await running(bench, server);
        assert.equal(serversAt(bench).length, before + 1, `${kind} ${when}`);
        assert.equal(bench.machines.booted.length, before + 1, `${kind} ${when}`);
      }
      assert.equal(Object.keys(bench.cloud.faults.counts).length, lost.length);
    }, impatient));

  it("whose answer was lost after the effect is found in the same call", () =>
    withEach(async (bench) => {
      for (const kind of ["silent", "cut", "broken"] as const) {
        const order = await prepareOrder(bench);
        bench.cloud.faults.next(bench.case.orderCall, kind, { when: "after" });
        const server = await bench.driver.ensureServer(bench.access, order);
        assert.equal(server.orderKey, order.key);
      }
      assert.equal(bench.machines.booted.length, 3);
    }, impatient));

  it("is one firewall and one address although the answers were lost", () =>
    withEach(async (bench) => {
      for (const { kind, when } of lost) {
        const addresses = addressesAt(bench).length;
        const key = `lost-${kind}-${when}`;
        bench.cloud.faults.next(bench.case.firewallCall, kind, { when });
        const order = await untilPlaced(() => prepareOrder(bench, key));
        bench.cloud.faults.next(bench.case.addressCall, kind, { when });
        const server = await running(bench, await bench.driver.ensureServer(bench.access, order));
        const serverId = server.id;
        const address = await untilPlaced(() => bench.driver.ensureAddress(bench.access, { ...order, serverId }));
        assert.notEqual(address.ip, "");
        assert.equal(addressesAt(bench).length, addresses + (bench.case.providerType === "cloud_a" ? 0 : 1));
        // Quotas are small.
        await removeAll(bench, order, [address]);
      }
      const expected = bench.case.providerType === "cloud_b" ? 1 : 0;
      assert.equal(firewallsAt(bench).length, expected);
    }, impatient));

  it("leaves one server of cloud_c when a lost order took effect after a second was placed", async () => {
    const bench = await openBench("cloud_c");
    const order = await prepareOrder(bench);
    const first = await bench.driver.ensureServer(bench.access, order);
    const twin = structuredClone(bench.clouds.c.droplets.get(Number(first.id)));
    assert.ok(twin);
    bench.clouds.c.droplets.set(Number(first.id) + 500, { ...twin, id: Number(first.id) + 500 });
    assert.equal((await bench.driver.ensureServer(bench.access, order)).id, first.id);
    assert.deepEqual(serversAt(bench), [first.id]);
    await bench.clouds.close();
  });

  it("leaves one address of cloud_b when a lost allocation took effect after a second was made", async () => {
    const bench = await openBench("cloud_b");
    const { order, server, address } = await placeOrder(bench);
    const first = bench.clouds.b.addresses.get(address.id);
    assert.ok(first);
    bench.clouds.b.addresses.set("eipalloc-0twin", {
      ...first,
      id: "eipalloc-0twin",
      instance: undefined,
      association: undefined,
    });
    const again = await bench.driver.ensureAddress(bench.access, { ...order, serverId: server.id });
    assert.equal(again.id, address.id);
    assert.deepEqual(addressesAt(bench), [address.id]);
    await bench.clouds.close();
  });

  it("of cloud_b with other content under the same key is refused instead of placed", async () => {
    const bench = await openBench("cloud_b");
    const { order } = await placeOrder(bench);
    // The lists do not contain the instance: only the client token protects against a second order.
    bench.clouds.b.lag = 1_000;
    const error = await failure(bench.driver.ensureServer(bench.access, { ...order, userData: "#cloud-config\n" }));
    assert.match(error.message, /IdempotentParameterMismatch/);
    assert.equal(serversAt(bench).length, 1);
    await bench.clouds.close();
  });

  it("reports a server of cloud_b that the provider gave up as failed, with the reason", async () => {
    const bench = await openBench("cloud_b");
    bench.clouds.b.launchFailure = { code: "Client.VolumeLimitExceeded", message: "Volume limit exceeded" };
    const server = await bench.driver.ensureServer(bench.access, await prepareOrder(bench));
    assert.equal(server.state, "failed");
    assert.equal(server.problem, "Volume limit exceeded");
    await bench.clouds.close();
  });

  it("opens the ports that the contract names, with every address allowed", async () => {
    for (const { providerType } of cases) {
      const bench = await openBench(providerType);
      await prepareOrder(bench);
      const { a, b, c } = bench.clouds;
      if (providerType === "cloud_a") {
        const rules = [...a.firewalls.values()][0]?.rules ?? [];
        assert.deepEqual(
          rules.map(({ protocol, port }) => port ?? protocol),
          ["22", "80", "443", "icmp"],
        );
      } else if (providerType === "cloud_b") {
        const rules = [...b.groups.values()][0]?.rules ?? [];
        assert.deepEqual(
          rules.map(({ protocol, port }) => `${protocol} ${port}`),
          ["tcp 22", "tcp 80", "tcp 443", "icmp -1"],
        );
      } else {
        const firewall = [...c.firewalls.values()][0];
        assert.deepEqual(
          ((firewall?.inbound ?? []) as { ports: string }[]).map(({ ports }) => ports),
          ["22", "80", "443"],
        );
        assert.equal(firewall?.outbound.length, 3);
      }
      await bench.clouds.close();
    }
  });

  it("completes the rules of cloud_b's security group after a crash between making it and opening it", async () => {
    const bench = await openBench("cloud_b");
    const {
      driver,
      access,
      case: { request },
    } = bench;
    const ref = { key: "o1", owner, location: request.location, network: request.network };
    bench.clouds.b.denied.add("AuthorizeSecurityGroupIngress");
    await failure(driver.ensureFirewall(access, ref));
    bench.clouds.b.denied.clear();
    const { id } = await driver.ensureFirewall(access, ref);
    assert.equal(bench.clouds.b.groups.get(id)?.rules.length, 4);
    await driver.ensureFirewall(access, ref);
    assert.equal(count(bench, /AuthorizeSecurityGroupIngress/), 2);
    await bench.clouds.close();
  });

  it("refuses keys that could change a name or a filter", async () => {
    const {
      driver,
      access,
      clouds,
      case: { request },
    } = await openBench("cloud_a");
    for (const key of ["", "a,b", "a==b", "A", "1a", "a".repeat(41), "a.b"]) {
      const ref = { key, owner, location: request.location, network: null };
      await assert.rejects(driver.ensureFirewall(access, ref), { code: "configuration" });
    }
    assert.equal(clouds.a.requests.length, 0);
    await clouds.close();
  });
});

/** As a workflow does: retries temporary errors. */
async function untilPlaced<Result>(place: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await place();
    } catch (error) {
      if ((error as { permanent?: boolean }).permanent !== false || attempt === 4) throw error;
    }
  }
}

async function removeAll(
  { driver, access }: Awaited<ReturnType<typeof openBench>>,
  order: OrderRef,
  known: readonly CloudResource[],
): Promise<void> {
  for (let attempt = 0; attempt < 6; attempt += 1) {
    const left = await driver.removeOrder(access, { ...order, known }, async () => undefined);
    if (left.length === 0) return;
  }
  assert.fail("Something is left.");
}
