import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { mustRun } from "../sandbox/command.ts";
import { changedFiles } from "./changed-files.ts";
import { allTests, danglingPaths, inOrder, isE2e, standardTests, testsOfChange } from "./tiers.ts";

const root = join(import.meta.dirname, "..");
const all = globSync("{src,sandbox,stage,test,console/test,cli/test}/**/*.test.ts", { cwd: root }).sort();

describe("the tiers of tests", () => {
  it("name only files that exist", () => assert.deepEqual(danglingPaths(all), []));

  it("are each contained in the next one", () => {
    const everything = new Set(allTests(all));
    const standard = standardTests(all);
    assert.ok(standard.every((file) => everything.has(file)));
    assert.ok(standard.some(isE2e) && standard.length < everything.size);
  });
});

describe("the tests of a change", () => {
  const testsOf = (...changed: string[]) => testsOfChange(changed, all);

  it("are those of the changed folder", () => {
    const tests = testsOf("src/lib/mask.ts");
    assert.ok(tests.includes("src/lib/tests/mask.test.ts"));
    assert.ok(tests.every((file) => file.startsWith("src/lib/tests/")));
  });

  it("are those of the nearest folder above when the changed one has none", () => {
    assert.ok(
      testsOf("src/features/deployments/steps/served.ts").includes("src/features/deployments/tests/plans.test.ts"),
    );
  });

  it("are those on real servers that need what changed", () => {
    assert.ok(testsOf("src/features/certificates/jobs.ts").includes("test/e2e/certificates.e2e.test.ts"));
    assert.ok(testsOf("src/host/nginx/site.ts").includes("test/e2e/balancer.e2e.test.ts"));
  });

  it("are a changed test itself, and none for prose", () => {
    const file = "test/e2e/move.e2e.test.ts";
    assert.deepEqual(testsOf(file), [file]);
    assert.deepEqual(testsOf("README.md"), []);
  });

  it("are all of the console, wherever it changed", () => {
    assert.ok(testsOf("console/src/ui/button.tsx").includes("console/test/stories.test.ts"));
    assert.deepEqual(testsOf("console/test/stories.test.ts"), ["console/test/stories.test.ts"]);
  });

  it("are no real applications but the choice, and those that a path names", () => {
    const [chosen, nuxt] = ["chosen", "nuxt"].map((name) => `test/e2e/applications/${name}.e2e.test.ts`);
    assert.deepEqual(testsOf(chosen as string, nuxt as string), [chosen]);
    assert.ok(testsOf("src/host/php/new.ts").includes("test/e2e/applications/laravel.e2e.test.ts"));
  });

  it("take in each feature and each kernel", () => {
    const folders = globSync("src/{*,features/*}/", { cwd: root }).filter((folder) =>
      all.some((file) => file.startsWith(`${folder}/`)),
    );
    for (const folder of folders) assert.notDeepEqual(testsOf(`${folder}/new.ts`), [], folder);
  });
});

describe("the order of tests", () => {
  const [move, databases, kill] = ["move", "databases", "kill"].map((name) => `test/e2e/${name}.e2e.test.ts`);
  const files = ["src/lib/tests/mask.test.ts", kill, move, databases] as string[];

  it("has the longest first", () => {
    assert.deepEqual(inOrder(files), [move, databases, kill, "src/lib/tests/mask.test.ts"]);
  });

  it("has what must run first, and then the longest last, where time is limited", () => {
    const order = inOrder(files, new Set([kill as string, "src/lib/tests/mask.test.ts"]));
    assert.deepEqual(order, [kill, "src/lib/tests/mask.test.ts", databases, move]);
  });
});

describe("the changed files", () => {
  it("are those of commits, of the working tree and new ones, since the branch left main", async () => {
    const directory = await mkdtemp(join(tmpdir(), "longshore-changed-"));
    const git = (...args: string[]) =>
      mustRun(["git", "-C", directory, "-c", "user.name=A", "-c", "user.email=a@b.c", ...args]);
    const commit = async (file: string) => {
      await writeFile(join(directory, file), file);
      await git("add", ".");
      await git("commit", "-qm", file);
    };
    try {
      await git("init", "-q", "-b", "main");
      await commit("old.ts");
      await git("update-ref", "refs/remotes/origin/main", "HEAD");
      await commit("committed.ts");
      await writeFile(join(directory, "old.ts"), "changed");
      await writeFile(join(directory, "new, with blanks.ts"), "");
      const { files } = await changedFiles(directory);
      assert.deepEqual(files, ["committed.ts", "old.ts", "new, with blanks.ts"]);
      await assert.rejects(changedFiles(directory, "--output=x"));
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
