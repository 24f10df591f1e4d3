import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { rows, sql } from "../../../db/sql.ts";
import { errorsOf } from "../../servers/tests/support.ts";
import { ask, connect, credentialsOf, openStage, type Stage } from "./support.ts";

let stage: Stage;

before(async () => {
  stage = await openStage();
});
after(() => stage.close());
beforeEach(async () => {
  await stage.pool.query("delete from source_providers");
  for (const host of Object.values(stage.hosts)) host.repositories.clear();
});

const types = ["git_host_a", "git_host_b", "git_host_c"] as const;

describe("connecting an account", () => {
  for (const type of types) {
    it(`of ${type} asks the host first, and never shows the token again`, async () => {
      const host = stage.hosts[type];
      const body = { name: "Acme", provider_type: type, credentials: credentialsOf(stage, type) };
      const reply = await ask(stage, "POST /api/v1/source-providers", body);
      assert.equal(reply.status, 201, reply.text);
      assert.equal(reply.body.data.account, host.account);
      assert.equal(reply.body.data.source, `source_${reply.body.data.id}`);
      const list = await ask(stage, "GET /api/v1/source-providers");
      const one = await ask(stage, `GET /api/v1/source-providers/${reply.body.data.id}`);
      assert.deepEqual(list.body.data, [one.body.data]);
      for (const { text } of [reply, list, one]) assert.ok(!text.includes(host.token) && !text.includes("credentials"));
      const [stored] = await rows<{ text: string }>(
        stage.pool,
        sql`select source_providers::text as text from source_providers`,
      );
      assert.ok(!stored?.text.includes(Buffer.from(host.token).toString("hex")), "it is stored in clear");
    });
  }

  it("stores nothing when the host does not take the credentials, or does not answer", async () => {
    const body = { name: "Acme", provider_type: "git_host_b", credentials: { token: "wrong" } };
    const refused = await ask(stage, "POST /api/v1/source-providers", body);
    assert.equal(refused.status, 422);
    assert.match(errorsOf(refused)["credentials.token"] ?? "", /GitLab refused the token/);
    stage.hosts.git_host_a.troubles.push({ line: /user/, trouble: { status: 500 } });
    const away = await ask(stage, "POST /api/v1/source-providers", {
      ...body,
      provider_type: "git_host_a",
      credentials: credentialsOf(stage, "git_host_a"),
    });
    assert.equal(away.status, 503);
    assert.ok(!`${refused.text}${away.text}`.includes(stage.hosts.git_host_a.token));
    assert.deepEqual((await ask(stage, "GET /api/v1/source-providers")).body.data, []);
  });

  it("names every bad field, and takes no token that could break a header", async () => {
    const reply = await ask(stage, "POST /api/v1/source-providers", {
      provider_type: "github",
      credentials: { token: "a\r\nX-Evil: 1" },
    });
    assert.equal(reply.status, 422);
    assert.deepEqual(Object.keys(errorsOf(reply)).sort(), ["credentials.token", "name", "provider_type"]);
  });

  it("is for those who manage the organization, and no one else sees it", async () => {
    const id = await connect(stage, "git_host_a");
    const { bob, victor, charlie, adam } = stage.cast;
    const body = { name: "Acme", provider_type: "git_host_a", credentials: credentialsOf(stage, "git_host_a") };
    assert.equal((await ask(stage, "POST /api/v1/source-providers", body, bob)).status, 403);
    assert.equal((await ask(stage, `DELETE /api/v1/source-providers/${id}`, undefined, bob)).status, 403);
    assert.equal((await ask(stage, "GET /api/v1/source-providers", undefined, bob)).body.data.length, 1);
    assert.equal((await ask(stage, "GET /api/v1/source-providers", undefined, victor)).status, 403);
    assert.deepEqual((await ask(stage, "GET /api/v1/source-providers", undefined, charlie)).body.data, []);
    for (const line of ["", "/repositories", "/branches?repository=acme/shop"]) {
      const reply = await ask(stage, `GET /api/v1/source-providers/${id}${line}`, undefined, charlie);
      assert.equal(reply.status, 404, line);
    }
    assert.equal((await ask(stage, `DELETE /api/v1/source-providers/${id}`, undefined, charlie)).status, 404);
    assert.equal((await ask(stage, `DELETE /api/v1/source-providers/${id}`, undefined, adam)).status, 200);
    assert.equal((await ask(stage, `GET /api/v1/source-providers/${id}`)).status, 404);
    assert.equal((await ask(stage, `DELETE /api/v1/source-providers/${id}`)).status, 404);
  });
});

