import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { scriptsOf, shellcheck } from "../../../../test/shellcheck.ts";
import type { Plan, Step } from "../../../engine/runs/plan.ts";
import { environmentSecrets, renderExports } from "../../../host/environment/environment.ts";
import { type ProjectLayout, pathInRelease, projectLayout } from "../../../host/layout.ts";
import { nodeHeaderOption } from "../../../host/nginx/header-sizes.ts";
import { someIdentity } from "../../../host/project-mark/tests/identity.ts";
import { runBash } from "../../../host/tests/bash.ts";
import { findFramework } from "../../projects/frameworks.ts";
import { sharedPaths } from "../../projects/on-server.ts";
import { deployKeyPlan, type ProjectOnServer, removeProjectPlan } from "../../projects/plans.ts";
import { forwardingPlan, leaveForwardingSteps, maintenancePlan, publishSitePlan } from "../../sites/plans.ts";
import { type DeploymentInput, deploymentPlan, installationPlan, recyclePlan, rollbackPlan } from "../plans.ts";

const kinds = { static: 10, built: 9, php: 4, laravel: 1, wordpress: 3, node: 8 } as const;
type Kind = keyof typeof kinds;

function project(kind: Kind, over: Partial<ProjectOnServer> = {}, layout = projectLayout(7)): ProjectOnServer {
  const framework = findFramework(kinds[kind]);
  assert.ok(framework);
  const family = framework.runtimeFamily;
  const siteKind =
    family === "node"
      ? { family, ports: [20_000, 20_001] as const }
      : family === "php"
        ? { family }
        : { family, spa: framework.spa };
  const { install, build, dev } = framework.defaults;
  return {
    layout,
    identity: someIdentity,
    framework,
    site: { layout, kind: siteKind, domains: [{ name: "shop.test" }], wwwRedirect: 0, redirectStatus: 301 },
    directory: "",
    commands: { install, build, dev, custom: "" },
    sharedDirectories: [],
    sharedFiles: [],
    keeps: framework.keeps,
    hasEnvironment: false,
    zeroDowntime: true,
    ...over,
  };
}

const input = (of: ProjectOnServer, over: Partial<DeploymentInput> = {}): DeploymentInput => ({
  project: of,
  deploymentId: 12,
  source: { url: "https://example.com/shop.git", branch: "main", access: "none" },
  ...over,
});

const keys = (plan: Plan): string[] => plan.steps.map((step) => step.key);

describe("the steps of a deployment", () => {
  test("of static files are few", () => {
    assert.deepEqual(keys(deploymentPlan(input(project("static")))), [
      "check-disk-space",
      "fetch-source",
      "create-release",
      "export-release",
      "activate",
      "verify-served",
      "prune-releases",
    ]);
  });

  test("choose the directory to serve after the user's commands, where there are some", () => {
    const afterExport = (of: ProjectOnServer) => {
      const all = keys(deploymentPlan(input(of)));
      return all.slice(all.indexOf("export-release") + 1, all.indexOf("activate"));
    };
    const choosing = (of: ProjectOnServer) =>
      deploymentPlan(input(of))
        .steps.filter(({ script }) => script.includes("nothing to serve"))
        .map(({ key }) => key);
    assert.deepEqual(afterExport(project("built")), ["install", "build", "choose-public-directory"]);
    assert.deepEqual(choosing(project("built")), ["choose-public-directory"]);
    assert.deepEqual(choosing(project("static")), ["export-release"]);
    assert.deepEqual(choosing(project("node")), []);
  });

  test("of Node go through health check, soak, switch and drain", () => {
    assert.deepEqual(keys(deploymentPlan(input(project("node", { hasEnvironment: true })))), [
      "check-disk-space",
      "fetch-source",
      "create-release",
      "write-environment",
      "export-release",
      "install",
      "build",
      "choose-start-command",
      "start-standby",
      "check-health",
      "soak",
      "switch-upstream",
      "verify-served",
      "drain-old",
      "tidy-up",
      "prune-releases",
    ]);
  });

  test("of Node drain for the project's own time", () => {
    const drain = (over: object) =>
      deploymentPlan(input(project("node", over))).steps.find(({ key }) => key === "drain-old")?.timeoutSeconds ?? 0;
    assert.equal(drain({ drainTimeoutSeconds: 900 }) - drain({}), 870);
  });

  test("of a first deployment begin with what prepares the server", () => {
    assert.deepEqual(keys(installationPlan(input(project("php")))).slice(0, 7), [
      "create-account",
      "create-folders",
      "create-deploy-key",
      "write-php-start",
      "write-pool",
      "publish-site",
      "check-disk-space",
    ]);
  });

  test("of a rollback or a recycle neither fetch nor build", () => {
    const rollback = keys(rollbackPlan({ ...input(project("static")), releaseId: 3 }));
    assert.deepEqual(rollback, ["activate", "verify-served", "prune-releases"]);
    assert.ok(!keys(recyclePlan({ ...input(project("node")), releaseId: 3 })).includes("fetch-source"));
  });

  test("of a rollback install extensions of PHP that the project has by now, for the version of the release", () => {
    const php = {
      memoryLimitMb: null,
      maxExecutionSeconds: null,
      maxWorkers: 20,
      opcache: true,
      opcacheMemoryMb: null,
    };
    const withExtensions = project("php", { php: { ...php, extensions: ["uuid"] } });
    const rollback = rollbackPlan({ ...input(withExtensions), releaseId: 3 });
    assert.equal(keys(rollback)[0], "add-php-extensions");
    assert.match(rollback.steps[0]?.script ?? "", /add_extensions "\$\{program##\*php-fpm\}" uuid/);
  });

  test("in place have no checkpoint and nothing to undo", () => {
    for (const step of deploymentPlan(input(project("node", { zeroDowntime: false }))).steps) {
      assert.equal(step.checkpoint, false);
      assert.equal(step.undo, undefined);
    }
  });

  test("run the user's commands as the project's user, apart from the platform's lines", () => {
    const commands = { install: "make deps", build: "make", dev: "x", custom: "php artisan migrate\necho done" };
    for (const step of deploymentPlan(input(project("laravel", { commands }))).steps) {
      const isUsers = ["install", "build", "custom"].includes(step.key);
      assert.equal(step.audience, isUsers ? "client" : "system", step.key);
      if (isUsers) assert.equal(step.sandbox?.user, "project-7");
    }
  });

  test("turn back only until the release was seen to be served, under limits", () => {
    const { pointOfNoReturn, limits } = deploymentPlan(input(project("node")));
    assert.equal(pointOfNoReturn, "verify-served");
    assert.deepEqual(limits, { cpuWeight: 20, ioWeight: 20, memoryHigh: "80%", memoryMax: "90%", tasksMax: 4096 });
  });
});

