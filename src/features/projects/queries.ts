import {
  type Columns,
  changed,
  columnsAndValues,
  columnsOf,
  constants,
  type Db,
  join,
  row,
  rows,
  rowsInParts,
  type Sql,
  selected,
  sql,
} from "../../db/sql.ts";
import { targetsOf } from "../../engine/reconcile/queries.ts";
import type { TargetState } from "../../engine/reconcile/target.ts";
import type { MaskingChoices } from "../../host/environment/secret-values.ts";
import type { Loss, LossScope } from "../../http/dry-run.ts";
import { isInScope, lossOf } from "../../http/queries.ts";
import { settingNames } from "../../http/settings.ts";
import { type Actor, projectReach } from "../accounts/reach.ts";
import { insertPlacement } from "../placements/queries.ts";
import type { PlacementRef, PlacementRow } from "../placements/schema.ts";
import { serverTypes } from "../servers/schema.ts";
import { shownSiteColumns, siteColumns } from "../site-records/queries.ts";
import { balancerSiteKind, publishKind } from "../site-records/schema.ts";
import { initialPhp } from "./php/schema.ts";
import {
  type InstallationStatus,
  installationStatus,
  type PlacedProject,
  type PlacedSite,
  type ProjectRow,
  type ShownColumns,
  type ShownProjectRow,
  type SummaryRow,
} from "./schema.ts";
import type { VariableChanges } from "./settings/environment-changes.ts";
import { projectSettings } from "./settings/schema.ts";
import { stateOf } from "./states/queries.ts";

const { loadBalancer } = constants(serverTypes);
const { installed } = constants(installationStatus);

/** Joins a project `p` with its site, and with its placement on each of its servers. */
const joins = sql`join sites site on site.project_id = p.id join placements pl on pl.project_id = p.id`;

/** The same on its own server alone. */
export const joinsOwn = sql`${joins} and pl.server_id = p.server_id`;

const updatedAt = sql`greatest(p.updated_at, site.updated_at)`;

const ownColumns: Columns<ShownColumns> = columnsOf("p", [
  ...["id", "organization_id", "name", "framework_id", "source_type", "app_slug", "app_version", "repository_type"],
  ...["repository", "repository_branch", "installation_status", "created_at", ...settingNames(projectSettings)],
] as const);

/** The columns of a project in lists. */
export const summaryColumns = (actor: Actor): Columns<SummaryRow> => ({
  ...columnsOf("p", [
    ...["id", "name", "server_id", "framework_id", "project_group_id", "environment", "source_type", "repository"],
    ...["repository_branch", "auto_deploy_is_active", "created_at"],
  ] as const),
  state: stateOf,
  server_name: sql`(select s.name from servers s where s.id = p.server_id)`,
  primary_domain: sql`(select d.domain_name from domains d where d.project_id = p.id and d.is_primary)`,
  ssl_is_enabled: sql`site.ssl_is_enabled`,
  is_pinned: isPinned(actor),
  updated_at: updatedAt,
});

/** The columns of a whole project. */
export const shownColumns = (actor: Actor): Columns<ProjectWithTargets> => ({
  ...ownColumns,
  ...shownSiteColumns,
  ...summaryColumns(actor),
  ...columnsOf("pl", ["live_port"]),
  disk: sql`
    case when pl.disk_measured_at is not null then json_build_object('releases_bytes', pl.releases_bytes,
      'caches_bytes', pl.caches_bytes, 'measured_at', to_char(pl.disk_measured_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) end
  `,
  crash_loops: sql`(
    select coalesce(json_agg(json_build_object('job_id', w.job_id, 'server_id', w.server_id, 'restarts', w.restarts, 'last_lines', w.last_lines,
      'since', to_char(w.looping_since, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) order by w.id), '[]')
    from process_watches w where w.project_id = p.id and w.looping_since is not null
  )`,
  targets: targetsOf([publishKind, balancerSiteKind], sql`p.id`),
});

const projectColumns: Columns<ProjectRow> = {
  ...ownColumns,
  home_server_id: sql`p.server_id`,
  has_environment: sql`p.environment_variables is not null`,
  // What was never given has the value of a new project.
  php: sql`${JSON.stringify(initialPhp)}::jsonb || p.php`,
  updated_at: updatedAt,
};

