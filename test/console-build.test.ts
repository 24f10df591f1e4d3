import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { mustRun, runCommand } from "../sandbox/command.ts";
import { suffixes } from "../src/http/console-build.ts";
import { pollUntil } from "../src/lib/clock.ts";
import { digestOfSources, findRecord, installPackages, placesIn, styleHashesIn } from "../tools/console-build.ts";

const repository = join(import.meta.dirname, "..");

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "longshore-console-build-"));
});
afterEach(() => rm(root, { recursive: true }));

async function put(files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

test("a build is needed for what goes into it alone", async () => {
  await put({
    "package.json": '{"version": "1.0.0"}',
    "console/package-lock.json": "{}",
    "console/src/ui/button.tsx": "1",
    "contract/types.ts": "1",
  });
  const before = digestOfSources(root);
  await put({
    "console/test/walk.test.ts": "1",
    "console/stories/button.tsx": "1",
    "console/node_modules/react/index.js": "1",
    "console/dist/index.html": "1",
    "src/main.ts": "1",
  });
  assert.equal(digestOfSources(root), before);
  const digests = [before];
  for (const change of [
    { "console/src/ui/button.tsx": "2" },
    { "console/src/ui/menu.tsx": "" },
    { "console/package-lock.json": "{ }" },
    { "contract/types.ts": "2" },
    { "package.json": '{"version": "1.0.1"}' },
  ] as Record<string, string>[]) {
    await put(change);
    digests.push(digestOfSources(root));
  }
  assert.equal(new Set(digests).size, digests.length);
});

describe("packages", () => {
  const lock = (version: string): string =>
    JSON.stringify({
      name: "console",
      version,
      lockfileVersion: 3,
      requires: true,
      packages: { "": { name: "console", version } },
    });
  const putPackage = (version: string) =>
    put({
      "console/package.json": JSON.stringify({ name: "console", version }),
      "console/package-lock.json": lock(version),
    });
  const install = async (): Promise<boolean> => {
    let hasInstalled = false;
    await installPackages(placesIn(root), () => {
      hasInstalled = true;
    });
    return hasInstalled;
  };

  test("are installed once for a lock file, and never run scripts", async () => {
    await putPackage("1.0.0");
    await put({
      "console/package.json": JSON.stringify({
        name: "console",
        version: "1.0.0",
        scripts: { postinstall: "touch ran" },
      }),
      "console/node_modules/stale/index.js": "",
    });
    assert.deepEqual([await install(), await install()], [true, false]);
    assert.ok(!existsSync(join(root, "console/ran")));
    assert.ok(!existsSync(join(root, "console/node_modules/stale")));
    await putPackage("1.0.1");
    assert.deepEqual([await install(), await install()], [true, false]);
  });

  test("that were installed by hand stay", async () => {
    await putPackage("1.0.0");
    await put({ "console/node_modules/.package-lock.json": "{}" });
    const later = new Date(Date.now() + 10_000);
    await utimes(join(root, "console/node_modules/.package-lock.json"), later, later);
    assert.equal(await install(), false);
  });

  test("that cannot be installed are reported each time", async () => {
    await putPackage("1.0.0");
    await put({ "console/package-lock.json": "not a lock file" });
    await assert.rejects(install, /npm ci/);
    await assert.rejects(install, /npm ci/);
  });
});

describe("the launcher", () => {
  const launcher = () => join(root, "longshore");
  const up = async (args: string[] = [], env: Record<string, string> = {}) => {
    const path = `${dirname(process.execPath)}:${process.env.PATH}`;
    return runCommand([launcher(), "up", ...args], { env: { PATH: path, ...env } });
  };

  /** A checkout whose programs print that they run; the build of its console succeeds, or not. */
  async function putCheckout({ isBuilt = true } = {}): Promise<void> {
    const entry = (name: string, status: number) =>
      `process.stderr.write(["${name}", ...process.argv.slice(2), ""].join("|")); process.exitCode = ${status};\n`;
    await put({
      "package.json": '{"type": "module"}',
      "package-lock.json": "{}",
      "node_modules/.longshore-installed": (await mustRun(["git", "hash-object", "--stdin"], { input: "{}" })).trim(),
      "console/package-lock.json": "{}",
      "console/src/main.tsx": "",
      "tools/console.ts": entry("console", isBuilt ? 0 : 1),
      "src/main.ts": entry("main", 0),
    });
    await cp(join(repository, "longshore"), launcher());
  }

  test("has the console built before it starts the service", async () => {
    await putCheckout();
    const { exitCode, stderr } = await up(["--port", "0"]);
    assert.deepEqual([exitCode, stderr], [0, "console|build|--quiet|main|up|--port|0|"]);
  });

  test("starts the service without the console if that cannot be built, and reports it in a sentence", async () => {
    await putCheckout({ isBuilt: false });
    const { exitCode, stderr } = await up();
    assert.equal(exitCode, 0);
    assert.match(stderr, /^console\|build\|--quiet\|The web console could not be built[^\n]*\nmain\|up\|$/);
  });

  test("has it built again only after something has changed that it is made from", async () => {
    await putCheckout();
    await put({ "contract/types.ts": "1", "tools/console-build.ts": "", "console/dist/build.json": "{}" });
    const record = join(root, "console/dist/build.json");
    const comparedNow = async () => {
      const now = new Date();
      await utimes(record, now, now);
      // Times of files are those of the last tick of a clock, some milliseconds ago.
      const hasTicked = async () => {
        await put({ tick: "" });
        return (await stat(join(root, "tick"))).ctimeMs > now.getTime() + 1;
      };
      assert.ok(await pollUntil(hasTicked, { timeoutMs: 5_000 }));
    };
    await comparedNow();
    assert.equal((await up()).stderr, "main|up|");
    await put({ "console/dist/index.html": "1", "src/other.ts": "1" });
    assert.equal((await up()).stderr, "main|up|");
    const changes: (() => Promise<unknown>)[] = [
      () => put({ "console/src/main.tsx": "2" }),
      () => put({ "contract/types.ts": "2" }),
      () => put({ "package.json": '{"type": "module", "version": "2.0.0"}' }),
      // As an archive is unpacked.
      () => put({ "console/src/main.tsx": "3" }).then(() => utimes(join(root, "console/src/main.tsx"), 1, 1)),
      () => rm(join(root, "console/src/main.tsx")),
    ];
    for (const change of changes) {
      await comparedNow();
      await change();
      assert.match((await up()).stderr, /^console\|build\|--quiet\|main/, String(change));
    }
  });

  test("builds no console that will not be served, nor one that comes with a release", async () => {
    await putCheckout();
    for (const args of [["--help"], ["--role", "worker"], ["--role=worker"]]) {
      assert.doesNotMatch((await up(args)).stderr, /console/, String(args));
    }
    assert.equal((await up([], { LONGSHORE_ROLE: "worker" })).stderr, "main|up|");
    assert.equal((await up([], { LONGSHORE_CONSOLE: "off" })).stderr, "main|up|");
    await rm(join(root, "console/src"), { recursive: true });
    assert.equal((await up()).stderr, "main|up|");
    assert.match((await runCommand([launcher(), "console", "build"])).stderr, /comes built with a release/);
  });
});

describe("the build of this repository", () => {
  const { console: source, dist, modules } = placesIn(repository);
  const build = async (): Promise<{ is_new: boolean; directory: string }> =>
    JSON.parse(await mustRun([join(repository, "longshore"), "console", "build", "--json"]));

  test("has all files that its page names, and is made once", async () => {
    assert.equal((await build()).directory, dist);
    assert.equal((await build()).is_new, false);
    const record = await findRecord(dist);
    const page = await readFile(join(dist, "index.html"), "utf8");
    const named = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, path = ""]) => path);
    assert.ok(named.some((path) => path.endsWith(".js")) && named.some((path) => path.endsWith(".css")));
    for (const path of named) assert.ok(record?.files[path], path);
    for (const [path, { encodings }] of Object.entries(record?.files ?? {})) {
      for (const encoding of [...encodings, "identity"] as const) {
        assert.ok(existsSync(join(dist, path + suffixes[encoding])), path + suffixes[encoding]);
      }
    }
    assert.doesNotMatch(page, /<style|<script>| style=/, "The policy of the page allows none.");
  });

  test("finds the styles that react-aria adds to the page", async () => {
    await build();
    const styles = [
      "@layer {\n  [data-react-aria-pressable] {\n    touch-action: pan-x pan-y pinch-zoom;\n  }\n}",
      "@layer {\n  * {\n    overscroll-behavior: contain;\n  }\n}",
    ];
    const expected = styles.map((style) => `sha256-${createHash("sha256").update(style).digest("base64")}`);
    assert.deepEqual(await styleHashesIn(modules), expected);
    assert.deepEqual((await findRecord(dist))?.styleHashes, expected);
    for (const part of ["interactions/usePress.mjs", "overlays/usePreventScroll.mjs"]) {
      const file = join(root, "react-aria/dist/private", part);
      await mkdir(dirname(file), { recursive: true });
      await cp(join(source, "package.json"), file);
    }
    await assert.rejects(styleHashesIn(root), /style element of react-aria was not found/);
  });
});
