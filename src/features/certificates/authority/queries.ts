import { type Db, row, rows, sql } from "../../../db/sql.ts";

export interface Account {
  /** Encrypted. */
  private_key: Buffer;
  /** Null: not yet registered with the authority. */
  url: string | null;
}

/** The installation's account with an authority. If several processes begin at once, one of them makes the key. */
export async function claimAccount(db: Db, directory: string, privateKey: Buffer): Promise<Account> {
  await db.query(sql`
    insert into acme_accounts (directory, private_key) values (${directory}, ${privateKey}) on conflict do nothing
  `);
  return (await findAccount(db, directory)) as Account;
}

export const findAccount = (db: Db, directory: string): Promise<Account | undefined> =>
  row(db, sql`select private_key, url from acme_accounts where directory = ${directory}`);

export async function setAccountUrl(db: Db, directory: string, url: string | null): Promise<void> {
  await db.query(sql`update acme_accounts set url = ${url} where directory = ${directory}`);
}

// An arbitrary number, unique as the first key of a two-key advisory lock.
const lockSpace = 51_712;

/** Locked until the end of the transaction: decisions about requests to an authority are made one at a time. */
export async function lockAuthority(tx: Db, directory: string): Promise<void> {
  await tx.query("select pg_advisory_xact_lock($1, hashtext($2))", [lockSpace, directory]);
}

/** The pause of these scopes that ends last. */
export const findPause = (
  db: Db,
  directory: string,
  scopes: readonly string[],
): Promise<{ until: string; reason: string } | undefined> =>
  row(
    db,
    sql`
      select until, reason from acme_pauses
      where directory = ${directory} and scope = any(${scopes}::text[]) and until > clock_timestamp()
      order by until desc limit 1
    `,
  );

export async function insertPause(
  db: Db,
  directory: string,
  pause: { scope: string; until: Date; reason: string },
): Promise<void> {
  await db.query(sql`
    insert into acme_pauses (directory, scope, until, reason)
    values (${directory}, ${pause.scope}, ${pause.until}, ${pause.reason})
    on conflict (directory, scope) do update set reason = excluded.reason,
      until = greatest(acme_pauses.until, excluded.until)
  `);
}

/**
 * When a scope's requests in the window fall below `most`; undefined: they are below it. Requests of this order are not counted.
 */
export async function findFreeTime(
  db: Db,
  directory: string,
  limit: { scope: string; most: number; windowSeconds: number },
  orderId?: number,
): Promise<Date | undefined> {
  const found = await row<{ free_at: string }>(
    db,
    sql`
      select at + make_interval(secs => ${limit.windowSeconds}) as free_at from acme_requests
      where directory = ${directory} and scope = ${limit.scope}
        and at > clock_timestamp() - make_interval(secs => ${limit.windowSeconds})
        and order_id is distinct from ${orderId ?? 0}::bigint
      order by at desc offset ${limit.most - 1} limit 1
    `,
  );
  return found && new Date(found.free_at);
}

/** Counts requests; an order counts once, however often this is called. */
export async function insertRequests(
  db: Db,
  directory: string,
  scopes: readonly string[],
  orderId?: number,
): Promise<void> {
  await db.query(sql`
    insert into acme_requests (directory, scope, order_id)
    select ${directory}, scope, ${orderId ?? null}::bigint from unnest(${scopes}::text[]) scope
    on conflict (order_id, scope) do nothing
  `);
}

/** Those of the names that the authority could not verify in the last hour. */
export const listRefusedNames = async (db: Db, directory: string, names: readonly string[]): Promise<string[]> => {
  const found = await rows<{ name: string }>(
    db,
    sql`
      select distinct name from unnest(${names}::text[]) name
      join acme_requests r on r.directory = ${directory} and r.scope = 'failed:' || name
      where r.at > clock_timestamp() - interval '1 hour'
    `,
  );
  return found.map(({ name }) => name);
};

export async function deleteRequests(db: Db, orderId: number): Promise<void> {
  await db.query(sql`delete from acme_requests where order_id = ${orderId}`);
}

/** Deletes pauses that have ended, and requests that are too old for every limit. */
export async function forgetOldRequests(db: Db): Promise<void> {
  await db.query(sql`delete from acme_pauses where until < clock_timestamp()`);
  await db.query(sql`delete from acme_requests where at < clock_timestamp() - interval '8 days'`);
}
