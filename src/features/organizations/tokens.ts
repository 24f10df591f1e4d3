import type { Static } from "typebox";
import type { RequestContext } from "../../http/route.ts";
import { AppError, notFound } from "../../lib/errors.ts";
import { countTokensIn, deleteTokenIn, listTokensIn } from "../accounts/queries.ts";
import { pageWith, refuseRestricted } from "./actions.ts";
import type { TokenQuery } from "./schema.ts";

/** The tokens for this organization, of all members. Those without an organization belong to their accounts alone. */
export async function showTokens(ctx: RequestContext, query: Static<typeof TokenQuery>) {
  refuseOthers(ctx);
  const { pool, actor } = ctx;
  const filter = { organizationId: actor.organizationId, text: query.q, userId: query.user_id };
  return pageWith(
    query,
    (page) => listTokensIn(pool, filter, { page, sort: query.sort ?? "name" }),
    () => countTokensIn(pool, filter),
  );
}

/** Takes effect with the next request in every process. */
export async function revokeTokenOf(ctx: RequestContext, id: number): Promise<void> {
  refuseOthers(ctx);
  if ((await deleteTokenIn(ctx.pool, ctx.actor.organizationId, id)) === 0) throw notFound("The token");
}

function refuseOthers(ctx: RequestContext): void {
  refuseRestricted(ctx, "the tokens of others");
  if (ctx.actor.role !== "Owner")
    throw new AppError("forbidden", "Only an Owner can see and revoke the tokens of others.");
}
