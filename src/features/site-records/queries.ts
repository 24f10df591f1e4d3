import {
  assignments,
  type Columns,
  columnsAndValues,
  columnsOf,
  type Db,
  row,
  rows,
  type Sql,
  sql,
} from "../../db/sql.ts";
import { settingNames, valuesIn } from "../../http/settings.ts";
import {
  type DomainSet,
  type RedirectRow,
  type ShownSite,
  type SiteBefore,
  type SiteChange,
  type SiteRow,
  type SiteSettings,
  siteSettings,
} from "./schema.ts";

// The only writer of `sites` and `domains`. Callers hold the lock of the project's row.

/** The domains of a row of `sites` with the name `site`, the primary one first. */
const domainsOfSite = sql`(
    select coalesce(json_agg(json_build_object('id', d.id, 'domain_name', d.domain_name, 'is_primary', d.is_primary,
      'is_active', d.is_active, 'redirect_to', d.redirect_to, 'redirect_status_code', d.redirect_status_code,
      'created_at', to_char(d.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')) order by d.is_primary desc, d.id), '[]')
    from domains d where d.project_id = site.project_id
  )`;

/** The visible columns of a site that is joined as `site`, with its domains. */
export const shownSiteColumns: Columns<ShownSite> = {
  ...columnsOf("site", [
    ...["ssl_is_enabled", "www_redirect", "maintenance_mode", "basic_auth_user", "web_server_drift"],
    ...["load_balancer_id", ...settingNames(siteSettings)],
  ] as const),
  domains: domainsOfSite,
};

/** All columns of a site that is joined as `site`. */
export const siteColumns: Columns<SiteRow> = {
  ...shownSiteColumns,
  ...columnsOf("site", ["basic_auth_version", "redirects"]),
};

export interface NewSite extends SiteSettings, Pick<SiteRow, "ssl_is_enabled" | "www_redirect"> {
  /** The primary one. */
  domain: string;
}

/** Inserts the site of a new project, with its first domain; false if another project of the installation has the name. */
export async function insertedSite(tx: Db, projectId: number, { domain, ...site }: NewSite): Promise<boolean> {
  const inserted = await row(
    tx,
    sql`
      with site as (
        insert into sites ${columnsAndValues({ project_id: projectId, ...site })}
      )
      insert into domains (project_id, domain_name, is_primary) values (${projectId}, ${domain}, true)
      on conflict (domain_name) do nothing returning id
    `,
  );
  return inserted !== undefined;
}

/** Writes all settings that an update can change. */
export async function writeSiteSettings(tx: Db, projectId: number, settings: SiteSettings): Promise<void> {
  await tx.query(sql`
    update sites set ${assignments(valuesIn(siteSettings, settings))}, updated_at = clock_timestamp()
    where project_id = ${projectId}
  `);
}

export async function writeRedirects(tx: Db, projectId: number, redirects: readonly RedirectRow[]): Promise<void> {
  await tx.query(sql`
    update sites set redirects = ${JSON.stringify(redirects)}, updated_at = clock_timestamp()
    where project_id = ${projectId}
  `);
}

export async function setSsl(tx: Db, projectId: number, isEnabled: boolean): Promise<void> {
  await tx.query(sql`
    update sites set ssl_is_enabled = ${isEnabled}, updated_at = clock_timestamp() where project_id = ${projectId}
  `);
}

/** Records whether visitors get the maintenance page now. */
export async function setMaintenance(tx: Db, projectId: number, isOn: boolean): Promise<void> {
  await tx.query(sql`
    update sites set maintenance_mode = ${isOn}, updated_at = clock_timestamp() where project_id = ${projectId}
  `);
}

/** Records a manual edit that was found on a web server. */
export async function setDrift(
  tx: Db,
  projectId: number,
  drift: { serverId: number | null; file: string; kept_as: string | null },
): Promise<void> {
  await tx.query(sql`
    update sites set updated_at = clock_timestamp(), web_server_drift = jsonb_build_object(
      'found_at', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
      'server_id', ${drift.serverId}::bigint, 'file', ${drift.file}::text, 'kept_as', ${drift.kept_as}::text)
    where project_id = ${projectId}
  `);
}

// Password ----------------------------------------------------------------------------------------------------------------

/** The line that nginx checks passwords against (`user:hash`), encrypted; null: no password. */
export async function findBasicAuth(db: Db, projectId: number): Promise<Buffer | null> {
  const found = await row<{ basic_auth_hash: Buffer | null }>(
    db,
    sql`select basic_auth_hash from sites where project_id = ${projectId}`,
  );
  return found?.basic_auth_hash ?? null;
}

/** Sets the user of the site and the encrypted hash of the password; null: no password. */
export async function setBasicAuth(
  tx: Db,
  projectId: number,
  auth: { user: string; hash: Buffer } | null,
): Promise<Pick<SiteRow, "basic_auth_user" | "basic_auth_version">> {
  const changed = await row<Pick<SiteRow, "basic_auth_user" | "basic_auth_version">>(
    tx,
    sql`
      update sites set basic_auth_user = ${auth?.user ?? null}, basic_auth_hash = ${auth?.hash ?? null},
        basic_auth_version = basic_auth_version + 1, updated_at = clock_timestamp()
      where project_id = ${projectId} returning basic_auth_user, basic_auth_version
    `,
  );
  if (!changed) throw new Error(`Project ${projectId} is not there`);
  return changed;
}

// Changes that the web server decides on ------------------------------------------------------------------------------------

