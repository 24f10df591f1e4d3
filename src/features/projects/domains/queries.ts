import { type Db, row, rows, type Sql, sql } from "../../../db/sql.ts";
import type { DomainSet } from "../schema.ts";

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

/** Makes `set` the domains of a project that the caller has locked; those without an id are new. */
export async function writeDomains(tx: Db, projectId: number, set: DomainSet): Promise<void> {
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
  await tx.query(sql`
    update projects set www_redirect = ${set.www_redirect}, updated_at = clock_timestamp() where id = ${projectId}
  `);
}

const recordsOf = (domains: DomainSet["domains"]): Sql => sql`
  jsonb_to_recordset(${JSON.stringify(domains.map((domain, position) => ({ ...domain, position })))}::jsonb)
    as d(position integer, id bigint, domain_name text, is_primary boolean, is_active boolean, redirect_to text,
      redirect_status_code smallint, created_at text)
`;

/** A change of a project's domains that its web server has to accept. */
export interface DomainChange {
  id: number;
  project_id: number;
  before: DomainSet;
  state: "pending" | "accepted" | "refused";
  reason: string | null;
}

/** `version` is the version of the site's target that contains the change. */
export async function insertDomainChange(
  tx: Db,
  projectId: number,
  before: DomainSet,
  version: number,
): Promise<number> {
  const inserted = await row<{ id: number }>(
    tx,
    sql`
      insert into domain_changes (project_id, before, version) values (${projectId}, ${JSON.stringify(before)}, ${version})
      returning id
    `,
  );
  return (inserted as { id: number }).id;
}

export const findDomainChange = (db: Db, id: number): Promise<DomainChange | undefined> =>
  row(db, sql`select id, project_id, before, state, reason from domain_changes where id = ${id}`);

/** The oldest pending change of a project: the web server serves the state before it. */
export const findOldestChange = (tx: Db, projectId: number): Promise<DomainChange | undefined> =>
  row(
    tx,
    sql`
      select id, project_id, before, state, reason from domain_changes
      where project_id = ${projectId} and state = 'pending' order by id limit 1
    `,
  );

/**
 * Settles the pending changes of a project: up to a version of the site's target, or all of them. Deletes old changes, which no
 * client asks for.
 */
export async function settleDomainChanges(
  tx: Db,
  projectId: number,
  outcome: { state: "accepted" | "refused"; reason: string | null },
  upToVersion: number | null = null,
): Promise<void> {
  await tx.query(sql`
    delete from domain_changes
    where project_id = ${projectId} and state <> 'pending' and created_at < clock_timestamp() - interval '1 day'
  `);
  await tx.query(sql`
    update domain_changes set state = ${outcome.state}, reason = ${outcome.reason}
    where project_id = ${projectId} and state = 'pending' and (${upToVersion}::bigint is null or version <= ${upToVersion})
  `);
}
