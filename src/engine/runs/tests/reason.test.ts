import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, it } from "node:test";
import { noise, reasonIn } from "../reason.ts";

const outputs: [what: string, output: string, reason: string][] = [
  [
    "npm's advice about itself",
    "Error: DATABASE_URL is missing\nnpm notice\nnpm notice New major version of npm available! 11.0.0 -> 12.0.0\nnpm notice\n",
    "Error: DATABASE_URL is missing",
  ],
  [
    "an uncaught error of Node",
    "/srv/app/server.js:1\nthrow new Error('x')\n^\n\nError: Cannot find module 'express'\nRequire stack:\n- /srv/app/server.js\n" +
      "    at Function._resolve (node:internal/modules/cjs/loader:1386:15) {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: [\n" +
      "    '/srv/app/server.js'\n  ]\n}\n\nNode.js v24.21.0\n",
    "Error: Cannot find module 'express'",
  ],
  [
    "npm ci with a lock file of another time",
    "npm error code EUSAGE\nnpm error\nnpm error `npm ci` can only install packages when …\nnpm error\n" +
      "npm error Missing: left-pad@1.3.0 from lock file\nnpm error\nnpm error Clean install a project\nnpm error\nnpm error Usage:\n" +
      "npm error npm ci\nnpm error\nnpm error Options:\nnpm error [--install-strategy <hoisted>] [-w|--workspace <name>]\nnpm error\n" +
      'npm error aliases: clean-install, ic\nnpm error\nnpm error Run "npm help ci" for more info\n' +
      "npm error A complete log of this run can be found in: /home/x.log\nThe install ended with exit code 1.\n",
    "npm error Missing: left-pad@1.3.0 from lock file",
  ],
  [
    "a package that does not exist",
    "npm error code ETARGET\nnpm error notarget No matching version found for ms@^99.\n" +
      "npm error notarget In most cases you or one of your dependencies are requesting\n" +
      "npm error notarget a package version that doesn't exist.\nnpm error A complete log of this run can be found in: /x\n",
    "npm error notarget No matching version found for ms@^99.",
  ],
  [
    "a build that pnpm runs",
    "src/a.ts(1,7): error TS2322: Type 'string' is no number.\n ELIFECYCLE  Command failed with exit code 2.\nThe build ended with exit code 2.\n",
    "src/a.ts(1,7): error TS2322: Type 'string' is no number.",
  ],
  [
    "a build that yarn runs",
    "✘ Could not resolve ./x\nerror Command failed with exit code 1.\ninfo Visit https://yarnpkg.com/run for documentation about this command.\n",
    "✘ Could not resolve ./x",
  ],
];

describe("the reason of a failure", () => {
  for (const [what, output, reason] of outputs) {
    it(`is the line that states it: ${what}`, () => {
      assert.equal(reasonIn(output), reason);
      const { stdout } = spawnSync("grep", ["-vE", noise], { input: output, encoding: "utf8" });
      assert.equal(stdout.trim().split("\n").at(-1), reason, "grep finds the same");
    });
  }

  it("has no colours, and nothing that was overwritten", () => {
    assert.equal(reasonIn("10 %\r50 %\r\u001b[31mNo space left\u001b[0m\n"), "No space left");
  });

  it("is nothing where nothing is stated", () => {
    assert.equal(reasonIn("\nnpm notice\nThe build ended with exit code 1.\n"), undefined);
    assert.equal(reasonIn(""), undefined);
  });
});
