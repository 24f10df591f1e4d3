import type { PoolClient } from "pg";
import { transaction } from "../../db/transaction.ts";
import { commitUrl, type GitSourceType } from "../../host/git/git.ts";
import { type PublicContext, withStatus } from "../../http/route.ts";
import { success } from "../../http/schemas.ts";
import { lockProjectForWork } from "../projects/queries.ts";
import type { PlacedProject } from "../projects/schema.ts";
import { gitRoots, repositoryOf } from "../sources/hosts.ts";
import { insertPush, listPushes, type PushRow, rememberDelivery } from "../sources/queries.ts";
import { type Push, readDelivery } from "../sources/webhook.ts";
import { queueDeployment } from "./actions.ts";

/** How many earlier pushes of the branch are searched for one that makes a push stale. */
const searchedPushes = 200;
const latenessMs = 24 * 3_600_000;

/** A push that can queue a deployment: the branch exists after it. */
type CommitPush = Push & { after: string };

/** Accepts a delivery of a git host: a push to the branch of an auto-deploy project queues one deployment of that commit. */
export async function receiveDelivery(
  ctx: PublicContext,
  address: { source: GitSourceType; token: string },
  body: Buffer | undefined,
) {
  const delivery = await readDelivery(ctx, address, body ?? Buffer.alloc(0));
  if ("other" in delivery.received)
    return nothingQueued(`Nothing is deployed for deliveries of the kind ${delivery.received.other.slice(0, 60)}.`);
  const { pushes } = delivery.received;
  return transaction(ctx.pool, async (tx) => {
    // The second of concurrent deliveries for a project sees the result of the first.
    const project = await lockProjectForWork(tx, delivery.projectId);
    if (!project?.auto_deploy_is_active) return nothingQueued("Auto-deploy of the project is off.");
    const push = pushes.find((each) => each.branch === project.repository_branch);
    if (!push) return nothingQueued("The push is not to the branch that the project deploys.");
    if (!hasCommit(push)) return nothingQueued("The branch was deleted. What is live stays so.");
    // Not remembered: a push that comes later may have the commits before it.
    if (push.skipMark) return nothingQueued(`The message of the commit says ${push.skipMark}. What is live stays so.`);
    const earlier = await listPushes(tx, project.id, push.branch, searchedPushes);
    const isNew = await rememberDelivery(tx, project.id, delivery.identities);
    if (!isNew && (delivery.namesDeliveries || !continues(push, earlier))) {
      return nothingQueued("This delivery was received before.");
    }
    const reason = staleReason(push, earlier);
    if (reason) return nothingQueued(reason);
    const deployment_id: number | null = await deployPush(tx, ctx, project, push);
    return withStatus(202, success({ message: "A deployment of the commit was queued.", deployment_id }));
  });
}

const nothingQueued = (message: string) => withStatus(200, success({ message, deployment_id: null as number | null }));

const hasCommit = (push: Push): push is CommitPush => push.after !== null;

/** Whether a push begins at the commit at which the last one ended. */
const continues = ({ before }: CommitPush, [last]: readonly PushRow[]): boolean =>
  before !== null && before === last?.after_commit;

/**
 * Why a push counts as older than one that was accepted before: deliveries may be late, and a late one must not bring back an
 * older commit. The host's time decides, and within the same second the chain: each push begins at the commit at which the
 * previous one ended. No push is late by more than a day: a branch that was moved back after pushes that we never received would
 * look the same.
 */
export function staleReason(push: CommitPush, earlier: readonly PushRow[], now = new Date()): string | undefined {
  const [last] = earlier;
  if (!last) return undefined;
  if (last.after_commit === push.after && last.before_commit === push.before) {
    return "The branch was at this commit already.";
  }
  const late = "A newer push of the branch was received before.";
  const ahead = push.pushedAt && last.pushed_at ? push.pushedAt.getTime() - Date.parse(last.pushed_at) : 0;
  if (ahead !== 0) return ahead < 0 ? late : undefined;
  if (continues(push, earlier)) return undefined;
  const recent = earlier.filter((each) => now.getTime() - Date.parse(each.received_at) < latenessMs);
  return recent.some((each) => each.before_commit === push.after) ? late : undefined;
}

async function deployPush(
  tx: PoolClient,
  ctx: PublicContext,
  project: PlacedProject,
  push: CommitPush,
): Promise<number> {
  const url = repositoryOf(ctx.config, project)?.url;
  const deploymentId = await queueDeployment(tx, ctx, {
    organizationId: project.organization_id,
    projectId: project.id,
    serverId: project.placement.server_id,
    initiatedBy: null,
    initiatorType: "push",
    processType: "deployment",
    branch: push.branch,
    commitId: push.after,
    commitUrl: url ? (commitUrl(url, push.after, gitRoots(ctx.config)) ?? null) : null,
    commitAuthor: push.author,
    commitMessage: push.message,
    description: push.author ? `Push by ${push.author}` : "Push",
  });
  const { branch, before, after, pushedAt } = push;
  await insertPush(tx, { projectId: project.id, branch, before, after, pushedAt, deploymentId });
  return deploymentId;
}
