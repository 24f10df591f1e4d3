import { type Db, row, rows, sql } from "../../../db/sql.ts";
import type { TaggedResource } from "../../../providers/cloud/driver.ts";
import type { StoredPrice } from "../schema.ts";

/** Claims up to `limit` connections that were not compared for an hour; no other process gets them. */
export const claimSweeps = (db: Db, limit: number): Promise<{ id: number }[]> =>
  rows(
    db,
    sql`
      update server_providers set swept_at = clock_timestamp() where id in (
        select id from server_providers where swept_at is null or swept_at < clock_timestamp() - interval '1 hour'
        order by swept_at nulls first limit ${limit} for update skip locked)
      returning id
    `,
  );

/** Keys of orders and images whose resources should exist, or are being removed. */
export const listOwnedKeys = (db: Db, keys: readonly string[]): Promise<{ key: string }[]> =>
  rows(
    db,
    sql`
      select key from server_orders where key = any(${[...keys]}::text[])
        and state in ('ordering', 'refunding', 'active', 'removing', 'released')
      union all
      select key from server_snapshots where key = any(${[...keys]}::text[])
    `,
  );

/** Replaces the stored resources without an order; returns the new ones. */
export async function replaceOrphans(
  tx: Db,
  providerId: number,
  resources: readonly TaggedResource[],
): Promise<{ kind: string; id: string }[]> {
  const known = JSON.stringify(
    resources.map((resource) => ({
      ...resource,
      net: resource.monthlyPrice?.net ?? null,
      gross: resource.monthlyPrice?.gross ?? null,
      currency: resource.monthlyPrice?.currency ?? null,
    })),
  );
  await tx.query(sql`
    delete from cloud_orphans c where c.provider_id = ${providerId} and not exists (
      select 1 from jsonb_to_recordset(${known}::jsonb) as t (kind text, id text, location text)
      where t.kind = c.kind and t.id = c.id and t.location = c.location)
  `);
  return rows(
    tx,
    sql`
      insert into cloud_orphans (provider_id, kind, id, location, name, monthly_price_net, monthly_price_gross,
        price_currency, created_at)
      select ${providerId}, kind, id, location, name, net, gross, currency, "createdAt"
      from jsonb_to_recordset(${known}::jsonb) as t (kind text, id text, location text, name text,
        net numeric, gross numeric, currency text, "createdAt" timestamptz)
      on conflict do nothing returning kind, id
    `,
  );
}

export async function noteSweep(db: Db, providerId: number, error: string | null): Promise<void> {
  await db.query(sql`update server_providers set sweep_error = ${error} where id = ${providerId}`);
}

export type OrphanRow = StoredPrice & {
  kind: string;
  id: string;
  location: string;
  name: string | null;
  created_at: string | null;
  seen_at: string;
};

export const listOrphans = (db: Db, providerId: number): Promise<OrphanRow[]> =>
  rows(
    db,
    sql`
      select kind, id, location, name, round(monthly_price_net, 2)::text as monthly_price_net,
        round(monthly_price_gross, 2)::text as monthly_price_gross, price_currency, created_at, seen_at
      from cloud_orphans where provider_id = ${providerId} order by kind, id limit 1000
    `,
  );

export const findSweep = (
  db: Db,
  providerId: number,
): Promise<{ swept_at: string | null; sweep_error: string | null } | undefined> =>
  row(db, sql`select swept_at, sweep_error from server_providers where id = ${providerId}`);
