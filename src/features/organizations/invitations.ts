import type { PoolClient } from "pg";
import type { Static } from "typebox";
import { mailServerOf } from "../../config.ts";
import type { Db } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { type Credential, findCredential, unauthenticated } from "../../http/authenticate.ts";
import { callingProgram } from "../../http/calling-program.ts";
import { insertAuditEntry } from "../../http/queries.ts";
import type { PublicContext, RequestContext } from "../../http/route.ts";
import { AppError, invalid, notFound } from "../../lib/errors.ts";
import { digestPassword } from "../../lib/password.ts";
import { findAccount } from "../accounts/authenticator.ts";
import { findUserByEmail, insertUser, isMember, saveMembership, savePassword } from "../accounts/queries.ts";
import { openSession } from "../accounts/sessions.ts";
import { digestOf, newSecret } from "../accounts/tokens.ts";
import { checkedRestriction, type ListRequest, pageWith, refuseForOwners, refuseRestricted } from "./actions.ts";
import {
  addSentInvitation,
  countInvitations,
  countSentInvitations,
  deleteInvitation,
  findAcceptable,
  findOpenInvitation,
  findOpenInvitationOf,
  findPreview,
  type InvitationPreview,
  type InvitationRow,
  isMemberByEmail,
  listInvitations,
  lockOrganization,
  redeemInvitation,
  type SentInvitation,
  saveInvitation,
  saveInvitationMail,
} from "./queries.ts";
import {
  type Acceptance,
  type InvitationRequest,
  invitationDays,
  invitationMailQueue,
  invitationsOfDay,
} from "./schema.ts";

export const showInvitations = ({ pool, actor }: RequestContext, query: ListRequest) =>
  pageWith(
    query,
    (page) => listInvitations(pool, actor.organizationId, page),
    () => countInvitations(pool, actor.organizationId),
  );

/**
 * Invites an email address, with or without an account. The token is in the response, and is mailed if there is a mail server;
 * until that has accepted the mail, the token is stored encrypted.
 */
export async function invite(
  ctx: RequestContext,
  request: Static<typeof InvitationRequest>,
): Promise<InvitationRow & { token: string }> {
  const { organizationId, userId } = ctx.actor;
  const email = request.email.toLowerCase();
  refuseRestricted(ctx);
  refuseForOwners(ctx, request.role);
  const token = newSecret("lsi_");
  const saved = await transaction(ctx.pool, async (tx) => {
    await lockOrganization(tx, organizationId);
    const replaced = await findOpenInvitationOf(tx, organizationId, email);
    if (replaced) refuseForOwners(ctx, replaced.role);
    if (await isMemberByEmail(tx, organizationId, email)) {
      throw invalid({ email: `${email} is a member of the organization already.` });
    }
    await countInvitation(tx, { organizationId, invitedBy: userId, email });
    const invitation = await saveInvitation(tx, {
      organizationId,
      email,
      role: request.role,
      restriction: await checkedRestriction(tx, ctx, request),
      digest: digestOf(token),
      invitedBy: userId,
      days: request.expires_in_days ?? invitationDays.default,
    });
    if (mailServerOf(ctx.config)) {
      await saveInvitationMail(tx, invitation.id, ctx.secrets.encrypt(token));
      const digest = digestOf(token).toString("hex");
      await ctx.queue.enqueue(tx, invitationMailQueue, { invitationId: invitation.id, digest });
    }
    return invitation;
  });
  return { ...saved, token };
}

/** Replaced and revoked invitations count too: their mail was sent. */
async function countInvitation(tx: Db, invitation: SentInvitation): Promise<void> {
  const sent = await countSentInvitations(tx, invitation);
  const kinds = ["organization", "inviter", "email"] as const;
  if (kinds.some((kind) => sent[kind] >= invitationsOfDay[kind])) {
    throw new AppError("rate_limited", "Too many invitations were made within 24 hours. Try again tomorrow.", {
      headers: { "Retry-After": "86400" },
    });
  }
  await addSentInvitation(tx, invitation);
}

export async function revokeInvitation(ctx: RequestContext, id: number): Promise<void> {
  refuseRestricted(ctx);
  const { organizationId } = ctx.actor;
  await transaction(ctx.pool, async (tx) => {
    await lockOrganization(tx, organizationId);
    const invitation = await findOpenInvitation(tx, organizationId, id);
    if (!invitation) throw notFound("The invitation");
    refuseForOwners(ctx, invitation.role);
    if (!(await deleteInvitation(tx, organizationId, id))) throw notFound("The invitation");
  });
}

