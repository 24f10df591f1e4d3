import { limitOf } from "../../db/page.ts";
import { changed, type Db, row, rows, type Sql, sql } from "../../db/sql.ts";
import type { PageRequest } from "../../http/pagination.ts";
import { type Actor, projectReach } from "../accounts/reach.ts";
import { type CustomCommands, type ProjectRow, publishKind, type ShownProjectRow } from "./schema.ts";

const disk = sql`
  case when p.disk_measured_at is not null then json_build_object('releases_bytes', p.releases_bytes,
    'caches_bytes', p.caches_bytes, 'measured_at', to_char(p.disk_measured_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) end
`;

const shownColumns = sql`
  p.id, p.organization_id, p.server_id, p.project_group_id, p.name, p.framework_id, p.environment, p.source_type,
  p.app_slug, p.app_version, p.repository_type, p.repository, p.repository_branch, p.auto_deploy_is_active,
  p.ssl_is_enabled, p.installation_status, p.redirect_status_code, p.www_redirect, p.maintenance_mode,
  p.zero_downtime, p.live_port, p.custom_commands, p.max_memory, p.always_rebuild_frontend,
  p.markdown_negotiation_enabled, p.shared_directories, p.shared_files, p.output_directory, p.health_path,
  p.health_status, p.start_timeout_seconds, p.spa_fallback, p.php_version, p.node_version, p.max_upload_mb,
  p.drain_timeout_seconds, p.build_cache, p.kept_releases_mb, ${disk} as disk, p.hsts_is_enabled, p.rollback_on_down,
  p.trusted_proxies, p.basic_auth_user, p.web_server_drift, p.load_balancer_id, p.replica_of, p.notes, p.created_at,
  p.updated_at,
  (
    select coalesce(json_agg(json_build_object('id', d.id, 'domain_name', d.domain_name, 'is_primary', d.is_primary,
      'is_active', d.is_active, 'redirect_to', d.redirect_to, 'redirect_status_code', d.redirect_status_code,
      'created_at', to_char(d.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) order by d.is_primary desc, d.id), '[]')
    from domains d where d.project_id = coalesce(p.replica_of, p.id)
  ) as domains,
  (
    select coalesce(json_agg(json_build_object('job_id', w.job_id, 'restarts', w.restarts, 'last_lines', w.last_lines,
      'since', to_char(w.looping_since, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) order by w.id), '[]')
    from process_watches w where w.project_id = p.id and w.looping_since is not null
  ) as crash_loops
`;

// In a common network a balancer connects to its nodes by their private addresses.
const balance = sql`
  select json_build_object('project_id', m.id, 'in_maintenance', m.maintenance_mode, 'addresses', array_remove(array[b.public_ip, b.private_ip], null),
    'certificate', (
      select json_build_object('version', c.version, 'names', c.names, 'offers_ocsp', c.offers_ocsp)
      from certificates c where c.project_id = p.id and c.server_id = p.server_id
    ),
    'nodes', (
      select coalesce(json_agg(json_build_object('id', n.id,
        'address', case when b.private_ip is null then s.public_ip else coalesce(s.private_ip, s.public_ip) end)
        order by n.id), '[]')
      from projects n join servers s on s.id = n.server_id
      where (n.id = m.id or n.replica_of = m.id) and not n.is_leaving and n.live_release_id is not null
        and s.public_ip is not null
    ))
  from projects m join servers b on b.id = m.load_balancer_id where m.id = coalesce(p.replica_of, p.id)
`;

const columns = sql`
  ${shownColumns}, p.is_prepared, p.prepared, p.port_pair, p.live_deployment_id, p.live_release_id, p.basic_auth_version,
  array(
    select address from servers s, unnest(array[s.public_ip, s.private_ip]) address
    where s.organization_id = p.organization_id and s.server_type = 4 and address is not null order by 1
  ) as load_balancers,
  (
    select json_build_object('version', c.version, 'names', c.names, 'offers_ocsp', c.offers_ocsp)
    from certificates c where c.project_id = p.id and c.server_id = coalesce(p.load_balancer_id, p.server_id)
  ) as certificate,
  coalesce(p.load_balancer_id, p.server_id) as front_server_id, p.is_leaving, p.balancer_site,
  p.environment_variables is not null as has_environment,
  case when p.load_balancer_id is not null or p.replica_of is not null then (${balance}) end as balance
`;

