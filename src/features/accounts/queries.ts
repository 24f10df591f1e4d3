import { allOf, contains, orderOf } from "../../db/filters.ts";
import { limitOf } from "../../db/page.ts";
import {
  changed,
  columnsOf,
  type Db,
  empty,
  raw,
  row,
  rows,
  rowsInParts,
  type Sql,
  selected,
  sql,
} from "../../db/sql.ts";
import type { PageRequest } from "../../http/pagination.ts";
import type { Actor } from "./reach.ts";
import type { PlanName, Role } from "./schema.ts";

// The caller -----------------------------------------------------------------------------------------------------------

export interface CallerRow {
  userId: number;
  userName: string;
  email: string;
  /** Null: a session. */
  tokenId: number | null;
  tokenPermissions: string[];
  tokenExpiresAt: string | null;
  isBound: boolean;
  wasUsedLately: boolean;
  /** Null, like all following fields: the user is not in such an organization. */
  organizationId: number | null;
  organizationName: string;
  plan: PlanName;
  role: Role;
  isRestricted: boolean;
  serverIds: number[];
  projectIds: number[];
  visibleServerIds: number[];
}

/**
 * The holder of a token with the membership for this request, in one statement: in the requested organization, else the token's
 * own, else the account's current one, else its oldest. A bound token has a membership in its own organization only.
 */
export const findCaller = (
  db: Db,
  digest: Buffer,
  organizationId: number | undefined,
): Promise<CallerRow | undefined> =>
  row<CallerRow>(
    db,
    sql`select ${holderColumns}, t.id as "tokenId", t.permissions as "tokenPermissions",
        t.expires_at as "tokenExpiresAt", t.is_bound as "isBound",
        coalesce(t.last_used_at > now() - interval '1 minute', false) as "wasUsedLately"
      from tokens t
      join users u on u.id = t.user_id
      ${membershipIn(sql`coalesce(${organizationId ?? null}::bigint, t.organization_id, organization_id)
        and (not t.is_bound or organization_id = t.organization_id)`)}
      where t.digest = ${digest} and (t.expires_at is null or t.expires_at > now()) and u.blocked_at is null`,
  );

/**
 * The same for a console session, which has no token's limits, with the secret that signs its cookie. The session value alone
 * proves nothing: every copy of the database contains it.
 */
export const findSessionCaller = (
  db: Db,
  session: string,
  organizationId: number | undefined,
): Promise<(CallerRow & { signedWith: Buffer }) | undefined> =>
  row(
    db,
    sql`select ${holderColumns}, null as "tokenId", array['*'] as "tokenPermissions", null as "tokenExpiresAt",
        false as "isBound", true as "wasUsedLately", signing.secret as "signedWith"
      from auth_sessions session
      cross join auth_secret signing
      join users u on u.id = session.user_id
      ${membershipIn(sql`coalesce(${organizationId ?? null}::bigint, organization_id)`)}
      where session.token = ${session} and session.expires_at > now() and u.blocked_at is null`,
  );

/** Encrypted: signs the cookies of console sessions. The first one stays. */
export const insertSigningSecret = (db: Db, secret: Buffer): Promise<number> =>
  changed(db, sql`insert into auth_secret (secret) values (${secret}) on conflict do nothing`);

export const findSigningSecret = async (db: Db): Promise<Buffer | undefined> =>
  (await row<{ secret: Buffer }>(db, sql`select secret from auth_secret`))?.secret;

/** The projects that a restricted membership reaches besides those whose own server it lists: also as replicas on those servers. */
const reachedProjects = sql`case when m.restricted then m.project_ids || array(
  select pl.project_id from placements pl where pl.server_id = any(m.server_ids) and pl.role = 'replica' order by 1) end`;

const holderColumns = sql`u.id as "userId", u.name as "userName", u.email,
  o.id as "organizationId", o.name as "organizationName", o.plan, m.role, m.restricted as "isRestricted",
  m.server_ids as "serverIds", reached.ids as "projectIds",
  case when m.restricted then
    m.server_ids || array(
      select distinct pl.server_id from placements pl where pl.project_id = any(reached.ids) and pl.role in ('own', 'replica'))
  end as "visibleServerIds"`;

