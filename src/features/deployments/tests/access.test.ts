import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { type ProjectLayout, projectLayout } from "../../../host/layout.ts";
import { serversNode } from "../../../host/node/evaluate.ts";
import { someIdentity } from "../../../host/project-mark/tests/identity.ts";
import { runBash } from "../../../host/tests/bash.ts";
import { findFramework } from "../../projects/frameworks.ts";
import { deploymentPlan } from "../plans.ts";

// The step that chooses the directory to serve also reads the .htaccess files below it, as the project's user.

let root: string;
let layout: ProjectLayout;
const release = () => `${layout.releases}/12`;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "longshore-access-"));
  layout = projectLayout(7, root);
});
afterEach(() => rmSync(root, { recursive: true }));

function put(files: Record<string, string>): void {
  for (const [path, text] of Object.entries({ ".longshore/x": "", ...files })) {
    mkdirSync(dirname(`${release()}/${path}`), { recursive: true });
    writeFileSync(`${release()}/${path}`, text);
  }
}

function choose(frameworkId: 4 | 10, node = process.execPath) {
  const framework = findFramework(frameworkId);
  assert.ok(framework);
  const plan = deploymentPlan({
    project: {
      layout,
      identity: someIdentity,
      framework,
      site: {
        layout,
        kind: frameworkId === 4 ? { family: "php" } : { family: "static", spa: false },
        domains: [{ name: "shop.test" }],
        wwwRedirect: 0,
        redirectStatus: 301,
      },
      directory: "",
      commands: { install: "", build: "true", dev: "", custom: "" },
      sharedDirectories: [],
      sharedFiles: [],
      hasEnvironment: false,
      zeroDowntime: true,
    },
    deploymentId: 12,
    source: { url: "https://example.com/shop.git", branch: "main", access: "none" },
  });
  const step = plan.steps.find(({ key }) => key === "choose-public-directory");
  assert.ok(step?.sandbox, "it runs without root's rights");
  return runBash({ script: step.script.replaceAll(serversNode, node) }, root);
}

const entries = (): string[] =>
  readdirSync(`${release()}/.longshore/access`, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(`${release()}/.longshore/access`.length))
    .sort();

describe("a deployment", () => {
  test("leaves in the release what its files deny, and replaces what was there", async () => {
    put({
      "index.php": "",
      "data/.htaccess": "Require all denied",
      'it\'s "a" b/.htaccess': "Deny from all",
      "$(touch HIT)/.htaccess": "Deny from all",
      "läden/x.ini": "",
      ".htaccess": '<Files "x.ini">\nDeny from all\n</Files>',
      ".longshore/access/old/.denied": "",
    });
    const done = await choose(4);
    assert.equal(done.code, 0, done.stderr);
    assert.deepEqual(entries(), [
      "/$(touch HIT)/.denied",
      "/data/.denied",
      '/it\'s "a" b/.denied',
      "/läden/x.ini/.denied",
    ]);
    assert.match(done.stdout, /^Denied by \.htaccess files: .*\/data/m);
    assert.doesNotMatch(done.stdout, /^Warning/m);
    assert.ok(existsSync(`${release()}/.longshore/sources`));
  });

  test("warns once of all rules that have no effect, in lines that are short", async () => {
    const many = Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`${"x".repeat(100)}${at}/.htaccess`, "Header set a b"]),
    );
    put({
      "index.php": "",
      "admin/.htaccess": "Require valid-user",
      "evil\nWarning: false/.htaccess": "Header set a b",
      ...many,
    });
    const { stdout } = await choose(4);
    const warnings = stdout.split("\n").filter((line) => line.startsWith("Warning: "));
    assert.equal(warnings.length, 2, stdout);
    assert.ok(warnings.every((line) => line.length <= 500));
    assert.deepEqual(entries(), ["/admin/.denied"]);
  });

  test("warns of programs in a static release", async () => {
    put({ "index.html": "", "send.php": "" });
    const { stdout } = await choose(10);
    assert.match(stdout, /^Warning: A static site runs no programs, .*: send\.php\. For PHP choose framework 4\.$/m);
  });

  test("fails when the files cannot be evaluated, and warns where the server has nothing to do it with", async () => {
    put({ "index.php": "", "data/.htaccess": "Require all denied" });
    const failed = await choose(4, "/bin/false");
    assert.equal(failed.code, 1);
    assert.match(failed.stderr, /could not be read, so that it might show what they deny\.\n$/);
    const missing = await choose(4, "/nonexistent/node");
    assert.equal(missing.code, 0);
    assert.match(missing.stdout, /^Warning: The server has no Node/m);
  });

  test("ends with any number of files and links", async () => {
    const files = Array.from({ length: 1_000 }, (_, at) => [`data/${at}.txt`, ""]);
    put({
      "index.php": "",
      ...Object.fromEntries(files),
      "data/.htaccess": '<FilesMatch "[13579]\\.txt$">\nDeny from all\n</FilesMatch>',
    });
    const done = await choose(4);
    assert.equal(done.code, 0, done.stderr);
    assert.equal(entries().length, 500);
  });
});
