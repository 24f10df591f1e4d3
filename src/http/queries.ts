import { changed, type Db, row, rows, type Sql, sql } from "../db/sql.ts";

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

/**
 * True when the caller is to perform the request: the key is new, a day old, or its first attempt died with its process.
 * The three minutes are longer than any handler takes.
 */
export async function claimKey(db: Db, { userId, key, fingerprint, claim }: KeyClaim): Promise<boolean> {
  const count = await changed(
    db,
    sql`insert into idempotency_keys as k (user_id, key, fingerprint, claim, claimed_until)
      values (${userId}, ${key}, ${fingerprint}, ${claim}, now() + interval '3 minutes')
      on conflict (user_id, key) do update set fingerprint = excluded.fingerprint, claim = excluded.claim,
        claimed_until = excluded.claimed_until, answer = null, created_at = now()
      where k.created_at < now() - interval '24 hours'
        or (k.answer is null and k.claimed_until < now() and k.fingerprint = excluded.fingerprint)`,
  );
  return count === 1;
}

export interface StoredKey {
  fingerprint: Buffer;
  answer: Buffer | null;
}

export const findKey = (db: Db, userId: number, key: string): Promise<StoredKey | undefined> =>
  row<StoredKey>(db, sql`select fingerprint, answer from idempotency_keys where user_id = ${userId} and key = ${key}`);

export async function storeAnswer(db: Db, { userId, key, claim }: KeyClaim, answer: Buffer): Promise<boolean> {
  const count = await changed(
    db,
    sql`update idempotency_keys set answer = ${answer}
      where user_id = ${userId} and key = ${key} and claim = ${claim}`,
  );
  return count === 1;
}

/** Forgets an attempt without an answer, so that the next one may run. */
export async function releaseKey(db: Db, { userId, key, claim }: KeyClaim): Promise<void> {
  await changed(
    db,
    sql`delete from idempotency_keys where user_id = ${userId} and key = ${key} and claim = ${claim} and answer is null`,
  );
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
        (organization_id, user_id, user_email, token_id, ip, action, summary, subjects, fields, request_id)
      select ${entry.organizationId}::bigint, ${entry.userId}::bigint, ${entry.userEmail}::text,
        ${entry.tokenId}::bigint, ${entry.ip}::inet, ${entry.action}::text, ${entry.summary}::text,
        ${entry.subjects}::text[], ${entry.fields}::text[], ${entry.requestId}::text
      where ${condition}
      returning id`,
  );
  return inserted?.id;
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
}

/** Records the entry in the audit log of each of the account's organizations. */
export async function insertAccountEntries(db: Db, entry: AccountEntry): Promise<void> {
  await changed(
    db,
    sql`insert into audit_log (organization_id, user_id, user_email, ip, action, summary, subjects, request_id)
      select m.organization_id, u.id, u.email, ${entry.ip}::inet, ${entry.action}, ${entry.summary},
        array['user:' || u.id], ${entry.requestId}
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

export const ping = async (db: Db): Promise<void> => {
  await rows(db, sql`select 1`);
};
