import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

test("lines are JSON on standard error, from the level on, and without credentials", () => {
  const script = `import { openLog } from ${JSON.stringify(join(import.meta.dirname, "../log.ts"))};
    const log = openLog("info");
    log.debug("not shown");
    log.info({ token: "hunter2", req: { headers: { authorization: "hunter2" } }, user: { password: "hunter2" } }, "shown");`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  assert.equal(stdout, "");
  const line = JSON.parse(stderr) as Record<string, unknown>;
  assert.equal(line.msg, "shown");
  assert.equal(line.level, "info");
  assert.ok(!stderr.includes("hunter2"), stderr);
});