describe("an Admin whose membership is restricted", () => {
  it("neither connects nor disconnects accounts, and uses those that are there", async () => {
    const host = stage.hosts.git_host_a;
    host.addRepository("acme/shop");
    const id = await connect(stage, "git_host_a");
    await stage.pool.query("update memberships set restricted = true, server_ids = $1 where user_id = $2", [
      [stage.serverId],
      stage.cast.userIds.adam,
    ]);
    host.requests.length = 0;
    const body = { name: "Acme", provider_type: "git_host_a", credentials: credentialsOf(stage, "git_host_a") };
    const { adam } = stage.cast;
    for (const [line, sent] of [
      ["POST /api/v1/source-providers", body],
      [`DELETE /api/v1/source-providers/${id}`, undefined],
    ] as const) {
      const reply = await ask(stage, line, sent, adam);
      assert.equal(reply.status, 403, line);
      assert.match(reply.body.message, /Your membership is restricted/);
    }
    assert.deepEqual(host.requests, [], "the host is not asked");
    const list = await ask(stage, "GET /api/v1/source-providers", undefined, adam);
    assert.deepEqual(
      list.body.data.map((each: { id: number }) => each.id),
      [id],
    );
    const seen = await ask(stage, `GET /api/v1/source-providers/${id}/repositories`, undefined, adam);
    assert.deepEqual(seen.body.data, [], "no project in reach has a repository");
    await stage.pool.query("update memberships set restricted = false, server_ids = '{}'");
  });
});

describe("what an account sees", () => {
  for (const type of types) {
    it(`at ${type} is listed in the host's pages`, async () => {
      const host = stage.hosts[type];
      for (let n = 0; n < 7; n += 1) host.addRepository(`acme/site-${n}`, { isPrivate: n % 2 === 0 });
      const id = await connect(stage, type);
      const seen: { repository: string; is_private: boolean }[] = [];
      let query = "?per_page=3";
      for (;;) {
        const { body, status, text } = await ask(stage, `GET /api/v1/source-providers/${id}/repositories${query}`);
        assert.equal(status, 200, text);
        assert.ok(body.data.length <= 3);
        seen.push(...body.data);
        if (body.next_cursor === null) break;
        query = `?per_page=3&cursor=${encodeURIComponent(body.next_cursor)}`;
      }
      assert.deepEqual(
        seen.map((each) => [each.repository, each.is_private]),
        Array.from({ length: 7 }, (_, n) => [`acme/site-${n}`, n % 2 === 0]),
      );
      const branches = await ask(stage, `GET /api/v1/source-providers/${id}/branches?repository=acme/site-1`);
      assert.deepEqual(branches.body, {
        status: "success",
        data: [{ name: "main", commit_id: "a".repeat(40), is_default: true }],
        next_cursor: null,
      });
      const found = async (line: string) => (await ask(stage, `GET /api/v1/source-providers/${id}/${line}`)).body.data;
      assert.deepEqual(
        (await found("repositories?q=SITE-3")).map((each: { repository: string }) => each.repository),
        ["acme/site-3"],
      );
      stage.hosts[type].repositories.get("acme/site-1")?.branches.set("feature/x", "b".repeat(40));
      assert.deepEqual(await found("branches?repository=acme/site-1&q=FEAT"), [
        { name: "feature/x", commit_id: "b".repeat(40), is_default: false },
      ]);
    });
  }

  it("is asked of the repository that was named, and of no other address of the host", async () => {
    const id = await connect(stage, "git_host_a");
    stage.hosts.git_host_a.requests.length = 0;
    for (const repository of ["shop", "../user", "acme/..", "acme/shop?x=1", "a/b#c", ""]) {
      const line = `GET /api/v1/source-providers/${id}/branches?repository=${encodeURIComponent(repository)}`;
      assert.equal((await ask(stage, line)).status, 422, repository);
    }
    assert.deepEqual(stage.hosts.git_host_a.requests, []);
    const missing = await ask(stage, `GET /api/v1/source-providers/${id}/branches?repository=acme/none`);
    assert.equal(missing.status, 422);
    assert.match(missing.body.message, /GitHub did not find the repository acme\/none/);
  });
});
