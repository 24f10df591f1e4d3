import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { shellcheck } from "../../../../test/shellcheck.ts";
import { runBash } from "../../tests/bash.ts";
import { printRestarts, readRestarts } from "../restarts.ts";

describe("restarted units", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "longshore-restarts-"));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  /** The output of the script when systemctl prints this. */
  async function printed(text: string, exitCode = 0): Promise<string> {
    const stubs = join(directory, "bin");
    mkdirSync(stubs, { recursive: true });
    writeFileSync(join(directory, "units"), text);
    writeFileSync(join(stubs, "systemctl"), `#!/bin/bash\ncat ${join(directory, "units")}\nexit ${exitCode}\n`);
    chmodSync(join(stubs, "systemctl"), 0o755);
    return (await runBash(printRestarts, directory, stubs)).stdout;
  }

  const unit = (id: string, restarts: number, state = "active") =>
    `NRestarts=${restarts}\nId=${id}\nActiveState=${state}\n`;

  it("are those that systemd started again, of Node processes and of jobs", async () => {
    const text = await printed(
      [
        unit("longshore-project-3@20000.service", 0),
        unit("longshore-project-3@20001.service", 12, "activating"),
        unit("longshore-project-4-job-7@2.service", 1),
      ].join("\n"),
    );
    assert.deepEqual(readRestarts(text), [
      { projectId: 3, jobId: null, instance: "20001", restarts: 12, isActive: false },
      { projectId: 4, jobId: 7, instance: "2", restarts: 1, isActive: true },
    ]);
  });

  it("are none where all is well, and unknown where systemd does not answer", async () => {
    assert.equal(await printed(unit("longshore-project-3@20000.service", 0)), "end\n");
    assert.deepEqual(readRestarts(await printed("")), []);
    assert.equal(readRestarts(await printed("", 1)), undefined);
  });

  it("are read from whole answers only, and from lines of their form", () => {
    assert.equal(readRestarts("longshore-project-3@20001.service 12 active\n"), undefined);
    assert.equal(readRestarts(""), undefined);
    const bad = [
      "x",
      "longshore-project-0@1.service 1 active",
      "longshore-project-3@1.service 99999999999999 active",
      "sshd.service 3 active",
    ];
    assert.deepEqual(readRestarts(`${bad.join("\n")}\nend\n`), []);
  });

  it("are asked for by a sound script", () => assert.equal(shellcheck({ restarts: printRestarts.script }), ""));
});
