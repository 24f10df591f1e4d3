import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { DeploymentReply, ProjectUpdate } from "../../contract/types.ts";
import { ensureBridgeAddress } from "../../sandbox/network.ts";
import { type NodeMirror, startNodeMirror } from "../../sandbox/node-mirror.ts";
import { firstDeployment, logTail, requestRollback, waitFor } from "../../stage/api-client.ts";
import { visit } from "../../stage/projects.ts";
import {
  bodyOf,
  changeServed,
  commandOutput,
  createProject,
  deployToEnd,
  endOf,
  install,
  lengthy,
  openStage,
  type Project,
  type Stage,
  waiting,
} from "../../stage/support.ts";

// A success means that visitors are served, on a real server.

let stage: Stage;
let page: Project;
let app: Project;

const serverOf = (listen: string, status = 200) =>
  `require("node:http").createServer((asked, answer) => { answer.statusCode = asked.url === "/up" ? 200 : ${status}; answer.end("up"); }).listen(${listen});`;

let mirror: NodeMirror;
const older = "22.21.1";

before(async () => {
  mirror = await startNodeMirror({ host: await ensureBridgeAddress(), versions: [process.versions.node, older] });
  stage = await openStage("served", { LONGSHORE_NODE_MIRROR: mirror.url });
  [page, app] = await Promise.all([
    install(stage, {
      name: "page",
      frameworkId: 9,
      commands: { install: "true", build: "true" },
      files: {
        "dist/index.html": '<div id="root"></div>one',
        "dist/assets/index-CXtZgaLf.js": "one",
        "dist/notes.txt": "ü",
      },
    }),
    install(stage, {
      name: "app",
      frameworkId: 8,
      commands: { install: "true", build: "true", dev: "exec node server.js" },
      files: { "server.js": serverOf('process.env.PORT, "127.0.0.1"') },
    }),
  ]);
}, lengthy);

after(async () => {
  await stage?.close();
  await mirror?.close();
});

const update = ({ id }: Project, body: ProjectUpdate) =>
  stage.client("PUT /api/v1/projects/{id}", { params: { id }, body });

/** Rolls back to an earlier deployment, and waits for the end. */
const rollBack = async (id: number): Promise<DeploymentReply> => endOf(stage, await requestRollback(stage.client, id));

const ofRecord = (ended: DeploymentReply) => `${ended.status} ${ended.error}\n${logTail(ended)}`;

async function deployed(project: Project, files: Record<string, string | null>): Promise<DeploymentReply> {
  await stage.git.commit(project.name, { files });
  return deployToEnd(stage, project);
}

const ask = (path: string) => visit({ address: stage.server.address, host: page.domain, path });

describe("a static site", () => {
  it("stays live if a release has no page, and the error names the directories", async () => {
    const ended = await deployed(page, { "dist/index.html": null, "site/index.html": '<div id="root"></div>two' });
    assert.equal(ended.status, 2, ofRecord(ended));
    assert.match(ended.error ?? "", /no index\.html is in dist, build, .*output_directory/);
    assert.match(await bodyOf(stage, page), /one$/);
  });

  it("is served from the configured directory, and open pages find their assets", async () => {
    await update(page, { output_directory: "site" });
    const ended = await deployed(page, { "site/assets/index-DYuAhbMg.js": "two" });
    assert.equal(ended.status, 1, ofRecord(ended));
    assert.match(await bodyOf(stage, page), /two$/);
    assert.equal(await bodyOf(stage, page, "/assets/index-DYuAhbMg.js"), "two");
    assert.equal(await bodyOf(stage, page, "/assets/index-CXtZgaLf.js"), "one");
    assert.equal((await ask("/notes.txt")).status, 404);
  });

  it("answers unknown addresses by its release, or immediately by the project's setting", async () => {
    assert.match((await ask("/users/jane.doe")).body, /two$/);
    assert.equal((await ask("/gone.js")).status, 404);
    await changeServed(stage, page, { spa_fallback: false });
    assert.equal((await ask("/users/jane.doe")).status, 404);
    await changeServed(stage, page, { spa_fallback: null });
    await deployed(page, { "site/index.html": "<h1>three</h1>", "site/about/index.html": "about" });
    assert.equal((await ask("/users/jane.doe")).status, 404);
    assert.equal((await ask("/about/")).body, "about");
  });
});