/** The visible fields of a project, without those that only jobs need. */
export const findShownProject = (db: Db, actor: Actor, id: number): Promise<ShownProjectRow | undefined> =>
  row(db, sql`select ${shownColumns} from projects p where p.id = ${id} and ${projectReach(actor)}`);

export const findProject = (db: Db, actor: Actor, id: number): Promise<ProjectRow | undefined> =>
  row(db, sql`select ${columns} from projects p where p.id = ${id} and ${projectReach(actor)}`);

/** The projects among the ids that the actor reaches, with their source types: all that is needed before a deployment. */
export const listSourceTypes = (
  db: Db,
  actor: Actor,
  ids: readonly number[],
): Promise<Pick<ProjectRow, "id" | "source_type">[]> =>
  rows(
    db,
    sql`select p.id, p.source_type from projects p where p.id = any(${ids}::bigint[]) and ${projectReach(actor)}`,
  );

/** Without an actor: only for jobs, never for a request. */
export const findProjectForWork = (db: Db, id: number): Promise<ProjectRow | undefined> =>
  row(db, sql`select ${columns} from projects p where p.id = ${id}`);

/** Like `findProjectForWork`, for several ids. */
export const listProjectsForWork = (db: Db, ids: readonly number[]): Promise<ProjectRow[]> =>
  rows(db, sql`select ${columns} from projects p where p.id = any(${ids}::bigint[])`);

// Locked first and then read: after a wait PostgreSQL reads the locked row again, but subqueries would have results from before
// the wait.
/** Like `findProject`, and locks the project and its domains until the end of the transaction. */
export async function lockProject(tx: Db, actor: Actor, id: number): Promise<ProjectRow | undefined> {
  const held = await row(
    tx,
    sql`select 1 from projects p where p.id = ${id} and ${projectReach(actor)} for no key update of p`,
  );
  return held === undefined ? undefined : findProject(tx, actor, id);
}

/** Like `lockProject`, without an actor: only for jobs, or after the caller has checked the actor's reach. */
export async function lockProjectForWork(tx: Db, id: number): Promise<ProjectRow | undefined> {
  const held = await row(tx, sql`select 1 from projects p where p.id = ${id} for no key update of p`);
  return held === undefined ? undefined : findProjectForWork(tx, id);
}

export interface ProjectFilter {
  groupId: number | undefined;
  environment: string | undefined;
}

function matching(actor: Actor, filter: ProjectFilter): Sql {
  const group = filter.groupId === undefined ? sql`` : sql`and p.project_group_id = ${filter.groupId}`;
  const environment = filter.environment === undefined ? sql`` : sql`and p.environment = ${filter.environment}`;
  return sql`${projectReach(actor)} ${group} ${environment}`;
}

/** A page of projects, each with the total count. */
export const listProjects = (
  db: Db,
  actor: Actor,
  filter: ProjectFilter,
  page: PageRequest,
): Promise<(ShownProjectRow & { total: number })[]> =>
  actor.restriction ? listWithinRestriction(db, actor, filter, page) : listAmongAll(db, actor, filter, page);

// The page is a subquery, so that lookups of columns are done only for the page, not for all rows before it.
const listAmongAll = (db: Db, actor: Actor, filter: ProjectFilter, page: PageRequest) =>
  rows<ShownProjectRow & { total: number }>(
    db,
    sql`
      select ${shownColumns}, (${count(actor, filter)}) as total
      from (
        select * from projects p where ${matching(actor, filter)}
        order by p.id ${limitOf(page)}
      ) p order by p.id
    `,
  );

