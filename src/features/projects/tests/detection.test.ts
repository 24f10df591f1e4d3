import assert from "node:assert/strict";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { type GitServer, startGitServer } from "../../../../stage/git-server.ts";
import { scriptsOf, shellcheck } from "../../../../test/shellcheck.ts";
import { runBash } from "../../../host/tests/bash.ts";
import { call } from "../../../http/tests/support.ts";
import { detectionPlan, filesIn } from "../detection/plans.ts";
import { type Files, repository, templates } from "./repositories.ts";
import { openStage, type Play, playServers, type Stage } from "./support.ts";

describe("a repository is read", () => {
  let root: string;
  let server: GitServer;
  const nuxt = JSON.stringify({ dependencies: { nuxt: "4.0.0" } });
  let commit: string;

  before(async () => {
    root = await mkdtemp(join(tmpdir(), "longshore-detection-"));
    server = await startGitServer({ host: "127.0.0.1", root: join(root, "repositories") });
    commit = await server.createRepository("shop", {
      files: {
        "package.json": nuxt,
        "big/package.json": `"${"x".repeat(300_000)}"`,
        "apps/my web/package.json": "{}",
        "a/b/c/d/package.json": "{}",
        "node_modules/x/package.json": "{}",
        "evil\nfile package.json": "x",
        "läden/package.json": "{}",
        Procfile: "worker: ü\n",
        "yarn.lock": "secret",
        "bootstrap/app.php": "<?php",
        "src/app.php": "<?php",
        "data/.htaccess": "Deny from all\n",
      },
    });
    await server.createRepository("private", { credentials: { username: "a", password: "b" } });
    await server.createRepository("long", { files: { "package.json": nuxt }, objectFormat: "sha256" });
    await server.createRepository("bare", { files: { README: "" } });
  });
  after(async () => {
    await server.close();
    await rm(root, { recursive: true });
  });

  const read = async (name: string, branch = "main") => {
    const { steps } = detectionPlan({ url: server.urlOf(name), branch });
    const done = await runBash({ script: `export TMPDIR=${root}\n${steps[0]?.script}` }, root);
    return { ...done, files: filesIn(done.stdout.split("\n")) };
  };

  test("with the object format that it has", async () => {
    const { code, stderr, files } = await read("long");
    assert.equal(code, 0, stderr);
    assert.match(files.commit, /^[0-9a-f]{64}$/);
    assert.deepEqual(files.contents, { "package.json": nuxt });
  });

  test("by names and by the few files that decide", async () => {
    const { code, stderr, files } = await read("shop");
    assert.equal(code, 0, stderr);
    assert.equal(files.commit, commit);
    assert.deepEqual(files.contents, {
      "package.json": nuxt,
      Procfile: "worker: ü\n",
      "apps/my web/package.json": "{}",
      "bootstrap/app.php": "<?php",
      "data/.htaccess": "Deny from all\n",
    });
    assert.deepEqual(
      files.paths.toSorted(),
      [...Object.keys(files.contents), "big/package.json", "src/app.php", "yarn.lock"].toSorted(),
    );
    assert.equal(
      files.paths.slice(0, 3).some((path) => path.includes("/")),
      false,
      "what lies higher comes first",
    );
  });

  test("which may have none of them", async () => {
    const { code, files } = await read("bare");
    assert.deepEqual([code, files.paths, files.contents], [0, ["README"], {}]);
  });

  test("or not, with a sentence", async () => {
    assert.match(
      (await read("private")).stderr,
      /does not exist, or not everybody may read it: choose its framework yourself\.\n$/,
    );
    assert.match((await read("missing")).stderr, /does not exist, or not everybody may read it/);
    assert.match((await read("shop", "nope")).stderr, /^The branch nope does not exist in the repository http/);
    assert.match((await read("shop", "$(touch HIT)")).stderr, /\$\(touch HIT\)/);
    assert.ok(!(await readdir(root)).includes("HIT"));
  });

  test("by a script that shellcheck is content with", () => {
    const said = shellcheck(scriptsOf(detectionPlan({ url: "https://git.test/a.git", branch: "main" })));
    assert.deepEqual(
      said.split("\n").filter((line) => line !== "" && !line.endsWith("[SC2016]")),
      [],
    );
  });
});

const sent = ["node_version", "php_version", "output_directory", "health_path", "shared_directories", "shared_files"];
const commands = { start_command: "dev", build_command: "build", deployment_script: "custom", directory: "directory" };

const express = (more: object): Files => ({ "package.json": { scripts: { start: "node server.js" }, ...more } });
const versions: [string, Files][] = [
  ...["lts/jod", "lts/*", "v22.11.0", "node", "# what we use\n22\n", ">=20", "22.x", "iojs", ""].map(
    (text): [string, Files] => [`.nvmrc of ${text}`, { ...express({}), ".nvmrc": text }],
  ),
  ["a range of engines", express({ engines: { node: ">=20 <23" } })],
  ["volta", express({ volta: { node: "22.12.0" } })],
  ["asdf", { ...express({}), ".tool-versions": "nodejs 22.9.0\n" }],
  ["mise", { ...express({}), "mise.toml": '[tools]\nnode = "22"\n' }],
  ["PHP", { "public/index.php": true, "composer.json": { require: { php: "^8.4" } }, ".php-version": "8.3" }],
  [
    "Laravel with all that it may have",
    {
      artisan: true,
      "composer.json": { require: { "laravel/framework": "^12", "laravel/horizon": "^5" } },
      "database/migrations/a.php": true,
      "bootstrap/app.php": "health: '/up'",
      ".env.example": "DB_CONNECTION=sqlite\n",
      "data/.gitkeep": true,
    },
  ],
  ["a Procfile", { ...express({}), Procfile: `web: node a.js\nrelease: ${"x".repeat(1_900)}\nworker-1: b\nMAIL: c\n` }],
  [
    "an application in a directory with odd names",
    {
      "my app/package.json": { dependencies: { "@angular/core": "19" } },
      "my app/angular.json": { projects: { "../x": {} } },
    },
  ],
];

