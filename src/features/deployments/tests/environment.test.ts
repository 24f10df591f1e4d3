import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { Step } from "../../../engine/runs/plan.ts";
import { renderExports } from "../../../host/environment/environment.ts";
import { runScript } from "../../../host/jobs/jobs.ts";
import { type ProjectLayout, projectLayout } from "../../../host/layout.ts";
import { phpEnvironment, phpStart, programsOf } from "../../../host/php/pool.ts";
import { someIdentity } from "../../../host/project-mark/tests/identity.ts";
import { runBash } from "../../../host/tests/bash.ts";
import { commandPlan } from "../../commands/plans.ts";
import { findFramework } from "../../projects/frameworks.ts";
import { deploymentPlan } from "../plans.ts";

let root: string;
let layout: ProjectLayout;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "longshore-environment-"));
  layout = projectLayout(7, root);
  for (const directory of [layout.state, layout.environments, `${root}/bin`]) mkdirSync(directory, { recursive: true });
  writeFileSync(`${root}/bin/systemctl`, `#!/bin/bash\necho "$*" >> ${root}/asked\n`);
  chmodSync(`${root}/bin/systemctl`, 0o755);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

// Names that shells, Node, git and npm give a meaning to.
const wicked = {
  UID: "1000",
  EUID: "7",
  HOME: "/app",
  // bash as root does not take this one from its environment.
  ...(userInfo().uid !== 0 && { PS4: "$(touch HIT)" }),
  CDPATH: "/usr:/",
  BASH_ENV: "/nonexistent/$(touch HIT)",
  ENV: "production",
  LD_LIBRARY_PATH: "/nonexistent",
  GIT_DIR: "/nonexistent",
  NODE_OPTIONS: "--title=own",
  npm_config_update_notifier: "true",
  CI: "false",
  NODE_ENV: "",
  command: "rm",
  release: "../..",
  settings: "-x",
  POSIXLY_CORRECT: "1",
  TEXT: "-n 'it\"s' $HOME\n\\ ä🦆\nexport A=1",
  "app.url": "https://a.test/",
  "mail-from": "me",
};

