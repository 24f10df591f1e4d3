import { type Db, row, rows, sql } from "../../../db/sql.ts";
import type { CallLimit } from "../../../providers/cloud/driver.ts";
import type { Actor } from "../../accounts/reach.ts";
import type { CloudType } from "../../servers/schema.ts";
import type { ProviderRow } from "./schema.ts";

// Connections ----------------------------------------------------------------------------------------------------------

const columns = sql`
  sp.id, sp.organization_id, sp.name, sp.provider_type, sp.account, sp.created_at
`;

export const listProviders = (db: Db, actor: Actor): Promise<ProviderRow[]> =>
  rows(
    db,
    sql`select ${columns} from server_providers sp where sp.organization_id = ${actor.organizationId} order by sp.id`,
  );

export const findProvider = (db: Db, actor: Actor, id: number): Promise<ProviderRow | undefined> =>
  row(
    db,
    sql`
      select ${columns} from server_providers sp where sp.id = ${id} and sp.organization_id = ${actor.organizationId}
    `,
  );

export const findProviderOfType = (
  db: Db,
  actor: Actor,
  id: number,
  providerType: CloudType,
): Promise<ProviderRow | undefined> =>
  row(
    db,
    sql`
      select ${columns} from server_providers sp
      where sp.id = ${id} and sp.organization_id = ${actor.organizationId} and sp.provider_type = ${providerType}
    `,
  );

/** Without an actor: only for jobs. */
export const findProviderForWork = (db: Db, id: number): Promise<ProviderRow | undefined> =>
  row(db, sql`select ${columns} from server_providers sp where sp.id = ${id}`);

/** Locks it against deletion until the commit. Undefined if it is gone. */
export const holdProvider = (tx: Db, id: number): Promise<{ id: number } | undefined> =>
  row(tx, sql`select id from server_providers where id = ${id} for key share`);

/** Locks it, so that nothing is ordered with it until the commit. */
export const lockProvider = (tx: Db, actor: Actor, id: number): Promise<ProviderRow | undefined> =>
  row(
    tx,
    sql`
      select ${columns} from server_providers sp
      where sp.id = ${id} and sp.organization_id = ${actor.organizationId} for update
    `,
  );

/** Encrypted. */
export const findCredentials = (db: Db, id: number): Promise<{ credentials: Buffer } | undefined> =>
  row(db, sql`select credentials from server_providers where id = ${id}`);

export interface NewProvider {
  organizationId: number;
  name: string;
  providerType: CloudType;
  credentials: Buffer;
  account: string;
}

export async function insertProvider(tx: Db, provider: NewProvider): Promise<ProviderRow> {
  const { organizationId, name, providerType, credentials, account } = provider;
  const inserted = await row<ProviderRow>(
    tx,
    sql`
      insert into server_providers as sp (organization_id, name, provider_type, credentials, account)
      values (${organizationId}, ${name}, ${providerType}, ${credentials}, ${account}) returning ${columns}
    `,
  );
  return inserted as ProviderRow;
}

export async function deleteProvider(tx: Db, id: number): Promise<void> {
  await tx.query(sql`delete from server_providers where id = ${id}`);
}

/** The name with which everything ordered by this installation is tagged. */
export async function getOwner(db: Db): Promise<string> {
  const found = await row<{ owner: string }>(db, sql`select owner from cloud_owner`);
  if (!found) throw new Error("The row of cloud_owner is missing.");
  return found.owner;
}

// Catalogues -----------------------------------------------------------------------------------------------------------

export type CataloguePart = "locations" | "catalogue" | "prices";

export interface CatalogueKey {
  providerId: number;
  part: CataloguePart;
  /** Empty for the list of locations. */
  location: string;
}

export interface CatalogueRow {
  body: unknown;
  age_ms: number | null;
  is_refreshing: boolean;
}

export const findCatalogue = (
  db: Db,
  { providerId, part, location }: CatalogueKey,
): Promise<CatalogueRow | undefined> =>
  row(
    db,
    sql`
      select body, (extract(epoch from clock_timestamp() - read_at) * 1000)::float8 as age_ms,
        coalesce(refreshing_until > clock_timestamp(), false) as is_refreshing
      from cloud_catalogues where provider_id = ${providerId} and part = ${part} and location = ${location}
    `,
  );

