import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { renderExports } from "../../../host/environment/environment.ts";
import { type ProjectLayout, projectLayout } from "../../../host/layout.ts";
import { someIdentity } from "../../../host/project-mark/tests/identity.ts";
import { runBash } from "../../../host/tests/bash.ts";
import { findFramework } from "../../projects/frameworks.ts";
import { deploymentPlan, rollbackPlan } from "../plans.ts";

// Installations by the real npm, from a registry of the test.

let root: string;
let layout: ProjectLayout;
let registry: Server;
const archives = new Map<string, Buffer>();

// Install scripts, as those that generate a client for a schema.
const packages: Record<string, Record<string, string>> = {
  plain: { "index.js": "exports.plain = 1;\n" },
  client: {
    "index.js": "",
    "generate.js": `
      const { appendFileSync, readFileSync, writeFileSync } = require("fs");
      const schema = readFileSync(process.env.INIT_CWD + "/schema.txt", "utf8");
      writeFileSync("index.js", schema + (process.env.FLAVOUR ?? ""));
      appendFileSync(process.env.INIT_CWD + "/../runs", "x");`,
  },
};

before(async () => {
  const directory = mkdtempSync(join(tmpdir(), "longshore-registry-"));
  for (const [name, files] of Object.entries(packages)) {
    const scripts = name === "client" ? { postinstall: "node generate.js" } : undefined;
    put(join(directory, name, "package"), {
      ...files,
      "package.json": JSON.stringify({ name, version: "1.0.0", scripts }),
    });
    const { stdout } = spawnSync("tar", ["-C", join(directory, name), "-cz", "package"]);
    archives.set(`/${name}/-/${name}-1.0.0.tgz`, stdout);
  }
  rmSync(directory, { recursive: true });
  registry = createServer(({ url = "" }, response) => {
    const archive = archives.get(url);
    if (archive) response.end(archive);
    else response.writeHead(404).end("{}");
  });
  await new Promise<void>((resolve) => registry.listen(0, "127.0.0.1", resolve));
});
after(() => registry.close());

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "longshore-install-scripts-"));
  layout = projectLayout(7, root);
  for (const path of [layout.releases, layout.cache, layout.home, layout.environments, layout.state, layout.slots]) {
    mkdirSync(path, { recursive: true });
  }
  spawnSync("git", ["init", "-q", "--bare", layout.mirror]);
});
afterEach(() => rmSync(root, { recursive: true }));

function put(directory: string, files: Record<string, string>) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
}

const input = (release: number, frameworkId = 8) => {
  const framework = findFramework(frameworkId);
  assert.ok(framework);
  const { install, build, dev } = framework.defaults;
  const isNode = framework.runtimeFamily === "node";
  const site = {
    layout,
    kind: isNode ? { family: "node" as const, ports: [20_000, 20_001] as const } : { family: "php" as const },
    domains: [{ name: "shop.test" }],
    wwwRedirect: 0 as const,
    redirectStatus: 301 as const,
  };
  return {
    project: {
      layout,
      identity: someIdentity,
      framework,
      site,
      directory: "",
      commands: { install, build, dev, custom: "" },
      sharedDirectories: [],
      sharedFiles: [],
      keeps: framework.keeps,
      hasEnvironment: true,
      zeroDowntime: true,
    },
    deploymentId: release,
    source: { url: "https://example.com/shop.git", branch: "main", access: "none" as const },
  };
};

const npmFiles = (name: string): Record<string, string> => {
  const { port } = registry.address() as AddressInfo;
  const path = `/${name}/-/${name}-1.0.0.tgz`;
  const about = { name: "shop", version: "1.0.0", dependencies: { [name]: "1.0.0" } };
  const entry = {
    version: "1.0.0",
    resolved: `http://127.0.0.1:${port}${path}`,
    integrity: `sha512-${createHash("sha512")
      .update(archives.get(path) as Buffer)
      .digest("base64")}`,
    ...(name === "client" && { hasInstallScript: true }),
  };
  return {
    "package.json": JSON.stringify(about),
    "package-lock.json": JSON.stringify({
      name: "shop",
      version: "1.0.0",
      lockfileVersion: 3,
      requires: true,
      packages: { "": about, [`node_modules/${name}`]: entry },
    }),
  };
};

