import type { WithQueue } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { announce } from "../notifications/actions.ts";
import { type DeploymentStory, findStory } from "./queries.ts";
import { type DeploymentRow, deploymentStatus, type ProcessType } from "./schema.ts";

/** Notifies the organization of the end of a deployment, unless it was cancelled. */
export async function announceEnd(tx: Db, ctx: WithQueue, ended: DeploymentRow): Promise<void> {
  const isSuccess = ended.status === deploymentStatus.success;
  if (!isSuccess && ended.status !== deploymentStatus.failed) return;
  const story = await findStory(tx, ended.id);
  if (!story) return;
  await announce(tx, ctx, {
    organizationId: ended.organization_id,
    topic: isSuccess ? "deployment.succeeded" : "deployment.failed",
    title: `${nouns[ended.process_type]} of ${story.project} ${isSuccess ? "succeeded" : "failed"}`,
    text: textOf(ended, story),
    data: {
      deployment_id: ended.id,
      project_id: ended.project_id,
      project_name: story.project,
      server_id: ended.server_id,
      server_name: story.server,
      process_type: ended.process_type,
      git_branch: ended.git_branch,
      git_tag: ended.git_tag,
      commit_id: story.commit_id,
      commit_url: story.commit_url,
      description: ended.description,
      initiated_by: story.initiator,
      error: ended.error,
      warnings: ended.warnings,
      started_at: ended.started_at,
      ended_at: ended.ended_at,
      ...(story.commit_url && { links: [{ label: "Show the commit", url: story.commit_url }] }),
    },
  });
}

const nouns: Record<ProcessType, string> = {
  deployment: "Deployment",
  rollback: "Rollback",
  recycle: "Recycling",
  move: "Move",
};

function textOf(ended: DeploymentRow, story: DeploymentStory): string {
  const commit = story.commit_id ? ` at ${story.commit_id.slice(0, 7)}` : "";
  const by = story.initiator ?? (story.is_automatic ? "Longshore" : "a push or an account that is gone");
  // An application has no repository.
  const source = ended.git_tag === null ? `Branch ${ended.git_branch}` : `Tag ${ended.git_tag}`;
  const what = ended.git_branch === "" ? "On" : `${source}${commit} on`;
  const facts = [`${what} ${story.server}, started by ${by}.`, ended.description, ...ended.warnings];
  return [...facts, ended.error ?? ""].filter((line) => line !== "").join("\n");
}