describe("a PHP project that is served whole", () => {
  it("serves the directories that its release opens, and no database, also after a rollback", async () => {
    const board = await install(stage, {
      name: "board",
      frameworkId: 4,
      commands: { install: "true", build: "true" },
      files: {
        "index.php": "<?php touch(__DIR__ . '/data/made.txt'); echo 'board';",
        "data/.htaccess": "Require all denied\n",
        "data/plan.txt": "private",
        "app.sqlite": "rows",
        ".htaccess": "Header set X-Own yes\n",
      },
    });
    await update(board, { discard_written_files: true });
    const statuses = () =>
      Promise.all(
        ["/", "/data/plan.txt", "/data/made.txt", "/app.sqlite"].map(
          async (path) => (await visit({ address: stage.server.address, host: board.domain, path })).status,
        ),
      );
    assert.deepEqual(await statuses(), [200, 403, 403, 404]);
    const open = await deployed(board, { "data/.htaccess": null });
    assert.equal(open.status, 1, ofRecord(open));
    assert.deepEqual(open.warnings, ["nginx does not follow all rules of .htaccess (headers)."]);
    await bodyOf(stage, board);
    assert.deepEqual(await statuses(), [200, 200, 200, 404]);
    const [first] = await stage.client("GET /api/v1/projects/{id}/rollback-candidates", { params: { id: board.id } });
    assert.ok(first);
    const rolledBack = await rollBack(first.id);
    assert.equal(rolledBack.status, 1, ofRecord(rolledBack));
    assert.deepEqual(await statuses(), [200, 403, 403, 404]);
  });
});

describe("a Node project", () => {
  it("succeeds with a warning when it answers 404, and without one when that is expected", async () => {
    const ended = await deployed(app, { "server.js": serverOf('process.env.PORT, "127.0.0.1"', 404) });
    assert.equal(ended.status, 1, ofRecord(ended));
    assert.match(ended.warnings.join("\n"), /^The release is live, but answers 404 to \/: /);
    await update(app, { health_path: "/up", health_status: [200] });
    const healthy = await deployToEnd(stage, app);
    assert.deepEqual([healthy.status, healthy.warnings], [1, []], ofRecord(healthy));
  });

  it("fails with the addresses on which it listens", async () => {
    await update(app, { start_timeout_seconds: 5 });
    const local = await deployed(app, { "server.js": serverOf('process.env.PORT, "::1"') });
    assert.equal(local.status, 2, ofRecord(local));
    assert.match(local.error ?? "", /listens on \[::1\]:(\d+) only, and is asked on 127\.0\.0\.1:\1/);
    const other = await deployed(app, { "server.js": serverOf("3999") });
    assert.match(other.error ?? "", /listens on \S*:3999, and nothing answers on port \d+/);
    await update(app, { start_timeout_seconds: 60 });
    const began = performance.now();
    const early = await deployToEnd(stage, app);
    assert.match(early.error ?? "", /listens on \S*:3999, and nothing answers .*process\.env\.PORT[^:]*$/);
    assert.ok(performance.now() - began < 45_000, "long before the end of the time for the start");
    assert.equal((await visit({ address: stage.server.address, host: app.domain, path: "/up" })).status, 200);
  });

  it("fails with the reason that the process or the build printed", async () => {
    const ended = await deployed(app, { "server.js": 'throw new Error("DATABASE_URL is missing");' });
    assert.equal(ended.error, "The process ended before it answered: Error: DATABASE_URL is missing");
    await update(app, { custom_commands: { build: "echo 'x.ts: no such type' >&2; exit 3" } });
    const built = await deployToEnd(stage, app);
    assert.equal(built.error, "“Build” failed with exit status 3: x.ts: no such type");
  });

  it("may take as long to start as the project allows", async () => {
    const slow = `setTimeout(() => { ${serverOf('process.env.PORT, "127.0.0.1"')} }, 15_000);`;
    await update(app, { custom_commands: { build: "true" }, start_timeout_seconds: 5 });
    assert.match((await deployed(app, { "server.js": slow })).error ?? "", /nothing answers on port/);
    await update(app, { start_timeout_seconds: 60 });
    const ended = await deployToEnd(stage, app);
    assert.equal(ended.status, 1, ofRecord(ended));
  });
});

describe("a new project", () => {
  it("is installed with the settings that it was created with", async () => {
    await stage.git.createRepository("docs", { files: { "manual/out/robots.txt": "all" } });
    const more = { output_directory: "manual/out", health_path: "/robots.txt" };
    const project = await createProject(stage, { name: "docs", more });
    const ended = await endOf(stage, await firstDeployment(stage.client, project.id, waiting));
    assert.equal(ended.status, 1, ofRecord(ended));
    assert.equal(await bodyOf(stage, project, "/robots.txt"), "all");
  });
});

