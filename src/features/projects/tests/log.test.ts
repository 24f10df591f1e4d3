import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { type ProjectLayout, projectLayout } from "../../../host/layout.ts";
import { lines, type Script, sh } from "../../../host/sh.ts";
import { runBash } from "../../../host/tests/bash.ts";
import { tailOf } from "../logs.ts";

// Root reads logs on the server: a project's output must not cost much memory or time.

describe("the end of a log", () => {
  let layout: ProjectLayout;
  let prefix: string;

  beforeEach(() => {
    prefix = mkdtempSync(join(tmpdir(), "longshore-log-"));
    layout = projectLayout(7, prefix);
    mkdirSync(layout.logs, { recursive: true });
  });
  afterEach(() => rmSync(prefix, { recursive: true }));

  const read = (count: number) => ({
    file: `${layout.logs}/access.log`,
    script: tailOf(`${layout.logs}/access.log`, count),
  });
  const sparingly = (script: Script) => runBash(lines(sh`ulimit -v 300000 -t 2`, script), prefix);

  test("is its last lines", async () => {
    const { file, script } = read(2);
    writeFileSync(file, "one\ntwo\nthree\n");
    assert.equal((await sparingly(script)).stdout, "two\nthree\n");
  });

  test("with a line that never ends is read without all of it", async () => {
    const { file, script } = read(2);
    writeFileSync(file, "");
    truncateSync(file, 64 * 2 ** 30);
    appendFileSync(file, "end\nlast\n");
    const { code, stdout, stderr } = await sparingly(script);
    assert.deepEqual([code, stderr, stdout.length], [0, "", 500_000]);
    assert.match(stdout, /end\nlast\n$/);
  });
});