/** As a server prints the files. */
const printed = (files: Files): string => {
  const { paths, contents } = repository(files);
  const read = Object.entries(contents).map(
    ([path, text]) => `file ${path}\ndata ${Buffer.from(text).toString("base64")}\n`,
  );
  return [`commit ${"a".repeat(40)}\n`, ...paths.map((path) => `path ${path}\n`), ...read].join("");
};

describe("POST /projects/detect", () => {
  let stage: Stage;
  let stop = async () => {};
  before(async () => {
    stage = await openStage();
  });
  afterEach(() => stop());
  after(() => stage?.close());

  const detect = (git: object = {}, over: object = {}) =>
    call(stage.app, "POST /api/v1/projects/detect", {
      token: stage.cast.alice,
      body: {
        server_id: stage.serverId,
        git_repository: { repo: "acme/shop", type: "git_host_a", branch: "main", ...git },
        ...over,
      },
    });
  const play = async (answer: Play) => {
    let script = "";
    stop = await playServers(stage, (run) => {
      script = run.plan.steps[0]?.script ?? "";
      return answer;
    });
    return () => script;
  };

  test("answers what the server reads", async () => {
    const content = Buffer.from('{"dependencies":{"nuxt":"4"}}').toString("base64");
    const script = await play({
      output: `commit ${"a".repeat(40)}\npath web/package.json\nremote: file x\nfile web/package.json\ndata ${content.slice(0, 9)}\ndata ${content.slice(9)}\n`,
    });
    const { status, body } = await detect();
    assert.equal(status, 200);
    assert.equal(body.commit, "a".repeat(40));
    assert.deepEqual([body.data.framework.id, body.data.directory.value], [6, "web"]);
    assert.match(script(), /url=https:\/\/github\.com\/acme\/shop\.git\nbranch=main\n/);
    assert.equal((await detect({}, { directory: "./web/" })).body.data.framework.id, 6);
    assert.equal((await detect({}, { directory: "other" })).body.data.framework, null);
  });

  test("proposes a version of PHP where the server's own does not fit", async () => {
    const composer = Buffer.from('{"require":{"php":"^8.3"}}').toString("base64");
    await play({
      output: `commit ${"a".repeat(40)}\npath index.php\npath composer.json\nfile composer.json\ndata ${composer}\n`,
    });
    const proposedOn = async (distribution: string) => {
      await stage.pool.query("update servers set distribution = $1 where id = $2", [distribution, stage.serverId]);
      return (await detect()).body.data.php_version?.value;
    };
    assert.equal(await proposedOn("debian 12"), "8.3");
    assert.equal(await proposedOn("debian 13"), undefined);
  });

  test("proposes what can be sent back as it is, for every repository", async () => {
    const post = (path: `POST /${string}`, body: object) => call(stage.app, path, { token: stage.cast.alice, body });
    const all: [string, Files][] = [...templates.map(([name, files]) => [name, files] as [string, Files]), ...versions];
    for (const [at, [name, files]] of all.entries()) {
      await play({ output: printed(files) });
      const { body } = await detect();
      await stop();
      stop = async () => {};
      const found = body.data;
      const value = (field: string) => (found[field] === null ? {} : { [field]: found[field].value });
      const created = await post("POST /api/v1/projects", {
        name: `proposed ${at}`,
        server_id: stage.serverId,
        domain: `proposed-${at}.example.com`,
        git_repository: { repo: "acme/shop", type: "git_host_a", branch: "main" },
        framework_id: found.framework?.id ?? 10,
        ...Object.assign({}, ...sent.map(value)),
        custom_commands: Object.fromEntries(
          Object.entries(commands).flatMap(([field, command]) => (found[field] ? [[command, found[field].value]] : [])),
        ),
      });
      assert.equal(created.status, 201, `${name}: ${created.text}`);
      const id = created.body.project_id;
      for (const job of found.scheduler_jobs)
        assert.equal((await post(`POST /api/v1/projects/${id}/scheduler-jobs`, job)).status, 201, name);
      for (const job of found.background_jobs)
        assert.equal((await post(`POST /api/v1/projects/${id}/background-jobs`, job)).status, 201, name);
    }
  });

  test("answers why a repository cannot be read", async () => {
    await play({
      exitCode: 1,
      output: "The branch main does not exist.\n",
    });
    const { status, body } = await detect();
    assert.deepEqual([status, body.message], [422, "The branch main does not exist."]);
  });

  test("refuses what a project could not have, and what needs a key", async () => {
    for (const [git, over, field] of [
      [{ repo: "git@git.example.com:shop.git", type: "git" }, {}, "git_repository.repo"],
      [{ repo: "https://u:p@git.example.com/shop.git", type: "git" }, {}, "git_repository.repo"],
      [{ branch: "--upload-pack=x" }, {}, "git_repository.branch"],
      [{}, { directory: "../x" }, "directory"],
      [{}, { server_id: 999_999 }, "server_id"],
    ] as const) {
      const { status, body } = await detect(git, over);
      assert.equal(status, 422, JSON.stringify(body));
      assert.deepEqual(Object.keys(body.errors), [field]);
    }
  });
});
