import { buffer } from "node:stream/consumers";
import { pack } from "tar-stream";
import { factsFile, secretsDirectory } from "../host/runner.ts";
import { lines, sh } from "../host/sh.ts";
import { fromTheStart, type Limits, type Plan, type Step } from "./plan.ts";

/** Secret file name to content. Names are `[a-z0-9_-]+`; the files exist in memory, for the time of the run. */
export type SecretFiles = Record<string, string>;

/**
 * What the runner takes: a tar archive with the plan as bash arrays, each step's script and undo, and the secrets.
 * Its last entry, `complete`, tells the runner that nothing was cut off.
 */
export async function bundle(runId: number, plan: Plan, nonce: string, secrets: SecretFiles): Promise<Buffer> {
  const archive = pack();
  const add = (name: string, content: string) => archive.entry({ name, mode: 0o600 }, content);
  for (const name of ["run/", "run/steps/", "run/undo/", "secrets/", "facts/"]) {
    archive.entry({ name, type: "directory", mode: 0o711 });
  }
  add("run/plan", renderPlan(plan, nonce));
  add("run/limits", renderLimits(plan.limits ?? {}));
  plan.steps.forEach((step, position) => {
    add(`run/steps/${position}.sh`, renderStep(runId, step, position));
    if (step.undo) add(`run/undo/${position}.sh`, renderUndo(runId, step.undo));
  });
  for (const [name, content] of Object.entries(secrets)) add(`secrets/${name}`, content);
  add("complete", "");
  archive.finalize();
  return buffer(archive);
}

// More than anybody reads, and less than a disk.
const defaultOutputLimitMb = 1024;

/** The plan in the runner's terms: bash that sets its arrays. */
export function renderPlan(plan: Plan, nonce: string): string {
  const all = (pick: (step: Step) => string | number) => sh`${plan.steps.map(pick)}`;
  const flag = (yes: boolean) => (yes ? 1 : 0);
  const noReturn =
    plan.pointOfNoReturn === fromTheStart ? -1 : plan.steps.findIndex((step) => step.key === plan.pointOfNoReturn);
  return sh`
    nonce=${nonce}
    steps=${plan.steps.length}
    no_return=${noReturn}
    output_limit=${(plan.outputLimitMb ?? defaultOutputLimitMb) * 2 ** 20}
    user=(${all((step) => step.user)})
    timeout=(${all((step) => step.timeoutSeconds)})
    checkpoint=(${all((step) => flag(step.checkpoint))})
    goes_on=(${all((step) => flag(step.onFailure === "continue"))})
    client=(${all((step) => flag(step.audience === "client"))})
  `.script;
}

// One argument of systemd-run a line.
function renderLimits(limits: Limits): string {
  const properties = {
    CPUWeight: limits.cpuWeight,
    IOWeight: limits.ioWeight,
    MemoryHigh: limits.memoryHigh,
  };
  const set = Object.entries(properties).filter(([, value]) => value !== undefined);
  return set.map(([name, value]) => `--property=${name}=${value}\n`).join("");
}

const renderStep = (runId: number, step: Step, position: number): string =>
  lines(
    sh`set -euo pipefail; umask 022; cd`,
    sh`export LC_ALL=C.UTF-8 LONGSHORE_RUN=${runId}`,
    step.audience === "system" &&
      sh`export LONGSHORE_SECRETS=${secretsDirectory(runId)} LONGSHORE_FACTS=${factsFile(runId, position)}`,
    { script: `${step.script}\n` },
  ).script;

const renderUndo = (runId: number, undo: string): string =>
  lines(sh`set -euo pipefail; umask 022; cd`, sh`export LC_ALL=C.UTF-8 LONGSHORE_RUN=${runId}`, {
    script: `${undo}\n`,
  }).script;
