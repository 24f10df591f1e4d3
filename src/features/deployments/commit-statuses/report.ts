import type { DeploymentReport } from "../../../providers/git/git-host.ts";
import type { PlacedSite } from "../../projects/schema.ts";
import { type DeploymentStatus, deploymentStatus } from "../schema.ts";
import type { ShownAtHost } from "./queries.ts";

/** Hosts take at least so many characters. */
const longestDescription = 140;

const states: Record<DeploymentStatus, DeploymentReport["state"]> = {
  [deploymentStatus.queued]: "queued",
  [deploymentStatus.running]: "running",
  // It may still become live.
  [deploymentStatus.cancelling]: "running",
  [deploymentStatus.success]: "succeeded",
  [deploymentStatus.failed]: "failed",
  [deploymentStatus.cancelled]: "cancelled",
};

interface Surroundings {
  project: string;
  /** Where visitors reach the project. */
  liveUrl: string;
  /** The address of the installation; undefined: not known. */
  publicUrl: string | undefined;
}

export function liveUrlOf({ domains, ssl_is_enabled: isEncrypted, certificate }: PlacedSite): string {
  const name = domains.find(({ is_primary: isPrimary }) => isPrimary)?.domain_name ?? "";
  return `${isEncrypted && certificate ? "https" : "http"}://${name}`;
}

/** What a git host shows of a deployment. */
export function reportOf(deployment: ShownAtHost, { project, liveUrl, publicUrl }: Surroundings): DeploymentReport {
  const { id, organization_id: organization, git_branch: branch, git_tag: tag } = deployment;
  const page = publicUrl === undefined ? undefined : `${publicUrl}/o/${organization}/deployments/${id}`;
  return {
    key: page ?? `Longshore deployment ${id}`,
    state: states[deployment.status],
    context: `longshore/${project}`,
    environment: project,
    branch: tag ?? branch,
    isTag: tag !== null,
    description: descriptionOf(deployment, liveUrl).slice(0, longestDescription),
    page,
    liveUrl,
  };
}

function descriptionOf({ status, process_type: type, error }: ShownAtHost, liveUrl: string): string {
  const isRollback = type === "rollback";
  if (status === deploymentStatus.queued) return "Queued";
  if (status === deploymentStatus.success) return `${isRollback ? "Rolled back: live" : "Live"} at ${liveUrl}`;
  if (status === deploymentStatus.failed) return firstLine(error) || "Failed";
  if (status === deploymentStatus.cancelled) return "Cancelled";
  return isRollback ? "Rolling back" : "Building";
}

const firstLine = (text: string | null): string => text?.trim().split(/\r?\n/, 1)[0] ?? "";
