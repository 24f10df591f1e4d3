import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { transaction } from "../../db/transaction.ts";
import { findTarget } from "../../engine/reconcile/queries.ts";
import { isTargetRunning, touch } from "../../engine/reconcile/reconcile.ts";
import type { Target, TargetKind, TargetRef } from "../../engine/reconcile/target.ts";
import type { Run } from "../../engine/runs/queries.ts";
import type { DueRows } from "../../engine/schedule/schedule.ts";
import { hasUnended } from "../deployments/queries.ts";
import { setLive } from "../placements/queries.ts";
import { findProjectForWork, lockProjectForWork, setAppVersion } from "../projects/queries.ts";
import type { PlacedProject } from "../projects/schema.ts";
import { siteOf } from "../sites/publish.ts";
import { addressOf, type Installed, installedSecrets, moveWorkOf, readInstalled, servingPlan } from "./planning.ts";
import { claimAddressChecks, type DueInstallation, setAddress, setAddressSite } from "./queries.ts";
import { appAddressKind } from "./schema.ts";

// Some applications read their address at start, from a file that is written with the site. When the site gets other names or
// TLS, their process is replaced.

/** Sites that changed since their application's address was compared with them. */
export const addressChecks = (ctx: Context): DueRows<DueInstallation> => ({
  name: "follow-app-addresses",
  everyMs: 3_000,
  batch: 50,
  concurrency: 5,
  claim: claimAddressChecks,
  work: ({ project_id: projectId }) =>
    transaction(ctx.pool, async (tx) => {
      const project = await lockProjectForWork(tx, projectId);
      const installed = project && (await readInstalled(tx, ctx, project));
      if (!installed) return;
      if (isBehind(installed)) {
        // Something else is replacing the process: check again later.
        if ((await hasUnended(tx, projectId)) || installed.installation.update_state === "running") return;
        await touch(tx, ctx.queue, targetOf(project));
      }
      await setAddressSite(tx, projectId, (await findTarget(tx, siteOf(project)))?.appliedMark ?? null);
    }),
});

const isBehind = ({ app, project, installation }: Installed): boolean =>
  app.keepsAddress === true && installation.address !== addressOf(project);

const targetOf = ({ id, placement }: PlacedProject): TargetRef => ({
  ...appAddressKind,
  subjectId: id,
  serverId: placement.server_id,
});

/**
 * Whether the process of a project that the caller has locked is being replaced. No replacement begins before the transaction
 * ends.
 */
export const isAddressChanging = (tx: PoolClient, project: PlacedProject): Promise<boolean> =>
  isTargetRunning(tx, targetOf(project));

export const addressTargets = (ctx: Context): TargetKind[] => [
  {
    ...appAddressKind,
    // A change that is impossible now counts as applied, and `recordAddress` schedules another check.
    desired: async (tx, { subjectId, serverId }) => {
      const installed = await findInstalled(tx, ctx, subjectId);
      if (!installed || !isBehind(installed)) return undefined;
      const { project, installation } = installed;
      const isLive = project.installation_status === 1 && project.placement.live_release_id !== null;
      if (!isLive || project.placement.server_id !== serverId || installation.update_state === "running")
        return undefined;
      return servingPlan(appAddressKind.kind, installed, moveWorkOf(installed));
    },
    secrets: async ({ subjectId }) => {
      const installed = await findInstalled(ctx.pool, ctx, subjectId);
      return installed ? installedSecrets(ctx.pool, ctx, installed) : { files: {}, masked: [] };
    },
    onApplied: (tx, target, run) => recordAddress(tx, ctx, target, run),
  },
];

async function findInstalled(db: Db, ctx: Context, projectId: number): Promise<Installed | undefined> {
  const project = await findProjectForWork(db, projectId);
  return project && readInstalled(db, ctx, project);
}

async function recordAddress(
  tx: PoolClient,
  ctx: Context,
  { subjectId, serverId }: Target,
  run: Run | undefined,
): Promise<void> {
  const installed = await findInstalled(tx, ctx, subjectId);
  if (!installed) return;
  if (!run) return isBehind(installed) ? setAddressSite(tx, subjectId, null) : undefined;
  const { app_version: version, placement } = installed.project;
  const { live_release_id: releaseId } = placement;
  const port = run.facts.live_port;
  if (releaseId !== null && port !== undefined) {
    await setLive(tx, { projectId: subjectId, serverId }, { releaseId, port: Number(port) });
    await setAppVersion(tx, subjectId, version ?? "");
  }
  await recordServedAddress(tx, subjectId, run);
}

/** The address of the site with which a run started the application's process, in the transaction that stores the run's end. */
export async function recordServedAddress(tx: PoolClient, projectId: number, run: Run): Promise<void> {
  const { address } = run.facts;
  if (address !== undefined) await setAddress(tx, projectId, address);
}