/** `version` is the version of the site's target that contains the change; `hash`: the encrypted hash of a replaced password. */
export async function insertSiteChange(
  tx: Db,
  projectId: number,
  { before, hash = null }: { before: SiteBefore; hash?: Buffer | null },
  version: number,
): Promise<number> {
  const inserted = await row<{ id: number }>(
    tx,
    sql`
      insert into site_changes (project_id, before, basic_auth_hash, version)
      values (${projectId}, ${JSON.stringify(before)}, ${hash}, ${version}) returning id
    `,
  );
  return (inserted as { id: number }).id;
}

export const findSiteChange = (db: Db, id: number): Promise<SiteChange | undefined> =>
  row(db, sql`select id, state, reason from site_changes where id = ${id}`);

/** What the pending changes of a project replaced: the web server serves the state before the oldest one. */
export async function findSiteBefore(
  tx: Db,
  projectId: number,
): Promise<{ before: SiteBefore; hash: Buffer | null } | undefined> {
  const pending = await rows<{ before: SiteBefore; basic_auth_hash: Buffer | null }>(
    tx,
    sql`
      select before, basic_auth_hash from site_changes
      where project_id = ${projectId} and state = 'pending' order by id desc
    `,
  );
  if (pending.length === 0) return undefined;
  const before: SiteBefore = Object.assign({}, ...pending.map((change) => change.before));
  const withPassword = pending.findLast((change) => "basic_auth_user" in change.before);
  return { before, hash: withPassword?.basic_auth_hash ?? null };
}

/**
 * Settles the pending changes of a project: up to a version of the site's target, or all of them. Deletes old changes, which no
 * client asks for.
 */
export async function settleSiteChanges(
  tx: Db,
  projectId: number,
  outcome: { state: "accepted" | "refused"; reason: string | null },
  upToVersion: number | null = null,
): Promise<void> {
  await tx.query(sql`
    delete from site_changes
    where project_id = ${projectId} and state <> 'pending' and created_at < clock_timestamp() - interval '1 day'
  `);
  await tx.query(sql`
    update site_changes set state = ${outcome.state}, reason = ${outcome.reason}
    where project_id = ${projectId} and state = 'pending' and (${upToVersion}::bigint is null or version <= ${upToVersion})
  `);
}

// Load balancers -----------------------------------------------------------------------------------------------------------

/** Null: visitors reach the project's own server. */
export async function setBalancer(tx: Db, projectId: number, balancerId: number | null): Promise<void> {
  await tx.query(sql`
    update sites set load_balancer_id = ${balancerId}, updated_at = clock_timestamp()
    where project_id = ${projectId}
  `);
}

// Names -------------------------------------------------------------------------------------------------------------------

/** The names that belong to another project than this one (null: to any). */
export async function takenNames(db: Db, names: readonly string[], projectId: number | null): Promise<string[]> {
  const taken = await rows<{ name: string }>(
    db,
    sql`
      select name from domain_names where name = any(${names}) and project_id is distinct from ${projectId}::bigint
      order by name
    `,
  );
  return taken.map(({ name }) => name);
}

/** Makes `set` the domains of a project; those without an id are new. Returns them as they are stored. */
export async function writeDomains(
  tx: Db,
  projectId: number,
  set: DomainSet,
): Promise<Pick<SiteRow, "www_redirect" | "domains">> {
  const kept = set.domains.flatMap(({ id }) => (id === undefined ? [] : [id]));
  await tx.query(sql`delete from domains where project_id = ${projectId} and id <> all(${kept}::bigint[])`);
  await tx.query(sql`update domains set is_primary = false where project_id = ${projectId} and is_primary`);
  await tx.query(sql`
    insert into domains (id, project_id, domain_name, is_primary, is_active, redirect_to, redirect_status_code, created_at)
      overriding system value
    select id, ${projectId}, domain_name, is_primary, is_active, redirect_to, redirect_status_code, created_at::timestamptz
    from ${recordsOf(set.domains.filter(({ id }) => id !== undefined))}
    on conflict (id) do update set is_primary = excluded.is_primary, is_active = excluded.is_active,
      redirect_to = excluded.redirect_to, redirect_status_code = excluded.redirect_status_code
    where domains.project_id = ${projectId}
  `);
  await tx.query(sql`
    insert into domains (project_id, domain_name, is_primary, redirect_to, redirect_status_code)
    select ${projectId}, domain_name, is_primary, redirect_to, redirect_status_code
    from ${recordsOf(set.domains.filter(({ id }) => id === undefined))}
    order by position
  `);
  const stored = await row<Pick<SiteRow, "www_redirect" | "domains">>(
    tx,
    sql`
      update sites site set www_redirect = ${set.www_redirect}, updated_at = clock_timestamp()
      where project_id = ${projectId} returning www_redirect, ${domainsOfSite} as domains
    `,
  );
  if (!stored) throw new Error(`Project ${projectId} has no site`);
  return stored;
}

/** Claims the names of the domains that were written. Otherwise the database does so at the commit. */
export const claimNames = async (tx: Db): Promise<void> =>
  void (await tx.query(sql`set constraints claim_names immediate`));

const recordsOf = (domains: DomainSet["domains"]): Sql => sql`
  jsonb_to_recordset(${JSON.stringify(domains.map((domain, position) => ({ ...domain, position })))}::jsonb)
    as d(position integer, id bigint, domain_name text, is_primary boolean, is_active boolean, redirect_to text,
      redirect_status_code smallint, created_at text)
`;
