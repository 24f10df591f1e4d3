import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { sh } from "../../sh.ts";
import { runBash } from "../../tests/bash.ts";
import { needPackages } from "../functions.ts";
import { withPrelude } from "../prelude.ts";

const directory = mkdtempSync(join(tmpdir(), "longshore-packages-"));
after(() => rmSync(directory, { recursive: true }));

/** Installs rsync and git, of which git is there, from an archive that has them after so many readings of its lists. */
async function install(readings: number) {
  const body = sh`
    read=0
    dpkg() { :; }
    dpkg-query() { printf 'git installed\\n'; return 1; }
    apt-get() {
      case "$*" in
        *update) echo "read"; read=$((read + 1)) ;;
        *) echo "install \${*: -1}"; [ "$read" -ge ${readings} ] ;;
      esac
    }
    ${needPackages} git rsync`;
  const { code, stdout } = await runBash(withPrelude("It failed.", body), directory);
  return { code, done: stdout.trimEnd().split("\n").slice(1) };
}

test("missing packages are installed", async () => {
  assert.deepEqual(await install(0), { code: 0, done: ["install rsync"] });
});

test("the lists are read again when the archive no longer has what they name", async () => {
  assert.deepEqual(await install(1), { code: 0, done: ["install rsync", "read", "install rsync"] });
});

test("what cannot be installed then is a failure", async () => {
  assert.deepEqual(await install(2), { code: 1, done: ["install rsync", "read", "install rsync"] });
});
