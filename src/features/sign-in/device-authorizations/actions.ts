import type { Pool } from "pg";
import type { Static } from "typebox";
import { installationUrl } from "../../../config.ts";
import type { Db } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { permissions as allOfThem, allPermissions } from "../../../http/actor.ts";
import { sessionOf, unauthenticated } from "../../../http/authenticate.ts";
import { callingProgram } from "../../../http/calling-program.ts";
import { insertAuditEntry } from "../../../http/queries.ts";
import type { CallerContext, Partly, PublicContext } from "../../../http/route.ts";
import { clientNetworkOf } from "../../../lib/addresses.ts";
import { AppError, type FieldErrors, notFound } from "../../../lib/errors.ts";
import { expiryError } from "../../accounts/actions.ts";
import { listOrganizations, type MembershipRow } from "../../accounts/queries.ts";
import { rolePermissions } from "../../accounts/schema.ts";
import { digestOf, issueToken, newSecret, randomText } from "../../accounts/tokens.ts";
import { bucketsOfDevice, bucketsOfUserCode, countAttempt, forgiveAttempt } from "../attempts.ts";
import { answerAddress, isLoopback } from "../oauth/redirects.ts";
import {
  type Approved,
  type Asked,
  approve,
  type DeviceRow,
  deny,
  findPending,
  insertDevice,
  type NewDevice,
  notePoll,
  type Return,
  takeApproved,
} from "./queries.ts";
import {
  type Approval,
  codeSeconds,
  type DeviceRequest,
  lifeSeconds,
  pollSeconds,
  userCodeAlphabet,
} from "./schema.ts";

/** Who collects a token. */
export type CollectingContext = Pick<PublicContext, "pool" | "ip" | "requestId">;

// The program ------------------------------------------------------------------------------------------------------------

/** The device code is stored as a digest. The user code is short: it is worth something only to a person who is signed in. */
export async function requestDevice(ctx: PublicContext, request: Static<typeof DeviceRequest>) {
  await countAttempt(ctx.pool, bucketsOfDevice(ctx.ip === null ? "unknown" : clientNetworkOf(ctx.ip)));
  const deviceCode = newSecret("lsd_");
  const device = {
    digest: digestOf(deviceCode),
    clientName: request.client_name,
    client: callingProgram(ctx.headers, false),
    ip: ctx.ip,
    permissions: request.permissions ?? null,
  };
  const page = `${installationUrl(ctx.config)}/device`;
  const shown = await addWaiting(ctx.pool, device);
  return {
    device_code: deviceCode,
    user_code: shown,
    verification_uri: page,
    verification_uri_complete: `${page}#${shown}`,
    expires_in: lifeSeconds,
    interval: pollSeconds,
  };
}

/** Returns the user code, with its dash. */
export async function addWaiting(pool: Pool, device: Omit<NewDevice, "userCode">): Promise<string> {
  const userCode = randomText(8, userCodeAlphabet);
  const isFree = await insertDevice(pool, { ...device, userCode });
  return isFree ? `${userCode.slice(0, 4)}-${userCode.slice(4)}` : addWaiting(pool, device);
}

/** The token is made now, so that it is stored nowhere, and handed out to one request. */
export async function collectToken(ctx: PublicContext, deviceCode: string) {
  const digest = digestOf(deviceCode);
  const token = await transaction(ctx.pool, async (tx) => {
    const chosen = await takeApproved(tx, digest);
    if (!chosen) return undefined;
    const { token } = await handOut(tx, ctx, chosen, "POST /api/v1/device-authorizations/token");
    const { organizationId: id, organization: name } = chosen;
    return { state: "approved" as const, token, organization: { id, name } };
  });
  return token ?? pendingAnswer(ctx, digest);
}

/** Makes the token that a person chose. The request has no actor, so its audit entry is written here. */
export async function handOut(tx: Db, ctx: CollectingContext, chosen: Approved, action: string) {
  const { userId, email, organizationId, client } = chosen;
  const issued = await issueToken(tx, { ...chosen, isBound: true });
  await insertAuditEntry(tx, {
    ...{ organizationId, userId, userEmail: email, tokenId: null, ip: ctx.ip, fields: [], requestId: ctx.requestId },
    action,
    summary: "Hand a token out to an approved program",
    subjects: [`token:${issued.id}`],
    client,
  });
  return issued;
}

async function pendingAnswer({ pool }: PublicContext, digest: Buffer) {
  const poll = await notePoll(pool, digest);
  if (poll?.state === "denied") throw new AppError("forbidden", "The person denied it. Nothing was handed out.");
  if (poll?.state !== "pending") throw new AppError("gone", "The code has expired, or its token was handed out.");
  const state = poll.isEarly ? ("slow_down" as const) : ("authorization_pending" as const);
  return { state, interval: poll.interval };
}

// The person ---------------------------------------------------------------------------------------------------------------

const withoutDash = (userCode: string): string => userCode.replace(/[^A-Za-z]/g, "").toUpperCase();

