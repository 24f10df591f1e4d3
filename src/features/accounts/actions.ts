import type { Pool } from "pg";
import type { Static } from "typebox";
import { mailServerOf } from "../../config.ts";
import {
  type Actor,
  actsAsAccount,
  allPermissions,
  type Caller,
  can,
  isInOrganization,
  permissions,
} from "../../http/actor.ts";
import { sessionOf } from "../../http/authenticate.ts";
import type { CallerContext, Partly } from "../../http/route.ts";
import { success } from "../../http/schemas.ts";
import { AppError, type FieldErrors, notFound } from "../../lib/errors.ts";
import {
  deleteOtherSessions,
  deleteSession,
  deleteToken,
  findOwnAccount,
  findToken,
  isMember,
  listOrganizations,
  listSessions,
  listTokens,
  type SessionRow,
  saveName,
} from "./queries.ts";
import {
  type AccountRequest,
  type Me,
  type NewToken,
  type PlanName,
  planLimits,
  type Role,
  type Token,
  type TokenRequest,
} from "./schema.ts";
import { issueToken } from "./tokens.ts";

// The account --------------------------------------------------------------------------------------------------------------

export async function me({ pool, actor, config }: CallerContext): Promise<Static<typeof Me>> {
  const [user, organizations] = await Promise.all([
    findOwnAccount(pool, actor.userId),
    listOrganizations(pool, actor.userId, boundTo(actor)),
  ]);
  if (!user) throw notFound("The account");
  const { current_organization_id: current, ...account } = user;
  const isKnown = organizations.some(({ id }) => id === current);
  const organization = isInOrganization(actor) ? allowedIn(actor) : null;
  return success({
    data: {
      ...account,
      current_organization_id: isKnown ? current : null,
      organizations,
      organization,
      sends_mail: mailServerOf(config) !== undefined,
    },
  });
}

function allowedIn(actor: Actor) {
  const { servers, monitorsOfType, monitorIntervalSeconds } = planLimits[actor.plan as PlanName];
  return {
    id: actor.organizationId,
    name: actor.organizationName,
    role: actor.role as Role,
    permissions: permissions.filter((permission) => can(actor, permission)),
    restriction: actor.restriction
      ? { server_ids: [...actor.restriction.serverIds], project_ids: [...actor.restriction.projectIds] }
      : null,
    limits: { servers, monitors_of_type: monitorsOfType, monitor_interval_seconds: monitorIntervalSeconds },
  };
}

export async function renameAccount(ctx: CallerContext, { name }: Static<typeof AccountRequest>) {
  await saveName(ctx.pool, ctx.actor.userId, name);
  return { message: "The account was renamed.", data: (await me(ctx)).data };
}

/** The one organization of a bound token. */
const boundTo = ({ isBound, organizationId }: Caller): number | undefined => (isBound ? organizationId : undefined);

// Sessions ---------------------------------------------------------------------------------------------------------------

/** The value of the session that sends the request, if one does. */
const ownSession = ({ actor, headers, config }: CallerContext): string | undefined =>
  actor.tokenId === null ? sessionOf(headers, config.publicUrl)?.session : undefined;

export const listOwnSessions = (ctx: CallerContext): Promise<SessionRow[]> =>
  listSessions(ctx.pool, ctx.actor.userId, ownSession(ctx));

/** Takes effect with the next request in every process. */
export async function endSession({ pool, actor }: CallerContext, id: number): Promise<void> {
  if ((await deleteSession(pool, actor.userId, id)) === 0) throw notFound("The session");
}

export const endOtherSessions = (ctx: CallerContext): Promise<number> =>
  deleteOtherSessions(ctx.pool, ctx.actor.userId, ownSession(ctx));

// Tokens -------------------------------------------------------------------------------------------------------------------

export async function listOwnTokens({ pool, actor }: CallerContext): Promise<Static<typeof Token>[]> {
  return listTokens(pool, actor.userId, boundTo(actor));
}

