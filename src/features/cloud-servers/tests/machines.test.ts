import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { row, rows, sql } from "../../../db/sql.ts";
import type { Worker } from "../../../engine/queue/worker.ts";
import { call, restrict } from "../../../http/tests/support.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { CloudError } from "../../../providers/cloud/driver.ts";
import { addServer, errorsOf, openStage, type Stage } from "../../servers/tests/support.ts";
import { sweepSchedule } from "../sweeping/sweeper.ts";
import type { StandInCloud } from "./stand-in.ts";
import { connect, order, orderBody, ordersOf, startWorker, untilOrders, withCloud } from "./support.ts";

let stage: Stage;
let cloud: StandInCloud;
let worker: Worker;
let providerId: number;
let serverId: number;

before(async () => {
  stage = await openStage();
  cloud = withCloud(stage);
  worker = await startWorker(stage.ctx);
  providerId = await connect(stage);
});
after(async () => {
  await worker?.stop();
  await stage?.close();
});

beforeEach(async () => {
  cloud.fault = () => "none";
  for (const table of ["server_snapshots", "servers", "server_orders", "workflows", "cloud_orphans"]) {
    await stage.pool.query(`delete from ${table}`);
  }
  for (const known of [cloud.machines, cloud.resources, cloud.images, cloud.soldOut]) known.clear();
  cloud.failing = undefined;
  serverId = (await order(stage, orderBody(providerId, { name: "web" }))).body.server_id;
  await untilOrders(stage, ["active"]);
});

const alice = () => ({ token: stage.cast.alice });
const get = async (path: string, token = stage.cast.alice) => call(stage.app, `GET /api/v1/${path}`, { token });
const resize = (server_type: string, token = stage.cast.alice) =>
  call(stage.app, `POST /api/v1/servers/${serverId}/resize`, { token, body: { server_type } });
/**
 * The end of a resize. The pretended machine does not shut down from inside, so the provider switches it off, here without the
 * wait.
 */
const resizeEnded = () =>
  pollUntil(
    async () => {
      await stage.pool.query(
        "update workflows set data = data || jsonb_build_object('askedAt', 0) where data ? 'askedAt' and ended_at is null",
      );
      return row<{ state: string; error: string | null }>(
        stage.pool,
        sql`
          select state, error from workflows where kind = 'resize-server'
            and not exists (select 1 from workflows where kind = 'resize-server' and ended_at is null)
          order by id desc limit 1
        `,
      );
    },
    { timeoutMs: 60_000, everyMs: 100 },
  );

/** The machine's type and state, the type of its order, and the price of its server. */
async function recorded() {
  const [machine] = cloud.machines.values();
  const [order] = (await get("server-orders")).body.data;
  const { data } = (await get("server-costs")).body;
  assert.equal(data.servers[0].monthly_price_net, order.monthly_price_net);
  return [machine?.serverType, machine?.state, order.server_type, order.monthly_price_net];
}

