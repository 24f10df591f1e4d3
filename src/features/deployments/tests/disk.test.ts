import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { Plan } from "../../../engine/runs/plan.ts";
import { type ProjectLayout, projectLayout } from "../../../host/layout.ts";
import { someIdentity } from "../../../host/project-mark/tests/identity.ts";
import { type BashResult, runBash } from "../../../host/tests/bash.ts";
import { findFramework } from "../../projects/frameworks.ts";
import type { ProjectOnServer } from "../../projects/plans.ts";
import { type DeploymentInput, deploymentPlan, rollbackPlan } from "../plans.ts";

// The remains of releases on the disk, with the scripts that run on a server, in directories of the test.

let root: string;
let layout: ProjectLayout;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "longshore-disk-"));
  layout = { ...projectLayout(7, root), user: "root" };
  const { releases, cache, home, environments, state, slots } = layout;
  for (const path of [releases, cache, home, environments, state, slots]) mkdirSync(path, { recursive: true });
  spawnSync("git", ["init", "-q", "--bare", layout.mirror]);
  // The fetching user does not exist on this machine.
  tool("setpriv", 'until [[ $1 = -- ]]; do shift; done\nshift\nexec "$@"');
  tool(
    "npm",
    `echo "$@" >> ${root}/calls\n[[ $1 != run ]] || exit 0\nmkdir -p node_modules/a; echo 1 > node_modules/a/index.js`,
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (directory: string, files: Record<string, string | Buffer>) => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
};

function tool(name: string, script: string): void {
  put(`${root}/bin`, { [name]: `#!/bin/bash\n${script}\n` });
  chmodSync(`${root}/bin/${name}`, 0o755);
}

function project(frameworkId: number, over: Partial<ProjectOnServer> = {}): ProjectOnServer {
  const framework = findFramework(frameworkId);
  assert.ok(framework);
  const family = framework.runtimeFamily as "node" | "static";
  const kind = family === "node" ? { family, ports: [20_000, 20_001] as const } : { family, spa: true };
  const { install, build, dev } = framework.defaults;
  return {
    layout,
    identity: someIdentity,
    framework,
    site: { layout, kind, domains: [{ name: "shop.test" }], wwwRedirect: 0, redirectStatus: 301 },
    directory: "",
    commands: { install, build, dev, custom: "" },
    sharedDirectories: [],
    sharedFiles: [],
    hasEnvironment: false,
    zeroDowntime: true,
    ...over,
  };
}

const source = { url: "https://example.com/shop.git", branch: "main", access: "none" } as const;

async function carryOut(plan: Plan, key: string): Promise<BashResult> {
  const script = plan.steps.find((step) => step.key === key)?.script;
  assert.ok(script, key);
  const path = `PATH=${root}/bin:${dirname(process.execPath)}:`;
  const done = await runBash(
    { script: script.replace("PATH=/usr/local/bin", `${path}/usr/local/bin`) },
    root,
    `${root}/bin`,
  );
  assert.equal(done.code, 0, `${key}: ${done.stdout}${done.stderr}`);
  return done;
}

const at = (id: number) => `${layout.releases}/${id}`;

function makeLive(id: number): void {
  rmSync(layout.current, { force: true });
  symlinkSync(`releases/${id}`, layout.current);
}

