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
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { renderExports } from "../../../host/environment/environment.ts";
import { type ProjectLayout, projectLayout } from "../../../host/layout.ts";
import { someIdentity } from "../../../host/project-mark/tests/identity.ts";
import { runBash } from "../../../host/tests/bash.ts";
import { findFramework } from "../../projects/frameworks.ts";
import { deploymentPlan } from "../plans.ts";
import { defaultManagers, pnpmVersions } from "../steps/managers.ts";

let root: string;
let layout: ProjectLayout;
let release: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "longshore-managers-"));
  layout = projectLayout(7, root);
  release = `${layout.releases}/12`;
  for (const path of [`${release}/.longshore`, layout.cache, layout.home, `${root}/bin`, `${root}/registry`])
    mkdirSync(path, { recursive: true });
  program("npm", npmOfRegistry);
  // npm's own semver, as on a server.
  const npm = spawnSync("bash", ["-c", 'realpath "$(command -v npm)"'], { encoding: "utf8" }).stdout.trim();
  mkdirSync(`${root}/node_modules`);
  symlinkSync(join(dirname(dirname(npm)), "node_modules/semver"), `${root}/node_modules/semver`);
});
afterEach(() => rmSync(root, { recursive: true }));

function program(name: string, script: string) {
  writeFileSync(`${root}/bin/${name}`, script);
  chmodSync(`${root}/bin/${name}`, 0o755);
}

// Packs the files that `registry` has under PACKAGE@VERSION, with slashes as underscores, and counts.
const npmOfRegistry = `#!/bin/bash
if [[ $1 = view ]]; then cat "$ROOT/versions"; exit; fi
[[ $1 = pack ]] || { echo "npm $*" >> "$ROOT/calls"; exit; }
wanted=\${@: -1}
echo "$wanted" >> "$ROOT/fetched"
from=$ROOT/registry/\${wanted//\\//_}
[[ -d $from ]] || { echo "npm error 404 $wanted" >&2; exit 1; }
tar -czf package.tgz -C "$from" package
`;

// A manager that prints its version and arguments, in the language of the real one.
const yarnOf = (version: string) =>
  `#!/usr/bin/env node\nrequire("fs").appendFileSync(process.env.ROOT + "/calls", "yarn ${version} " + process.argv.slice(2).join(" ") + "\\n");\n`;

function publish(name: string, file: string, content: string) {
  const path = `${root}/registry/${name.replaceAll("/", "_")}/package/${file}`;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function put(files: Record<string, string>) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(release, path)), { recursive: true });
    writeFileSync(join(release, path), content);
  }
}

async function carryOut(key: string, frameworkId = 8, commands: { dev?: string } = {}) {
  const framework = findFramework(frameworkId);
  assert.ok(framework);
  const { install, build, dev } = framework.defaults;
  const plan = deploymentPlan({
    project: {
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
      commands: { install, build, dev, custom: "", ...commands },
      sharedDirectories: [],
      sharedFiles: [],
      keeps: framework.keeps,
      hasEnvironment: existsSync(`${layout.environments}/12`),
      zeroDowntime: true,
    },
    deploymentId: 12,
    source: { url: "https://example.com/shop.git", branch: "main", access: "none" },
  });
  const step = plan.steps.find((each) => each.key === key);
  assert.ok(step, key);
  const own = `PATH=${release}/.longshore/bin:`;
  const path = `${own}${root}/bin:${dirname(process.execPath)}:`;
  return runBash({ script: `export ROOT=${root} ${path}$PATH\n${step.script.replace(own, path)}` }, root);
}

const recorded = (name: string): string[] =>
  existsSync(`${root}/${name}`) ? readFileSync(`${root}/${name}`, "utf8").trimEnd().split("\n") : [];

const berry = { "yarn.lock": "__metadata:\n  version: 8\n" };

