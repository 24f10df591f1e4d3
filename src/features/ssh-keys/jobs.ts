import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import { transaction } from "../../db/transaction.ts";
import type { Target, TargetKind } from "../../engine/reconcile/target.ts";
import type { PeriodicTask } from "../../engine/schedule/schedule.ts";
import { findServerForWork } from "../servers/queries.ts";
import { emitAccess, serversChanged } from "./actions.ts";
import { sshKeysPlan } from "./plans.ts";
import { deleteRemovedAccess, listKeysOnServer, removeUnentitled } from "./queries.ts";
import { sshKeysKind } from "./schema.ts";

/** A server has the keys of people in the rows. */
export const sshKeyTargets = (): TargetKind[] => [
  {
    ...sshKeysKind,
    desired: async (tx, { serverId }) => sshKeysPlan(await listKeysOnServer(tx, serverId)),
    onApplied: recordApplied,
  },
];

// Keys that were removed during the run are not part of it.
async function recordApplied(tx: PoolClient, { serverId, runningVersion, wantedVersion }: Target): Promise<void> {
  if (runningVersion !== wantedVersion) return;
  await deleteRemovedAccess(tx, serverId);
  const server = await findServerForWork(tx, serverId);
  if (server) await emitAccess(tx, server);
}

/** Memberships, users and servers belong to other features, so their changes are detected here. */
export const sshKeySchedules = (ctx: Context): PeriodicTask[] => [
  {
    name: "end-ssh-access",
    everyMs: 5_000,
    work: () => transaction(ctx.pool, async (tx) => serversChanged(tx, ctx.queue, await removeUnentitled(tx))),
  },
];
