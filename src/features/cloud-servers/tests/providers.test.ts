import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import { subnetB } from "../../../../test/clouds/cloud-b.ts";
import { rows, sql } from "../../../db/sql.ts";
import type { Worker } from "../../../engine/queue/worker.ts";
import { call } from "../../../http/tests/support.ts";
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
    assert.deepEqual(await fieldsOf("cloud_b", { cloud_b_volume_size: 17_000 }), ["cloud_b_volume_size"]);
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
