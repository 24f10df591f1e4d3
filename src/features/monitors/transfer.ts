import type { PoolClient } from "pg";
import { AppError } from "../../lib/errors.ts";
import { planLimits } from "../accounts/schema.ts";
import type { Transfer } from "../servers/hooks.ts";
import { countMonitorsWith } from "./queries.ts";

/** Before a server is transferred to another organization. Monitors move with their projects, and count there. */
export async function refuseUncoveredMonitors(
  tx: PoolClient,
  { serverId, organizationId, plan }: Transfer,
): Promise<void> {
  const limit = planLimits[plan].monitorsOfType;
  if (limit === null) return;
  const over = (await countMonitorsWith(tx, serverId, organizationId)).find(
    ({ count, moved }) => moved > 0 && count > limit,
  );
  if (!over) return;
  throw new AppError(
    "plan_limit",
    `The ${plan} plan of the other organization covers ${limit} active monitors of type ${over.type}, and it would have ` +
      `${over.count}. Turn some off, or upgrade its plan.`,
  );
}
