import { changed, type Db, row, rows, sql } from "../../db/sql.ts";

/** How long a lease holds without renewal, in seconds. */
export const leaseSeconds = 10;

export const insertPeriodicTask = (db: Db, name: string): Promise<number> =>
  changed(db, sql`insert into periodic_tasks (name) values (${name}) on conflict do nothing`);

/** Claims a task that is due and that no other process runs; returns whether it did. */
export const claimPeriodicTask = async (db: Db, name: string, token: string): Promise<boolean> =>
  (await changed(
    db,
    sql`
      update periodic_tasks set
        lease_token = ${token}, lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      where name = ${name} and due_at <= clock_timestamp()
        and (lease_until is null or lease_until < clock_timestamp())
    `,
  )) === 1;

/** Whether this owner still holds the lease. */
export const renewPeriodicTask = async (db: Db, name: string, token: string): Promise<boolean> =>
  (await changed(
    db,
    sql`
      update periodic_tasks set lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      where name = ${name} and lease_token = ${token}
    `,
  )) === 1;

export const releasePeriodicTask = (db: Db, name: string, token: string, dueInSeconds: number): Promise<number> =>
  changed(
    db,
    sql`
      update periodic_tasks set
        lease_token = null, lease_until = null, due_at = clock_timestamp() + make_interval(secs => ${dueInSeconds})
      where name = ${name} and lease_token = ${token}
    `,
  );

export const insertShards = (db: Db, name: string, shards: number): Promise<number> =>
  changed(
    db,
    sql`
      insert into shards (name, shard) select ${name}, generate_series(0, ${shards}::integer - 1) on conflict do nothing
    `,
  );

/**
 * Records that a process takes part; returns the number of processes. A process that was not seen for the length of a
 * lease does not count.
 */
export async function countMembers(db: Db, name: string, owner: string): Promise<number> {
  await changed(
    db,
    sql`
      insert into shard_members (name, owner) values (${name}, ${owner})
      on conflict (name, owner) do update set seen_at = clock_timestamp()
    `,
  );
  await changed(
    db,
    sql`
      delete from shard_members
      where name = ${name} and seen_at < clock_timestamp() - make_interval(secs => ${leaseSeconds})
    `,
  );
  const found = await row<{ members: number }>(
    db,
    sql`select count(*)::integer as members from shard_members where name = ${name}`,
  );
  return found?.members ?? 1;
}

export const deleteMember = (db: Db, name: string, owner: string): Promise<number> =>
  changed(db, sql`delete from shard_members where name = ${name} and owner = ${owner}`);

/** Renews the leases of a process; returns the shards that it still holds. */
export const renewShards = async (db: Db, name: string, owner: string): Promise<number[]> =>
  (
    await rows<{ shard: number }>(
      db,
      sql`
        update shards set lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
        where name = ${name} and owner = ${owner} returning shard
      `,
    )
  ).map(({ shard }) => shard);

/** Claims up to `limit` shards that no process holds. */
export const claimShards = async (db: Db, name: string, owner: string, limit: number): Promise<number[]> =>
  (
    await rows<{ shard: number }>(
      db,
      sql`
        update shards set
          owner = ${owner}, lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
        where name = ${name} and shard in (
          select shard from shards
          where name = ${name} and (owner is null or lease_until < clock_timestamp())
          order by shard limit ${limit} for update skip locked)
        returning shard
      `,
    )
  ).map(({ shard }) => shard);

export const releaseShard = (db: Db, name: string, owner: string, shard: number): Promise<number> =>
  changed(
    db,
    sql`
      update shards set owner = null, lease_until = null
      where name = ${name} and shard = ${shard} and owner = ${owner}
    `,
  );