test("shellcheck is content with every script", () => {
  const all = (["static", "built", "php", "laravel", "wordpress", "node"] as const).flatMap((kind) => {
    const of = project(kind, {
      hasEnvironment: true,
      sharedDirectories: ["a"],
      sharedFiles: ["b"],
      directory: "web",
      maxMemoryMb: 512,
      ...(kind === "node" || kind === "php"
        ? {
            health: { healthPath: "/up", healthStatuses: [200, 404], healthTimeoutSeconds: 90 },
            outputDirectory: "www",
            phpVersion: "8.3",
          }
        : {}),
    });
    const tls = { certificate: "/c", key: "/k", names: ["a.test"] };
    const commands = { ...of.commands, custom: "echo over" };
    return [
      installationPlan(
        input(
          { ...of, commands },
          { source: { url: "https://e.test/a.git", branch: "b", access: "password", commit: "a".repeat(40) } },
        ),
      ),
      deploymentPlan(
        input(
          { ...of, zeroDowntime: false, site: { ...of.site, tls } },
          { source: { url: "https://e.test/a", privateUrl: "git@e.test:a", branch: "b", access: "none" } },
        ),
      ),
      rollbackPlan({ ...input(of), releaseId: 3 }),
      deployKeyPlan(of.layout, of.identity),
      publishSitePlan(of.site),
      removeProjectPlan(of),
      maintenancePlan(of.layout, true),
    ].map((plan): [string, Plan] => [`${kind}-${plan.kind}`, plan]);
  });
  const scripts = all.flatMap(([name, plan], at) =>
    Object.entries(scriptsOf(plan)).map(([key, script]) => [`${at}-${name}-${key}`, script] as const),
  );
  // Unused results of shared functions; and warnings about words that are data: dollars in single quotes, quotes beside quotes,
  // files on the server, one-word lists.
  const ofData = /\[SC(?:2016|2140|1091|2043|2034)\]$/;
  const said = shellcheck(Object.fromEntries(scripts)).split("\n");
  assert.deepEqual(
    said.filter((line) => line !== "" && !ofData.test(line)),
    [],
  );
});

test("a shared path lies inside the release", () => {
  for (const path of [
    "../x",
    "/etc",
    "a/../../b",
    "..",
    "",
    ".",
    "/",
    ".git",
    ".git/hooks",
    ".longshore/x",
    "a\nb",
    "a\0b",
  ]) {
    assert.equal(pathInRelease(path), undefined, JSON.stringify(path));
  }
  assert.equal(pathInRelease("./storage//app/"), "storage/app");
  assert.throws(() => deploymentPlan(input(project("static", { sharedDirectories: ["../x"] }))));
});

const hostile = [
  "plain",
  "two words",
  "it's",
  'say "hi"',
  "$(touch HIT)",
  "`touch HIT`",
  "$HOME",
  "-rf",
  "--help",
  "*",
  "?",
  "[a]",
  "{a,b}",
  "a;touch HIT",
  "a&&touch HIT",
  "a|b",
  "a>b",
  "a<b",
  "~",
  "#x",
  "!x",
  "\\n",
  "a\\",
  "日本",
  "🦆",
  "%s",
  "=x",
  "(x)",
  "a&b",
];

