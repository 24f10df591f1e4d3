import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { subnetB } from "../../../../test/clouds/cloud-b.ts";
import { rows, sql } from "../../../db/sql.ts";
import type { Worker } from "../../../engine/queue/worker.ts";
import { call } from "../../../http/tests/support.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { type CloudType, cloudTypes } from "../../servers/schema.ts";
import { errorsOf, openStage, type Stage } from "../../servers/tests/support.ts";
import { bodyOf, connectTo, withFakes } from "./fakes.ts";
import { order, startWorker, untilOrders } from "./support.ts";

let stage: Stage;
let fakes: Awaited<ReturnType<typeof withFakes>>;
let worker: Worker;
const providers = {} as Record<CloudType, number>;

before(async () => {
  stage = await openStage();
  fakes = await withFakes(stage, { looksUntilRunning: 1 });
  worker = await startWorker(stage.ctx);
  for (const type of cloudTypes) providers[type] = await connectTo(stage, type);
});
after(async () => {
  await worker?.stop();
  await fakes?.clouds.close();
  await stage?.close();
});

afterEach(async () => {
  const servers = await rows<{ id: number }>(stage.pool, sql`select id from servers`);
  for (const { id } of servers) await remove(id);
  if (servers.length > 0) await untilOrders(stage, ["removed", "failed", "cancelled"]);
  await stage.pool.query("delete from server_orders");
});

const alice = () => ({ token: stage.cast.alice });
const get = async (path: string) => (await call(stage.app, `GET /api/v1/${path}`, alice())).body;
const remove = (id: number) => call(stage.app, `DELETE /api/v1/servers/${id}`, alice());
const place = (type: CloudType, more: object = {}) => order(stage, bodyOf(type, providers[type], more));
const fieldsOf = async (type: CloudType, more: object) => Object.keys(errorsOf(await place(type, more)));

describe("each provider", () => {
  for (const type of cloudTypes) {
    it(`${type} builds a server from an order, and everything is gone after its deletion`, {
      timeout: 120_000,
    }, async () => {
      const { status, body } = await place(type, { name: "web" });
      assert.equal(status, 202, JSON.stringify(body));
      await untilOrders(stage, ["active", "failed"]);
      const server = (await get(`servers/${body.server_id}`)).data;
      assert.equal(server.server_status, 10, server.connection_error);
      assert.ok(server.public_ip);
      assert.match(server.monthly_price_net, /^\d+\.\d\d$/);
      assert.equal(server.price_currency, type === "cloud_a" ? "EUR" : "USD");
      assert.ok((await fakes.listTagged()).some(({ kind, orderKey }) => kind === "server" && orderKey !== null));
      await remove(body.server_id);
      await untilOrders(stage, ["removed"], 100_000);
      const left = (await fakes.listTagged()).filter(({ orderKey }) => orderKey !== null);
      assert.deepEqual(left, []);
    });
  }

  it("answers the options of the contract", async () => {
    const options = async (type: CloudType, location: string) =>
      (await get(`server-providers/${providers[type]}/options?location=${location}`)).data;
    const a = await options("cloud_a", "fsn1");
    assert.ok(
      a.server_types.every(
        ({ currency, disk_gb }: { currency: string; disk_gb: number }) => currency === "EUR" && disk_gb > 0,
      ),
    );
    assert.ok(!("networks" in a));
    const b = await options("cloud_b", "eu-central-1");
    assert.ok(b.networks[0].subnets.length > 0);
    for (const found of b.server_types) {
      assert.equal(found.disk_gb, null);
      assert.equal(found.monthly_price_net, found.monthly_price_gross);
    }
    const c = await options("cloud_c", "fra1");
    assert.ok(!("networks" in c));
    assert.ok(c.images.some(({ server_os }: { server_os: string }) => server_os === "ubuntu_24_04"));
  });
});

