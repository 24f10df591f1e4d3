import { type Db, row, rows, type Sql, sql } from "../../db/sql.ts";
import type { PageRequest } from "../../http/pagination.ts";
import { type Actor, projectReach } from "../accounts/reach.ts";
import type { CustomCommands, ProjectRow } from "./schema.ts";

const columns = sql`
  p.id, p.organization_id, p.server_id, p.project_group_id, p.name, p.framework_id, p.environment, p.source_type,
  p.app_slug, p.app_version, p.repository_type, p.repository, p.repository_branch, p.auto_deploy_is_active,
  p.ssl_is_enabled, p.installation_status, p.is_prepared, p.redirect_status_code, p.www_redirect, p.maintenance_mode,
  p.zero_downtime, p.port_pair, p.live_port, p.live_deployment_id, p.live_release_id, p.custom_commands, p.max_memory,
  p.always_rebuild_frontend, p.markdown_negotiation_enabled, p.shared_directories, p.shared_files, p.notes,
  p.created_at, p.updated_at,
  (
    select coalesce(json_agg(json_build_object('id', d.id, 'domain_name', d.domain_name, 'is_primary', d.is_primary,
      'is_active', d.is_active, 'redirect_to', d.redirect_to, 'redirect_status_code', d.redirect_status_code,
      'created_at', to_char(d.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) order by d.is_primary desc, d.id), '[]')
    from domains d where d.project_id = p.id
  ) as domains
`;

export const findProject = (db: Db, actor: Actor, id: number): Promise<ProjectRow | undefined> =>
  row(db, sql`select ${columns} from projects p where p.id = ${id} and ${projectReach(actor)}`);

export const findProjects = (db: Db, actor: Actor, ids: readonly number[]): Promise<ProjectRow[]> =>
  rows(db, sql`select ${columns} from projects p where p.id = any(${ids}::bigint[]) and ${projectReach(actor)}`);

/** Without an actor: only for jobs, never for a request. */
export const findProjectForWork = (db: Db, id: number): Promise<ProjectRow | undefined> =>
  row(db, sql`select ${columns} from projects p where p.id = ${id}`);

export interface ProjectFilter {
  groupId: number | undefined;
  environment: string | undefined;
}

function matching(actor: Actor, filter: ProjectFilter): Sql {
  const group = filter.groupId === undefined ? sql`` : sql`and p.project_group_id = ${filter.groupId}`;
  const environment = filter.environment === undefined ? sql`` : sql`and p.environment = ${filter.environment}`;
  return sql`${projectReach(actor)} ${group} ${environment}`;
}

export const listProjects = (db: Db, actor: Actor, filter: ProjectFilter, page: PageRequest): Promise<ProjectRow[]> =>
  rows(
    db,
    sql`
      select ${columns} from projects p where ${matching(actor, filter)}
      order by p.id limit ${page.limit} offset ${page.offset}
    `,
  );

export async function countProjects(db: Db, actor: Actor, filter: ProjectFilter): Promise<number> {
  const counted = await row<{ count: number }>(
    db,
    sql`select count(*) from projects p where ${matching(actor, filter)}`,
  );
  return counted?.count ?? 0;
}

export interface NewProject {
  organizationId: number;
  serverId: number;
  groupId: number | null;
  name: string;
  frameworkId: number;
  environment: string | null;
  repositoryType: string;
  repository: string;
  branch: string;
  autoDeploy: boolean;
  ssl: boolean;
  wwwRedirect: number;
  zeroDowntime: boolean;
  portPair: number | null;
  customCommands: CustomCommands;
  environmentVariables: Buffer | null;
  maxMemory: string | null;
  sharedDirectories: readonly string[];
  sharedFiles: readonly string[];
  notes: string | null;
}

