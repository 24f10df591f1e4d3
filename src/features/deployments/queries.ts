import { constants, type Db, row, rows, type Sql, sql } from "../../db/sql.ts";
import type { MaskingChoices } from "../../host/environment/secret-values.ts";
import type { Loss, LossScope } from "../../http/dry-run.ts";
import { isInScope, lossOf } from "../../http/queries.ts";
import type { CountRow } from "../../lib/metrics.ts";
import { type Actor, deploymentReach, projectReach } from "../accounts/reach.ts";
import type { PlacementRef } from "../placements/schema.ts";
import {
  type DeploymentRow,
  type DeploymentStatus,
  deploymentStatus,
  type InitiatorType,
  type MonitorRef,
  type ProcessType,
} from "./schema.ts";

const { queued, success, running, cancelling } = constants(deploymentStatus);
/** `d.status in ${runningStatuses}`: it runs, also if it is being cancelled. */
export const runningStatuses = sql`(${running}, ${cancelling})`;
/** `d.status in ${unendedStatuses}`: it is queued or runs. */
export const unendedStatuses = sql`(${queued}, ${running}, ${cancelling})`;

/** Whether a project is being moved to another server, or with `unendedStatuses`, whether a move of it is also only queued. */
export const isBeingMoved = (projectId: Sql | number, statuses: Sql = runningStatuses): Sql => sql`exists (
  select 1 from deployments d
  where d.project_id = ${projectId} and d.process_type = 'move' and d.status in ${statuses})`;

/** The columns of a deployment in lists: each column adds to the cost of reading many rows. */
export const shownColumns = sql`
  d.id, d.organization_id, d.project_id, d.server_id, d.initiated_by, d.process_type, d.git_branch, d.git_tag, d.commit_id, d.commit_url,
  d.commit_author, d.commit_message, d.rolling_of, d.description, d.status, d.error, d.warnings, d.created_at, d.updated_at,
  d.started_at, d.ended_at,
  greatest(0, floor(date_part('epoch', coalesce(d.ended_at, now()) - d.started_at)))::integer as duration
`;

/** All columns of a deployment `d`. */
export const columns = sql`${shownColumns}, d.initiator_type, d.monitor_id, d.monitor_name, d.run_id, d.release_id, d.in_place`;

export const findDeployment = (db: Db, actor: Actor, id: number): Promise<DeploymentRow | undefined> =>
  row(db, sql`select ${columns} from deployments d where d.id = ${id} and ${deploymentReach(actor)}`);

/** Without an actor: only for jobs, never for a request. */
export const findDeploymentForWork = (db: Db, id: number): Promise<DeploymentRow | undefined> =>
  row(db, sql`select ${columns} from deployments d where d.id = ${id}`);

/** Encrypted as stored. */
interface ProjectSecrets {
  project_id: number;
  server_id: number;
  environment_variables: Buffer | null;
  environment_masking: MaskingChoices;
  basic_auth_hash: Buffer | null;
}

/** The secrets that a deployment's project needs on its server. Without an actor: only for jobs. */
export const findEncrypted = (db: Db, id: number): Promise<ProjectSecrets | undefined> =>
  row(
    db,
    sql`
      select d.project_id, d.server_id, p.environment_variables, p.environment_masking, site.basic_auth_hash
      from deployments d join projects p on p.id = d.project_id join sites site on site.project_id = p.id
      where d.id = ${id}
    `,
  );

/** Like `findDeploymentForWork`, for several ids; deleted ones are omitted. */
export const listDeploymentsForWork = (db: Db, ids: readonly number[]): Promise<DeploymentRow[]> =>
  rows(db, sql`select ${columns} from deployments d where d.id = any(${ids}::bigint[])`);

/** A deployment as the record of its project names it. */
export interface DeploymentSummary {
  id: number;
  status: DeploymentStatus;
  commit_id: string | null;
  commit_message: string | null;
  git_branch: string;
  git_tag: string | null;
  /** When it ended, or was requested while it has not. */
  at: string;
}

/** The deployments that a project's record names: the live one of its own server, and the newest of any kind on any of its servers. */
export interface DescribedDeployments {
  live_deployment: DeploymentSummary | null;
  last_deployment: DeploymentSummary | null;
  /** Whether the live release lacks a change of its settings, or the live deployment one of the environment variables. */
  has_pending_changes: boolean;
}

// Of no row it is null.
const summaryOf = (alias: Sql): Sql => sql`
  case when ${alias}.id is not null then json_build_object('id', ${alias}.id, 'status', ${alias}.status,
    'commit_id', ${alias}.commit_id, 'commit_message', ${alias}.commit_message, 'git_branch', ${alias}.git_branch,
    'git_tag', ${alias}.git_tag, 'at', to_char(coalesce(${alias}.ended_at, ${alias}.created_at), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) end
`;

