import type { Static } from "typebox";
import { type Actor, actsAsAccount, allPermissions } from "../../http/actor.ts";
import type { RequestContext } from "../../http/route.ts";
import { success } from "../../http/schemas.ts";
import { AppError, invalid, notFound } from "../../lib/errors.ts";
import { deleteToken, findToken, findUser, isMember, listOrganizations, listTokens } from "./queries.ts";
import type { Me, NewToken, Token, TokenRequest } from "./schema.ts";
import { issueToken } from "./tokens.ts";

// The account --------------------------------------------------------------------------------------------------------------

export async function me({ pool, actor }: RequestContext): Promise<Static<typeof Me>> {
  const [user, organizations] = await Promise.all([
    findUser(pool, actor.userId),
    listOrganizations(pool, actor.userId, boundTo(actor)),
  ]);
  if (!user) throw notFound("The account");
  const { id, name, email } = user;
  const isKnown = organizations.some((each) => each.id === user.current_organization_id);
  const current_organization_id = isKnown ? user.current_organization_id : null;
  return success({ data: { id, name, email, current_organization_id, organizations } });
}

/** The one organization of a bound token. */
const boundTo = ({ isBound, organizationId }: Actor): number | undefined => (isBound ? organizationId : undefined);

// Tokens -------------------------------------------------------------------------------------------------------------------

export async function listOwnTokens({ pool, actor }: RequestContext): Promise<Static<typeof Token>[]> {
  return listTokens(pool, actor.userId, boundTo(actor));
}

/**
 * A token cannot create a token with more permissions, a longer life or a wider reach than its own: a leaked token stays narrow
 * and expires when it was meant to.
 */
export async function createToken(
  { pool, actor }: RequestContext,
  request: Static<typeof TokenRequest>,
): Promise<Static<typeof NewToken>> {
  const held = actor.tokenPermissions;
  if (!held.includes(allPermissions) && !request.permissions.every((permission) => held.includes(permission))) {
    throw new AppError("forbidden", "A token cannot make a token with permissions that it does not hold itself.");
  }
  return issueToken(pool, {
    userId: actor.userId,
    ...(await placeOf({ pool, actor }, request)),
    name: request.name,
    permissions: request.permissions,
    expiresAt: expiryWithin(actor, futureTime(request.expires_at)),
  });
}

/**
 * Takes effect with the next request in every process. A token may always revoke itself; to revoke another takes a session or
 * `*`.
 */
export async function revokeToken({ pool, actor }: RequestContext, id: number): Promise<void> {
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

/** Where the new token works. A bound token creates tokens that are bound to the same organization. */
async function placeOf(
  { pool, actor }: Pick<RequestContext, "pool" | "actor">,
  { organization_id, is_bound }: Static<typeof TokenRequest>,
): Promise<{ organizationId: number | null; isBound: boolean }> {
  const own = actor.isBound ? actor.organizationId : null;
  const organizationId = organization_id ?? own;
  const isBound = is_bound ?? actor.isBound;
  if (organizationId === null) {
    if (isBound) throw invalid({ organization_id: "The organization id is required for a bound token." });
    return { organizationId, isBound };
  }
  const isOwn = own === null ? await isMember(pool, actor.userId, organizationId) : organizationId === own;
  if (!isOwn) throw invalid({ organization_id: "The organization id must be that of one of your organizations." });
  if (actor.isBound && !isBound) {
    throw new AppError("forbidden", "A bound token cannot make one that is not bound.");
  }
  return { organizationId, isBound };
}

/** Default: the expiry of the token that creates it. */
function expiryWithin({ tokenExpiresAt }: Actor, wanted: string | null): string | null {
  if (tokenExpiresAt === null || wanted === null) return tokenExpiresAt ?? wanted;
  if (Date.parse(wanted) <= Date.parse(tokenExpiresAt)) return wanted;
  throw invalid({ expires_at: `The expiry must not be after that of the calling token, ${tokenExpiresAt}.` });
}

function futureTime(text: string | null | undefined): string | null {
  if (text === null || text === undefined) return null;
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? new Date(text) : new Date(Number.NaN);
  if (Number.isNaN(time.getTime())) throw invalid({ expires_at: "The expiry must be an ISO 8601 time." });
  if (time.getTime() <= Date.now()) throw invalid({ expires_at: "The expiry must lie in the future." });
  return time.toISOString();
}
