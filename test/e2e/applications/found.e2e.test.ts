import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Detection, ProjectRequest } from "../../../contract/types.ts";
import { firstDeployment, logTail } from "../../../stage/api-client.ts";
import { ask } from "../../../stage/applications/site.ts";
import {
  bodyOf,
  createProject,
  deployToEnd,
  endOf,
  lengthy,
  openStage,
  type Project,
  type Stage,
} from "../../../stage/support.ts";

// Repositories as people find them, each with exactly the settings that are proposed for it.

let stage: Stage;
before(async () => {
  stage = await openStage("found");
}, lengthy);
after(() => stage?.close());

type Files = Record<string, string>;

const manifest = (fields: object): Files => ({
  "package.json": JSON.stringify({ name: "found", version: "1.0.0", ...fields }),
});
const lockFile: Files = {
  "package-lock.json": JSON.stringify({
    name: "found",
    version: "1.0.0",
    lockfileVersion: 3,
    packages: { "": { name: "found", version: "1.0.0" } },
  }),
};
const server = (port: string): string =>
  `require("node:http").createServer((_, answer) => answer.end(process.version)).listen(${port}, () => console.log("up"))`;

async function detect(name: string, files: Files): Promise<Detection> {
  await stage.git.createRepository(name, { files });
  const { data } = await stage.client("POST /api/v1/projects/detect", {
    body: { server_id: stage.serverId, git_repository: { type: "git", repo: stage.git.urlOf(name), branch: "main" } },
  });
  return data;
}

/** What a client fills in from the proposals. */
function proposed(found: Detection): Partial<ProjectRequest> {
  const { output_directory, node_version, php_version, health_path, shared_directories, shared_files } = found;
  const { directory, build_command: build, start_command: dev, deployment_script: custom } = found;
  return {
    ...valuesOf({ output_directory, node_version, php_version, health_path, shared_directories, shared_files }),
    custom_commands: valuesOf({ directory, build, dev, custom }),
  };
}

const valuesOf = (proposals: Record<string, { value: unknown } | null>) =>
  Object.fromEntries(Object.entries(proposals).flatMap(([name, found]) => (found ? [[name, found.value]] : [])));

async function create(name: string, files: Files, more: Partial<ProjectRequest> = {}) {
  const found = await detect(name, files);
  const frameworkId = more.framework_id ?? found.framework?.id;
  assert.ok(frameworkId, found.notes.join(" "));
  const project = await createProject(stage, {
    name,
    frameworkId,
    more: { ...proposed(found), ...more },
  });
  return {
    found,
    project,
    first: await endOf(stage, await firstDeployment(stage.client, project.id, { timeoutMs: 300_000 })),
  };
}

async function createServed(...given: Parameters<typeof create>): Promise<{ found: Detection; project: Project }> {
  const { first, ...made } = await create(...given);
  assert.equal(first.status, 1, `${first.error}\n${logTail(first)}`);
  return made;
}

const get = ({ domain }: Project, path: string, more = {}) =>
  ask({ address: stage.server.address, domain, pages: [] }, path, more);

describe("a PHP application with its data beside its code", () => {
  const installer = `<?php
    if ($_SERVER["REQUEST_METHOD"] === "POST") {
      file_put_contents(__DIR__ . "/storage/owner.php", "<?php return 'Jane';");
      (new PDO("sqlite:" . __DIR__ . "/storage/notes.sqlite"))->exec("create table notes as select 'a secret' as text");
    }`;
  let project: Project;

  it("keeps what visitors wrote, and serves none of it", lengthy, async () => {
    const files = {
      "index.php": `<?php if (!is_file(__DIR__ . "/storage/owner.php")) { header("Location: /setup.php"); exit; } echo "of ", require __DIR__ . "/storage/owner.php";`,
      "setup.php": installer,
      "storage/.gitkeep": "",
      "storage/.htaccess": "Require all denied\n",
      "drafts/.htaccess": "Order deny,allow\nDeny from all\n",
      "drafts/plan.txt": "not yet",
      "parts/footer.phtml": "<?php $key = 'in the source';",
      "composer.lock": "{}",
    };
    const { found, ...made } = await createServed("notebook", files);
    ({ project } = made);
    assert.deepEqual([found.framework?.id, found.shared_directories?.value], [4, ["storage"]]);
    assert.equal((await get(project, "/setup.php", { method: "POST" })).status, 200);
    await stage.git.commit("notebook", { files: { "README.md": "second\n" } });
    assert.equal((await deployToEnd(stage, project)).status, 1);
    assert.equal(await bodyOf(stage, project), "of Jane");
    for (const path of ["/storage/notes.sqlite", "/drafts/plan.txt", "/parts/footer.phtml", "/composer.lock"]) {
      const { status, body } = await get(project, path);
      assert.ok(status >= 400 && !/secret|source|not yet/.test(String(body)), `${path}: ${status}`);
    }
  });

  it("is not opened to its installer again", lengthy, async () => {
    const files = {
      "index.php": `<?php if (!is_file(__DIR__ . "/conf/site.php")) { header("Location: /setup.php"); exit; } echo "installed";`,
      "setup.php": `<?php @mkdir(__DIR__ . "/conf"); file_put_contents(__DIR__ . "/conf/site.php", "<?php");`,
    };
    const made = await createServed("diary", files);
    await get(made.project, "/setup.php");
    await stage.git.commit("diary", { files: { "README.md": "second\n" } });
    const second = await deployToEnd(stage, made.project);
    assert.equal(second.status, 2);
    assert.match(second.error ?? "", /conf/);
    assert.equal(await bodyOf(stage, made.project), "installed");
  });
});

