import { changed, type Db, row, rows, type Sql, sql } from "../db/sql.ts";
import type { CallingProgram } from "./calling-program.ts";

// Rate limits ----------------------------------------------------------------------------------------------------------

export interface Lease {
  /** Requests that the caller may admit in this window. */
  tokens: number;
  /** Tokens that no process holds yet. */
  ungranted: number;
  windowStartedAt: string;
  resetsInMs: number;
}

/** An eighth of the rest at a time: few writes at first, and few tokens in the wrong process at the end. */
const leaseShare = 8;

/**
 * Takes a part of the user's budget of this minute: at least `wanted` if that much is left, 0 tokens when nothing is
 * left. All processes together never get more than `limit` in one window.
 */
export async function leaseRequests(
  db: Db,
  request: { userId: number; bucket: string; limit: number; wanted: number },
): Promise<Lease> {
  const { userId, bucket, limit, wanted } = request;
  const first = Math.min(limit, Math.max(wanted, Math.ceil(limit / leaseShare)));
  const isOver = sql`r.window_started_at <= now() - interval '1 minute'`;
  const left = sql`greatest(0, ${limit}::bigint - r.granted)`;
  const next = sql`least(${left}, greatest(${wanted}::bigint, ceil(${left} / ${leaseShare}::numeric)::bigint))`;
  const lease = await row<Lease>(
    db,
    sql`insert into rate_limits as r (user_id, bucket, window_started_at, granted, last_grant)
      values (${userId}, ${bucket}, now(), ${first}, ${first})
      on conflict (user_id, bucket) do update set
        window_started_at = case when ${isOver} then now() else r.window_started_at end,
        granted = case when ${isOver} then excluded.granted else r.granted + ${next} end,
        last_grant = case when ${isOver} then excluded.granted else ${next} end
      returning last_grant as tokens, greatest(0, ${limit}::bigint - granted) as ungranted,
        window_started_at as "windowStartedAt",
        greatest(0, ceil(extract(epoch from window_started_at + interval '1 minute' - now()) * 1000))::int as "resetsInMs"`,
  );
  if (!lease) throw new Error("The rate limit of the user could not be read.");
  return lease;
}

/** Returns unused tokens of a process, unless a new window has begun. */
export async function returnLease(
  db: Db,
  lease: { userId: number; bucket: string; tokens: number; windowStartedAt: string },
): Promise<void> {
  await changed(
    db,
    sql`update rate_limits set granted = greatest(0, granted - ${lease.tokens}::bigint)
      where user_id = ${lease.userId} and bucket = ${lease.bucket} and window_started_at = ${lease.windowStartedAt}`,
  );
}

// Idempotency keys -----------------------------------------------------------------------------------------------------

export interface KeyClaim {
  userId: number;
  key: string;
  fingerprint: Buffer;
  claim: string;
}

/** A claim ends so long after it was last renewed: then its process is dead, or cut off from the database. */
const claimSeconds = 15;

/**
 * True when the caller is to perform the request: the key is new, a day old, or its first attempt ended with its process before
 * it had committed a change.
 */
export async function claimKey(db: Db, { userId, key, fingerprint, claim }: KeyClaim): Promise<boolean> {
  const count = await changed(
    db,
    sql`insert into idempotency_keys as k (user_id, key, fingerprint, claim, claimed_until)
      values (${userId}, ${key}, ${fingerprint}, ${claim}, now() + make_interval(secs => ${claimSeconds}))
      on conflict (user_id, key) do update set fingerprint = excluded.fingerprint, claim = excluded.claim,
        claimed_until = excluded.claimed_until, answer = null, records = null, created_at = now()
      where k.created_at < now() - interval '24 hours'
        or (k.answer is null and k.records is null and k.claimed_until < now() and k.fingerprint = excluded.fingerprint)`,
  );
  return count === 1;
}

/** Shows that the process of an attempt is alive. */
export async function renewClaim(db: Db, { userId, key, claim }: KeyClaim): Promise<void> {
  await changed(
    db,
    sql`update idempotency_keys set claimed_until = now() + make_interval(secs => ${claimSeconds})
      where user_id = ${userId} and key = ${key} and claim = ${claim}`,
  );
}

/**
 * Marks the key in the transaction of a change, with the records that it concerns; nothing when the transaction has only read.
 * False when the key belongs to another attempt by now: then this one must not change anything.
 */
export async function markKey(tx: Db, { userId, key, claim }: KeyClaim, records: readonly string[]): Promise<boolean> {
  const outcome = await row<{ isOurs: boolean }>(
    tx,
    sql`
      with made as (
        -- PostgreSQL assigns an id to a transaction with its first change.
        select where pg_current_xact_id_if_assigned() is not null
      ), marked as (
        update idempotency_keys set records = array(select distinct unnest(records || ${records}::text[]))
        from made where user_id = ${userId} and key = ${key} and claim = ${claim} returning 1
      )
      select exists (select from marked) or not exists (select from made) as "isOurs"
    `,
  );
  return outcome?.isOurs === true;
}

export interface StoredKey {
  fingerprint: Buffer;
  answer: Buffer | null;
  /** The records that its committed change concerns; null: nothing was committed. */
  records: string[] | null;
  /** Whether the process of the attempt is alive. */
  isClaimed: boolean;
}

export const findKey = (db: Db, userId: number, key: string): Promise<StoredKey | undefined> =>
  row<StoredKey>(
    db,
    sql`select fingerprint, answer, records, claimed_until >= now() as "isClaimed"
      from idempotency_keys where user_id = ${userId} and key = ${key}`,
  );

