import { rebootPlan } from "../../../src/features/servers/reboot.ts";
import { setupPlan } from "../../../src/features/servers/setup/plans.ts";
import type { Kind } from "./kinds.ts";

// What is expected of a run that is struck at a step.

export type FaultName = "control plane" | "PostgreSQL" | "network" | "reboot" | "disk";

/** Faults that a run does not notice. */
export const goOnFaults: readonly FaultName[] = ["control plane", "PostgreSQL", "network"];

export const survives = (fault: FaultName): boolean => goOnFaults.includes(fault);

const never = /nothing fails/;

/** What the record says when a fault has ended the work. */
export const reasonOf: Record<FaultName, RegExp> = {
  "control plane": never,
  PostgreSQL: never,
  network: /\S/,
  reboot: /^The server was interrupted/,
  disk: /disk is full|No space left|MB left/,
};

/** The possible end states of a run that is struck at a step. */
export function endsOf({ action, noReturn }: Kind, position: number, fault: FaultName): readonly string[] {
  const asDeployment = survives(fault) || (fault === "reboot" && position > noReturn) ? ["succeeded"] : ["failed"];
  if (fault === "disk") asDeployment.push("succeeded");
  // The matrix does not decide which comes first: the end of the run, the fault or the cancel.
  return action === "cancellation" ? ["cancelled", "succeeded", ...asDeployment] : asDeployment;
}

/** Some of the setup's steps, each with a fault, for a run that does not test all combinations. */
export const setupSample: readonly { position: number; fault: FaultName }[] = [
  { position: 5, fault: "control plane" },
  { position: 12, fault: "PostgreSQL" },
  { position: 20, fault: "network" },
  { position: 28, fault: "control plane" },
  { position: 36, fault: "PostgreSQL" },
  { position: 44, fault: "network" },
  // A reboot ends everything that holds runs: it comes last.
  { position: 50, fault: "reboot" },
];

const setup = setupPlan({
  serverType: 0,
  distribution: { id: "debian", version: "12" },
  declared: { id: "debian", version: "12" },
  databaseEngine: "mariadb",
  database: { name: "app", username: "app", mark: "longshore-database-7" },
  timezone: "UTC",
  sshPort: 22,
  controlKey: "ssh-ed25519 AAAAcontrol longshore",
  nodeVersions: ["24"],
});

/** The plans for a server itself. */
export const serverKinds = {
  setup: { name: "setup of a server", steps: setup.steps.map(({ key }) => key) },
  reboot: { name: "reboot of a server", steps: rebootPlan.steps.map(({ key }) => key) },
} as const;

/** The faults during a reboot over the API when not everything is tested. */
export const usualRebootFault: FaultName = "network";
