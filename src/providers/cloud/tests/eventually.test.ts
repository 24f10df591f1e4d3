import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { refuseA } from "../../../../test/clouds/cloud-a.ts";
import { refuseB } from "../../../../test/clouds/cloud-b.ts";
import { refuseC } from "../../../../test/clouds/cloud-c.ts";
import { CloudError, type CloudResource } from "../driver.ts";
import { ensure } from "../ensure.ts";
import {
  addressesAt,
  type Bench,
  count,
  failure,
  openBench,
  owner,
  placeOrder,
  prepareOrder,
  running,
  serversAt,
  withEach,
} from "./support.ts";

// Hosts of a provider learn about a new resource one after the other: for a while some refuse its id, and lists lack it.

describe("An id that the provider returned a moment ago", () => {
  it("of cloud_b's security group is asked for again, when its rules and when its server are made", async (t) => {
    const bench = await openBench("cloud_b");
    t.after(bench.clouds.close);
    bench.clouds.b.freshLag = 3;
    const { server } = await placeOrder(bench);
    assert.deepEqual(serversAt(bench), [server.id]);
    assert.equal([...bench.clouds.b.groups.values()][0]?.rules.length, 4);
    assert.equal(count(bench, /AuthorizeSecurityGroupIngress/), 4);
    assert.equal(count(bench, /AssociateAddress/), 4);
    assert.equal(addressesAt(bench).length, 1);
  });

  it("of cloud_b's instance may be unknown to the host that attaches the address", async (t) => {
    const bench = await openBench("cloud_b");
    t.after(bench.clouds.close);
    const order = await prepareOrder(bench);
    const server = await running(bench, await bench.driver.ensureServer(bench.access, order));
    bench.cloud.override(/AssociateAddress/, refuseB("InvalidInstanceID.NotFound", "The instance does not exist"), 5);
    await bench.driver.ensureAddress(bench.access, { ...order, serverId: server.id });
    assert.equal([...bench.clouds.b.addresses.values()][0]?.instance, server.id);
  });

  it("of a firewall may be unknown to the host that makes the server of cloud_a", async (t) => {
    const bench = await openBench("cloud_a");
    t.after(bench.clouds.close);
    const order = await prepareOrder(bench);
    const fields = { fields: [{ name: "firewalls", messages: ["not found"] }] };
    bench.cloud.override(bench.case.orderCall, refuseA(422, "invalid_input", "invalid firewall", fields), 2);
    bench.cloud.override(bench.case.orderCall, refuseA(404, "not_found", "firewall not found"), 2);
    await bench.driver.ensureServer(bench.access, order);
    assert.equal(serversAt(bench).length, 1);
  });

  it("of a droplet or a tag may be unknown to the host that makes its address or firewall at cloud_c", async (t) => {
    const bench = await openBench("cloud_c");
    t.after(bench.clouds.close);
    const tag = refuseC(422, "unprocessable_entity", "tag longshore-o1 does not exist");
    bench.cloud.override(bench.case.firewallCall, tag, 2);
    bench.cloud.override(bench.case.firewallCall, refuseC(404, "not_found", "The tag was not found."), 2);
    bench.clouds.c.addressLag = 4;
    const { address } = await placeOrder(bench);
    assert.deepEqual(addressesAt(bench), [address.id]);
  });

  it("counts as missing after a minute", async (t) => {
    const bench = await openBench("cloud_b");
    t.after(bench.clouds.close);
    bench.clouds.b.freshLag = 1_000;
    const error = await failure(prepareOrder(bench));
    assert.deepEqual([error.code, error.permanent], ["not_found", true]);
  });

  it("is asked for at most once when something else was refused", async (t) => {
    const bench = await openBench("cloud_b");
    t.after(bench.clouds.close);
    const order = await prepareOrder(bench);
    bench.cloud.override(/^POST RunInstances/, refuseB("VcpuLimitExceeded", "No."));
    await failure(bench.driver.ensureServer(bench.access, order));
    assert.equal(count(bench, /RunInstances/), 2);
  });
});

