import { type Db, row, rows, sql } from "../../db/sql.ts";
import type { ChallengeType } from "../../providers/acme/client.ts";
import {
  certificateChannel,
  type InstallationCertificate,
  type InstallationChallenge,
  type InstallationOrder,
} from "./schema.ts";

const columns = sql`
  id, names, source, private_key, chain, version, not_after, renew_at, challenge, failures, error, retry_at
`;

/** `names` are sorted. */
export const findCertificate = (db: Db, names: readonly string[]): Promise<InstallationCertificate | undefined> =>
  row(db, sql`select ${columns} from installation_certificates where names = ${names}::text[]`);

/** Its version alone: what a process compares with the one that it serves. */
export const findVersion = async (db: Db, names: readonly string[]): Promise<number | undefined> =>
  (
    await row<{ version: number }>(
      db,
      sql`select version from installation_certificates where names = ${names}::text[]`,
    )
  )?.version;

export interface Made {
  /** Encrypted. */
  privateKey: Buffer;
  chain: string;
  notBefore: Date;
  notAfter: Date;
}

/** Stores one that signs itself, unless there is one that is valid or was issued: of several processes, one wins. */
export async function insertSelfSigned(db: Db, names: readonly string[], made: Made): Promise<void> {
  await db.query(sql`
    insert into installation_certificates as c (names, source, private_key, chain, not_before, not_after, renew_at)
    values (${names}::text[], 'self', ${made.privateKey}, ${made.chain}, ${made.notBefore}, ${made.notAfter}, clock_timestamp())
    on conflict (names) do update set private_key = excluded.private_key, chain = excluded.chain, version = c.version + 1,
      not_before = excluded.not_before, not_after = excluded.not_after, updated_at = clock_timestamp()
    where c.source = 'self' and c.not_after < clock_timestamp()
  `);
}

/** The person who starts a process has changed something: the next attempt need not wait. The authority's limits still hold. */
export async function forgetWait(db: Db, names: readonly string[]): Promise<void> {
  await db.query(sql`
    update installation_certificates set retry_at = null where names = ${names}::text[] and retry_at is not null
  `);
}

/** The certificate that an order got takes the place of the present one; false if the order has ended. */
export async function replaceCertificate(
  tx: Db,
  order: InstallationOrder,
  issued: Omit<Made, "privateKey"> & { renewAt: Date },
): Promise<boolean> {
  const ended = await row(tx, sql`delete from installation_orders where id = ${order.id} returning id`);
  if (!ended) return false;
  await tx.query(sql`
    update installation_certificates set source = 'acme', private_key = ${order.private_key}, chain = ${issued.chain},
      version = version + 1, not_before = ${issued.notBefore}, not_after = ${issued.notAfter}, renew_at = ${issued.renewAt},
      challenge = ${order.challenge}, failures = 0, error = null, retry_at = null, updated_at = clock_timestamp()
    where id = ${order.certificate_id}
  `);
  await tx.query(`notify ${certificateChannel}`);
  return true;
}

export async function recordFailure(db: Db, id: number, failure: { error: string; retryAt: Date }): Promise<void> {
  await db.query(sql`
    update installation_certificates set failures = failures + 1, error = ${failure.error}, retry_at = ${failure.retryAt},
      updated_at = clock_timestamp()
    where id = ${id}
  `);
}

/** Deletes those of former names that nothing serves any more. */
export async function deleteLapsed(db: Db, names: readonly string[]): Promise<void> {
  await db.query(sql`
    delete from installation_certificates where names <> ${names}::text[] and not_after < clock_timestamp()
  `);
}

// Orders -------------------------------------------------------------------------------------------------------------------

export const findOrder = (db: Db, certificateId: number): Promise<InstallationOrder | undefined> =>
  row(
    db,
    sql`
      select id, certificate_id, directory, challenge, private_key, url, created_at
      from installation_orders where certificate_id = ${certificateId}
    `,
  );

/** Begins one; undefined when another process was first. */
export const insertOrder = (
  db: Db,
  order: { certificateId: number; directory: string; challenge: ChallengeType; privateKey: Buffer },
): Promise<InstallationOrder | undefined> =>
  row(
    db,
    sql`
      insert into installation_orders (certificate_id, directory, challenge, private_key)
      values (${order.certificateId}, ${order.directory}, ${order.challenge}, ${order.privateKey})
      on conflict do nothing
      returning id, certificate_id, directory, challenge, private_key, url, created_at
    `,
  );

export async function setOrderUrl(db: Db, id: number, url: string): Promise<void> {
  await db.query(sql`update installation_orders set url = ${url} where id = ${id}`);
}

export async function deleteOrder(db: Db, id: number): Promise<void> {
  await db.query(sql`delete from installation_orders where id = ${id}`);
}

// Challenges ---------------------------------------------------------------------------------------------------------------

export async function insertChallenges(
  db: Db,
  orderId: number,
  challenges: readonly InstallationChallenge[],
): Promise<void> {
  for (const { token, name, key_authorization: content } of challenges) {
    await db.query(sql`
      insert into installation_challenges (token, order_id, name, key_authorization)
      values (${token}, ${orderId}, ${name}, ${content})
      on conflict (token) do update set order_id = excluded.order_id, name = excluded.name,
        key_authorization = excluded.key_authorization
    `);
  }
}

/** The content of the file at `/.well-known/acme-challenge/TOKEN`. */
export const findChallengeFile = async (db: Db, token: string): Promise<string | undefined> =>
  (
    await row<{ content: string }>(
      db,
      sql`
        select c.key_authorization as content from installation_challenges c
        join installation_orders o on o.id = c.order_id and o.challenge = 'http-01'
        where c.token = ${token}
      `,
    )
  )?.content;

/** What the certificate of a challenge over TLS has to contain. */
export const findTlsChallenge = async (db: Db, name: string): Promise<string | undefined> =>
  (
    await row<{ content: string }>(
      db,
      sql`
        select c.key_authorization as content from installation_challenges c
        join installation_orders o on o.id = c.order_id and o.challenge = 'tls-alpn-01'
        where c.name = ${name} order by o.id desc limit 1
      `,
    )
  )?.content;

// Status -------------------------------------------------------------------------------------------------------------------

export interface CertificateStatus {
  names: string[];
  /** `self`: it signs itself, since the authority has issued none yet. */
  source: "self" | "acme";
  not_after: string;
  /** When the next one is ordered. */
  renew_at: string;
  /** Why the last attempt failed. */
  error: string | null;
  /** When the next attempt is made, if the last one failed. */
  retry_at: string | null;
}

/** The certificates of the installation's names, the one stored last first, for commands beside a running `up`. */
export const listCertificateStatus = (db: Db): Promise<CertificateStatus[]> =>
  rows(
    db,
    sql`
      select names, source, not_after, renew_at, error, retry_at from installation_certificates
      order by updated_at desc, id desc
    `,
  );
