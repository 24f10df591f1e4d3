import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Plan } from "../src/engine/runs/plan.ts";

/** Scripts by name, such as a step's key. */
export type Scripts = Record<string, string>;

/** The scripts of a plan's steps and their undos, as they are executed. */
export const scriptsOf = (plan: Plan): Scripts =>
  Object.fromEntries(
    plan.steps.flatMap((step) => [
      [`${plan.kind}.${step.key}`, step.script],
      ...(step.undo === undefined ? [] : [[`${plan.kind}.${step.key}.undo`, step.undo]]),
    ]),
  );

/**
 * shellcheck's findings on all of them, in one call; an empty text without findings. Findings below `severity` are left
 * out: texts that only look like code in quotes are `info`.
 */
export function shellcheck(scripts: Scripts, severity: "style" | "info" | "warning" | "error" = "style"): string {
  const directory = mkdtempSync(join(tmpdir(), "longshore-shellcheck-"));
  try {
    const files = Object.entries(scripts).map(([name, script]) => {
      const file = join(directory, `${name}.sh`);
      // The runner's own options, so that shellcheck judges the scripts as they really run.
      writeFileSync(file, `set -euo pipefail\n${script}\n`);
      return file;
    });
    const result = spawnSync("shellcheck", ["-s", "bash", "--format=gcc", `--severity=${severity}`, ...files], {
      encoding: "utf8",
    });
    if (result.error) throw new Error("shellcheck is needed: apt-get install shellcheck", { cause: result.error });
    if (result.status !== 0 && result.status !== 1) throw new Error(`shellcheck failed: ${result.stderr}`);
    return result.stdout.replaceAll(`${directory}/`, "");
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
