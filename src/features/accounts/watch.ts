import { credentialOf } from "../../http/authenticate.ts";
import type { RequestContext } from "../../http/route.ts";
import { findAccount } from "./authenticator.ts";
import { findMembershipState } from "./queries.ts";

/**
 * For a response that does not end: returns a function that checks that the credential is still valid and the membership
 * unchanged since the response began.
 */
export async function watchAccess(ctx: RequestContext): Promise<() => Promise<boolean>> {
  const { pool, actor, headers, config } = ctx;
  const credential = credentialOf({ headers, changes: false }, config.publicUrl);
  const membership = () => findMembershipState(pool, actor.userId, actor.organizationId);
  const atFirst = await membership();
  return async () => {
    const [account, now] = await Promise.all([findAccount(ctx, credential), membership()]);
    return account !== undefined && now === atFirst;
  };
}
