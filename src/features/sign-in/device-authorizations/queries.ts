import { changed, type Db, row, sql } from "../../../db/sql.ts";
import type { CallingProgram } from "../../../http/calling-program.ts";
import { lifeSeconds, pollSeconds } from "./schema.ts";

export interface NewDevice {
  digest: Buffer;
  userCode: string;
  clientName: string;
  client: CallingProgram;
  ip: string | null;
  permissions: readonly string[] | null;
}

/** False when another program waits under this user code. */
export async function insertDevice(db: Db, device: NewDevice): Promise<boolean> {
  const { digest, userCode, clientName, client, ip, permissions } = device;
  await changed(db, sql`delete from device_authorizations where expires_at < now()`);
  const added = await changed(
    db,
    sql`
      insert into device_authorizations
        (device_digest, user_code, client_name, client, ip, wanted_permissions, interval_seconds, expires_at)
      values (${digest}, ${userCode}, ${clientName}, ${JSON.stringify(client)}::jsonb, ${ip}::inet, ${permissions}::text[],
        ${pollSeconds}, now() + make_interval(secs => ${lifeSeconds}))
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
}

/** The program that waits for an answer under this code. */
export const findPending = (db: Db, userCode: string): Promise<DeviceRow | undefined> =>
  row(
    db,
    sql`
      select left(user_code, 4) || '-' || right(user_code, 4) as user_code, client_name, client, host(ip) as ip,
        wanted_permissions as permissions, created_at, expires_at
      from device_authorizations where user_code = ${userCode} and state = 'pending' and expires_at > now()
    `,
  );

export interface ChosenToken {
  userId: number;
  organizationId: number;
  name: string;
  permissions: readonly string[];
  expiresAt: string | null;
}

/** Compare-and-set; false when it was answered before, or has expired. */
export const approve = async (tx: Db, userCode: string, token: ChosenToken): Promise<boolean> =>
  (await changed(
    tx,
    sql`
      update device_authorizations set state = 'approved', user_id = ${token.userId},
        organization_id = ${token.organizationId}, token_name = ${token.name},
        token_permissions = ${token.permissions}::text[], token_expires_at = ${token.expiresAt}::timestamptz
      where user_code = ${userCode} and state = 'pending' and expires_at > now()
    `,
  )) === 1;

/** Compare-and-set; false when it was answered before, or has expired. */
export const deny = async (db: Db, userCode: string, userId: number): Promise<boolean> =>
  (await changed(
    db,
    sql`
      update device_authorizations set state = 'denied', user_id = ${userId}
      where user_code = ${userCode} and state = 'pending' and expires_at > now()
    `,
  )) === 1;

/** Takes what was approved, if the person still is a member; undefined otherwise, and for each further request. */
export const takeApproved = (
  tx: Db,
  digest: Buffer,
): Promise<(ChosenToken & { email: string; organization: string; client: CallingProgram }) | undefined> =>
  row(
    tx,
    sql`
      delete from device_authorizations d using users u, memberships m, organizations o
      where d.device_digest = ${digest} and d.state = 'approved' and d.expires_at > now() and u.id = d.user_id
        and m.user_id = d.user_id and m.organization_id = d.organization_id and o.id = d.organization_id
      returning d.user_id as "userId", u.email, d.organization_id as "organizationId", o.name as organization, d.client,
        d.token_name as name, d.token_permissions as permissions, d.token_expires_at as "expiresAt"
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
        from device_authorizations where device_digest = ${digest} and expires_at > now() for update
      ) before
      where d.id = before.id
      returning d.state, d.interval_seconds as interval, before.is_early as "isEarly"
    `,
  );
