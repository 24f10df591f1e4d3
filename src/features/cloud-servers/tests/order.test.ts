import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { row, sql } from "../../../db/sql.ts";
import type { Worker } from "../../../engine/queue/worker.ts";
import { periodicTask } from "../../../features.ts";
import { call } from "../../../http/tests/support.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { AppError } from "../../../lib/errors.ts";
import { contentsOf, errorsOf, openStage, type Stage } from "../../servers/tests/support.ts";
import type { StandInCloud } from "./stand-in.ts";
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

let stage: Stage;
let cloud: StandInCloud;
let providerId: number;
let worker: Worker | undefined;

before(async () => {
  stage = await openStage();
  cloud = withCloud(stage);
  providerId = await connect(stage);
});
after(() => stage?.close());

afterEach(async () => {
  await worker?.stop();
  worker = undefined;
  cloud.fault = () => "none";
  cloud.problem = undefined;
  cloud.machines.clear();
  cloud.resources.clear();
  cloud.removals.length = 0;
  await stage.pool.query("delete from servers");
  await stage.pool.query("delete from server_orders");
  await stage.pool.query("delete from workflows");
});

const alice = () => ({ token: stage.cast.alice });
const show = async (id: number) => (await call(stage.app, `GET /api/v1/servers/${id}`, alice())).body.data;
const setup = async (id: number) =>
  (await call(stage.app, `GET /api/v1/servers/${id}/setup-steps?include_steps=true`, alice())).body.data;

