import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { scriptFile } from "../../script-file.ts";
import { lines, sh } from "../../sh.ts";
import { runBash } from "../../tests/bash.ts";

const directory = mkdtempSync(join(tmpdir(), "longshore-listener-"));
after(() => rmSync(directory, { recursive: true }));

test("a timer that did not fit on a full disk is written when there is room", async () => {
  const reports = join(directory, "reports");
  mkdirSync(reports);
  writeFileSync(join(reports, "7-3"), "https://example.com\n1\n");
  const file = join(directory, "listener.timer");
  const script = lines(
    sh`systemctl() { :; }`,
    scriptFile(new URL("../settle-listener.sh", import.meta.url), {
      reports,
      service_file: join(directory, "listener.service"),
      timer_file: file,
      // The only file that fits.
      service: "",
      timer: "[Timer]\n",
    }),
  );
  assert.equal((await runBash(lines(sh`trap '' XFSZ; ulimit -f 0`, script), directory)).code, 1);
  assert.equal((await runBash(script, directory)).code, 0);
  assert.equal(readFileSync(file, "utf8"), "[Timer]\n");
});