describe("the packages of Node releases", () => {
  let live: number | undefined;
  beforeEach(() => {
    live = undefined;
  });

  /** Deploys a release with this lock file, to its end; `change` is its build. */
  async function deployed(id: number, lock: string, change: (directory: string) => void = () => {}): Promise<string> {
    put(at(id), { ".longshore/x": "", "package.json": "{}", "package-lock.json": JSON.stringify({ name: lock }) });
    const input: DeploymentInput = { project: project(5), deploymentId: id, source, formerRelease: live };
    const plan = deploymentPlan(input);
    const installed = await carryOut(plan, "install");
    change(at(id));
    makeLive(id);
    live = id;
    const tidied = await carryOut(plan, "tidy-up");
    await carryOut(plan, "prune-releases");
    return installed.stdout + tidied.stdout;
  }

  async function rolledBack(id: number, to: number): Promise<void> {
    const plan = rollbackPlan({ project: project(5), deploymentId: id, releaseId: to, formerRelease: live });
    await carryOut(plan, "restore-packages");
    makeLive(to);
    live = to;
    await carryOut(plan, "tidy-up");
    await carryOut(plan, "prune-releases");
  }

  const withPackages = (): number[] =>
    readdirSync(layout.releases)
      .filter((name) => existsSync(`${layout.releases}/${name}/node_modules`))
      .map(Number)
      .sort((a, b) => a - b);
  const cached = () => readdirSync(layout.cache).filter((name) => name.startsWith("node-"));
  const contentOf = (id: number) => readFileSync(`${at(id)}/node_modules/a/index.js`, "utf8");
  const calls = () => readFileSync(`${root}/calls`, "utf8").match(/^ci/gm)?.length ?? 0;

  test("are on the disk once for a lock file, and are installed once", async () => {
    for (const id of [1, 2, 3]) await deployed(id, "one");
    assert.deepEqual([withPackages(), cached(), calls()], [[3], [], 1]);
    await deployed(4, "two");
    assert.deepEqual([withPackages(), cached(), calls()], [[3, 4], [], 2]);
    await deployed(5, "one");
    assert.deepEqual([withPackages(), calls()], [[4, 5], 2]);
    assert.equal(lstatSync(`${at(5)}/node_modules/a/index.js`).nlink, 1);
  });

  test("come back with a rollback, also when those who had them are gone", async () => {
    for (const id of [1, 2, 3]) await deployed(id, "one");
    await rolledBack(4, 2);
    assert.deepEqual([withPackages(), contentOf(2)], [[2], "1\n"]);
    await deployed(5, "two");
    // The next release to be kept has them then, not the one that is removed first.
    await deployed(6, "two");
    await deployed(7, "two");
    await deployed(8, "two");
    assert.deepEqual(readdirSync(layout.releases).sort(), ["3", "5", "6", "7", "8"]);
    assert.deepEqual(withPackages(), [3, 8]);
    await rolledBack(9, 3);
    assert.equal(contentOf(3), "1\n");
    assert.equal(calls(), 2);
  });

  test("are kept where a build or a process wrote into them, and are not taken for what was installed", async () => {
    await deployed(1, "one", (directory) => writeFileSync(`${directory}/node_modules/a/index.js`, "changed"));
    assert.equal(cached().length, 1);
    await deployed(2, "one");
    assert.deepEqual([contentOf(1), contentOf(2), calls()], ["changed", "1\n", 1]);
    assert.deepEqual([withPackages(), cached()], [[1, 2], []]);
    put(at(2), { "node_modules/.cache/tool/x": "1", "node_modules/b/index.js": "by its process" });
    await deployed(3, "one");
    assert.equal(existsSync(`${at(3)}/node_modules/b`), false);
    assert.deepEqual([withPackages(), calls()], [[1, 2, 3], 2]);
  });

  test("that only a process has changed since come back all the same", async () => {
    await deployed(1, "one");
    await deployed(2, "one");
    put(at(2), { "node_modules/b/index.js": "by its process" });
    await rolledBack(3, 1);
    assert.equal(contentOf(1), "1\n");
  });

  test("need not be in node_modules: a rollback to a release without that looks for none", async () => {
    tool("npm", "exit 0");
    await deployed(1, "one");
    await deployed(2, "two");
    await rolledBack(3, 1);
    assert.deepEqual(withPackages(), []);
  });

  test("stay while something runs in the release", async () => {
    await deployed(1, "one");
    const child = spawn("sleep", ["60"], { cwd: at(1) });
    try {
      await deployed(2, "one");
      assert.deepEqual(withPackages(), [1, 2]);
    } finally {
      child.kill();
      await new Promise((resolve) => child.once("exit", resolve));
    }
    await deployed(3, "one");
    assert.deepEqual(withPackages(), [3]);
  });

  test("are no way out of a release", async () => {
    await deployed(1, "one");
    put(root, { "outside/a": "1" });
    await deployed(2, "one", (directory) => {
      const note = readFileSync(`${directory}/.longshore/packages`, "utf8").split(" ")[0];
      writeFileSync(`${at(1)}/.longshore/packages`, `${note} /../../../../../../../outside\n`);
    });
    put(at(2), { ".longshore/packages": "node-x /\n" });
    await deployed(3, "one");
    symlinkSync(`${root}/outside`, `${at(3)}/node_modules/.cache`);
    await deployed(4, "one");
    assert.equal(existsSync(`${root}/outside/a`), true);
    for (const id of [1, 2, 3]) assert.ok(existsSync(at(id)));
  });

  test("without a lock file are used for a week, as the log says, and not after the cache was cleared", async () => {
    const install = async (id: number) => {
      put(at(id), { ".longshore/x": "", "package.json": "{}" });
      return (await carryOut(deploymentPlan({ project: project(5), deploymentId: id, source }), "install")).stdout;
    };
    await install(1);
    assert.match(
      await install(2),
      /There is no lock file: the packages installed for the same package\.json in this week/,
    );
    put(layout.cache, { cleared: "now" });
    assert.doesNotMatch(await install(3), /There is no lock file/);
    tool("date", "echo 2030-01");
    assert.doesNotMatch(await install(4), /There is no lock file/);
  });
});

