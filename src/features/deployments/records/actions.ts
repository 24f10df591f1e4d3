import type { Static } from "typebox";
import { compareUrl } from "../../../host/git/git.ts";
import { sliced } from "../../../http/lists.ts";
import { pageOf, paginated, totalOf } from "../../../http/pagination.ts";
import type { RequestContext } from "../../../http/route.ts";
import { timesOf } from "../../../http/times.ts";
import { getProject } from "../../projects/actions.ts";
import { countDeployments } from "../queries.ts";
import { type DeploymentQuery, deploymentStatus, type InitiatorType, type ShownDeployment } from "../schema.ts";
import { proposedSettings } from "../steps/written.ts";
import { type DeploymentFilter, findNewest, listOfProject, listRelated, listWaiters } from "./queries.ts";
import { waitingFor } from "./waiting.ts";

const perPage = 15;

/** The deployments of the organization, the newest first. */
export async function showAllDeployments(ctx: RequestContext, query: Static<typeof DeploymentQuery>) {
  const { pool, actor } = ctx;
  const size = query.per_page ?? perPage;
  const found = await findNewest(pool, actor, filterOf(query), size + 1);
  const { data, next_before } = sliced(await listRelated(pool, actor, found.ids), size);
  return { data: await deploymentRecords(ctx, data), next_before: next_before ?? found.searchedTo ?? null };
}

function filterOf({
  project_id,
  server_id,
  status,
  process_type,
  initiator,
  ...query
}: Static<typeof DeploymentQuery>) {
  const words = initiator?.filter((each): each is InitiatorType => !/^\d/.test(each));
  const users = initiator?.filter((each) => /^\d/.test(each)).map(Number);
  const { from, to } = timesOf({ from: query.from, to: query.to });
  return {
    before: query.before,
    projectIds: given(project_id),
    serverIds: given(server_id),
    statuses: given(status?.map((name) => deploymentStatus[name])),
    processTypes: given(process_type),
    userIds: given(users),
    initiatorTypes: given(words),
    text: query.q || undefined,
    from,
    to,
  } satisfies DeploymentFilter;
}

/** An empty list is no filter. */
const given = <Value>(values: Value[] | undefined): Value[] | undefined => (values?.length ? values : undefined);

/** A page of a project's deployments. */
export async function showDeployments(
  ctx: RequestContext,
  projectId: number,
  query: { page?: unknown; per_page?: unknown },
) {
  const page = pageOf(query, perPage);
  const deployments = await listOfProject(ctx.pool, ctx.actor, projectId, page);
  // Nothing to show: there is no such project, or no such page.
  if (deployments.length === 0) await getProject(ctx, projectId);
  const total = await totalOf(page, deployments, () => countDeployments(ctx.pool, projectId));
  return paginated(page, total, await deploymentRecords(ctx, deployments));
}

/** Deployments as the API shows them. */
export async function deploymentRecords<Shown extends ShownDeployment>(
  { pool, actor }: RequestContext,
  deployments: readonly Shown[],
) {
  const queued = deployments.filter(({ status }) => status === deploymentStatus.queued).map(({ id }) => id);
  const waiters = queued.length === 0 ? [] : await listWaiters(pool, actor, queued);
  const waiting = new Map(waiters.map((waiter) => [waiter.id, waitingFor(waiter)]));
  return deployments.map((deployment) => ({
    ...deployment,
    tenant_id: deployment.organization_id,
    proposed_settings: proposedSettings(deployment.error),
    waiting_for: waiting.get(deployment.id) ?? null,
    compare_url: compareUrl(deployment.base_commit_url ?? "", deployment.commit_url ?? "") ?? null,
  }));
}
