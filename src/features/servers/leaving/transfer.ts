import { transaction } from "../../../db/transaction.ts";
import type { RequestContext } from "../../../http/route.ts";
import { AppError, invalid, notFound } from "../../../lib/errors.ts";
import { isAny } from "../../../lib/hooks.ts";
import { removeFromReach } from "../../accounts/queries.ts";
import { refuseOverLimit } from "../actions.ts";
import { serverCapabilities } from "../capabilities.ts";
import { emitServer } from "../events.ts";
import { serverHooks } from "../hooks.ts";
import { lockReachableServer } from "../queries.ts";
import { isOwnerOf, listBalanced, moveToOrganization, removePinsOutside } from "./queries.ts";

/** Moves a server with everything on it to another organization of the caller's, in one transaction. */
export async function transferServer(
  ctx: RequestContext,
  { id, organizationId }: { id: number; organizationId: number },
) {
  const former = ctx.actor.organizationId;
  const server = await transaction(ctx.pool, async (tx) => {
    // Of two concurrent transfers the second waits here, and then finds the server gone from its organization.
    const server = await lockReachableServer(tx, ctx.actor, id);
    if (!server) throw notFound("The server");
    await serverCapabilities.refuse("transfer", server, {
      move_under_way: () => isAny(serverHooks.of(ctx), (hook) => hook.isMoving?.(tx, id)),
      has_balanced_project: async () => {
        const [balanced] = await listBalanced(tx, id);
        return balanced && { project_name: balanced.name };
      },
    });
    if (organizationId === former) throw invalid({ organization_id: "The server is in this organization already." });
    if (ctx.actor.isBound || !(await isOwnerOf(tx, ctx.actor.userId, organizationId))) {
      // The same message for an organization that does not exist, so that a caller cannot find out which ids do.
      throw new AppError("forbidden", "You must be an Owner of the organization to transfer a server to it.");
    }
    const plan = await refuseOverLimit(tx, organizationId);
    await removePinsOutside(tx, id, organizationId);
    const transfer = { serverId: id, organizationId, plan };
    for (const { beforeTransfer } of serverHooks.of(ctx)) await beforeTransfer?.(tx, transfer);
    await moveToOrganization(tx, id, organizationId);
    await removeFromReach(tx, id, former);
    await emitServer(tx, server, "server.transferred");
    await emitServer(tx, { id, organization_id: organizationId });
    return server;
  });
  const message = `${server.name} was transferred with its projects. They are in no project group now.`;
  return { message, server_id: id, organization_id: organizationId };
}