/** The channel on which the end of a refresh is announced; the payload is the connection's id. */
export const cataloguesChannel = "longshore_catalogues";

/**
 * Claims the refresh for this process: one process at a time reads the catalogue. The claim ends after `seconds`, or when a
 * result is stored.
 */
export const claimRefresh = async (
  db: Db,
  { providerId, part, location }: CatalogueKey,
  seconds: number,
): Promise<boolean> =>
  (await row(
    db,
    sql`
      insert into cloud_catalogues as c (provider_id, part, location, refreshing_until)
      values (${providerId}, ${part}, ${location}, clock_timestamp() + make_interval(secs => ${seconds}))
      on conflict (provider_id, part, location) do update set refreshing_until = excluded.refreshing_until
        where c.refreshing_until is null or c.refreshing_until < clock_timestamp()
      returning 1
    `,
  )) !== undefined;

export async function storeCatalogue(
  db: Db,
  { providerId, part, location }: CatalogueKey,
  body: unknown,
): Promise<void> {
  await db.query(sql`
    with stored as (
      update cloud_catalogues set
        body = ${JSON.stringify(body)}::jsonb, read_at = clock_timestamp(), refreshing_until = null
      where provider_id = ${providerId} and part = ${part} and location = ${location} returning 1
    )
    select pg_notify(${cataloguesChannel}, ${String(providerId)}) from stored
  `);
}

export async function releaseRefresh(db: Db, { providerId, part, location }: CatalogueKey): Promise<void> {
  await db.query(sql`
    with released as (
      update cloud_catalogues set refreshing_until = null
      where provider_id = ${providerId} and part = ${part} and location = ${location} returning 1
    )
    select pg_notify(${cataloguesChannel}, ${String(providerId)}) from released
  `);
}

// Call limits ----------------------------------------------------------------------------------------------------------

export interface BucketRow {
  bucket: string;
  /** Calls that could be admitted at once; negative if some are waiting. */
  calls: number;
  blocked_ms: number;
}

/** The present buckets, locked until the commit; missing ones are created full. */
export async function lockBuckets(tx: Db, providerId: number, limits: readonly CallLimit[]): Promise<BucketRow[]> {
  const names = limits.map((limit) => limit.bucket);
  const capacities = limits.map((limit) => limit.capacity);
  const rates = limits.map((limit) => limit.refillPerSecond);
  await tx.query(sql`
    insert into cloud_call_limits (provider_id, bucket, calls)
    select ${providerId}, bucket, capacity
    from unnest(${names}::text[], ${capacities}::float8[]) as given (bucket, capacity)
    order by bucket on conflict do nothing
  `);
  return rows(
    tx,
    sql`
      select c.bucket,
        least(given.capacity, c.calls + extract(epoch from clock_timestamp() - c.refilled_at)::float8 * given.rate)
          as calls,
        greatest(0, coalesce(extract(epoch from c.blocked_until - clock_timestamp()) * 1000, 0))::float8 as blocked_ms
      from cloud_call_limits c
      join unnest(${names}::text[], ${capacities}::float8[], ${rates}::float8[]) as given (bucket, capacity, rate)
        on given.bucket = c.bucket
      where c.provider_id = ${providerId} order by c.bucket for update of c
    `,
  );
}

export async function saveBuckets(tx: Db, providerId: number, buckets: readonly BucketRow[]): Promise<void> {
  const names = buckets.map((bucket) => bucket.bucket);
  const calls = buckets.map((bucket) => bucket.calls);
  await tx.query(sql`
    update cloud_call_limits c set calls = given.calls, refilled_at = clock_timestamp()
    from unnest(${names}::text[], ${calls}::float8[]) as given (bucket, calls)
    where c.provider_id = ${providerId} and c.bucket = given.bucket
  `);
}

export async function blockBucket(tx: Db, providerId: number, limit: CallLimit, forMs: number): Promise<void> {
  await tx.query(sql`
    insert into cloud_call_limits as c (provider_id, bucket, calls, blocked_until)
    values (${providerId}, ${limit.bucket}, 0, clock_timestamp() + make_interval(secs => ${forMs / 1000}))
    on conflict (provider_id, bucket) do update
      set calls = least(c.calls, 0), refilled_at = clock_timestamp(),
        blocked_until = greatest(c.blocked_until, excluded.blocked_until)
  `);
}
