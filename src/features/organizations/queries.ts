import { limitOf } from "../../db/page.ts";
import { changed, type Db, empty, row, rows, type Sql, sql } from "../../db/sql.ts";
import type { Actor, Caller } from "../../http/actor.ts";
import type { PageRequest } from "../../http/pagination.ts";
import { projectReach, serverReach } from "../accounts/reach.ts";
import type { PlanName, Role } from "../accounts/schema.ts";

export interface Restriction {
  server_ids: number[];
  project_ids: number[];
}

const count = async (db: Db, query: Sql): Promise<number> => (await row<{ count: number }>(db, query))?.count ?? 0;

// Organizations --------------------------------------------------------------------------------------------------------

export interface OrganizationRow {
  id: number;
  name: string;
  plan: PlanName;
  role: Role;
  is_current: boolean;
  members_count: number;
  created_at: string;
  updated_at: string;
}

/** A bound token sees its own organization only. */
const ownOrganizations = ({ userId, isBound, organizationId }: Caller, columns: Sql): Sql => sql`
  select ${columns} from memberships m
  join organizations o on o.id = m.organization_id
  join users u on u.id = m.user_id
  where m.user_id = ${userId} ${isBound ? sql`and o.id = ${organizationId}` : empty}`;

const organizationColumns = sql`o.id, o.name, o.plan, m.role, o.created_at, o.updated_at,
  (o.id is not distinct from u.current_organization_id) as is_current,
  (select count(*) from memberships others where others.organization_id = o.id)::integer as members_count`;

/** The organizations the user is a member of. */
export const listOwnOrganizations = (db: Db, actor: Caller, page: PageRequest): Promise<OrganizationRow[]> =>
  rows(db, sql`${ownOrganizations(actor, organizationColumns)} order by o.name, o.id ${limitOf(page)}`);

export const countOwnOrganizations = (db: Db, actor: Caller): Promise<number> =>
  count(db, ownOrganizations(actor, sql`count(*)`));

export const findOwnOrganization = (db: Db, actor: Caller, id: number): Promise<OrganizationRow | undefined> =>
  row(db, sql`${ownOrganizations(actor, organizationColumns)} and o.id = ${id}`);

// Members --------------------------------------------------------------------------------------------------------------

export interface MemberRow {
  user_id: number;
  name: string;
  email: string;
  role: Role;
  restriction: Restriction | null;
  joined_at: string;
  updated_at: string;
}

/** With the part of a restriction that is within the actor's reach, so that the list of members reveals no records. */
const memberColumns = (actor: Actor): Sql => sql`
  u.id as user_id, u.name, u.email, m.role,
  case when m.restricted then json_build_object(
    'server_ids', array(
      select s.id from servers s where s.id = any(m.server_ids) and ${serverReach(actor)} order by 1),
    'project_ids', array(
      select p.id from projects p where p.id = any(m.project_ids) and ${projectReach(actor)} order by 1)) end as restriction,
  m.created_at as joined_at, m.updated_at`;

export const listMembers = (db: Db, actor: Actor, page: PageRequest): Promise<MemberRow[]> =>
  rows(
    db,
    sql`select ${memberColumns(actor)} from memberships m join users u on u.id = m.user_id
      where m.organization_id = ${actor.organizationId} order by u.name, u.id ${limitOf(page)}`,
  );

export const countMembers = (db: Db, organizationId: number): Promise<number> =>
  count(db, sql`select count(*) from memberships where organization_id = ${organizationId}`);

export const findMember = (db: Db, actor: Actor, userId: number): Promise<MemberRow | undefined> =>
  row(
    db,
    sql`select ${memberColumns(actor)} from memberships m join users u on u.id = m.user_id
      where m.organization_id = ${actor.organizationId} and u.id = ${userId}`,
  );

export const isMemberByEmail = async (db: Db, organizationId: number, email: string): Promise<boolean> =>
  (await count(
    db,
    sql`select count(*) from memberships m join users u on u.id = m.user_id
      where m.organization_id = ${organizationId} and u.email = ${email}`,
  )) > 0;

/** Counts the unrestricted Owners besides one. Only they can repair any state of the organization. */
export const countOtherFullOwners = (tx: Db, organizationId: number, userId: number): Promise<number> =>
  count(
    tx,
    sql`select count(*) from memberships
      where organization_id = ${organizationId} and user_id <> ${userId} and role = 'Owner' and not restricted`,
  );

