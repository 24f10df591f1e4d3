import assert from "node:assert/strict";
import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { availableParallelism, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { shellcheck } from "../../../../test/shellcheck.ts";
import { runBash } from "../../tests/bash.ts";
import { longestUsage, printUsage, readUsage } from "../usage.ts";

describe("the usage of a server", () => {
  const directory = mkdtempSync(join(tmpdir(), "longshore-usage-"));
  after(() => rmSync(directory, { recursive: true }));

  it("is what its kernel says", async () => {
    const { stdout, stderr } = await runBash(printUsage, directory);
    assert.equal(stderr, "");
    assert.ok(stdout.length < longestUsage / 2, stdout);
    const { load, memory, disk } = readUsage(stdout) ?? {};
    assert.ok(load && memory && disk, stdout);
    assert.equal(load.cores, availableParallelism());
    assert.equal(memory.total_bytes, totalmem());
    assert.ok(memory.available_bytes > 0);
    // Before the setup there is no directory of projects: the nearest one that is there counts.
    const root = statfsSync("/");
    assert.equal(disk.total_bytes, root.blocks * root.bsize);
  });

  it("is read part by part: what cannot be true is unknown", () => {
    const whole = "load 0.42 1.00 12.5 2\nmemory 4000 1000\ndisk 78389813248 61203480576\n";
    assert.deepEqual(readUsage(whole), {
      load: { one_minute: 0.42, five_minutes: 1, fifteen_minutes: 12.5, cores: 2 },
      memory: { total_bytes: 4_096_000, available_bytes: 1_024_000 },
      disk: { total_bytes: 78_389_813_248, available_bytes: 61_203_480_576 },
    });
    const known = (text: string) => Object.values(readUsage(text) ?? {}).map((part) => part !== null);
    assert.deepEqual(known(whole.replace("12.5", "-1")), [false, true, true]);
    assert.deepEqual(known(whole.replace(" 2\n", " 0\n")), [false, true, true]);
    assert.deepEqual(known(whole.replace("4000 1000", "1000 4000")), [true, false, true]);
    assert.deepEqual(known(whole.replace("4000 1000", " ")), [true, false, true]);
    assert.deepEqual(known(whole.replace("78389813248 61203480576", "0 0")), [true, true, false]);
    assert.deepEqual(known(whole.replace("78389813248", "9".repeat(300))), [true, true, false]);
    assert.deepEqual(known(whole.replace("61203480576", "1e400")), [true, true, false]);
    for (const text of ["", "nothing", "load\nmemory\ndisk\n", "x".repeat(1_000_000)]) {
      assert.equal(readUsage(text), undefined);
    }
  });

  it("is printed by a script without faults", () => assert.equal(shellcheck({ usage: printUsage.script }), ""));
});
