import { hash } from "node:crypto";
import type { Script } from "../../host/sh.ts";
import type { Sandbox } from "../../host/systemd/sandbox.ts";
import type { WorkRef } from "../kind.ts";
import type { FactForms } from "./facts.ts";

/**
 * One step of a plan: the script, its user, and how a failure is handled.
 *
 * The script runs under `bash -euo pipefail` in the user's home directory and finds secrets as files in `$LONGSHORE_SECRETS`.
 * A step that runs as root finds all secrets of the run, and reports the results that it declares by `KEY VALUE` lines
 * written to `$LONGSHORE_FACTS`. Any other step runs in a sandbox, finds the `secrets` that it names and the sandbox's
 * credentials, and returns only its output and its exit status.
 */
export interface Step {
  /** Unique in its plan; `[a-z0-9-]+`. */
  key: string;
  label: string;
  phase: string;
  script: string;
  /** The user and the rights it runs with; default: root. */
  sandbox?: Sandbox;
  /** For a sandboxed step: the run's secrets that it may read. */
  secrets?: readonly string[];
  /** The origin of its output: the platform's, or the output of commands the user wrote. */
  audience: "system" | "client";
  /** Whether a cancel takes effect before this step (and inside it, when it runs long). */
  checkpoint: boolean;
  /** Reverts what the step changed. Runs like the step, also after a partial failure: it must be idempotent. */
  undo?: string;
  onFailure: "stop" | "continue";
  timeoutSeconds: number;
  /**
   * The facts that the step may report. Everything else is dropped, and so is every fact that a step of another user
   * than root reports.
   */
  facts?: FactForms;
  /** The targets whose state on the server it changes (`applying`). */
  applies?: readonly Applied[];
}

/** The state of a target of engine/reconcile on the server of the run. */
export interface Applied extends WorkRef {
  /** Identifies the state after the step; null: the state is unknown until a later step has succeeded. */
  mark: string | null;
}

/** Limits of all processes that a run starts, in systemd's terms, so that a build does not starve the sites of the server. */
export interface Limits {
  cpuWeight?: number;
  ioWeight?: number;
  /** systemd's MemoryHigh and MemoryMax, such as `80%` or `2G`. */
  memoryHigh?: string;
  memoryMax?: string;
  /** The maximum number of processes and threads. */
  tasksMax?: number;
}

/**
 * A list of steps to execute on one server: plain data, made by a pure function from database rows. A run that is
 * interrupted (reboot, power) before it has passed the point of no return is undone; past it, it continues.
 */
export interface Plan {
  kind: string;
  steps: Step[];
  /** Key of the step after whose success the run only moves forward. `start`: from the beginning. */
  pointOfNoReturn: string;
  limits?: Limits;
  /** The runner ends a step of the user's commands when the journal gets longer than this; 1 GB when omitted. */
  outputLimitMb?: number;
  /** Which version of a repeatable plan this is, as its feature counts them. */
  version?: string;
}

/** The point of no return of a plan that can be repeated at any time and never needs undoing. */
export const fromTheStart = "start";

/** The plan of a run whose kind makes the real plan when it starts: no steps. */
export const unplanned = (kind: string): Plan => plan(kind, [], { pointOfNoReturn: fromTheStart });

// More than anyone reads, and less than a disk.
const defaultOutputLimitMb = 1024;

/** How many bytes a step of the user's commands may print, together with the output before it. */
export const outputLimitOf = ({ outputLimitMb = defaultOutputLimitMb }: Pick<Plan, "outputLimitMb">): number =>
  outputLimitMb * 2 ** 20;

export const isPlanned = ({ steps }: Plan): boolean => steps.length > 0;

type StepOptions = Partial<Omit<Step, "key" | "label" | "script" | "undo">> & { undo?: Script };

/** A step with the usual settings: as root, stop on failure, ten minutes, cancellable. */
export function step(key: string, label: string, script: Script, options: StepOptions = {}): Step {
  const { undo, ...rest } = options;
  return {
    key,
    label,
    phase: "main",
    script: script.script,
    audience: "system",
    checkpoint: true,
    onFailure: "stop",
    timeoutSeconds: 600,
    ...rest,
    ...(undo ? { undo: undo.script } : {}),
  };
}

/**
 * Declares that a step brings a server to the state that the records of a target describe. When it has succeeded, in a run of any
 * kind, the engine records `mark` as the state of the server; default: what identifies its script.
 */
export const applying = (
  { kind, subject, subjectId }: WorkRef,
  step: Step,
  mark: string | null = markOf([step]),
): Step => ({ ...step, applies: [{ kind, subject, subjectId, mark }] });

/** Declares that these steps together bring a server to that state, in this order. */
export const applyingAll = (target: WorkRef, steps: readonly Step[], mark = markOf(steps)): Step[] =>
  steps.map((each, at) => applying(target, each, at === steps.length - 1 ? mark : null));

const markOf = (steps: readonly Step[]): string =>
  hash("sha256", steps.map(({ script }) => script).join("\0"), "base64url").slice(0, 16);

/** The mark of the state to which a plan, or some of its steps, bring a target; undefined when they declare none. */
export const markIn = (steps: readonly Step[], { kind, subjectId }: WorkRef): string | undefined =>
  steps.flatMap(({ applies = [] }) => applies).findLast((each) => each.kind === kind && each.subjectId === subjectId)
    ?.mark ?? undefined;

/** The steps that bring a server to another state than it has; `marks`: its known states, by their kinds (`listMarks`). */
export const outdatedSteps = (steps: readonly Step[], marks: ReadonlyMap<string, string>): Step[] =>
  steps.filter(({ applies = [] }) => applies.some(({ kind, mark }) => marks.get(kind) !== mark));

/** A plan; `undefined` and `false` steps are left out, for conditional steps. */
export function plan(
  kind: string,
  steps: (Step | undefined | false)[],
  options: Pick<Plan, "pointOfNoReturn" | "limits" | "outputLimitMb" | "version">,
): Plan {
  const kept = steps.filter((candidate): candidate is Step => Boolean(candidate));
  const keys = new Set(kept.map((each) => each.key));
  if (keys.size !== kept.length) throw new Error(`Plan ${kind} has two steps with one key`);
  if (options.pointOfNoReturn !== fromTheStart && !keys.has(options.pointOfNoReturn)) {
    throw new Error(`Plan ${kind} has no step ${options.pointOfNoReturn}`);
  }
  return { kind, steps: kept, ...options };
}