export async function insertProject(tx: Db, project: NewProject): Promise<number> {
  const inserted = await row<{ id: number }>(
    tx,
    sql`
      insert into projects (organization_id, server_id, project_group_id, name, framework_id, environment,
        repository_type, repository, repository_branch, auto_deploy_is_active, ssl_is_enabled, www_redirect,
        zero_downtime, port_pair, live_port, custom_commands, environment_variables, max_memory, shared_directories,
        shared_files, notes)
      values (${project.organizationId}, ${project.serverId}, ${project.groupId}, ${project.name},
        ${project.frameworkId}, ${project.environment}, ${project.repositoryType}, ${project.repository},
        ${project.branch}, ${project.autoDeploy}, ${project.ssl}, ${project.wwwRedirect}, ${project.zeroDowntime},
        ${project.portPair}, ${project.portPair}, ${JSON.stringify(project.customCommands)},
        ${project.environmentVariables}, ${project.maxMemory}, ${project.sharedDirectories}, ${project.sharedFiles},
        ${project.notes})
      returning id
    `,
  );
  return (inserted as { id: number }).id;
}

/** False when another project of the installation has the name. */
export async function insertedDomain(tx: Db, projectId: number, name: string, isPrimary: boolean): Promise<boolean> {
  const inserted = await row(
    tx,
    sql`
      insert into domains (project_id, domain_name, is_primary) values (${projectId}, ${name}, ${isPrimary})
      on conflict (domain_name) do nothing returning id
    `,
  );
  return inserted !== undefined;
}

/**
 * The lowest free pair of ports on a server, from 20000 up; the even one. Locks the server's row, so that two projects
 * made at once get two pairs.
 */
export async function takePortPair(tx: Db, serverId: number): Promise<number> {
  await tx.query(sql`select 1 from servers where id = ${serverId} for update`);
  const free = await row<{ port: number }>(
    tx,
    sql`
      select port from generate_series(20000, 64998, 2) port
      where not exists (select 1 from projects p where p.server_id = ${serverId} and p.port_pair = port)
      order by port limit 1
    `,
  );
  if (!free) throw new Error(`Server ${serverId} has no free ports`);
  return free.port;
}

export const groupExists = async (db: Db, organizationId: number, id: number): Promise<boolean> =>
  (await row(db, sql`select 1 from project_groups where id = ${id} and organization_id = ${organizationId}`)) !==
  undefined;

/** The encrypted text of the project's .env file. */
export async function findEnvironment(db: Db, projectId: number): Promise<Buffer | null> {
  const found = await row<{ environment_variables: Buffer | null }>(
    db,
    sql`select environment_variables from projects where id = ${projectId}`,
  );
  return found?.environment_variables ?? null;
}

export async function markPrepared(tx: Db, projectId: number): Promise<void> {
  await tx.query(sql`update projects set is_prepared = true where id = ${projectId} and not is_prepared`);
}

/** Records what is live now; the project, or undefined when it was deleted meanwhile. */
export const setLive = (
  tx: Db,
  projectId: number,
  live: { deploymentId: number; releaseId: number; port: number | null },
): Promise<{ id: number; server_id: number; organization_id: number } | undefined> =>
  row(
    tx,
    sql`
      update projects set live_deployment_id = ${live.deploymentId}, live_release_id = ${live.releaseId},
        live_port = coalesce(${live.port}, live_port), installation_status = 1, updated_at = clock_timestamp()
      where id = ${projectId} returning id, server_id, organization_id
    `,
  );

export const deleteProjectRow = (tx: Db, projectId: number): Promise<{ id: number } | undefined> =>
  row(tx, sql`delete from projects where id = ${projectId} returning id`);

/** Runs of a project's deployments that have not ended. */
export const listActiveRuns = (tx: Db, projectId: number): Promise<{ id: number }[]> =>
  rows(
    tx,
    sql`
      select r.id from runs r join deployments d on d.run_id = r.id
      where d.project_id = ${projectId} and r.ended_at is null
    `,
  );
