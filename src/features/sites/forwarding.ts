import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import type { TargetKind, TargetRef } from "../../engine/reconcile/target.ts";
import type { Plan } from "../../engine/runs/plan.ts";
import type { PeriodicTask } from "../../engine/schedule/schedule.ts";
import { projectLayout } from "../../host/layout.ts";
import type { Forwarding } from "../../host/nginx/forwarding.ts";
import { siteNames } from "../../host/nginx/names.ts";
import { findForwarding, findRole, listEndedForwardings } from "../placements/queries.ts";
import type { PlacementRef } from "../placements/schema.ts";
import { onServer, tlsOf } from "../projects/on-server.ts";
import { findProjectForWork, lockProjectForWork } from "../projects/queries.ts";
import { endForwardings } from "../projects/removal.ts";
import type { CertificateOnServer, PlacedProject } from "../projects/schema.ts";
import { findServerForWork } from "../servers/queries.ts";
import { forwardingPlan } from "./plans.ts";
import { beginPublication } from "./publish.ts";
import { forwardingKind } from "./schema.ts";

// After a move, visitors find the former server for as long as their DNS remembers it. For some days it forwards them to the server
// that the project's visitors are to reach now, wherever the project moves in that time.

/** What a server does for the visitors of a project that it does not serve any more; undefined: nothing, or not any more. */
export async function findForwardingSite(tx: Db, ref: PlacementRef): Promise<Forwarding | undefined> {
  const forwarding = await findForwarding(tx, ref);
  const project = forwarding && (await findProjectForWork(tx, ref.projectId));
  if (!project) return undefined;
  const front = forwarding.passes_on ? await findServerForWork(tx, project.site.front_server_id) : undefined;
  return forwardingOf(project, forwarding.certificate, front?.public_ip ?? undefined);
}

/**
 * What a server that the project has left does for its visitors: `kept` is the certificate that is still there, `to` the address of the
 * server that visitors reach now.
 */
function forwardingOf(project: PlacedProject, kept: CertificateOnServer | null, to: string | undefined): Forwarding {
  const { site } = onServer(project, false);
  const { proxies = [], requestSeconds } = site;
  return { project: project.id, names: siteNames(site), to, tls: tlsOf(project, kept), proxies, requestSeconds };
}

/** The site of a server that forwards. The move that clears it makes it first, and a project that comes back replaces it. */
export const forwardingTarget: TargetKind = { ...forwardingKind, desired };

async function desired(tx: Db, { subjectId: projectId, serverId }: TargetRef): Promise<Plan | undefined> {
  // It is being cleared, or a move under way is to bring the project back. What follows its end is touched there.
  if ((await findRole(tx, { projectId, serverId })) !== undefined) return undefined;
  const forwarding = await findForwardingSite(tx, { projectId, serverId });
  return forwarding && forwardingPlan(projectLayout(projectId), forwarding);
}

/** Ends what is over; the project's server does not believe the former one any more. */
export const forwardingSchedule = (ctx: Context): PeriodicTask => ({
  name: "end-forwardings",
  everyMs: 60_000,
  work: async (signal) => {
    for (const projectId of await listEndedForwardings(ctx.pool)) {
      if (signal.aborted) return;
      await transaction(ctx.pool, async (tx) => {
        const project = await lockProjectForWork(tx, projectId);
        if ((await endForwardings(tx, ctx, projectId)) && project) await beginPublication(tx, ctx, project);
      });
    }
  },
});