describe("a directory of a monorepo", () => {
  it("is installed with the lock file of its workspaces, and starts in its directory", async () => {
    const lock = {
      name: "all",
      lockfileVersion: 3,
      requires: true,
      packages: {
        "": { name: "all", workspaces: ["apps/*", "libs/*"] },
        "apps/web": { name: "web", version: "1.0.0", dependencies: { greeting: "*" } },
        "libs/greeting": { name: "greeting", version: "1.0.0" },
        "node_modules/greeting": { resolved: "libs/greeting", link: true },
        "node_modules/web": { resolved: "apps/web", link: true },
      },
    };
    const project = await install(stage, {
      name: "monorepo",
      frameworkId: 8,
      commands: { directory: "apps/web" },
      files: {
        "package.json": JSON.stringify({ name: "all", private: true, workspaces: ["apps/*", "libs/*"] }),
        "package-lock.json": JSON.stringify(lock),
        "libs/greeting/package.json": '{"name":"greeting","version":"1.0.0"}',
        "libs/greeting/index.js": 'module.exports = "hello from ";',
        "apps/web/package.json":
          '{"name":"web","version":"1.0.0","dependencies":{"greeting":"*"},"scripts":{"start":"node server.js"}}',
        "apps/web/server.js":
          'require("node:http").createServer((_, answer) => answer.end(require("greeting") + process.cwd().split("/").pop())).listen(process.env.PORT, "127.0.0.1");',
      },
    });
    assert.equal(await bodyOf(stage, project), "hello from web");
  });
});

