import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { sql } from "../../../db/sql.ts";
import { tokenOf } from "../../../http/tests/support.ts";
import { adminMember, adminToken } from "../../accounts/admin.ts";
import { addProvisioned, errorsOf, openStage, type Stage } from "../../servers/tests/support.ts";
import { keysPerOwner } from "../schema.ts";
import { addKey, ask, grant, newKey } from "./support.ts";

let stage: Stage;

before(async () => {
  stage = await openStage();
});
after(() => stage?.close());

const add = (body: object, token = stage.cast.alice) =>
  ask(stage, "POST /api/v1/ssh-keys", { token, body: { name: "Laptop", ...body } });
const idsSeenBy = async (token: string, query = ""): Promise<number[]> =>
  (await ask(stage, `GET /api/v1/ssh-keys?per_page=100${query}`, { token })).body.data.map(
    ({ id }: { id: number }) => id,
  );
const read = (id: number, token: string) => ask(stage, `GET /api/v1/ssh-keys/${id}`, { token });
const remove = (id: number, token: string) => ask(stage, `DELETE /api/v1/ssh-keys/${id}`, { token });

describe("a new key", () => {
  it("is shown with its owner and fingerprint, and without what was said beside it", async () => {
    const key = newKey();
    const { status, body } = await add({ public_key: `${key.split(" ").slice(0, 2).join(" ")} command="sh"\n` });
    assert.equal(status, 201);
    const { id, fingerprint, created_at: _, ...shown } = body.data;
    assert.match(fingerprint, /^SHA256:[A-Za-z0-9+/]{43}$/);
    const public_key = key.split(" ").slice(0, 2).join(" ");
    const user_id = stage.cast.userIds.alice;
    assert.deepEqual(shown, { name: "Laptop", owner: "user", user_id, organization_id: null, public_key });
    assert.deepEqual((await read(id, stage.cast.alice)).body.data, body.data);
  });

  it("is refused with options, and when its owner has it already", async () => {
    const public_key = newKey();
    const options = await add({ public_key: `command="sh" ${public_key}` });
    assert.equal(options.status, 422);
    assert.ok(errorsOf(options).public_key);
    assert.equal((await add({ public_key })).status, 201);
    const twice = await add({ public_key: `${public_key} of another name` });
    assert.equal(twice.status, 422);
    assert.match(errorsOf(twice).public_key ?? "", /SHA256:/);
    assert.equal((await add({ public_key, owner: "organization" })).status, 201);
    assert.equal((await add({ public_key }, stage.cast.charlie)).status, 201);
  });

  it("is refused when its owner has too many, also of those added at once", async () => {
    await stage.pool.query(sql`
      insert into ssh_keys (user_id, name, public_key, fingerprint)
      select ${stage.cast.userIds.victor}, 'old', 'ssh-ed25519 AAAA', i::text from generate_series(2, ${keysPerOwner}) i`);
    const token = stage.cast.victor;
    const added = await Promise.all([1, 2, 3].map(() => add({ public_key: newKey() }, token)));
    assert.deepEqual(added.map(({ status }) => status).sort(), [201, 422, 422]);
  });

  it("of a person needs the whole account, and of an organization its management without restriction", async () => {
    const { pool, cast } = stage;
    const body = () => ({ public_key: newKey() });
    const narrow = await tokenOf(pool, "Alice", "server:update,organization:manage");
    const bound = await adminToken(
      { pool },
      {
        email: "alice@example.com",
        name: "bound",
        permissions: "*",
        organization: String(cast.organizationId),
        bound: true,
      },
    );
    for (const token of [narrow, bound.token]) {
      assert.equal((await add(body(), token)).status, 403);
      assert.equal((await add({ ...body(), owner: "organization" }, token)).status, 201);
    }
    for (const token of [cast.bob, cast.victor]) {
      assert.equal((await add({ ...body(), owner: "organization" }, token)).status, 403);
    }
    const serverId = await addProvisioned(stage);
    const adam = { email: "adam@example.com", organization: String(cast.organizationId), role: "Admin" };
    await adminMember({ pool }, { ...adam, servers: [serverId] });
    assert.equal((await add({ ...body(), owner: "organization" }, cast.adam)).status, 403);
    const ofOrganization = await addKey(stage, { owner: "organization" });
    assert.equal((await remove(ofOrganization, cast.adam)).status, 403);
    assert.equal((await remove(ofOrganization, cast.bob)).status, 403);
    await adminMember({ pool }, adam);
    assert.equal((await remove(ofOrganization, cast.adam)).status, 200);
  });
});

describe("keys are seen", () => {
  it("by their person, the organization, and colleagues who may let them in to servers", async () => {
    const { alice, adam, bob, victor, charlie } = stage.cast;
    const [bobs, acmes, charlies] = [
      await addKey(stage, {}, bob),
      await addKey(stage, { owner: "organization" }),
      await addKey(stage, { owner: "organization" }, charlie),
    ];
    for (const token of [alice, adam, bob]) {
      const seen = await idsSeenBy(token);
      assert.ok(seen.includes(bobs) && seen.includes(acmes) && !seen.includes(charlies));
    }
    const seen = await idsSeenBy(victor);
    assert.ok(!seen.includes(bobs) && seen.includes(acmes));
    assert.equal((await read(bobs, victor)).status, 404);
    assert.equal((await remove(bobs, victor)).status, 404);
  });

  it("by no member of another organization, who cannot put them onto a server or delete them either", async () => {
    const { charlie, bob } = stage.cast;
    const serverId = await addProvisioned(stage, {}, charlie);
    for (const id of [await addKey(stage, {}, bob), await addKey(stage, { owner: "organization" })]) {
      assert.ok(!(await idsSeenBy(charlie)).includes(id));
      assert.equal((await read(id, charlie)).status, 404);
      assert.equal((await remove(id, charlie)).status, 404);
      const granted = await grant(stage, serverId, id, charlie);
      assert.equal(granted.status, 422);
      assert.deepEqual(errorsOf(granted), { ssh_key_id: `There is no SSH key ${id}.` });
    }
  });

  it("as a page, of people or of the organization alone", async () => {
    const [mine, acmes] = [await addKey(stage), await addKey(stage, { owner: "organization" })];
    const { alice } = stage.cast;
    const [users, organizations] = [
      await idsSeenBy(alice, "&owner=user"),
      await idsSeenBy(alice, "&owner=organization"),
    ];
    assert.ok(users.includes(mine) && !users.includes(acmes));
    assert.ok(!organizations.includes(mine) && organizations.includes(acmes));
    const { body } = await ask(stage, "GET /api/v1/ssh-keys?per_page=1&owner=organization");
    assert.deepEqual([body.data.length, body.total_items], [1, organizations.length]);
  });
});

it("a colleague's key is deleted by its person only", async () => {
  const id = await addKey(stage, {}, stage.cast.bob);
  assert.equal((await remove(id, stage.cast.alice)).status, 403);
  assert.equal((await remove(id, stage.cast.bob)).status, 200);
  assert.equal((await read(id, stage.cast.bob)).status, 404);
});
