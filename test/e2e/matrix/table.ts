import { provisionPlan } from "../../../src/features/servers/plans.ts";
import { rebootPlan } from "../../../src/features/servers/reboot.ts";
import type { Kind } from "./kinds.ts";

// What is expected of a run to which something happens at a step: the tests ask here, and docs/faults.md is made from it.

export const faultNames = ["control plane", "PostgreSQL", "network", "reboot", "disk"] as const;
export type FaultName = (typeof faultNames)[number];

interface FaultOfTable {
  title: string;
  /** What is done. */
  what: string;
  /** The test file that does it. */
  proof: string;
}

const goesOn = "test/e2e/matrix/goes-on.e2e.test.ts";

export const faultTable: Record<FaultName, FaultOfTable> = {
  "control plane": {
    title: "Control plane killed",
    what: "the control plane is ended by SIGKILL, the step ends meanwhile, and it is started again",
    proof: goesOn,
  },
  PostgreSQL: {
    title: "PostgreSQL killed",
    what: "the embedded PostgreSQL is ended by SIGKILL, the step ends meanwhile, and it comes back by itself",
    proof: goesOn,
  },
  network: {
    title: "Network cut",
    what: "every packet from and to the server vanishes, the step ends meanwhile, and the network is mended",
    proof: goesOn,
  },
  reboot: {
    title: "Server rebooted",
    what: "the server is rebooted; visitors wait for it meanwhile",
    proof: "test/e2e/matrix/rebooted.e2e.test.ts",
  },
  disk: {
    title: "Disk full",
    what: "the disk of projects, runs and the web server's settings is filled to the last byte, until the runs have ended",
    proof: "test/e2e/matrix/disk-full.e2e.test.ts",
  },
};

/** Those that a run does not notice. */
export const goOnFaults: readonly FaultName[] = ["control plane", "PostgreSQL", "network"];

export const survives = (fault: FaultName): boolean => goOnFaults.includes(fault);

/** The states in which a run may end that is struck at a step. */
export function endsOf({ action, noReturn }: Kind, position: number, fault: FaultName): readonly string[] {
  const asDeployment = survives(fault) || (fault === "reboot" && position > noReturn) ? ["succeeded"] : ["failed"];
  if (fault === "disk") asDeployment.push("succeeded");
  // Which comes first is not for the matrix to say: the end of the run, the fault or the cancel.
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

/** Whether each run of the tests tries a fault at a step of such a plan. */
export const usuallyTriedOfServer = (plan: string, position: number, fault: FaultName): boolean =>
  plan === serverKinds.setup.name
    ? setupSample.some((each) => each.position === position && each.fault === fault)
    : position === 0 && fault === usualRebootFault;

/** What happens during a reboot over the API when not everything is tried. */
export const usualRebootFault: FaultName = "network";
