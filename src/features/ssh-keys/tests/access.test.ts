import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { rows, sql } from "../../../db/sql.ts";
import { reconcileAll } from "../../../engine/tests/engines.ts";
import { restrict, tokenOf } from "../../../http/tests/support.ts";
import { adminMember, adminUser } from "../../accounts/admin.ts";
import { addProvisioned, addServer, errorsOf, eventsOf, openStage, type Stage } from "../../servers/tests/support.ts";
import { sshKeyTargets } from "../jobs.ts";
import { keysPerServer } from "../schema.ts";
import { addKey, ask, followPeople, grant, listed, obey, planned, put } from "./support.ts";

let stage: Stage;
let serverId: number;

before(async () => {
  stage = await openStage();
  await stage.pool.query("update organizations set plan = 'business'");
});
after(() => stage?.close());
beforeEach(async () => {
  serverId = await addProvisioned(stage);
});

const takeAway = (access: number, token = stage.cast.alice) =>
  ask(stage, `DELETE /api/v1/servers/${serverId}/ssh-access/${access}`, { token });
const states = async () => (await listed(stage, serverId)).map((each) => [each.is_removed, each.sync.state]);

describe("a key is put onto a server", () => {
  it("which follows, and says when it has", async () => {
    const key = await addKey(stage);
    const { status, body } = await grant(stage, serverId, key);
    assert.equal(status, 201);
    assert.equal(body.data.sync.state, "pending");
    assert.equal(body.data.account, "root");
    assert.deepEqual(await planned(stage, serverId), [key]);
    await obey(stage);
    assert.deepEqual(await states(), [[false, "applied"]]);
    assert.ok((await eventsOf(stage.pool, serverId)).includes("ssh_access.updated"));
  });

  it("beside those that are there", async () => {
    const [first, second] = [await addKey(stage), await addKey(stage, { owner: "organization" })];
    await put(stage, serverId, first);
    await grant(stage, serverId, second);
    assert.deepEqual(await planned(stage, serverId), [first, second]);
  });

  it("when it answers again", async () => {
    await grant(stage, serverId, await addKey(stage));
    await obey(stage, "web-1 does not answer.");
    const [access] = await listed(stage, serverId);
    assert.deepEqual([access?.sync.state, access?.sync.error], ["failing", "web-1 does not answer."]);
    await obey(stage);
    assert.deepEqual(await states(), [[false, "applied"]]);
  });

  it("once, not before the end of its setup, and not to more than there may be", async () => {
    const key = await addKey(stage);
    await put(stage, serverId, key);
    assert.ok(errorsOf(await grant(stage, serverId, key)).ssh_key_id);
    assert.equal((await grant(stage, await addServer(stage), key)).status, 422);
    await stage.pool.query(sql`
      insert into ssh_access (server_id, account, name, fingerprint)
      select ${serverId}, 'root', 'old', 'SHA256:' || i from generate_series(2, ${keysPerServer}) i`);
    assert.match((await grant(stage, serverId, await addKey(stage))).body.message, /200 SSH keys/);
  });

  it("by those who may change it", async () => {
    const { bob, victor, charlie } = stage.cast;
    const key = await addKey(stage, { owner: "organization" });
    assert.equal((await grant(stage, serverId, key, victor)).status, 403);
    assert.equal((await grant(stage, serverId, key, charlie)).status, 404);
    assert.equal((await grant(stage, serverId, key, bob)).status, 201);
    const [access] = await listed(stage, serverId);
    await restrict(stage.pool, "Bob", stage.cast.organizationId, { servers: [] });
    assert.equal((await takeAway(access?.id ?? 0, bob)).status, 404);
    const list = `GET /api/v1/servers/${serverId}/ssh-access`;
    assert.equal((await ask(stage, list, { token: bob })).status, 404);
    assert.equal((await ask(stage, list, { token: charlie })).status, 404);
    await adminMember(stage, {
      email: "bob@example.com",
      organization: String(stage.cast.organizationId),
      role: "Member",
    });
  });
});

