import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import { loadConfig } from "../../../config.ts";
import { row, sql } from "../../../db/sql.ts";
import { makeKeyPair } from "../../../host/ssh/key-pair.ts";
import { call } from "../../../http/tests/support.ts";
import { addressSeen, loginOf } from "../connections.ts";
import { findDeparture } from "../leaving/queries.ts";
import { findServerForWork, rebootKind } from "../queries.ts";
import { addProject, addServer, errorsOf, jobsIn, openStage, type Stage } from "./support.ts";

// The machine that Longshore runs on as a server of it.

const panel = "panel.example.com";
/** That no machine of the tests has (RFC 5737). */
const publicAddress = "192.0.2.10";
const keys = makeKeyPair("longshore-this-machine");

let directory: string;
let stage: Stage;
let ordinary: Stage;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "longshore-this-machine-"));
  await writeFile(join(directory, "this-machine.key"), keys.privateKey, { mode: 0o600 });
  stage = await openStage({
    ...{ thisMachine: "2222", dataDirectory: directory, publicUrl: `https://${panel}` },
    ...{ reservedDomains: "second.example.com", defaultPlan: "business" },
  });
  ordinary = await openStage();
});
after(async () => {
  await stage?.close();
  await ordinary?.close();
  await rm(directory, { recursive: true, force: true });
});
afterEach(() => stage.pool.query("delete from servers where is_this_machine"));

const request = { this_machine: true, server_os: "debian_12", public_ip: publicAddress, name: "panel" };

const add = (body: object = request, token = stage.cast.alice, on = stage) =>
  call(on.app, "POST /api/v1/servers", { token, body });
const offer = async (token = stage.cast.alice, on = stage) =>
  (await call(on.app, "GET /api/v1/this-machine", { token })).body.data;
const read = async (id: number) =>
  (await call(stage.app, `GET /api/v1/servers/${id}`, { token: stage.cast.alice })).body.data;

async function added(): Promise<number> {
  const reply = await add();
  assert.equal(reply.status, 201, reply.text);
  await stage.pool.query(
    "update servers set server_status = 10, connection_status = 1, host_key = 'ssh-ed25519 AAAA' where id = $1",
    [reply.body.server_id],
  );
  return reply.body.server_id;
}