// Few of many: an ordered scan until a page is full might have to read all rows.
const listWithinRestriction = (db: Db, actor: Actor, filter: ProjectFilter, page: PageRequest) =>
  rows<ShownProjectRow & { total: number }>(
    db,
    sql`
      with reached as materialized (select p.id from projects p where ${matching(actor, filter)})
      select ${shownColumns}, (select count(*) from reached) as total
      from projects p where p.id = any(array(select id from reached order by id ${limitOf(page)})) order by p.id
    `,
  );

export async function countProjects(db: Db, actor: Actor, filter: ProjectFilter): Promise<number> {
  return (await row<{ total: number }>(db, sql`select (${count(actor, filter)}) as total`))?.total ?? 0;
}

// By an index on the organization: 1 ms for an organization with 10,000 projects.
const count = (actor: Actor, filter: ProjectFilter): Sql =>
  sql`select count(*) from projects p where ${matching(actor, filter)}`;

// Creation ----------------------------------------------------------------------------------------------------------------

/** The settings of a release: its directory, its health check, and its runtime. */
export type ServedSettings = Pick<
  ProjectRow,
  | "output_directory"
  | "health_path"
  | "health_status"
  | "start_timeout_seconds"
  | "spa_fallback"
  | "php_version"
  | "node_version"
>;

export interface NewProject {
  organizationId: number;
  serverId: number;
  groupId: number | null;
  name: string;
  frameworkId: number;
  environment: string | null;
  /** For a catalog application, which has no repository. */
  appSlug?: string;
  repositoryType: string | null;
  repository: string | null;
  branch: string | null;
  autoDeploy: boolean;
  ssl: boolean;
  wwwRedirect: number;
  zeroDowntime: boolean;
  portPair: number | null;
  customCommands: CustomCommands;
  environmentVariables: Buffer | null;
  maxMemory: string | null;
  /** Default: 100. */
  maxUploadMb?: number | undefined;
  sharedDirectories: readonly string[];
  sharedFiles: readonly string[];
  served: ServedSettings;
  notes: string | null;
}

export async function insertProject(tx: Db, project: NewProject): Promise<number> {
  const inserted = await row<{ id: number }>(
    tx,
    sql`
      insert into projects (organization_id, server_id, project_group_id, name, framework_id, environment,
        source_type, app_slug, repository_type, repository, repository_branch, auto_deploy_is_active, ssl_is_enabled, www_redirect,
        zero_downtime, port_pair, live_port, custom_commands, environment_variables, max_memory, max_upload_mb,
        shared_directories, shared_files, output_directory, health_path, health_status, start_timeout_seconds,
        spa_fallback, php_version, node_version, notes)
      values (${project.organizationId}, ${project.serverId}, ${project.groupId}, ${project.name},
        ${project.frameworkId}, ${project.environment}, ${project.appSlug === undefined ? "git" : "app"},
        ${project.appSlug ?? null}, ${project.repositoryType}, ${project.repository},
        ${project.branch}, ${project.autoDeploy}, ${project.ssl}, ${project.wwwRedirect}, ${project.zeroDowntime},
        ${project.portPair}, ${project.portPair}, ${JSON.stringify(project.customCommands)},
        ${project.environmentVariables}, ${project.maxMemory}, ${project.maxUploadMb ?? 100}, ${project.sharedDirectories},
        ${project.sharedFiles}, ${project.served.output_directory}, ${project.served.health_path},
        ${project.served.health_status}, ${project.served.start_timeout_seconds}, ${project.served.spa_fallback},
        ${project.served.php_version}, ${project.served.node_version}, ${project.notes})
      returning id
    `,
  );
  return (inserted as { id: number }).id;
}

/** Inserts a domain; false if another project of the installation has the name. */
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
 * Locks the server until the end of the transaction, so that it is not deleted and decisions about its projects stay valid; false
 * if it is gone.
 */