/** Installs a release with these files and variables; `stub` is a package manager in place of npm. */
async function installed(
  release: number,
  files: Record<string, string>,
  variables: Record<string, string> = {},
  stub?: { name: string; script: string },
  frameworkId = 8,
) {
  const directory = `${layout.releases}/${release}`;
  put(directory, { ".longshore/x": "", ...files });
  const commit = `
    cp -a "$1" "$2" && cd "$2" && rm -rf .longshore && git init -q && git add -A
    git -c user.name=t -c user.email=t@example.com commit -qm x
    git push -qf "$3" HEAD:refs/longshore/releases/${release}`;
  const made = spawnSync("bash", ["-euc", commit, "x", directory, `${root}/commit-${release}`, layout.mirror]);
  assert.equal(made.status, 0, String(made.stderr));
  const exported = Object.entries(variables).map(([name, value]) => ({ name, value }));
  put(`${layout.environments}/${release}`, { "environment-exports": renderExports(exported) });
  const own = `${root}/bin`;
  if (stub) {
    put(own, { [stub.name]: `#!/bin/bash\n${stub.script}\n` });
    chmodSync(`${own}/${stub.name}`, 0o755);
  }
  const script = deploymentPlan(input(release, frameworkId)).steps.find(({ key }) => key === "install")?.script ?? "";
  const done = await runBash({ script: script.replace("PATH=/usr/local/bin", `PATH=${own}:/usr/local/bin`) }, root);
  assert.equal(done.code, 0, done.stdout + done.stderr);
  const read = (path: string) => readFileSync(`${directory}/${path}`, "utf8");
  return { said: done.stdout, read, key: frameworkId === 8 ? read(".longshore/packages").split(" ")[0] : "" };
}

const runs = () => {
  try {
    return readFileSync(`${layout.releases}/runs`, "utf8").length;
  } catch {
    return 0;
  }
};

describe("packages that are used again", () => {
  const client = "node_modules/client/index.js";

  test("have what their install scripts make of this release's files and variables", async () => {
    const files = (schema: string) => ({ ...npmFiles("client"), "schema.txt": schema });
    const first = await installed(11, files("id"));
    assert.deepEqual([first.read(client), runs()], ["id", 1]);
    const second = await installed(12, files("id, email"));
    assert.equal(second.read(client), "id, email");
    assert.match(second.said, /packages installed before are used/);
    assert.doesNotMatch(second.said, /^npm ci/m);
    const third = await installed(13, files("id, email"), { FLAVOUR: " sweet" });
    assert.equal(third.read(client), "id, email sweet");
    assert.equal(new Set([first.key, second.key, third.key]).size, 3, "none passes for another");
    const same = await installed(14, { ...files("id, email"), "README.md": "new" }, { FLAVOUR: " sweet" });
    assert.deepEqual([same.read(client), runs()], ["id, email sweet", 4]);
    assert.equal(same.key, third.key, "what the scripts leave is the same");
  });

  test("are those of the same settings of the package manager, wherever it reads them", async () => {
    const own = `${root}/own`;
    const keyOf = async (release: number, npmrc: string, variables: Record<string, string> = {}, ownNpmrc = "") => {
      put(own, { ".npmrc": ownNpmrc });
      return (await installed(release, { ...npmFiles("plain"), ".npmrc": npmrc }, variables)).key;
    };
    // biome-ignore lint/suspicious/noTemplateCurlyInString: npm's own way to name a variable.
    const strategy = "install-strategy=${STRATEGY}\n";
    const keys = [
      await keyOf(11, ""),
      await keyOf(12, strategy, { STRATEGY: "nested" }),
      await keyOf(13, strategy, { STRATEGY: "hoisted" }),
      await keyOf(14, "", { NODE_NOTE: "one\ntwo" }),
      await keyOf(15, "", { NODE_NOTE: "one\nthree" }),
      await keyOf(16, "", { HOME: own }, "fund=false\n"),
      await keyOf(17, "", { HOME: own }, "fund=true\n"),
    ];
    assert.equal(new Set(keys).size, keys.length, String(keys));
    assert.equal(await keyOf(18, strategy, { STRATEGY: "nested", OTHER: "x" }), keys[1]);
    assert.equal(await keyOf(19, "", { FLAVOUR: "sweet" }), keys[0]);
  });

  test("come with one run of each script of the project itself", async () => {
    const files = npmFiles("client");
    const scripts = Object.fromEntries(
      ["preinstall", "install", "postinstall", "prepare"].map((name) => [name, `echo ${name} >> own`]),
    );
    const about = JSON.stringify({ ...JSON.parse(files["package.json"] ?? ""), scripts });
    for (const release of [11, 12]) {
      const done = await installed(release, { ...files, "package.json": about, "schema.txt": String(release) });
      assert.deepEqual(done.read("own").trim().split("\n"), Object.keys(scripts), String(release));
      assert.equal(done.read(client), String(release));
    }
  });

  test("come back with a rollback as the release had them", async () => {
    const files = (schema: string) => ({ ...npmFiles("client"), "schema.txt": schema });
    for (const [release, schema] of [
      [11, "one"],
      [12, "two"],
    ] as const) {
      await installed(release, files(schema));
    }
    symlinkSync("releases/12", layout.current);
    const step = (key: string, plan: ReturnType<typeof rollbackPlan>) =>
      runBash({ script: plan.steps.find((each) => each.key === key)?.script ?? "exit 9" }, root);
    const tidied = await step("tidy-up", deploymentPlan({ ...input(12), formerRelease: 11 }));
    assert.equal(tidied.code, 0, tidied.stderr);
    const restored = await step("restore-packages", rollbackPlan({ ...input(13), releaseId: 11 }));
    assert.equal(restored.code, 0, restored.stderr);
    assert.equal(readFileSync(`${layout.releases}/11/${client}`, "utf8"), "one");
  });

  test("without install scripts are only copied, whatever else changed", async () => {
    const first = await installed(11, { ...npmFiles("plain"), "schema.txt": "1" });
    assert.match(first.said, /^npm ci/m);
    const second = await installed(12, { ...npmFiles("plain"), "schema.txt": "2" }, { FLAVOUR: "sweet" });
    assert.match(second.said, /packages installed before are used/);
    assert.doesNotMatch(second.said, /npm (ci|rebuild)/);
    assert.equal(second.key, first.key);
    assert.match(second.read("node_modules/plain/index.js"), /plain/);
  });

  test("are installed again with other settings of the package manager among the variables", async () => {
    await installed(11, npmFiles("plain"));
    const omitted = await installed(12, npmFiles("plain"), { npm_config_legacy_peer_deps: "true" });
    assert.match(omitted.said, /^npm ci/m);
  });

  for (const [name, lock] of [
    ["yarn", { "yarn.lock": "# yarn lockfile v1\n" }],
    ["pnpm", { "pnpm-lock.yaml": "" }],
  ] as const) {
    test(`of ${name} have what their install scripts make`, async () => {
      const manifest = JSON.stringify({ name: "client", scripts: { postinstall: "node x.js" } });
      const stub = {
        name,
        script: `mkdir -p node_modules/client node_modules/.bin; echo "$PWD" > node_modules/.bin/client; echo '${manifest}' > node_modules/client/package.json
          echo "$(cat schema.txt)$FLAVOUR" > node_modules/client/index.js; echo "ran $1"`,
      };
      const make = (release: number, schema: string, variables = {}) =>
        installed(release, { ...lock, "package.json": "{}", "schema.txt": schema }, variables, stub);
      assert.equal((await make(11, "one")).read(client), "one\n");
      assert.equal((await make(12, "two")).read(client), "two\n");
      assert.equal((await make(13, "two", { FLAVOUR: "!" })).read(client), "two!\n");
      const same = await make(14, "two", { FLAVOUR: "!" });
      assert.equal(same.read(client), "two!\n");
      assert.match(same.said, /packages installed before are used/);
      assert.equal(same.said.includes("ran install"), false);
      const files = { ...lock, "package.json": "{}", "schema.txt": "two", "README.md": "new" };
      const other = await installed(15, files, { FLAVOUR: "!" }, stub);
      // pnpm writes the release's path into the programs of packages.
      if (name === "pnpm") assert.equal(other.key, same.key, "what the scripts leave is the same");
      else assert.notEqual(other.key, same.key);
    });
  }

  test("whose scripts fail are installed from nothing", async () => {
    const stub = {
      name: "pnpm",
      script: `[[ $1 != rebuild ]] || exit 7
        mkdir -p node_modules/client; echo '{"scripts":{"install":"x"}}' > node_modules/client/package.json; echo "ran $1"`,
    };
    const files = { "pnpm-lock.yaml": "", "package.json": "{}" };
    await installed(11, files, {}, stub);
    assert.match((await installed(12, files, {}, stub)).said, /ran install/);
  });
});

