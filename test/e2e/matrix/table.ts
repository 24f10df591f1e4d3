import { provisionPlan } from "../../../src/features/servers/plans.ts";
import { rebootPlan } from "../../../src/features/servers/reboot.ts";
import type { Kind } from "./kinds.ts";

// What is expected of a run to which something happens at a step.

export type FaultName = "control plane" | "PostgreSQL" | "network" | "reboot" | "disk";

/** Those that a run does not notice. */
export const goOnFaults: readonly FaultName[] = ["control plane", "PostgreSQL", "network"];

export const survives = (fault: FaultName): boolean => goOnFaults.includes(fault);

/** The states in which a run may end that is struck at a step. */
export function endsOf({ action, noReturn }: Kind, position: number, fault: FaultName): readonly string[] {
  const asDeployment = survives(fault) || (fault === "reboot" && position > noReturn) ? ["succeeded"] : ["failed"];
  if (fault === "disk") asDeployment.push("succeeded");
  // Which comes first is not decided by the matrix: the end of the run, the fault or the cancel.
  return action === "cancellation" ? ["cancelled", "succeeded", ...asDeployment] : asDeployment;
}

/** Some of the setup's steps, and what happens at each of them, when not everything happens at all of them. */
export const setupSample: readonly { position: number; fault: FaultName }[] = [
  { position: 5, fault: "control plane" },
  { position: 12, fault: "PostgreSQL" },
  { position: 20, fault: "network" },
  { position: 28, fault: "control plane" },
  { position: 36, fault: "PostgreSQL" },
  { position: 44, fault: "network" },
  // A reboot ends whatever holds runs: it comes last.
  { position: 50, fault: "reboot" },
];

const setup = provisionPlan({
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

/** The plans of a server itself. */
export const serverKinds = {
  setup: { name: "setup of a server", steps: setup.steps.map(({ key }) => key) },
  reboot: { name: "reboot of a server", steps: rebootPlan.steps.map(({ key }) => key) },
} as const;

/** What happens during a reboot over the API when not everything is tested. */
export const usualRebootFault: FaultName = "network";
