import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { rows, sql } from "../../../db/sql.ts";
import { restrict } from "../../../http/tests/support.ts";
import { addServer, errorsOf } from "../../servers/tests/support.ts";
import { ask, connect, createProject, type HostType, openStage, publicUrl, type Stage, sourceOf } from "./support.ts";

let stage: Stage;

before(async () => {
  // No server answers: whatever is read was read from the host.
  stage = await openStage({ publicUrl, answerWithinSeconds: "1" });
});
after(() => stage?.close());
beforeEach(async () => {
  await stage.pool.query("delete from projects");
  await stage.pool.query("delete from source_registrations");
  await stage.pool.query("delete from source_providers");
  await stage.pool.query("delete from runs");
  for (const host of Object.values(stage.hosts)) host.repositories.clear();
});

const addShop = (type: HostType, path = "acme/shop") => {
  const { files } = stage.hosts[type].addRepository(path);
  files.set("README.md", "# Shop");
  files.set("apps/web/package.json", JSON.stringify({ dependencies: { nuxt: "4.0.0" }, engines: { node: "22" } }));
  files.set("apps/web/package-lock.json", "{}");
  files.set("apps/web/node_modules/next/package.json", JSON.stringify({ dependencies: { next: "15" } }));
  files.set("a/b/c/d/package.json", "{}");
};

const detect = (repository: object, token = stage.cast.alice) =>
  ask(
    stage,
    "POST /api/v1/projects/detect",
    { server_id: stage.serverId, git_repository: { repo: "acme/shop", branch: "main", ...repository } },
    token,
  );

const countRuns = async () => (await rows(stage.pool, sql`select 1 from runs`)).length;