export async function storeAnswer(db: Db, { userId, key, claim }: KeyClaim, answer: Buffer): Promise<boolean> {
  const count = await changed(
    db,
    sql`update idempotency_keys set answer = ${answer}
      where user_id = ${userId} and key = ${key} and claim = ${claim}`,
  );
  return count === 1;
}

/** Forgets an attempt, so that the next one may run. */
export async function releaseKey(db: Db, { userId, key, claim }: KeyClaim): Promise<void> {
  await changed(db, sql`delete from idempotency_keys where user_id = ${userId} and key = ${key} and claim = ${claim}`);
}

/** Ends an attempt that failed: forgets it when it committed no change, so that the next one may run. */
export async function endAttempt(db: Db, { userId, key, claim }: KeyClaim): Promise<void> {
  const ours = sql`user_id = ${userId} and key = ${key} and claim = ${claim}`;
  await changed(db, sql`delete from idempotency_keys where ${ours} and records is null`);
  await changed(db, sql`update idempotency_keys set claimed_until = '-infinity' where ${ours}`);
}

/** Deletes keys older than a day, in batches. */
export const deleteOldKeys = (db: Db): Promise<number> =>
  changed(
    db,
    sql`delete from idempotency_keys where ctid = any(array(
      select ctid from idempotency_keys where created_at < now() - interval '24 hours' limit 5000))`,
  );

// Audit log --------------------------------------------------------------------------------------------------------------

export interface AuditEntry {
  organizationId: number;
  userId: number;
  userEmail: string;
  /** Null: a console session. */
  tokenId: number | null;
  ip: string | null;
  action: string;
  summary: string;
  subjects: string[];
  fields: string[];
  requestId: string;
  client: CallingProgram;
}

/** Records the entry, and returns its id. */
export const insertAuditEntry = (db: Db, entry: AuditEntry): Promise<number | undefined> =>
  insertEntryIf(db, entry, sql`true`);

/** Records the entry when this transaction has changed something; undefined when it has only read. */
export const insertAuditEntryOfChange = (tx: Db, entry: AuditEntry): Promise<number | undefined> =>
  // PostgreSQL assigns an id to a transaction with its first change.
  insertEntryIf(tx, entry, sql`pg_current_xact_id_if_assigned() is not null`);

async function insertEntryIf(db: Db, entry: AuditEntry, condition: Sql): Promise<number | undefined> {
  const inserted = await row<{ id: number }>(
    db,
    sql`insert into audit_log
        (organization_id, user_id, user_email, token_id, ip, action, summary, subjects, fields, request_id, client)
      select ${entry.organizationId}::bigint, ${entry.userId}::bigint, ${entry.userEmail}::text,
        ${entry.tokenId}::bigint, ${entry.ip}::inet, ${entry.action}::text, ${entry.summary}::text,
        ${entry.subjects}::text[], ${entry.fields}::text[], ${entry.requestId}::text,
        ${JSON.stringify(entry.client)}::jsonb
      where ${condition}
      returning id`,
  );
  return inserted?.id;
}

/** The names of all functions that may change something at a call, PostgreSQL's own among them. */
export async function listVolatileFunctions(db: Db): Promise<string[]> {
  const found = await rows<{ name: string }>(
    db,
    sql`select distinct proname as name from pg_proc where provolatile = 'v' and prorettype <> 'trigger'::regtype`,
  );
  return found.map(({ name }) => name);
}

export const addAuditSubjects = (db: Db, id: number, subjects: string[]): Promise<number> =>
  changed(db, sql`update audit_log set subjects = ${subjects}::text[] where id = ${id}`);

/** What was done to an account itself, and not in one of its organizations. */
export interface AccountEntry {
  userId: number;
  action: string;
  summary: string;
  ip: string | null;
  requestId: string;
  client: CallingProgram;
}

/** Records the entry in the audit log of each of the account's organizations. */
export async function insertAccountEntries(db: Db, entry: AccountEntry): Promise<void> {
  await changed(
    db,
    sql`insert into audit_log (organization_id, user_id, user_email, ip, action, summary, subjects, request_id, client)
      select m.organization_id, u.id, u.email, ${entry.ip}::inet, ${entry.action}, ${entry.summary},
        array['user:' || u.id], ${entry.requestId}, ${JSON.stringify(entry.client)}::jsonb
      from users u join memberships m on m.user_id = u.id where u.id = ${entry.userId}`,
  );
}

/** Deletes up to `limit` entries that are older than `days` days; returns the number deleted. */
export const deleteOldAuditEntries = (db: Db, days: number, limit: number): Promise<number> =>
  changed(
    db,
    sql`
      delete from audit_log where id in (
        select id from audit_log where created_at < clock_timestamp() - make_interval(days => ${days}) limit ${limit})
    `,
  );

// Health ---------------------------------------------------------------------------------------------------------------

/** Fails when the database does not answer, and with its own read_only_sql_transaction when it cannot be written. */
export async function checkWritable(db: Db): Promise<void> {
  const state = await row<{ isReadOnly: boolean }>(
    db,
    sql`select pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly"`,
  );
  if (state?.isReadOnly) throw Object.assign(new Error("the database is read-only"), { code: "25006" });
}

// Dry runs -------------------------------------------------------------------------------------------------------------

/** For `from`: a row of `Loss` about all records of a condition. */
export const lossOf = (
  noun: string,
  { id, name, bytes, from }: { id: Sql; name?: Sql; bytes?: Sql; from: Sql },
): Sql => sql`
  select ${noun}::text as noun, count(*)::integer as count,
    ${name ? sql`coalesce((array_agg(${name} order by ${id}))[:10], '{}')` : sql`'{}'::text[]`} as names,
    ${bytes ? sql`sum(${bytes})::bigint` : sql`null::bigint`} as bytes
  from ${from}
`;