describe("Yarn from 2 on", () => {
  test("is fetched once in the version that package.json names, and runs the installation", async () => {
    publish("@yarnpkg/cli-dist@4.9.1", "bin/yarn.js", yarnOf("4.9.1"));
    put({ ...berry, "package.json": '{"type":"module","packageManager":"yarn@4.9.1"}' });
    const first = await carryOut("install");
    assert.equal(first.code, 0, first.stderr);
    assert.match(
      first.stdout,
      /Fetched yarn 4\.9\.1\.\nThe package manager is yarn 4\.9\.1, as packageManager of package\.json names it\.\n/,
    );
    const second = await carryOut("install");
    assert.equal(second.code, 0, second.stderr);
    assert.deepEqual(recorded("fetched"), ["@yarnpkg/cli-dist@4.9.1"]);
    assert.deepEqual(recorded("calls"), ["yarn 4.9.1 install --immutable", "yarn 4.9.1 install --immutable"]);
    const kept = `${layout.home}/package-managers/_yarnpkg_cli-dist-4.9.1/bin/yarn.js`;
    assert.equal(
      statSync(`${release}/.longshore/bin/yarn`).ino,
      statSync(kept).ino,
      "a link, which outlives the other",
    );
  });

  test("is fetched with the variables that npm's settings name, and with no others", async () => {
    publish("@yarnpkg/cli-dist@4.9.1", "bin/yarn.js", yarnOf("4.9.1"));
    const tells = 'if [[ $1 = pack ]]; then printenv NPM_TOKEN NPM_CONFIG_REGISTRY OTHER >> "$ROOT/seen"; fi';
    program("npm", npmOfRegistry.replace("\n", `\n${tells}\n`));
    mkdirSync(`${layout.environments}/12`, { recursive: true });
    const variables = {
      NPM_TOKEN: "it's a token",
      NPM_CONFIG_REGISTRY: "https://npm.example.com",
      OTHER: "not for it",
    };
    const exported = Object.entries(variables).map(([name, value]) => ({ name, value }));
    writeFileSync(`${layout.environments}/12/environment-exports`, renderExports(exported));
    put({
      ...berry,
      "package.json": '{"packageManager":"yarn@4.9.1"}',
      // With more and longer names than any settings have.
      ".npmrc": [
        // biome-ignore lint/suspicious/noTemplateCurlyInString: npm's own way to name a variable.
        "//npm.example.com/:_authToken=${NPM_TOKEN}",
        ...Array.from({ length: 20_000 }, (_, at) => `z${at}=\${Z_${at}}`),
        `zz=\${Z${"Z".repeat(200_000)}}`,
        "",
      ].join("\n"),
    });
    const done = await carryOut("install");
    assert.equal(done.code, 0, done.stderr);
    assert.deepEqual(recorded("seen"), ["it's a token", "https://npm.example.com"]);
  });

  test("is compared with the checksum that package.json names", async () => {
    publish("@yarnpkg/cli-dist@4.9.1", "bin/yarn.js", yarnOf("4.9.1"));
    for (const algorithm of ["sha224", "sha512"]) {
      const right = createHash(algorithm).update(yarnOf("4.9.1")).digest("hex");
      const named = (sum: string) => JSON.stringify({ packageManager: `yarn@4.9.1+${algorithm}.${sum}` });
      put({ ...berry, "package.json": named(right) });
      assert.equal((await carryOut("install")).code, 0);
      put({ "package.json": named(right.replace(/.$/, (last) => (last === "0" ? "1" : "0"))) });
      const wrong = await carryOut("install");
      assert.equal(wrong.code, 1);
      assert.match(
        wrong.stderr,
        /Yarn 4\.9\.1 .* is not what packageManager of package\.json says \(sha\d+\), and was not used\.\n$/,
      );
    }
    assert.equal(recorded("calls").length, 2);
  });

  test("has a version of Longshore's where none is named, whose archive is compared", async () => {
    publish(`@yarnpkg/cli-dist@${defaultManagers.yarn}`, "bin/yarn.js", yarnOf("forged"));
    put({ ...berry, "package.json": "{}" });
    const done = await carryOut("install");
    assert.match(done.stderr, /@yarnpkg\/cli-dist .* is not what its checksum says, and was not used\.\n$/);
    assert.deepEqual(recorded("calls"), []);
    assert.ok(!existsSync(`${release}/.longshore/bin/yarn`));
  });

  test("is the committed one where there is one, and Yarn 1 is the server's", async () => {
    program("yarn", '#!/bin/bash\necho "server $*" >> "$ROOT/calls"\n');
    put({ ...berry, ".yarnrc.yml": 'yarnPath: ".yarn/yarn.cjs"\n', ".yarn/yarn.cjs": "", "package.json": "{}" });
    assert.match((await carryOut("install")).stdout, /which the repository has as \.yarn\/yarn\.cjs/);
    rmSync(`${release}/.yarnrc.yml`);
    put({ "yarn.lock": "# yarn lockfile v1\n" });
    assert.match((await carryOut("install")).stdout, /The package manager is yarn, because of yarn\.lock\./);
    assert.deepEqual(recorded("calls"), [
      "server install --immutable",
      "server install --frozen-lockfile --production=false",
    ]);
    assert.deepEqual(recorded("fetched"), []);
  });

  test("that cannot be had is a sentence", async () => {
    for (const [named, sentence] of [
      [
        "yarn@9.9.9",
        /404[\s\S]*yarn 9\.9\.9 could not be fetched from the registry that npm uses: its own words are above\.\n$/,
      ],
      ["yarn@$(touch HIT)", /names the package manager yarn@\$\(touch HIT\), which is no version/],
      ["yarn@https://example.com/y.js", /which is no version that can be fetched/],
    ] as const) {
      put({ ...berry, "package.json": JSON.stringify({ packageManager: named }) });
      const done = await carryOut("install");
      assert.equal(done.code, 1);
      assert.match(done.stderr, sentence);
    }
    assert.deepEqual(readdirSync(`${layout.home}/package-managers`), []);
  });
});

