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
import { loadConfig } from "../../../config.ts";
import { type ProjectLayout, projectLayout } from "../../../host/layout.ts";
import { nodeDirectory } from "../../../host/node/node-runtime.ts";
import type { PhpPackages } from "../../../host/php/php-versions.ts";
import { someIdentity } from "../../../host/project-mark/tests/identity.ts";
import { runBash } from "../../../host/tests/bash.ts";
import { findFramework } from "../../projects/frameworks.ts";
import type { ProjectOnServer } from "../../projects/plans.ts";
import { phpPackagesOf } from "../planning.ts";
import { deploymentPlan } from "../plans.ts";

test("the installation names a mirror of PHP versions, or allows no archive", () => {
  const given = (text: string) => phpPackagesOf({ config: loadConfig({ LONGSHORE_PHP_PACKAGES: text }) });
  assert.deepEqual(given("off"), { isOff: true, fingerprints: [] });
  assert.deepEqual(given("https://mirror.test/"), { base: "https://mirror.test", fingerprints: [] });
  assert.deepEqual(given(""), { base: undefined, fingerprints: [] });
  assert.throws(() => given("none"), /must be a URL that begins with https:\/\/ or http:\/\/, or off/);
});

// The version of PHP that a deployment chooses by composer.json, by the script of its step. Installing from an archive is tested on
// a real server: test/e2e/settings.e2e.test.ts.