const membershipIn = (organization: Sql): Sql => sql`
  left join lateral (
    select * from memberships
    where user_id = u.id and organization_id = ${organization}
    order by (organization_id = u.current_organization_id) desc nulls last, id
    limit 1) m on true
  left join lateral (select ${reachedProjects} as ids) reached on true
  left join organizations o on o.id = m.organization_id`;

/** Does nothing if another process did it within the last minute. */
export const touchToken = (db: Db, tokenId: number): Promise<number> =>
  changed(
    db,
    sql`update tokens set last_used_at = now()
      where id = ${tokenId} and (last_used_at is null or last_used_at <= now() - interval '1 minute')`,
  );

// Users and organizations ------------------------------------------------------------------------------------------------

export interface UserRow {
  id: number;
  name: string;
  email: string;
  current_organization_id: number | null;
}

/** The user with how the account signs in. */
export const findOwnAccount = (
  db: Db,
  id: number,
): Promise<(UserRow & { two_factor: boolean; passkeys: number }) | undefined> =>
  row(
    db,
    sql`select id, name, email, current_organization_id,
        exists (select from auth_two_factors f where f.user_id = users.id and f.verified) as two_factor,
        (select count(*)::int from auth_passkeys p where p.user_id = users.id) as passkeys
      from users where id = ${id}`,
  );

export const saveName = (db: Db, id: number, name: string): Promise<number> =>
  changed(db, sql`update users set name = ${name} where id = ${id}`);

/** Compare-and-set; false when the account has another address by now, or another account has the new one. */
export const saveEmail = async (
  db: Db,
  { userId, email, newEmail }: { userId: number; email: string; newEmail: string },
): Promise<boolean> =>
  (await changed(
    db,
    sql`update users set email = ${newEmail}
      where id = ${userId} and email = ${email} and not exists (select from users where email = ${newEmail})`,
  )) === 1;

export const findUserByEmail = (db: Db, email: string): Promise<UserRow | undefined> =>
  row<UserRow>(
    db,
    sql`select id, name, email, current_organization_id from users where email = ${email.toLowerCase()}`,
  );

export async function hasUsers(db: Db): Promise<boolean> {
  return (await row(db, sql`select 1 from users limit 1`)) !== undefined;
}

/** Inserts the user; an existing account with that email keeps its organization. */
export async function saveUser(db: Db, user: { email: string; name: string; organizationId: number }): Promise<number> {
  const saved = await row<{ id: number }>(
    db,
    sql`insert into users as u (email, name, current_organization_id)
      values (${user.email.toLowerCase()}, ${user.name}, ${user.organizationId})
      on conflict (email) do update set name = excluded.name,
        current_organization_id = coalesce(u.current_organization_id, excluded.current_organization_id)
      returning id`,
  );
  if (!saved) throw new Error("The user could not be stored.");
  return saved.id;
}

/** The id of the new user; undefined if an account with that email exists. */
export async function insertUser(
  db: Db,
  user: { email: string; name: string; organizationId: number },
): Promise<number | undefined> {
  const inserted = await row<{ id: number }>(
    db,
    sql`insert into users (email, name, current_organization_id)
      values (${user.email}, ${user.name}, ${user.organizationId})
      on conflict (email) do nothing returning id`,
  );
  return inserted?.id;
}

/** The password for the console, where better-auth looks for it. */
export async function savePassword(db: Db, userId: number, digest: string): Promise<void> {
  await changed(
    db,
    sql`insert into auth_accounts (user_id, provider_id, account_id, password)
      values (${userId}, 'credential', ${String(userId)}, ${digest})
      on conflict (provider_id, account_id) do update set password = excluded.password, updated_at = now()`,
  );
}

export const isBlocked = async (db: Db, userId: number): Promise<boolean> =>
  (await row(db, sql`select 1 from users where id = ${userId} and blocked_at is not null`)) !== undefined;

/** Ends every session of the user. */
export const deleteSessions = (db: Db, userId: number): Promise<number> =>
  changed(db, sql`delete from auth_sessions where user_id = ${userId}`);

export interface NewSession {
  userId: number;
  token: string;
  seconds: number;
  ip: string | null;
  userAgent: string;
}

