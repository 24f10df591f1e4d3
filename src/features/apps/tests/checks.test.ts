import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { projectLayout } from "../../../host/layout.ts";
import { checkPages } from "../steps.ts";

// The script that servers run, in a directory of the test. It sends requests to port 80 of the server: a stand-in replaces curl.

let root: string;

before(() => {
  root = mkdtempSync(join(tmpdir(), "longshore-checks-"));
});
after(() => rmSync(root, { recursive: true }));

/** Checks a page; the bash commands in `body` print its content. */
function check(body: string): { status: number | null; last: string | undefined } {
  const curl = `#!/bin/bash\nwhile [[ $1 != --output ]]; do shift; done\n{ ${body}; } > "$2" && printf 200\n`;
  writeFileSync(join(root, "curl"), curl, { mode: 0o755 });
  const site = { layout: projectLayout(7, root), name: "shop.test", isSecure: false, user: undefined };
  const { script } = checkPages(site, [{ path: "/", contains: "Harbour" }]);
  const env = { ...process.env, PATH: `${root}${delimiter}${process.env.PATH}`, TMPDIR: root };
  const { status, stderr, stdout } = spawnSync("bash", ["-euo", "pipefail", "-c", script], { env, encoding: "utf8" });
  return { status, last: `${stdout}${stderr}`.trim().split("\n").at(-1) };
}

describe("a look at a page of an application", () => {
  it("succeeds when the page has the text", () => {
    assert.deepEqual(check("echo The Harbour"), { status: 0, last: "http://shop.test answers." });
    assert.equal(check("echo Another").status, 1);
  });

  it("reads no more of it than a page has", () => {
    const { status, last } = check("echo The Harbour; head -c 100M /dev/zero");
    assert.equal(status, 1);
    assert.match(last ?? "", /answers nothing/);
  });
});
