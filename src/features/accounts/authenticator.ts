import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { type Actor, type Permission, permissions } from "../../http/actor.ts";
import type { Authenticate, Caller, Credential } from "../../http/authenticate.ts";
import { coalesced } from "../../lib/coalesce.ts";
import { type CallerRow, findCaller, findSessionCaller, touchToken } from "./queries.ts";
import { allPermissions, rolePermissions } from "./schema.ts";
import { digestOf } from "./tokens.ts";

// Who is asking, and what that one may do.

/**
 * What buildApp asks about tokens and sessions. Nothing is remembered between requests, so a revoked token, the end of a
 * session, a changed role and a new restriction count from the next request on, in every process.
 */
export function authenticator({ pool, log }: Pick<Context, "pool" | "log">): Authenticate {
  const touching = new Set<number>();

  /** Off the request's path: its answer neither waits for this nor fails with it. */
  function touch(tokenId: number): void {
    if (touching.has(tokenId)) return;
    touching.add(tokenId);
    touchToken(pool, tokenId)
      .catch((err: unknown) => log.warn({ err }, "last use of a token not stored"))
      .finally(() => touching.delete(tokenId));
  }

  // Requests of one caller that come at once share the look-up, which begins after each of them has come.
  const find = coalesced(keyOf, async ({ credential, organizationId }: Asked): Promise<Caller | undefined> => {
    const found = await findHolder(pool, credential, organizationId);
    if (!found) return undefined;
    if (found.tokenId !== null && !found.wasUsedLately) touch(found.tokenId);
    return { userId: found.userId, actor: actorOf(found) };
  });
  return (credential, organizationId) => find({ credential, organizationId });
}

interface Asked {
  credential: Credential;
  organizationId: number | undefined;
}

function keyOf({ credential, organizationId }: Asked): string {
  const who = typeof credential === "string" ? `token ${credential}` : `session ${credential.session}`;
  return `${organizationId} ${who}`;
}

const findHolder = (db: Db, credential: Credential, organizationId?: number): Promise<CallerRow | undefined> =>
  typeof credential === "string"
    ? findCaller(db, digestOf(credential), organizationId)
    : findSessionCaller(db, credential.session, organizationId);

/** Whose credential it is, also where that account is in no organization. */
export async function findAccount(db: Db, credential: Credential): Promise<{ id: number; email: string } | undefined> {
  const found = await findHolder(db, credential);
  return found && { id: found.userId, email: found.email };
}

function actorOf(caller: CallerRow): Actor | undefined {
  if (caller.organizationId === null) return undefined;
  const { serverIds, projectIds, visibleServerIds } = caller;
  return {
    userId: caller.userId,
    userName: caller.userName,
    email: caller.email,
    tokenId: caller.tokenId,
    organizationId: caller.organizationId,
    organizationName: caller.organizationName,
    role: caller.role,
    plan: caller.plan,
    tokenPermissions: caller.tokenPermissions,
    permissions: intersection(rolePermissions[caller.role], caller.tokenPermissions),
    restriction: caller.isRestricted ? { serverIds, projectIds, visibleServerIds } : undefined,
  };
}

function intersection(ofRole: ReadonlySet<Permission>, ofToken: readonly string[]): ReadonlySet<Permission> {
  if (ofToken.includes(allPermissions)) return ofRole;
  return new Set(permissions.filter((permission) => ofRole.has(permission) && ofToken.includes(permission)));
}