export const insertSession = (db: Db, { userId, token, seconds, ip, userAgent }: NewSession): Promise<number> =>
  changed(
    db,
    sql`insert into auth_sessions (user_id, token, expires_at, ip_address, user_agent)
      values (${userId}, ${token}, now() + make_interval(secs => ${seconds}), ${ip}, ${userAgent})`,
  );

export interface SessionRow {
  id: number;
  ip: string | null;
  user_agent: string | null;
  is_current: boolean;
  signed_in_at: string;
  last_used_at: string;
  expires_at: string;
}

/** The sessions of the user that have not ended, the last used first. `current` is the value of the request's own. */
export const listSessions = (db: Db, userId: number, current: string | undefined): Promise<SessionRow[]> =>
  rows(
    db,
    sql`select id, nullif(ip_address, '') as ip, left(nullif(user_agent, ''), 512) as user_agent,
        coalesce(token = ${current ?? null}::text, false) as is_current,
        created_at as signed_in_at, updated_at as last_used_at, expires_at
      from auth_sessions where user_id = ${userId} and expires_at > now()
      order by coalesce(token = ${current ?? null}::text, false) desc, updated_at desc, id desc limit 200`,
  );

export const deleteSession = (db: Db, userId: number, id: number): Promise<number> =>
  changed(db, sql`delete from auth_sessions where user_id = ${userId} and id = ${id}`);

export const deleteOtherSessions = (db: Db, userId: number, current: string | undefined): Promise<number> =>
  changed(
    db,
    sql`delete from auth_sessions where user_id = ${userId} and token is distinct from ${current ?? null}::text`,
  );

export const deleteExpiredSessions = (db: Db): Promise<number> =>
  changed(db, sql`delete from auth_sessions where expires_at < now()`);

export interface OrganizationRow {
  id: number;
  name: string;
  plan: PlanName;
}

export const findOrganization = (db: Db, id: number): Promise<OrganizationRow | undefined> =>
  row<OrganizationRow>(db, sql`select id, name, plan from organizations where id = ${id}`);

export const findOrganizationByName = (db: Db, name: string): Promise<OrganizationRow | undefined> =>
  row<OrganizationRow>(db, sql`select id, name, plan from organizations where name = ${name} order by id limit 1`);

/** Without a plan, the first organization of an installation is on `business`, and the others are on the default one. */
export async function createOrganization(
  db: Db,
  name: string,
  { plan, defaultPlan = "business" }: { plan?: PlanName | undefined; defaultPlan?: PlanName | undefined },
): Promise<OrganizationRow> {
  const created = await row<OrganizationRow>(
    db,
    sql`insert into organizations (name, plan)
      select ${name}, coalesce(${plan ?? null}::text,
        case when exists (select 1 from organizations) then ${defaultPlan} else 'business' end)
      returning id, name, plan`,
  );
  if (!created) throw new Error("The organization could not be stored.");
  return created;
}

export const setPlan = (db: Db, organizationId: number, plan: PlanName): Promise<number> =>
  changed(
    db,
    sql`update organizations set plan = ${plan}, updated_at = clock_timestamp() where id = ${organizationId}`,
  );

export const renameOrganization = (db: Db, id: number, name: string): Promise<number> =>
  changed(db, sql`update organizations set name = ${name}, updated_at = clock_timestamp() where id = ${id}`);

export const setCurrentOrganization = (db: Db, userId: number, id: number): Promise<number> =>
  changed(db, sql`update users set current_organization_id = ${id} where id = ${userId}`);

export interface MembershipRow {
  id: number;
  name: string;
  role: Role;
  plan: PlanName;
}

/** The organizations of a user, with the role in each; `only`: just this one. */
export const listOrganizations = (db: Db, userId: number, only?: number): Promise<MembershipRow[]> =>
  rows<MembershipRow>(
    db,
    sql`select o.id, o.name, m.role, o.plan from memberships m join organizations o on o.id = m.organization_id
      where m.user_id = ${userId} ${only === undefined ? empty : sql`and o.id = ${only}`}
      order by o.name, o.id`,
  );

