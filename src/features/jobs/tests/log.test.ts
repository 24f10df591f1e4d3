import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { jobLog } from "../../../host/jobs.ts";
import { type ProjectLayout, projectLayout } from "../../../host/layout.ts";
import { lines, type Script, sh } from "../../../host/sh.ts";
import { runBash } from "../../../host/tests/bash.ts";
import { tailOf } from "../../projects/logs.ts";
import { readLog } from "../plans.ts";

// Logs are read on the server by root: what a project writes must not cost it memory or time.

describe("the end of a log", () => {
  let layout: ProjectLayout;
  let prefix: string;

  beforeEach(() => {
    prefix = mkdtempSync(join(tmpdir(), "longshore-log-"));
    layout = projectLayout(7, prefix);
    mkdirSync(layout.jobLogs, { recursive: true });
  });
  afterEach(() => rmSync(prefix, { recursive: true }));

  const readers: Record<string, (count: number) => { file: string; script: Script }> = {
    project: (count) => ({ file: `${layout.logs}/access.log`, script: tailOf(`${layout.logs}/access.log`, count) }),
    job: (count) => ({ file: jobLog(layout, 3), script: readLog(layout, 3, count) }),
  };
  const sparingly = (script: Script) => runBash(lines(sh`ulimit -v 300000 -t 2`, script), prefix);

  for (const [whose, read] of Object.entries(readers)) {
    test(`of a ${whose} is its last lines`, async () => {
      const { file, script } = read(2);
      writeFileSync(file, "one\ntwo\nthree\n");
      assert.equal((await sparingly(script)).stdout, "two\nthree\n");
    });

    test(`of a ${whose} with a line that never ends is read without all of it`, async () => {
      const { file, script } = read(2);
      writeFileSync(file, "");
      truncateSync(file, 64 * 2 ** 30);
      appendFileSync(file, "end\nlast\n");
      const { code, stdout, stderr } = await sparingly(script);
      assert.deepEqual([code, stderr, stdout.length], [0, "", 500_000]);
      assert.match(stdout, /end\nlast\n$/);
    });
  }
});