/** Of many projects; those that are gone are omitted. Reads two deployments of each, by their ids. */
export const listDescribed = (
  db: Db,
  projectIds: readonly number[],
): Promise<(DescribedDeployments & { project_id: number })[]> =>
  rows(
    db,
    sql`
      select p.id as project_id, ${summaryOf(sql`live`)} as live_deployment, ${summaryOf(sql`last`)} as last_deployment,
        coalesce(p.environment_changed_at > live.started_at, false)
          or coalesce(p.settings_changed_at > built.started_at, false) as has_pending_changes
      from projects p
        left join placements pl on pl.project_id = p.id and pl.role = 'own'
        left join deployments live on live.id = pl.live_deployment_id
        left join deployments built on built.id = pl.live_release_id
        left join deployments last on last.id = p.last_deployment_id
      where p.id = any(${projectIds}::bigint[])
    `,
  );

export async function countDeployments(db: Db, projectId: number): Promise<number> {
  const counted = await row<{ count: number }>(
    db,
    sql`select count(*) from deployments where project_id = ${projectId}`,
  );
  return counted?.count ?? 0;
}

export interface NewDeployment {
  organizationId: number;
  projectId: number;
  serverId: number;
  initiatedBy: number | null;
  /** Default: a user. */
  initiatorType?: InitiatorType;
  /** The one whose fall began it. */
  monitor?: MonitorRef | null;
  processType: ProcessType;
  branch: string;
  /** The one that was pushed. */
  tag?: string | null;
  commitId?: string | null;
  commitUrl?: string | null;
  commitAuthor?: string | null;
  commitMessage?: string | null;
  releaseId?: number | null;
  /** The deployment on the project's own server that this one continues on a further server. */
  rollingOf?: number | null;
  /** The deployment that this automatic rollback takes back. */
  takesBack?: number | null;
  description: string;
}

export async function insertDeployment(tx: Db, deployment: NewDeployment): Promise<number> {
  const { commitId = null, commitUrl = null, releaseId = null } = deployment;
  const { commitAuthor = null, commitMessage = null, initiatorType = "user", monitor = null } = deployment;
  const inserted = await row<{ id: number }>(
    tx,
    sql`
      insert into deployments (organization_id, project_id, server_id, initiated_by, initiator_type, monitor_id, monitor_name,
        process_type, git_branch, git_tag, commit_id, commit_url, commit_author, commit_message, release_id, rolling_of, takes_back, description)
      values (${deployment.organizationId}, ${deployment.projectId}, ${deployment.serverId}, ${deployment.initiatedBy},
        ${initiatorType}, ${monitor?.id ?? null}, ${monitor?.name ?? null}, ${deployment.processType}, ${deployment.branch},
        ${deployment.tag ?? null}, ${commitId}, ${commitUrl}, ${commitAuthor}, ${commitMessage}, ${releaseId}, ${deployment.rollingOf ?? null},
        ${deployment.takesBack ?? null}, ${deployment.description})
      returning id
    `,
  );
  return (inserted as { id: number }).id;
}

export interface QueuedDeployment {
  id: number;
  organization_id: number;
  project_id: number;
  server_id: number;
  status: 0;
}

/** Locks projects until the end of the transaction, by their ids. */
export async function lockProjects(tx: Db, ids: readonly number[]): Promise<void> {
  await rows(tx, sql`select 1 from projects where id = any(${ids}::bigint[]) order by id for no key update`);
}

/** What is deployed, and of which projects. */
export interface Requested {
  projectIds: readonly number[];
  /** Undefined: that of each project. */
  branch?: string | undefined;
  /** Undefined: the newest of the branch. */
  commitId?: string | undefined;
  description: string;
}

/** Queues a deployment of each project that the actor reaches, in the order of the ids. The projects are locked. */
export const insertDeployments = (
  tx: Db,
  actor: Actor,
  { projectIds, branch, commitId, description }: Requested,
): Promise<QueuedDeployment[]> =>
  rows(
    tx,
    sql`
      insert into deployments (organization_id, project_id, server_id, initiated_by, git_branch, commit_id, description)
      select p.organization_id, p.id, p.server_id, ${actor.userId}, coalesce(${branch ?? null}, p.repository_branch, ''),
        ${commitId ?? null}, ${description}
      from unnest(${projectIds}::bigint[]) with ordinality as asked(id, place) join projects p on p.id = asked.id
      where p.source_type = 'git' and ${projectReach(actor)}
      order by asked.place
      returning id, organization_id, project_id, server_id, status
    `,
  );

/** Sets the pages of the commit at the projects' git hosts. */
export async function setCommitUrls(tx: Db, urls: readonly { id: number; url: string }[]): Promise<void> {
  await rows(
    tx,
    sql`
      update deployments d set commit_url = given.url
      from unnest(${urls.map(({ id }) => id)}::bigint[], ${urls.map(({ url }) => url)}::text[]) as given(id, url)
      where d.id = given.id
    `,
  );
}

/**
 * The newest deployment of a commit in each of some locked projects, if it is queued, running or was successful. An id that is not
 * complete names no commit where it is the beginning of several.
 */
