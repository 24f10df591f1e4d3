import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { row, rows, sql } from "../../../db/sql.ts";
import { call, restrict } from "../../../http/tests/support.ts";
import { errorsOf, openStage, type Stage } from "../../servers/tests/support.ts";
import type { StandInCloud } from "./stand-in.ts";
import { connect, order, orderBody, startWorker, untilOrders, withCloud } from "./support.ts";

let stage: Stage;
let cloud: StandInCloud;

before(async () => {
  stage = await openStage();
  cloud = withCloud(stage);
});
after(() => stage?.close());

const path = "/api/v1/server-providers";
const good = { name: "Our cloud", provider_type: "cloud_a", credentials: { token: "good-token" } };
const add = (body: unknown, token = stage.cast.alice) => call(stage.app, `POST ${path}`, { token, body });
const list = (token = stage.cast.alice) => call(stage.app, `GET ${path}`, { token });
const remove = (id: number, query = "", token = stage.cast.alice) =>
  call(stage.app, `DELETE ${path}/${id}${query}`, { token });

describe("connecting a provider", () => {
  it("answers the connection without its credentials, and stores them encrypted", async () => {
    const reply = await add(good);
    assert.equal(reply.status, 201, reply.text);
    const { id, name, provider_type, label, account } = reply.body.data;
    assert.deepEqual([name, provider_type, label, account], ["Our cloud", "cloud_a", "Stand-in", "acme"]);
    assert.ok(!reply.text.includes("good-token"));
    assert.ok(!(await list()).text.includes("good-token"));
    const stored = await row<{ credentials: Buffer }>(
      stage.pool,
      sql`select credentials from server_providers where id = ${id}`,
    );
    assert.ok(stored && !stored.credentials.includes("good-token"));
    assert.deepEqual(JSON.parse(stage.ctx.secrets.decrypt(stored.credentials)), { token: "good-token" });
  });

  it("stores nothing when the provider does not accept the credentials", async () => {
    const before = (await list()).body.data.length;
    const reply = await add({ ...good, credentials: { token: "bad-token" } });
    assert.equal(reply.status, 422);
    assert.deepEqual(errorsOf(reply), { credentials: "Stand-in does not accept the token." });
    cloud.fault = () => "before";
    assert.equal((await add(good)).status, 503);
    cloud.fault = () => "none";
    assert.equal((await list()).body.data.length, before);
  });

  it("names every bad field at once", async () => {
    const reply = await add({ name: "", provider_type: "cloud_a", credentials: { token: "" } });
    assert.deepEqual(Object.keys(errorsOf(reply)).sort(), ["credentials.token", "name"]);
    assert.deepEqual(Object.keys(errorsOf(await add({ name: "x", provider_type: "cloud_d", credentials: {} }))), [
      "provider_type",
    ]);
  });

  it("is for Owners and Admins whose membership is not restricted", async () => {
    for (const token of [stage.cast.bob, stage.cast.victor]) assert.equal((await add(good, token)).status, 403);
    assert.equal((await add(good, stage.cast.adam)).status, 201);
    await stage.pool.query("update memberships set restricted = true where user_id = $1", [stage.cast.userIds.adam]);
    assert.equal((await add(good, stage.cast.adam)).status, 403);
    assert.equal((await list(stage.cast.adam)).status, 200);
    await stage.pool.query("update memberships set restricted = false where user_id = $1", [stage.cast.userIds.adam]);
  });
});

describe("listing connections", () => {
  it("shows those of the organization to its Owners and Admins", async () => {
    await add({ ...good, name: "Charlie's" }, stage.cast.charlie);
    const names = (await list()).body.data.map(({ name }: { name: string }) => name);
    assert.ok(names.includes("Our cloud") && !names.includes("Charlie's"));
    for (const token of [stage.cast.bob, stage.cast.victor]) assert.equal((await list(token)).status, 403);
  });
});