export const lockServerRow = async (tx: Db, serverId: number): Promise<boolean> =>
  (await row(tx, sql`select 1 from servers where id = ${serverId} for no key update`)) !== undefined;

/** Takes the lowest free pair of ports on a locked server, from 20000 up; returns the even one. */
export async function takePortPair(tx: Db, serverId: number): Promise<number> {
  const free = await row<{ port: number }>(
    tx,
    sql`
      select port from generate_series(20000, 64998, 2) port
      where not exists (select 1 from projects p where p.server_id = ${serverId} and p.port_pair = port)
        and not exists (select 1 from moves m where m.other_id = ${serverId} and m.other_port_pair = port)
      order by port limit 1
    `,
  );
  if (!free) throw new Error(`Server ${serverId} has no free ports`);
  return free.port;
}

// State of the server ----------------------------------------------------------------------------------------------------

/** The encrypted text of the project's .env file. */
export async function findEnvironment(db: Db, projectId: number): Promise<Buffer | null> {
  const found = await row<{ environment_variables: Buffer | null }>(
    db,
    sql`select environment_variables from projects where id = ${projectId}`,
  );
  return found?.environment_variables ?? null;
}

/** The line that nginx checks passwords against (`user:hash`), encrypted; null: no password. */
export async function findBasicAuth(db: Db, id: number): Promise<Buffer | null> {
  const found = await row<{ basic_auth_hash: Buffer | null }>(
    db,
    sql`select basic_auth_hash from projects where id = ${id}`,
  );
  return found?.basic_auth_hash ?? null;
}

/** Records a manual edit that was found on the server; returns the project if it still exists. */
export const setDrift = (
  tx: Db,
  id: number,
  drift: { file: string; kept_as: string | null },
): Promise<Pick<ProjectRow, "id" | "server_id" | "organization_id"> | undefined> =>
  row(
    tx,
    sql`
      update projects set updated_at = clock_timestamp(), web_server_drift = jsonb_build_object(
        'found_at', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
        'file', ${drift.file}::text, 'kept_as', ${drift.kept_as}::text)
      where id = ${id} returning id, server_id, organization_id
    `,
  );

/** Records whether visitors get the maintenance page now; returns the project if that changed. */
export const setMaintenance = (
  tx: Db,
  id: number,
  isOn: boolean,
): Promise<Pick<ProjectRow, "id" | "server_id" | "organization_id"> | undefined> =>
  row(
    tx,
    sql`
      update projects set maintenance_mode = ${isOn}, updated_at = clock_timestamp()
      where id = ${id} and maintenance_mode <> ${isOn} returning id, server_id, organization_id
    `,
  );

/** Whether the project is being moved to another server. */
export const isMoving = async (db: Db, id: number): Promise<boolean> =>
  (await row(
    db,
    sql`select 1 from deployments where project_id = ${id} and process_type = 'move' and status in (3, 4)`,
  )) !== undefined;

/**
 * Records which steps of the preparation the server has, by their fingerprints; the records of other steps stay. The project is
 * prepared once `last` is among them. Records nothing about a server that the project has left.
 */
export async function setPrepared(
  tx: Db,
  { projectId, serverId }: { projectId: number; serverId: number | null },
  steps: Record<string, string>,
  last: string,
): Promise<void> {
  const added = JSON.stringify(steps);
  await tx.query(sql`
    update projects set prepared = prepared || ${added}::jsonb,
      is_prepared = is_prepared or ${added}::jsonb ? ${last}
    where id = ${projectId} and server_id = ${serverId} and not prepared @> ${added}::jsonb
  `);
}

/** Records the live release; returns the project, or undefined if it was deleted. */
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

/** Records the disk usage of the project that a run measured on its server; null: not measured. */
export async function setDisk(
  tx: Db,
  projectId: number,
  disk: { releasesBytes: number; cachesBytes: number; keptReleases: number[] | null } | null,
): Promise<void> {
  await tx.query(sql`
    update projects set releases_bytes = ${disk?.releasesBytes ?? null}, caches_bytes = ${disk?.cachesBytes ?? null},
      kept_releases = ${disk?.keptReleases ?? null}::bigint[],
      disk_measured_at = case when ${disk !== null} then clock_timestamp() end
    where id = ${projectId}
  `);
}

