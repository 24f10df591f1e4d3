import assert from "node:assert/strict";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { type ProjectLayout, projectLayout } from "../../../host/layout.ts";
import { someIdentity } from "../../../host/project-mark/tests/identity.ts";
import { runBash } from "../../../host/tests/bash.ts";
import { buildCachePlan } from "../../projects/build-cache.ts";
import { findFramework } from "../../projects/frameworks.ts";
import type { ProjectOnServer } from "../../projects/plans.ts";
import { deploymentPlan } from "../plans.ts";
import { buildCacheLimits, buildCachesOf } from "../steps/build-cache.ts";

// The build step as it runs on a server, in directories of the test.

let root: string;
let layout: ProjectLayout;
let release = 0;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "longshore-build-cache-"));
  layout = { ...projectLayout(7, root), user: "root" };
  for (const path of [layout.releases, layout.cache, layout.home, layout.environments, layout.state, layout.slots]) {
    mkdirSync(path, { recursive: true });
  }
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const put = (directory: string, files: Record<string, string>) => {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
};

function project(frameworkId: number, build: string, over: Partial<ProjectOnServer>): ProjectOnServer {
  const framework = findFramework(frameworkId);
  assert.ok(framework);
  const family = framework.runtimeFamily as "node" | "static";
  const kind = family === "node" ? { family, ports: [20_000, 20_001] as const } : { family, spa: true };
  return {
    layout,
    identity: someIdentity,
    framework,
    site: { layout, kind, domains: [{ name: "shop.test" }], wwwRedirect: 0, redirectStatus: 301 },
    directory: "",
    commands: { install: "", build, dev: "true", custom: "" },
    sharedDirectories: [],
    sharedFiles: [],
    hasEnvironment: false,
    zeroDowntime: true,
    ...over,
  };
}

interface Options {
  branch?: string;
  frameworkId?: number;
  files?: Record<string, string>;
  over?: Partial<ProjectOnServer>;
  before?: (directory: string) => void;
}

/** Builds a release of these files by a command. */
async function built(
  command: string,
  { branch = "main", frameworkId = 5, files = {}, over = {}, before }: Options = {},
) {
  const id = ++release;
  const directory = `${layout.releases}/${id}`;
  put(directory, { ".longshore/x": "", ...files });
  before?.(directory);
  const source = { url: "https://example.com/shop.git", branch, access: "none" } as const;
  const plan = deploymentPlan({
    project: project(frameworkId, command, over),
    deploymentId: id,
    source,
    hasJobs: false,
  });
  const run = async (key: string) => {
    const script = plan.steps.find((step) => step.key === key)?.script ?? "exit 99";
    return runBash({ script: `export ROOT=${root}; ${script}` }, root);
  };
  return { directory, ...(await run("build")), tidy: () => run("tidy-up") };
}

// Counts in the cache how many builds it has seen.
const counting = (folder: string) => `mkdir -p ${folder}; echo x >> ${folder}/builds; cp ${folder}/builds seen`;
const seen = ({ directory }: { directory: string }): number =>
  readFileSync(`${directory}/seen`, "utf8").split("\n").length - 1;

