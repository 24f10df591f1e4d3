import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { type ProjectLayout, projectLayout } from "../../../host/layout.ts";
import { someIdentity } from "../../../host/project-mark/tests/identity.ts";
import { runBash } from "../../../host/tests/bash.ts";
import { findFramework } from "../../projects/frameworks.ts";
import type { ProjectOnServer } from "../../projects/plans.ts";
import { deploymentPlan } from "../plans.ts";

// Releases of a Laravel project with a separate repository: the real build step with git and npm.

let root: string;
let layout: ProjectLayout;

const built = "public/build/app.js";
const first = {
  "package.json": JSON.stringify({ scripts: { build: "sh build.sh" } }),
  "build.sh":
    'mkdir -p public/build; cat resources/app.js > public/build/app.js; echo x >> public/changed.txt; echo 1 >> "$CALLS"',
  "resources/app.js": "console.log(1)",
  "resources/views/home.blade.php": "<h1>",
  "public/index.php": "<?php",
  "public/changed.txt": "0\n",
  "app/Models/User.php": "<?php",
  "tests/user.js": "",
  "README.md": "Hello",
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "longshore-frontend-"));
  layout = { ...projectLayout(7, root), user: "root" };
  for (const path of [layout.releases, layout.cache, layout.home, layout.environments, layout.mirror]) {
    mkdirSync(path, { recursive: true });
  }
  git("init", "--quiet", "--bare", layout.mirror);
  git("init", "--quiet", `${root}/work`);
  put(first);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const git = (...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { encoding: "utf8" }).trim();

function put(files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(`${root}/work/${path}`), { recursive: true });
    writeFileSync(`${root}/work/${path}`, content);
  }
}

function project(over: Partial<ProjectOnServer>): ProjectOnServer {
  const framework = findFramework(1);
  assert.ok(framework);
  const { install, build, dev } = framework.defaults;
  return {
    layout,
    identity: someIdentity,
    framework,
    site: { layout, kind: { family: "php" }, domains: [{ name: "shop.test" }], wwwRedirect: 0, redirectStatus: 301 },
    directory: "",
    commands: { install, build, dev, custom: "" },
    sharedDirectories: [],
    sharedFiles: [],
    hasEnvironment: false,
    zeroDowntime: true,
    ...over,
  };
}

let release = 0;

/** Commits the changes, makes a release as a deployment does, builds it and activates it; returns the number of builds. */
async function deployed(files: Record<string, string> = {}, over: Partial<ProjectOnServer> = {}): Promise<number> {
  const before = calls();
  put(files);
  git("-C", `${root}/work`, "add", "-A");
  git("-C", `${root}/work`, "commit", "--quiet", "--allow-empty", "-m", "x");
  const id = ++release;
  git("-C", `${root}/work`, "push", "--quiet", layout.mirror, `HEAD:refs/longshore/releases/${id}`);
  const directory = `${layout.releases}/${id}`;
  cpSync(`${root}/work`, directory, { recursive: true, filter: (path) => !path.endsWith("/.git") });
  mkdirSync(`${directory}/.longshore`);
  const source = { url: "https://example.com/shop.git", branch: "main", access: "none" } as const;
  const plan = deploymentPlan({ project: project(over), deploymentId: id, source });
  const script = plan.steps.find(({ key }) => key === "build")?.script ?? "";
  const done = await runBash({ script: `export CALLS=${root}/calls\n${script}` }, root);
  assert.equal(done.code, 0, `${done.stdout}${done.stderr}`);
  rmSync(layout.current, { force: true });
  symlinkSync(`releases/${id}`, layout.current);
  return calls() - before;
}

const calls = (): number =>
  existsSync(`${root}/calls`) ? readFileSync(`${root}/calls`, "utf8").split("\n").length - 1 : 0;

const live = (path: string): string => readFileSync(`${layout.current}/${path}`, "utf8");