describe("the rules of an order", () => {
  it("of cloud_a each have their field", async () => {
    assert.deepEqual(await fieldsOf("cloud_a", { cloud_a_location: "moon1" }), ["cloud_a_location"]);
    assert.deepEqual(await fieldsOf("cloud_a", { cloud_a_server_type: "cpx11" }), ["cloud_a_server_type"]);
    assert.deepEqual(await fieldsOf("cloud_a", { cloud_a_server_type: "cx53" }), ["cloud_a_server_type"]);
    assert.deepEqual(await fieldsOf("cloud_a", { cloud_a_network: 4712 }), ["cloud_a_network"]);
  });

  it("of cloud_b each have their field", async () => {
    assert.deepEqual(await fieldsOf("cloud_b", { cloud_b_region: "moon-1" }), ["cloud_b_region"]);
    assert.deepEqual(await fieldsOf("cloud_b", { cloud_b_instance_type: "m7i.large" }), ["cloud_b_instance_type"]);
    assert.deepEqual(await fieldsOf("cloud_b", { cloud_b_subnet_id: subnetB("us-east-1", "a") }), [
      "cloud_b_subnet_id",
    ]);
    assert.deepEqual(await fieldsOf("cloud_b", { cloud_b_volume_size: 19 }), ["cloud_b_volume_size"]);
    assert.deepEqual(await fieldsOf("cloud_b", { cloud_b_volume_size: 66_000 }), ["cloud_b_volume_size"]);
    const tooBig = { cloud_b_volume_size: 17_000, cloud_b_volume_type: "gp2" };
    assert.deepEqual(await fieldsOf("cloud_b", tooBig), ["cloud_b_volume_size"]);
    assert.deepEqual(await fieldsOf("cloud_b", { cloud_b_volume_type: "st1" }), ["cloud_b_volume_type"]);
  });

  it("of cloud_c each have their field", async () => {
    assert.deepEqual(await fieldsOf("cloud_c", { cloud_c_region: "moon1" }), ["cloud_c_region"]);
    assert.deepEqual(await fieldsOf("cloud_c", { cloud_c_size: "s-4vcpu-8gb" }), ["cloud_c_size"]);
    assert.deepEqual(await fieldsOf("cloud_c", { cloud_c_vpc_uuid: "e0fe0f4d-596a-465e-a902-571ce57b79fa" }), [
      "cloud_c_vpc_uuid",
    ]);
  });

  it("leave nothing at the provider when they are broken", async () => {
    assert.deepEqual(
      (await fakes.listTagged()).filter(({ orderKey }) => orderKey !== null),
      [],
    );
    assert.deepEqual(await rows(stage.pool, sql`select 1 from server_orders`), []);
  });
});

describe("an order at a provider whose reads lag behind", () => {
  afterEach(() => {
    fakes.clouds.c.lag = 0;
    fakes.clouds.b.freshLag = 0;
    fakes.clouds.c.faults.clear();
  });

  it("leaves nothing when it is cancelled before its machine is shown", { timeout: 120_000 }, async () => {
    fakes.clouds.c.lag = 12;
    const { body } = await place("cloud_c");
    assert.ok(await pollUntil(async () => fakes.clouds.c.droplets.size === 1, { timeoutMs: 30_000 }));
    await remove(body.server_id);
    await untilOrders(stage, ["cancelled"], 100_000);
    assert.equal(fakes.clouds.c.droplets.size, 0);
  });

  it("leaves nothing when it is cancelled after its answer was lost", { timeout: 120_000 }, async () => {
    fakes.clouds.c.lag = 25;
    fakes.clouds.c.faults.next(/^POST .*droplets$/, "broken", { when: "after" });
    const { body } = await place("cloud_c");
    assert.ok(await pollUntil(async () => fakes.clouds.c.droplets.size === 1, { timeoutMs: 30_000 }));
    await remove(body.server_id);
    await untilOrders(stage, ["cancelled"], 100_000);
    assert.equal(fakes.clouds.c.droplets.size, 0);
  });

  it("goes through although new groups and addresses are unknown at first", { timeout: 120_000 }, async () => {
    fakes.clouds.b.groups.clear();
    fakes.clouds.b.freshLag = 2;
    const { body } = await place("cloud_b");
    await untilOrders(stage, ["active", "failed"], 100_000);
    const server = (await get(`servers/${body.server_id}`)).data;
    assert.equal(server.server_status, 10, server.connection_error);
    assert.equal(server.monthly_price_net, "14.31");
  });
});

