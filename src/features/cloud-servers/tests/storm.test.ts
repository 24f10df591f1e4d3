import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { rows, sql } from "../../../db/sql.ts";
import { enqueueWorkflow } from "../../../engine/workflow/start.ts";
import { call } from "../../../http/tests/support.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { openStage, type Stage } from "../../servers/tests/support.ts";
import type { Machines } from "../machine.ts";
import type { Fault, StandInCloud } from "./stand-in.ts";
import {
  connect,
  order,
  orderBody,
  ordersOf,
  pretendedMachines,
  startWorker,
  untilOrders,
  withCloud,
} from "./support.ts";

// Many concurrent orders at a provider that fails in every way: nothing is ordered twice, every billed resource is in a record,
// and each record has the outcome of its order.

let stage: Stage;
let cloud: StandInCloud;
let providerIds: number[];

before(async () => {
  stage = await openStage();
  cloud = withCloud(stage);
  // Orders through the same connection share its calls; several connections keep the test short.
  providerIds = await Promise.all(Array.from({ length: 20 }, () => connect(stage)));
});
after(() => stage?.close());

/** Numbers that are the same in each run of the test (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Every call can fail before or after its effect, and orders can be refused. */
function faults(random: () => number): (method: string) => Fault {
  return (method) => {
    if (method === "readCatalogue" || method === "listLocations" || method === "checkOrder") return "none";
    const drawn = random();
    if (method === "ensureServer" && drawn < 0.1) return "refused";
    if (drawn < 0.15) return "before";
    return drawn < 0.3 ? "after" : "none";
  };
}

const settled = ["active", "failed", "cancelled", "removed", "left"];

async function placeAll(count: number): Promise<number[]> {
  const replies = await Promise.all(
    Array.from({ length: count }, (_, at) => order(stage, orderBody(providerIds[at % 20] as number))),
  );
  assert.deepEqual([...new Set(replies.map(({ status }) => status))], [202]);
  return replies.map(({ body }) => body.server_id);
}

/** The provider has exactly what is in the records, machine by machine. */
async function assertAllAccountedFor(): Promise<void> {
  const orders = await ordersOf(stage);
  const active = orders.filter(({ state }) => state === "active").map(({ key }) => key);
  const billed = [...cloud.resources.values()].map(({ key }) => key);
  assert.deepEqual(billed.toSorted(), active.toSorted(), "what is billed is what is active");
  assert.deepEqual(
    [...cloud.machinesEver.values()].filter((times) => times > 1),
    [],
    "nothing was ordered twice",
  );
  for (const { state, error } of orders) {
    if (state === "failed") assert.match(error ?? "", /no capacity/);
  }
  const servers = await rows<{ server_status: number; connection_error: string | null; state: string }>(
    stage.pool,
    sql`
      select s.server_status, s.connection_error, o.state from servers s join server_orders o on o.server_id = s.id
    `,
  );
  for (const { server_status, connection_error, state } of servers) {
    if (state === "active") assert.equal(server_status, 10);
    else assert.match(connection_error ?? "", /no capacity.*Everything that was ordered was deleted/);
  }
}

describe("300 orders at once with faults at every call", () => {
  it("leave no orphan and no machine twice, and each record reports what happened", { timeout: 400_000 }, async () => {
    const random = seeded(20_261_123);
    const worker = await startWorker(stage.ctx);
    cloud.fault = faults(random);
    const ids = await placeAll(300);
    // Some are deleted while they are being built, and some after that.
    for (const id of ids.filter((_, at) => at % 10 === 0)) {
      const { status } = await call(stage.app, `DELETE /api/v1/servers/${id}`, { token: stage.cast.alice });
      assert.equal(status, 200);
    }
    const orders = await untilOrders(stage, settled, 300_000);
    await worker.stop();
    cloud.fault = () => "none";
    await assertAllAccountedFor();
    const counts = Object.groupBy(orders, ({ state }) => state);
    assert.ok((counts.active?.length ?? 0) > 150, "most stand");
    assert.ok((counts.failed?.length ?? 0) > 10, "some were refused");
    const deleted = orders.filter(({ server_id }) => server_id === null);
    assert.equal(deleted.length, 30);
    assert.deepEqual(
      deleted.filter(({ state }) => state === "active" || state === "left"),
      [],
      "the deleted ones are gone",
    );
    assert.ok((counts.cancelled?.length ?? 0) + (counts.removed?.length ?? 0) > 10, "some were deleted with a machine");
  });
});

describe("workers that die at any line", () => {
  it("are taken over: 40 orders end as one machine each or none", { timeout: 400_000 }, async () => {
    await stage.pool.query("delete from servers");
    await stage.pool.query("delete from server_orders");
    for (const known of [cloud.machines, cloud.resources, cloud.machinesEver]) known.clear();
    const random = seeded(7);
    cloud.fault = faults(random);
    const workers = [await startWorker(stage.ctx, slowMachines(stage, random)), await startWorker(stage.ctx)];
    await placeAll(40);
    let deaths = 0;
    const areSettled = async () => {
      if ((await ordersOf(stage)).every(({ state }) => settled.includes(state))) return true;
      deaths += await killHolders(stage);
      return false;
    };
    assert.ok(await pollUntil(areSettled, { timeoutMs: 300_000, everyMs: 400 }), JSON.stringify(await ordersOf(stage)));
    for (const worker of workers) await worker.stop();
    cloud.fault = () => "none";
    assert.ok(deaths > 20, `${deaths} deaths`);
    await assertAllAccountedFor();
  });
});

/**
 * Takes every workflow from the process that holds it, at any point: earlier calls have their effect, and nothing that the
 * process does afterwards is stored. To the database this looks like a killed process. Returns the number taken.
 */
async function killHolders({ ctx, pool }: Stage): Promise<number> {
  const killed = await rows<{ id: number }>(
    pool,
    sql`
      update workflows set lease_token = null, lease_until = null where lease_token is not null and random() < 0.7
      returning id
    `,
  );
  const open = await rows<{ id: number }>(pool, sql`select id from workflows where ended_at is null`);
  for (const { id } of open) await enqueueWorkflow(pool, ctx.queue, id);
  return killed.length;
}

/** Machines that take a while, so that kills hit every phase. */
function slowMachines({ ctx }: Stage, random: () => number): Machines {
  const machines = pretendedMachines(ctx);
  const slow = () => new Promise<void>((resolve) => setTimeout(resolve, random() * 500));
  return {
    makeHostKey: (placed, server) => slow().then(() => machines.makeHostKey(placed, server)),
    showHostKey: (placed, server) => slow().then(() => machines.showHostKey(placed, server)),
    beginSetup: (server) => slow().then(() => machines.beginSetup(server)),
  };
}
