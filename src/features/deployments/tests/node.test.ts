import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import type { Plan } from "../../../engine/runs/plan.ts";
import { runScript } from "../../../host/jobs/jobs.ts";
import { type ProjectLayout, projectLayout } from "../../../host/layout.ts";
import { versionFiles } from "../../../host/node/choose-node.ts";
import { installNode, nodeDirectory } from "../../../host/node/node-runtime.ts";
import { someIdentity } from "../../../host/project-mark/tests/identity.ts";
import { withPrelude } from "../../../host/runner/prelude.ts";
import { runBash } from "../../../host/tests/bash.ts";
import { commandPlan } from "../../commands/plans.ts";
import { findFramework } from "../../projects/frameworks.ts";
import type { ProjectOnServer } from "../../projects/plans.ts";
import { deploymentPlan, rollbackPlan } from "../plans.ts";

test("files that name a version are looked for from the working directory upwards, of each kind", () => {
  assert.deepEqual(versionFiles(""), [
    ".nvmrc",
    ".node-version",
    ".tool-versions",
    "mise.toml",
    ".mise.toml",
    "package.json",
  ]);
  assert.deepEqual(versionFiles("apps/web").slice(0, 4), [
    "apps/web/.nvmrc",
    "apps/.nvmrc",
    ".nvmrc",
    "apps/web/.node-version",
  ]);
});

// The versions on the mirror print their number, and stand in for the programs that come with them.
const versions = ["20.19.5", "22.3.0", "22.21.1", "24.21.0"];
const program = (version: string) => `#!/bin/sh\necho v${version}\n`;