// In a common network a balancer connects to its nodes by their private addresses.
const balance = sql`
  select json_build_object('in_maintenance', site.maintenance_mode,
    'addresses', array_remove(array[b.public_ip, b.private_ip], null),
    'certificate', (
      select json_build_object('version', c.version, 'names', c.names, 'offers_ocsp', c.offers_ocsp)
      from certificates c where c.project_id = p.id and c.server_id = pl.server_id
    ),
    'nodes', (
      select coalesce(json_agg(json_build_object('id', s.id,
        'address', case when b.private_ip is null then s.public_ip else coalesce(s.private_ip, s.public_ip) end)
        order by s.id), '[]')
      from placements n join servers s on s.id = n.server_id
      where n.project_id = p.id and n.role in ('own', 'replica') and n.live_release_id is not null
        and s.public_ip is not null
    ))
  from servers b where b.id = site.load_balancer_id
`;

const placedSiteColumns: Columns<PlacedSite> = {
  ...siteColumns,
  load_balancers: sql`array(
    select address from servers s, unnest(array[s.public_ip, s.private_ip]) address
    where s.organization_id = p.organization_id and s.server_type = ${loadBalancer} and address is not null order by 1
  )`,
  forwarders: sql`array(
    select s.public_ip from forwardings f join servers s on s.id = f.server_id
    where f.project_id = p.id and f.passes_on and s.organization_id = p.organization_id and s.public_ip is not null
    order by 1
  )`,
  certificate: sql`(
    select json_build_object('version', c.version, 'names', c.names, 'offers_ocsp', c.offers_ocsp)
    from certificates c where c.project_id = p.id and c.server_id = coalesce(site.load_balancer_id, pl.server_id)
  )`,
  front_server_id: sql`coalesce(site.load_balancer_id, pl.server_id)`,
  balance: sql`case when site.load_balancer_id is not null then (${balance}) end`,
};

const placementColumns: Columns<PlacementRow> = columnsOf("pl", [
  ...["server_id", "role", "port_pair", "may_adopt", "is_prepared", "live_port", "live_deployment_id"],
  "live_release_id",
] as const);

/** The columns of a `PlacedProject`. */
const placedColumns = join([
  selected(projectColumns),
  selected(placedSiteColumns, "site"),
  selected(placementColumns, "placement"),
]);

/** Projects with their sites and placements: as on their own servers, or with `joins` on any of them. */
const listPlaced = (db: Db, condition: Sql, joined: Sql = joinsOwn): Promise<PlacedProject[]> =>
  rowsInParts(db, sql`select ${placedColumns} from projects p ${joined} where ${condition}`);

/** A project as the API shows it, with the targets of its sites. */
export type ProjectWithTargets = ShownProjectRow & { targets: TargetState[] };

export const findShownProject = (db: Db, actor: Actor, id: number): Promise<ProjectWithTargets | undefined> =>
  row(
    db,
    sql`
      select ${selected(shownColumns(actor))} from projects p ${joinsOwn}
      where p.id = ${id} and ${projectReach(actor)}
    `,
  );

export const findProject = async (db: Db, actor: Actor, id: number): Promise<PlacedProject | undefined> =>
  (await listPlaced(db, sql`p.id = ${id} and ${projectReach(actor)}`))[0];

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

/** Without an actor: only for jobs, never for a request. The project is as on its own server. */
export const findProjectForWork = async (db: Db, id: number): Promise<PlacedProject | undefined> =>
  (await listPlaced(db, sql`p.id = ${id}`))[0];

/** Like `findProjectForWork`, for several ids. */
export const listProjectsForWork = (db: Db, ids: readonly number[]): Promise<PlacedProject[]> =>
  listPlaced(db, sql`p.id = any(${ids}::bigint[])`);

/** A project as it is on one of its servers. Without an actor: only for jobs, or after the caller has checked the reach. */
export const findProjectOn = async (db: Db, ref: PlacementRef): Promise<PlacedProject | undefined> =>
  (await listProjectsOn(db, [ref]))[0];

/** Like `findProjectOn`, for several; those that are not on their server are omitted. */
export const listProjectsOn = (db: Db, refs: readonly PlacementRef[]): Promise<PlacedProject[]> =>
  listPlaced(
    db,
    sql`
      (pl.project_id, pl.server_id) in (
        select * from unnest(${refs.map(({ projectId }) => projectId)}::bigint[],
          ${refs.map(({ serverId }) => serverId)}::bigint[]))
    `,
    joins,
  );