describe("a resize that the provider accepts and does not carry out", () => {
  const targets: Record<CloudType, string> = { cloud_a: "cx33", cloud_b: "t3.small", cloud_c: "s-2vcpu-2gb" };

  it("ends with the former type, running, in the records and in the costs", { timeout: 200_000 }, async () => {
    const { a, b, c } = fakes.clouds;
    const ids: number[] = [];
    for (const type of cloudTypes) ids.push((await place(type)).body.server_id);
    await untilOrders(stage, ["active"], 100_000);
    const before = (await get("server-costs")).data;
    a.failing.push({ command: "change_type", problem: "the host is full" });
    b.soldOut.add(targets.cloud_b);
    c.failing.push({ command: "resize", problem: "unknown" });
    for (const [at, type] of cloudTypes.entries()) {
      const body = { server_type: targets[type] };
      const reply = await call(stage.app, `POST /api/v1/servers/${ids[at]}/resize`, { ...alice(), body });
      assert.equal(reply.status, 202, reply.text);
    }
    const errors = await resizesEnded();
    b.soldOut.clear();
    assert.match(
      errors[0] ?? "",
      /did not change the type to cx33: the host is full \(action_failed\)\. It is cx23 still/,
    );
    assert.match(errors[1] ?? "", /no capacity/);
    assert.match(errors[2] ?? "", /did not change the type to s-2vcpu-2gb: its action resize failed/);
    assert.deepEqual(
      [...a.servers.values()].map(({ serverType, status }) => [serverType, status]),
      [["cx23", "running"]],
    );
    const living = [...b.instances.values()].filter(({ state }) => state !== "terminated");
    assert.deepEqual(
      living.map(({ type, state }) => [type, state]),
      [["t3.micro", "running"]],
    );
    assert.deepEqual(
      [...c.droplets.values()].map(({ size, status }) => [size, status]),
      [["s-1vcpu-1gb", "active"]],
    );
    assert.deepEqual((await get("server-costs")).data, before);
    const orders = (await get("server-orders")).data;
    assert.deepEqual(orders.map(({ server_type }: { server_type: string }) => server_type).sort(), [
      "cx23",
      "s-1vcpu-1gb",
      "t3.micro",
    ]);
  });

  /** Their errors, by the order of the requests. Paper machines do not shut down: they are switched off without the wait. */
  async function resizesEnded(): Promise<(string | null)[]> {
    const ended = await pollUntil(
      async () => {
        await stage.pool.query(
          "update workflows set data = data || jsonb_build_object('askedAt', 0) where data ? 'askedAt' and ended_at is null",
        );
        const found = await rows<{ error: string | null; is_over: boolean }>(
          stage.pool,
          sql`
            select error, ended_at is not null as is_over from workflows where kind = 'resize-server' order by id
          `,
        );
        return found.length === 3 && found.every(({ is_over }) => is_over) ? found : undefined;
      },
      { timeoutMs: 150_000, everyMs: 200 },
    );
    assert.ok(ended, "the resizes did not end");
    return ended.map(({ error }) => error);
  }
});

describe("static addresses and firewalls", () => {
  const kinds = async () =>
    new Set((await fakes.listTagged()).filter(({ orderKey }) => orderKey).map(({ kind }) => kind));

  it("of cloud_b are ordered unless switched off", { timeout: 120_000 }, async () => {
    const { body } = await place("cloud_b", { cloud_b_use_static_ip: false });
    await untilOrders(stage, ["active"]);
    assert.ok(!(await kinds()).has("address"));
    await remove(body.server_id);
    await untilOrders(stage, ["removed"], 100_000);
    await place("cloud_b");
    await untilOrders(stage, ["removed", "active"]);
    assert.ok((await kinds()).has("address"));
  });

  it("of cloud_c: the address when asked for, which the server is managed by", { timeout: 120_000 }, async () => {
    const { body } = await place("cloud_c", { cloud_c_use_reserved_ip: true });
    await untilOrders(stage, ["active"]);
    const address = (await fakes.listTagged()).find(({ kind }) => kind === "address");
    assert.equal((await get(`servers/${body.server_id}`)).data.public_ip, address?.id);
  });
});
