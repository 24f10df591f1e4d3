import { type Db, row, rows, sql } from "../../../db/sql.ts";
import type { CloudResource, TaggedResource } from "../../../providers/cloud/driver.ts";
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

/** What a record has at its provider, or is making or removing there. */
export interface OwnerRow {
  key: string;
  /** Whether `resources` names all there should be. */
  is_settled: boolean;
  resources: CloudResource[];
}

/** Orders and images of these keys whose resources should exist, or are being removed. */
export const listOwners = (db: Db, keys: readonly string[]): Promise<OwnerRow[]> =>
  rows(
    db,
    sql`
      select key, state = 'active' as is_settled, resources
      from server_orders where key = any(${[...keys]}::text[])
        and state in ('ordering', 'refunding', 'active', 'removing', 'released')
      union all
      select key, state = 'ready', jsonb_build_array(
        jsonb_build_object('kind', 'image', 'id', coalesce(image_id, ''), 'location', location))
      from server_snapshots where key = any(${[...keys]}::text[]) and state <> 'failed'
    `,
  );

/**
 * Of addresses without a server and without a tag, those that an order of the connection had, or that its lost answer may have
 * been about: it asked for a static one in that location. Not those of servers that exist or are being ordered or removed.
 */
export const listLostAddresses = (
  db: Db,
  providerId: number,
  addresses: readonly Pick<CloudResource, "id" | "location">[],
): Promise<{ id: string }[]> =>
  rows(
    db,
    sql`
      with given as (
        select id, location, jsonb_build_array(jsonb_build_object('kind', 'address', 'id', id)) as resource
        from jsonb_to_recordset(${JSON.stringify(addresses)}::jsonb) as g (id text, location text)
      ), owning as (
        select resources, state, location, coalesce((request ->> 'useStaticAddress')::boolean, false) as is_static
        from server_orders where provider_id = ${providerId}
      )
      select given.id from given
      where exists (select 1 from owning o
          where o.resources @> given.resource or (o.is_static and o.location = given.location))
        and not exists (select 1 from owning o
          where (o.resources @> given.resource and o.state in ('ordering', 'refunding', 'active', 'removing', 'released'))
            or (o.is_static and o.location = given.location and o.state in ('ordering', 'refunding', 'removing')))
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
