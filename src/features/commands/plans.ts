import { type Plan, plan, step } from "../../engine/runs/plan.ts";
import { exportsFile, withEnvironment } from "../../host/environment/with-environment.ts";
import { nodeOfRelease } from "../../host/node/release-node.ts";
import { livePrograms } from "../../host/php/pool.ts";
import { lines, sh } from "../../host/sh.ts";
import { projectSandbox } from "../../host/systemd/sandbox.ts";
import { heapSetting } from "../../host/systemd/unit.ts";
import { buildLimits } from "../deployments/plans.ts";
import type { ProjectOnServer } from "../projects/plans.ts";
import { commandKind } from "./schema.ts";

export interface CommandOnServer {
  /** As the user wrote it, for bash. */
  command: string;
  timeoutSeconds: number;
}

/** More than a person reads. */
const outputLimitMb = 10;
const stepKey = "command";

/** The settings of the project that a command uses. */
export type CommandProject = Pick<ProjectOnServer, "layout" | "directory" | "framework" | "maxMemoryMb">;

/**
 * Runs one command in the live release, as the project's user, in the sandbox of its other commands. It can be cancelled while it
 * runs, and is not run again after an interruption.
 */
export function commandPlan(project: CommandProject, { command, timeoutSeconds }: CommandOnServer): Plan {
  const { layout, directory, framework, maxMemoryMb } = project;
  const settings = ["NODE_ENV?=production", ...(framework.runtimeFamily === "node" ? heapSetting(maxMemoryMb) : [])];
  const script = lines(
    sh`
      stop() { printf '%s\\n' "$1" >&2; exit 75; }
      # Ordered before a move that holds the project now.
      [[ ! -e ${layout.held} ]] || stop "The project is being moved to another server."
      release=$(readlink -e ${layout.current}) || stop "The project has no live release."
      cd -P -- "$release"`,
    directory !== "" && sh`cd -P -- ${directory} || stop "The live release has no directory "${directory}.`,
    sh`
      export HOME=${layout.home} PATH="$release/.longshore/bin:"${nodeOfRelease(layout)}/bin:/usr/local/bin:/usr/bin:/bin`,
    framework.runtimeFamily === "php" && sh`PATH=${livePrograms(layout)}:$PATH`,
    sh`
      unset LONGSHORE_RUN
      exec ${withEnvironment} ${layout.environments}/"\${release##*/}"/${exportsFile} ${settings} -- bash -c -- ${command}`,
  );
  return plan(
    commandKind.kind,
    [step(stepKey, "Command", script, { sandbox: projectSandbox(layout), audience: "client", timeoutSeconds })],
    {
      pointOfNoReturn: stepKey,
      limits: maxMemoryMb === undefined ? buildLimits : { ...buildLimits, memoryMax: `${maxMemoryMb}M` },
      outputLimitMb,
    },
  );
}