describe("the build cache of a Node project", () => {
  // The process answers with the number of builds that the cache has seen.
  const count = "mkdir -p .next/cache; echo x >> .next/cache/builds; wc -l < .next/cache/builds > built";
  let cached: Project;
  const builds = async (ended?: DeploymentReply): Promise<string> => {
    const { status } = ended ?? (await deployToEnd(stage, cached));
    assert.equal(status, 1);
    return (await bodyOf(stage, cached)).trim();
  };

  before(async () => {
    cached = await install(stage, {
      name: "cached",
      frameworkId: 5,
      commands: { install: "true", build: count, dev: "exec node server.js" },
      files: {
        "server.js":
          'require("node:http").createServer((_, answer) => answer.end(require("node:fs").readFileSync("built"))).listen(process.env.PORT, "127.0.0.1");',
      },
    });
  }, lengthy);

  it("is restored for the second build, separate for each branch, and cleared on request", async () => {
    const second = await deployToEnd(stage, cached);
    assert.equal(await builds(second), "2");
    assert.match(logTail(second), /Restored the build cache of this branch \(/);
    await stage.git.commit(cached.name, { branch: "other", files: { other: "" } });
    await update(cached, { git_repository: { branch: "other" } });
    assert.equal(await builds(), "1");
    await update(cached, { git_repository: { branch: "main" } });
    assert.equal(await builds(), "3");
    await stage.client("DELETE /api/v1/projects/{id}/build-cache", { params: { id: cached.id } });
    assert.equal(await builds(), "1");
  });

  it("does not lead root to other files if a build replaces it with links", async () => {
    const { home } = cached;
    await stage.bash(`mkdir -p /root/own/cache; echo kept > /root/own/cache/file; echo kept > ${home}/releases/own`);
    const build = [
      "echo linked > built; rm -rf .next; ln -s /root/own .next; mkdir node_modules; ln -s /root/own node_modules/.cache",
      `rm -rf ${home}/cache/builds ${home}/home/.npm; ln -s ${home}/releases ${home}/cache/builds; ln -s /root ${home}/home/.npm`,
      `ln -s / ${home}/cache/node-all`,
    ].join("; ");
    await update(cached, { custom_commands: { build } });
    assert.equal(await builds(), "linked");
    await update(cached, { custom_commands: { build: count } });
    assert.equal((await deployToEnd(stage, cached)).status, 1);
    assert.equal(await stage.bash("cat /root/own/cache/file; ls /root/own"), "kept\ncache");
    await stage.client("DELETE /api/v1/projects/{id}/build-cache", { params: { id: cached.id } });
    assert.equal(await builds(), "1");
    assert.equal(await stage.bash("cat /root/own/cache/file"), "kept");
  });
});

describe("the disk space of releases", () => {
  const releases = async () => (await stage.bash(`ls -v ${page.home}/releases`)).split("\n");
  const disk = async () => (await stage.client("GET /api/v1/projects/{id}", { params: { id: page.id } })).disk;

  it("is that of the served files of a static site, which a rollback serves again", async () => {
    const before = await deployed(page, { "site/index.html": "<h1>four</h1>", "src/page.js": "" });
    assert.equal(await stage.bash(`ls -A ${page.home}/current/`), ".longshore\nsite");
    await deployed(page, { "site/index.html": "<h1>five</h1>" });
    const ended = await rollBack(before.id);
    assert.equal(ended.status, 1, ofRecord(ended));
    assert.equal(await bodyOf(stage, page), "<h1>four</h1>");
    assert.ok(!ended.steps.some(({ key }) => key === "build"));
  });

  it("is shown with the project, and limited except for the live release and the one before", async () => {
    await update(page, { kept_releases_mb: 100, custom_commands: { build: "fallocate -l 60M site/large" } });
    const first = await deployToEnd(stage, page);
    const second = await deployToEnd(stage, page);
    assert.deepEqual(await releases(), [String(first.id), String(second.id)]);
    const taken = (await disk())?.releases_bytes ?? 0;
    assert.ok(taken > 120 * 2 ** 20 && taken < 130 * 2 ** 20, `${taken}`);
    // A deleted file is built again.
    await update(page, { custom_commands: { build: "true" } });
    const list = await stage.client("GET /api/v1/projects/{id}/rollback-candidates", { params: { id: page.id } });
    const gone = list.find(({ id }) => id < first.id);
    assert.ok(gone);
    const ended = await rollBack(gone.id);
    assert.equal(ended.status, 1, ofRecord(ended));
    assert.ok(ended.steps.some(({ key }) => key === "build"));
  });
});

describe("the version of Node", () => {
  const own = process.version;
  // Returns the version whose headers it was built with: the server can only reach its own headers.
  const addon = `#include <node_api.h>
    #include <node_version.h>
    static napi_value start(napi_env env, napi_value exports) {
      napi_value text;
      napi_create_string_utf8(env, NODE_VERSION, NAPI_AUTO_LENGTH, &text);
      return text;
    }
    NAPI_MODULE(NODE_GYP_MODULE_NAME, start)`;
  const files = {
    "package.json": JSON.stringify({ name: "engine", version: "1.0.0", scripts: { install: "node-gyp rebuild" } }),
    "binding.gyp": JSON.stringify({ targets: [{ target_name: "addon", sources: ["addon.c"] }] }),
    "addon.c": addon,
    "server.js": `const built = require("./build/Release/addon.node");
      require("node:http").createServer((_, answer) => answer.end(process.version + " " + built)).listen(process.env.PORT, "127.0.0.1");`,
  };
  let engine: Project;
  let jobId: number;

  const jobSays = (version: string) =>
    waitFor(
      `the job to run with ${version}`,
      async () => {
        const { data } = await stage.client("GET /api/v1/projects/{id}/background-jobs/{jobId}/log", {
          params: { id: engine.id, jobId },
          query: { lines: 100 },
        });
        return data.lines.filter((line) => line.startsWith("job ")).at(-1) === `job ${version}`;
      },
      waiting,
    );
  const commandSays = async () => (await commandOutput(stage, engine, "node --version")).trim();

  it("is the server's when none is set, and packages are built with its headers", async () => {
    engine = await install(stage, {
      name: "engine",
      frameworkId: 8,
      commands: { install: "npm install", build: "true", dev: "node server.js" },
      files,
    });
    assert.equal(await bodyOf(stage, engine), `${own} ${own}`);
    const { data } = await stage.client("POST /api/v1/projects/{id}/background-jobs", {
      params: { id: engine.id },
      body: { name: "Version", command: "echo job $(node --version); sleep 3600", processes: 1 },
    });
    jobId = data.id;
    await jobSays(own);
  });

  it("follows .nvmrc in builds, processes, jobs and commands", async () => {
    const ended = await deployed(engine, { ".nvmrc": "22\n" });
    assert.equal(ended.status, 1, ofRecord(ended));
    assert.match(logTail(ended, 200), new RegExp(`Node ${older.replaceAll(".", "[.]")}: \\.nvmrc asks for 22\\.`));
    assert.equal(await bodyOf(stage, engine), `v${older} v${older}`);
    await jobSays(`v${older}`);
    assert.equal(await commandSays(), `v${older}`);
  });

  it("follows the setting before .nvmrc, and the release after a rollback and a restart", async () => {
    await update(engine, { node_version: own.slice(1) });
    const ended = await deployToEnd(stage, engine);
    assert.equal(ended.status, 1, ofRecord(ended));
    assert.equal(await bodyOf(stage, engine), `${own} ${own}`);
    const params = { id: engine.id };
    const candidates = await stage.client("GET /api/v1/projects/{id}/rollback-candidates", { params });
    const former = candidates.find(({ id }) => id < ended.id);
    assert.ok(former);
    const rolledBack = await rollBack(former.id);
    assert.equal(rolledBack.status, 1, ofRecord(rolledBack));
    assert.equal(await bodyOf(stage, engine), `v${older} v${older}`);
    await jobSays(`v${older}`);
    // As after a boot.
    await stage.bash(`systemctl restart 'longshore-project-${engine.id}@*'`);
    await waitFor("it to answer", async () => (await bodyOf(stage, engine)) === `v${older} v${older}`, waiting);
  });

  it("cannot be an invalid one, and the live release stays", async () => {
    await update(engine, { node_version: null });
    const ended = await deployed(engine, { ".nvmrc": "../../current\n" });
    assert.equal(ended.error, ".nvmrc asks for ../../current, which is no version of Node.");
    assert.equal(await bodyOf(stage, engine), `v${older} v${older}`);
  });
});
