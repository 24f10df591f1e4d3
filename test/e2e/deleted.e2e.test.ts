import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { cutNetwork, healNetwork } from "../../sandbox/sandbox.ts";
import { loadConfig } from "../../src/config.ts";
import { openDatabase } from "../../src/db/data-directory.ts";
import { openPool, type Pool } from "../../src/db/pool.ts";
import { deploy, waitFor } from "../../stage/api-client.ts";
import { bodyOf, install, lengthy, openStage, type Project, type Stage, stateOf } from "../../stage/support.ts";
import { assertNothingIsLeft } from "./matrix/checks.ts";

// Deletions while deployments run, and while the server is unreachable: nothing deleted stays, and nothing else is
// touched.

let stage: Stage;
let pool: Pool;

before(async () => {
  stage = await openStage("deleted", { LONGSHORE_SSH_CONNECT_TIMEOUT_SECONDS: "5" });
  const { url } = await openDatabase(loadConfig({ LONGSHORE_DATA: stage.platform.dataDirectory }), "admin");
  pool = openPool(url, { applicationName: "longshore-test" });
}, lengthy);
after(async () => {
  await pool?.end();
  await stage?.close();
});

const node = `require("node:http").createServer((_, response) => response.end("node")).listen(process.env.PORT);`;
const php = { "public/index.php": "<?php echo 'php';" };

const slow = { "build.sh": "sleep 300" };
const build = { build: "bash build.sh" };

/** Starts a long deployment, and waits until its build runs. */
async function beginBuild(project: Project): Promise<number> {
  await stage.git.commit(project.name, { files: slow });
  const id = await deploy(stage.client, project.id);
  const isBuilding = async () => (await stage.bash(`pgrep -u project-${project.id} -fc '^sleep 300' || true`)) !== "0";
  await waitFor("the build to run", isBuilding, { timeoutMs: 180_000 });
  return id;
}

const remove = ({ id }: Project) => stage.client("DELETE /api/v1/project/{id}", { params: { id } });

/** The status of the refusal to show what was deleted. */
const statusOf = async (noun: "projects" | "deployments" | "servers", id: number): Promise<number> =>
  (await stage.client.refusal(`GET /api/v1/${noun}/{id}`, { params: { id } })).status;

/** Only some of these deployments had begun when the project was deleted. */
async function assertGone(project: Project, begun: readonly number[], waiting: readonly number[] = []): Promise<void> {
  const isGone = () => assertNothingIsLeft(stage, project).then(() => true);
  await waitFor(`everything of ${project.name} to be gone`, isGone, { timeoutMs: 180_000 });
  await stage.bash("nginx -t -q");
  const runs = await pool.query(
    `select r.subject_id, r.created_at < removal.created_at
        and (r.ended_at < removal.created_at or r.cancel_requested_at is not null) as "isEnded"
      from runs r, (select min(created_at) as created_at from runs where kind = 'project-removal' and subject_id = $1) removal
      where r.kind = 'deployment' and r.subject_id = any($2) order by r.subject_id`,
    [project.id, [...begun, ...waiting]],
  );
  assert.deepEqual(
    runs.rows.map(({ subject_id: id, isEnded }) => ({ id: Number(id), isEnded })),
    begun.map((id) => ({ id, isEnded: true })),
  );
}

describe("a project that is deleted", () => {
  let stays: Project;
  let former: string;

  before(async () => {
    stays = await install(stage, { name: "stays", files: { "index.html": "stays" } });
    former = await stateOf(stage, stays);
  }, lengthy);
  after(async () => {
    assert.equal(await bodyOf(stage, stays), "stays");
    assert.equal(await stateOf(stage, stays), former);
  });

  it("while it is being built leaves nothing", async () => {
    const files = { ...php, "build.sh": "true" };
    const project = await install(stage, { name: "php", frameworkId: 4, files, commands: build });
    const id = await beginBuild(project);
    await remove(project);
    assert.equal(await statusOf("projects", project.id), 404);
    await assertGone(project, [id]);
  });

  it("with deployments waiting in the queue leaves nothing, and none of them runs", async () => {
    const files = { "index.html": "queued", "build.sh": "true" };
    const project = await install(stage, { name: "queued", files, commands: build });
    const [running, ...waiting] = [await beginBuild(project), await deploy(stage.client, project.id)];
    await remove(project);
    for (const id of [running, ...waiting]) assert.equal(await statusOf("deployments", id), 404);
    await assertGone(project, [running], waiting);
  });

  it("while it is built in place leaves nothing", async () => {
    const files = { "index.html": "in place", "build.sh": "true" };
    const more = { zero_downtime: false };
    const project = await install(stage, { name: "in-place", files, commands: build, more });
    await stage.git.commit(project.name, { files: { "build.sh": "until [[ -e go-on ]]; do sleep 0.1; done" } });
    const id = await deploy(stage.client, project.id);
    const started = async () => (await stage.bash(`pgrep -u project-${project.id} -fc 'build.sh' || true`)) !== "0";
    await waitFor("the build to run", started, { timeoutMs: 180_000 });
    await remove(project);
    // The deployment is not interrupted: the removal waits for its end.
    await stage.bash(`touch ${project.home}/releases/in-place/go-on`);
    await assertGone(project, [id]);
  });

  it("while its server is away is gone at once, and its traces when the server is back", async () => {
    const files = { "server.js": node, "build.sh": "true" };
    const commands = { ...build, install: "true", dev: "node server.js" };
    const project = await install(stage, { name: "node", frameworkId: 8, files, commands });
    const id = await beginBuild(project);
    await cutNetwork(stage.server.name);
    try {
      await remove(project);
      assert.equal(await statusOf("projects", project.id), 404);
      // Longshore cannot reach the server, which serves and keeps building.
      assert.notEqual(await stage.bash(`ps -u project-${project.id} -o args= | grep -c .`), "0");
    } finally {
      await healNetwork(stage.server.name);
    }
    await assertGone(project, [id]);
  });
});

describe("a server that is deleted", () => {
  const ourKeys = () => stage.bash("grep -c ' longshore$' /root/.ssh/authorized_keys || true");
  const runs = () => stage.bash("systemctl list-units --no-legend --plain 'longshore-run-*'");

  it("while it is away and at work: its projects serve on, what was under way is put back, and our key is taken out", async () => {
    const site = await install(stage, {
      name: "site",
      files: { "index.html": "site", "build.sh": "true" },
      commands: build,
    });
    const former = await stateOf(stage, site);
    const id = await beginBuild(site);
    assert.equal(await ourKeys(), "1");
    await cutNetwork(stage.server.name);
    try {
      await stage.client("DELETE /api/v1/servers/{id}", { params: { id: stage.serverId } });
      assert.equal(await statusOf("servers", stage.serverId), 404);
      assert.equal(await statusOf("projects", site.id), 404);
      assert.equal(await statusOf("deployments", id), 404);
      assert.equal(await ourKeys(), "1");
    } finally {
      await healNetwork(stage.server.name);
    }
    await waitFor("the key to be taken out", async () => (await ourKeys()) === "0", { timeoutMs: 180_000 });
    await waitFor("the deployment to end", async () => (await runs()) === "", { timeoutMs: 180_000 });
    assert.equal(await bodyOf(stage, site), "site");
    assert.equal(await stateOf(stage, site), former);
    // Foreign keys stay: the sandbox logs in with its own key.
    assert.ok(Number(await stage.bash("wc -l < /root/.ssh/authorized_keys")) >= 1);
  });
});
