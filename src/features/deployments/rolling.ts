import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { findProjectForWork } from "../projects/queries.ts";
import type { ProjectRow } from "../projects/schema.ts";
import { queueDeployment } from "./actions.ts";
import { findNextReplica, findReleaseOf, type NewDeployment } from "./queries.ts";
import type { DeploymentRow } from "./schema.ts";

// A project behind a load balancer is deployed to one server after the other: first to its own, and each success continues with
// the next. A failed or cancelled deployment stops there; the remaining servers keep their release.

/** In the transaction that stores the success of a deployment: queues the same deployment for the next server. */
export async function continueRolling(
  tx: PoolClient,
  ctx: Pick<Context, "queue">,
  done: DeploymentRow,
  project: ProjectRow,
): Promise<void> {
  if (done.process_type === "move") return;
  const root = done.rolling_of ?? (project.load_balancer_id === null ? null : done.id);
  if (root === null) return;
  await queueNext(tx, ctx, { projectId: project.replica_of ?? project.id, after: project.id, root, like: done });
}

/** `after`: the row (project or replica) of the server that has it; the project's own row comes before its replicas. */
export async function queueNext(
  tx: PoolClient,
  ctx: Pick<Context, "queue">,
  { projectId, after, root, like }: { projectId: number; after: number; root: number; like: DeploymentRow },
): Promise<void> {
  const next = await findNextReplica(tx, projectId, after === projectId ? 0 : after);
  const replica = next && (await findProjectForWork(tx, next.id));
  if (!replica) return;
  await queueDeployment(tx, ctx, {
    organizationId: replica.organization_id,
    projectId: replica.id,
    serverId: replica.server_id,
    initiatedBy: like.initiated_by,
    ...(await rerunMode(tx, like, replica)),
    branch: like.git_branch,
    commitId: like.commit_id,
    commitUrl: like.commit_url,
    commitAuthor: like.commit_author,
    commitMessage: like.commit_message,
    rollingOf: root,
    description: `Carries deployment ${root} on to this server`,
  });
}

// A release has a different number on each server: find the one of the same commit.
async function rerunMode(
  tx: PoolClient,
  { process_type: type, commit_id: commit }: DeploymentRow,
  replica: ProjectRow,
): Promise<Pick<NewDeployment, "processType" | "releaseId">> {
  if (type === "recycle" && replica.live_release_id !== null) {
    return { processType: "recycle", releaseId: replica.live_release_id };
  }
  if (type !== "rollback" || commit === null) return { processType: "deployment" };
  return { processType: "rollback", releaseId: (await findReleaseOf(tx, replica.id, commit)) ?? null };
}
