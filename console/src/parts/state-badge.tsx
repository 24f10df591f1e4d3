import { Ban, Clock, type LucideIcon } from "lucide-react";
import type { Deployment } from "../../../contract/types.ts";
import { type DeploymentState, deploymentState } from "../data/deployments.ts";
import { StateIcon } from "../ui/state-icon.tsx";
import type { Tone } from "../ui/tones.ts";

interface Look {
  word: string;
  tone: Tone;
  icon?: LucideIcon;
}

export const deploymentLooks: Record<DeploymentState, Look> = {
  queued: { word: "Waiting", tone: "idle", icon: Clock },
  running: { word: "Deploying", tone: "run" },
  cancelling: { word: "Cancelling", tone: "run" },
  success: { word: "Deployed", tone: "ok" },
  failed: { word: "Failed", tone: "bad" },
  cancelled: { word: "Cancelled", tone: "idle", icon: Ban },
};

/** What runs, by the kind of the deployment. */
const running: Record<Deployment["process_type"], string> = {
  deployment: "Deploying",
  rollback: "Rolling back",
  recycle: "Restarting",
  move: "Moving",
};

type Shown = Pick<Deployment, "status" | "process_type" | "is_live"> & Partial<Pick<Deployment, "started_at">>;

/** The state of a deployment: what is live says so. */
export function DeploymentStateBadge({ deployment }: { deployment: Shown }) {
  const state = deploymentState(deployment);
  const since = deployment.started_at ?? undefined;
  return <StateIcon {...deploymentLooks[state]} word={wordOf(deployment)} state={state} since={since} />;
}

export function wordOf(deployment: Shown): string {
  const state = deploymentState(deployment);
  if (state === "running") return running[deployment.process_type];
  return state === "success" && deployment.is_live ? "Live" : deploymentLooks[state].word;
}

/** "Deployment", "Rollback", … */
export const kindNames: Record<Deployment["process_type"], string> = {
  deployment: "Deployment",
  rollback: "Rollback",
  recycle: "Restart",
  move: "Move",
};