interface Named {
  params: { userCode: string };
}

const askedOf = (ctx: CallerContext, userCode: string): Asked => ({
  userCode: withoutDash(userCode),
  session: sessionDigest(ctx),
});

/** The session that sends the request. */
export function sessionDigest({ headers, config }: CallerContext): Buffer {
  const own = sessionOf(headers, config.publicUrl);
  if (!own) throw unauthenticated();
  return digestOf(own.session);
}

/** 404 for a code under which no program waits; a person may guess few of them. */
export async function checkUserCode(ctx: CallerContext, { params }: Named): Promise<FieldErrors> {
  const buckets = bucketsOfUserCode(ctx.actor.userId);
  await countAttempt(ctx.pool, buckets);
  await getPending(ctx, params.userCode);
  await forgiveAttempt(ctx.pool, buckets);
  return {};
}

async function getPending(ctx: CallerContext, userCode: string): Promise<DeviceRow> {
  const device = await findPending(ctx.pool, askedOf(ctx, userCode));
  if (!device) throw unknownCode();
  return device;
}

const unknownCode = (): AppError => notFound("A program that waits under this code");

export async function showDevice(ctx: CallerContext, userCode: string) {
  const { client_id, redirect_uri, ...device } = await getPending(ctx, userCode);
  return { ...device, oauth: client_id && redirect_uri ? shownClient(client_id, redirect_uri) : null };
}

const shownClient = (clientId: string, redirectUri: string) => ({
  client_id: clientId,
  client_host: new URL(clientId).host,
  redirect_host: new URL(redirectUri).host,
  is_local: isLoopback(new URL(redirectUri)),
});

/** The errors of an approval beyond its schema. Throws 403 for a permission that the person does not have there. */
export async function checkApproval(
  ctx: CallerContext,
  { params, body }: Named & { body: Partly<Static<typeof Approval>> },
): Promise<FieldErrors> {
  await checkUserCode(ctx, { params });
  const expiry = expiryError(ctx.actor, body.expires_at);
  const membership = body.organization_id && (await membershipIn(ctx, body.organization_id));
  if (membership) refuseMore(membership, body.permissions ?? []);
  return {
    ...(expiry && { expires_at: expiry }),
    ...(body.organization_id && !membership && { organization_id: "It must be one of your organizations." }),
  };
}

const membershipIn = async ({ pool, actor }: CallerContext, organizationId: number) =>
  (await listOrganizations(pool, actor.userId, organizationId))[0];

/** `*` also has what is added later, so it is for those who have everything. */
function refuseMore({ role }: MembershipRow, wanted: readonly unknown[]): void {
  const held = rolePermissions[role];
  const has: readonly unknown[] = held.size === allOfThem.length ? [allPermissions, ...held] : [...held];
  const more = wanted.filter((permission) => !has.includes(permission));
  if (more.length === 0) return;
  throw new AppError(
    "forbidden",
    `Your role ${role} does not have ${more.join(", ")} itself, and cannot give it away.`,
  );
}

/** Returns where the browser takes the answer; null for a program on a device. */
export async function approveDevice(
  ctx: CallerContext,
  userCode: string,
  chosen: Static<typeof Approval>,
): Promise<string | null> {
  const { userId, email, organizationId: current } = ctx.actor;
  const { name, permissions, organization_id: organizationId } = chosen;
  const expiresAt = chosen.expires_at ? new Date(chosen.expires_at).toISOString() : null;
  const token = { userId, organizationId, name, permissions, expiresAt };
  const code = newSecret("lsc_");
  const answered = await transaction(ctx.pool, async (tx) => {
    const first = await approve(tx, askedOf(ctx, userCode), token, { digest: digestOf(code), seconds: codeSeconds });
    if (!first) throw unknownCode();
    // The request may run in another organization than the one that the token is for.
    if (organizationId === current) return first;
    await insertAuditEntry(tx, {
      ...{ organizationId, userId, userEmail: email, tokenId: null, ip: ctx.ip, requestId: ctx.requestId },
      action: "POST /api/v1/device-authorizations/:userCode/approve",
      summary: "Approve a program that waits for a token",
      subjects: [],
      fields: Object.keys(chosen),
      client: callingProgram(ctx.headers, true),
    });
    return first;
  });
  return returnTo(ctx, answered, { code });
}

/** Returns where the browser takes the answer; null for a program on a device. */
export async function denyDevice(ctx: CallerContext, userCode: string): Promise<string | null> {
  const denied = await deny(ctx.pool, askedOf(ctx, userCode), ctx.actor.userId);
  if (!denied) throw unknownCode();
  return returnTo(ctx, denied, { error: "access_denied" });
}

const returnTo = (
  { config }: CallerContext,
  { redirectUri, state }: Return,
  answer: Record<string, string>,
): string | null => (redirectUri === null ? null : answerAddress(config, { redirectUri, state }, answer));