describe("A lost answer and a list that lags behind", () => {
  it("make no second droplet of cloud_c, although a dozen lists lack the first", async (t) => {
    const bench = await openBench("cloud_c");
    t.after(bench.clouds.close);
    const order = await prepareOrder(bench);
    bench.clouds.c.lag = 12;
    bench.cloud.faults.next(bench.case.orderCall, "broken", { when: "after" });
    const server = await bench.driver.ensureServer(bench.access, order);
    assert.deepEqual(serversAt(bench), [server.id]);
    assert.equal(count(bench, bench.case.orderCall), 1);
  });

  it("make no second address of cloud_b", async (t) => {
    const bench = await openBench("cloud_b");
    t.after(bench.clouds.close);
    const order = await prepareOrder(bench);
    const server = await running(bench, await bench.driver.ensureServer(bench.access, order));
    bench.clouds.b.addressLag = 10;
    bench.cloud.faults.next(bench.case.addressCall, "cut", { when: "after" });
    await bench.driver.ensureAddress(bench.access, { ...order, serverId: server.id });
    assert.equal(addressesAt(bench).length, 1);
  });

  it("make no second image of cloud_a, with and without the answer to the first", async (t) => {
    const bench = await openBench("cloud_a", { looksUntilRunning: 20, timeoutMs: 10_000 });
    t.after(bench.clouds.close);
    const server = await bench.driver.ensureServer(bench.access, await prepareOrder(bench));
    bench.clouds.a.imageLag = 12;
    bench.cloud.faults.next(/create_image/, "cut", { when: "after" });
    const { id: known } = await bench.driver.ensureImage(bench.access, server, { key: "golden", owner });
    bench.clouds.a.imageLag = 1_000;
    await bench.driver.ensureImage(bench.access, server, { key: "golden", owner, known });
    assert.equal(bench.clouds.a.images.size, 1);
  });

  it("are no failure when the name proves that it exists, but are looked for again later", () =>
    withEach(async (bench) => {
      const { providerType } = bench.case;
      const order = await prepareOrder(bench);
      const ref = { key: order.key, owner, location: order.location, network: order.network };
      const lists = { cloud_a: /^GET .*firewalls$/, cloud_b: /DescribeSecurityGroups/, cloud_c: /^GET .*firewalls$/ };
      const pagination = { next_page: null };
      const empty = {
        cloud_a: { status: 200, body: { firewalls: [], meta: { pagination } } },
        cloud_b: {
          status: 200,
          body: "<DescribeSecurityGroupsResponse><securityGroupInfo/></DescribeSecurityGroupsResponse>",
        },
        cloud_c: { status: 200, body: { firewalls: [] } },
      };
      bench.cloud.override(lists[providerType], empty[providerType], 1_000);
      const error = await failure(bench.driver.ensureFirewall(bench.access, ref));
      assert.equal(error.permanent, false, error.message);
      bench.cloud.overrides.length = 0;
      assert.equal((await bench.driver.ensureFirewall(bench.access, ref)).id, order.firewallId);
    }));
});

describe("An order without an answer", () => {
  it("stays open when the looks for it are refused", async () => {
    const access = { credentials: {} };
    const lost = new CloudError("unavailable", "The connection was closed.", { isUncertain: true });
    for (const refusal of [{ retryAfterMs: 30_000 }, { permanent: true }, {}]) {
      let looks = 0;
      const find = async () => {
        looks += 1;
        if (looks > 1) throw new CloudError("unavailable", "Too many calls.", refusal);
        return undefined;
      };
      const error = await failure(
        ensure({ access, options: { baseUrls: {}, pauseMs: 1 } }, { find, make: () => Promise.reject(lost) }),
      );
      assert.equal(error, lost);
      assert.ok(looks <= 3, String(looks));
    }
  });
});

