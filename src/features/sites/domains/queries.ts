import type { Pool } from "pg";
import { limitOf, sharedCount } from "../../../db/page.ts";
import { type Db, row, rows, sql } from "../../../db/sql.ts";
import type { PageRequest } from "../../../http/pagination.ts";
import { type Actor, projectReach } from "../../accounts/reach.ts";
import type { CheckedName, DomainOfProject, StoredDnsCheck } from "./schema.ts";

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

// DNS ---------------------------------------------------------------------------------------------------------------------

/** For what names were looked up. */
export interface NamesChecked {
  organizationId: number;
  serverId: number;
  /** Null: no project has them yet. */
  projectId: number | null;
  /** The address of the server. */
  expected: string | null;
}

/** Of names that no project has, the last ones for a server are kept. */
const mostUnclaimed = 200;

/** Stores where names point to; returns those of which something else was known, or nothing. */
export async function storeChecks(tx: Db, of: NamesChecked, names: readonly CheckedName[]): Promise<string[]> {
  const sorted = names.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const stored = await rows<{ name: string; is_other: boolean }>(
    tx,
    sql`
      with checked as (
        select * from jsonb_to_recordset(${JSON.stringify(sorted)}::jsonb)
          as c(name text, ok boolean, addresses text[], chain text[], message text)
      ), before as (
        select k.* from dns_checks k join checked using (name) where k.server_id = ${of.serverId}
      ), stored as (
        insert into dns_checks (server_id, organization_id, name, expected_ip, ok, addresses, chain, message)
        select ${of.serverId}, ${of.organizationId}, name, ${of.expected}, ok, addresses, chain, message from checked
        on conflict (server_id, name) do update set expected_ip = excluded.expected_ip, ok = excluded.ok,
          addresses = excluded.addresses, chain = excluded.chain, message = excluded.message,
          checked_at = excluded.checked_at
      )
      select name, (b.ok, b.message, b.expected_ip) is distinct from (c.ok, c.message, ${of.expected}::text) as is_other
      from checked c left join before b using (name)
    `,
  );
  await deleteUnclaimed(tx, of.serverId);
  return stored.filter((each) => each.is_other).map(({ name }) => name);
}

async function deleteUnclaimed(tx: Db, serverId: number): Promise<void> {
  await tx.query(sql`
    delete from dns_checks where server_id = ${serverId} and name in (
      select k.name from dns_checks k
      where k.server_id = ${serverId} and not exists (select 1 from domain_names n where n.name = k.name)
      order by k.checked_at desc offset ${mostUnclaimed}
    )
  `);
}

/** The last look-ups of domains for the servers that their visitors reach, by the ids of the domains. */
export async function listChecks(db: Db, domainIds: readonly number[]): Promise<Map<number, StoredDnsCheck>> {
  const found = await rows<StoredDnsCheck & { domain_id: number }>(
    db,
    sql`
      select d.id as domain_id, k.ok, k.expected_ip, k.addresses, k.chain, k.message, k.checked_at
      from domains d join projects p on p.id = d.project_id join sites site on site.project_id = p.id
        join servers s on s.id = coalesce(site.load_balancer_id, p.server_id)
        join dns_checks k on k.server_id = s.id and k.name = d.domain_name
      where d.id = any(${domainIds}::bigint[]) and k.expected_ip is not distinct from host(s.public_ip)
    `,
  );
  return new Map(found.map(({ domain_id: id, ...check }) => [id, check]));
}
