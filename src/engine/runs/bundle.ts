import { factsFile, secretsDirectory } from "../../host/runner/runner.ts";
import { lines, type Script, sh } from "../../host/sh.ts";
import { stepProperties } from "../../host/systemd/sandbox.ts";
import { AppError } from "../../lib/errors.ts";
import type { Seal } from "./last-ids.ts";
import { fromTheStart, type Limits, outputLimitOf, type Plan, type Step } from "./plan.ts";

/** Secret file name to content. Names are `[a-z0-9_-]+`; the files exist in memory, during the run. */
export type SecretFiles = Record<string, string>;

/**
 * The input of the runner: the plan as bash arrays, each step's script and undo, the secrets, and the last ids. Each file is a line with its
 * length in bytes and its name, then its content. The last file, `complete`, proves to the runner that nothing was cut off.
 */
export function bundle(runId: number, plan: Plan, nonce: string, secrets: SecretFiles, seal?: Seal): Buffer {
  return Buffer.concat(
    [
      file("run/plan", renderPlan(plan, nonce)),
      file("run/limits", renderLimits(plan.limits ?? {})),
      ...plan.steps.flatMap((step, position) => [
        file(`run/steps/${position}.sh`, renderStep(runId, step, position)),
        ...(step.undo
          ? [file(`run/undo/${position}.sh`, lines(beginning(runId, step), { script: `${step.undo}\n` }).script)]
          : []),
        ...renderSandbox(runId, step).flatMap((properties) =>
          ["steps", "undo"].map((folder) => file(`run/${folder}/${position}.sandbox`, properties)),
        ),
      ]),
      ...Object.entries(secrets).map(([name, content]) => file(`secrets/${name}`, content)),
      ...(seal ? [file(`ids/${seal.order}`, `${seal.text}\n`)] : []),
      file("complete", ""),
    ].flat(),
  );
}

function file(name: string, content: string): Buffer[] {
  const bytes = Buffer.from(content);
  // bash, which reads it, would drop it.
  if (bytes.includes(0)) {
    throw new AppError("invalid", "What is sent to a server must not contain a NUL character.", { permanent: true });
  }
  return [Buffer.from(`${bytes.length} ${name}\n`), bytes];
}

/** The plan in the form of the runner: bash that sets its arrays. */
export function renderPlan(plan: Plan, nonce: string): string {
  const all = (pick: (step: Step) => string | number) => sh`${plan.steps.map(pick)}`;
  const flag = (yes: boolean) => (yes ? 1 : 0);
  const noReturn =
    plan.pointOfNoReturn === fromTheStart ? -1 : plan.steps.findIndex((step) => step.key === plan.pointOfNoReturn);
  return sh`
    nonce=${nonce}
    steps=${plan.steps.length}
    no_return=${noReturn}
    output_limit=${outputLimitOf(plan)}
    timeout=(${all((step) => step.timeoutSeconds)})
    checkpoint=(${all((step) => flag(step.checkpoint))})
    goes_on=(${all((step) => flag(step.onFailure === "continue"))})
  `.script;
}

// One argument of systemd-run per line.
function renderLimits(limits: Limits): string {
  const properties = {
    CPUWeight: limits.cpuWeight,
    IOWeight: limits.ioWeight,
    MemoryHigh: limits.memoryHigh,
    MemoryMax: limits.memoryMax,
    TasksMax: limits.tasksMax,
  };
  const set = Object.entries(properties).filter(([, value]) => value !== undefined);
  return set.map(([name, value]) => `--property=${name}=${value}\n`).join("");
}

// What root runs also ends at a command that fails inside of `$(…)`, where bash would continue.
const beginning = (runId: number, { sandbox }: Step): Script =>
  lines(
    sh`set -euo pipefail; umask 022; cd`,
    sandbox === undefined && sh`shopt -s inherit_errexit`,
    sh`export LC_ALL=C.UTF-8 LONGSHORE_RUN=${runId}`,
  );

function renderStep(runId: number, step: Step, position: number): string {
  const places = step.sandbox
    ? sh`export LONGSHORE_SECRETS=$CREDENTIALS_DIRECTORY`
    : sh`export LONGSHORE_SECRETS=${secretsDirectory(runId)} LONGSHORE_FACTS=${factsFile(runId, position)}`;
  return lines(beginning(runId, step), step.audience === "system" && places, { script: `${step.script}\n` }).script;
}

// One argument of systemd-run per line, the user first; nothing for a step that runs as root.
function renderSandbox(runId: number, { sandbox, secrets = [] }: Step): string[] {
  if (!sandbox) return [];
  const ofRun = secrets.map((name) => `LoadCredential=${name}:${secretsDirectory(runId)}/${name}`);
  const properties = [...stepProperties(sandbox), ...ofRun, "EnvironmentFile=-/etc/environment"];
  return [properties.map((property) => `--property=${property}\n`).join("")];
}