/** Serializes changes of members and invitations: of two Owners who leave at once, the second sees the first. */
export const lockOrganization = async (tx: Db, id: number): Promise<void> => {
  await rows(tx, sql`select 1 from organizations where id = ${id} for update`);
};

// Invitations ----------------------------------------------------------------------------------------------------------

export interface InvitationRow {
  id: number;
  organization_id: number;
  email: string;
  role: Role;
  restriction: Restriction | null;
  status: "pending" | "accepted" | "expired";
  invited_by: number | null;
  expires_at: string;
  accepted_at: string | null;
  created_at: string;
}

const invitationColumns = sql`id, organization_id, email, role, invited_by, expires_at, accepted_at, created_at,
  case when restricted then json_build_object('server_ids', server_ids, 'project_ids', project_ids) end as restriction,
  case when accepted_at is not null then 'accepted' when expires_at <= now() then 'expired' else 'pending' end as status`;

export interface NewInvitation {
  organizationId: number;
  email: string;
  role: Role;
  restriction: Restriction | null;
  digest: Buffer;
  invitedBy: number;
  days: number;
}

/**
 * Counts the invitations of the last 24 hours, for the limits. Other transactions wait until this one ends, so that no two count
 * the same state.
 */
export async function countSentInvitations(
  tx: Db,
  { organizationId, invitedBy, email }: SentInvitation,
): Promise<{ organization: number; inviter: number; email: number }> {
  await changed(tx, sql`lock table sent_invitations in share row exclusive mode`);
  await changed(tx, sql`delete from sent_invitations where created_at < now() - interval '24 hours'`);
  const counts = await row<{ organization: number; inviter: number; email: number }>(
    tx,
    sql`select count(*) filter (where organization_id = ${organizationId}) as organization,
        count(*) filter (where invited_by = ${invitedBy}) as inviter, count(*) filter (where email = ${email}) as email
      from sent_invitations
      where organization_id = ${organizationId} or invited_by = ${invitedBy} or email = ${email}`,
  );
  return counts ?? { organization: 0, inviter: 0, email: 0 };
}

export interface SentInvitation {
  organizationId: number;
  invitedBy: number;
  email: string;
}

export const addSentInvitation = (tx: Db, { organizationId, invitedBy, email }: SentInvitation): Promise<number> =>
  changed(
    tx,
    sql`insert into sent_invitations (organization_id, invited_by, email)
      values (${organizationId}, ${invitedBy}, ${email})`,
  );

/** Invites; replaces an open invitation of the same email, with its token. */
export async function saveInvitation(db: Db, invitation: NewInvitation): Promise<InvitationRow> {
  const { organizationId, email, role, restriction, digest, invitedBy, days } = invitation;
  const saved = await row<InvitationRow>(
    db,
    sql`insert into invitations
        (organization_id, email, role, restricted, server_ids, project_ids, digest, invited_by, expires_at)
      values (${organizationId}, ${email}, ${role}, ${restriction !== null}, ${restriction?.server_ids ?? []}::bigint[],
        ${restriction?.project_ids ?? []}::bigint[], ${digest}, ${invitedBy}, now() + make_interval(days => ${days}))
      on conflict (organization_id, email) where accepted_at is null do update set
        role = excluded.role, restricted = excluded.restricted, server_ids = excluded.server_ids,
        project_ids = excluded.project_ids, digest = excluded.digest, invited_by = excluded.invited_by,
        expires_at = excluded.expires_at, created_at = clock_timestamp()
      returning ${invitationColumns}`,
  );
  if (!saved) throw new Error("The invitation could not be stored.");
  return saved;
}

export const listInvitations = (db: Db, organizationId: number, page: PageRequest): Promise<InvitationRow[]> =>
  rows(
    db,
    sql`select ${invitationColumns} from invitations where organization_id = ${organizationId}
      order by id desc ${limitOf(page)}`,
  );

export const countInvitations = (db: Db, organizationId: number): Promise<number> =>
  count(db, sql`select count(*) from invitations where organization_id = ${organizationId}`);

/** Only an open one: an accepted one is history. */
export const findOpenInvitation = (db: Db, organizationId: number, id: number): Promise<InvitationRow | undefined> =>
  row(
    db,
    sql`select ${invitationColumns} from invitations
      where organization_id = ${organizationId} and id = ${id} and accepted_at is null`,
  );

/** The invitation that another one of the same email would replace. */
export const findOpenInvitationOf = (
  db: Db,
  organizationId: number,
  email: string,
): Promise<InvitationRow | undefined> =>
  row(
    db,
    sql`select ${invitationColumns} from invitations
      where organization_id = ${organizationId} and email = ${email} and accepted_at is null`,
  );