describe("a private repository", () => {
  for (const type of ["git_host_a", "git_host_b", "git_host_c"] as const) {
    it(`of ${type} is recognized with the account that is named, or with the host's`, async () => {
      addShop(type);
      const id = await connect(stage, type);
      for (const source of [`source_${id}`, type]) {
        const { status, body, text } = await detect({ type: source });
        assert.equal(status, 200, text);
        assert.equal(body.commit, "a".repeat(40));
        assert.deepEqual([body.data.framework.id, body.data.directory.value], [6, "apps/web"]);
        assert.equal(body.data.package_manager.name, "npm");
      }
      assert.equal(await countRuns(), 0);
      const asked = stage.hosts[type].requests.filter((line) => /node_modules|b\/c\/d|b%2Fc%2Fd/.test(line));
      assert.deepEqual(asked, [], "what others wrote, and what lies deep, is not asked for");
    });
  }

  it("is recognized before the server of the project is set up, if an account is named", async () => {
    addShop("git_host_a");
    const type = `source_${await connect(stage, "git_host_a")}`;
    const server_id = await addServer(stage);
    const ofServer = (id: number, type: string) =>
      ask(
        stage,
        "POST /api/v1/projects/detect",
        { server_id: id, git_repository: { repo: "acme/shop", branch: "main", type } },
        stage.cast.alice,
      );
    const { status, body, text } = await ofServer(server_id, type);
    assert.equal(status, 200, text);
    assert.equal(body.data.framework.id, 6);
    assert.deepEqual(Object.keys(errorsOf(await ofServer(server_id, "git_host_a"))), ["server_id"]);
    assert.deepEqual(Object.keys(errorsOf(await ofServer(9_999, type))), ["server_id"]);
  });

  it("of a branch or a path that is not there is refused with the reason", async () => {
    addShop("git_host_a");
    const type = `source_${await connect(stage, "git_host_a")}`;
    const branch = await detect({ type, branch: "gone" });
    assert.deepEqual([branch.status, /The branch gone does not exist/.test(branch.body.message)], [422, true]);
    const path = await detect({ type, repo: "acme/none" });
    assert.deepEqual([path.status, /did not find the repository acme\/none/.test(path.body.message)], [422, true]);
    const elsewhere = await detect({ type, repo: "https://gitlab.com/acme/shop" });
    assert.deepEqual(Object.keys(errorsOf(elsewhere)), ["git_repository.repo"]);
  });

  it("with huge and with many files is read in part", async () => {
    addShop("git_host_a");
    const { files } = stage.hosts.git_host_a.repositories.get("acme/shop") ?? assert.fail();
    files.set("package.json", JSON.stringify({ dependencies: { next: "15" }, x: "x".repeat(300_000) }));
    for (let n = 0; n < 500; n++) files.set(`directory-${n}/composer.json`, "{}");
    stage.hosts.git_host_a.requests.length = 0;
    const { status, text } = await detect({ type: `source_${await connect(stage, "git_host_a")}` });
    assert.equal(status, 200, text);
    assert.ok(stage.hosts.git_host_a.requests.length < 140, String(stage.hosts.git_host_a.requests.length));
  });

  it("is not read with an account of others, one that is disconnected, or one that does not exist", async () => {
    addShop("git_host_a");
    const id = await connect(stage, "git_host_a");
    await stage.pool.query("update source_providers set deleted_at = now() where id = $1", [id]);
    stage.hosts.git_host_a.requests.length = 0;
    for (const type of [`source_${id}`, "source_999", "source_0", "source_1e3", "source_", "source_1 "]) {
      assert.deepEqual(Object.keys(errorsOf(await detect({ type }))), ["git_repository.type"], type);
    }
    await stage.pool.query("update source_providers set deleted_at = null where id = $1", [id]);
    const stranger = await detect({ type: `source_${id}` }, stage.cast.charlie);
    assert.deepEqual(Object.keys(errorsOf(stranger)).sort(), ["git_repository.type", "server_id"]);
    assert.deepEqual(stage.hosts.git_host_a.requests, []);
  });

  it("is read for a restricted member only if a project in reach has it", async () => {
    addShop("git_host_a");
    addShop("git_host_a", "acme/top-secret");
    const id = await connect(stage, "git_host_a");
    const shop = await createProject(stage, { type: "git_host_a" });
    await restrict(stage.pool, "Bob", stage.cast.organizationId, { servers: [stage.serverId], projects: [shop] });
    const { bob } = stage.cast;
    assert.equal((await detect({ type: `source_${id}` }, bob)).status, 200);
    stage.hosts.git_host_a.requests.length = 0;
    for (const repo of ["acme/top-secret", "acme/top-secret.git", "https://github.com/acme/top-secret"]) {
      assert.deepEqual(Object.keys(errorsOf(await detect({ type: `source_${id}`, repo }, bob))), [
        "git_repository.repo",
      ]);
    }
    // Without the account it could be public: the server would find out, which does not answer here.
    assert.equal((await detect({ type: "git_host_a", repo: "acme/top-secret" }, bob)).status, 503);
    assert.deepEqual(stage.hosts.git_host_a.requests, []);
  });

  it("is looked for by the server when the host refuses an account that was not named", async () => {
    await connect(stage, "git_host_a");
    assert.equal((await detect({ type: "git_host_a", repo: "others/public" })).status, 503);
    assert.equal(await countRuns(), 1);
    const plans = await rows<{ plan: unknown }>(stage.pool, sql`select plan from runs`);
    assert.equal(JSON.stringify(plans).includes(stage.hosts.git_host_a.token), false);
  });
});

describe("a new project", () => {
  it("uses the account that it names, and has the type of its host", async () => {
    const [, other] = [await connect(stage, "git_host_b"), await connect(stage, "git_host_b")];
    const id = await createProject(stage, { type: `source_${other}` });
    const source = await sourceOf(stage, id);
    assert.deepEqual([source.repository_type, source.provider.id], ["git_host_b", other]);
    const { body } = await ask(stage, `GET /api/v1/projects/${id}`);
    assert.equal(body.repository_type, "git_host_b");
  });

  it("is refused with an account that is not there, together with its other errors", async () => {
    const body = {
      name: "Shop",
      server_id: stage.serverId,
      domain: "shop.example.com",
      framework_id: 99,
      git_repository: { repo: "acme/shop", type: "source_12345", branch: "main" },
    };
    const reply = await ask(stage, "POST /api/v1/projects", body);
    assert.deepEqual(Object.keys(errorsOf(reply)).sort(), ["framework_id", "git_repository.type"]);
    const { body: list } = await ask(stage, "GET /api/v1/projects");
    assert.equal(list.total_items, 0);
  });
});