// Locked first and then read: after a wait PostgreSQL reads the locked row again, but subqueries would have results from before
// the wait.
/** Like `findProject`, and locks the project and its domains until the end of the transaction. */
export async function lockProject(tx: Db, actor: Actor, id: number): Promise<PlacedProject | undefined> {
  const held = await row(
    tx,
    sql`select 1 from projects p where p.id = ${id} and ${projectReach(actor)} for no key update of p`,
  );
  return held === undefined ? undefined : findProject(tx, actor, id);
}

/** Like `lockProject`, without an actor: only for jobs, or after the caller has checked the actor's reach. */
export const lockProjectForWork = async (tx: Db, id: number): Promise<PlacedProject | undefined> =>
  (await isLocked(tx, id)) ? findProjectForWork(tx, id) : undefined;

/** Like `findProjectOn`, and locks the project with all of its placements. */
export const lockProjectOn = async (tx: Db, ref: PlacementRef): Promise<PlacedProject | undefined> =>
  (await isLocked(tx, ref.projectId)) ? findProjectOn(tx, ref) : undefined;

const isLocked = async (tx: Db, id: number): Promise<boolean> =>
  (await row(tx, sql`select 1 from projects p where p.id = ${id} for no key update of p`)) !== undefined;

// Pins ----------------------------------------------------------------------------------------------------------------------

/** Whether the actor pinned a project `p`. */
export const isPinned = (actor: Actor): Sql =>
  sql`exists (select 1 from project_pins pin where pin.project_id = p.id and pin.user_id = ${actor.userId})`;

/** Pins a project for the actor; returns whether the project is in reach. */
export async function insertPin(db: Db, actor: Actor, id: number): Promise<boolean> {
  const pinned = await row(
    db,
    sql`
      with reachable as (select p.id, p.organization_id from projects p where p.id = ${id} and ${projectReach(actor)}),
        pin as (
          insert into project_pins (user_id, project_id, organization_id)
          select ${actor.userId}, id, organization_id from reachable on conflict do nothing
        )
      select id from reachable
    `,
  );
  return pinned !== undefined;
}

/** Unpins a project for the actor; returns whether the project is in reach. */
export async function deletePin(db: Db, actor: Actor, id: number): Promise<boolean> {
  const unpinned = await row(
    db,
    sql`
      with reachable as (select p.id from projects p where p.id = ${id} and ${projectReach(actor)}),
        pin as (delete from project_pins where user_id = ${actor.userId} and project_id in (select id from reachable))
      select id from reachable
    `,
  );
  return unpinned !== undefined;
}

/** Removes the pins on a server's projects of those who are not members of the organization that gets it. */
export async function removePinsOutside(
  tx: Db,
  { serverId, organizationId }: { serverId: number; organizationId: number },
): Promise<void> {
  await tx.query(sql`
    with members as materialized (
      select user_id from memberships where organization_id = ${organizationId} for key share
    )
    delete from project_pins using projects p
    where p.id = project_pins.project_id and p.server_id = ${serverId}
      and project_pins.user_id not in (select user_id from members)
  `);
}

// Creation ----------------------------------------------------------------------------------------------------------------

/** A row of `projects`, before its site and its placement exist. */
export interface NewProject extends Omit<ShownColumns, "id" | "app_version" | "installation_status" | "created_at"> {
  server_id: number;
  /** Encrypted. */
  environment_variables: Buffer | null;
  environment_changes: VariableChanges;
}

/** Inserts a project with its placement; `portPair`: the ports of a Node project. Its site has to follow. */
export async function insertProject(tx: Db, project: NewProject, portPair: number | null): Promise<number> {
  const inserted = await row<{ id: number }>(tx, sql`insert into projects ${columnsAndValues(project)} returning id`);
  const { id } = inserted as { id: number };
  await insertPlacement(tx, { projectId: id, serverId: project.server_id, role: "own", portPair });
  return id;
}

/**
 * Locks the server until the end of the transaction, so that it is not deleted and decisions about its projects stay valid; false
 * if it is gone.
 */
export const lockServerRow = async (tx: Db, serverId: number): Promise<boolean> =>
  (await row(tx, sql`select 1 from servers where id = ${serverId} for no key update`)) !== undefined;

// State of the server ----------------------------------------------------------------------------------------------------