describe("A removal soon after the order", () => {
  const remove = async ({ driver, access }: Bench, ref: { key: string; location: string; known: CloudResource[] }) => {
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const left = await driver.removeOrder(access, { ...ref, owner, isFresh: true }, async () => undefined);
      if (left.length === 0) return;
    }
    assert.fail("Something is left.");
  };

  it("waits for a server that reads do not show yet", async () => {
    for (const [providerType, lag] of [
      ["cloud_b", 8],
      ["cloud_c", 12],
    ] as const) {
      const bench = await openBench(providerType);
      const order = await prepareOrder(bench);
      bench.clouds.b.lag = lag;
      bench.clouds.c.lag = lag;
      const { id } = await bench.driver.ensureServer(bench.access, order);
      const { key, location } = order;
      await remove(bench, { key, location, known: [{ kind: "server", id, location }] });
      assert.deepEqual(serversAt(bench), [], providerType);
      await bench.clouds.close();
    }
  });

  it("waits for a server whose order had no answer", async (t) => {
    const bench = await openBench("cloud_c");
    t.after(bench.clouds.close);
    const { key, location, ...order } = await prepareOrder(bench);
    bench.clouds.c.lag = 15;
    const twin = bench.driver.ensureServer(bench.access, { ...order, key, location });
    await twin;
    const ref = { key, location, owner, known: [], isFresh: true, isUncertain: true };
    assert.deepEqual(await bench.driver.removeOrder(bench.access, ref, async () => undefined), []);
    assert.deepEqual(serversAt(bench), []);
  });

  it("passes over a look that fails while it waits, but not over an outage", async (t) => {
    const bench = await openBench("cloud_c");
    t.after(bench.clouds.close);
    const { key, location, ...order } = await prepareOrder(bench);
    bench.clouds.c.lag = 9;
    await bench.driver.ensureServer(bench.access, { ...order, key, location });
    const ref = { key, location, owner, known: [], isFresh: true, isUncertain: true };
    const remove = () => bench.driver.removeOrder(bench.access, ref, async () => undefined);
    const attemptsOfLook = 4;
    bench.cloud.faults.next(/^GET .*droplets/, "broken", { times: 2 * attemptsOfLook });
    assert.equal((await failure(remove())).permanent, false);
    assert.equal(serversAt(bench).length, 1);
    bench.cloud.faults.next(/^GET .*droplets/, "broken", { times: attemptsOfLook });
    assert.deepEqual(await remove(), []);
    assert.deepEqual(serversAt(bench), []);
  });

  it("removes an address that is listed late", async (t) => {
    const bench = await openBench("cloud_b");
    t.after(bench.clouds.close);
    const { order } = await placeOrder(bench);
    for (const address of bench.clouds.b.addresses.values()) address.looks = 0;
    bench.clouds.b.addressLag = 1;
    await remove(bench, { key: order.key, location: order.location, known: [] });
    assert.deepEqual(addressesAt(bench), []);
  });

  it("is over at once for what the provider has shown", () =>
    withEach(async (bench) => {
      const { order, server } = await placeOrder(bench);
      bench.cloud.requests.length = 0;
      const known: CloudResource[] = [{ kind: "server", id: server.id, location: order.location }];
      await remove(bench, { key: order.key, location: order.location, known });
      assert.ok(bench.cloud.requests.length < 30, String(bench.cloud.requests.length));
    }));

  it("leaves no tag of the order at cloud_c", async (t) => {
    const bench = await openBench("cloud_c");
    t.after(bench.clouds.close);
    const { order } = await placeOrder(bench);
    assert.ok(bench.clouds.c.tags.has(`longshore-${order.key}`));
    await remove(bench, { key: order.key, location: order.location, known: [] });
    assert.ok(!bench.clouds.c.tags.has(`longshore-${order.key}`));
  });
});

describe("A server that vanishes while it is built", () => {
  it("of cloud_a is gone for the reason of its action", async (t) => {
    const bench = await openBench("cloud_a");
    t.after(bench.clouds.close);
    const { id, location, action } = await bench.driver.ensureServer(bench.access, await prepareOrder(bench));
    bench.clouds.a.vanish(Number(id), "the image could not be copied");
    await bench.driver.getServer(bench.access, { id, location, action });
    const server = await bench.driver.getServer(bench.access, { id, location, action });
    assert.deepEqual([server.state, server.problem], ["gone", "the image could not be copied (action_failed)"]);
  });
});