describe("a static release", () => {
  const files = {
    "package.json": "{}",
    "src/page.js": "",
    ".git/HEAD": "",
    "node_modules/a/index.js": "",
    "web/dist/index.html": "<h1>",
    "web/dist/assets/index-CXtZgaLf.js": "1",
    "web/src/page.js": "",
    ".longshore/pages": "",
  };

  async function trimmed(over: Partial<DeploymentInput> = {}, more: (directory: string) => void = () => {}) {
    put(at(1), files);
    symlinkSync("../web/dist", `${at(1)}/.longshore/public`);
    more(at(1));
    makeLive(1);
    const plan = deploymentPlan({ project: project(9), deploymentId: 1, source, hasJobs: false, ...over });
    return (await carryOut(plan, "tidy-up")).stdout;
  }
  const isWhole = () => Object.keys(files).every((path) => existsSync(`${at(1)}/${path}`));

  test("keeps what is served, and what knows it", async () => {
    await trimmed();
    assert.deepEqual(readdirSync(at(1)).sort(), [".longshore", "web"]);
    assert.deepEqual(readdirSync(`${at(1)}/web`), ["dist"]);
    assert.equal(readFileSync(`${layout.current}/.longshore/public/assets/index-CXtZgaLf.js`, "utf8"), "1");
    assert.deepEqual(readdirSync(`${at(1)}/.longshore`).sort(), ["pages", "public"]);
  });

  test("stays whole where jobs look for the rest, and in place", async () => {
    await trimmed({ hasJobs: true });
    assert.ok(isWhole());
    rmSync(at(1), { recursive: true });
    await trimmed({ project: project(9, { zeroDowntime: false }) });
    assert.ok(isWhole());
  });

  test("stays whole when all of it is served, or what is served has links to files beside it", async () => {
    const said = await trimmed({}, (directory) => symlinkSync("../../src", `${directory}/web/dist/src`));
    assert.match(said, /the release stays whole/);
    assert.ok(isWhole());
    rmSync(at(1), { recursive: true });
    await trimmed({}, (directory) => {
      rmSync(`${directory}/.longshore/public`);
      symlinkSync("../.", `${directory}/.longshore/public`);
    });
    assert.ok(isWhole());
  });

  test("is not left through a link, and patterns in names are no patterns", async () => {
    put(root, { "outside/a": "1" });
    await trimmed({}, (directory) => {
      symlinkSync(`${root}/outside`, `${directory}/link`);
      symlinkSync(`${root}/outside`, `${directory}/web/link`);
    });
    assert.equal(existsSync(`${root}/outside/a`), true);
    assert.equal(existsSync(`${at(1)}/web/link`), false);
    rmSync(at(1), { recursive: true });
    await trimmed({}, (directory) => {
      put(directory, { "[x]/dist/index.html": "x", "x/y": "" });
      rmSync(`${directory}/.longshore/public`);
      symlinkSync("../[x]/dist", `${directory}/.longshore/public`);
    });
    assert.deepEqual(readdirSync(at(1)).sort(), [".longshore", "[x]"]);
    assert.equal(readlinkSync(`${at(1)}/.longshore/public`), "../[x]/dist");
  });
});

describe("releases that are many megabytes", () => {
  const large = Buffer.alloc(30 * 2 ** 20, 1);
  const prune = async (live: number, formerRelease: number | undefined, keptReleasesMb = 100) => {
    makeLive(live);
    rmSync(`${root}/facts`, { force: true });
    const input = { project: project(10, { keptReleasesMb }), deploymentId: live, source, formerRelease };
    await carryOut(deploymentPlan(input), "prune-releases");
    const facts = readFileSync(`${root}/facts`, "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split(/ (.*)/s, 2));
    return Object.fromEntries(facts) as Record<string, string>;
  };

  test("are kept up to a bound, the newest ones; and what stays is reported with its size", async () => {
    for (const id of [1, 2, 3, 4]) put(at(id), { a: large });
    put(layout.cache, { "builds/x/a": large });
    const facts = await prune(4, 3);
    assert.deepEqual(readdirSync(layout.releases).sort(), ["2", "3", "4"]);
    assert.equal(facts.kept_releases, "4 3 2");
    const megabytes = (text: string | undefined) => Math.round(Number(text) / 2 ** 20);
    assert.deepEqual([megabytes(facts.releases_bytes), megabytes(facts.caches_bytes)], [90, 30]);
  });

  test("are kept beyond it when they are live, or were before", async () => {
    for (const id of [1, 2, 3, 4, 5]) put(at(id), { a: large, b: large, c: large });
    const facts = await prune(5, 1);
    assert.deepEqual(readdirSync(layout.releases).sort(), ["1", "5"]);
    assert.equal(facts.kept_releases, "5 1");
  });
});