describe("the machine of Longshore itself", () => {
  it("is added as an App server, without a connect command", async () => {
    const reply = await add();
    assert.equal(reply.status, 201, reply.text);
    assert.deepEqual(Object.keys(reply.body).sort(), ["message", "server_id", "status"]);
    const { is_this_machine, server_type, public_ip, ssh_port, connect_command, provider_type } = await read(
      reply.body.server_id,
    );
    assert.deepEqual(
      { is_this_machine, server_type, public_ip, ssh_port, connect_command, provider_type },
      {
        ...{ is_this_machine: true, server_type: 0, public_ip: publicAddress, ssh_port: 2222 },
        ...{ connect_command: null, provider_type: "custom" },
      },
    );
  });

  it("is connected to over loopback with the key of the operator, whatever address it has for others", async () => {
    const server = await findServerForWork(stage.pool, await added());
    assert.ok(server);
    assert.deepEqual(await loginOf(stage.ctx, server), { host: "127.0.0.1", port: 2222, privateKey: keys.privateKey });
    assert.equal(addressSeen(server, "127.0.0.1"), "127.0.0.1", "not one of its own: nothing shows that it leads here");
  });

  it("keeps the private key in its file alone", async () => {
    const server = await findServerForWork(stage.pool, await added());
    assert.equal(stage.ctx.secrets.decrypt(server?.ssh_private_key ?? Buffer.alloc(0)), "");
  });

  it("is not connected to any more once its operator has taken the setting or the key away", async () => {
    const server = await findServerForWork(stage.pool, await added());
    assert.ok(server);
    const { secrets } = stage.ctx;
    const without = (overrides: Record<string, string>) =>
      loginOf({ secrets, config: loadConfig({}, overrides) }, server);
    await assert.rejects(without({ dataDirectory: directory }), /service install --manage-this-machine/);
    await assert.rejects(without({ dataDirectory: "/nonexistent", thisMachine: "22" }), /key .* is missing/);
  });

  it("is offered with its address and system until it was added", async () => {
    assert.equal((await offer()).is_offered, true);
    await added();
    const { is_offered, reason } = await offer();
    assert.deepEqual([is_offered, reason], [false, "The machine that Longshore runs on is the server panel already."]);
  });

  it("is added once, also of several requests at once", async () => {
    const replies = await Promise.all([add(), add({ ...request, public_ip: "192.0.2.77" }), add()]);
    assert.deepEqual(replies.map((reply) => reply.status).sort(), [201, 422, 422]);
  });

  it("is only checked in a dry run", async () => {
    const { app, cast } = stage;
    const reply = await call(app, "POST /api/v1/servers?dry_run=1", { token: cast.alice, body: request });
    assert.equal(reply.status, 200, reply.text);
    assert.equal((await offer()).is_offered, true);
  });

  it("needs a setting of the operator, without which it is refused like any address of Longshore", async () => {
    const { cast } = ordinary;
    const { is_offered, reason } = await offer(cast.alice, ordinary);
    assert.deepEqual([is_offered, /manage-this-machine/.test(reason)], [false, true]);
    const reply = await add(request, cast.alice, ordinary);
    assert.equal(reply.status, 422);
    for (const public_ip of ["127.0.0.1", "::1"]) {
      const direct = await add({ server_os: "debian_12", public_ip }, cast.alice, ordinary);
      assert.match(errorsOf(direct).public_ip ?? "", /Longshore's own/);
    }
  });

  it("is for Owners of the first organization", async () => {
    const { cast } = stage;
    for (const token of [cast.adam, cast.charlie]) {
      assert.equal((await add(request, token)).status, 403);
      assert.equal((await offer(token)).is_offered, false);
    }
    assert.equal((await add(request, cast.bob)).status, 403);
  });

  it("takes no port, no provider and no loopback address", async () => {
    for (const [more, field] of [
      [{ provider_type: "cloud_a" }, "provider_type"],
      [{ server_type: 1 }, "server_type"],
      [{ public_ip: "127.0.0.1" }, "public_ip"],
      [{ public_ip: "169.254.169.254" }, "public_ip"],
    ] as const) {
      const reply = await add({ ...request, ...more });
      assert.deepEqual([reply.status, Object.keys(errorsOf(reply) ?? {})], [422, [field]], JSON.stringify(more));
    }
    const reply = await add({ ...request, ssh_port: 5432 });
    assert.equal((await read(reply.body.server_id)).ssh_port, 2222);
  });
});

describe("as a server, the machine of Longshore itself", () => {
  const update = (id: number, body: object) =>
    call(stage.app, `PUT /api/v1/servers/${id}`, { token: stage.cast.alice, body });

  it("is rebooted only with its name, since Longshore is away until it is back", async () => {
    const id = await added();
    const reboot = (query = "") =>
      call(stage.app, `POST /api/v1/servers/${id}/reboot${query}`, { token: stage.cast.alice });
    const reply = await reboot();
    assert.equal(reply.status, 422);
    assert.match(errorsOf(reply).confirm ?? "", /Longshore itself runs on panel/);
    assert.equal((await reboot("?confirm=other")).status, 422);
    assert.equal((await reboot("?confirm=")).status, 422);
    const runs = () => row(stage.pool, sql`select 1 from runs where kind = ${rebootKind.kind} and server_id = ${id}`);
    assert.equal(await runs(), undefined);
    const { body } = await call(stage.app, `GET /api/v1/servers/${id}/actions`, { token: stage.cast.alice });
    assert.equal(body.data.reboot.is_allowed, true, "with the name it is");
    assert.equal((await reboot("?confirm=panel")).status, 202);
    assert.ok(await runs());
  });

  it("cannot be transferred", async () => {
    const id = await added();
    const reply = await call(stage.app, `POST /api/v1/servers/${id}/transfer-organization`, {
      token: stage.cast.alice,
      body: { organization_id: stage.cast.charlieOrganizationId },
    });
    assert.equal(reply.status, 422);
    assert.match(reply.body.message, /Longshore itself runs on panel/);
  });

  it("keeps the port of its SSH server, and takes no address of something else on it", async () => {
    const id = await added();
    assert.deepEqual(Object.keys(errorsOf(await update(id, { ssh_port: 5432 }))), ["ssh_port"]);
    assert.deepEqual(Object.keys(errorsOf(await update(id, { public_ip: "127.0.0.1" }))), ["public_ip"]);
    assert.equal((await update(id, { public_ip: "192.0.2.99", notes: "moved" })).status, 200);
  });

  it("is opened with SSH keys by Owners alone: the key opens everything of all organizations", async () => {
    const id = await added();
    const key = await call(stage.app, "POST /api/v1/ssh-keys", {
      token: stage.cast.alice,
      body: { name: "laptop", public_key: makeKeyPair("laptop").publicKey, owner: "organization" },
    });
    const grant = (token: string) =>
      call(stage.app, `POST /api/v1/servers/${id}/ssh-access`, { token, body: { ssh_key_id: key.body.data.id } });
    const refused = await grant(stage.cast.adam);
    assert.equal(refused.status, 422, refused.text);
    assert.match(refused.body.message, /only an Owner/);
    assert.equal((await grant(stage.cast.alice)).status, 201);
  });

  it("keeps running after its deletion, is left over loopback, and can be added again", async () => {
    const id = await added();
    const reply = await call(stage.app, `DELETE /api/v1/servers/${id}`, { token: stage.cast.alice });
    assert.match(reply.body.message, /keeps running with Longshore on it, and can be added again/);
    const [job] = (await jobsIn(stage.pool, "leave-server")).slice(-1);
    const departure = await findDeparture(stage.pool, Number(job?.departureId));
    assert.equal(departure?.is_this_machine, true);
    assert.equal((await offer()).is_offered, true);
    await added();
  });
});

describe("a name of Longshore itself", () => {
  const create = (domain: string, more: object = {}) =>
    call(stage.app, "POST /api/v1/projects", {
      token: stage.cast.alice,
      body: {
        ...{ name: "shop", domain, server_id: 1, framework_id: 10, ...more },
        git_repository: { repo: "https://git.example.com/shop.git", type: "git", branch: "main" },
      },
    });

  it("is no project's, in any spelling or www form", async () => {
    for (const [domain, more] of [
      [panel, {}],
      ["Panel.Example.COM", {}],
      [`www.${panel}`, { www_redirect: 1 }],
      ["second.example.com", {}],
    ] as const) {
      assert.match(errorsOf(await create(domain, more)).domain ?? "", /leads to Longshore itself/, domain);
    }
    assert.equal(errorsOf(await create("shop.example.com")).domain, undefined);
  });

  it("is added to no project, nor is a set of domains with it taken", async () => {
    const token = stage.cast.alice;
    const project = await addProject(stage.pool, await addServer(stage));
    const one = await call(stage.app, `POST /api/v1/projects/${project}/domains`, { token, body: { domain: panel } });
    assert.match(errorsOf(one).domain ?? "", /leads to Longshore itself/);
    const body = { domains: ["other.example.com", panel] };
    const all = await call(stage.app, `PUT /api/v1/projects/${project}/domains`, { token, body });
    assert.match(errorsOf(all).domains ?? "", /leads to Longshore itself/);
  });
});