describe("a release", { skip: userInfo().uid === 0 ? false : "needs root: locks, and files of another user" }, () => {
  let root: string;
  let layout: ProjectLayout;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "longshore-php-"));
    layout = { ...projectLayout(7, root), user: "root" };
    mkdirSync(layout.environments, { recursive: true });
    mkdirSync(`${root}/node/current/bin`, { recursive: true });
    symlinkSync(process.execPath, `${root}/node/current/bin/node`);
    // A server with PHP 8.2, and the packages of 8.3; the fetching user does not exist on this machine.
    program("setpriv", 'echo "$1" >> "$HOME/judged"; until [[ $1 = -- ]]; do shift; done; shift; exec "$@"');
    program(
      "dpkg-query",
      'case "$*" in *Depends*) echo php8.2-fpm ;; *Version*) echo 8.2.29-1~deb12u1 ;; *php8.3-*) shift 3; printf "%s installed\\n" "$@" ;; *) exit 1 ;; esac',
    );
    program("apt-cache", 'for name; do case $name in php8.[23]-fpm) echo " $name | 1 | archive" ;; esac; done');
    for (const name of ["php-fpm8.2", "php-fpm8.3", "curl", "apt-get"]) program(name, "exit 1");
    program("systemctl", "exit 1");
    spawnSync("git", ["init", "-q", "--bare", layout.mirror]);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function program(name: string, text: string): void {
    mkdirSync(`${root}/bin`, { recursive: true });
    writeFileSync(`${root}/bin/${name}`, `#!/bin/bash\n${text}\n`);
    chmodSync(`${root}/bin/${name}`, 0o755);
  }

  const project = (over: Partial<ProjectOnServer>): ProjectOnServer => {
    const framework = findFramework(4);
    assert.ok(framework);
    return {
      layout,
      identity: someIdentity,
      framework,
      site: {
        layout,
        kind: { family: "php", assets: framework.assets },
        domains: [{ name: "shop.test" }],
        wwwRedirect: 0,
        redirectStatus: 301,
      },
      directory: "",
      commands: { install: "", build: "", dev: "", custom: "" },
      sharedDirectories: [],
      sharedFiles: [],
      hasEnvironment: false,
      zeroDowntime: true,
      ...over,
    };
  };

  /** Commits what the bash script `make` writes; returns the end of the step. */
  async function chosen(make: string, over: Partial<ProjectOnServer> = {}, phpPackages: PhpPackages = {}) {
    const commit = `
      mkdir "$1" && cd "$1" && git init -q && ${make} && git add -A
      git -c user.name=t -c user.email=t@example.com commit -qm x --allow-empty
      git push -qf "$2" HEAD:refs/longshore/releases/12`;
    rmSync(`${root}/commit`, { recursive: true, force: true });
    const made = spawnSync("bash", ["-euc", commit, "x", `${root}/commit`, layout.mirror], { encoding: "utf8" });
    assert.equal(made.status, 0, made.stderr);
    return choose(over, phpPackages);
  }

  /** The same with the commit that is in the mirror. */
  function choose(over: Partial<ProjectOnServer> = {}, phpPackages: PhpPackages = {}) {
    const source = { url: "https://example.com/shop.git", branch: "main", access: "none" } as const;
    const plan = deploymentPlan({ project: project(over), deploymentId: 12, source, phpPackages });
    const script = plan.steps.find(({ key }) => key === "choose-php")?.script ?? "";
    const here = script.replaceAll(nodeDirectory, `${root}/node`).replaceAll("/etc/php/", `${root}/etc/php/`);
    return runBash({ script: here }, root, `${root}/bin`);
  }

  const links = () => `${layout.environments}/12/bin`;
  const usesOwn = async (why: RegExp, ...given: Parameters<typeof chosen>) => {
    const { code, stdout, stderr } = await chosen(...given);
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, why, given[0]);
    assert.match(stdout, /^PHP 8\.2: .*\n$/, given[0]);
    assert.equal(existsSync(links()), false);
  };
  const uses83 = async (why: RegExp, ...given: Parameters<typeof chosen>) => {
    const { code, stdout, stderr } = await chosen(...given);
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, why);
    assert.equal(readlinkSync(`${links()}/php-fpm`), "/usr/sbin/php-fpm8.3");
    rmSync(links(), { recursive: true });
  };
  const composer = (php: string) => `echo '{"require":{"php":"${php}"}}' > composer.json`;

  test("has the version that composer.json asks for, which a user without rights evaluates", async () => {
    await uses83(/^PHP 8\.3: composer\.json asks for \^8\.3, and the server's own is 8\.2\.29\.$/m, composer("^8.3"));
    assert.match(readFileSync(`${root}/judged`, "utf8"), /^(--reuid=project-7-git\n){3}$/);
    await uses83(
      /^PHP 8\.3: config\.platform of composer\.json asks for 8\.3\.1, /m,
      `mkdir -p web/x; echo '{"require":{"php":"^8.1"},"config":{"platform":{"php":"8.3.1"}}}' > web/x/a; ln -s x/a web/composer.json`,
      { directory: "web" },
    );
    await usesOwn(/ it is the server's own, and composer\.json asks for \^8\.1\.$/m, composer("^8.1"));
  });

  test("has a Composer that runs with its version, which Composer's own first line does not name", async () => {
    writeFileSync(`${root}/bin/composer`, "#!/usr/bin/php\n<?php\n");
    chmodSync(`${root}/bin/composer`, 0o755);
    assert.equal((await chosen(composer("^8.3"))).code, 0);
    assert.equal(
      readFileSync(`${links()}/composer`, "utf8"),
      `#!/bin/sh\nexec /usr/bin/php8.3 ${root}/bin/composer "$@"`,
    );
    program("composer", "exit 0");
    rmSync(links(), { recursive: true });
    assert.equal((await chosen(composer("^8.3"))).code, 0);
    assert.equal(existsSync(`${links()}/composer`), false, "a program that PHP cannot run");
  });

  test("has the server's own where nothing asks for another, and where nothing else fits", async () => {
    await usesOwn(/ it is the server's own, and the project asks for none\.$/m, "true");
    assert.equal(readFileSync(`${root}/judged`, "utf8"), "--reuid=project-7-git\n");
    await usesOwn(/ the project asks for none\.$/m, `mkdir web; cd web; ${composer("^8.3")}; cd ..`);
    await usesOwn(/ composer\.json asks for \^7\.4, and this server can have 8\.1, 8\.2, /, composer("^7.4"));
    rmSync(`${root}/node`, { recursive: true });
    await usesOwn(/ composer\.json could not be evaluated\.$/m, composer("^8.3"));
  });

  test("has the version of the setting, whatever composer.json asks for", async () => {
    await uses83(/^PHP 8\.3: the project's PHP version asks for it, /m, composer("^8.4"), {
      phpVersion: "8.3",
    });
    await usesOwn(/ PHP version asks for the server's own\.$/m, composer("^8.3"), { phpVersion: "default" });
  });

  test("has versions of the server's own archives only, if Longshore may add none", async () => {
    const isOff = { isOff: true };
    await uses83(/^PHP 8\.3: composer\.json asks for >=8\.3, /m, composer(">=8.3"), {}, isOff);
    await usesOwn(/ asks for \^8\.4, and this server can have 8\.2, 8\.3\.$/m, composer("^8.4"), {}, isOff);
    const refused = await chosen("true", { phpVersion: "8.4" }, isOff);
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /^PHP 8\.4 is not in the package archives of the server, and Longshore may add none: .*\n$/,
    );
  });

  test("has the server's own whatever hostile files contain", async () => {
    const hits = `${root}/HIT`;
    for (const [make, why] of [
      [
        `printf '{"require":{"php":"^8.3$(printf %%s %s)"}}' '\`touch ${hits}\`' > composer.json`,
        / this server can have /,
      ],
      ["ln -s /etc/passwd composer.json", / the project asks for none/],
      ["ln -s composer.json composer.json", / the project asks for none/],
      ["mkdir composer.json; touch composer.json/x", / the project asks for none/],
      ["head -c 2M /dev/zero > composer.json", / could not be evaluated/],
      ["head -c 1000 /dev/urandom > composer.json", / is not the JSON that it should be/],
      [
        `head -c 900000 /dev/zero | tr '\\0' '[' > composer.json`,
        / is not the JSON that it should be| could not be evaluated/,
      ],
    ] as const) {
      await usesOwn(why, make);
    }
    assert.equal(existsSync(hits), false);
  });

  test("has the server's own where the processes of the fetching user answer anything else", async () => {
    const hits = `${root}/HIT`;
    rmSync(`${root}/node/current/bin/node`);
    for (const answer of [
      "../../../etc\\nbecause",
      "8.3",
      "",
      "8.0\\nbecause",
      "8\\nbecause",
      "8.1 8.3\\nbecause",
      "*\\nbecause",
    ]) {
      writeFileSync(`${root}/node/current/bin/node`, `#!/bin/sh\nprintf '${answer}'\n`);
      chmodSync(`${root}/node/current/bin/node`, 0o755);
      await usesOwn(/ could not be evaluated/, composer("^8.3"));
    }
    program("git", `cat > /dev/null; echo 'blob ${"a".repeat(40)} a[$(touch ${hits})]'`);
    assert.match((await choose()).stdout, / the project asks for none/);
    assert.equal(existsSync(hits), false);
  });
});