describe("the build cache", () => {
  test("is restored before the next build of the branch, and says so with its size", async () => {
    const first = await built(counting(".next/cache"));
    assert.equal(first.code, 0, first.stderr);
    assert.match(first.stdout, /^Stored the build cache of this branch \(\S+[KM]?\)\.$/m);
    assert.doesNotMatch(first.stdout, /Restored/);
    const second = await built(counting(".next/cache"));
    assert.match(second.stdout, /^Restored the build cache of this branch \(\S+\)\.$/m);
    assert.deepEqual([seen(first), seen(second)], [1, 2]);
    assert.equal(existsSync(`${first.directory}/.next/cache`), false, "it takes no space in the release");
  });

  test("is each branch's own, and each directory's", async () => {
    await built(counting(".next/cache"));
    assert.equal(seen(await built(counting(".next/cache"), { branch: "next" })), 1);
    const inside = await built(counting(".next/cache"), { over: { directory: "web" }, files: { "web/x": "" } });
    assert.equal(seen({ directory: `${inside.directory}/web` }), 1);
    assert.equal(seen(await built(counting(".next/cache"))), 2);
  });

  test("is each branch's own where package.json has the build", async () => {
    const command = findFramework(5)?.defaults.build ?? "";
    const files = { "package.json": JSON.stringify({ scripts: { build: counting(".next/cache") } }) };
    const first = await built(command, { files });
    assert.equal(first.code, 0, first.stderr);
    assert.equal(seen(await built(command, { files, branch: "next" })), 1);
    assert.equal(seen(await built(command, { files })), 2);
  });

  test("leaves a release without ties to the next: what processes read as well is copied", async () => {
    const build =
      "mkdir -p .next/cache/fetch-cache node_modules/.cache/tool; echo 1 | tee .next/cache/fetch-cache/a node_modules/.cache/tool/a > .next/cache/b";
    const first = await built(build, { files: { "node_modules/a/index.js": "" } });
    assert.equal(first.code, 0, first.stderr);
    for (const path of [".next/cache/fetch-cache/a", "node_modules/.cache/tool/a"]) {
      const stays = `${first.directory}/${path}`;
      assert.equal(readFileSync(stays, "utf8"), "1\n");
      assert.equal(lstatSync(stays).nlink, 1);
    }
    assert.equal(existsSync(`${first.directory}/.next/cache/b`), false);
    const second = await built("cat .next/cache/b; echo 2 > .next/cache/fetch-cache/a", {
      files: { "node_modules/b/x": "" },
    });
    assert.equal(second.code, 0, second.stderr);
    assert.equal(readFileSync(`${first.directory}/.next/cache/fetch-cache/a`, "utf8"), "1\n");
  });

  test("is not used a second time when a build fails with it, and the log says so", async () => {
    await built(counting(".next/cache"));
    const broken = await built("exit 3");
    assert.equal(broken.code, 3);
    assert.match(broken.stderr + broken.stdout, /cache of earlier builds, which is not used again/);
    assert.equal(broken.stderr.trim().split("\n").at(-1), "The build ended with exit code 3.");
    const next = await built("[[ ! -e .next/cache ]]");
    assert.equal(next.code, 0, next.stderr);
    assert.doesNotMatch((await built("exit 3")).stdout, /cache/);
  });

  test("leaves what was there before the build as it is", async () => {
    const files = {
      ".astro/settings.json": "of the repository",
      "node_modules/.cache/browser/chrome": "of the installation",
    };
    const first = await built("echo built > .astro/types.d.ts", { frameworkId: 9, files });
    assert.equal(readFileSync(`${first.directory}/node_modules/.cache/browser/chrome`, "utf8"), "of the installation");
    assert.equal(existsSync(`${first.directory}/.astro/types.d.ts`), true);
    assert.deepEqual(existsSync(buildCachesOf(layout)) ? readdirSync(buildCachesOf(layout)) : [], []);
  });

  test("is not used with other variables", async () => {
    await built(counting(".next/cache"));
    const change = (color: string) => () => {
      put(`${layout.environments}/${release}`, { "environment-exports": `export COLOR=${color}\n` });
    };
    const other = await built(counting(".next/cache"), { before: change("red") });
    assert.match(other.stdout, /is of other variables or another version of Node, and is not used/);
    const same = await built(counting(".next/cache"), { before: change("red") });
    assert.deepEqual([seen(other), seen(same)], [1, 2]);
  });

  test("is switched off with the project's setting", async () => {
    const off = { over: { buildCache: false } };
    await built(counting(".next/cache"), off);
    const second = await built(counting(".next/cache"), off);
    assert.deepEqual([seen(second), existsSync(buildCachesOf(layout))], [1, false]);
  });

  test("moves nothing through a link, into a release or out of it", async () => {
    put(root, { "outside/cache/precious": "1", "outside/precious": "1" });
    const outside = () => ["outside/cache/precious", "outside/precious"].every((path) => existsSync(`${root}/${path}`));
    const linked = await built(
      "ln -s $ROOT/outside .next; mkdir -p node_modules .angular; ln -s $ROOT/outside node_modules/.cache; ln -s ../../outside .angular/cache",
    );
    assert.equal(linked.code, 0, linked.stderr);
    assert.ok(outside());
    assert.equal(existsSync(buildCachesOf(layout)), false);
    await built(counting(".next/cache"));
    const before = (directory: string) => symlinkSync(`${root}/outside`, `${directory}/.next`);
    const next = await built("true", { before });
    assert.equal(next.code, 0, next.stderr);
    assert.ok(outside());
    assert.deepEqual(readdirSync(`${root}/outside/cache`), ["precious"]);
    // A link in a cache is copied as a link, and a link instead of the caches is not followed.
    await built("mkdir -p .next/cache/fetch-cache; ln -s $ROOT/outside .next/cache/fetch-cache/a");
    rmSync(buildCachesOf(layout), { recursive: true });
    symlinkSync(`${root}/outside`, buildCachesOf(layout));
    assert.equal((await (await built("true")).tidy()).code, 0);
    assert.ok(outside());
  });

  test("is bounded in age and bytes: the branch that was built the longest ago goes first", async () => {
    const caches = () => readdirSync(buildCachesOf(layout)).length;
    const large = `mkdir -p .next/cache; fallocate -l ${Math.floor(buildCacheLimits.bytes * 0.4)} .next/cache/a`;
    const aged = (days: number) => {
      for (const name of readdirSync(buildCachesOf(layout))) {
        const path = `${buildCachesOf(layout)}/${name}`;
        const at = lstatSync(path).mtimeMs / 1000 - days * 86_400;
        utimesSync(path, at, at);
      }
    };
    for (const branch of ["a", "b", "c"]) {
      await built(large, { branch });
      aged(1);
    }
    const { tidy } = await built("true", { branch: "d" });
    assert.equal((await tidy()).code, 0);
    assert.equal(caches(), 2);
    const begins = async (branch: string) => (await built("true", { branch })).stdout.includes("Restored");
    assert.deepEqual([await begins("a"), await begins("b")], [false, true]);
    aged(buildCacheLimits.days + 1);
    assert.equal((await tidy()).code, 0);
    assert.equal(caches(), 0);
    const huge = await built(`mkdir -p .next/cache; fallocate -l ${buildCacheLimits.bytes + 1} .next/cache/a`);
    assert.match(huge.stdout, /more than is kept/);
    assert.equal(caches(), 0);
  });

  test("is cleared with the copies of packages, and so are those of releases for the next installation", async () => {
    await built(counting(".next/cache"));
    put(layout.cache, { "node-1/node_modules/a": "" });
    const [step] = buildCachePlan(layout).steps;
    assert.ok(step);
    const done = await runBash({ script: step.script }, root);
    assert.equal(done.code, 0, done.stderr);
    assert.deepEqual(readdirSync(layout.cache), ["cleared"]);
    assert.equal(seen(await built(counting(".next/cache"))), 1);
  });
});