it("a page with PHP beside it runs that, and sends no source", lengthy, async () => {
  const { found, project } = await createServed("speed", {
    "index.html": "<!doctype html><title>speed</title>",
    "api/ping.php": `<?php require __DIR__ . "/settings.php"; echo "pong";`,
    "api/settings.php": "<?php $password = 'in the source';",
  });
  assert.equal(found.framework?.id, 4);
  assert.equal(await bodyOf(stage, project, "/api/ping.php"), "pong");
  assert.equal(await bodyOf(stage, project, "/api/settings.php"), "");
  assert.match(await bodyOf(stage, project), /speed/);
});

it("a build that takes warnings as errors in CI succeeds with CI=false", lengthy, async () => {
  const files = {
    ...manifest({ scripts: { build: "node build.js" } }),
    ...lockFile,
    "build.js": `
      if (process.env.CI && process.env.CI !== "false") throw new Error("Treating warnings as errors because process.env.CI is set.");
      require("node:fs").mkdirSync("dist", { recursive: true });
      require("node:fs").writeFileSync("dist/index.html", "built");`,
  };
  const { first } = await create("strict", files, { framework_id: 9 });
  assert.equal(first.status, 2);
  assert.match(first.error ?? "", /Treating warnings as errors/);
  const { project } = await createServed("lenient", files, { framework_id: 9, environment_variables: "CI=false" });
  assert.equal(await bodyOf(stage, project), "built");
});

it("a lock file of pnpm 8 is installed by a pnpm that reads it", lengthy, async () => {
  const { project } = await createServed("older", {
    ...manifest({ scripts: { start: "node server.js" }, dependencies: { ms: "2.1.3" } }),
    "server.js": `require("node:http").createServer((_, answer) => answer.end(String(require("ms")("2h")))).listen(process.env.PORT)`,
    "pnpm-lock.yaml": `lockfileVersion: '6.0'

settings:
  autoInstallPeers: true
  excludeLinksFromLockfile: false

dependencies:
  ms:
    specifier: 2.1.3
    version: 2.1.3

packages:

  /ms@2.1.3:
    resolution: {integrity: sha512-6FlzubTLZG3J2a/NVCAleEhjzq5oxgHyaCU9yYXvcLsvoVaHJq/s5xXI6/XXP6tz7R9xAOtHnSO/tXtF3WRTlA==}
    dev: false
`,
  });
  assert.equal(await bodyOf(stage, project), "7200000");
});

it("a page in the repository is served, not the program that watches it", lengthy, async () => {
  const { found, project } = await createServed("theme", {
    ...manifest({ scripts: { start: "browser-sync start --server dist --watch" } }),
    ...lockFile,
    "dist/index.html": "<title>theme</title>",
    "src/index.pug": "title theme",
  });
  assert.ok([9, 10].includes(found.framework?.id ?? 0));
  assert.match(await bodyOf(stage, project), /theme/);
});

it("a range of versions of Node is read at the deployment", lengthy, async () => {
  const { found, project } = await createServed("pair", {
    ...manifest({ engines: { node: ">=15" }, scripts: { start: "node server.js" } }),
    ...lockFile,
    "server.js": server("process.env.PORT"),
  });
  assert.deepEqual([found.framework?.id, found.node_version], [8, null]);
  assert.match(await bodyOf(stage, project), /^v\d\d\./);
});

it("a server with a port in its code fails soon, with what to do", lengthy, async () => {
  const { first } = await create("fixed", {
    ...manifest({ scripts: { start: "node server.js" } }),
    ...lockFile,
    "server.js": server("3000"),
  });
  assert.equal(first.status, 2);
  assert.match(first.error ?? "", /3000.*PORT/s);
});

it("what is not run is named with what to do", lengthy, async () => {
  for (const [name, files, words] of [
    [
      "blog",
      { "_config.yml": "title: t\n", Gemfile: "gem 'jekyll'\n", "index.html": "---\n---\n{% include a.html %}" },
      /Jekyll/,
    ],
    ["journal", { "hugo.toml": "title = 't'\n", "content/a.md": "a", "layouts/index.html": "{{ .Title }}" }, /Hugo/],
    ["image", { Dockerfile: "FROM scratch\n" }, /Docker/],
    ["flask", { "requirements.txt": "flask\n", "app.py": "import flask" }, /Python/],
  ] as const) {
    const { framework, notes } = await detect(name, files);
    assert.equal(framework, null, name);
    assert.match(notes.join(" "), words);
  }
});
