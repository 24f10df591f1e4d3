import { changed, type Db, row, type Sql, sql } from "../../../db/sql.ts";
import type { CallingProgram } from "../../../http/calling-program.ts";
import { lifeSeconds, pollSeconds } from "./schema.ts";

export interface NewDevice {
  /** Of the code that the program keeps; null for a program of another site, which gets one when it is approved. */
  digest: Buffer | null;
  userCode: string;
  clientName: string;
  client: CallingProgram;
  ip: string | null;
  permissions: readonly string[] | null;
  /** What a program of another site asks for. */
  oauth?: {
    /** Digest of the session that opened the page. */
    session: Buffer;
    clientId: string;
    redirectUri: string;
    state: string | null;
    challenge: string;
  };
}

/** False when another program waits under this user code. */
export async function insertDevice(db: Db, device: NewDevice): Promise<boolean> {
  const { digest, userCode, clientName, client, ip, permissions, oauth } = device;
  await changed(db, sql`delete from device_authorizations where expires_at < now()`);
  const added = await changed(
    db,
    sql`
      insert into device_authorizations
        (device_digest, user_code, client_name, client, ip, wanted_permissions, interval_seconds, expires_at,
          session_digest, client_id, redirect_uri, client_state, code_challenge)
      values (${digest}, ${userCode}, ${clientName}, ${JSON.stringify(client)}::jsonb, ${ip}::inet, ${permissions}::text[],
        ${pollSeconds}, now() + make_interval(secs => ${lifeSeconds}), ${oauth?.session ?? null},
        ${oauth?.clientId ?? null}, ${oauth?.redirectUri ?? null}, ${oauth?.state ?? null}, ${oauth?.challenge ?? null})
      on conflict (user_code) do nothing
    `,
  );
  return added === 1;
}

export interface DeviceRow {
  user_code: string;
  client_name: string;
  client: CallingProgram;
  ip: string | null;
  permissions: string[] | null;
  created_at: string;
  expires_at: string;
  client_id: string | null;
  redirect_uri: string | null;
}

/** What a person answers, and with which session. */
export interface Asked {
  userCode: string;
  /** Digest of the session. */
  session: Buffer;
}

/** A page that a program of another site opened is answered by the session that opened it. */
const isPending = ({ userCode, session }: Asked): Sql => sql`
  user_code = ${userCode} and state = 'pending' and expires_at > now()
    and (session_digest is null or session_digest = ${session})
`;

/** The program that waits for an answer under this code. */
export const findPending = (db: Db, asked: Asked): Promise<DeviceRow | undefined> =>
  row(
    db,
    sql`
      select left(user_code, 4) || '-' || right(user_code, 4) as user_code, client_name, client, host(ip) as ip,
        wanted_permissions as permissions, created_at, expires_at, client_id, redirect_uri
      from device_authorizations where ${isPending(asked)}
    `,
  );

export interface ChosenToken {
  userId: number;
  organizationId: number;
  name: string;
  permissions: readonly string[];
  expiresAt: string | null;
}

/** Where the browser is sent with an answer; null for a program on a device. */
export interface Return {
  redirectUri: string | null;
  state: string | null;
}

const toReturn = sql`redirect_uri as "redirectUri", client_state as state`;

/**
 * Compare-and-set; undefined when it was answered before, or has expired. A program of another site can collect its token for
 * `seconds` with the code of this digest.
 */
export const approve = (
  tx: Db,
  asked: Asked,
  token: ChosenToken,
  code: { digest: Buffer; seconds: number },
): Promise<Return | undefined> =>
  row(
    tx,
    sql`
      update device_authorizations set state = 'approved', user_id = ${token.userId},
        organization_id = ${token.organizationId}, token_name = ${token.name},
        token_permissions = ${token.permissions}::text[], token_expires_at = ${token.expiresAt}::timestamptz,
        device_digest = case when client_id is null then device_digest else ${code.digest} end,
        expires_at = case when client_id is null then expires_at else now() + make_interval(secs => ${code.seconds}) end
      where ${isPending(asked)}
      returning ${toReturn}
    `,
  );

