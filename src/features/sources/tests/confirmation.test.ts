import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { restrict } from "../../../http/tests/support.ts";
import { errorsOf } from "../../servers/tests/support.ts";
import { ask, connect, createProject, follow, openStage, reportKey, type Stage, sourceOf } from "./support.ts";

let stage: Stage;
/** A project of acme/shop, the only one that Bob reaches. */
let shop: number;

before(async () => {
  stage = await openStage();
});
after(() => stage.close());
beforeEach(async () => {
  const host = stage.hosts.git_host_a;
  host.repositories.clear();
  host.requests.length = 0;
  for (const path of ["acme/shop", "acme/blog", "acme/top-secret"]) host.addRepository(path);
  shop = await createProject(stage, { type: "git_host_a", repo: "acme/shop" });
  await restrict(stage.pool, "Bob", stage.cast.organizationId, { projects: [shop] });
});
afterEach(async () => {
  await stage.pool.query("delete from projects");
  await stage.pool.query("delete from source_providers");
});

const asBob = (line: string, body?: unknown) => ask(stage, line, body, stage.cast.bob);
const choose = (repo: string, token = stage.cast.bob) =>
  ask(stage, `PUT /api/v1/projects/${shop}`, { git_repository: { repo, type: "git_host_a", branch: "main" } }, token);

/** What Longshore changed at the host, after everything that it has to do. */
async function changesAtHost(project = shop): Promise<string[]> {
  await reportKey(stage, project);
  await follow(stage, project);
  return stage.hosts.git_host_a.requests.filter((line) => line.startsWith("POST "));
}

describe("the organization's account at a git host", () => {
  it("does not get a restricted member to other repositories, however they are written", async () => {
    await connect(stage, "git_host_a");
    const { gitHostAUrl } = stage.ctx.config;
    for (const repo of ["acme/top-secret", "acme/blog.git", `${gitHostAUrl}/acme/top-secret.git`, "/acme/top-secret"]) {
      const reply = await choose(repo);
      assert.equal(reply.status, 422, `${repo}: ${reply.text}`);
      assert.match(errorsOf(reply)["git_repository.repo"] ?? "", /A member without restriction can choose it/);
    }
    assert.ok((await changesAtHost()).every((line) => line.includes("/repos/acme/shop/")));
    assert.equal((await sourceOf(stage, shop)).repository, "acme/shop");
  });

  it("does not get one to them by a new project either", async () => {
    await connect(stage, "git_host_a");
    await restrict(stage.pool, "Bob", stage.cast.organizationId, { servers: [stage.serverId] });
    const body = { name: "N", server_id: stage.serverId, domain: "n.example.com", framework_id: 10 };
    const create = (repo: string, type = "git_host_a") =>
      asBob("POST /api/v1/projects", { ...body, git_repository: { repo, type, branch: "main" } });
    assert.deepEqual(Object.keys(errorsOf(await create("acme/top-secret"))), ["git_repository.repo"]);
    assert.equal((await create("acme/shop")).status, 201, "It is the repository of a project in reach.");
  });

  it("stays usable for branches, and for repositories in reach", async () => {
    await connect(stage, "git_host_a");
    const other = await createProject(stage, { type: "git_host_a", repo: "acme/blog" });
    assert.equal((await choose("acme/blog")).status, 422);
    await restrict(stage.pool, "Bob", stage.cast.organizationId, { projects: [shop, other] });
    assert.equal((await choose("acme/blog")).status, 200);
    const branch = await asBob(`PUT /api/v1/projects/${shop}`, { git_repository: { branch: "next" } });
    assert.equal(branch.status, 200, branch.text);
    assert.equal((await asBob(`POST /api/v1/projects/${shop}/source/register`)).status, 202);
    const git = { repo: "https://git.example.com/any/thing.git", type: "git", branch: "main" };
    assert.equal((await asBob(`PUT /api/v1/projects/${shop}`, { git_repository: git })).status, 200);
  });

  it("does not follow a choice from before it was connected, until a member without restriction confirms it", async () => {
    assert.equal((await choose("acme/top-secret")).status, 200);
    await connect(stage, "git_host_a");
    assert.deepEqual(await changesAtHost(), []);
    const register = `POST /api/v1/projects/${shop}/source/register`;
    assert.equal((await sourceOf(stage, shop)).needs_confirmation, true);
    const refused = await asBob(register);
    assert.equal(refused.status, 422);
    assert.match(refused.body.message, /A member without restriction has to confirm it/);
    // Neither its own present repository nor another unconfirmed one is in anyone's reach.
    assert.equal((await choose("acme/blog")).status, 422);
    assert.equal((await asBob(`PUT /api/v1/projects/${shop}`, { git_repository: { branch: "next" } })).status, 200);
    assert.equal((await sourceOf(stage, shop)).needs_confirmation, true);

    const confirmed = await ask(stage, register);
    assert.equal(confirmed.status, 202, confirmed.text);
    assert.equal(confirmed.body.data.needs_confirmation, false);
    await follow(stage, shop);
    const made = stage.hosts.git_host_a.requests.filter((line) => line.startsWith("POST "));
    assert.ok(
      made.some((line) => /\/repos\/acme\/top-secret\/keys/.test(line)),
      made.join("\n"),
    );
  });

  it("shows a restricted member the repositories and branches of the projects in reach only", async () => {
    const id = await connect(stage, "git_host_a");
    const names = async (token: string) => {
      const { body } = await ask(stage, `GET /api/v1/source-providers/${id}/repositories`, undefined, token);
      return body.data.map(({ repository }: { repository: string }) => repository).sort();
    };
    assert.deepEqual(await names(stage.cast.bob), ["acme/shop"]);
    assert.deepEqual(await names(stage.cast.alice), ["acme/blog", "acme/shop", "acme/top-secret"]);
    const branches = (repo: string) => asBob(`GET /api/v1/source-providers/${id}/branches?repository=${repo}`);
    assert.equal((await branches("acme/shop")).status, 200);
    assert.equal((await branches("acme/top-secret")).status, 404);
  });
});
