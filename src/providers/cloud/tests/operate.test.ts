import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Bench, failure, openBench, owner, placeOrder, prepareOrder, running, withEach } from "./support.ts";

describe("A server that exists", () => {
  it("is gone, and no error, when it does not exist any more", () =>
    withEach(async ({ driver, access, case: { request, providerType } }) => {
      const id = providerType === "cloud_b" ? "i-00000000000000dead" : "99999";
      assert.equal((await driver.getServer(access, { id, location: request.location })).state, "gone");
    }));

  it("is switched off, resized and switched on", () =>
    withEach(async (bench) => {
      const { driver, access } = bench;
      const { server } = await placeOrder(bench);
      await failure(driver.resize(access, server, bench.case.biggerType));
      await driver.powerOff(access, server);
      assert.equal((await driver.getServer(access, server)).state, "stopped");
      await driver.resize(access, server, bench.case.biggerType);
      await driver.resize(access, server, bench.case.biggerType);
      await driver.powerOn(access, server);
      const { state, serverType } = await driver.getServer(access, server);
      assert.deepEqual([state, serverType], ["running", bench.case.biggerType]);
    }));

  it("is not removed while it is protected, where the provider protects", () =>
    withEach(async (bench) => {
      const { driver, access } = bench;
      const { order, server } = await placeOrder(bench);
      if (!driver.hasDeleteProtection) {
        assert.match((await failure(driver.setDeleteProtection(access, server, true))).message, /no delete protection/);
        return;
      }
      await driver.setDeleteProtection(access, server, true);
      const ref = { key: order.key, owner, location: order.location, known: [] };
      const left = await driver.removeOrder(access, ref, async () => undefined);
      assert.match(left.find(({ kind }) => kind === "server")?.reason ?? "", /protected|may not be terminated/);
      await driver.setDeleteProtection(access, server, false);
      if (bench.case.providerType === "cloud_a") {
        bench.cloud.failing.push({ command: "change_protection", problem: "the host is full" });
        assert.match((await failure(driver.setDeleteProtection(access, server, true))).message, /host is full/);
      }
      await driver.removeOrder(access, ref, async () => undefined);
    }));

  it("keeps its disk, and shows it, when it is resized up and back", () =>
    withEach(async (bench) => {
      const { driver, access, case: at } = bench;
      const { server } = await placeOrder(bench);
      await driver.powerOff(access, server);
      const { diskGb } = await driver.getServer(access, server);
      for (const type of [at.biggerType, at.request.serverType]) {
        await driver.resize(access, server, type);
        const resized = await driver.getServer(access, server);
        assert.deepEqual([resized.serverType, resized.diskGb], [type, diskGb]);
      }
      assert.equal(diskGb === null || diskGb === undefined, at.providerType === "cloud_b");
    }));

  it("keeps its type when the action fails later, and shows the reason if there is one", async () => {
    for (const [providerType, command] of [
      ["cloud_a", "change_type"],
      ["cloud_c", "resize"],
    ] as const) {
      const bench = await openBench(providerType);
      const { driver, access } = bench;
      const { server } = await placeOrder(bench);
      await driver.powerOff(access, server);
      bench.cloud.failing.push({ command, problem: "the host is full" });
      const action = await driver.resize(access, server, bench.case.biggerType);
      assert.ok(action);
      const states = [await driver.findAction(access, server, action), await driver.findAction(access, server, action)];
      assert.deepEqual(
        states.map((each) => each?.state),
        ["running", "failed"],
      );
      assert.match(states[1]?.problem ?? "", providerType === "cloud_a" ? /host is full/ : /action resize failed/);
      assert.equal((await driver.getServer(access, server)).serverType, bench.case.request.serverType);
      assert.equal(await driver.findAction(access, server, "424242"), undefined);
      await bench.clouds.close();
    }
  });

  it("of cloud_b is not rebooted for an image", async (t) => {
    const bench = await openBench("cloud_b");
    t.after(bench.clouds.close);
    const { server } = await placeOrder(bench);
    const rebooted: string[] = [];
    bench.machines.reboot = async (name) => void rebooted.push(name);
    await readyImage(bench, server);
    assert.deepEqual(rebooted, []);
  });

  it("of cloud_b shows why a start without capacity ended", async (t) => {
    const bench = await openBench("cloud_b");
    t.after(bench.clouds.close);
    const { server } = await placeOrder(bench);
    await bench.driver.powerOff(bench.access, server);
    assert.equal((await bench.driver.getServer(bench.access, server)).problem, null);
    bench.cloud.failing.push({ command: "start", problem: "" });
    await bench.driver.powerOn(bench.access, server);
    const { state, problem } = await bench.driver.getServer(bench.access, server);
    assert.equal(state, "stopped");
    assert.match(problem ?? "", /Insufficient capacity/);
  });

  it("becomes one image, which servers are ordered with and which is removed", () =>
    withEach(async (bench) => {
      const { driver, access, machines } = bench;
      const { server, order } = await placeOrder(bench);
      const image = await readyImage(bench, server);
      assert.equal(await readyImage(bench, server), image);
      const resources = await driver.listTagged(access, { owner });
      assert.deepEqual(
        resources.filter(({ kind }) => kind === "image").map(({ id, orderKey }) => [id, orderKey]),
        [[image, "golden"]],
      );
      const second = { ...(await prepareOrder(bench)), image };
      await running(bench, await driver.ensureServer(access, second));
      assert.equal(machines.booted.at(-1)?.image, image);
      await driver.removeImage(access, { id: image, location: order.location });
      await driver.removeImage(access, { id: image, location: order.location });
      assert.ok(!(await driver.listTagged(access, { owner })).some(({ kind }) => kind === "image"));
    }));
});

async function readyImage({ driver, access }: Bench, server: { id: string; location: string }): Promise<string> {
  for (let look = 0; look < 10; look += 1) {
    const { id, isReady } = await driver.ensureImage(access, server, { key: "golden", owner });
    if (isReady && id !== null) return id;
  }
  return assert.fail("The image was never ready.");
}

describe("A driver", () => {
  it("stops when it is asked to", async () => {
    const { driver, access, cloud, clouds } = await openBench("cloud_a", { timeoutMs: 60_000 });
    cloud.faults.next(/locations/, "silent");
    const stop = new AbortController();
    const call = driver.listLocations({ ...access, signal: stop.signal });
    const failed = assert.rejects(call, { name: "AbortError" });
    while (cloud.requests.length === 0) await new Promise(setImmediate);
    stop.abort();
    await failed;
    await clouds.close();
  });
});
