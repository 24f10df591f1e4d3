import { limitOf } from "../../../db/page.ts";
import { type Db, row, rows, sql } from "../../../db/sql.ts";
import type { PageRequest } from "../../../http/pagination.ts";
import { type Actor, projectReach } from "../../accounts/reach.ts";
import type { DomainSet } from "../../sites/schema.ts";
import type { DomainOfProject } from "./schema.ts";

const columns = sql`
  d.id, d.project_id, d.domain_name, d.is_primary, d.is_active, d.redirect_to, d.redirect_status_code, d.created_at
`;

/** A page of the domains in reach, each with the total count. */
export const listDomains = (
  db: Db,
  actor: Actor,
  page: PageRequest,
): Promise<(DomainOfProject & { total: number })[]> =>
  rows(
    db,
    sql`
      select ${columns}, count(*) over () as total
      from domains d join projects p on p.id = d.project_id
      where ${projectReach(actor)} order by d.id ${limitOf(page)}
    `,
  );

export async function countDomains(db: Db, actor: Actor): Promise<number> {
  const counted = await row<{ total: number }>(
    db,
    sql`select count(*) as total from domains d join projects p on p.id = d.project_id where ${projectReach(actor)}`,
  );
  return counted?.total ?? 0;
}

/** The public address of a server, for a caller with one of its projects in reach. */
export async function findAddress(db: Db, serverId: number): Promise<string | null> {
  const found = await row<{ public_ip: string | null }>(db, sql`select public_ip from servers where id = ${serverId}`);
  return found?.public_ip ?? null;
}

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