describe("the environment variables of a project", { concurrency: false }, () => {
  const variables = Object.entries(wicked).map(([name, value]) => ({ name, value }));
  const framework = findFramework(8);
  const inProject = (commands: object) => ({
    layout,
    identity: someIdentity,
    framework: framework as NonNullable<typeof framework>,
    site: {
      layout,
      kind: { family: "node" as const, ports: [20_000, 20_001] as const },
      domains: [{ name: "a.test" }],
      wwwRedirect: 0 as const,
      redirectStatus: 301 as const,
    },
    directory: "",
    commands: { install: "", build: "", dev: "", custom: "", ...commands },
    sharedDirectories: [],
    sharedFiles: [],
    hasEnvironment: true,
    zeroDowntime: true,
  });
  const source = { url: "https://example.com/shop.git", branch: "main", access: "none" as const };
  const runStep = async (key: string, commands: object) => {
    const { steps } = deploymentPlan({ project: inProject(commands), deploymentId: 12, source });
    const done = await runBash({ script: steps.find((each) => each.key === key)?.script ?? "exit 9" }, root);
    assert.equal(done.code, 0, `${key}: ${done.stderr}`);
    return done.stdout;
  };
  const print = "env -0 > seen; pwd";

  beforeEach(() => {
    for (const path of [`${layout.releases}/12/.longshore`, `${layout.environments}/12`, layout.jobs, layout.home]) {
      mkdirSync(path, { recursive: true });
    }
    symlinkSync("releases/12", layout.current);
    symlinkSync("12", phpEnvironment(layout));
    writeFileSync(`${layout.environments}/12/environment-exports`, renderExports(variables));
  });

  const targets: Record<string, () => Promise<unknown>> = {
    "an install command": () => runStep("install", { install: print }),
    "a build": () => runStep("build", { build: print }),
    "a deployment script": () => runStep("custom", { custom: print }),
    "a process": async () => {
      spawnSync("git", ["init", "-q", "--bare", layout.mirror]);
      const { steps } = deploymentPlan({ project: inProject({ dev: print }), deploymentId: 12, source });
      const { script = "" } = steps.find(({ key }) => key === "export-release") ?? {};
      await runBash({ script: script.replace(/^git .*read-tree.*$/m, ":") }, root);
      return runBash({ script: `bash ${layout.releases}/12/.longshore/start 20000` }, root);
    },
    "a scheduled job": () => {
      writeFileSync(`${layout.jobs}/run`, runScript({ layout, directory: "" }));
      writeFileSync(`${layout.jobs}/3.command`, print);
      return runBash({ script: `bash ${layout.jobs}/run 3 scheduled` }, root);
    },
    "a command": () => {
      const [step] = commandPlan(inProject({}), { command: print, timeoutSeconds: 60 }).steps;
      return runBash({ script: step?.script ?? "" }, root);
    },
    PHP: () => {
      writeFileSync(`${root}/start`, phpStart(layout));
      writeFileSync(`${root}/php`, `#!/bin/sh\n/usr/bin/env -0 > ${layout.releases}/12/seen\n`);
      chmodSync(`${root}/php`, 0o755);
      return runBash({ script: `FPM_SOCKETS=/run/7.sock=3 bash ${root}/start ${root}/php` }, root);
    },
  };
  for (const [target, start] of Object.entries(targets)) {
    test(`reach ${target} as they were set, and nothing of the platform`, async () => {
      await start();
      const seen = new Map(
        readFileSync(`${layout.releases}/12/seen`, "utf8")
          .split("\0")
          .map((part) => [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)] as const),
      );
      // The shell in PHP's place does not pass on what is no name to it.
      const passed = variables.filter(({ name }) => target !== "PHP" || /^\w+$/.test(name));
      for (const { name, value } of passed) assert.equal(seen.get(name), value, name);
      for (const name of ["with_environment", "environment_exports", "project_home", "run"]) assert.ok(!seen.has(name));
      if (target === "a process") assert.equal(seen.get("PORT"), "20000");
      assert.ok(!existsSync(`${layout.releases}/12/HIT`));
    });
  }

  test("do not reach what the platform itself runs to install and to build", async () => {
    const tracer = `${root}/tracer.cjs`;
    writeFileSync(
      tracer,
      `require("fs").appendFileSync(${JSON.stringify(`${root}/traced`)}, process.argv.join(" ") + "\\n")`,
    );
    const own = [{ name: "NODE_OPTIONS", value: `--require ${tracer}` }];
    writeFileSync(`${layout.environments}/12/environment-exports`, renderExports(own));
    writeFileSync(`${layout.releases}/12/package.json`, '{"scripts":{"build":"node --version"}}');
    const { install, build } = framework?.defaults ?? {};
    await runStep("install", { install });
    await runStep("build", { build });
    const traced = readFileSync(`${root}/traced`, "utf8").trim().split("\n");
    assert.deepEqual(
      traced.filter((line) => !/npm|^\S+node$/.test(line)),
      [],
    );
    assert.ok(traced.some((line) => line.includes("npm")));
  });

  test("that load a package that is not installed yet do not keep it from being installed, and are blamed later", async () => {
    const missing = [{ name: "NODE_OPTIONS", value: "--require ./node_modules/tracer" }];
    writeFileSync(`${layout.environments}/12/environment-exports`, renderExports(missing));
    const install = 'mkdir -p node_modules/tracer; touch node_modules/tracer/index.js; printf "<%s>" "$NODE_OPTIONS"';
    assert.match(await runStep("install", { install }), /Cannot find module.*installed without it\.\n<>$/);
    assert.match(await runStep("install", { install }), /^<--require \.\/node_modules\/tracer>$/);
    for (const value of ["--no-such-flag", "--require nowhere"]) {
      writeFileSync(`${layout.environments}/12/environment-exports`, renderExports([{ name: "NODE_OPTIONS", value }]));
      const { steps } = deploymentPlan({ project: inProject({ build: "node -p 1" }), deploymentId: 12, source });
      const done = await runBash({ script: steps.find(({ key }) => key === "build")?.script ?? "" }, root);
      assert.notEqual(done.code, 0);
      assert.match(done.stderr, /Node does not start with the project's variable NODE_OPTIONS: .+\n$/);
    }
  });

  test("win over the platform's defaults, which are the same for default commands and for own ones", async () => {
    const print = 'printf "%s " "$CI" "$npm_config_fund" "$npm_config_audit" "$npm_config_update_notifier"';
    writeFileSync(`${layout.environments}/12/environment-exports`, "");
    writeFileSync(`${layout.releases}/12/package.json`, JSON.stringify({ scripts: { build: print } }));
    const { build } = framework?.defaults ?? {};
    const seen = async () => [
      (await runStep("build", { build })).trim().split("\n").at(-1)?.trim(),
      (await runStep("build", { build: print })).trim().split("\n").at(-1)?.trim(),
    ];
    assert.deepEqual(await seen(), ["true false false false", "true false false false"]);
    const own = [
      { name: "CI", value: "false" },
      { name: "npm_config_fund", value: "true" },
    ];
    writeFileSync(`${layout.environments}/12/environment-exports`, renderExports(own));
    assert.deepEqual(await seen(), ["false true false false", "false true false false"]);
  });
});

