import type { PoolClient } from "pg";
import type { WithQueue } from "../../context.ts";
import { pipelined } from "../../db/transaction.ts";
import { announceEnd } from "./announcements.ts";
import { type DeploymentEnd, storeDeploymentEnd } from "./ending/queries.ts";
import { emitDeployments } from "./events.ts";
import { type DeploymentRow, endStatus } from "./schema.ts";

export interface Ending extends Omit<DeploymentEnd, "status"> {
  outcome: keyof typeof endStatus;
}

/** Ends a deployment if its status allows it, and reports its end; undefined if it has ended or was deleted. */
export async function endDeployment(
  tx: PoolClient,
  ctx: WithQueue,
  id: number,
  { outcome, ...end }: Ending,
): Promise<DeploymentRow | undefined> {
  const ended = await storeDeploymentEnd(tx, id, { ...end, status: endStatus[outcome] });
  if (ended) await reportEnded(tx, ctx, [ended]);
  return ended;
}

/** Reports deployments that one query has ended: with their events, and to their organizations. */
export async function reportEnded(tx: PoolClient, ctx: WithQueue, ended: readonly DeploymentRow[]): Promise<void> {
  await pipelined(emitDeployments(tx, ctx, ended), ...ended.map((deployment) => announceEnd(tx, ctx, deployment)));
}
