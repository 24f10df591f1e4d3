import type { Pool } from "pg";
import { limitOf, sharedCount } from "../../../db/page.ts";
import { type Db, row, rows, sql } from "../../../db/sql.ts";
import type { PageRequest } from "../../../http/pagination.ts";
import { type Actor, projectReach } from "../../accounts/reach.ts";
import type { DomainOfProject } from "./schema.ts";

const columns = sql`
  d.id, d.project_id, d.domain_name, d.is_primary, d.is_active, d.redirect_to, d.redirect_status_code, d.created_at
`;

/** A page of the domains in reach. */
export const listDomains = (db: Db, actor: Actor, page: PageRequest): Promise<DomainOfProject[]> =>
  rows(
    db,
    sql`
      select ${columns} from domains d join projects p on p.id = d.project_id
      where ${projectReach(actor)} order by d.id ${limitOf(page)}
    `,
  );

export const countDomains = (pool: Pool, actor: Actor): Promise<number> =>
  sharedCount({
    pool,
    query: sql`select count(*) as total from domains d join projects p on p.id = d.project_id where ${projectReach(actor)}`,
  });

/** The public address of a server, for a caller with one of its projects in reach. */
export async function findAddress(db: Db, serverId: number): Promise<string | null> {
  const found = await row<{ public_ip: string | null }>(db, sql`select public_ip from servers where id = ${serverId}`);
  return found?.public_ip ?? null;
}