export const listOfCommit = (
  tx: Db,
  projectIds: readonly number[],
  commit: string,
): Promise<{ project_id: number; id: number }[]> => {
  const within = (status: Sql) => sql`
    select d.id, d.commit_id from deployments d
    where d.project_id = asked.id and d.status = ${status} and d.process_type = 'deployment' and d.rolling_of is null
      and (starts_with(d.commit_id, ${commit}) or starts_with(${commit}, d.commit_id))
  `;
  return rows(
    tx,
    sql`
      select asked.id as project_id, max(d.id) as id
      from unnest(${projectIds}::bigint[]) as asked(id) cross join lateral (
        ${within(success)} union all ${within(running)} union all ${within(queued)}) d
      group by asked.id having count(distinct d.commit_id) filter (where length(d.commit_id) in (40, 64)) <= 1
    `,
  );
};

/** Locks the project of a deployment until the end of the transaction; undefined if it is gone. */
export const lockPlacementOf = (tx: Db, id: number): Promise<PlacementRef | undefined> =>
  row(
    tx,
    sql`
      select p.id as "projectId", d.server_id as "serverId" from deployments d join projects p on p.id = d.project_id
      where d.id = ${id} for no key update of p
    `,
  );

/** Sets the run that is under way for the deployment. */
export async function setDeploymentRun(tx: Db, deploymentId: number, runId: number): Promise<void> {
  await tx.query(sql`
    update deployments set run_id = ${runId}, updated_at = clock_timestamp() where id = ${deploymentId}
  `);
}

export async function setDescription(tx: Db, deploymentId: number, description: string): Promise<void> {
  await tx.query(sql`update deployments set description = ${description} where id = ${deploymentId}`);
}

/** The fields of a deployment for messages to people. */
export interface DeploymentStory {
  project: string;
  server: string;
  initiator: string | null;
  /** Longshore began it automatically. */
  is_automatic: boolean;
  commit_id: string | null;
  commit_url: string | null;
}

export const findStory = (tx: Db, id: number): Promise<DeploymentStory | undefined> =>
  row(
    tx,
    sql`
      select p.name as project, s.name as server, u.name as initiator,
        d.takes_back is not null as is_automatic, d.commit_id, d.commit_url
      from deployments d join projects p on p.id = d.project_id join servers s on s.id = d.server_id
        left join users u on u.id = d.initiated_by
      where d.id = ${id}
    `,
  );

/** Whether a deployment of the project on the server is queued or runs. */
export const hasUnendedOn = async (db: Db, { projectId, serverId }: PlacementRef): Promise<boolean> =>
  (await row(
    db,
    sql`
      select 1 from deployments
      where project_id = ${projectId} and server_id = ${serverId} and status in ${unendedStatuses} limit 1
    `,
  )) !== undefined;

/** Locks the unended deployments of a project. */
export async function lockUnended(tx: Db, projectId: number): Promise<void> {
  await tx.query(sql`
    select 1 from deployments where project_id = ${projectId} and status in ${unendedStatuses} order by id for update
  `);
}

/** The unended runs of a project's deployments: on one server, or on all. */
export const listDeploymentRuns = (tx: Db, projectId: number, serverId?: number): Promise<{ id: number }[]> =>
  rows(
    tx,
    sql`
      select r.id from runs r join deployments d on d.run_id = r.id
      where d.project_id = ${projectId} and r.ended_at is null
        and (${serverId ?? null}::bigint is null or r.server_id = ${serverId ?? null})
    `,
  );

/** The further server to which a rolling deployment goes after a server: the first that it has not reached or queued for yet. */
export const findNextReplica = (
  tx: Db,
  { projectId, after, root }: { projectId: number; after: number; root: number },
): Promise<{ server_id: number } | undefined> =>
  row(
    tx,
    sql`
      select pl.server_id from placements pl
      where pl.project_id = ${projectId} and pl.role = 'replica' and pl.server_id > ${after}
        and not exists (
          select 1 from deployments d
          where d.rolling_of = ${root} and d.server_id = pl.server_id
            and (d.status in ${unendedStatuses} or d.status = ${success}))
      order by pl.server_id limit 1
    `,
  );

/**
 * Whether deployments of the project are queued or run: on its own server, or `onAny` of its servers. Locks the project's row, so
 * that decisions about its queue stay valid until the commit.
 */
export async function hasUnended(tx: Db, projectId: number, { onAny = false } = {}): Promise<boolean> {
  await tx.query(sql`select 1 from projects where id = ${projectId} for no key update`);
  const found = await row(
    tx,
    sql`
      select 1 from deployments
      where project_id = ${projectId} and status in ${unendedStatuses} and (${onAny} or rolling_of is null) limit 1
    `,
  );
  return found !== undefined;
}

/** For Prometheus: the deployments that have not ended. */
export const countOpenDeployments = (db: Db): Promise<CountRow[]> =>
  rows(
    db,
    sql`
      select case status when ${queued} then 'queued' when ${running} then 'running' else 'cancelling' end as status,
        count(*)::integer
      from deployments where status in ${unendedStatuses} group by 1
    `,
  );

/** What is lost with projects. */
export const listLosses = (db: Db, scope: LossScope): Promise<Loss[]> =>
  rows(
    db,
    lossOf("deployment", {
      id: sql`d.id`,
      from: sql`deployments d join projects p on p.id = d.project_id where ${isInScope(scope)}`,
    }),
  );
