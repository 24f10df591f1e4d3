import { changed, type Db, empty, row, rows, sql } from "../../../db/sql.ts";
import type { Role } from "../schema.ts";

export interface AccountRow {
  id: number;
  email: string;
  name: string;
  organizations: { id: number; name: string; role: Role }[];
  tokens: number;
  has_second_factor: boolean;
  passkeys: number;
  /** By a session or a token; null: never, or the session has ended since. */
  last_used_at: string | null;
  blocked_at: string | null;
  created_at: string;
}

/** All accounts of the installation, by address. */
export const listAccounts = (db: Db): Promise<AccountRow[]> =>
  rows(
    db,
    sql`
      select u.id, u.email, u.name,
        coalesce((
          select json_agg(json_build_object('id', o.id, 'name', o.name, 'role', m.role) order by o.name, o.id)
          from memberships m join organizations o on o.id = m.organization_id where m.user_id = u.id), '[]') as organizations,
        (select count(*)::int from tokens t where t.user_id = u.id) as tokens,
        exists (select from auth_two_factors f where f.user_id = u.id and f.verified) as has_second_factor,
        (select count(*)::int from auth_passkeys p where p.user_id = u.id) as passkeys,
        greatest(
          (select max(t.last_used_at) from tokens t where t.user_id = u.id),
          (select max(s.updated_at) from auth_sessions s where s.user_id = u.id)) as last_used_at,
        u.blocked_at, u.created_at
      from users u order by u.email
    `,
  );

export interface IssuedTokenRow {
  id: number;
  email: string;
  name: string;
  prefix: string;
  permissions: string[];
  /** Null: wherever the account is a member. */
  organization: string | null;
  expires_at: string | null;
  last_used_at: string | null;
  created_at: string;
}

/** All tokens of the installation, or those of one account. */
export const listIssuedTokens = (db: Db, userId?: number): Promise<IssuedTokenRow[]> =>
  rows(
    db,
    sql`
      select t.id, u.email, t.name, t.prefix, t.permissions, o.name as organization, t.expires_at, t.last_used_at, t.created_at
      from tokens t join users u on u.id = t.user_id left join organizations o on o.id = t.organization_id
      ${userId === undefined ? empty : sql`where u.id = ${userId}`} order by u.email, t.id
    `,
  );

/** The account whose token it was; undefined if there is none. */
export const deleteIssuedToken = (tx: Db, id: number): Promise<{ userId: number; name: string } | undefined> =>
  row(tx, sql`delete from tokens where id = ${id} returning user_id as "userId", name`);

/** The first time counts. */
export const saveBlocked = (tx: Db, userId: number): Promise<number> =>
  changed(tx, sql`update users set blocked_at = coalesce(blocked_at, clock_timestamp()) where id = ${userId}`);

export const saveUnblocked = (tx: Db, userId: number): Promise<number> =>
  changed(tx, sql`update users set blocked_at = null where id = ${userId}`);

/** What proves an account besides its password. */
export async function deleteFactors(tx: Db, userId: number): Promise<void> {
  await changed(tx, sql`delete from auth_two_factors where user_id = ${userId}`);
  await changed(tx, sql`delete from auth_passkeys where user_id = ${userId}`);
  await changed(tx, sql`update users set two_factor_enabled = false where id = ${userId}`);
}

/** Locks the organizations of the account, as every change of their members does. */
export const lockOrganizationsOf = async (tx: Db, userId: number): Promise<void> => {
  await rows(
    tx,
    sql`select 1 from organizations where id in (select organization_id from memberships where user_id = ${userId})
      order by id for update`,
  );
};

/** With the organizations locked: those that no other account would own as a whole, and that others or servers are in. */
export const listOrphans = (tx: Db, userId: number): Promise<{ id: number; name: string }[]> =>
  rows(
    tx,
    sql`
      select o.id, o.name from organizations o
      where exists (select from memberships m where m.organization_id = o.id and m.user_id = ${userId})
        and not exists (
          select from memberships m
          where m.organization_id = o.id and m.user_id <> ${userId} and m.role = 'Owner' and not m.restricted)
        and (exists (select from memberships m where m.organization_id = o.id and m.user_id <> ${userId})
          or exists (select from servers s where s.organization_id = o.id)
          or exists (select from projects p where p.organization_id = o.id))
      order by o.id
    `,
  );

export const deleteAccount = (tx: Db, userId: number): Promise<number> =>
  changed(tx, sql`delete from users where id = ${userId}`);
