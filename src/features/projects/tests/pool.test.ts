import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { withPrelude } from "../../../host/runner/prelude.ts";
import { scriptFile } from "../../../host/script-file.ts";
import { runBash } from "../../../host/tests/bash.ts";

const directory = mkdtempSync(join(tmpdir(), "longshore-pool-"));
after(() => rmSync(directory, { recursive: true }));

test("PHP workers are not set up when one of their two units cannot be written", async () => {
  const commands = join(directory, "commands");
  mkdirSync(commands);
  for (const [name, text] of [
    ["dpkg-query", "echo php8.3-fpm"],
    ["php-fpm8.3", ":"],
    ["chgrp", ":"],
    ["systemctl", ":"],
  ] as const) {
    writeFileSync(join(commands, name), `#!/bin/bash\n${text}\n`);
    chmodSync(join(commands, name), 0o755);
  }
  const script = withPrelude(
    "PHP-FPM could not be set up for the project.",
    scriptFile(new URL("../write-pool.sh", import.meta.url), {
      user: "project-7",
      settings_file: join(directory, "php-fpm.conf"),
      settings: "; settings\npm.max_children = WORKERS\n",
      workers: 1_000_000,
      worker_mb: 32,
      ini_directory: join(directory, "php-ini"),
      ini_file: join(directory, "php-ini/longshore.ini"),
      ini: "; Longshore\n",
      extensions: [],
      live_program: join(directory, "live/php-fpm"),
      service: "php.service",
      socket: "php.socket",
      unit_directory: join(directory, "units"),
      service_unit: "[Service]\nExecStart=php-fpmVERSION\n",
      socket_unit: "[Socket]\n",
    }),
  );
  const write = () => runBash(script, directory, commands);
  for (const unit of ["php.service", "php.socket"]) {
    // In the place of the unit, so that it cannot be moved there.
    const blocked = join(directory, "units", unit);
    mkdirSync(join(blocked, "in-the-way"), { recursive: true });
    const { code, stderr } = await write();
    assert.equal(code, 1, unit);
    assert.match(stderr, /PHP-FPM could not be set up for the project\.\n$/);
    rmSync(blocked, { recursive: true });
  }
  const { code, stdout } = await write();
  assert.equal(code, 0);
  assert.match(stdout, /Wrote .*php\.socket\.\n/);
  // No more than the machine has memory for.
  assert.match(stdout, /memory for (\d+) workers, and not for 1000000/);
  assert.match(readFileSync(join(directory, "php-fpm.conf"), "utf8"), /^pm\.max_children = [1-9]\d{0,4}$/m);
});
