import type { Static } from "typebox";
import { installationUrl } from "../../../config.ts";
import { transaction } from "../../../db/transaction.ts";
import { permissions as allOfThem, allPermissions } from "../../../http/actor.ts";
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
import { approve, type DeviceRow, deny, findPending, insertDevice, notePoll, takeApproved } from "./queries.ts";
import { type Approval, type DeviceRequest, lifeSeconds, pollSeconds, userCodeAlphabet } from "./schema.ts";

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
  let userCode = newUserCode();
  while (!(await insertDevice(ctx.pool, { ...device, userCode }))) userCode = newUserCode();
  const page = `${installationUrl(ctx.config)}/device`;
  const shown = `${userCode.slice(0, 4)}-${userCode.slice(4)}`;
  return {
    device_code: deviceCode,
    user_code: shown,
    verification_uri: page,
    verification_uri_complete: `${page}#${shown}`,
    expires_in: lifeSeconds,
    interval: pollSeconds,
  };
}

const newUserCode = (): string => randomText(8, userCodeAlphabet);

/** The token is made now, so that it is stored nowhere, and handed out to one request. */
export async function collectToken(ctx: PublicContext, deviceCode: string) {
  const digest = digestOf(deviceCode);
  const token = await transaction(ctx.pool, async (tx) => {
    const chosen = await takeApproved(tx, digest);
    if (!chosen) return undefined;
    const { userId, email, organizationId, organization, client } = chosen;
    const issued = await issueToken(tx, { ...chosen, isBound: true });
    // The request has no actor, so its audit entry is written here.
    await insertAuditEntry(tx, {
      ...{ organizationId, userId, userEmail: email, tokenId: null, ip: ctx.ip, fields: [], requestId: ctx.requestId },
      action: "POST /api/v1/device-authorizations/token",
      summary: "Hand a token out to an approved program",
      subjects: [`token:${issued.id}`],
      client,
    });
    return {
      state: "approved" as const,
      token: issued.token,
      organization: { id: organizationId, name: organization },
    };
  });
  return token ?? pendingAnswer(ctx, digest);
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

/** 404 for a code under which no program waits; a person may guess few of them. */
export async function checkUserCode({ pool, actor }: CallerContext, { params }: Named): Promise<FieldErrors> {
  const buckets = bucketsOfUserCode(actor.userId);
  await countAttempt(pool, buckets);
  await getPending(pool, params.userCode);
  await forgiveAttempt(pool, buckets);
  return {};
}

async function getPending(pool: CallerContext["pool"], userCode: string): Promise<DeviceRow> {
  const device = await findPending(pool, withoutDash(userCode));
  if (!device) throw unknownCode();
  return device;
}

const unknownCode = (): AppError => notFound("A program that waits under this code");

export const showDevice = ({ pool }: CallerContext, userCode: string): Promise<DeviceRow> => getPending(pool, userCode);

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

export async function approveDevice(ctx: CallerContext, userCode: string, chosen: Static<typeof Approval>) {
  const { userId, email, organizationId: current } = ctx.actor;
  const { name, permissions, organization_id: organizationId } = chosen;
  const expiresAt = chosen.expires_at ? new Date(chosen.expires_at).toISOString() : null;
  await transaction(ctx.pool, async (tx) => {
    const isFirst = await approve(tx, withoutDash(userCode), { userId, organizationId, name, permissions, expiresAt });
    if (!isFirst) throw unknownCode();
    // The request may run in another organization than the one that the token is for.
    if (organizationId === current) return;
    await insertAuditEntry(tx, {
      ...{ organizationId, userId, userEmail: email, tokenId: null, ip: ctx.ip, requestId: ctx.requestId },
      action: "POST /api/v1/device-authorizations/:userCode/approve",
      summary: "Approve a program that waits for a token",
      subjects: [],
      fields: Object.keys(chosen),
      client: callingProgram(ctx.headers, true),
    });
  });
}

export async function denyDevice({ pool, actor }: CallerContext, userCode: string): Promise<void> {
  if (!(await deny(pool, withoutDash(userCode), actor.userId))) throw unknownCode();
}