describe("a key is taken away", () => {
  it("and is listed until the server has removed it", async () => {
    const access = await put(stage, serverId, await addKey(stage));
    assert.equal((await takeAway(access)).status, 200);
    assert.deepEqual(await states(), [[true, "pending"]]);
    assert.equal((await takeAway(access)).status, 404);
    assert.deepEqual(await planned(stage, serverId), []);
    await obey(stage);
    assert.deepEqual(await states(), []);
  });

  it("of another server by that server's address only", async () => {
    const access = await put(stage, serverId, await addKey(stage));
    const other = await addProvisioned(stage);
    assert.equal((await ask(stage, `DELETE /api/v1/servers/${other}/ssh-access/${access}`)).status, 404);
  });

  it("during a run that puts it there, by the next one", async () => {
    const { body } = await grant(stage, serverId, await addKey(stage));
    await reconcileAll(stage.ctx, sshKeyTargets());
    await takeAway(body.data.id);
    await obey(stage);
    assert.deepEqual(await states(), [[true, "pending"]]);
    assert.deepEqual(await planned(stage, serverId), []);
    await obey(stage);
    assert.deepEqual(await states(), []);
  });

  it("and can be put there again before the server has removed it", async () => {
    const key = await addKey(stage);
    await takeAway(await put(stage, serverId, key));
    assert.equal((await grant(stage, serverId, key)).status, 201);
    assert.deepEqual(await planned(stage, serverId), [key]);
    await obey(stage);
    assert.deepEqual(await states(), [[false, "applied"]]);
  });

  it("from every server, also of other organizations, when it is deleted", async () => {
    const { alice } = stage.cast;
    const key = await addKey(stage);
    await put(stage, serverId, key);
    await adminMember(stage, {
      email: "alice@example.com",
      organization: String(stage.cast.charlieOrganizationId),
      role: "Admin",
    });
    const charlies = await addProvisioned(stage, {}, stage.cast.charlie);
    assert.equal((await grant(stage, charlies, key, stage.cast.charlie)).status, 201);
    await obey(stage);
    const deleted = await ask(stage, `DELETE /api/v1/ssh-keys/${key}`, { token: alice });
    assert.match(deleted.body.message, /2 servers/);
    assert.deepEqual(await planned(stage, serverId), []);
    assert.deepEqual(await planned(stage, charlies), []);
    const [left] = await listed(stage, serverId);
    assert.deepEqual([left?.ssh_key_id, left?.name, left?.is_removed], [null, "Laptop", true]);
    await obey(stage);
    assert.deepEqual(await states(), []);
  });
});

describe("a key ends with what it was put there for", () => {
  const bobs = async () => put(stage, serverId, await addKey(stage, {}, stage.cast.bob));
  const comeBack = () =>
    adminMember(stage, { email: "bob@example.com", organization: String(stage.cast.organizationId), role: "Member" });

  it("when its person leaves the organization, and the others stay", async () => {
    const stays = await addKey(stage, { owner: "organization" });
    await put(stage, serverId, stays);
    await bobs();
    await followPeople(stage);
    assert.equal(await planned(stage, serverId), undefined);
    const organization = `/api/v1/organizations/${stage.cast.organizationId}`;
    assert.equal((await ask(stage, `POST ${organization}/leave`, { token: stage.cast.bob })).status, 200);
    await followPeople(stage);
    assert.deepEqual(await planned(stage, serverId), [stays]);
    await obey(stage);
    assert.deepEqual(await states(), [[false, "applied"]]);
    await comeBack();
    await followPeople(stage);
    assert.equal(await planned(stage, serverId), undefined);
  });

  it("when its person is removed, also while the server is away", async () => {
    await comeBack();
    stage.cast.bob = await tokenOf(stage.pool, "Bob");
    await bobs();
    const member = `/api/v1/organizations/${stage.cast.organizationId}/members/${stage.cast.userIds.bob}`;
    assert.equal((await ask(stage, `DELETE ${member}`)).status, 200);
    await followPeople(stage);
    await obey(stage, "web-1 does not answer.");
    assert.deepEqual(await states(), [[true, "failing"]]);
    assert.deepEqual(await planned(stage, serverId), []);
    await obey(stage);
    assert.deepEqual(await states(), []);
    await comeBack();
  });

  it("when the account is deleted", async () => {
    const { pool } = stage;
    const { user_id } = await adminUser(stage, {
      email: "dora@example.com",
      name: "Dora",
      organization: "Acme",
      role: "Member",
    });
    await put(stage, serverId, await addKey(stage, {}, await tokenOf(stage.pool, "Dora")));
    await pool.query("delete from users where id = $1", [user_id]);
    assert.equal((await rows(pool, sql`select 1 from ssh_keys where user_id = ${user_id}`)).length, 0);
    await followPeople(stage);
    assert.deepEqual(await planned(stage, serverId), []);
  });

  it("when the server is transferred to an organization that neither key nor person is of", async () => {
    await put(stage, serverId, await addKey(stage, { owner: "organization" }));
    const both = await addKey(stage);
    await put(stage, serverId, both);
    const { charlieOrganizationId } = stage.cast;
    await adminMember(stage, {
      email: "alice@example.com",
      organization: String(charlieOrganizationId),
      role: "Owner",
    });
    const transferred = await ask(stage, `POST /api/v1/servers/${serverId}/transfer-organization`, {
      body: { organization_id: charlieOrganizationId },
    });
    assert.equal(transferred.status, 200, transferred.text);
    await followPeople(stage);
    assert.deepEqual(await planned(stage, serverId), [both]);
  });

  it("before that was noticed, in any plan that is made", async () => {
    await comeBack();
    stage.cast.bob = await tokenOf(stage.pool, "Bob");
    await grant(stage, serverId, await addKey(stage, {}, stage.cast.bob));
    await stage.pool.query("delete from memberships where user_id = $1", [stage.cast.userIds.bob]);
    assert.deepEqual(await planned(stage, serverId), []);
  });
});