describe("pnpm", () => {
  const pnpmOf = (version: string) =>
    `#!/usr/bin/env node\nrequire("fs").appendFileSync(process.env.ROOT + "/calls", "pnpm ${version} " + require("./rest.cjs") + process.argv.slice(2).join(" ") + "\\n");\n`;
  const publishPnpm = (version: string, program = "bin/pnpm.cjs") => {
    publish(`pnpm@${version}`, program, pnpmOf(version));
    publish(`pnpm@${version}`, "bin/rest.cjs", 'module.exports = "";\n');
    publish(`pnpm@${version}`, "package.json", JSON.stringify({ name: "pnpm", version, bin: { pnpm: program } }));
  };
  const lock = (format: string) => ({ "pnpm-lock.yaml": `lockfileVersion: ${format}\n\nsettings:\n  x: true\n` });
  const versions = (...all: string[]) => writeFileSync(`${root}/versions`, JSON.stringify(all, undefined, 2));
  const said = async (files: Record<string, string>) => {
    put({ "package.json": "{}", ...files });
    const done = await carryOut("install");
    return { ...done, line: /^The package manager is .*$/m.exec(done.stdout)?.[0] };
  };
  // The server's own, as it is installed beside npm.
  beforeEach(() => {
    mkdirSync(`${root}/lib/bin`, { recursive: true });
    writeFileSync(`${root}/lib/package.json`, '{"name":"pnpm","version":"10.34.9"}');
    writeFileSync(`${root}/lib/bin/pnpm`, '#!/bin/bash\necho "pnpm server $*" >> "$ROOT/calls"\n');
    chmodSync(`${root}/lib/bin/pnpm`, 0o755);
    symlinkSync(`${root}/lib/bin/pnpm`, `${root}/bin/pnpm`);
  });

  test("is the server's own for a lock file that it reads, and for one that says nothing", async () => {
    for (const files of [
      lock("'9.0'"),
      lock("9.0"),
      { "pnpm-lock.yaml": "" },
      { "pnpm-lock.yaml": "<<<<<<< HEAD\n" },
    ]) {
      assert.match(
        (await said(files)).line ?? "",
        /^The package manager is pnpm 10\.34\.9, because of pnpm-lock\.yaml\.$/,
      );
    }
    const engines = { ...lock("'9.0'"), "package.json": '{"engines":{"pnpm":">=9 <11 || 12"}}' };
    assert.match(
      (await said(engines)).line ?? "",
      /pnpm 10\.34\.9, as engines of package\.json asks for >=9 <11 \|\| 12\.$/,
    );
    assert.deepEqual(recorded("fetched"), []);
    assert.ok(recorded("calls").every((line) => line === "pnpm server install --frozen-lockfile --prod=false"));
  });

  test("is one of the lock file's time, compared with its checksum", async () => {
    for (const [format, version] of [
      ["5.4", "7.33.7"],
      ["'6.0'", "8.15.9"],
      ["'6.1'", "8.15.9"],
    ] as const) {
      publishPnpm(version);
      const forged = await said(lock(format));
      assert.match(forged.stderr, new RegExp(`pnpm ${version} .* is not what its checksum says`));
      assert.equal(recorded("fetched").at(-1), `pnpm@${version}`);
    }
    assert.deepEqual(pnpmVersions.toSorted(), ["7.33.7", "8.15.9", "9.15.9"]);
  });

  test("is what package.json asks for, the newest of the oldest major version that fits", async () => {
    versions("8.6.0", "8.6.12", "9.1.0", "11.0.0-rc.1", "11.0.0", "11.4.2", "12.1.0");
    for (const [format, about, version, reason] of [
      ["'6.0'", { engines: { pnpm: "~8.6" } }, "8.6.12", "as engines of package.json asks for ~8.6"],
      ["'9.0'", { engines: { pnpm: ">=11" } }, "11.4.2", "as engines of package.json asks for >=11"],
      [
        "'9.0'",
        { engines: { pnpm: "10" }, devEngines: { packageManager: { name: "pnpm", version: "^12" } } },
        "12.1.0",
        "as devEngines of package.json asks for ^12",
      ],
      [
        "'6.0'",
        { packageManager: "pnpm@9.1.0", engines: { pnpm: "8" } },
        "9.1.0",
        "as packageManager of package.json names it",
      ],
    ] as const) {
      publishPnpm(version);
      const done = await said({ ...lock(format), "package.json": JSON.stringify(about) });
      assert.equal(done.code, 0, done.stderr);
      assert.equal(done.line, `The package manager is pnpm ${version}, ${reason}.`);
      assert.equal(recorded("calls").at(-1), `pnpm ${version} install --frozen-lockfile --prod=false`);
    }
    rmSync(layout.home, { recursive: true });
    assert.equal(
      spawnSync(`${release}/.longshore/bin/pnpm`, ["start"], { env: { ...process.env, ROOT: root } }).status,
      0,
    );
    assert.equal(recorded("calls").at(-1), "pnpm 9.1.0 start", "it outlives the other");
  });

  test("is compared with the checksum of packageManager", async () => {
    publishPnpm("9.1.0");
    for (const sum of ["0".repeat(128), "f".repeat(128)]) {
      const about = JSON.stringify({ packageManager: `pnpm@9.1.0+sha512.${sum}` });
      const done = await said({ ...lock("'9.0'"), "package.json": about });
      assert.equal(done.code, 1);
      assert.match(
        done.stderr,
        /pnpm 9\.1\.0 .* is not what packageManager of package\.json says \(sha512\), and was not used\.\n$/,
      );
    }
  });

  test("that nothing fits is a sentence with what to do", async () => {
    versions("8.15.9", "9.15.9", "10.1.0");
    for (const [format, about, sentence] of [
      [
        "'6.0'",
        { engines: { pnpm: ">=9" } },
        /lockfileVersion 6\.0, which is of pnpm 8, and engines of package\.json asks for >=9\. Renew/,
      ],
      ["'9.0'", { engines: { pnpm: "99" } }, /of pnpm 9 and later, and engines .* asks for 99\. Renew/],
      [
        "'9.0'",
        { engines: { pnpm: "latest one" } },
        /asks for pnpm latest one, which is no range of versions\. Correct it/,
      ],
      ["'77.0'", {}, /lockfileVersion 77\.0, which belongs to no known pnpm\. Name the pnpm/],
    ] as const) {
      const done = await said({ ...lock(format), "package.json": JSON.stringify(about) });
      assert.equal(done.code, 1, done.stdout);
      assert.match(done.stderr.trim().split("\n").at(-1) ?? "", sentence);
    }
    rmSync(`${root}/versions`);
    const away = await said({ ...lock("'9.0'"), "package.json": '{"engines":{"pnpm":"99"}}' });
    assert.match(away.stderr, /The versions of pnpm could not be listed from the registry.*\n$/);
  });
});