export const deleteInvitation = async (db: Db, organizationId: number, id: number): Promise<boolean> =>
  (await changed(
    db,
    sql`delete from invitations where organization_id = ${organizationId} and id = ${id} and accepted_at is null`,
  )) === 1;

/** The invitation of a token, as long as it can be accepted. */
export const findAcceptable = (db: Db, digest: Buffer): Promise<InvitationRow | undefined> =>
  row(
    db,
    sql`select ${invitationColumns} from invitations
      where digest = ${digest} and accepted_at is null and expires_at > now()`,
  );

export interface InvitationPreview {
  organization: string;
  inviter: string | null;
  email: string;
  role: Role;
  is_restricted: boolean;
  servers_count: number;
  projects_count: number;
  has_account: boolean;
  expires_at: string;
}

/** What the holder of a token may know before accepting. The counts are what the membership would reach now. */
export const findPreview = (db: Db, digest: Buffer): Promise<InvitationPreview | undefined> =>
  row(
    db,
    sql`select o.name as organization, inviter.name as inviter, i.email, i.role, i.restricted as is_restricted,
        (select count(*) from servers s where s.organization_id = o.id
          and (not i.restricted or s.id = any(i.server_ids)))::integer as servers_count,
        (select count(*) from projects p where p.organization_id = o.id
          and (not i.restricted or p.server_id = any(i.server_ids) or p.id = any(i.project_ids) or exists (
            select from placements pl
            where pl.project_id = p.id and pl.server_id = any(i.server_ids) and pl.role = 'replica')))::integer as projects_count,
        exists (select from users u where u.email = i.email) as has_account, i.expires_at
      from invitations i join organizations o on o.id = i.organization_id left join users inviter on inviter.id = i.invited_by
      where i.digest = ${digest} and i.accepted_at is null and i.expires_at > now()`,
  );

/** Uses the invitation; false if another request was first, or it changed since it was read. */
export const redeemInvitation = async (tx: Db, digest: Buffer): Promise<boolean> =>
  (await changed(
    tx,
    sql`update invitations set accepted_at = now()
      where digest = ${digest} and accepted_at is null and expires_at > now()`,
  )) === 1;

// Invitations on their way by mail ---------------------------------------------------------------------------------------------

/** Stores the invitation's token for mailing. Replaces a token that is still to be mailed, as the invitation was replaced. */
export async function saveInvitationMail(tx: Db, invitationId: number, token: Buffer): Promise<void> {
  await tx.query(sql`
    insert into invitation_mails (invitation_id, token) values (${invitationId}, ${token})
    on conflict (invitation_id) do update set token = excluded.token, attempts = 0, created_at = clock_timestamp()
  `);
}

export interface InvitationMail {
  token: Buffer;
  attempts: number;
  age_ms: number;
  email: string;
  role: Role;
  expires_at: string;
  organization: string;
  inviter: string | null;
}

/** Without an actor: for the job. Undefined if there is nothing to mail, or the digest belongs to a replaced token. */
export const findInvitationMail = (db: Db, invitationId: number, digest: Buffer): Promise<InvitationMail | undefined> =>
  row(
    db,
    sql`
      select m.token, m.attempts, i.email, i.role, i.expires_at, o.name as organization, u.name as inviter,
        (extract(epoch from clock_timestamp() - m.created_at) * 1000)::bigint as age_ms
      from invitation_mails m join invitations i on i.id = m.invitation_id
        join organizations o on o.id = i.organization_id left join users u on u.id = i.invited_by
      where m.invitation_id = ${invitationId} and i.digest = ${digest} and i.accepted_at is null and i.expires_at > now()
    `,
  );

/** Deletes the stored token. A newer one that replaced it stays. */
export async function deleteInvitationMail(db: Db, invitationId: number, digest: Buffer): Promise<void> {
  await db.query(sql`
    delete from invitation_mails m using invitations i
    where m.invitation_id = ${invitationId} and i.id = m.invitation_id and i.digest = ${digest}
  `);
}

/** Counts a failed attempt; false if another job counted it, or there is nothing to mail any more. */
export const countMailAttempt = async (tx: Db, invitationId: number, attempts: number): Promise<boolean> =>
  (await changed(
    tx,
    sql`update invitation_mails set attempts = attempts + 1
      where invitation_id = ${invitationId} and attempts = ${attempts}`,
  )) === 1;