/**
 * A token cannot create a token with more permissions, a longer life or a wider reach than its own: a leaked token stays narrow
 * and expires when it was meant to.
 */
export async function createToken(
  { pool, actor }: CallerContext,
  request: Static<typeof TokenRequest>,
): Promise<Static<typeof NewToken>> {
  const held = actor.tokenPermissions;
  if (!held.includes(allPermissions) && !request.permissions.every((permission) => held.includes(permission))) {
    throw new AppError("forbidden", "A token cannot make a token with permissions that it does not hold itself.");
  }
  const place = placeOf(actor, request);
  if (actor.isBound && !place.isBound) {
    throw new AppError("forbidden", "A bound token cannot make one that is not bound.");
  }
  const { name, permissions, expires_at } = request;
  const expiresAt = expiryOf(actor, expires_at);
  return issueToken(pool, { userId: actor.userId, ...place, name, permissions, expiresAt });
}

/**
 * Takes effect with the next request in every process. A token may always revoke itself; to revoke another takes a session or
 * `*`.
 */
export async function revokeToken({ pool, actor }: CallerContext, id: number): Promise<void> {
  const token = await findToken(pool, actor.userId, id);
  if (!token) throw notFound("The token");
  if (id !== actor.tokenId && !actsAsAccount(actor)) {
    throw new AppError(
      "forbidden",
      "This token can revoke itself only. Sign in, or use a token with all permissions (*).",
    );
  }
  await deleteToken(pool, actor.userId, id);
}

/** The errors of a request for a token beyond its schema. */
export async function checkToken(
  { pool, actor }: CallerContext,
  { body }: { body: Partly<Static<typeof TokenRequest>> },
): Promise<FieldErrors> {
  const expiry = expiryError(actor, body.expires_at);
  const organization = await organizationError(pool, actor, body);
  return { ...(expiry && { expires_at: expiry }), ...(organization && { organization_id: organization }) };
}

async function organizationError(
  pool: Pool,
  actor: Caller,
  request: Pick<Partly<Static<typeof TokenRequest>>, "organization_id" | "is_bound">,
): Promise<string | undefined> {
  const { organizationId, isBound } = placeOf(actor, request);
  if (organizationId === null) return isBound ? "The organization id is required for a bound token." : undefined;
  const isOwn = actor.isBound
    ? organizationId === actor.organizationId
    : await isMember(pool, actor.userId, organizationId);
  return isOwn ? undefined : "The organization id must be that of one of your organizations.";
}

/** Where the new token works. A bound token creates tokens that are bound to the same organization. */
function placeOf(
  actor: Caller,
  { organization_id, is_bound }: Pick<Partly<Static<typeof TokenRequest>>, "organization_id" | "is_bound">,
): { organizationId: number | null; isBound: boolean } {
  return { organizationId: organization_id ?? boundTo(actor) ?? null, isBound: is_bound ?? actor.isBound };
}

/** The error of a wanted expiry of a token. */
export function expiryError({ tokenExpiresAt }: Caller, wanted: string | null | undefined): string | undefined {
  if (wanted === null || wanted === undefined) return undefined;
  const time = /^\d{4}-\d\d-\d\d/.test(wanted) ? Date.parse(wanted) : Number.NaN;
  if (Number.isNaN(time)) return "The expiry must be an ISO 8601 time.";
  if (time <= Date.now()) return "The expiry must lie in the future.";
  const isLater = tokenExpiresAt !== null && time > Date.parse(tokenExpiresAt);
  return isLater ? `The expiry must not be after that of the calling token, ${tokenExpiresAt}.` : undefined;
}

/** Default: the expiry of the token that creates it. */
const expiryOf = ({ tokenExpiresAt }: Caller, wanted: string | null | undefined): string | null =>
  wanted ? new Date(wanted).toISOString() : tokenExpiresAt;