describe("downloads of package managers", () => {
  test("are removed when they are many, those that were not used for the longest first", async () => {
    const file = (path: string, megabytes: number, daysAgo: number) => {
      put(layout.home, { [path]: "" });
      writeFileSync(join(layout.home, path), Buffer.alloc(megabytes * 2 ** 20));
      const at = Date.now() / 1000 - daysAgo * 86_400;
      utimesSync(join(layout.home, path), at, at);
    };
    file(".npm/_cacache/content-v2/sha512/aa/old", 200, 3);
    file(".npm/_cacache/content-v2/sha512/bb/new", 300, 1);
    file(".cache/composer/files/a/b.zip", 150, 2);
    file(".ssh/known_hosts", 1, 100);
    const { tidy } = await built("true");
    const done = await tidy();
    assert.equal(done.code, 0, done.stderr);
    const left = [
      ".npm/_cacache/content-v2/sha512/aa/old",
      ".npm/_cacache/content-v2/sha512/bb/new",
      ".cache/composer/files/a/b.zip",
      ".ssh/known_hosts",
    ];
    assert.deepEqual(
      left.map((path) => existsSync(join(layout.home, path))),
      [false, true, true, true],
    );
    assert.match(done.stdout, /^Removed 1 downloads/m);
  });

  test("and copies of packages are removed after deployments that failed, too", async () => {
    for (const [at, name] of [`node-${"a".repeat(64)}`, `node-${"b".repeat(64)}`, "php-c"].entries()) {
      put(layout.cache, { [`${name}/a`]: "" });
      writeFileSync(`${layout.cache}/${name}/a`, Buffer.alloc(300 * 2 ** 20));
      utimesSync(`${layout.cache}/${name}`, 1000 + at, 1000 + at);
    }
    const plan = deploymentPlan({
      project: project(5, "", { commands: { install: "false", build: "", dev: "", custom: "" } }),
      deploymentId: 1,
      source: { url: "https://example.com/shop.git", branch: "main", access: "none" },
    });
    const undo = plan.steps.find(({ key }) => key === "install")?.undo ?? "exit 9";
    for (let times = 0; times < 2; times++) {
      const done = await runBash({ script: undo }, root);
      assert.equal(done.code, 0, done.stderr);
    }
    assert.deepEqual(readdirSync(layout.cache), ["php-c"]);
  });

  test("stay, those of Yarn, while a release runs from them", async () => {
    const path = join(layout.home, ".yarn/berry/cache/ms.zip");
    put(layout.home, { ".yarn/berry/cache/ms.zip": "" });
    writeFileSync(path, Buffer.alloc(513 * 2 ** 20));
    const running = await built("touch .pnp.cjs");
    assert.equal((await running.tidy()).code, 0);
    assert.equal(existsSync(path), true);
    rmSync(layout.releases, { recursive: true });
    const later = await built("true");
    assert.equal((await later.tidy()).code, 0);
    assert.equal(existsSync(path), false);
  });
});