/**
 * Whether a project of the organization has the name. Locks the organization's row, so that no other transaction can take the
 * name.
 */
export async function isNameTaken(tx: Db, organizationId: number, name: string): Promise<boolean> {
  await tx.query(sql`select 1 from organizations where id = ${organizationId} for no key update`);
  return (
    (await row(
      tx,
      sql`select 1 from projects where organization_id = ${organizationId} and name = ${name} limit 1`,
    )) !== undefined
  );
}

type Touched = Pick<ProjectRow, "id" | "server_id" | "organization_id">;

/** Records the live release of a catalog application, and the version that it reported. */
export const setAppLive = (
  tx: Db,
  projectId: number,
  live: { releaseId: number; port: number | null; version: string },
): Promise<Touched | undefined> =>
  row(
    tx,
    sql`
      update projects set live_release_id = ${live.releaseId}, live_port = coalesce(${live.port}, live_port),
        app_version = ${live.version}, updated_at = clock_timestamp()
      where id = ${projectId} returning id, server_id, organization_id
    `,
  );

/** Changes the state of a catalog application's installation; undefined if it was not in the state `from`. */
export const moveInstallation = (
  tx: Db,
  projectId: number,
  from: 0 | 1 | 2,
  to: 0 | 1 | 2,
): Promise<Touched | undefined> =>
  row(
    tx,
    sql`
      update projects set installation_status = ${to}, updated_at = clock_timestamp()
      where id = ${projectId} and source_type = 'app' and installation_status = ${from}
      returning id, server_id, organization_id
    `,
  );

// Deletion ----------------------------------------------------------------------------------------------------------------

/**
 * Locks a project that is about to be deleted, then its unended deployments. Runs of the project either began before this
 * returns, and are found by later queries, or do not begin at all.
 */
export async function lockForDeletion(tx: Db, projectId: number): Promise<void> {
  await tx.query(sql`select 1 from projects where id = ${projectId} for update`);
  await tx.query(sql`
    select 1 from deployments where project_id = ${projectId} and status in (0, 3, 4) order by id for update
  `);
}

/** Returns its server. */
export const deleteProjectRow = (
  tx: Db,
  projectId: number,
): Promise<{ server_id: number; load_balancer_id: number | null } | undefined> =>
  row(tx, sql`delete from projects where id = ${projectId} returning server_id, load_balancer_id`);

/** Unended runs of a project: of its deployments, and of kinds whose subject is the project. */
export const listActiveRuns = (tx: Db, projectId: number, kinds: readonly string[]): Promise<{ id: number }[]> =>
  rows(
    tx,
    sql`
      select r.id from runs r join deployments d on d.run_id = r.id
      where d.project_id = ${projectId} and r.ended_at is null
      union
      select id from runs where subject_id = ${projectId} and kind = any(${kinds}) and ended_at is null
    `,
  );

/** A project that is still to be removed from a server. */
export interface Removal {
  projectId: number;
  serverId: number;
  /** Runs of the project that were under way there; their end is awaited. */
  runIds: number[];
  /** Whether a load balancer may have sent a visitor there. */
  isReplica: boolean;
}

export async function insertRemoval(tx: Db, { projectId, serverId, runIds, isReplica }: Removal): Promise<void> {
  await tx.query(sql`
    insert into removals (project_id, server_id, run_ids, is_replica)
    values (${projectId}, ${serverId}, ${runIds}::bigint[], ${isReplica})
    on conflict (project_id, server_id) do update set run_ids = excluded.run_ids, is_replica = excluded.is_replica
  `);
}

