import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { Plan } from "../../../engine/runs/plan.ts";
import { type ProjectLayout, projectLayout } from "../../../host/layout.ts";
import { someIdentity } from "../../../host/project-mark/tests/identity.ts";
import { runBash } from "../../../host/tests/bash.ts";
import { findFramework } from "../../projects/frameworks.ts";
import { sharedPaths } from "../../projects/on-server.ts";
import type { ProjectOnServer } from "../../projects/plans.ts";
import { deploymentPlan, recyclePlan, rollbackPlan } from "../plans.ts";
import { checkWrittenOnSource, proposedSettings } from "../steps/written.ts";

// Files that an application writes into its release, with real directories.

const frameworkIds = { laravel: 1, symfony: 2, wordpress: 3, php: 4, next: 5, node: 8, static: 10 } as const;

let root: string;
let layout: ProjectLayout;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "longshore-written-"));
  layout = projectLayout(7, root);
  for (const path of [layout.releases, layout.shared, layout.state]) mkdirSync(path, { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true }));

interface Settings {
  framework?: keyof typeof frameworkIds;
  directories?: string[];
  files?: string[];
  mayGo?: boolean;
  over?: Partial<ProjectOnServer>;
}

function project({ framework: name = "php", directories = [], files = [], mayGo = false, over }: Settings = {}) {
  const framework = findFramework(frameworkIds[name]);
  assert.ok(framework);
  const family = framework.runtimeFamily;
  const kind =
    family === "node"
      ? { family, ports: [20_000, 20_001] as const }
      : family === "php"
        ? { family }
        : { family, spa: false };
  return {
    layout,
    identity: someIdentity,
    framework,
    site: { layout, kind, domains: [{ name: "shop.test" }], wwwRedirect: 0 as const, redirectStatus: 301 as const },
    directory: "",
    commands: { install: "", build: "", dev: "", custom: "" },
    ...sharedPaths({ shared_directories: directories, shared_files: files }, "", framework.keeps),
    writtenFiles: { mayGo, directories, files },
    hasEnvironment: false,
    zeroDowntime: true,
    ...over,
  } satisfies ProjectOnServer;
}

const source = { url: "https://example.com/shop.git", branch: "main", access: "none" as const };
const deployment = (deploymentId: number, settings: Settings = {}): Plan =>
  deploymentPlan({ project: project(settings), deploymentId, source });
const rollback = (deploymentId: number, releaseId: number, settings: Settings = {}): Plan =>
  rollbackPlan({ project: project(settings), deploymentId, releaseId });

const releaseAt = (id: number): string => `${layout.releases}/${id}`;
const put = (directory: string, files: Record<string, string>): void => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
};
const makeLive = (id: number): void => {
  rmSync(layout.current, { force: true });
  symlinkSync(`releases/${id}`, layout.current);
};

/** The part of a plan's step that is about files: what the commit holds is there already. */
const carryOut = async (plan: Plan, key: string) => {
  const step = plan.steps.find((each) => each.key === key);
  assert.ok(step, key);
  const done = await runBash({ script: step.script.replace(/^git .*read-tree.*$/m, ":") }, root);
  return { ...done, error: done.stderr.trim().split("\n").at(-1) ?? "" };
};
/** The same plan on a server whose disk answers too late. */
const withSlowFind = (plan: Plan): Plan => ({
  ...plan,
  steps: plan.steps.map((step) => ({
    ...step,
    script: step.script
      .replace("search_seconds=60", "search_seconds=0.2")
      .replace(
        'timeout "$search_seconds" find',
        'timeout "$search_seconds" bash -c "find . | head -n 1; sleep 9" slow',
      ),
  })),
});
const undo = async (plan: Plan, key: string) => {
  const { code, stderr } = await runBash({ script: plan.steps.find((each) => each.key === key)?.undo ?? "" }, root);
  assert.equal(code, 0, stderr);
};
const succeed = async (plan: Plan, key: string) => {
  const done = await carryOut(plan, key);
  assert.equal(done.code, 0, `${key}: ${done.stdout}${done.stderr}`);
  return done;
};