describe("on a server", { skip: userInfo().uid === 0 ? false : "needs root: users and locks" }, () => {
  let archives: string;
  let mirror: Server;
  let asked: string[];
  let isDown = false;
  let root: string;
  let layout: ProjectLayout;
  let node: string;

  before(async () => {
    archives = mkdtempSync(join(tmpdir(), "longshore-node-mirror-"));
    const arch = process.arch === "arm64" ? "arm64" : "x64";
    for (const version of versions) {
      const name = `node-v${version}-linux-${arch}`;
      put(join(archives, "tree", name), { "include/node/node.h": version });
      for (const command of ["node", "npm", "pnpm", "yarn"]) {
        put(join(archives, "tree", name), { [`bin/${command}`]: program(version) });
        chmodSync(join(archives, "tree", name, "bin", command), 0o755);
      }
      const file = join(archives, `v${version}`, `${name}.tar.gz`);
      mkdirSync(dirname(file));
      assert.equal(spawnSync("tar", ["-C", join(archives, "tree"), "-czf", file, name]).status, 0);
      const sum = createHash("sha256").update(readFileSync(file)).digest("hex");
      put(dirname(file), { "SHASUMS256.txt": `${sum}  ${name}.tar.gz\n` });
    }
    const index = versions.map((version) => ({ version: `v${version}`, files: [`linux-${arch}`], lts: false }));
    put(archives, { "index.json": JSON.stringify(index) });
    mirror = createServer(({ url = "" }, response) => {
      asked.push(url);
      const file = join(archives, url);
      if (isDown || !existsSync(file)) response.writeHead(404).end();
      else response.end(readFileSync(file));
    });
    await new Promise<void>((resolve) => mirror.listen(0, "127.0.0.1", resolve));
  });
  after(() => {
    mirror.close();
    rmSync(archives, { recursive: true });
  });

  beforeEach(() => {
    asked = [];
    isDown = false;
    root = mkdtempSync(join(tmpdir(), "longshore-node-"));
    layout = { ...projectLayout(7, root), user: "root" };
    node = `${root}/node`;
    for (const path of [layout.releases, layout.state, layout.environments, layout.slots, layout.home]) {
      mkdirSync(path, { recursive: true });
    }
    // The server's own Node has to be real: it runs the chooser.
    const npm = spawnSync("bash", ["-c", "command -v npm"], { encoding: "utf8" }).stdout.trim();
    const semver = join(dirname(dirname(realpathSync(npm))), "node_modules/semver");
    mkdirSync(`${node}/24.20.0/bin`, { recursive: true });
    mkdirSync(`${node}/24.20.0/lib/node_modules/npm/node_modules`, { recursive: true });
    symlinkSync(semver, `${node}/24.20.0/lib/node_modules/npm/node_modules/semver`);
    symlinkSync(process.execPath, `${node}/24.20.0/bin/node`);
    put(`${node}/24.20.0/bin`, { pnpm: "", yarn: "" });
    symlinkSync("24.20.0", `${node}/current`);
    // The fetching user does not exist on this machine.
    put(`${root}/bin`, {
      setpriv: '#!/bin/bash\necho "$1" >> "$HOME/judged"\nuntil [[ $1 = -- ]]; do shift; done\nshift\nexec "$@"\n',
    });
    chmodSync(`${root}/bin/setpriv`, 0o755);
    spawnSync("git", ["init", "-q", "--bare", layout.mirror]);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const put = (directory: string, files: Record<string, string>) => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), content);
    }
  };
  const project = (over: Partial<ProjectOnServer> = {}): ProjectOnServer => {
    const framework = findFramework(8);
    assert.ok(framework);
    return {
      layout,
      identity: someIdentity,
      framework,
      site: {
        layout,
        kind: { family: "node", ports: [20_000, 20_001] },
        domains: [{ name: "shop.test" }],
        wwwRedirect: 0,
        redirectStatus: 301,
      },
      directory: "",
      commands: { install: "npm ci", build: "", dev: "node --version", custom: "" },
      sharedDirectories: [],
      sharedFiles: [],
      hasEnvironment: false,
      zeroDowntime: true,
      ...over,
    };
  };
  const planOf = (release = 12, over: Partial<ProjectOnServer> = {}): Plan =>
    deploymentPlan({
      project: project(over),
      deploymentId: release,
      source: { url: "https://example.com/shop.git", branch: "main", access: "none" },
      nodeMirror: `http://127.0.0.1:${(mirror.address() as AddressInfo).port}/`,
    });
  const here = (script: string) => ({ script: script.replaceAll(nodeDirectory, node) });
  const stepOf = ({ steps }: Plan, key: string) => {
    const found = steps.find((each) => each.key === key);
    assert.ok(found, key);
    return found;
  };
  /** Makes a release of a commit that the bash script `make` writes; returns the end of its step. */
  const created = async (make: string, release = 12, over: Partial<ProjectOnServer> = {}) => {
    const commit = `
      mkdir "$1" && cd "$1" && git init -q && ${make} && git add -A
      git -c user.name=t -c user.email=t@example.com commit -qm x --allow-empty
      git push -qf "$2" HEAD:refs/longshore/releases/${release}`;
    rmSync(`${root}/commit`, { recursive: true, force: true });
    const made = spawnSync("bash", ["-euc", commit, "x", `${root}/commit`, layout.mirror], { encoding: "utf8" });
    assert.equal(made.status, 0, made.stderr);
    return runBash(here(stepOf(planOf(release, over), "create-release").script), root, `${root}/bin`);
  };
  const linked = (release: number | string = 12) =>
    readlinkSync(`${layout.state}/node-${release}`).replace(`${node}/`, "");
  const succeeded = async (...given: Parameters<typeof created>) => {
    const done = await created(...given);
    assert.equal(done.code, 0, done.stdout + done.stderr);
    return { version: linked(given[1]), said: done.stdout.trim().split("\n").at(-1) };
  };
  const installed = () => readdirSync(node).filter((name) => /^\d/.test(name));
  const nothingChosen = () => {
    assert.equal(existsSync(`${layout.state}/node-12`), false);
    assert.deepEqual(installed(), ["24.20.0"]);
  };

  test("a release without a wish gets the server's own, and neither the mirror nor a program is asked", async () => {
    const { version, said } = await succeeded("echo '{}' > package.json");
    assert.equal(version, "24.20.0");
    assert.equal(said, "Node 24.20.0: it is the server's own, and the project asks for none.");
    assert.deepEqual(asked, []);
    const ofFiles = deploymentPlan({
      project: project({
        framework: findFramework(10),
        commands: { install: "", build: "", dev: "", custom: "" },
      } as never),
      deploymentId: 12,
      source: { url: "https://example.com/shop.git", branch: "main", access: "none" },
    });
    assert.ok(!stepOf(ofFiles, "create-release").script.includes(nodeDirectory));
  });

  test("a version that is asked for is fetched, checked, and there for the next one", async () => {
    assert.deepEqual(await succeeded("echo v22 > .nvmrc"), {
      version: "22.21.1",
      said: "Node 22.21.1: .nvmrc asks for v22.",
    });
    assert.ok(existsSync(`${node}/22.21.1/include/node/node.h`));
    assert.match(readFileSync(`${root}/judged`, "utf8"), /^(--reuid=project-7-git\n)+$/);
    const fetched = asked.length;
    assert.deepEqual(await succeeded("printf '20\\r\\n' > .node-version", 13, { nodeVersion: "22" }), {
      version: "22.21.1",
      said: "Node 22.21.1: the project's Node version asks for 22.",
    });
    assert.equal(asked.length, fetched);
    isDown = true;
    assert.equal(
      (await succeeded("mkdir web; echo 22 > .nvmrc; echo {} > web/package.json", 14, { directory: "web" })).version,
      "22.21.1",
    );
    assert.equal(
      (await succeeded("echo 22 > a; ln -s a .nvmrc", 15)).version,
      "22.21.1",
      "a link inside of the commit",
    );
  });

  test("so is one that the files of other version managers name", async () => {
    const pinned = "printf 'ruby 3\\nnodejs 22.3.0\\n' > .tool-versions; echo '{}' > package.json";
    assert.deepEqual(await succeeded(pinned), {
      version: "22.3.0",
      said: "Node 22.3.0: .tool-versions asks for 22.3.0.",
    });
    const mise = "mkdir web; printf '[tools]\\nnode = \"20\"\\n' > .mise.toml; echo 'ruby 3' > web/.tool-versions";
    assert.equal((await succeeded(mise, 13, { directory: "web" })).version, "20.19.5");
    const volta = `echo '{"volta":{"node":"22.3.0"},"engines":{"node":">=18"}}' > package.json`;
    assert.equal((await succeeded(volta, 14)).said, "Node 22.3.0: volta in package.json asks for 22.3.0.");
  });

  test("a range of package.json is enough, and what already fits it is kept", async () => {
    assert.equal((await succeeded(`echo '{"engines":{"node":">=20 <23"}}' > package.json`)).version, "22.21.1");
    assert.equal((await succeeded(`echo '{"engines":{"node":">=20"}}' > package.json`, 13)).version, "24.20.0");
  });

  test("hostile files choose nothing and leave nothing", async () => {
    const hits = `${root}/HIT`;
    for (const [make, sentence] of [
      ["printf '../../x' > .nvmrc", /\.nvmrc asks for \.\.\/\.\.\/x, which is no version of Node\.$/],
      [`printf '$(touch ${hits})' > .nvmrc`, /which is no version of Node\.$/],
      [
        `ln -s '; touch ${hits}' .nvmrc; printf '; touch ${hits}' > .node-version`,
        /\.node-version asks for ; touch \S+, which is no version/,
      ],
      [
        "head -c 10M /dev/zero | tr '\\0' 2 > .nvmrc",
        /^\.nvmrc is too long for a version of Node: it has 10485760 bytes\.$/m,
      ],
      ["head -c 1000 /dev/urandom > .node-version", /no version of Node|is empty/],
      [`echo '{"engines": ' > package.json`, /package\.json is not the JSON/],
      [
        `echo '{"engines":{"node":"12"}}' > package.json`,
        /engines in package\.json asks for Node 12, which is not to be had\. There are versions from 18 on, such as 20/,
      ],
      ["echo 22.99.0 > .nvmrc", /asks for Node 22\.99\.0, which is not to be had/],
    ] as const) {
      const done = await created(make);
      assert.equal(done.code, 1, make);
      assert.match(done.stderr.trim(), sentence, make);
      nothingChosen();
    }
    for (const make of [
      "ln -s /etc/passwd .nvmrc",
      "ln -s .nvmrc .nvmrc",
      "ln -s x/y .nvmrc",
      "mkdir .nvmrc; touch .nvmrc/x",
    ]) {
      const { version } = await succeeded(`${make}; echo 24 > .node-version`);
      assert.equal(version, "24.20.0", make);
    }
    assert.equal(existsSync(hits), false);
  });

  test("what the fetching user's git answers is evaluated by nothing", async () => {
    const hits = `${root}/HIT`;
    put(`${root}/bin`, {
      git: `#!/bin/bash\nif [[ "$*" = *cat-file* ]]; then cat > /dev/null; echo 'blob ${"a".repeat(40)} a[$(touch ${hits})]'; else exec /usr/bin/git "$@"; fi\n`,
    });
    chmodSync(`${root}/bin/git`, 0o755);
    assert.equal((await succeeded("echo 22 > .nvmrc")).version, "24.20.0");
    assert.equal(existsSync(hits), false);
  });

  test("an answer of the program that is no version is not taken", async () => {
    rmSync(`${node}/24.20.0/bin/node`);
    put(`${node}/24.20.0/bin`, { node: "#!/bin/sh\nprintf 'use\\n../../../etc\\n'\n" });
    chmodSync(`${node}/24.20.0/bin/node`, 0o755);
    const done = await created("echo 22 > .nvmrc");
    assert.equal(done.stderr.trim(), "The version of Node could not be chosen.");
    nothingChosen();
  });

  test("a mirror that is away, or hands out something else, fails the deployment with a sentence", async () => {
    isDown = true;
    const away = await created("echo 22 > .nvmrc");
    assert.match(away.stderr, /the mirror of Node did not answer: on the server are 24\.20\.0\. Deploy again/);
    isDown = false;
    await succeeded("echo '>=24' > .nvmrc; echo 22.99.0 > .node-version", 11);
    await created("echo 22.99.0 > .nvmrc", 11);
    isDown = true;
    const listed = await created("echo 22.99.0 > .nvmrc");
    assert.match(listed.stderr, /the mirror of Node did not answer: its last list and the server have .*22\.21\.1/);
    const gone = await created("echo 22.3 > .nvmrc");
    assert.match(gone.stderr, /127\.0\.0\.1:\d+\/v22\.3\.0 holds no Node 22\.3\.0\.\n$/);
    isDown = false;
    const file = readdirSync(join(archives, "v22.21.1")).find((name) => name.endsWith(".gz")) as string;
    const archive = readFileSync(join(archives, "v22.21.1", file));
    writeFileSync(join(archives, "v22.21.1", file), "something else");
    const changed = await created("echo 22 > .nvmrc");
    writeFileSync(join(archives, "v22.21.1", file), archive);
    assert.equal(changed.code, 1);
    assert.match(changed.stderr, /is not what its checksum says and was thrown away\.\n$/);
    assert.deepEqual(installed(), ["24.20.0"]);
    assert.deepEqual(
      readdirSync(node).filter((name) => name.startsWith(".fetch")),
      [],
    );
    const undone = await runBash({ script: stepOf(planOf(), "create-release").undo ?? "" }, root);
    assert.equal(undone.code, 0);
    nothingChosen();
  });

  test("processes, jobs, commands and builds of a release run with its version, and a rollback brings it back", async () => {
    await succeeded("echo 22 > .nvmrc");
    await succeeded("echo 20 > .nvmrc", 13);
    mkdirSync(layout.jobs, { recursive: true });
    put(layout.jobs, { run: runScript({ layout, directory: "" }), "3.command": "node --version" });
    for (const [release, version] of [
      [12, "22.21.1"],
      [13, "20.19.5"],
      [12, "22.21.1"],
    ] as const) {
      rmSync(layout.current, { force: true });
      symlinkSync(`releases/${release}`, layout.current);
      const steps = planOf(release);
      const exported = stepOf(steps, "export-release").script.replace(/^git .*read-tree.*$/m, ":");
      assert.equal((await runBash({ script: exported }, root)).code, 0);
      const start = spawnSync("bash", [`${layout.releases}/${release}/.longshore/start`, "20000"], {
        encoding: "utf8",
      });
      assert.equal(start.stdout, `v${version}\n`, start.stderr);
      const job = spawnSync("bash", [`${layout.jobs}/run`, "3", "scheduled"], { encoding: "utf8" });
      assert.match(job.stdout, new RegExp(`\nv${version}\n`));
      const command = commandPlan(project(), { command: "node --version", timeoutSeconds: 60 }).steps[0];
      assert.equal((await runBash({ script: command?.script ?? "" }, root)).stdout, `v${version}\n`);
      const commands = {
        install: 'node --version; echo "$npm_package_config_node_gyp_nodedir"',
        build: "",
        dev: "x",
        custom: "",
      };
      const install = stepOf(planOf(release, { commands }), "install").script;
      assert.equal((await runBash(here(install), root)).stdout, `v${version}\n${node}/${version}\n`);
    }
    assert.ok(
      !rollbackPlan({ project: project(), deploymentId: 14, releaseId: 12 }).steps.some(({ script }) =>
        script.includes("node-14"),
      ),
    );
  });

  test("a version goes with the last release that has it, and never the setup's", async () => {
    await succeeded("echo 22.3.0 > .nvmrc", 2);
    await succeeded("echo 20 > .nvmrc", 3);
    const neighbour = projectLayout(8, root);
    mkdirSync(neighbour.state, { recursive: true });
    symlinkSync(`${node}/20.19.5`, `${neighbour.state}/node-40`);
    for (const release of [9, 10, 11, 12]) await succeeded("echo 24 > .nvmrc", release);
    symlinkSync("releases/12", layout.current);
    assert.deepEqual(installed(), ["20.19.5", "22.3.0", "24.20.0"]);
    const prune = () => runBash(here(stepOf(planOf(), "prune-releases").script), root, `${root}/bin`);
    const done = await prune();
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, /Removed Node 22\.3\.0, which no release has any more\./);
    assert.deepEqual(installed(), ["20.19.5", "24.20.0"]);
    assert.equal(existsSync(`${layout.state}/node-2`), false);
    rmSync(`${neighbour.state}/node-40`);
    rmSync(`${layout.state}/node-3`);
    assert.equal((await prune()).code, 0);
    assert.deepEqual(installed(), ["24.20.0"]);
    await succeeded("echo 22.3.0 > .nvmrc", 13);
    const mirrorOf = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}`;
    const setup = withPrelude("It failed.", installNode({ mirror: mirrorOf, version: "22" }));
    assert.match((await runBash(here(setup.script), root)).stdout, /Node 22\.3\.0 is installed/);
    rmSync(`${layout.state}/node-13`);
    assert.equal((await prune()).code, 0);
    assert.deepEqual(installed(), ["22.3.0", "24.20.0"]);
  });

  test("failed deployments do not fill the disk with versions", async () => {
    for (const version of ["20.19.5", "22.3.0", "22.21.1"]) {
      await succeeded(`echo ${version} > .nvmrc`);
      await runBash({ script: stepOf(planOf(), "create-release").undo ?? "" }, root);
    }
    assert.deepEqual(installed(), ["22.21.1", "24.20.0"]);
  });
});