describe("an order", () => {
  it("is accepted with 202, a generated name and its price", async () => {
    const reply = await order(stage, orderBody(providerId));
    assert.equal(reply.status, 202, reply.text);
    assert.equal(reply.body.status, "provisioning");
    assert.deepEqual(Object.keys(reply.body).sort(), ["message", "server_id", "status"]);
    const server = await show(reply.body.server_id);
    assert.match(server.name, /^server-[0-9a-f]{6}$/);
    assert.equal(server.server_status, 0);
    assert.equal(server.public_ip, null);
    assert.equal(server.provider_type, "cloud_a");
    assert.equal(server.provider_id, providerId);
    assert.deepEqual(
      [server.monthly_price_net, server.monthly_price_gross, server.price_currency],
      ["5.00", "5.95", "EUR"],
    );
  });

  it("is only checked by a dry run, which has the price", async () => {
    const dryRun = (more: object = {}, name?: string) =>
      call(stage.app, "POST /api/v1/servers?dry_run=1", { ...alice(), body: { ...orderBody(providerId, more), name } });
    await order(stage, orderBody(providerId, { cloud_a_location: "nowhere" }));
    const before = await contentsOf(stage.pool);
    cloud.calls.length = 0;
    const { status, body, text } = await dryRun({}, "web-9");
    assert.equal(status, 200, text);
    assert.deepEqual(body.plan.price, { monthly_price_net: "5.00", monthly_price_gross: "5.95", currency: "EUR" });
    assert.match(body.message, /^web-9 would be ordered from .* for 5\.00 EUR a month without VAT\.$/);
    assert.deepEqual(new Set(cloud.calls), new Set(["checkOrder"]));
    for (const wrong of [{ cloud_a_server_type: "none" }, { cloud_a_location: "nowhere" }, { provider_id: 999 }]) {
      const planned = await dryRun(wrong);
      const real = await order(stage, orderBody(providerId, wrong));
      assert.equal(planned.status, 422, planned.text);
      assert.deepEqual(planned.body, real.body);
    }
    assert.deepEqual(await contentsOf(stage.pool), before);
    assert.deepEqual(cloud.billed, []);
    worker = await startWorker(stage.ctx);
    assert.deepEqual(await ordersOf(stage), []);
  });

  it("ends in a server at 10 with its address and its own host key, and forgets the temporary one", async () => {
    worker = await startWorker(stage.ctx);
    const { body } = await order(stage, orderBody(providerId, { name: "web" }));
    const [placed] = await untilOrders(stage, ["active"]);
    const server = await show(body.server_id);
    assert.equal(server.server_status, 10);
    assert.match(server.public_ip, /^203\.0\./);
    const stored = await row<{ user_data: Buffer | null; host_key: string }>(
      stage.pool,
      sql`
        select o.user_data, s.host_key from server_orders o join servers s on s.id = o.server_id
        where o.id = ${placed?.id ?? 0}
      `,
    );
    assert.equal(stored?.user_data, null);
    assert.match(stored?.host_key ?? "", /^ssh-ed25519 AAAA/);
    assert.deepEqual(cloud.billed, [`server ${[...cloud.machines.keys()][0]}`]);
  });

  it("shows its phases in the setup record before the steps of the setup", async () => {
    const { body } = await order(stage, orderBody(providerId));
    assert.deepEqual([(await setup(body.server_id)).recorded, (await setup(body.server_id)).state], [true, "running"]);
    worker = await startWorker(stage.ctx);
    await untilOrders(stage, ["active"]);
    const record = await setup(body.server_id);
    const { setup: summary } = await show(body.server_id);
    assert.deepEqual(summary, { state: record.state, attention_count: record.attention.length });
    assert.equal(record.phases[0].phase, "order");
    assert.deepEqual(
      record.steps.map(({ key, status }: { key: string; status: string }) => [key, status]),
      [
        ["order-firewall", "skipped"],
        ["order-machine", "completed"],
        ["order-boot", "completed"],
        ["order-address", "skipped"],
        ["order-identity", "completed"],
        ["order-host-key", "completed"],
        ["order-connect", "completed"],
      ],
    );
    await stage.pool.query("update workflows set ended_at = now() - interval '1 year'");
    await periodicTask(stage.ctx, "delete-old-workflows").work(new AbortController().signal);
    assert.deepEqual(await setup(body.server_id), record, "the phases stay with the order");
  });

  it("that the provider refuses deletes what was ordered and reports it", async () => {
    cloud.problem = "the hypervisor caught fire";
    worker = await startWorker(stage.ctx);
    const { body } = await order(stage, orderBody(providerId));
    await untilOrders(stage, ["failed"]);
    assert.deepEqual(cloud.billed, []);
    const server = await show(body.server_id);
    assert.equal(server.server_status, 0);
    assert.equal(server.public_ip, null);
    assert.match(server.connection_error, /the hypervisor caught fire.*Everything that was ordered was deleted/);
    const record = await setup(body.server_id);
    assert.equal(record.state, "failed");
    assert.match(record.error, /caught fire/);
  });

  it("that failed can be placed again for the same server", async () => {
    cloud.problem = "no power";
    worker = await startWorker(stage.ctx);
    const { body } = await order(stage, orderBody(providerId));
    await untilOrders(stage, ["failed"]);
    cloud.problem = undefined;
    const again = await call(stage.app, `POST /api/v1/servers/${body.server_id}/setup/retry`, alice());
    assert.equal(again.status, 202, again.text);
    await untilOrders(stage, ["failed", "active"]);
    assert.equal((await show(body.server_id)).server_status, 10);
    assert.equal(cloud.billed.length, 1);
  });

  it("is refused on the field that the provider's rule is about, before anything is recorded", async () => {
    const refused = async (more: object) => Object.keys(errorsOf(await order(stage, orderBody(providerId, more))));
    assert.deepEqual(await refused({ cloud_a_location: "nowhere" }), ["cloud_a_location"]);
    assert.deepEqual(await refused({ cloud_a_server_type: "huge" }), ["cloud_a_server_type"]);
    assert.deepEqual(await refused({ cloud_a_network: 9 }), ["cloud_a_network"]);
    assert.deepEqual(await refused({ server_os: "ubuntu_22_04" }), ["server_os"]);
    assert.deepEqual(await refused({ snapshot_id: 77 }), ["snapshot_id"]);
    assert.equal((await row(stage.pool, sql`select 1 from servers`)) ?? null, null);
    assert.deepEqual(cloud.billed, []);
  });

  it("of an organization without room is refused before the provider is asked", async () => {
    const theirs = await connect(stage, stage.cast.charlie);
    assert.equal((await order(stage, orderBody(theirs), stage.cast.charlie)).status, 202);
    cloud.calls.length = 0;
    const second = await order(stage, orderBody(theirs), stage.cast.charlie);
    assert.equal(second.status, 403);
    assert.match(second.body.message, /Upgrade/);
    assert.deepEqual(cloud.calls, []);
  });

  it("can be placed by an Owner or Admin with the permission, and through one's own connections only", async () => {
    for (const token of [stage.cast.bob, stage.cast.victor]) {
      assert.equal((await order(stage, orderBody(providerId), token)).status, 403);
    }
    const stranger = await order(stage, orderBody(providerId), stage.cast.charlie);
    assert.deepEqual([stranger.status, Object.keys(errorsOf(stranger))], [422, ["provider_id"]]);
  });
});

