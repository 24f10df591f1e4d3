import assert from "node:assert/strict";
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
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { Step } from "../../../engine/runs/plan.ts";
import { type ProjectLayout, projectLayout } from "../../../host/layout.ts";
import { phpEnvironment, phpStart, programsOf } from "../../../host/php/pool.ts";
import { someIdentity } from "../../../host/project-mark/tests/identity.ts";
import { runBash } from "../../../host/tests/bash.ts";
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
    write(12, "export A='deep \"blue\" $HOME'\nexport FPM_SOCKETS=stolen NOTIFY_SOCKET=stolen\n");
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
