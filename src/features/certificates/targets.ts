import type { PoolClient } from "pg";
import type { WithQueue } from "../../context.ts";
import { forgetTarget, touch } from "../../engine/reconcile/reconcile.ts";
import type { TargetKind } from "../../engine/reconcile/target.ts";
import { projectLayout } from "../../host/layout.ts";
import { findProjectForWork } from "../projects/queries.ts";
import { listSiteSyncs } from "../sites/publish.ts";
import { challengeFilesOf, cleanedOrders, cleanupPlan } from "./plans.ts";
import { findCertificateState, forgetLeftovers, lastEndedOrder, listLeftovers } from "./queries.ts";
import { cleanupKind } from "./schema.ts";

const unservedSeconds = 60;

/** The server has no challenge of ended orders, and only the served certificate of the project. */
export const cleanupTarget: TargetKind = {
  ...cleanupKind,
  desired: async (tx, { subjectId: projectId, serverId }) => {
    const upTo = await lastEndedOrder(tx, projectId);
    if (upTo === null) return undefined;
    const state = await findCertificateState(tx, projectId);
    // nginx does not start without the files that its site names: they stay until it serves the present one.
    const site = (await listSiteSyncs(tx, [projectId])).get(projectId);
    if (site && site.state !== "applied") return { afterSeconds: unservedSeconds };
    const orders = await listLeftovers(tx, { projectId, serverId });
    return cleanupPlan(projectLayout(projectId), {
      keep: state?.version == null ? [] : [state.version],
      upTo,
      challenges: orders.flatMap(challengeFilesOf),
      orders: orders.map(({ id }) => id),
    });
  },
  onApplied: async (tx, target, run) => {
    if (!(await findProjectForWork(tx, target.subjectId))) return forgetTarget(tx, target);
    if (run) await forgetLeftovers(tx, cleanedOrders(run.plan));
  },
};

/** Has the leftovers of the project's ended orders removed from a server. */
export const touchLeftovers = async (
  tx: PoolClient,
  { queue }: WithQueue,
  projectId: number,
  serverId: number,
): Promise<void> => void (await touch(tx, queue, { ...cleanupKind, subjectId: projectId, serverId }));
