import { createHmac, timingSafeEqual } from "node:crypto";
import type { Context } from "../../context.ts";
import {
  type Actor,
  actsAsAccount,
  allPermissions,
  type Caller,
  type Permission,
  permissions,
} from "../../http/actor.ts";
import type { Authenticate, Credential, SignedSession } from "../../http/authenticate.ts";
import { coalesced } from "../../lib/coalesce.ts";
import { type CallerRow, findCaller, findSessionCaller, touchToken } from "./queries.ts";
import { rolePermissions } from "./schema.ts";
import { digestOf } from "./tokens.ts";

// The caller, and the caller's permissions.

/**
 * The authentication of tokens and sessions for buildApp. Nothing is cached between requests, so a revoked token, an ended
 * session, a changed role and a new restriction take effect with the next request in every process.
 */
export function authenticator(ctx: Pick<Context, "pool" | "secrets" | "log">): Authenticate {
  const { pool, log } = ctx;
  const touching = new Set<number>();

  /** In the background: the response neither waits for this nor fails with it. */
  function touch(tokenId: number): void {
    if (touching.has(tokenId)) return;
    touching.add(tokenId);
    touchToken(pool, tokenId)
      .catch((err: unknown) => log.warn({ err }, "last use of a token not stored"))
      .finally(() => touching.delete(tokenId));
  }

  // Simultaneous requests of a caller share a look-up, which begins after all of them have arrived.
  const find = coalesced(keyOf, async ({ credential, organizationId }: Requested) => {
    const found = await findHolder(ctx, credential, organizationId);
    if (!found) return undefined;
    if (found.tokenId !== null && !found.wasUsedLately) touch(found.tokenId);
    return callerOf(found);
  });
  return (credential, organizationId) => find({ credential, organizationId });
}

interface Requested {
  credential: Credential;
  organizationId: number | undefined;
}

function keyOf({ credential, organizationId }: Requested): string {
  const who =
    typeof credential === "string" ? `token ${credential}` : `session ${credential.session} ${credential.signature}`;
  return `${organizationId} ${who}`;
}

async function findHolder(
  { pool, secrets }: Pick<Context, "pool" | "secrets">,
  credential: Credential,
  organizationId?: number,
): Promise<CallerRow | undefined> {
  if (typeof credential === "string") return findCaller(pool, digestOf(credential), organizationId);
  const found = await findSessionCaller(pool, credential.session, organizationId);
  return found && isSigned(credential, secrets.decrypt(found.signedWith)) ? found : undefined;
}

/** The signature of better-auth, which sets the cookie. */
function isSigned({ session, signature }: SignedSession, secret: string): boolean {
  const right = createHmac("sha256", secret).update(session).digest();
  const given = Buffer.from(signature, "base64");
  return given.length === right.length && timingSafeEqual(given, right);
}

export interface Account {
  id: number;
  email: string;
  /** Whether the credential stands for the account itself, rather than for some permissions in an organization. */
  isWhole: boolean;
}

/** The account of a credential, also where that account is in no organization. */
export async function findAccount(
  ctx: Pick<Context, "pool" | "secrets">,
  credential: Credential,
): Promise<Account | undefined> {
  const found = await findHolder(ctx, credential);
  return found && { id: found.userId, email: found.email, isWhole: actsAsAccount(found) };
}

function callerOf(row: CallerRow): Caller | Actor {
  const { userId, userName, email, tokenId, tokenPermissions, tokenExpiresAt, isBound } = row;
  const caller = { userId, userName, email, tokenId, tokenPermissions, tokenExpiresAt, isBound };
  const held = permissionsOf(tokenPermissions);
  if (row.organizationId === null) return { ...caller, organizationId: undefined, permissions: new Set(held) };
  const { organizationId, organizationName, role, plan, serverIds, projectIds, visibleServerIds } = row;
  return {
    ...caller,
    organizationId,
    organizationName,
    role,
    plan,
    permissions: held === permissions ? rolePermissions[role] : rolePermissions[role].intersection(new Set(held)),
    restriction: row.isRestricted ? { serverIds, projectIds, visibleServerIds } : undefined,
  };
}

const permissionsOf = (held: readonly string[]): readonly Permission[] =>
  held.includes(allPermissions) ? permissions : permissions.filter((permission) => held.includes(permission));