export interface Membership {
  userId: number;
  organizationId: number;
  role: Role;
  /** Undefined: all of the organization. */
  restriction: { serverIds: readonly number[]; projectIds: readonly number[] } | undefined;
}

/** Adds the membership, or gives the existing one this role and restriction. */
export async function saveMembership(db: Db, { userId, organizationId, role, restriction }: Membership): Promise<void> {
  await changed(
    db,
    sql`insert into memberships (user_id, organization_id, role, restricted, server_ids, project_ids)
      values (${userId}, ${organizationId}, ${role}, ${restriction !== undefined},
        ${restriction?.serverIds ?? []}::bigint[], ${restriction?.projectIds ?? []}::bigint[])
      on conflict (user_id, organization_id) do update set role = excluded.role, restricted = excluded.restricted,
        server_ids = excluded.server_ids, project_ids = excluded.project_ids, updated_at = clock_timestamp()`,
  );
}

/** Adds the membership; an existing one stays as it is. */
export async function addMembership(db: Db, userId: number, organizationId: number, role: Role): Promise<void> {
  await changed(
    db,
    sql`insert into memberships (user_id, organization_id, role) values (${userId}, ${organizationId}, ${role})
      on conflict (user_id, organization_id) do nothing`,
  );
}

export const setRole = (db: Db, userId: number, organizationId: number, role: Role): Promise<number> =>
  changed(
    db,
    sql`update memberships set role = ${role}, updated_at = clock_timestamp() where user_id = ${userId} and organization_id = ${organizationId}`,
  );

/** Deletes the membership with its dependent rows. Returns its role; undefined if there is none. */
export async function deleteMembership(tx: Db, organizationId: number, userId: number): Promise<Role | undefined> {
  const mine = sql`user_id = ${userId} and organization_id = ${organizationId}`;
  const deleted = await row<{ role: Role }>(tx, sql`delete from memberships where ${mine} returning role`);
  if (!deleted) return undefined;
  // They would become valid again with the next membership.
  await changed(tx, sql`delete from tokens where ${mine}`);
  await changed(
    tx,
    sql`update users set current_organization_id = null
      where id = ${userId} and current_organization_id = ${organizationId}`,
  );
  return deleted.role;
}

/** Lets a restricted membership reach the server that it added. */
export async function addToReach(tx: Db, actor: Actor, serverId: number): Promise<void> {
  if (!actor.restriction) return;
  await tx.query(sql`
    update memberships set server_ids = array_append(server_ids, ${serverId}::bigint), updated_at = clock_timestamp()
    where user_id = ${actor.userId} and organization_id = ${actor.organizationId} and restricted
  `);
}

/** Removes a server and its projects from the restrictions of an organization's members. */
export async function removeFromReach(tx: Db, serverId: number, organizationId: number): Promise<void> {
  await tx.query(sql`
    update memberships set server_ids = array_remove(server_ids, ${serverId}::bigint), updated_at = clock_timestamp(),
      project_ids = array(
        select listed from unnest(project_ids) listed
        where listed not in (select id from projects where server_id = ${serverId})
      )
    where organization_id = ${organizationId} and restricted
  `);
}

export const isMember = async (db: Db, userId: number, organizationId: number): Promise<boolean> =>
  (await row(db, sql`select 1 from memberships where user_id = ${userId} and organization_id = ${organizationId}`)) !==
  undefined;