/** A release of these files that went live. */
const lives = async (id: number, files: Record<string, string>, settings: Settings = {}): Promise<string> => {
  put(releaseAt(id), { ".longshore/x": "", "index.php": "<?php", "public/index.php": "<?php", ...files });
  const plan = deployment(id, settings);
  await succeed(plan, "export-release");
  if (plan.steps.some(({ key }) => key === "check-written-files")) await succeed(plan, "check-written-files");
  makeLive(id);
  return releaseAt(id);
};
/** The answer of the next deployment, before anything is built. */
const next = async (settings: Settings = {}, files: Record<string, string> = {}, id = 2) => {
  put(releaseAt(id), { ".longshore/x": "", "index.php": "<?php", "public/index.php": "<?php", ...files });
  return carryOut(deployment(id, settings), "export-release");
};
const refused = async (settings: Settings = {}) => {
  const { code, error } = await next(settings);
  assert.equal(code, 1, error);
  return proposedSettings(error);
};
const passes = async (settings: Settings = {}) => {
  const { code, error } = await next(settings);
  assert.deepEqual([code, error], [0, ""]);
};
/** Everything of the project, with its content. */
const picture = () =>
  spawnSync(
    "bash",
    ["-c", 'cd "$1" && find . -printf "%p %y %l %m\\n" | sort && cat $(find . -type f | sort)', "x", root],
    {
      encoding: "utf8",
    },
  ).stdout;

