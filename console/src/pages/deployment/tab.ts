import type { Deployment } from "../../../../contract/types.ts";
import { type DeploymentState, deploymentState, hasEnded } from "../../data/deployments.ts";
import type { TitleState } from "../../parts/use-title.ts";

type Shown = Pick<Deployment, "status" | "process_type" | "error" | "project" | "is_live">;

const states: Record<DeploymentState, { words: string; state?: TitleState }> = {
  queued: { words: "Waiting to deploy" },
  running: { words: "Deploying", state: "running" },
  cancelling: { words: "Cancelling", state: "running" },
  success: { words: "Deployed", state: "succeeded" },
  failed: { words: "Failed to deploy", state: "failed" },
  cancelled: { words: "Cancelled" },
};

/** How the browser's tab shows the deployment. */
export function tabOf(id: number, deployment: Shown | undefined) {
  if (!deployment)
    return { title: `Deployment ${id}`, state: undefined, hasEnded: false, hasFailed: false, sentence: "" };
  const { words, state } = states[deploymentState(deployment)];
  return {
    title: `${words} ${deployment.project.name}`,
    state,
    hasEnded: hasEnded(deployment),
    hasFailed: state === "failed",
    sentence: deployment.error ?? "",
  };
}