describe("Bun", () => {
  const bunOf = '#!/bin/bash\necho "bun $*" >> "$ROOT/calls"\n[[ $1 != install ]] || { mkdir -p node_modules/a; }\n';
  const everyBun = (version: string) => {
    for (const name of ["x64", "x64-baseline", "aarch64"])
      publish(`@oven/bun-linux-${name}@${version}`, "bin/bun", bunOf);
  };

  test("installs by its own lock file, runs scripts, and other versions do not get each other's packages", async () => {
    everyBun("1.2.3");
    everyBun("1.2.4");
    put({ "bun.lock": "{}", "package.json": '{"scripts":{"build":"x"}}', ".bun-version": "1.2.3\n" });
    const done = await carryOut("install");
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, /The package manager is bun 1\.2\.3, as \.bun-version names it\./);
    assert.match((await carryOut("install")).stdout, /bun\.lock has not changed/);
    put({ ".bun-version": "1.2.4\n" });
    const other = await carryOut("install");
    assert.doesNotMatch(other.stdout, /has not changed/);
    assert.equal((await carryOut("build")).code, 0);
    assert.deepEqual(recorded("calls"), [
      "bun install --frozen-lockfile",
      "bun install --frozen-lockfile",
      "bun run build",
    ]);
    assert.ok(existsSync(`${release}/.longshore/bin/bunx`));
  });

  test("gives way to the lock file of another manager", async () => {
    put({ "bun.lock": "{}", "package-lock.json": "{}", "package.json": "{}" });
    assert.match((await carryOut("install")).stdout, /The package manager is npm, because of package-lock\.json\./);
  });
});