describe("the deployment after an application has written into its release", () => {
  test("is refused with the files, and with settings that take them along", async () => {
    const live = await lives(1, { "data/.gitkeep": "", "app/start.php": "<?php" });
    put(live, {
      "data/app.sqlite": "rows",
      "uploads/2026/cat.png": "cat",
      "settings.php": "<?php",
      "app/key.php": "k",
    });
    put(releaseAt(2), { ".longshore/x": "", "index.php": "<?php" });
    const before = picture();
    const { code, error } = await carryOut(deployment(2), "export-release");
    assert.equal(code, 1);
    assert.equal(
      error,
      'The application has written files into the live release that would be lost: app/key.php, data/app.sqlite, settings.php and 1 more. To keep them, set the shared directories to ["data", "uploads"] and the shared files to ["app/key.php", "settings.php"] and deploy again: what they hold is taken along. If they may go, have the project discard written files (discard_written_files).',
    );
    assert.deepEqual(proposedSettings(error), {
      shared_directories: ["data", "uploads"],
      shared_files: ["app/key.php", "settings.php"],
    });
    assert.equal(picture().replace("./secrets d  755\n", ""), before.replace("./secrets d  755\n", ""));
  });

  test("is refused at the last moment too, for what was written during the build", async () => {
    const live = await lives(1, {});
    assert.equal((await next()).code, 0);
    put(live, { "state/a.json": "{}" });
    const { code, error } = await carryOut(deployment(2), "check-written-files");
    assert.equal(code, 1);
    assert.deepEqual(proposedSettings(error), { shared_directories: ["state"] });
  });

  test("has the data with the proposed settings, and so has the live release until then", async () => {
    const live = await lives(1, { "data/.htaccess": "Require all denied", "data/old.txt": "1" });
    put(live, { "data/files/a.txt": "a", "config.php": "<?php // installed" });
    const settings = { directories: ["data"], files: ["config.php"] };
    const plan = deployment(2, settings);
    const { code, error } = await next(settings, { "data/.htaccess": "Require all denied", "data/new.txt": "2" });
    assert.deepEqual([code, error], [0, ""]);
    writeFileSync(`${live}/data/files/late.txt`, "during the build");
    await succeed(plan, "check-written-files");
    for (const at of [live, releaseAt(2)]) {
      assert.equal(readFileSync(`${at}/data/files/a.txt`, "utf8"), "a");
      assert.equal(readFileSync(`${at}/data/files/late.txt`, "utf8"), "during the build");
      assert.equal(readFileSync(`${at}/config.php`, "utf8"), "<?php // installed");
    }
    assert.deepEqual(readdirSync(`${releaseAt(2)}/data`).sort(), [".htaccess", "files", "new.txt", "old.txt"]);
    makeLive(2);
    assert.deepEqual(
      [(await next(settings, {}, 3)).code, readlinkSync(`${releaseAt(3)}/data`)],
      [0, `${layout.shared}/data`],
    );
  });

  for (const framework of ["php", "node"] as const) {
    test(`does not take a search that was cut off for a whole one: ${framework}`, async () => {
      const slowly = (plan: Plan, key: string) => carryOut(withSlowFind(plan), key);
      const live = await lives(1, {}, { framework });
      put(live, { "data/a.txt": "a" });
      put(releaseAt(2), { ".longshore/x": "", "index.php": "<?php" });
      for (const key of ["export-release", "check-written-files"]) {
        const { code, error } = await slowly(deployment(2, { framework }), key);
        assert.equal(code, 1, key);
        assert.match(error, /were not all found within 0\.2 seconds/);
      }
      const allowed = deployment(2, { framework, mayGo: true });
      await succeed(allowed, "export-release");
      // The release is made nevertheless, without a list that later deployments would believe.
      assert.match((await slowly(allowed, "check-written-files")).stdout, /is not looked for/);
      const kept = readdirSync(`${releaseAt(2)}/.longshore`);
      assert.deepEqual([kept.includes("files"), kept.includes("files.new")], [false, false]);
      makeLive(2);
      assert.equal((await next({ framework }, {}, 3)).code, 0);
    });
  }

  test("leaves the live release as it was when it fails later", async () => {
    const live = await lives(1, { "data/.gitkeep": "", "app.db": "" });
    put(live, { "data/files/a.txt": "a", "app.db": "rows", "app.db-wal": "newer rows" });
    put(releaseAt(2), { ".longshore/x": "", "index.php": "<?php", "data/.gitkeep": "", "data/new/er.txt": "" });
    const before = spawnSync("find", [live, "-printf", "%p %y %l %s %i\\n"], { encoding: "utf8" }).stdout;
    const plan = deployment(2, { directories: ["data"], files: ["app.db"] });
    await succeed(plan, "export-release");
    assert.equal(existsSync(`${layout.shared}/data/new/er.txt`), true);
    assert.equal(readFileSync(`${layout.shared}/app.db-wal`, "utf8"), "newer rows");
    await succeed(plan, "export-release");
    await undo(plan, "export-release");
    await undo(plan, "export-release");
    const after = spawnSync("find", [live, "-printf", "%p %y %l %s %i\\n"], { encoding: "utf8" }).stdout;
    assert.equal(after, before);
    assert.deepEqual(readdirSync(layout.shared), []);
  });

  test("keeps a database whole that is open, with what is not in its file yet", async () => {
    const live = await lives(1, {});
    const open = new DatabaseSync(`${live}/app.sqlite`);
    open.exec("pragma journal_mode = wal; create table t (x text); insert into t values ('one')");
    assert.deepEqual(await refused(), { shared_files: ["app.sqlite"] });
    await passes({ files: ["app.sqlite"] });
    open.exec("insert into t values ('two')");
    const reader = new DatabaseSync(`${releaseAt(2)}/app.sqlite`);
    assert.deepEqual(
      reader
        .prepare("select x from t")
        .all()
        .map(({ x }) => x),
      ["one", "two"],
    );
    reader.close();
    open.close();
  });

  test("takes what is newer in the live release than in a path that was shared before", async () => {
    put(layout.shared, { "data/a.txt": "old", "data/kept.txt": "kept" });
    const live = await lives(1, { "data/a.txt": "repository", "data/b.txt": "repository" });
    put(live, { "data/a.txt": "written" });
    await passes({ directories: ["data"] });
    const of = (name: string) => readFileSync(`${releaseAt(2)}/data/${name}`, "utf8");
    assert.deepEqual([of("a.txt"), of("kept.txt")], ["written", "kept"]);
    assert.equal(existsSync(`${releaseAt(2)}/data/b.txt`), false);
  });

  test("takes a shared file that the application has replaced, link and all", async () => {
    const live = await lives(1, {}, { files: ["config.ini"] });
    rmSync(`${live}/config.ini`);
    put(live, { "config.ini": "replaced" });
    await passes({ files: ["config.ini"] });
    assert.equal(readFileSync(`${releaseAt(2)}/config.ini`, "utf8"), "replaced");
  });

  test("is carried out when the files may go, and names them", async () => {
    const live = await lives(1, {});
    put(live, { "data/a.txt": "a" });
    await passes({ mayGo: true });
    const { stdout } = await succeed(deployment(2, { mayGo: true }), "check-written-files");
    assert.match(stdout, /not taken along, as the project's settings allow: data\/a\.txt\.$/m);
  });

  test("finds changes of a file of the repository, whatever its time says", async () => {
    const live = await lives(1, { "content/home.txt": "first", "page.php": "<?php // 1" });
    utimesSync(`${live}/page.php`, 1, 1);
    const home = `${live}/content/home.txt`;
    spawnSync("touch", ["--reference", home, `${root}/time`]);
    writeFileSync(home, "other");
    spawnSync("touch", ["--reference", `${root}/time`, home]);
    put(live, { "future.txt": "" });
    utimesSync(`${live}/future.txt`, 2 ** 31, 2 ** 31);
    const { error } = await next();
    assert.match(error, /would be lost: content\/home\.txt, future\.txt, page\.php\./);
  });

  test("proposes the directory that an application edits, if it has no code and many files were changed", async () => {
    const pages = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`site/content/${at}/page.md`, "1"]));
    const live = await lives(1, { ...pages, "site/blocks/a.php": "<?php" });
    put(live, Object.fromEntries(Object.keys(pages).map((path) => [path, "2"])));
    assert.deepEqual(await refused(), { shared_directories: ["site/content"] });
  });

  test("proposes a directory of which the repository has examples only", async () => {
    const live = await lives(1, { "config/config.sample.php": "<?php", "config/README.md": "", "lib/a.php": "<?php" });
    put(live, { "config/config.php": "<?php", "lib/b.php": "<?php" });
    assert.deepEqual(await refused(), { shared_directories: ["config"], shared_files: ["lib/b.php"] });
  });

  test("proposes no directory that is served as a whole, and keeps the settings that are there", async () => {
    const live = await lives(1, { "public/.gitkeep": "", "media/.gitkeep": "" }, { directories: ["media/a"] });
    put(live, { "public/uploads/a.png": "", "media/b/c.png": "" });
    assert.deepEqual(await refused({ directories: ["!x", "media/a"] }), {
      shared_directories: ["!x", "media/a", "media/b", "public/uploads"],
    });
  });

  test("has names of any kind", async () => {
    const live = await lives(1, {});
    const names = ['say "hi"', "$(touch HIT)", "a\\b", "日本", "-rf", "!x", "it's", "]", "a, b"];
    put(live, Object.fromEntries([...names, "new\nline"].map((name) => [`${name}/file`, "x"])));
    const { error } = await next();
    const { shared_directories: found } = proposedSettings(error) ?? {};
    assert.deepEqual(found?.toSorted(), names.map((name) => (name === "!x" ? "./!x" : name)).toSorted());
    assert.doesNotMatch(error, /\n/);
    assert.ok(!existsSync(join(root, "HIT")));
    rmSync(`${live}/new\nline`, { recursive: true });
    await next({ directories: found ?? [] });
    assert.equal(readFileSync(`${releaseAt(2)}/!x/file`, "utf8"), "x");
  });

  test("bounds its answer", async () => {
    const live = await lives(1, {});
    put(live, Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`${"directory".repeat(4)}-${at}/a`, ""])));
    const { error } = await next();
    assert.ok(error.length < 3_900, `${error.length}`);
    assert.match(error, /and 297 more\. To keep them, set the shared directories to \["directory/);
    assert.ok((proposedSettings(error)?.shared_directories?.length ?? 0) > 50);
  });
});