describe("carried out", { skip: userInfo().uid === 0 ? false : "needs root: releases belong to several users" }, () => {
  let root: string;
  let layout: ProjectLayout;
  let release: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "longshore-deploy-"));
    layout = { ...projectLayout(7, root), user: "root" };
    for (const path of [
      layout.releases,
      layout.shared,
      layout.cache,
      layout.state,
      layout.slots,
      layout.environments,
      layout.home,
    ]) {
      mkdirSync(path, { recursive: true });
    }
    release = `${layout.releases}/12`;
    put(release, { ".longshore/x": "" });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const put = (directory: string, files: Record<string, string>) => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), content);
    }
  };
  const find = (plan: Plan, key: string): Step => {
    const found = plan.steps.find((step) => step.key === key);
    assert.ok(found, key);
    return found;
  };
  // A release's files are there already.
  const withoutCommit = ({ script }: Step) => ({ script: script.replace(/^git .*read-tree.*$/m, ":") });
  const carryOut = async (plan: Plan, key: string) => runBash(withoutCommit(find(plan, key)), root);
  const undo = async (plan: Plan, key: string) => runBash({ script: find(plan, key).undo ?? "" }, root);
  const succeed = async (plan: Plan, key: string) => {
    const done = await carryOut(plan, key);
    assert.equal(done.code, 0, `${key}: ${done.stdout}${done.stderr}`);
    return done;
  };
  const noHits = () => assert.equal(spawnSync("find", [root, "-name", "HIT"], { encoding: "utf8" }).stdout, "");
  /** All files of the project that determine what is served. */
  const picture = () =>
    spawnSync(
      "bash",
      ["-c", `cd "$1" && find . -printf '%p %l %m\\n' | sort && cat $(find . -type f | sort)`, "x", layout.directory],
      { encoding: "utf8" },
    ).stdout;

  test("shared paths are links to one place, whatever they are called", async () => {
    put(release, { "index.html": "", "it's/kept.txt": "from the repository" });
    const paths = [...hostile, "deep/er/path", "deep/other"];
    const plan = deploymentPlan(
      input(project("static", { sharedDirectories: paths, sharedFiles: paths.map((path) => `files/${path}`) }, layout)),
    );
    await succeed(plan, "export-release");
    await succeed(plan, "export-release");
    for (const path of paths) {
      assert.equal(readlinkSync(join(release, path)), join(layout.shared, path));
      assert.equal(readFileSync(join(release, "files", path), "utf8"), "");
    }
    assert.equal(readFileSync(join(layout.shared, "it's/kept.txt"), "utf8"), "from the repository");
    noHits();
    assert.equal((await undo(plan, "export-release")).code, 0);
    assert.deepEqual(
      readdirSync(layout.shared).filter((name) => name !== "deep" && name !== "files"),
      [],
    );
  });

  test("what was shared before is left as it is", async () => {
    put(layout.shared, { "uploads/cat.png": "cat" });
    put(release, { "index.html": "", "uploads/.gitkeep": "" });
    const plan = deploymentPlan(input(project("static", { sharedDirectories: ["uploads"] }, layout)));
    await succeed(plan, "export-release");
    assert.deepEqual(readdirSync(`${release}/uploads`), ["cat.png"]);
    await undo(plan, "export-release");
    assert.deepEqual(readdirSync(`${layout.shared}/uploads`), ["cat.png"]);
  });

  describe("what an application makes itself", () => {
    const wordpress = () => deploymentPlan(input(project("wordpress", {}, layout)));
    /** A further release with these files, linked, after this one went live. */
    const nextRelease = async (files: Record<string, string>) => {
      rmSync(layout.current, { force: true });
      symlinkSync("releases/12", layout.current);
      const next = `${layout.releases}/13`;
      put(next, { ".longshore/x": "", ...files });
      const plan = deploymentPlan(input(project("wordpress", {}, layout), { deploymentId: 13 }));
      await succeed(plan, "export-release");
      return { next, plan };
    };

    test("is no file until WordPress makes it, and is in the next release then", async () => {
      put(release, { "wp-content/index.php": "" });
      await succeed(wordpress(), "export-release");
      assert.equal(existsSync(`${release}/wp-config.php`), false, "the installer refuses to run beside an empty file");
      writeFileSync(`${release}/wp-config.php`, "<?php // installed");
      writeFileSync(`${release}/wp-content/uploads/cat.png`, "cat");
      const { next, plan } = await nextRelease({ "wp-content/index.php": "" });
      assert.equal(readFileSync(`${next}/wp-config.php`, "utf8"), "<?php // installed");
      assert.equal(readFileSync(`${next}/wp-content/uploads/cat.png`, "utf8"), "cat");
      await undo(plan, "export-release");
      assert.equal(readFileSync(`${release}/wp-config.php`, "utf8"), "<?php // installed", "the live one keeps it");
      assert.equal(readFileSync(`${release}/wp-content/uploads/cat.png`, "utf8"), "cat");
    });

    test("is taken out of a live release that was made without links", async () => {
      put(release, { "wp-config.php": "<?php // installed", "wp-content/uploads/cat.png": "cat" });
      const { next, plan } = await nextRelease({ "wp-content/uploads/.gitkeep": "" });
      assert.equal(readFileSync(`${next}/wp-config.php`, "utf8"), "<?php // installed");
      assert.deepEqual(readdirSync(`${next}/wp-content/uploads`).sort(), [".gitkeep", "cat.png"]);
      await undo(plan, "export-release");
      assert.deepEqual(readdirSync(layout.shared), ["wp-content"]);
      assert.equal(existsSync(`${layout.shared}/wp-content/uploads`), false);
      assert.equal(readFileSync(`${release}/wp-content/uploads/cat.png`, "utf8"), "cat");
    });

    test("stays the repository's where that has it, and what is no WordPress gets no directories", async () => {
      put(release, { "wp-config.php": "<?php // 1" });
      await succeed(wordpress(), "export-release");
      assert.equal(existsSync(`${release}/wp-content`), false);
      const { next } = await nextRelease({ "wp-config.php": "<?php // 2" });
      assert.equal(readFileSync(`${next}/wp-config.php`, "utf8"), "<?php // 2");
    });

    test("is Laravel's storage, as far as there is one", async () => {
      const plan = deploymentPlan(input(project("laravel", {}, layout)));
      await succeed(plan, "export-release");
      assert.equal(existsSync(`${release}/storage`), false);
      put(release, { "storage/app/.gitignore": "*" });
      await succeed(plan, "export-release");
      assert.equal(readlinkSync(`${release}/storage`), `${layout.shared}/storage`);
      assert.equal(readFileSync(`${layout.shared}/storage/app/.gitignore`, "utf8"), "*");
      rmSync(`${release}/storage`);
      put(release, { "storage/app/.gitignore": "new", "storage/framework/views/.gitignore": "*" });
      await succeed(plan, "export-release");
      assert.equal(readFileSync(`${release}/storage/app/.gitignore`, "utf8"), "*");
      assert.equal(readFileSync(`${release}/storage/framework/views/.gitignore`, "utf8"), "*", "what a commit adds");
    });

    test("is added to the user's own paths, and switched off by an exclamation mark", () => {
      const shared = (directories: string[], files: string[], directory = "") =>
        sharedPaths({ shared_directories: directories, shared_files: files }, directory, findFramework(3)?.keeps);
      assert.deepEqual(shared(["media"], []), {
        sharedDirectories: ["media"],
        sharedFiles: [],
        keeps: { directories: ["wp-content/uploads"], files: ["wp-config.php"] },
      });
      assert.deepEqual(shared(["!wp-content/uploads/"], ["!wp-config.php"]), {
        sharedDirectories: [],
        sharedFiles: [],
        keeps: { directories: [], files: [] },
      });
      assert.deepEqual(shared(["wp-content/uploads/2026"], []).keeps?.directories, []);
      assert.deepEqual(shared([], ["web/wp-config.php"], "web").keeps, {
        directories: ["web/wp-content/uploads"],
        files: [],
      });
    });
  });

  test("working directories may have any name", async () => {
    for (const name of hostile) {
      put(`${release}/${name}`, { "index.html": name });
      const plan = deploymentPlan(input(project("static", { directory: name }, layout)));
      await succeed(plan, "export-release");
      assert.equal(readFileSync(`${release}/.longshore/public/index.html`, "utf8"), name);
    }
    noHits();
  });

  test("a directory with an index file is served rather than one that is merely there", async () => {
    const plan = deploymentPlan(input(project("built", {}, layout)));
    const nothing = await carryOut(plan, "choose-public-directory");
    assert.match(nothing.stderr, /nothing to serve: the release has none of the directories dist, build/);
    put(release, { "public/index.html": "source", "dist/app/browser/index.html": "built" });
    await succeed(plan, "choose-public-directory");
    assert.equal(readlinkSync(`${release}/.longshore/public`), "../dist/app/browser");
    put(release, { "build/index.html": "build" });
    await succeed(plan, "choose-public-directory");
    assert.equal(readlinkSync(`${release}/.longshore/public`), "../build");
  });

  test("a release of files without an index page fails, and the error names the directories", async () => {
    put(release, { "public/robots.txt": "", "dist/app.js": "" });
    const built = await carryOut(deploymentPlan(input(project("built", {}, layout))), "choose-public-directory");
    assert.equal(built.code, 1);
    assert.match(
      built.stderr,
      /no index\.html is in dist, build, .*build\/client.*, public\. Set the output directory/,
    );
    assert.equal(existsSync(`${release}/.longshore/public`), false);
    const plain = await carryOut(deploymentPlan(input(project("static", {}, layout))), "export-release");
    assert.match(plain.stderr, /no index\.html is in the project's directory\./);
  });

  test("a release of files without an index page is served when the project names what else answers", async () => {
    put(release, { "robots.txt": "" });
    const health = { healthPath: "/robots.txt", healthStatuses: [], healthTimeoutSeconds: 60 };
    await succeed(deploymentPlan(input(project("static", { health }, layout))), "export-release");
    const forbidden = { ...health, healthPath: "/", healthStatuses: [403] };
    await succeed(deploymentPlan(input(project("static", { health: forbidden }, layout))), "export-release");
  });

  test("the results of well-known tools are found", async () => {
    const results = [
      "build/client",
      "docs/.vitepress/dist",
      ".vitepress/dist",
      "storybook-static",
      "www",
      "dist/a/browser",
    ];
    for (const result of results) {
      rmSync(release, { recursive: true });
      put(release, { ".longshore/x": "", "public/robots.txt": "", [`${result}/index.html`]: "" });
      await succeed(deploymentPlan(input(project("built", {}, layout))), "choose-public-directory");
      assert.equal(readlinkSync(`${release}/.longshore/public`), `../${result}`);
    }
  });

  test("a directory that the project names is served, whatever it is called, and no other", async () => {
    put(release, { "dist/index.html": "not meant" });
    for (const outputDirectory of [...hostile, "a/b", "."]) {
      const plan = deploymentPlan(input(project("built", { outputDirectory, directory: "web" }, layout)));
      put(`${release}/web`, { x: "" });
      const nothing = await carryOut(plan, "choose-public-directory");
      assert.equal(nothing.code, 1, outputDirectory);
      assert.ok(nothing.stderr.includes(outputDirectory === "." ? "the project's directory" : outputDirectory));
      put(`${release}/web/${outputDirectory}`, { "index.html": outputDirectory });
      await succeed(plan, "choose-public-directory");
      assert.equal(readFileSync(`${release}/.longshore/public/index.html`, "utf8"), outputDirectory);
      rmSync(`${release}/web`, { recursive: true });
    }
    const php = deploymentPlan(input(project("php", { outputDirectory: "htdocs2" }, layout)));
    put(release, { "htdocs2/x.php": "", "public/index.php": "" });
    await succeed(php, "choose-public-directory");
    assert.equal(readlinkSync(`${release}/.longshore/public`), "../htdocs2");
    noHits();
  });

  test("a directory that leads out of the release is not served", async () => {
    put(`${root}/outside`, { "index.html": "" });
    symlinkSync(`${root}/outside`, `${release}/dist`);
    const done = await carryOut(deploymentPlan(input(project("built", {}, layout))), "choose-public-directory");
    assert.match(done.stderr, /lies outside of the release/);
  });

  test("an environment reaches the user's commands with every byte, and undo puts the former one back", async () => {
    const text = hostile.map((value, at) => `V${at}='${value.replaceAll("'", "")}'`).join("\n");
    put(join(root, "secrets"), environmentSecrets(text));
    const commands = { install: "", build: "env -0 > seen; echo $UNSET_IS_FINE", dev: "", custom: "" };
    const plan = deploymentPlan(input(project("static", { hasEnvironment: true, commands }, layout)));
    await succeed(plan, "write-environment");
    await succeed(plan, "export-release");
    await succeed(plan, "build");
    const seen = readFileSync(`${release}/seen`, "utf8").split("\0");
    for (const [at, value] of hostile.entries()) assert.ok(seen.includes(`V${at}=${value.replaceAll("'", "")}`), value);
    assert.equal(readFileSync(`${release}/.env`, "utf8"), `${text}\n`);
    noHits();
    const before = picture();
    put(join(root, "secrets"), environmentSecrets("NEW=1"));
    await runBash({ script: `rm -rf ${layout.environments}/12/new` }, root);
    const clean = picture();
    const rollback = rollbackPlan({
      ...input(project("static", { hasEnvironment: true }, layout), { deploymentId: 13 }),
      releaseId: 12,
    });
    await succeed(rollback, "write-environment");
    assert.equal(readFileSync(`${release}/.env`, "utf8"), "NEW=1\n");
    for (let times = 0; times < 2; times++) assert.equal((await undo(rollback, "write-environment")).code, 0);
    assert.equal(picture(), clean);
    assert.notEqual(before, "");
  });

  describe("the repository's own .env", () => {
    const variables = "GREETING=hello\nMAIL_FROM=shop@example.com\n";
    /** Writes and links the environment of a release whose commit has these files. */
    const withCommit = async (make: string, directory = "") => {
      spawnSync("git", ["init", "-q", "--bare", layout.mirror]);
      rmSync(release, { recursive: true });
      const commit = `
        mkdir -p "$1/.longshore" && cd "$1" && git init -q && ${make} && git add -A
        git -c user.name=t -c user.email=t@example.com commit -qm x
        git push -qf "$2" HEAD:refs/longshore/releases/12 && rm -rf .git`;
      const made = spawnSync("bash", ["-euc", commit, "x", release, layout.mirror], { encoding: "utf8" });
      assert.equal(made.status, 0, made.stderr);
      put(join(root, "secrets"), environmentSecrets(variables));
      // The user who fetches is not on this machine.
      put(`${root}/bin`, { setpriv: '#!/bin/bash\nuntil [[ $1 = -- ]]; do shift; done\nshift\nexec "$@"\n' });
      chmodSync(`${root}/bin/setpriv`, 0o755);
      const plan = deploymentPlan(input(project("laravel", { hasEnvironment: true, directory }, layout)));
      for (const key of ["write-environment", "export-release"]) {
        const done = await runBash({ script: find(plan, key).script }, root, `${root}/bin`);
        assert.equal(done.code, 0, `${key}: ${done.stderr}`);
      }
      return join(release, directory);
    };

    test("keeps its lines before the project's variables, also in a rollback", async () => {
      const own = "APP_ENV=prod\nMAIL_FROM=stranger@example.com";
      const directory = await withCommit(`printf '${own}' > .env`);
      assert.equal(readFileSync(`${directory}/.env`, "utf8"), `${own}\n${variables}`);
      put(join(root, "secrets"), environmentSecrets("GREETING=bye"));
      const rollback = rollbackPlan({
        ...input(project("laravel", { hasEnvironment: true }, layout), { deploymentId: 13 }),
        releaseId: 12,
      });
      const done = await runBash({ script: find(rollback, "write-environment").script }, root, `${root}/bin`);
      assert.equal(done.code, 0, done.stderr);
      assert.equal(readFileSync(`${directory}/.env`, "utf8"), `${own}\nGREETING=bye\n`);
      assert.equal((await undo(rollback, "write-environment")).code, 0);
      assert.equal(readFileSync(`${directory}/.env`, "utf8"), `${own}\n${variables}`);
    });

    test("is the one of the working directory", async () => {
      const directory = await withCommit("mkdir 'a b' && echo OUTER=1 > .env && echo INNER=1 > 'a b/.env'", "a b");
      assert.equal(readFileSync(`${directory}/.env`, "utf8"), `INNER=1\n${variables}`);
      assert.equal(readFileSync(`${release}/.env`, "utf8"), "OUTER=1\n");
    });

    test("may be a link inside of the repository, and shows nothing of the server as one that leads elsewhere", async () => {
      const directory = await withCommit("echo SHARED=1 > defaults.env && ln -s defaults.env .env");
      assert.equal(readFileSync(`${directory}/.env`, "utf8"), `SHARED=1\n${variables}`);
      for (const target of ["/etc/passwd", "../../../secrets/environment", "none", ".env"]) {
        assert.equal(readFileSync(`${await withCommit(`ln -s ${target} .env`)}/.env`, "utf8"), variables, target);
      }
    });

    test("is refused when it is longer than 1 MB, rather than left out", async () => {
      await assert.rejects(withCommit("head -c 1048577 /dev/zero | tr '\\0' x > .env"), /has more than 1 MB/);
    });

    test("is not needed, and a directory of that name stays", async () => {
      assert.equal(readFileSync(`${await withCommit("touch a")}/.env`, "utf8"), variables);
      const directory = await withCommit("mkdir .env && touch .env/activate");
      assert.deepEqual(readdirSync(`${directory}/.env`), ["activate"]);
    });
  });

  test("a failing command of the user ends with its exit code in a sentence", async () => {
    const commands = { install: "echo one\nfalse\necho two", build: "if true", dev: "", custom: "exit 7" };
    const plan = deploymentPlan(input(project("static", { commands }, layout)));
    const install = await carryOut(plan, "install");
    assert.equal(install.stdout, "one\n");
    assert.match(install.stderr, /The install ended with exit code 1\.\n$/);
    assert.equal((await carryOut(plan, "custom")).code, 7);
    assert.notEqual((await carryOut(plan, "build")).code, 0);
  });

  test("a Node release starts its own command, with the port and the directory of its release", async () => {
    for (const word of hostile) {
      rmSync(release, { recursive: true });
      mkdirSync(`${release}/${word}`, { recursive: true });
      spawnSync("git", ["init", "-q", "--bare", layout.mirror]);
      const dev = 'printf \'%s|%s|%s\\n\' "$PORT" "$HOST" "$PWD"; echo $NODE_OPTIONS';
      const plan = deploymentPlan(
        input(
          project(
            "node",
            { directory: word, maxMemoryMb: 512, commands: { install: "", build: "", dev, custom: "" } },
            layout,
          ),
        ),
      );
      await succeed(plan, "export-release");
      const { stdout } = spawnSync("bash", [`${release}/.longshore/start`, "20001"], { encoding: "utf8" });
      assert.equal(stdout, `20001|127.0.0.1|${release}/${word}\n--max-old-space-size=384 ${nodeHeaderOption}\n`);
    }
    noHits();
  });

  test("a SvelteKit release trusts nginx's headers, and the project's variables come first", async () => {
    mkdirSync(release, { recursive: true });
    spawnSync("git", ["init", "-q", "--bare", layout.mirror]);
    const dev = 'printf \'%s|\' "$HOST" "$ADDRESS_HEADER" "$PROTOCOL_HEADER"';
    const commands = { install: "", build: "", dev, custom: "" };
    const plan = deploymentPlan(
      input(project("node", { framework: findFramework(7), commands, hasEnvironment: true }, layout)),
    );
    await succeed(plan, "export-release");
    const start = () => spawnSync("bash", [`${release}/.longshore/start`, "20001"], { encoding: "utf8" }).stdout;
    assert.equal(start(), "127.0.0.1|x-real-ip|x-forwarded-proto|");
    put(`${layout.environments}/12`, { "environment-exports": "export HOST=0.0.0.0\nexport ADDRESS_HEADER=''\n" });
    assert.equal(start(), "0.0.0.0||x-forwarded-proto|");
  });

  test("a Node release accepts long headers, and the project's own NODE_OPTIONS replace that", async () => {
    mkdirSync(release, { recursive: true });
    spawnSync("git", ["init", "-q", "--bare", layout.mirror]);
    const dev = 'printf "<%s>" "$NODE_OPTIONS"';
    const commands = { install: "", build: "", dev, custom: "" };
    const started = async (maxMemoryMb?: number) => {
      const plan = deploymentPlan(input(project("node", { commands, hasEnvironment: true, maxMemoryMb }, layout)));
      await succeed(plan, "export-release");
      return spawnSync("bash", [`${release}/.longshore/start`, "20001"], { encoding: "utf8" }).stdout;
    };
    assert.equal(await started(), `<${nodeHeaderOption}>`);
    for (const own of ["--title='a  b'", ""]) {
      put(`${layout.environments}/12`, {
        "environment-exports": renderExports([{ name: "NODE_OPTIONS", value: own }]),
      });
      assert.equal(await started(), `<${own}>`);
      assert.equal(await started(512), `<${`--max-old-space-size=384 ${own}`.trim()}>`);
    }
  });

  test("activation is put back byte for byte, also twice and after a half", async () => {
    put(`${layout.releases}/11`, { ".longshore/x": "" });
    symlinkSync("releases/11", layout.current);
    const before = picture();
    const plan = deploymentPlan(input(project("static", {}, layout)));
    await succeed(plan, "activate");
    await succeed(plan, "activate");
    assert.equal(readlinkSync(layout.current), "releases/12");
    for (let times = 0; times < 2; times++) assert.equal((await undo(plan, "activate")).code, 0);
    assert.equal(picture(), before);
  });

  test("a first activation is put back to nothing", async () => {
    const before = picture();
    const plan = deploymentPlan(input(project("static", {}, layout)));
    await succeed(plan, "activate");
    await undo(plan, "activate");
    assert.equal(picture(), before);
  });

  test("the live release and the four newest others are kept", async () => {
    spawnSync("git", ["init", "-q", "--bare", layout.mirror]);
    for (const name of [2, 3, 9, 10, 11, 13]) put(`${layout.releases}/${name}`, { x: "" });
    put(`${layout.environments}/9`, { environment: "" });
    symlinkSync("releases/2", layout.current);
    const plan = rollbackPlan({ ...input(project("static", {}, layout)), deploymentId: 14, releaseId: 2 });
    // The user who fetches is not on this machine.
    put(`${root}/bin`, { setpriv: '#!/bin/bash\nuntil [[ $1 = -- ]]; do shift; done\nshift\nexec "$@"\n' });
    chmodSync(`${root}/bin/setpriv`, 0o755);
    const done = await runBash({ script: find(plan, "prune-releases").script }, root, `${root}/bin`);
    assert.equal(done.code, 0, done.stderr);
    assert.deepEqual(readdirSync(layout.releases).sort(), ["10", "11", "12", "13", "2"]);
    assert.equal(existsSync(`${layout.environments}/9`), false);
  });

  test("the releases that are kept have their places for open pages, the newest first", async () => {
    spawnSync("git", ["init", "-q", "--bare", layout.mirror]);
    put(`${root}/bin`, { setpriv: '#!/bin/bash\nuntil [[ $1 = -- ]]; do shift; done\nshift\nexec "$@"\n' });
    chmodSync(`${root}/bin/setpriv`, 0o755);
    const prune = async () => {
      const plan = deploymentPlan(input(project("built", {}, layout)));
      const done = await runBash({ script: find(plan, "prune-releases").script }, root, `${root}/bin`);
      assert.equal(done.code, 0, done.stderr);
      return existsSync(layout.former) ? readdirSync(layout.former).sort() : undefined;
    };
    const releaseAt = (place: string) => readlinkSync(`${layout.former}/${place}`);
    symlinkSync("releases/12", layout.current);
    assert.equal(await prune(), undefined, "before the project was prepared for it");
    mkdirSync(layout.former);
    assert.deepEqual(await prune(), ["1"]);
    for (const name of [2, 3, 9, 10, 11, 13]) put(`${layout.releases}/${name}`, { x: "" });
    assert.deepEqual(await prune(), ["1", "2", "3", "4", "5"]);
    const at = (name: number) => `../releases/${name}/.longshore/public`;
    assert.deepEqual(["1", "2", "3", "4", "5"].map(releaseAt), [13, 12, 11, 10, 9].map(at));
    for (const name of [9, 10, 11, 13]) rmSync(`${layout.releases}/${name}`, { recursive: true });
    assert.deepEqual(await prune(), ["1"]);
    assert.equal(releaseAt("1"), at(12));
  });

  test("an application of one page is distinguished from a site of several", async () => {
    const isOfPages = async (files: Record<string, string>) => {
      rmSync(release, { recursive: true });
      put(release, { ".longshore/pages": "of the release before, in place", ...files });
      await succeed(deploymentPlan(input(project("built", {}, layout))), "choose-public-directory");
      return existsSync(`${release}/.longshore/pages`);
    };
    const about = { "dist/about/index.html": "<h1>About</h1>" };
    for (const page of [
      '<body><div id="root"></div><script type=module src=/a.js></script>',
      "<div class=x id=app>\n  <!--app-html-->\n</div>",
      "<app-root></app-root>",
    ]) {
      assert.equal(await isOfPages({ "dist/index.html": page, ...about }), false, page);
    }
    assert.equal(await isOfPages({ "dist/index.html": "<h1>Home</h1>" }), false, "it has no other page");
    assert.equal(await isOfPages({ "dist/index.html": "<h1>Home</h1>", "dist/200.html": "", ...about }), false);
    assert.equal(await isOfPages({ "dist/index.html": "<h1>Home</h1>", ...about }), true);
    assert.equal(await isOfPages({ "dist/index.html": '<div id="search"></div>', ...about }), true);
  });

  test("packages are installed once for one lock file, and copied so that a build cannot spoil another release", async () => {
    const tool = `${root}/bin`;
    put(tool, {
      npm: `#!/bin/bash\necho "$@" >> ${root}/calls\nmkdir -p node_modules/a; echo 1 > node_modules/a/index.js\n`,
    });
    spawnSync("chmod", ["+x", `${tool}/npm`]);
    put(release, { "package.json": '{"scripts":{"build":"x"}}', "package-lock.json": "{}" });
    const plan = deploymentPlan(input(project("node", {}, layout)));
    const install = {
      script: find(plan, "install").script.replace("PATH=/usr", `PATH=${tool}:${dirname(process.execPath)}:/usr`),
    };
    assert.equal((await runBash(install, root)).code, 0);
    writeFileSync(`${release}/node_modules/a/index.js`, "spoilt");
    cpSync(`${release}/package.json`, `${layout.releases}/x`);
    const again = await runBash(install, root);
    assert.match(again.stdout, /package-lock.json has not changed/);
    assert.equal(readFileSync(`${release}/node_modules/a/index.js`, "utf8"), "1\n");
    assert.equal(readFileSync(`${root}/calls`, "utf8"), "ci --include=dev\n");
    put(release, { "pnpm-lock.yaml": "" });
    const missing = await runBash({ script: install.script.replaceAll("command -v", "false") }, root);
    assert.match(missing.stderr.trim().split("\n").at(-1) ?? "", /not installed on this server/);
  });

  describe("packages that were installed before", () => {
    /** Installs a commit with these files and a package manager that puts `source` into node_modules; returns its content. */
    const installed = async (files: Record<string, string>, manager: string, source: string) => {
      const tool = `${root}/bin`;
      put(tool, {
        [manager]: `#!/bin/bash\n[[ $1 != run ]] || exit 0\nmkdir -p node_modules/a; cat ${source} > node_modules/a/index.js\n`,
      });
      chmodSync(`${tool}/${manager}`, 0o755);
      rmSync(release, { recursive: true });
      put(release, files);
      const git = (...args: string[]) =>
        spawnSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: release });
      git("init", "-q", "--bare", layout.mirror);
      git("init", "-q");
      git("add", "-A");
      git("commit", "-qm", "x");
      git("push", "-qf", layout.mirror, "HEAD:refs/longshore/releases/12");
      rmSync(`${release}/.git`, { recursive: true });
      const { script } = find(deploymentPlan(input(project("node", {}, layout))), "install");
      const path = `PATH=${tool}:${dirname(process.execPath)}:/usr`;
      const done = await runBash({ script: script.replace("PATH=/usr", path) }, root);
      assert.equal(done.code, 0, done.stderr);
      return {
        content: readFileSync(`${release}/node_modules/a/index.js`, "utf8"),
        isReused: done.stdout.includes("has not changed"),
      };
    };

    const locals: [string, string, Record<string, string>][] = [
      ["file: and yarn", "yarn", { "yarn.lock": '"a@file:./local":\n  version "1.0.0"\n' }],
      ["link: and pnpm", "pnpm", { "pnpm-lock.yaml": "      a:\n        specifier: link:./local\n" }],
      [
        "portal: and yarn",
        "yarn",
        { "yarn.lock": '"a@portal:./local::locator=x":\n', ".yarnrc.yml": "yarnPath: package.json\n" },
      ],
      ["a path and npm", "npm", { "package-lock.json": '{"node_modules/a":{"resolved":"local","link":true}}' }],
    ];
    for (const [name, manager, lock] of locals) {
      test(`are not used for directories of the repository (${name})`, async () => {
        const commit = (local: string) => ({ ...lock, "package.json": "{}", "local/index.js": local });
        await installed(commit("one"), manager, "local/index.js");
        const { content } = await installed(commit("two"), manager, "local/index.js");
        assert.equal(content, "two");
      });
    }

    test("are not used when a patch of them changed, wherever it is", async () => {
      for (const path of ["patches/a+1.0.0.txt", "fixes/a.patch"]) {
        const commit = (patch: string) => ({ "package.json": "{}", "package-lock.json": "{}", [path]: patch });
        await installed(commit("one"), "npm", path);
        assert.equal((await installed(commit("two"), "npm", path)).content, "two");
        assert.deepEqual(await installed(commit("two"), "npm", path), { content: "two", isReused: true });
      }
    });

    test("are used for the same commit only when scripts of the project's own run with the installation", async () => {
      const commit = (source: string) => ({
        "package.json": '{"scripts":{"postinstall":"node change-packages.js"}}',
        "package-lock.json": "{}",
        "change-packages.js": source,
      });
      await installed(commit("one"), "npm", "change-packages.js");
      assert.equal((await installed(commit("two"), "npm", "change-packages.js")).content, "two");
      assert.equal((await installed(commit("two"), "npm", "change-packages.js")).isReused, true);
    });
  });

  describe("the lock file that decides", () => {
    /**
     * Installs, or builds, a release with these files in one of its directories; returns the package managers' arguments and
     * directories.
     */
    const called = async (files: Record<string, string>, directory: string, key: "install" | "build" = "install") => {
      const tool = `${root}/bin`;
      rmSync(`${root}/calls`, { force: true });
      for (const name of ["npm", "pnpm", "yarn"]) {
        put(tool, {
          [name]: `#!/bin/bash\necho "${name} $* in .\${PWD#${release}}" >> ${root}/calls\nmkdir -p node_modules/a\n`,
        });
        chmodSync(`${tool}/${name}`, 0o755);
      }
      rmSync(release, { recursive: true });
      put(release, { ".longshore/x": "", ...files });
      const { script } = find(deploymentPlan(input(project("node", { directory }, layout))), key);
      const done = await runBash(
        { script: script.replace("PATH=/usr", `PATH=${tool}:${dirname(process.execPath)}:/usr`) },
        root,
      );
      assert.equal(done.code, 0, done.stderr);
      return existsSync(`${root}/calls`) ? readFileSync(`${root}/calls`, "utf8").trimEnd().split("\n") : [];
    };
    const web = { "apps/web/package.json": '{"scripts":{"build":"x"}}' };
    const npmLock = JSON.stringify({ packages: { "": { workspaces: ["apps/*"] }, "apps/web": {} } });
    const workspaces = (globs: unknown) => ({ "package.json": JSON.stringify({ workspaces: globs }), "yarn.lock": "" });

    test("is the one of the workspaces that the directory belongs to, and packages are installed there", async () => {
      const npm = { ...web, "package.json": '{"workspaces":["apps/*"]}', "package-lock.json": npmLock };
      assert.deepEqual(await called(npm, "apps/web"), ["npm ci --include=dev in ."]);
      for (const importer of ["apps/web", "'apps/web'"]) {
        const pnpm = {
          ...web,
          "package.json": "{}",
          "pnpm-lock.yaml": `importers:\n  .: {}\n  ${importer}:\n    x: 1\n`,
        };
        assert.deepEqual(await called(pnpm, "apps/web"), ["pnpm install --frozen-lockfile --prod=false in ."]);
      }
      for (const globs of [["apps/*"], ["./apps/web/"], { packages: ["x", "apps/**"] }]) {
        const calls = await called({ ...web, ...workspaces(globs) }, "apps/web");
        assert.deepEqual(calls, ["yarn install --frozen-lockfile --production=false in ."], JSON.stringify(globs));
      }
      const berry = { ...web, ...workspaces(["apps/*"]), ".yarnrc.yml": "yarnPath: yarn.lock\n" };
      assert.deepEqual(await called(berry, "apps/web"), ["yarn install --immutable in ."]);
      const nested = {
        "js/apps/web/package.json": "{}",
        "js/package.json": "{}",
        "js/package-lock.json": npmLock,
        "yarn.lock": "",
      };
      assert.deepEqual(await called(nested, "js/apps/web"), ["npm ci --include=dev in ./js"]);
    });

    test("belongs to the manager that runs the build, in the project's directory", async () => {
      const pnpm = { ...web, "pnpm-lock.yaml": "importers:\n  apps/web:\n" };
      assert.deepEqual(await called(pnpm, "apps/web", "build"), ["pnpm run build in ./apps/web"]);
    });

    test("is the nearest one, and none of other packages above", async () => {
      const calledFirst = (files: Record<string, string>) => {
        rmSync(layout.cache, { recursive: true });
        mkdirSync(layout.cache);
        return called(files, "apps/web");
      };
      const own = { ...web, "apps/web/package-lock.json": "{}", "package-lock.json": npmLock };
      assert.deepEqual(await calledFirst(own), ["npm ci --include=dev in ./apps/web"]);
      const without = ["npm install --include=dev --no-package-lock in ./apps/web"];
      const tools = JSON.stringify({ packages: { "": {}, "node_modules/husky": {} } });
      assert.deepEqual(await calledFirst({ ...web, "package.json": "{}", "package-lock.json": tools }), without);
      assert.deepEqual(await calledFirst({ ...web, ...workspaces(["libs/*"]) }), without);
      assert.deepEqual(await calledFirst({ ...web, "pnpm-lock.yaml": "importers:\n  apps/website:\n" }), without);
      writeFileSync(`${layout.releases}/package-lock.json`, JSON.stringify({ packages: { "12/apps/web": {} } }));
      assert.deepEqual(await calledFirst(web), without, "outside of the release");
    });

    test("and scripts are not mixed up with packages and settings of the same name", async () => {
      const settings = {
        "package.json": '{"build":{"appId":"x"},"dependencies":{"install":"1"}}',
        "package-lock.json": "{}",
      };
      assert.deepEqual(await called(settings, "", "build"), []);
      assert.deepEqual(await called(settings, ""), ["npm ci --include=dev in ."]);
      assert.deepEqual(
        await called(settings, ""),
        [],
        "reused, and there is no script that runs with the installation",
      );
    });

    test("that cannot be read is a sentence", async () => {
      put(release, { "package.json": "{", "package-lock.json": "{}" });
      const { script } = find(deploymentPlan(input(project("node", {}, layout))), "build");
      const done = await runBash(
        { script: script.replace("PATH=/usr", `PATH=${dirname(process.execPath)}:/usr`) },
        root,
      );
      assert.equal(done.code, 1);
      assert.match(done.stderr, /\npackage\.json is not the JSON that it should be; the reason is above\.\n$/);
    });
  });

  /** Publishes the site of a static project here, with stand-ins for nginx and systemd. */
  const publish = async (site: Partial<ProjectOnServer["site"]> = {}, reject = false) => {
    const stubs = `${root}/stubs`;
    put(stubs, {
      nginx: `#!/bin/bash\n[ ! -e ${root}/reject ] || { echo "nginx: [emerg] no such thing" >&2; exit 1; }\n`,
      systemctl: `#!/bin/bash\n[ ! -e ${layout.state}/basic-auth ] || echo "with its password" >> ${root}/calls\n`,
    });
    spawnSync("chmod", ["-R", "+x", stubs]);
    for (const path of [dirname(layout.siteEnabled), dirname(layout.siteAvailable)])
      mkdirSync(path, { recursive: true });
    rmSync(`${root}/reject`, { force: true });
    if (reject) put(root, { reject: "" });
    const plan = publishSitePlan({ ...project("static", {}, layout).site, ...site });
    return runBash({ script: (plan.steps[0] as Step).script }, root, stubs);
  };

  describe("the file of a password that the site does not ask for any more", () => {
    const openSite = (reject: boolean) => {
      put(layout.state, { "basic-auth": "ali:hash" });
      return publish({}, reject);
    };
    const isThere = () => existsSync(`${layout.state}/basic-auth`);

    test("stays while nginx has the former site", async () => {
      assert.equal((await openSite(true)).code, 1);
      assert.equal(isThere(), true);
    });

    test("goes when nginx serves the new one", async () => {
      assert.equal((await openSite(false)).code, 0);
      assert.equal(isThere(), false);
      assert.equal(readFileSync(`${root}/calls`, "utf8"), "with its password\n");
      // As after a run that was cut off in between.
      assert.match((await openSite(false)).stdout, /already/);
      assert.equal(isThere(), false);
    });
  });

  test("a site that nginx refused at first is not taken for one that an operator changed by hand", async () => {
    const drift = () => (existsSync(`${root}/facts`) ? readFileSync(`${root}/facts`, "utf8") : "");
    const known = () => readFileSync(`${layout.state}/site-written`, "utf8").trim().split("\n").length;
    for (const reject of [true, true, false]) assert.equal((await publish({}, reject)).code, reject ? 1 : 0);
    assert.equal(drift(), "");
    for (const name of ["a.test", "b.test", "b.test"]) {
      assert.equal((await publish({ domains: [{ name }] }, true)).code, 1);
    }
    assert.equal(known(), 3, "what serves, and what was attempted");
    assert.match((await publish()).stdout, /already/);
    assert.equal(known(), 1);
    writeFileSync(layout.siteAvailable, "mine");
    await publish();
    assert.match(drift(), /^web_server_drift \S+\.by-hand-\w+\n$/);
  });

  test("a site whose publication was cut off before it was written, or after, is published by the next", async () => {
    const site = { domains: [{ name: "a.test" }] };
    const [file, former] = [layout.siteAvailable, `${layout.siteAvailable}.former`];
    assert.equal((await publish()).code, 0);
    const served = readFileSync(file, "utf8");
    const cutOff = [() => linkSync(file, former), () => writeFileSync(former, served)];
    for (const leave of cutOff) {
      leave();
      assert.equal((await publish(site, true)).code, 1);
      assert.equal(readFileSync(file, "utf8"), served);
      assert.equal(existsSync(former), false);
      leave();
      assert.equal((await publish(site)).code, 0);
      assert.match(readFileSync(layout.siteEnabled, "utf8"), /a\.test/);
      assert.equal(existsSync(former), false);
      assert.equal((await publish()).code, 0);
      assert.equal(readFileSync(file, "utf8"), served);
    }
  });

  test("a site that nginx rejects is put back, and one that is right is not reloaded", async () => {
    const stubs = `${root}/stubs`;
    put(stubs, {
      nginx: `#!/bin/bash\n[ ! -e ${root}/reject ] || { echo "nginx: [emerg] no such thing" >&2; exit 1; }\n`,
      systemctl: `#!/bin/bash\necho "$@" >> ${root}/calls\n`,
    });
    spawnSync("chmod", ["-R", "+x", stubs]);
    for (const path of [dirname(layout.siteEnabled), dirname(layout.siteAvailable)])
      mkdirSync(path, { recursive: true });
    const of = project("static", {}, layout);
    const publish = (site: ProjectOnServer["site"]) =>
      runBash({ script: (publishSitePlan(site).steps[0] as Step).script }, root, stubs);
    assert.equal((await publish(of.site)).code, 0);
    const right = readFileSync(layout.siteEnabled, "utf8");
    assert.match((await publish(of.site)).stdout, /already/);
    assert.equal(readFileSync(`${root}/calls`, "utf8"), "reload-or-restart nginx.service\n");
    writeFileSync(`${root}/reject`, "");
    const rejected = await publish({ ...of.site, domains: [{ name: "new.test" }] });
    assert.match(rejected.stderr, /nginx rejects the new settings: no such thing\. The former ones stay\.\n$/);
    assert.equal(readFileSync(layout.siteEnabled, "utf8"), right);
    assert.deepEqual(readdirSync(dirname(layout.siteAvailable)).length, 1);
  });

  test("a server that the project has left forwards until the project is back, and nginx is reloaded for changes only", async () => {
    const stubs = `${root}/stubs`;
    put(stubs, {
      nginx: "#!/bin/bash\n",
      systemctl: `#!/bin/bash\n[ ! -e ${root}/reject ] || { echo "nginx: [emerg] no such key"; exit 1; }\necho "$@" >> ${root}/calls\n`,
    });
    spawnSync("chmod", ["-R", "+x", stubs]);
    for (const path of [dirname(layout.siteEnabled), dirname(layout.siteAvailable)])
      mkdirSync(path, { recursive: true });
    const { site } = project("static", {}, layout);
    const forwarding = { project: 7, names: ["shop.test"], to: "203.0.113.7", proxies: [] };
    const carry = (step: Step | undefined) => runBash({ script: (step as Step).script }, root, stubs);
    const served = () => readFileSync(layout.siteEnabled, "utf8");
    const reloads = () => readFileSync(`${root}/calls`, "utf8").split("\n").length - 1;
    const publish = () => carry(publishSitePlan(site).steps[0]);
    const follow = (to = forwarding.to) => carry(forwardingPlan(layout, { ...forwarding, to }).steps[0]);

    await publish();
    const own = served();
    assert.match((await follow()).stdout, /is on this server/);
    assert.equal(served(), own);
    const leaving = leaveForwardingSteps(layout, forwarding)[0];
    assert.match((await carry(leaving)).stdout, /are forwarded\.$/m);
    assert.match(served(), /proxy_pass http:\/\/203\.0\.113\.7:80;/);
    assert.match((await carry(leaving)).stdout, /already/);
    assert.equal(reloads(), 2);
    await publish();
    assert.deepEqual([served(), reloads()], [own, 3]);

    await carry(leaving);
    rmSync(layout.directory, { recursive: true });
    writeFileSync(`${root}/reject`, "");
    const rejected = await follow("203.0.113.8");
    assert.match(rejected.stderr, /nginx rejects the settings that forward visitors: no such key\.\n$/);
    assert.ok(!existsSync(layout.siteEnabled), "nginx could not start again with it");
    rmSync(`${root}/reject`);
    assert.equal((await follow("203.0.113.8")).code, 0);
    assert.match(served(), /203\.0\.113\.8:80;/);
  });

  test("too little disk space is reported in a sentence", async () => {
    const plan = deploymentPlan(input(project("static", {}, layout), { settings: { minimumFreeMb: 1e9 } }));
    assert.match((await carryOut(plan, "check-disk-space")).stderr, /MB left; a deployment needs 1000000000 MB/);
  });
});