describe("the default start command", () => {
  const npmLock = { "package-lock.json": "{}" };
  const scripts = (all: Record<string, string>) => ({ "package.json": JSON.stringify({ scripts: all }) });
  const cases: [string, number, Record<string, string>, string | undefined][] = [
    ["a start script", 8, { ...npmLock, ...scripts({ start: "node a.js" }), "build/index.js": "" }, undefined],
    [
      "TanStack Start",
      8,
      { ...npmLock, ...scripts({ build: "x" }), ".output/server/index.mjs": "" },
      "node .output/server/index.mjs",
    ],
    [
      "Angular with SSR",
      8,
      { ...npmLock, ...scripts({ start: "ng serve" }), "dist/shop/server/server.mjs": "" },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: shell, not a template
      'NG_ALLOWED_HOSTS="${NG_ALLOWED_HOSTS-*,shop.test}" node dist/shop/server/server.mjs',
    ],
    ["Angular without", 8, { ...npmLock, ...scripts({ start: "ng serve" }) }, undefined],
    [
      "NestJS with pnpm",
      8,
      { "pnpm-lock.yaml": "", ...scripts({ start: "nest start", "start:prod": "node dist/main" }) },
      "pnpm run start:prod",
    ],
    [
      "Next.js as a server of its own",
      5,
      {
        ...npmLock,
        ...scripts({ start: "next start" }),
        ".next/standalone/server.js": "",
        "public/a.txt": "a",
        ".next/static/b": "",
      },
      'HOSTNAME="$HOST" node .next/standalone/server.js',
    ],
    ["Next.js", 5, { ...npmLock, ...scripts({ start: "next start" }) }, undefined],
    ["Plug'n'Play", 8, { ...berry, ".pnp.cjs": "", ...scripts({ start: "node server.js" }) }, "yarn start"],
    ["Bun", 8, { "bun.lock": "{}", ...scripts({ start: "bun index.ts" }) }, "bun run start"],
    ["Bun without a script", 8, { "bun.lock": "{}", "package.json": "{}", "index.ts": "" }, "bun index.ts"],
    ["no package.json", 8, { "server.js": "" }, undefined],
  ];
  for (const [name, framework, files, command] of cases) {
    test(`of ${name} is ${command ?? "npm start"}`, async () => {
      put(files);
      const done = await carryOut("choose-start-command", framework);
      assert.equal(done.code, 0, done.stderr);
      const file = `${release}/.longshore/command`;
      assert.equal(existsSync(file) ? readFileSync(file, "utf8") : undefined, command && `${command}\n`);
      if (command) assert.ok(done.stdout.startsWith(`The start command is ${command}: `), done.stdout);
      if (name.includes("server of its own")) assert.ok(existsSync(`${release}/.next/standalone/public/a.txt`));
    });
  }

  test("is left alone where the project has one", async () => {
    await assert.rejects(carryOut("choose-start-command", 8, { dev: "node a.js" }));
    await assert.rejects(carryOut("choose-start-command", 6));
  });
});