/** The encrypted text of the project's .env file. */
export async function findEnvironment(db: Db, projectId: number): Promise<Buffer | null> {
  return (await findEnvironmentMasking(db, projectId))?.environment_variables ?? null;
}

/** The encrypted environment of a project, the users' choices of what logs show of it, and when which variable was set. */
export const findEnvironmentMasking = (
  db: Db,
  projectId: number,
): Promise<
  | {
      environment_variables: Buffer | null;
      environment_masking: MaskingChoices;
      environment_changes: VariableChanges;
    }
  | undefined
> =>
  row(
    db,
    sql`select environment_variables, environment_masking, environment_changes from projects where id = ${projectId}`,
  );

/** The first deployment on the project's own server has made a release live. */
export async function setInstalled(tx: Db, projectId: number): Promise<void> {
  await tx.query(sql`
    update projects set installation_status = ${installed}, updated_at = clock_timestamp() where id = ${projectId}
  `);
}

/** The project is on another server; its placement there is its own. Throws if it was not on the server `from`. */
export async function setServer(tx: Db, projectId: number, { from, to }: { from: number; to: number }): Promise<void> {
  const query = sql`
    update projects set server_id = ${to}, installation_status = ${installed}, updated_at = clock_timestamp()
    where id = ${projectId} and server_id = ${from}
  `;
  if ((await changed(tx, query)) !== 1) throw new Error(`Project ${projectId} is not on server ${from}`);
}

/** Whether a project of the organization has the name. */
export const isNameTaken = async (db: Db, organizationId: number, name: string): Promise<boolean> =>
  (await row(db, sql`select 1 from projects where organization_id = ${organizationId} and name = ${name} limit 1`)) !==
  undefined;

/** Locks the organization's row: no other transaction that does so takes a name before the end of this one. */
export async function lockNames(tx: Db, organizationId: number): Promise<void> {
  await tx.query(sql`select 1 from organizations where id = ${organizationId} for no key update`);
}

/** Records the version that a catalog application reported. */
export async function setAppVersion(tx: Db, projectId: number, version: string): Promise<void> {
  await tx.query(sql`
    update projects set app_version = ${version}, updated_at = clock_timestamp() where id = ${projectId}
  `);
}

/** Changes the state of a catalog application's installation; undefined if it was not in the state `from`. */
export const moveInstallation = (
  tx: Db,
  projectId: number,
  from: InstallationStatus,
  to: InstallationStatus,
): Promise<Pick<ProjectRow, "id" | "home_server_id" | "organization_id"> | undefined> =>
  row(
    tx,
    sql`
      update projects set installation_status = ${to}, updated_at = clock_timestamp()
      where id = ${projectId} and source_type = 'app' and installation_status = ${from}
      returning id, server_id as home_server_id, organization_id
    `,
  );

// Deletion ----------------------------------------------------------------------------------------------------------------

export async function lockRowForDeletion(tx: Db, projectId: number): Promise<void> {
  await tx.query(sql`select 1 from projects where id = ${projectId} for update`);
}

/** Returns its server and its load balancer. */
export const deleteProjectRow = (
  tx: Db,
  projectId: number,
): Promise<{ server_id: number; load_balancer_id: number | null } | undefined> =>
  row(
    tx,
    sql`
      delete from projects p using sites site where p.id = ${projectId} and site.project_id = p.id
      returning p.server_id, site.load_balancer_id
    `,
  );

/** Unended runs whose subject is the project: on one server, or on all. */
export const listOwnRuns = (tx: Db, projectId: number, serverId?: number): Promise<{ id: number }[]> =>
  rows(
    tx,
    sql`
      select id from runs where subject = 'project' and subject_id = ${projectId} and ended_at is null
        and (${serverId ?? null}::bigint is null or server_id = ${serverId ?? null})
    `,
  );

/** The projects that are lost with a server. */
export const listLosses = (db: Db, scope: LossScope): Promise<Loss[]> =>
  rows(db, lossOf("project", { id: sql`p.id`, name: sql`p.name`, from: sql`projects p where ${isInScope(scope)}` }));

// Load balancers -----------------------------------------------------------------------------------------------------------

/** The project on each further server that serves its visitors, the caller having locked it. */
export const listReplicas = (tx: Db, projectId: number): Promise<PlacedProject[]> =>
  listPlaced(tx, sql`p.id = ${projectId} and pl.role = 'replica' order by pl.server_id`, joins);