export const findRemoval = (db: Db, projectId: number, serverId: number): Promise<Removal | undefined> =>
  row(
    db,
    sql`
      select project_id as "projectId", server_id as "serverId", run_ids as "runIds", is_replica as "isReplica"
      from removals where project_id = ${projectId} and server_id = ${serverId}
    `,
  );

export const deleteRemoval = (tx: Db, projectId: number, serverId: number): Promise<number> =>
  changed(tx, sql`delete from removals where project_id = ${projectId} and server_id = ${serverId}`);

// Load balancers -----------------------------------------------------------------------------------------------------------

export async function findName(db: Db, id: number): Promise<string> {
  const found = await row<{ name: string }>(db, sql`select name from projects where id = ${id}`);
  return found?.name ?? "";
}

/** The replicas of a project that the caller has locked, also locked. */
export async function listReplicas(tx: Db, projectId: number): Promise<ProjectRow[]> {
  await tx.query(sql`select 1 from projects p where p.replica_of = ${projectId} order by p.id for no key update of p`);
  return rows(tx, sql`select ${columns} from projects p where p.replica_of = ${projectId} order by p.id`);
}

export const isReplicaLeaving = async (db: Db, projectId: number): Promise<boolean> =>
  (await row(db, sql`select 1 from projects where replica_of = ${projectId} and is_leaving limit 1`)) !== undefined;

/**
 * Copies the settings of projects to their replicas: to replicas among the ids, and to all replicas of projects among them;
 * returns how many changed.
 */
export const takeOver = (tx: Db, ids: readonly number[]): Promise<number> =>
  changed(
    tx,
    sql`
    update projects r set framework_id = m.framework_id, environment = m.environment,
      project_group_id = m.project_group_id, repository_type = m.repository_type, repository = m.repository,
      repository_branch = m.repository_branch, www_redirect = m.www_redirect,
      redirect_status_code = m.redirect_status_code, zero_downtime = m.zero_downtime,
      custom_commands = m.custom_commands, environment_variables = m.environment_variables, max_memory = m.max_memory,
      always_rebuild_frontend = m.always_rebuild_frontend,
      markdown_negotiation_enabled = m.markdown_negotiation_enabled, shared_directories = m.shared_directories,
      shared_files = m.shared_files, output_directory = m.output_directory, health_path = m.health_path,
      health_status = m.health_status, start_timeout_seconds = m.start_timeout_seconds, spa_fallback = m.spa_fallback,
      php_version = m.php_version,
      node_version = m.node_version,
      max_upload_mb = m.max_upload_mb, drain_timeout_seconds = m.drain_timeout_seconds,
      build_cache = m.build_cache, kept_releases_mb = m.kept_releases_mb,
      hsts_is_enabled = m.hsts_is_enabled,
      trusted_proxies = m.trusted_proxies, basic_auth_user = m.basic_auth_user, basic_auth_hash = m.basic_auth_hash,
      basic_auth_version = m.basic_auth_version, updated_at = clock_timestamp()
    from projects m
    where m.id = r.replica_of and (r.id = any(${ids}::bigint[]) or r.replica_of = any(${ids}::bigint[]))
  `,
  );

/** Whether a node of a project has had a pending change for less than these seconds. */
export const isNodeBehind = async (tx: Db, projectId: number, seconds: number): Promise<boolean> =>
  (await row(
    tx,
    sql`
      select 1 from projects p
        join targets t on t.kind = ${publishKind} and t.subject_id = p.id and t.server_id = p.server_id
      where (p.id = ${projectId} or p.replica_of = ${projectId})
        and t.applied_version < t.wanted_version and t.given_up_version < t.wanted_version
        and t.since > clock_timestamp() - make_interval(secs => ${seconds})
      limit 1
    `,
  )) !== undefined;

/** Records the state of a project on its load balancer. */
export async function setBalancerSite(tx: Db, projectId: number, fingerprint: string): Promise<void> {
  await tx.query(sql`update projects set balancer_site = ${fingerprint} where id = ${projectId}`);
}
