import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { rows, sql } from "../../../db/sql.ts";
import { call, restrict, tokenOf } from "../../../http/tests/support.ts";
import { adminPlan } from "../../accounts/admin.ts";
import { claimFirstConnections } from "../connecting/queries.ts";
import { serverJobs } from "../jobs.ts";
import { addServer, errorsOf, eventsOf, newAddress, openStage, type Stage, spellingsOf } from "./support.ts";

let stage: Stage;

before(async () => {
  stage = await openStage();
});
after(() => stage?.close());

const create = (body: unknown, token = stage.cast.alice) => call(stage.app, "POST /api/v1/servers", { token, body });

async function addProvider(organizationId: number, type: string): Promise<number> {
  const inserted = await rows<{ id: number }>(
    stage.pool,
    sql`
      insert into server_providers (organization_id, name, provider_type, credentials)
      values (${organizationId}, 'Our cloud', ${type}, ${Buffer.from("secret")}) returning id
    `,
  );
  return (inserted[0] as { id: number }).id;
}

describe("a custom server", () => {
  it("is added with a key of its own and waits for its first connection", async () => {
    const reply = await create({ server_os: "ubuntu_24_04", public_ip: "203.0.113.10" });
    assert.equal(reply.status, 201);
    const { status, server_id, public_key, connect_command } = reply.body;
    assert.equal(status, "provisioning");
    assert.match(public_key, /^ssh-ed25519 /);
    assert.ok(connect_command.includes(public_key));
    const { body } = await call(stage.app, `GET /api/v1/servers/${server_id}`, { token: stage.cast.alice });
    assert.equal(body.data.connect_command, connect_command);
    assert.match(body.data.name, /^server-[0-9a-f]{6}$/);
    assert.match(body.data.created_at, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    const { server_type, server_status, queue_limit, ssh_port, nat_port, public_ip } = body.data;
    assert.deepEqual(
      { server_type, server_status, queue_limit, ssh_port, nat_port, public_ip },
      { server_type: 0, server_status: 0, queue_limit: null, ssh_port: 22, nat_port: 22, public_ip: "203.0.113.10" },
    );
    assert.equal(body.data.operating_system, "Ubuntu 24.04", "as chosen, until someone looks");
    const due = await claimFirstConnections(stage.pool, 100);
    assert.deepEqual(
      due.map(({ id }) => id),
      [server_id],
    );
  });

  it("is announced as needing attention when it was not connected to for ten minutes", async () => {
    const id = await addServer(stage);
    const queue = "look-at-first-connection";
    const waiting = await rows<{ data: object; minutes: number }>(
      stage.pool,
      sql`select data, round(extract(epoch from start_after - created_on) / 60)::integer as minutes from queue.job
        where name = ${queue} and singleton_key = ${String(id)}`,
    );
    assert.deepEqual(waiting, [{ data: { serverId: id }, minutes: 10 }]);
    const look = async () => {
      const handler = serverJobs(stage.ctx).find(({ name }) => name === queue);
      await handler?.work({ serverId: id }, new AbortController().signal);
      return (await eventsOf(stage.pool, id)).filter((name) => name === "attention.updated").length;
    };
    assert.equal(await look(), 1);
    await stage.pool.query("update servers set server_status = 1 where id = $1", [id]);
    const begun = (await eventsOf(stage.pool, id)).filter((name) => name === "attention.updated").length;
    assert.equal(await look(), begun, "not when its setup has begun");
  });

  it("is refused with every bad field at once", async () => {
    const reply = await create({
      server_os: "windows",
      name: "",
      public_ip: "nowhere",
      ssh_port: 70_000,
      timezone: "Moon/Sea",
      server_type: 9,
      environment: "test",
      database_engine: "oracle",
    });
    assert.equal(reply.status, 422);
    assert.deepEqual(Object.keys(errorsOf(reply)).sort(), [
      "database_engine",
      "environment",
      "name",
      "public_ip",
      "server_os",
      "server_type",
      "ssh_port",
      "timezone",
    ]);
  });

  it("needs an operating system and an address", async () => {
    assert.deepEqual(errorsOf(await create({})), {
      server_os: "The operating system is required.",
      public_ip: "The public address is required.",
    });
    assert.equal((await create("[]")).status, 422);
  });

  it("takes IPv6, but no zone and no second spelling of an IPv4 address", async () => {
    assert.equal((await create({ server_os: "debian_13", public_ip: "2001:db8::1" })).status, 201);
    for (const public_ip of ["fe80::1%eth0", "::203.0.113.77", ...spellingsOf("203.0.113.77")]) {
      assert.ok(errorsOf(await create({ server_os: "debian_13", public_ip })).public_ip, public_ip);
    }
    const respelled = await create({ server_os: "debian_13", public_ip: "2001:DB8:0:0::1" });
    assert.deepEqual(errorsOf(respelled), { public_ip: "The public address is used by another server." });
  });

  it("may not have an address of another organization's server, which is reported with the other bad fields", async () => {
    const address = newAddress();
    await addServer(stage, { public_ip: address });
    const reply = await create({ server_os: "dos", public_ip: address }, stage.cast.charlie);
    assert.deepEqual(Object.keys(errorsOf(reply)).sort(), ["public_ip", "server_os"]);
  });

  it("is one record when 50 ask for the same address at once", async () => {
    const body = { server_os: "debian_12", public_ip: newAddress() };
    const replies = await Promise.all(Array.from({ length: 50 }, () => create(body)));
    const statuses = replies.map((reply) => reply.status).sort();
    assert.deepEqual(statuses, [201, ...Array(49).fill(422)]);
    const found = await rows(stage.pool, sql`select 1 from servers where public_ip = ${body.public_ip}::inet`);
    assert.equal(found.length, 1);
  });

  it("can be added by who has the permission only", async () => {
    const body = { server_os: "debian_12", public_ip: newAddress() };
    for (const token of [stage.cast.bob, stage.cast.victor, await tokenOf(stage.pool, "Alice", "server:read")]) {
      assert.equal((await create(body, token)).status, 403);
    }
  });

  it("is in reach of the restricted member who added it", async () => {
    await stage.pool.query("update memberships set restricted = true where user_id = $1", [stage.cast.userIds.adam]);
    const id = await addServer(stage, {}, stage.cast.adam);
    assert.equal((await call(stage.app, `GET /api/v1/servers/${id}`, { token: stage.cast.adam })).status, 200);
    await stage.pool.query("update memberships set restricted = false where user_id = $1", [stage.cast.userIds.adam]);
  });
});

describe("an order", () => {
  it("names every bad attribute of its provider type at once", async () => {
    const required = async (provider_type: string) =>
      Object.keys(errorsOf(await create({ provider_type, server_os: "debian_12" }))).sort();
    assert.deepEqual(await required("cloud_a"), [
      "cloud_a_location",
      "cloud_a_server_type",
      "provider_id",
      "server_os",
    ]);
    assert.deepEqual(await required("cloud_b"), [
      "cloud_b_instance_type",
      "cloud_b_region",
      "cloud_b_subnet_id",
      "cloud_b_volume_size",
      "provider_id",
      "server_os",
    ]);
    assert.deepEqual(await required("cloud_c"), ["cloud_c_region", "cloud_c_size", "provider_id", "server_os"]);
    assert.deepEqual(await required("cloud_d"), ["provider_type"]);
  });

  it("has a volume of 20 GB at least, of a known type", async () => {
    const errors = errorsOf(
      await create({
        provider_type: "cloud_b",
        provider_id: 999_999,
        server_os: "ubuntu_24_04",
        cloud_b_region: "eu",
        cloud_b_instance_type: "small",
        cloud_b_subnet_id: "subnet-1",
        cloud_b_volume_size: 19,
        cloud_b_volume_type: "tape",
        cloud_b_use_static_ip: "yes",
      }),
    );
    assert.deepEqual(Object.keys(errors).sort(), [
      "cloud_b_use_static_ip",
      "cloud_b_volume_size",
      "cloud_b_volume_type",
      "provider_id",
    ]);
    assert.equal(errors.cloud_b_volume_size, "The volume size must be at least 20.");
  });

  it("goes through a connection of the organization and of its type", async () => {
    const { organizationId, charlieOrganizationId } = stage.cast;
    const foreign = await addProvider(charlieOrganizationId, "cloud_c");
    const other = await addProvider(organizationId, "cloud_a");
    const order = { provider_type: "cloud_c", server_os: "ubuntu_22_04", cloud_c_region: "eu", cloud_c_size: "s" };
    for (const provider_id of [foreign, other, 999_999]) {
      assert.deepEqual(Object.keys(errorsOf(await create({ ...order, provider_id }))), ["provider_id"]);
    }
  });
});

describe("the Starter plan", () => {
  it("has room for one server, also when several are added at once", async () => {
    const bodies = Array.from({ length: 10 }, () => ({ server_os: "debian_12", public_ip: newAddress() }));
    const replies = await Promise.all(bodies.map((body) => create(body, stage.cast.charlie)));
    assert.deepEqual(replies.map((reply) => reply.status).sort(), [201, ...Array(9).fill(403)]);
  });

  it("refuses a second one whichever the provider, and suggests to upgrade", async () => {
    const provider_id = await addProvider(stage.cast.charlieOrganizationId, "cloud_a");
    const order = {
      provider_type: "cloud_a",
      server_os: "ubuntu_24_04",
      cloud_a_location: "x",
      cloud_a_server_type: "y",
    };
    for (const body of [
      { server_os: "debian_12", public_ip: newAddress() },
      { ...order, provider_id },
    ]) {
      const reply = await create(body, stage.cast.charlie);
      assert.equal(reply.status, 403);
      assert.deepEqual(Object.keys(reply.body).sort(), ["message", "status"]);
      assert.match(reply.body.message, /Upgrade/);
    }
    await adminPlan(stage, { organization: String(stage.cast.charlieOrganizationId), plan: "pro" });
    assert.equal((await create({ server_os: "debian_12", public_ip: newAddress() }, stage.cast.charlie)).status, 201);
  });
});

describe("restricted memberships", () => {
  it("count for the plan although they do not see the servers", async () => {
    await adminPlan(stage, { organization: String(stage.cast.organizationId), plan: "starter" });
    await restrict(stage.pool, "Bob", stage.cast.organizationId, { servers: [] });
    const reply = await create({ server_os: "debian_12", public_ip: newAddress() });
    assert.equal(reply.status, 403);
    await adminPlan(stage, { organization: String(stage.cast.organizationId), plan: "business" });
  });
});