/** Compare-and-set; undefined when it was answered before, or has expired. */
export const deny = (db: Db, asked: Asked, userId: number): Promise<Return | undefined> =>
  row(
    db,
    sql`
      update device_authorizations set state = 'denied', user_id = ${userId} where ${isPending(asked)} returning ${toReturn}
    `,
  );

/** What was approved, while the person is a member. */
export interface Approved extends ChosenToken {
  email: string;
  organization: string;
  client: CallingProgram;
}

/** Takes what was approved for a program on a device; undefined for each further request. */
export const takeApproved = (tx: Db, digest: Buffer): Promise<Approved | undefined> =>
  row(
    tx,
    sql`
      delete from device_authorizations d using users u, memberships m, organizations o
      where d.device_digest = ${digest} and d.client_id is null and ${isApproved}
      returning ${approved}
    `,
  );

const isApproved = sql`
  d.state = 'approved' and d.expires_at > now() and u.id = d.user_id
    and m.user_id = d.user_id and m.organization_id = d.organization_id and o.id = d.organization_id
`;
const approved = sql`
  d.user_id as "userId", u.email, d.organization_id as "organizationId", o.name as organization, d.client,
    d.token_name as name, d.token_permissions as permissions, d.token_expires_at as "expiresAt"
`;

/** What a program of another site shows for its token. */
export interface Exchange {
  /** Digest of the code. */
  digest: Buffer;
  clientId: string;
  redirectUri: string;
  /** Made of the secret that it sends. */
  challenge: string;
}

/** Long after a code has expired, its second use still revokes the token. */
const replaySeconds = 86_400;

/** Compare-and-set: takes what was approved for a program of another site; undefined for each further request. */
export const takeByCode = (tx: Db, shown: Exchange): Promise<(Approved & { id: number }) | undefined> =>
  row(
    tx,
    sql`
      update device_authorizations d
      set state = 'collected', expires_at = now() + make_interval(secs => ${replaySeconds})
      from users u, memberships m, organizations o
      where d.device_digest = ${shown.digest} and d.client_id = ${shown.clientId} and d.redirect_uri = ${shown.redirectUri}
        and d.code_challenge = ${shown.challenge} and ${isApproved}
      returning d.id, ${approved}
    `,
  );

export const noteToken = (tx: Db, id: number, tokenId: number): Promise<number> =>
  changed(tx, sql`update device_authorizations set token_id = ${tokenId} where id = ${id} and state = 'collected'`);

/** The token that was handed out for a code. */
export const findCollected = (
  tx: Db,
  digest: Buffer,
): Promise<(Pick<Approved, "userId" | "email" | "organizationId" | "client"> & { tokenId: number }) | undefined> =>
  row(
    tx,
    sql`
      select d.user_id as "userId", u.email, d.organization_id as "organizationId", d.client, d.token_id as "tokenId"
      from device_authorizations d join users u on u.id = d.user_id
      where d.device_digest = ${digest} and d.state = 'collected' and d.token_id is not null
      for update of d
    `,
  );

export interface Poll {
  state: "pending" | "approved" | "denied";
  interval: number;
  isEarly: boolean;
}

/** Programs' clocks and the network are not exact. */
const toleranceSeconds = 0.5;

/** Notes a question for the token: one that comes too early lengthens the interval. Undefined when there is no such program. */
export const notePoll = (db: Db, digest: Buffer): Promise<Poll | undefined> =>
  row(
    db,
    sql`
      update device_authorizations d
      set polled_at = now(), interval_seconds = d.interval_seconds + case when before.is_early then 5 else 0 end
      from (
        select id, coalesce(
          polled_at > now() - make_interval(secs => interval_seconds - ${toleranceSeconds}::float8), false) as is_early
        from device_authorizations where device_digest = ${digest} and client_id is null and expires_at > now() for update
      ) before
      where d.id = before.id
      returning d.state, d.interval_seconds as interval, before.is_early as "isEarly"
    `,
  );