// Accepting --------------------------------------------------------------------------------------------------------------

/** The accepting account: the signed-in one, or a new one. */
type Guest = { userId: number } | { name: string; passwordDigest: string };

/** For a page that asks whether to accept. */
export async function previewInvitation({ pool }: PublicContext, token: string): Promise<InvitationPreview> {
  const preview = await findPreview(pool, digestOf(token));
  if (!preview) throw gone();
  return preview;
}

/**
 * Joins the organization. An existing account proves itself with a token or session; without one, an account is created with the
 * given name and password, and is signed in. Each invitation can be used once.
 */
export async function acceptInvitation(ctx: PublicContext, request: Static<typeof Acceptance>) {
  const digest = digestOf(request.token);
  const invitation = await findAcceptable(ctx.pool, digest);
  if (!invitation) throw gone();
  const credential = findCredential({ headers: ctx.headers, changes: true }, ctx.config.publicUrl);
  const guest = await guestOf(ctx, invitation, { request, credential });
  const { organization_id: organizationId, role, restriction } = invitation;
  const reach = restriction ? { serverIds: restriction.server_ids, projectIds: restriction.project_ids } : undefined;
  const accepted = await transaction(ctx.pool, async (tx) => {
    const id = "userId" in guest ? guest.userId : await createAccount(tx, invitation, guest);
    if (!(await redeemInvitation(tx, digest))) throw gone();
    if (await isMember(tx, id, organizationId)) {
      throw new AppError("refused", "You are a member of the organization already.");
    }
    await saveMembership(tx, { userId: id, organizationId, role, restriction: reach });
    // The request had no actor before, so its audit entry is written here.
    await insertAuditEntry(tx, {
      organizationId,
      userId: id,
      userEmail: invitation.email,
      tokenId: null,
      ip: ctx.ip,
      action: "POST /api/v1/invitations/accept",
      summary: "Accept an invitation",
      subjects: [`invitation:${invitation.id}`, `user:${id}`],
      fields: [],
      requestId: ctx.requestId,
      client: callingProgram(ctx.headers, typeof credential !== "string"),
    });
    return { id, cookie: "userId" in guest ? {} : await openSession(tx, ctx, id) };
  });
  const { id: userId, cookie } = accepted;
  return { membership: { organization_id: organizationId, user_id: userId, role }, cookie };
}

const gone = (): AppError =>
  new AppError("not_found", "There is no such invitation. It was used or revoked, or has expired: ask for a new one.");

interface Asked {
  request: Static<typeof Acceptance>;
  credential: Credential | undefined;
}

async function guestOf(
  ctx: PublicContext,
  { email }: InvitationRow,
  { request: { name, password }, credential }: Asked,
): Promise<Guest> {
  if (credential !== undefined) {
    const account = await findAccount(ctx, credential);
    if (!account) throw unauthenticated();
    if (account.email !== email) {
      throw new AppError("forbidden", "The invitation is for another email address than that of your account.");
    }
    if (account.isWhole) return { userId: account.id };
    throw new AppError("forbidden", "This changes your account. Sign in, or use a token with all permissions (*).");
  }
  if (await findUserByEmail(ctx.pool, email)) throw hasAccount(email);
  if (name === undefined || password === undefined) {
    throw invalid({
      ...(name === undefined && { name: "The name is required for a new account." }),
      ...(password === undefined && { password: "The password is required for a new account." }),
    });
  }
  return { name, passwordDigest: await digestPassword(password) };
}

const hasAccount = (email: string): AppError =>
  new AppError("unauthenticated", `${email} has an account. Sign in, or send an API token of it, to accept.`, {
    headers: { "WWW-Authenticate": "Bearer" },
  });

async function createAccount(
  tx: PoolClient,
  { email, organization_id: organizationId }: InvitationRow,
  { name, passwordDigest }: { name: string; passwordDigest: string },
): Promise<number> {
  const id = await insertUser(tx, { email, name, organizationId });
  if (id === undefined) throw hasAccount(email);
  await savePassword(tx, id, passwordDigest);
  return id;
}