describe("deleting a connection", () => {
  it("takes its credentials with it, and is 404 for strangers", async () => {
    const id = await connect(stage);
    assert.equal((await remove(id, "", stage.cast.charlie)).status, 404);
    assert.equal((await remove(id, "", stage.cast.bob)).status, 403);
    assert.equal((await remove(id)).status, 200);
    assert.equal((await remove(id)).status, 404);
    assert.deepEqual(await rows(stage.pool, sql`select 1 from server_providers where id = ${id}`), []);
  });

  it("is refused while a server is being ordered, and while servers hang on it", async () => {
    const id = await connect(stage);
    const { body } = await order(stage, orderBody(id));
    const early = await remove(id, "?keep_servers=true");
    assert.equal(early.status, 422);
    assert.match(early.body.message, /being ordered/);
    const worker = await startWorker(stage.ctx);
    await untilOrders(stage, ["active"]);
    await worker.stop();
    const refused = await remove(id);
    assert.equal(refused.status, 422);
    assert.match(refused.body.message, /1 server was ordered with it.*keep the servers/);
    const kept = await remove(id, "?keep_servers=true");
    assert.equal(kept.status, 200, kept.text);
    assert.match(kept.body.message, /Its server is a custom server now, and is billed as before\.$/);
    const { data } = (await call(stage.app, `GET /api/v1/servers/${body.server_id}`, { token: stage.cast.alice })).body;
    assert.deepEqual(
      [data.provider_type, data.provider_id, data.server_status, data.monthly_price_net],
      ["custom", null, 10, null],
    );
    assert.equal(cloud.billed.length, 1);
    // Its machine belongs to the user: deleting the server leaves it running.
    const gone = await call(stage.app, `DELETE /api/v1/servers/${body.server_id}`, { token: stage.cast.alice });
    assert.match(gone.body.message, /keeps running/);
    assert.equal(cloud.billed.length, 1);
  });
});

describe("the options", () => {
  const options = (id: number, query = "", token = stage.cast.alice) =>
    call(stage.app, `GET ${path}/${id}/options${query}`, { token });

  it("are the locations without one, and what is sold there with one", async () => {
    const id = await connect(stage);
    assert.deepEqual((await options(id)).body, {
      status: "success",
      data: { location: null, locations: [{ id: "here", name: "Here", country: "DE" }] },
    });
    const { data } = (await options(id, "?location=here")).body;
    assert.equal(data.location, "here");
    assert.deepEqual(data.server_types[0], {
      name: "small",
      description: "small",
      cores: 2,
      memory_gb: 4,
      disk_gb: 40,
      architecture: "x86",
      monthly_price_net: "5.00",
      monthly_price_gross: "5.95",
      currency: "EUR",
    });
    assert.deepEqual(data.images, [{ id: "67", name: "Ubuntu 24.04", server_os: "ubuntu_24_04", architecture: "x86" }]);
    assert.ok(!("networks" in data));
    assert.deepEqual(data.private_networks, [{ id: "1", name: "inner", cidr: "10.0.0.0/16", is_default: false }]);
    assert.deepEqual(data.omitted_types, [{ name: "odd", reason: "It has no price here." }]);
  });

  it("are read once for many who ask at the same time, and kept for an hour", async () => {
    const id = await connect(stage);
    cloud.calls.length = 0;
    const replies = await Promise.all(Array.from({ length: 30 }, () => options(id, "?location=here")));
    assert.deepEqual([...new Set(replies.map(({ status }) => status))], [200]);
    assert.deepEqual(cloud.calls.toSorted(), ["listLocations", "readCatalogue"]);
    await stage.pool.query("update cloud_catalogues set read_at = read_at - interval '59 minutes'");
    await options(id, "?location=here");
    assert.equal(cloud.calls.length, 2);
    await stage.pool.query("update cloud_catalogues set read_at = read_at - interval '2 minutes'");
    await options(id, "?location=here");
    assert.equal(cloud.calls.length, 4);
  });

  it("answer 422 naming the provider when its catalogue cannot be read, and again as soon as it can", async () => {
    const id = await connect(stage);
    cloud.fault = (method) => (method === "readCatalogue" ? "before" : "none");
    const reply = await options(id, "?location=here");
    assert.equal(reply.status, 422);
    assert.equal(
      reply.body.message,
      "The catalogue of Our cloud (Stand-in) could not be read: Stand-in did not answer.",
    );
    cloud.fault = () => "none";
    assert.equal((await options(id, "?location=here")).status, 200);
  });

  it("refuse a location that the provider does not have, on the field", async () => {
    const id = await connect(stage);
    assert.deepEqual(Object.keys(errorsOf(await options(id, "?location=nowhere"))), ["location"]);
  });

  it("are those of connections in reach", async () => {
    const id = await connect(stage);
    assert.equal((await options(id, "", stage.cast.charlie)).status, 404);
    assert.equal((await options(id, "", stage.cast.victor)).status, 403);
    await restrict(stage.pool, "Bob", stage.cast.organizationId, { servers: [] });
    assert.equal((await options(id, "", stage.cast.bob)).status, 403);
  });

  it("leave no entry in the audit log", async () => {
    const id = await connect(stage);
    const count = async () => (await rows(stage.pool, sql`select 1 from audit_log`)).length;
    const before = await count();
    await options(id, "?location=here");
    assert.equal(await count(), before);
  });
});
