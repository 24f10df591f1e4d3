import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Script } from "../sh.ts";

export interface BashResult {
  code: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs a script as the runner does, with secrets and facts under `directory`. `stubs` is put before PATH: commands that
 * would change this machine.
 */
export function runBash(script: Script, directory: string, stubs?: string): Promise<BashResult> {
  mkdirSync(join(directory, "secrets"), { recursive: true });
  const child = spawn("bash", ["-c", `set -euo pipefail; umask 022; cd\n${script.script}`], {
    env: {
      PATH: `${stubs ? `${stubs}:` : ""}/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
      HOME: directory,
      LC_ALL: "C.UTF-8",
      LONGSHORE_SECRETS: join(directory, "secrets"),
      LONGSHORE_FACTS: join(directory, "facts"),
      LONGSHORE_RUN: "1",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const result: BashResult = { code: -1, stdout: "", stderr: "" };
  child.stdout.on("data", (data) => {
    result.stdout += data;
  });
  child.stderr.on("data", (data) => {
    result.stderr += data;
  });
  return new Promise((resolve) => child.on("close", (code) => resolve({ ...result, code: code ?? -1 })));
}
