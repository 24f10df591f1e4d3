import type { Static } from "typebox";
import type { RequestContext } from "../../http/route.ts";
import { success } from "../../http/schemas.ts";
import { AppError, invalid, notFound } from "../../lib/errors.ts";
import { deleteToken, findToken, findUser, isMember, listOrganizations, listTokens } from "./queries.ts";
import { allPermissions, type Me, type NewToken, type Token, type TokenRequest } from "./schema.ts";
import { issueToken } from "./tokens.ts";

// The account --------------------------------------------------------------------------------------------------------------

export async function me({ pool, actor }: RequestContext): Promise<Static<typeof Me>> {
  const [user, organizations] = await Promise.all([
    findUser(pool, actor.userId),
    listOrganizations(pool, actor.userId),
  ]);
  if (!user) throw notFound("The account");
  const { id, name, email, current_organization_id } = user;
  return success({ data: { id, name, email, current_organization_id, organizations } });
}

// Tokens -------------------------------------------------------------------------------------------------------------------

export async function listOwnTokens({ pool, actor }: RequestContext): Promise<Static<typeof Token>[]> {
  return listTokens(pool, actor.userId);
}

/** A token cannot make one that holds more than itself: a leaked narrow token stays narrow. */
export async function createToken(
  { pool, actor }: RequestContext,
  request: Static<typeof TokenRequest>,
): Promise<Static<typeof NewToken>> {
  if (!holds(actor.tokenPermissions, request.permissions)) {
    throw new AppError("forbidden", "A token cannot make a token with permissions that it does not hold itself.");
  }
  const organizationId = request.organization_id ?? null;
  if (organizationId !== null && !(await isMember(pool, actor.userId, organizationId))) {
    throw invalid({ organization_id: "The organization id must be that of one of your organizations." });
  }
  return issueToken(pool, {
    userId: actor.userId,
    organizationId,
    name: request.name,
    permissions: request.permissions,
    expiresAt: futureTime(request.expires_at),
  });
}

/** Works on the next request of every process. A narrow token may revoke itself and its equals, not a wider one. */
export async function revokeToken({ pool, actor }: RequestContext, id: number): Promise<void> {
  const token = await findToken(pool, actor.userId, id);
  if (!token) throw notFound("The token");
  if (id !== actor.tokenId && !holds(actor.tokenPermissions, token.permissions)) {
    throw new AppError("forbidden", "A token cannot revoke a token with permissions that it does not hold itself.");
  }
  await deleteToken(pool, actor.userId, id);
}

const holds = (own: readonly string[], others: readonly string[]): boolean =>
  own.includes(allPermissions) || others.every((permission) => own.includes(permission));

function futureTime(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? new Date(text) : new Date(Number.NaN);
  if (Number.isNaN(time.getTime())) throw invalid({ expires_at: "The expiry must be an ISO 8601 time." });
  if (time.getTime() <= Date.now()) throw invalid({ expires_at: "The expiry must lie in the future." });
  return time.toISOString();
}