describe("what does not stop a deployment", () => {
  test("is what frameworks and tools write by themselves", async () => {
    const files = {
      php: [
        "cache/page.html",
        "var-cache/x",
        "logs/a.txt",
        "debug.log",
        "tmp/x",
        "sessions/sess_1",
        "templates_c/a.php",
      ],
      symfony: ["var/share/pool/x", "var/cache/prod/App.php", "var/log/prod.log"],
      laravel: ["bootstrap/cache/config.php", "storage/framework/views/a.php", "vendor/x.php"],
      next: [".next/server/app/page.html", ".next/cache/x", "node_modules/.cache/x", "next.pid", "a/__pycache__/b.pyc"],
      node: ["app.sock", ".DS_Store", "error_log", "data/.htaccess", "site.db-shm", ".data/content/contents.sqlite"],
      wordpress: [
        "wp-includes/version.php",
        "wp-login.php",
        "wp-content/upgrade/x/a.php",
        "wp-content/languages/de.mo",
        "wp-content/plugins/shop/shop.php",
        "wp-content/plugins/shop/new.php",
        "wp-content/object-cache.php",
      ],
    };
    for (const [framework, paths] of Object.entries(files) as [keyof typeof frameworkIds, string[]][]) {
      const settings = { framework, directories: framework === "laravel" ? ["!storage"] : [] };
      const live = await lives(1, { "vendor/autoload.php": "", "wp-content/plugins/shop/shop.php": "1" }, settings);
      put(live, Object.fromEntries(paths.map((path) => [path, "written"])));
      await passes(settings);
      rmSync(layout.releases, { recursive: true });
    }
  });

  test("is not a database or an upload among these, nor a new plugin", async () => {
    const files = {
      symfony: ["var/data.db"],
      php: ["tmp/app.sqlite"],
      laravel: ["database/database.sqlite", "public/uploads/a.png"],
      next: ["prisma/dev.db"],
      node: [".tmp/data.db", "vendor/a.txt"],
      wordpress: ["wp-content/plugins/shop/shop.php", "wp-content/themes/mine/style.css"],
    };
    for (const [framework, paths] of Object.entries(files) as [keyof typeof frameworkIds, string[]][]) {
      const live = await lives(1, { "database/a.php": "<?php" }, { framework });
      put(live, Object.fromEntries(paths.map((path) => [path, "written"])));
      const { error } = await next({ framework });
      assert.match(error, new RegExp(paths.join(", ")), framework);
      rmSync(layout.releases, { recursive: true });
    }
  });

  test("is what a Node process builds again at its start, with the same result", async () => {
    const live = await lives(1, { "dist/index.js": "built", "package.json": "{}" }, { framework: "node" });
    rmSync(`${live}/dist`, { recursive: true });
    put(live, { "dist/index.js": "built" });
    await passes({ framework: "node" });
    put(live, { "dist/index.js": "other" });
    assert.equal((await next({ framework: "node" })).code, 1);
  });

  test("is a release from before there was a list, a project in place, and a static one without jobs", async () => {
    const live = await lives(1, {});
    put(live, { "data/a.txt": "a" });
    rmSync(`${live}/.longshore/files`);
    await passes();
    const keys = ({ steps }: Plan) => steps.map(({ key }) => key).filter((key) => key === "check-written-files");
    assert.deepEqual(keys(deployment(2, { over: { zeroDowntime: false } })), []);
    const statics = project({ framework: "static" });
    assert.deepEqual(keys(deploymentPlan({ project: statics, deploymentId: 2, source, hasJobs: false })), []);
    assert.deepEqual(keys(deploymentPlan({ project: statics, deploymentId: 2, source, hasJobs: true })).length, 1);
    assert.deepEqual(keys(deployment(2, { over: { writtenFiles: undefined } })), []);
    assert.deepEqual(keys(recyclePlan({ project: project({ framework: "node" }), deploymentId: 3, releaseId: 2 })), []);
  });
});