describe("the environment variables of PHP", () => {
  /** The step of a deployment with this id; in place when asked. */
  function stepOf(deploymentId: number, zeroDowntime = true): Step {
    const framework = findFramework(4);
    assert.ok(framework);
    const project = {
      layout,
      identity: someIdentity,
      framework,
      site: {
        layout,
        kind: { family: "php" as const },
        domains: [{ name: "a.test" }],
        wwwRedirect: 0 as const,
        redirectStatus: 301 as const,
      },
      directory: "",
      commands: { install: "", build: "", dev: "", custom: "" },
      sharedDirectories: [],
      sharedFiles: [],
      hasEnvironment: true,
      zeroDowntime,
    };
    const source = { url: "https://example.com/shop.git", branch: "main", access: "none" as const };
    const { steps } = deploymentPlan({ project, deploymentId, source });
    const keys = steps.map(({ key }) => key);
    assert.equal(keys.indexOf("hand-environment") + 1, keys.indexOf("activate"));
    return steps.find(({ key }) => key === "hand-environment") as Step;
  }

  const write = (release: number | "in-place", text: string) => {
    mkdirSync(`${layout.environments}/${release}`, { recursive: true });
    writeFileSync(`${layout.environments}/${release}/environment-exports`, text);
  };

  const run = async (script: string | undefined) => {
    const { code, stderr } = await runBash({ script: script ?? "" }, root, `${root}/bin`);
    assert.deepEqual([code, stderr], [0, ""]);
  };

  /** How often PHP was restarted. */
  const restarts = (): number =>
    existsSync(`${root}/asked`) ? (readFileSync(`${root}/asked`, "utf8").match(/try-restart/g)?.length ?? 0) : 0;

  const live = (): string => readlinkSync(phpEnvironment(layout));

  test("are those of the release, and PHP is started again only when they differ", async () => {
    await run(stepOf(11).script);
    assert.deepEqual([live(), restarts()], ["11", 0]);
    write(12, "export A=1\n");
    for (let times = 0; times < 2; times++) await run(stepOf(12).script);
    assert.deepEqual([live(), restarts()], ["12", 1]);
    write(13, "export A=1\n");
    await run(stepOf(13).script);
    assert.deepEqual([live(), restarts()], ["13", 1]);
    await run(stepOf(14).script);
    assert.deepEqual([live(), restarts()], ["14", 2]);
  });

  test("are put back when the deployment fails", async () => {
    write(12, "export A=1\n");
    write(13, "export A=2\n");
    await run(stepOf(12).undo);
    await run(stepOf(12).script);
    await run(stepOf(13).script);
    for (let times = 0; times < 2; times++) await run(stepOf(13).undo);
    assert.deepEqual([live(), restarts()], ["12", 3]);
    await run(stepOf(14).script);
    assert.equal(restarts(), 4, "what PHP has is known again");
    await run(stepOf(12).undo);
    assert.ok(!existsSync(phpEnvironment(layout)), "the first one had none before it");
  });

  /** Makes a release of a version of PHP; the program is `php-fpm<version>` of this directory. */
  const withPhp = (release: number, version: string) => {
    const program = `${root}/php-fpm${version}`;
    writeFileSync(program, `#!/bin/bash\necho ${version}\n`);
    chmodSync(program, 0o755);
    const programs = programsOf(`${layout.environments}/${release}`);
    mkdirSync(programs, { recursive: true });
    symlinkSync(program, `${programs}/php-fpm`);
  };

  const started = async () => {
    writeFileSync(`${root}/start`, phpStart(layout));
    writeFileSync(`${root}/php`, "#!/bin/bash\necho own\n");
    chmodSync(`${root}/php`, 0o755);
    const { stdout } = await runBash({ script: `FPM_SOCKETS=/run/7.sock=3 bash ${root}/start ${root}/php` }, root);
    return stdout.trim();
  };

  test("come with the release's version of PHP, which is put back as well", async () => {
    await run(stepOf(11).script);
    assert.equal(await started(), "own");
    withPhp(12, "8.3");
    await run(stepOf(12).script);
    assert.deepEqual([await started(), restarts()], ["8.3", 1]);
    withPhp(13, "8.3");
    await run(stepOf(13).script);
    assert.equal(restarts(), 1, "the same version is not started again");
    withPhp(14, "8.4");
    await run(stepOf(14).script);
    assert.deepEqual([await started(), restarts()], ["8.4", 2]);
    await run(stepOf(14).undo);
    assert.deepEqual([await started(), restarts()], ["8.3", 3]);
    await run(stepOf(15).script);
    assert.deepEqual([await started(), restarts()], ["own", 4]);
  });

  test("are not handed to a version of PHP that is no longer there", async () => {
    withPhp(12, "8.3");
    rmSync(`${root}/php-fpm8.3`);
    const { code, stderr } = await runBash({ script: stepOf(12).script }, root, `${root}/bin`);
    assert.equal(code, 1);
    assert.match(stderr, /made with PHP 8\.3, which is no longer on the server\. Deploy its commit again\.$/m);
    assert.ok(!existsSync(phpEnvironment(layout)));
  });

  test("that change in place are noticed", async () => {
    write("in-place", "export A=1\n");
    await run(stepOf(12, false).script);
    write("in-place", "export A=2\n");
    await run(stepOf(13, false).script);
    assert.deepEqual([live(), restarts()], ["in-place", 2]);
  });

  test("reach the program that is started, beside what systemd gave it", async () => {
    write(12, "export A='deep \"blue\" $HOME'\nexport FPM_SOCKETS=stolen\nexport NOTIFY_SOCKET=stolen\n");
    await run(stepOf(12).script);
    writeFileSync(`${root}/php`, '#!/bin/bash\nprintf \'%s|\' "$A" "$FPM_SOCKETS" "$NOTIFY_SOCKET" "$@"\n');
    chmodSync(`${root}/php`, 0o755);
    writeFileSync(`${root}/start`, phpStart(layout));
    const given = `FPM_SOCKETS=/run/7.sock=3 NOTIFY_SOCKET=/run/notify bash ${root}/start ${root}/php`;
    const { stdout } = await runBash({ script: given }, root);
    const options = ["--nodaemonize", "--force-stderr", "--fpm-config", layout.phpSettings];
    assert.deepEqual(stdout.split("|").slice(0, -1), ['deep "blue" $HOME', "/run/7.sock=3", "/run/notify", ...options]);
  });
});