describe("packages of Composer", () => {
  const lockOf = (name: string) =>
    JSON.stringify(
      { packages: [{ name, type: "composer-plugin", authors: [{ name: "A" }] }], "packages-dev": [] },
      undefined,
      4,
    );
  // Plugins act when a package is written, and not for one that is there.
  const stub = {
    name: "composer",
    script: "[[ -e vendor ]] || { mkdir vendor; cat schema.txt > vendor/made; echo written; }",
  };
  const made = async (release: number, files: Record<string, string>) => {
    if (release === 11) {
      put(`${root}/bin`, { php: "#!/bin/bash\necho 8.2\n" });
      chmodSync(`${root}/bin/php`, 0o755);
    }
    const { said, read } = await installed(release, files, {}, stub, 4);
    return { content: read("vendor/made"), isWritten: /^written$/m.test(said) };
  };
  const files = (lock: string, schema: string, about: object = {}) => ({
    "composer.json": JSON.stringify(about),
    "composer.lock": lock,
    "schema.txt": schema,
  });

  test("are written again for other files where a plugin acts on single ones", async () => {
    for (const schema of ["one", "two"]) {
      const release = schema === "one" ? 11 : 12;
      assert.equal((await made(release, files(lockOf("acme/patches"), schema))).content, schema);
    }
    assert.deepEqual(await made(13, files(lockOf("acme/patches"), "two")), { content: "two", isWritten: false });
    const scripts = { scripts: { "post-package-install": "x" } };
    for (const [release, schema] of [
      [14, "three"],
      [15, "four"],
    ] as const) {
      assert.equal((await made(release, files("{}", schema, scripts))).content, schema);
    }
  });

  test("are used again without one, and with those that act at the end of each installation", async () => {
    for (const [release, lock] of [
      [11, lockOf("symfony/runtime")],
      [13, lockOf("acme/library").replace("composer-plugin", "library")],
    ] as const) {
      await made(release, files(lock, "one"));
      assert.deepEqual(await made(release + 1, files(lock, "two")), { content: "one", isWritten: false });
    }
  });
});