describe("deleting a server", () => {
  it("while it is being built cancels the order, and nothing stays at the provider", async () => {
    const { promise: isBooting, resolve } = Promise.withResolvers<void>();
    const makeHostKey = () => {
      resolve();
      return Promise.reject(new AppError("server_unreachable", "It is booting."));
    };
    worker = await startWorker(stage.ctx, { ...pretendedMachines(stage.ctx), makeHostKey });
    const { body } = await order(stage, orderBody(providerId));
    await isBooting;
    assert.equal(cloud.billed.length, 1);
    const reply = await call(stage.app, `DELETE /api/v1/servers/${body.server_id}`, alice());
    assert.equal(reply.status, 200, reply.text);
    assert.match(reply.body.message, /order was cancelled/);
    await untilOrders(stage, ["cancelled"]);
    assert.deepEqual(cloud.billed, []);
  });

  it("waits for a machine whose order had no answer, but not again after each failed attempt", async () => {
    cloud.fault = (method) => (method === "ensureServer" ? "after" : method === "listOrdered" ? "before" : "none");
    worker = await startWorker(stage.ctx);
    const { body } = await order(stage, orderBody(providerId));
    assert.ok(await pollUntil(() => cloud.billed.length > 0, { timeoutMs: 30_000 }));
    await call(stage.app, `DELETE /api/v1/servers/${body.server_id}`, alice());
    assert.ok(await pollUntil(() => cloud.removals.length > 0, { timeoutMs: 30_000 }));
    assert.deepEqual(cloud.removals[0], { isFresh: true, isUncertain: true });
    await stage.pool.query("update workflows set phase_started_at = phase_started_at - interval '61 seconds'");
    cloud.fault = () => "none";
    await untilOrders(stage, ["cancelled"]);
    assert.deepEqual(cloud.removals.at(-1), { isFresh: false, isUncertain: false });
    assert.deepEqual(cloud.billed, []);
  });

  it("deletes its machine, and what cannot be deleted is shown on its order until it is", async () => {
    worker = await startWorker(stage.ctx);
    const { body } = await order(stage, orderBody(providerId));
    const [placed] = await untilOrders(stage, ["active"]);
    cloud.stuck.add("server");
    const reply = await call(stage.app, `DELETE /api/v1/servers/${body.server_id}`, alice());
    assert.match(reply.body.message, /being deleted at the provider; order \d+ shows the progress\./);
    assert.equal((await call(stage.app, `GET /api/v1/servers/${body.server_id}`, alice())).status, 404);
    const read = async () => (await call(stage.app, `GET /api/v1/server-orders/${placed?.id}`, alice())).body.data;
    const shown = await pollUntil(
      async () => {
        const found = await read();
        return found.remaining.length > 0 ? found : undefined;
      },
      { timeoutMs: 60_000 },
    );
    assert.deepEqual([shown?.state, shown?.remaining[0].kind], ["removing", "server"]);
    assert.match(shown?.error, /still has the server/);
    cloud.stuck.clear();
    await untilOrders(stage, ["removed"]);
    assert.deepEqual(cloud.billed, []);
    assert.deepEqual((await read()).remaining, []);
  });

  it("is refused while it is protected, also at the provider", async () => {
    worker = await startWorker(stage.ctx);
    const { body } = await order(stage, orderBody(providerId));
    await untilOrders(stage, ["active"]);
    const path = `/api/v1/servers/${body.server_id}`;
    const protect = (delete_protection: boolean) =>
      call(stage.app, `PUT ${path}`, { ...alice(), body: { delete_protection } });
    assert.equal((await protect(true)).status, 200);
    assert.equal([...cloud.machines.values()][0]?.isProtected, true);
    const refused = await call(stage.app, `DELETE ${path}`, alice());
    assert.equal(refused.status, 422);
    assert.match(refused.body.message, /protected/);
    assert.equal((await protect(false)).status, 200);
    assert.equal((await call(stage.app, `DELETE ${path}`, alice())).status, 200);
    await untilOrders(stage, ["removed"]);
  });
});

describe("what cannot be deleted for a week", () => {
  it("is left, named on the order and announced", async () => {
    const channel = { name: "ops", type: "webhook", target: "https://example.com/hook", on: ["server.not_removed"] };
    await call(stage.app, "POST /api/v1/notification-channels", { ...alice(), body: channel });
    worker = await startWorker(stage.ctx);
    const { body } = await order(stage, orderBody(providerId, { name: "web" }));
    await untilOrders(stage, ["active"]);
    cloud.stuck.add("server");
    await call(stage.app, `DELETE /api/v1/servers/${body.server_id}`, alice());
    await stage.pool.query("update workflows set phase_started_at = now() - interval '8 days' where ended_at is null");
    const isLate = async () => {
      await stage.pool.query(
        "update workflows set phase_started_at = now() - interval '8 days' where ended_at is null",
      );
      return (await ordersOf(stage)).every(({ state }) => state === "left");
    };
    assert.ok(await pollUntil(isLate, { timeoutMs: 30_000, everyMs: 100 }), JSON.stringify(await ordersOf(stage)));
    cloud.stuck.clear();
    const announced = await row<{ text: string }>(
      stage.pool,
      sql`select to_jsonb(a)::text as text from announcements a order by id desc limit 1`,
    );
    assert.match(announced?.text ?? "", /The machine of web could not be deleted/);
    assert.match(announced?.text ?? "", /server \d+ \(Stand-in still has the server/);
  });
});