describe("a rollback", () => {
  test("is refused like a deployment, and has the data of the live release with the proposed settings", async () => {
    const first = await lives(1, { "data/.gitkeep": "", "data/first.txt": "1" });
    const second = await lives(2, {});
    put(second, { "data/a.txt": "a" });
    const answer = await carryOut(rollback(3, 1), "check-written-files");
    assert.equal(answer.code, 1);
    assert.match(answer.error, /and roll back again: /);
    assert.deepEqual(proposedSettings(answer.error), { shared_directories: ["data"] });
    const plan = rollback(3, 1, { directories: ["data"] });
    await succeed(plan, "check-written-files");
    assert.equal(readFileSync(`${first}/data/a.txt`, "utf8"), "a");
    await undo(plan, "check-written-files");
    assert.equal(readFileSync(`${second}/data/a.txt`, "utf8"), "a");
    assert.equal(lstatSync(`${second}/data`).isDirectory(), true);
    await succeed(plan, "check-written-files");
    assert.equal(readFileSync(`${first}/data/a.txt`, "utf8"), "a");
    assert.equal(readFileSync(`${first}/.longshore/former/data/first.txt`, "utf8"), "1", "what it had is kept");
  });

  test("keeps what was shared by the deployment of its release when it is undone", async () => {
    await lives(1, {}, { directories: ["data"] });
    put(layout.shared, { "data/a.txt": "a" });
    await lives(2, {}, { directories: ["data"] });
    const plan = rollback(3, 1, { directories: ["data"] });
    await succeed(plan, "check-written-files");
    await undo(plan, "check-written-files");
    assert.equal(readFileSync(`${layout.shared}/data/a.txt`, "utf8"), "a");
  });
});

test("a move is refused while the source has such files, also for shared paths that no deployment has linked", async () => {
  const live = await lives(1, {});
  const check = (settings: Settings = {}) => {
    const step = checkWrittenOnSource({ project: project(settings), layout, hasJobs: true });
    assert.ok(step);
    return runBash(step, root);
  };
  assert.equal((await check()).code, 0);
  put(live, { "data/a.txt": "a" });
  for (const directories of [[], ["data"]]) {
    const { code, stderr } = await check({ directories });
    assert.equal(code, 1);
    assert.match(stderr, /would be lost: data\/a\.txt\. .*deploy/);
  }
});
