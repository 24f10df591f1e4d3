import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { call } from "../../../http/tests/support.ts";
import { type CloudType, cloudTypes } from "../../servers/schema.ts";
import { openStage, type Stage } from "../../servers/tests/support.ts";
import { bodyOf, connectTo, withFakes } from "./fakes.ts";
import { order, ordersOf, startWorker, untilOrders } from "./support.ts";

// The same as storm.test.ts, with the real drivers: HTTP faults, before and after the provider's effect.

let stage: Stage;
let fakes: Awaited<ReturnType<typeof withFakes>>;

before(async () => {
  stage = await openStage();
  fakes = await withFakes(stage, { looksUntilRunning: 1 });
});
after(async () => {
  await fakes?.clouds.close();
  await stage?.close();
});

const ordersOfEach = 100;
// Each has its own call limits: this test is about faults, and bench/clouds.ts about limits.
const connectionsOfEach = 20;

async function placeAll(): Promise<number[]> {
  const ids: number[] = [];
  for (const type of cloudTypes) {
    const providers: number[] = [];
    for (let count = 0; count < connectionsOfEach; count++) providers.push(await connectTo(stage, type));
    ids.push(...(await placeOf(type, providers)));
  }
  return ids;
}

/** At all connections at once, and at each in turn. */
async function placeOf(type: CloudType, providers: readonly number[]): Promise<number[]> {
  const placed = providers.map(async (providerId) => {
    const ids: number[] = [];
    while (ids.length < ordersOfEach / providers.length) {
      const reply = await order(stage, bodyOf(type, providerId));
      assert.equal(reply.status, 202, reply.text);
      ids.push(reply.body.server_id);
    }
    return ids;
  });
  return (await Promise.all(placed)).flat();
}

describe("300 orders at three providers with faults at every call", () => {
  it("leave no orphan and no machine twice, and each record reports what happened", { timeout: 900_000 }, async () => {
    // Some orders of cloud_b reach its quota of addresses after their machine was created.
    fakes.clouds.b.addressLimit = 80;
    const ids = await placeAll();
    for (const [at, fake] of fakes.fakes.entries())
      fake.faults.seed(11 + at, { limit: 3, broken: 5, silent: 2, cut: 5 });
    const worker = await startWorker(stage.ctx);
    for (const id of ids.filter((_, at) => at % 10 === 0)) {
      await call(stage.app, `DELETE /api/v1/servers/${id}`, { token: stage.cast.alice });
    }
    const orders = await untilOrders(stage, ["active", "failed", "cancelled", "removed", "left"], 800_000);
    await worker.stop();
    for (const fake of fakes.fakes) fake.faults.clear();
    const active = orders.filter(({ state }) => state === "active").map(({ key }) => key);
    const tagged = (await fakes.listTagged()).filter(({ orderKey }) => orderKey !== null);
    const servers = tagged.filter(({ kind }) => kind === "server").map(({ orderKey }) => orderKey);
    assert.deepEqual(servers.toSorted(), active.toSorted(), "one machine for each active order, and none else");
    assert.deepEqual(
      tagged.filter(({ orderKey }) => !active.includes(orderKey ?? "")),
      [],
      "nothing is left of the others",
    );
    const boots = fakes.machines.booted.map(({ userData }) => userData);
    assert.equal(new Set(boots).size, boots.length, "nothing was ordered twice");
    const why = Object.entries(
      Object.groupBy(
        orders.filter(({ state }) => state === "failed"),
        ({ error }) => error ?? "",
      ),
    ).map(([error, some]) => `${some?.length} ${error}`);
    assert.ok(active.length > 220, `${active.length} stand; ${why.join("; ")}`);
    for (const { state, error } of await ordersOf(stage)) if (state === "failed") assert.ok(error, "it has a reason");
  });
});
