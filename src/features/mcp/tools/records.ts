import { Type } from "typebox";
import type { Answer } from "../answers.ts";
import { Int, NullableText, OptionalText, Text } from "../tool.ts";

// Deployments as answers show them.

/** Fields of a deployment that the tools use. */
export interface Deployment {
  id: number;
  project_id: number;
  status: 0 | 1 | 2 | 3 | 4 | 5;
  process_type: string;
  git_branch: string;
  git_tag: string | null;
  commit_id: string | null;
  commit_message: string | null;
  error: string | null;
  warnings: string[];
  duration: number;
  created_at: string;
  project: { id: number; name: string } | null;
  server: { id: number; name: string | null } | null;
  is_live: boolean;
  waiting_for: { reason: string; position: number; message: string } | null;
  steps?: DeploymentStep[];
}

export interface DeploymentStep {
  key: string;
  label: string;
  status: string;
  detail: string | null;
  first_line: number | null;
  lines: number;
}

const states = ["queued", "success", "failed", "running", "cancelling", "cancelled"] as const;

export const stateOf = ({ status }: Pick<Deployment, "status">): string => states[status];

export const hasEnded = ({ status }: Pick<Deployment, "status">): boolean =>
  status === 1 || status === 2 || status === 5;

/** The fields that decide what to do next; answers have more. */
export const ShownDeployment = Type.Object({
  id: Int,
  state: Text,
  commit: NullableText,
  is_live: Type.Boolean(),
  reason: OptionalText,
  failed_step: OptionalText,
});

export const shown = (deployment: Deployment) => ({
  id: deployment.id,
  project_id: deployment.project_id,
  state: stateOf(deployment),
  kind: deployment.process_type,
  branch: deployment.git_branch,
  tag: deployment.git_tag,
  commit: deployment.commit_id,
  is_live: deployment.is_live,
  requested_at: deployment.created_at,
  seconds: Math.round(deployment.duration),
});

/** `Deployment 12 of project 5 (shop): failed, main at 9fceb02, 2026-03-01 10:20.` */
export function sentenceOf(answer: Answer, deployment: Deployment): string {
  const { id, project, git_branch: branch, git_tag: tag, commit_id: commit, process_type: kind } = deployment;
  const of = project ? ` of ${answer.name("project", project.id, project.name)}` : "";
  const what = kind === "deployment" ? "" : ` (${kind})`;
  const at = commit === null ? "" : ` at ${commit.slice(0, 10)}`;
  const live = deployment.is_live ? ", live" : "";
  const from = answer.word(`the ${tag === null ? "branch" : "tag"} of deployment ${id}`, tag ?? branch);
  return `Deployment ${id}${of}${what}: ${stateOf(deployment)}${live}, ${from}${at}, ${minuteOf(deployment.created_at)}.`;
}

/** UTC. */
export const minuteOf = (time: string): string => time.slice(0, 16).replace("T", " ");