/** The ids that are not servers of the organization. */
export async function listForeignServers(db: Db, organizationId: number, ids: readonly number[]): Promise<number[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select id from unnest(${ids}::bigint[]) as wanted (id)
      where id not in (select s.id from servers s where s.organization_id = ${organizationId})`,
  );
  return found.map(({ id }) => id);
}

/** The ids that are not projects of the organization. */
export async function listForeignProjects(db: Db, organizationId: number, ids: readonly number[]): Promise<number[]> {
  const found = await rows<{ id: number }>(
    db,
    sql`select id from unnest(${ids}::bigint[]) as wanted (id)
      where id not in (select p.id from projects p where p.organization_id = ${organizationId})`,
  );
  return found.map(({ id }) => id);
}

// Tokens -----------------------------------------------------------------------------------------------------------------

export interface TokenRow {
  id: number;
  name: string;
  prefix: string;
  permissions: string[];
  organization_id: number | null;
  is_bound: boolean;
  expires_at: string | null;
  last_used_at: string | null;
  created_at: string;
}

const tokenFields = [
  ...(["id", "name", "prefix", "permissions", "organization_id", "is_bound"] as const),
  ...(["expires_at", "last_used_at", "created_at"] as const),
] as const;

const tokenColumns = raw(tokenFields.join(", "));

/** The user's tokens; `only`: those bound to that organization. */
export const listTokens = (db: Db, userId: number, only?: number): Promise<TokenRow[]> =>
  rows<TokenRow>(
    db,
    sql`select ${tokenColumns} from tokens where user_id = ${userId}
      ${only === undefined ? empty : sql`and is_bound and organization_id = ${only}`} order by id`,
  );

export const findToken = (db: Db, userId: number, id: number): Promise<TokenRow | undefined> =>
  row<TokenRow>(db, sql`select ${tokenColumns} from tokens where user_id = ${userId} and id = ${id}`);

export interface TokenRecord {
  userId: number;
  organizationId: number | null;
  isBound: boolean;
  name: string;
  prefix: string;
  digest: Buffer;
  permissions: readonly string[];
  expiresAt: string | null;
}

export async function insertToken(db: Db, token: TokenRecord): Promise<TokenRow> {
  const inserted = await row<TokenRow>(
    db,
    sql`insert into tokens (user_id, organization_id, is_bound, name, prefix, digest, permissions, expires_at)
      values (${token.userId}, ${token.organizationId}, ${token.isBound}, ${token.name}, ${token.prefix}, ${token.digest},
        ${token.permissions}::text[], ${token.expiresAt}::timestamptz)
      returning ${tokenColumns}`,
  );
  if (!inserted) throw new Error("The token could not be stored.");
  return inserted;
}

export interface TokenFilter {
  organizationId: number;
  text: string | undefined;
  userId: number | undefined;
}

const tokensIn = ({ organizationId, text, userId }: TokenFilter): Sql => sql`
  from tokens t join users u on u.id = t.user_id
  where ${allOf([
    sql`t.organization_id = ${organizationId}`,
    userId === undefined ? undefined : sql`t.user_id = ${userId}`,
    text ? contains([sql`t.name`, sql`u.name`, sql`u.email`], text) : undefined,
  ])}`;

const tokenOrders = { name: sql`t.name`, last_used_at: sql`t.last_used_at`, created_at: sql`t.created_at` };

export type TokenSort = keyof typeof tokenOrders | `-${keyof typeof tokenOrders}`;

/** The tokens for an organization, of all accounts. */
export const listTokensIn = (
  db: Db,
  filter: TokenFilter,
  { page, sort }: { page: PageRequest; sort: TokenSort },
): Promise<(TokenRow & { user: { id: number; name: string; email: string } })[]> =>
  rowsInParts(
    db,
    sql`select ${selected(columnsOf("t", tokenFields))}, ${selected(columnsOf("u", ["id", "name", "email"]), "user")}
      ${tokensIn(filter)} order by ${orderOf(tokenOrders, sort, sql`t.id`)} ${limitOf(page)}`,
  );

export const countTokensIn = async (db: Db, filter: TokenFilter): Promise<number> =>
  (await row<{ count: number }>(db, sql`select count(*) ${tokensIn(filter)}`))?.count ?? 0;

export const deleteTokenIn = (db: Db, organizationId: number, id: number): Promise<number> =>
  changed(db, sql`delete from tokens where organization_id = ${organizationId} and id = ${id}`);

export const deleteToken = (db: Db, userId: number, id: number): Promise<number> =>
  changed(db, sql`delete from tokens where user_id = ${userId} and id = ${id}`);

/** The data that decide a user's reach in an organization, as one text to compare; undefined without a membership. */
export async function findMembershipState(db: Db, userId: number, organizationId: number): Promise<string | undefined> {
  const membership = await row<{ state: string }>(
    db,
    sql`
      select concat_ws(' ', m.role, m.restricted, m.server_ids, ${reachedProjects}) as state from memberships m
      where m.user_id = ${userId} and m.organization_id = ${organizationId}
    `,
  );
  return membership?.state;
}