describe("a PHP project's frontend", () => {
  test("is built with the defaults of every build", async () => {
    await deployed({
      "build.sh": 'mkdir -p public/build; echo "$CI $NODE_ENV $npm_config_fund" > public/build/app.js',
    });
    assert.equal(live(built), "true production false\n");
  });

  test("is built once for the same sources, and its files are used again, also those that it changed", async () => {
    assert.equal(await deployed(), 1);
    assert.equal(await deployed(), 0);
    assert.equal(live(built), "console.log(1)");
    assert.equal(live("public/changed.txt"), "0\nx\n");
    assert.equal(await deployed({ "app/Models/User.php": "<?php // 2", "tests/user.js": "2", "README.md": "2" }), 0);
    assert.equal(live("app/Models/User.php"), "<?php // 2", "what is not built is the new one");
    assert.equal(live(built), "console.log(1)");
  });

  test("is built when anything changed that may be part of it", async () => {
    await deployed();
    const changes: Record<string, string>[] = [
      { "resources/app.js": "console.log(2)" },
      { "resources/views/home.blade.php": "<h2>" },
      { "package-lock.json": "{}" },
      { "vite.config.js": "1" },
      { "composer.lock": "{}" },
      { "lib/new.js": "1" },
    ];
    for (const change of changes) assert.equal(await deployed(change), 1, JSON.stringify(change));
    assert.equal(live(built), "console.log(2)");
    assert.equal(await deployed(), 0);
  });

  test("is built for PHP too when its settings show that it reads PHP", async () => {
    await deployed({ "tailwind.config.js": "module.exports = { content: ['./app/**/*.php'] }" });
    assert.equal(await deployed({ "app/Models/User.php": "<?php // 3" }), 1);
    assert.equal(await deployed({ "tailwind.config.js": "content: ['./resources/**/*.blade.php']" }), 1);
    assert.equal(await deployed({ "app/Models/User.php": "<?php // 4" }), 0);
    await deployed({ "composer.json": '{"require":{"tightenco/ziggy":"*"}}' });
    assert.equal(await deployed({ "app/Models/User.php": "<?php // 5" }), 1);
  });

  test("is built for every change when Tailwind 4 looks for class names itself", async () => {
    const withTailwind = (name: string, version: string) => ({
      "package.json": JSON.stringify({ ...JSON.parse(first["package.json"]), devDependencies: { [name]: version } }),
    });
    let edition = 0;
    const changed = () => ({ "app/View/Components/Alert.php": `<?php // ${++edition}` });
    const four: [string, string][] = [
      ["tailwindcss", "^4.1.0"],
      ["tailwindcss", "latest"],
      ["@tailwindcss/vite", "^4.0.0"],
    ];
    for (const [name, version] of four) {
      await deployed(withTailwind(name, version));
      assert.equal(await deployed(changed()), 1, `${name} ${version}`);
    }
    assert.equal(await deployed(), 0, "nothing changed");
    for (const version of ["^3.4.17", "3"]) {
      await deployed(withTailwind("tailwindcss", version));
      assert.equal(await deployed(changed()), 0, version);
    }
    await deployed(withTailwind("@tailwindcss/forms", "^0.5.0"));
    assert.equal(await deployed(changed()), 0, "a plugin of Tailwind 3");
  });

  test("is built when the environment changed", async () => {
    await deployed();
    for (const color of ["red", "blue"]) {
      mkdirSync(`${layout.environments}/${release + 1}`);
      writeFileSync(`${layout.environments}/${release + 1}/environment-exports`, `export VITE_COLOR=${color}\n`);
      assert.equal(await deployed(), 1, color);
    }
  });

  test("is always built with always_rebuild_frontend, and by a command of the user's", async () => {
    await deployed();
    assert.equal(await deployed({}, { alwaysRebuildFrontend: true }), 1);
    assert.equal(await deployed(), 0, "what was built then may be used again");
    assert.equal(await deployed({}, { commands: { ...project({}).commands, build: "sh build.sh" } }), 1);
  });

  test("is built when what the live release had built is gone", async () => {
    await deployed();
    rmSync(`${layout.current}/${built}`);
    assert.equal(await deployed(), 1);
    assert.equal(live(built), "console.log(1)");
  });
});