describe("a resize", () => {
  it("stops the machine, changes its type, starts it, and changes its price", async () => {
    const reply = await resize("big");
    assert.equal(reply.status, 202, reply.text);
    assert.deepEqual(await resizeEnded(), { state: "succeeded", error: null });
    const [machine] = cloud.machines.values();
    assert.deepEqual([machine?.serverType, machine?.state], ["big", "running"]);
    const { data } = (await get(`servers/${serverId}`)).body;
    assert.deepEqual([data.monthly_price_net, data.monthly_price_gross], ["20.00", "23.80"]);
  });

  it("that the provider refuses leaves the machine running as it was", async () => {
    cloud.fault = (method) => (method === "resize" ? "refused" : "none");
    await resize("big");
    const ended = await resizeEnded();
    assert.deepEqual([ended?.state, ended?.error], ["failed", "Stand-in has no capacity left."]);
    const [machine] = cloud.machines.values();
    assert.deepEqual([machine?.serverType, machine?.state], ["small", "running"]);
    assert.equal((await get(`servers/${serverId}`)).body.data.monthly_price_net, "5.00");
  });

  it("whose action fails later leaves the machine running as it was, and the records with its type", async () => {
    cloud.failing = "the host has no room";
    await resize("big");
    const ended = await resizeEnded();
    assert.equal(ended?.state, "failed");
    assert.match(ended?.error ?? "", /did not change the type to big: the host has no room\. It is small still\./);
    assert.deepEqual(await recorded(), ["small", "running", "small", "5.00"]);
  });

  it("to a type without capacity at the start goes back to the former one, and starts it", async () => {
    cloud.soldOut.add("big");
    await resize("big");
    const ended = await resizeEnded();
    assert.equal(ended?.state, "failed");
    assert.match(ended?.error ?? "", /no capacity for big/);
    assert.deepEqual(await recorded(), ["small", "running", "small", "5.00"]);
  });

  it("that can neither continue nor return leaves the machine running, and the records with its type", async () => {
    // The change succeeds, and then neither the start nor the way back.
    cloud.fault = (method) => {
      const [machine] = cloud.machines.values();
      return method === "resize" && machine?.serverType === "big" ? "refused" : "none";
    };
    let starts = 0;
    cloud.onStart = () => {
      starts += 1;
      if (starts === 1) throw new CloudError("refused", "Stand-in is full.", { permanent: true });
    };
    await resize("big");
    assert.equal((await resizeEnded())?.state, "failed");
    cloud.onStart = () => undefined;
    assert.deepEqual(await recorded(), ["big", "running", "big", "20.00"]);
  });

  it("back to a smaller type is possible while the machine has its first disk, and refused with a bigger one", async () => {
    await resize("big");
    await resizeEnded();
    const back = await resize("small");
    assert.equal(back.status, 202, back.text);
    assert.equal((await resizeEnded())?.state, "succeeded");
    assert.deepEqual(await recorded(), ["small", "running", "small", "5.00"]);
    const [machine] = cloud.machines.values();
    Object.assign(machine ?? {}, { serverType: "big", diskGb: 80 });
    assert.match(errorsOf(await resize("small")).server_type ?? "", /disk of small has 40 GB, and the server's has 80/);
  });

  it("is refused for a type that is not sold, and the type that the machine has", async () => {
    assert.match(errorsOf(await resize("huge")).server_type ?? "", /does not sell huge/);
    assert.match(errorsOf(await resize("small")).server_type ?? "", /already/);
    // A record that is wrong does not decide.
    await stage.pool.query(`update server_orders set request = request || '{"serverType": "big"}'`);
    assert.match(errorsOf(await resize("small")).server_type ?? "", /already/);
  });

  it("needs a machine that was ordered, and the permission", async () => {
    const custom = await addServer(stage);
    const reply = await call(stage.app, `POST /api/v1/servers/${custom}/resize`, {
      ...alice(),
      body: { server_type: "big" },
    });
    assert.equal(reply.status, 422);
    assert.equal((await resize("big", stage.cast.bob)).status, 403);
    assert.equal((await resize("big", stage.cast.victor)).status, 403);
    assert.equal((await resize("big", stage.cast.charlie)).status, 404);
  });
});

describe("a snapshot", () => {
  const make = (token = stage.cast.alice) =>
    call(stage.app, `POST /api/v1/servers/${serverId}/snapshots`, { token, body: { name: "golden" } });
  const untilState = (id: number, state: string) =>
    pollUntil(async () => (await get(`server-snapshots/${id}`)).body.data?.state === state, { timeoutMs: 60_000 });

  it("becomes an image from which another server is ordered, and is deleted at the provider", async () => {
    const { status, body } = await make();
    assert.equal(status, 202);
    assert.equal(body.data.state, "creating");
    const early = await order(stage, orderBody(providerId, { snapshot_id: body.data.id }));
    assert.deepEqual(Object.keys(errorsOf(early)), ["snapshot_id"]);
    assert.ok(await untilState(body.data.id, "ready"));
    const second = await order(stage, orderBody(providerId, { snapshot_id: body.data.id }));
    assert.equal(second.status, 202, second.text);
    await untilOrders(stage, ["active"]);
    assert.match([...cloud.machines.values()].at(-1)?.order.image ?? "", /^image-/);
    const removed = await call(stage.app, `DELETE /api/v1/server-snapshots/${body.data.id}`, alice());
    assert.equal(removed.status, 202);
    assert.ok(
      await pollUntil(async () => (await get(`server-snapshots/${body.data.id}`)).status === 404, {
        timeoutMs: 60_000,
      }),
    );
    assert.ok(!cloud.billed.some((resource) => resource.startsWith("image")));
  });

  it("is listed for those who read servers, and does not exist for strangers", async () => {
    const { body } = await make();
    assert.equal((await get("server-snapshots", stage.cast.victor)).body.total_items, 1);
    assert.equal((await get("server-snapshots", stage.cast.charlie)).body.total_items, 0);
    assert.equal((await get(`server-snapshots/${body.data.id}`, stage.cast.charlie)).status, 404);
    assert.equal((await make(stage.cast.bob)).status, 403);
    assert.ok(await untilState(body.data.id, "ready"));
  });
});

describe("the costs", () => {
  it("are summed over the servers in reach, by currency", async () => {
    await order(stage, orderBody(providerId, { cloud_a_server_type: "big" }));
    await addServer(stage);
    const { data } = (await get("server-costs")).body;
    assert.deepEqual(data.totals, [
      { currency: "EUR", servers_count: 2, monthly_price_net: "25.00", monthly_price_gross: "29.75" },
    ]);
    assert.deepEqual((await get("server-costs", stage.cast.charlie)).body.data.totals, []);
    await restrict(stage.pool, "Bob", stage.cast.organizationId, { servers: [serverId] });
    assert.equal((await get("server-costs", stage.cast.bob)).body.data.totals[0].monthly_price_net, "5.00");
    assert.equal((await get("server-orders", stage.cast.bob)).body.total_items, 1);
    await untilOrders(stage, ["active"]);
  });
});

describe("the sweeper", () => {
  const sweep = async () => {
    await stage.pool.query("update server_providers set swept_at = null where id = $1", [providerId]);
    const schedule = sweepSchedule(stage.ctx);
    for (const due of await schedule.claim(stage.pool, 10)) await schedule.work(due, new AbortController().signal);
  };
  const orphans = async () => (await get(`server-providers/${providerId}/orphans`)).body;

  it("reports what no order owns once, with its price, and deletes nothing", async () => {
    await sweep();
    assert.deepEqual((await orphans()).data, []);
    cloud.resources.set("server 999", { kind: "server", id: "999", location: "here", key: "order-lost" });
    await sweep();
    await sweep();
    const { data, checked_at, error } = await orphans();
    assert.equal(data.length, 1);
    assert.deepEqual([data[0].id, data[0].monthly_price_net, data[0].currency], ["999", "5.00", "EUR"]);
    assert.ok(checked_at);
    assert.equal(error, null);
    assert.ok(cloud.resources.has("server 999"));
    cloud.resources.delete("server 999");
    await sweep();
    assert.deepEqual((await orphans()).data, []);
  });

  it("reports a second machine and a second address of an order that knows the first", async () => {
    const { key } = (await ordersOf(stage))[0] as { key: string };
    cloud.resources.set("server 997", { kind: "server", id: "997", location: "here", key });
    await sweep();
    assert.deepEqual(
      (await orphans()).data.map(({ id }: { id: string }) => id),
      ["997"],
    );
    cloud.resources.delete("server 997");
    const addresses = ["eip-1", "eip-2"];
    const known = JSON.stringify([{ kind: "address", id: "eip-1", location: "here" }]);
    await stage.pool.query("update server_orders set resources = resources || $1::jsonb", [known]);
    for (const id of addresses) cloud.resources.set(`address ${id}`, { kind: "address", id, location: "here", key });
    await sweep();
    assert.deepEqual(
      (await orphans()).data.map(({ id }: { id: string }) => id),
      ["eip-2"],
    );
    // While it is ordered or removed, all of them are its own.
    await stage.pool.query("update server_orders set state = 'removing'");
    await sweep();
    assert.deepEqual((await orphans()).data, []);
    for (const id of addresses) cloud.resources.delete(`address ${id}`);
    await stage.pool.query("update server_orders set state = 'active'");
  });

  it("reports an address without a server if an order of the connection had it, or may have made it", async () => {
    const seen = async () => {
      await sweep();
      const { data } = await orphans();
      return data.flatMap(({ kind, id }: { kind: string; id: string }) => (kind === "address" ? id : []));
    };
    cloud.loose = [
      { id: "198.51.100.1", location: "here" },
      { id: "198.51.100.2", location: "elsewhere" },
    ];
    assert.deepEqual(await seen(), [], "no order asked for a static address");
    const known = JSON.stringify([{ kind: "address", id: "198.51.100.2", location: "elsewhere" }]);
    await stage.pool.query("update server_orders set resources = resources || $1::jsonb", [known]);
    assert.deepEqual(await seen(), [], "it is the server's");
    await stage.pool.query("update server_orders set state = 'removed', ended_at = now()");
    assert.deepEqual(await seen(), ["198.51.100.2"]);
    await stage.pool.query(`update server_orders set request = request || '{"useStaticAddress": true}'`);
    assert.deepEqual(await seen(), ["198.51.100.1", "198.51.100.2"]);
    cloud.loose = [];
    assert.deepEqual(await seen(), []);
  });

  it("names what it could not read", async () => {
    cloud.unreadable = "droplet-7";
    await sweep();
    cloud.unreadable = undefined;
    assert.match((await orphans()).error, /could not be read.*droplet-7 of droplets/);
  });

  it("announces an orphan to the organization's channels", async () => {
    const channel = { name: "ops", type: "webhook", target: "https://example.com/hook", on: ["server.orphan_found"] };
    const made = await call(stage.app, "POST /api/v1/notification-channels", { ...alice(), body: channel });
    assert.equal(made.status, 201, made.text);
    cloud.resources.set("server 998", { kind: "server", id: "998", location: "here", key: "order-lost" });
    await sweep();
    const [announced] = await rows<{ text: string }>(
      stage.pool,
      sql`
        select to_jsonb(a)::text as text from announcements a join notification_deliveries d on d.announcement_id = a.id
        order by a.id desc limit 1
      `,
    );
    assert.match(announced?.text ?? "", /has 1 resource that belongs to no server of Longshore/);
    assert.match(announced?.text ?? "", /5\.00 EUR a month/);
  });

  it("records why it could not look", async () => {
    cloud.fault = (method) => (method === "listTagged" ? "before" : "none");
    await sweep();
    assert.equal((await orphans()).error, "Stand-in did not answer.");
    assert.equal((await get(`server-providers/${providerId}/orphans`, stage.cast.charlie)).status, 404);
    assert.equal((await get(`server-providers/${providerId}/orphans`, stage.cast.victor)).status, 403);
  });
});

describe("an ordered server that is transferred", () => {
  it("takes its order along, and its machine is deleted with it", async () => {
    const organization = await call(stage.app, "POST /api/v1/organizations", { ...alice(), body: { name: "Second" } });
    const id = organization.body.data.id;
    const moved = await call(stage.app, `POST /api/v1/servers/${serverId}/transfer-organization`, {
      ...alice(),
      body: { organization_id: id },
    });
    assert.equal(moved.status, 200, moved.text);
    const there = { ...alice(), headers: { "x-organization": String(id) } };
    const shown = (await call(stage.app, `GET /api/v1/servers/${serverId}`, there)).body.data;
    assert.deepEqual([shown.provider_id, shown.monthly_price_net], [null, "5.00"]);
    assert.equal((await call(stage.app, "GET /api/v1/server-orders", there)).body.total_items, 1);
    const refused = await call(stage.app, `POST /api/v1/servers/${serverId}/resize`, {
      ...there,
      body: { server_type: "big" },
    });
    assert.match(refused.body.message, /another organization/);
    assert.equal((await call(stage.app, `DELETE /api/v1/servers/${serverId}`, there)).status, 200);
    await untilOrders(stage, ["removed"]);
    assert.deepEqual(cloud.billed, []);
  });
});
