import type { PoolClient } from "pg";
import { transaction } from "../../db/transaction.ts";
import { commitUrl, type GitSourceType, isBranchName } from "../../host/git/git.ts";
import { matchesTag } from "../../host/git/tag-pattern.ts";
import { type PublicContext, withStatus } from "../../http/route.ts";
import { success } from "../../http/schemas.ts";
import { lockProjectForWork } from "../projects/queries.ts";
import type { PlacedProject } from "../projects/schema.ts";
import { gitRoots, repositoryOf } from "../sources/hosts.ts";
import { insertPush, listPushes, type PushRow, rememberDelivery } from "../sources/queries.ts";
import { type Push, readDelivery } from "../sources/webhook.ts";
import { queueDeployment } from "./actions.ts";

/** How many earlier pushes of a branch or tag are searched for one that makes a push stale. */
const searchedPushes = 200;
const latenessMs = 24 * 3_600_000;

/** A push that can queue a deployment: the branch or tag exists after it. */
type CommitPush = Push & { after: string; commit: string };

/**
 * Accepts a delivery of a git host: a push to the branch of an auto-deploy project, or of a tag that the project deploys, queues
 * one deployment of its commit.
 */
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
    const wanted = project ? pushes.filter((push) => isWanted(project, push)) : [];
    const [first] = wanted;
    if (!project || !first) return nothingQueued(whyNoneWanted(project, pushes));
    // What is skipped is not remembered: a push that comes later may have the commits before it.
    const deployable = wanted.filter(hasCommit).filter(({ skipMark }) => skipMark === null);
    if (deployable.length === 0) return nothingQueued(whyNotDeployable(first));
    const isNew = await rememberDelivery(tx, project.id, delivery.identities);
    const results: (number | string)[] = [];
    for (const push of deployable) {
      const earlier = await listPushes(tx, project.id, push, searchedPushes);
      const isRepeated = !isNew && (delivery.namesDeliveries || !continues(push, earlier));
      const reason = isRepeated ? "This delivery was received before." : staleReason(push, earlier);
      results.push(reason ?? (await deployPush(tx, ctx, project, push)));
    }
    return answerOf(results);
  });
}

/** The result for each push: a queued deployment, or why there is none. */
function answerOf(results: readonly (number | string)[]) {
  const queued = results.filter((result) => typeof result === "number");
  const deployment_id = queued.at(-1) ?? null;
  if (deployment_id === null) return nothingQueued(String(results[0]));
  const message =
    queued.length === 1
      ? "A deployment of the commit was queued."
      : `${queued.length} deployments were queued: ${queued.join(", ")}.`;
  return withStatus(202, success({ message, deployment_id: deployment_id as number | null }));
}

const nothingQueued = (message: string) => withStatus(200, success({ message, deployment_id: null as number | null }));

const hasCommit = (push: Push): push is CommitPush => push.after !== null && push.commit !== null;

const isWanted = (project: PlacedProject, push: Push): boolean =>
  push.kind === "branch"
    ? project.auto_deploy_is_active && push.name === project.repository_branch
    : project.deploy_tags !== null && isDeployedTag(project.deploy_tags, push.name);

// Tags have the names that branches can have. Others never reach a server.
const isDeployedTag = (pattern: string, name: string): boolean => isBranchName(name) && matchesTag(pattern, name);

function whyNoneWanted(project: PlacedProject | undefined, pushes: readonly Push[]): string {
  const kinds = [...new Set(pushes.map(({ kind }) => kind))];
  return kinds.map((kind) => (kind === "tag" ? whyNoTag(project) : whyNoBranch(project))).join(" ");
}

const whyNoBranch = (project: PlacedProject | undefined): string =>
  project?.auto_deploy_is_active
    ? "The push is not to the branch that the project deploys."
    : "Auto-deploy of the project is off.";

const whyNoTag = (project: PlacedProject | undefined): string =>
  project?.deploy_tags ? `The project deploys tags that fit ${project.deploy_tags}.` : "The project deploys no tags.";

const whyNotDeployable = (push: Push): string =>
  hasCommit(push)
    ? `The message of the commit says ${push.skipMark}. What is live stays so.`
    : `The ${push.kind} was deleted. What is live stays so.`;

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
    return `The ${push.kind} was at this commit already.`;
  }
  const late = `A newer push of the ${push.kind} was received before.`;
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
  const { kind, name, before, after, commit, author, pushedAt } = push;
  const url = repositoryOf(ctx.config, project)?.url;
  const what = kind === "tag" ? `Tag ${name}` : "Push";
  const deploymentId = await queueDeployment(tx, ctx, {
    organizationId: project.organization_id,
    projectId: project.id,
    serverId: project.placement.server_id,
    initiatedBy: null,
    initiatorType: "push",
    processType: "deployment",
    branch: project.repository_branch ?? "",
    tag: kind === "tag" ? name : null,
    commitId: commit,
    commitUrl: url ? (commitUrl(url, commit, gitRoots(ctx.config)) ?? null) : null,
    commitAuthor: author,
    commitMessage: push.message,
    description: author ? `${what} by ${author}` : what,
  });
  await insertPush(tx, { projectId: project.id, kind, name, before, after, pushedAt, deploymentId });
  return deploymentId;
}
