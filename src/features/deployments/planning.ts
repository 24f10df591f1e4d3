import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { listMarks } from "../../engine/reconcile/marks.ts";
import { outdatedSteps, type Plan } from "../../engine/runs/plan.ts";
import type { Run } from "../../engine/runs/queries.ts";
import type { RunSecrets } from "../../engine/runs/runs.ts";
import { environmentSecrets } from "../../host/environment/environment.ts";
import { secretsIn } from "../../host/environment/secret-values.ts";
import type { GitSource } from "../../host/git/git.ts";
import type { PhpPackages } from "../../host/php/php-versions.ts";
import { AppError, failureSentence } from "../../lib/errors.ts";
import { whatRunsOf } from "../jobs/targets.ts";
import { recordGivenEnvironment } from "../placements/queries.ts";
import { onServer } from "../projects/on-server.ts";
import { findProjectOn } from "../projects/queries.ts";
import type { PlacedProject } from "../projects/schema.ts";
import { prepareProjectSteps } from "../sites/plans.ts";
import { decryptSiteSecrets } from "../sites/secrets.ts";
import { fetchAddressOf } from "../sources/source.ts";
import { deploymentPlan, installationPlan, recyclePlan, rollbackPlan } from "./plans.ts";
import { findDeploymentForWork, findEncrypted } from "./queries.ts";
import { asBegun, type DeploymentRow, placementOf } from "./schema.ts";

/**
 * The plan of a deployment's run, from the rows at its start. If no plan can be made, rejects with a sentence for its record; a
 * failure of the database is retried.
 */
export async function planRun(ctx: Context, { subject_id: deploymentId }: Run): Promise<Plan> {
  const deployment = await findDeploymentForWork(ctx.pool, deploymentId);
  if (!deployment) throw new AppError("run_failed", "The project was deleted.");
  const row = await findProjectOn(ctx.pool, placementOf(deployment));
  if (!row) throw new AppError("run_failed", "The project was removed from this server.");
  // Jobs run on the project's own server.
  const running =
    row.placement.role === "own" ? await whatRunsOf(ctx.pool, row.id) : { hasJobs: false, restartsJobs: false };
  // A release that an earlier deployment made is still on the server. A recycle never builds one.
  const { release_id: releaseId, process_type: type } = deployment;
  const isKept = type === "recycle" || (releaseId !== null && releaseId !== deploymentId);
  const source = isKept ? undefined : await sourceOf(ctx, ctx.pool, deployment, row);
  try {
    const input = {
      project: onServer(asBegun(deployment, row), row.has_environment),
      deploymentId,
      ...running,
      formerRelease: row.placement.live_release_id ?? undefined,
      phpPackages: phpPackagesOf(ctx),
      nodeMirror: ctx.config.nodeMirror,
    };
    if (!source) {
      const kept = { ...input, releaseId: releaseId as number };
      return type === "recycle" ? recyclePlan(kept) : rollbackPlan(kept);
    }
    if (!row.placement.is_prepared) return installationPlan({ ...input, source });
    // Settings that the preparation writes, such as the memory limit, are applied with the next deployment.
    const marks = await listMarks(ctx.pool, { subject: "project", subjectId: row.id }, row.placement.server_id);
    return deploymentPlan({ ...input, source }, outdatedSteps(prepareProjectSteps(input.project), marks));
  } catch (error) {
    throw new AppError("run_failed", reasonFor(ctx, deployment, error), { cause: error });
  }
}

/** The installation's source of PHP versions. */
export const phpPackagesOf = ({ config }: Pick<Context, "config">): PhpPackages => ({
  ...(config.phpPackages === "off" ? { isOff: true } : { base: config.phpPackages }),
  fingerprints: config.phpPackagesKey,
});

/** The sentence for the record of a deployment that cannot start. */
export const reasonFor = ({ log }: Pick<Context, "log">, { id }: DeploymentRow, error: unknown): string =>
  failureSentence(error, (err) => log.error({ err, deployment: id }, "a deployment could not be planned"));

/** The secrets of a deployment's run; records the environment that it gets. */
export async function secretsOf(ctx: Context, run: Run): Promise<RunSecrets> {
  const encrypted = await findEncrypted(ctx.pool, run.subject_id);
  if (encrypted) await recordGivenEnvironment(ctx.pool, placementOf(encrypted), encrypted.environment_variables);
  const site = decryptSiteSecrets(ctx, encrypted?.basic_auth_hash ?? null);
  if (!encrypted?.environment_variables) return { files: site, masked: [] };
  const text = ctx.secrets.decrypt(encrypted.environment_variables);
  const environment = environmentSecrets(text);
  return {
    files: { ...site, ...environment },
    mixedFiles: Object.keys(environment),
    masked: secretsIn(text, encrypted.environment_masking),
  };
}

export async function sourceOf(
  ctx: Pick<Context, "config">,
  db: Db,
  deployment: DeploymentRow,
  project: PlacedProject,
): Promise<GitSource> {
  const address = await fetchAddressOf(ctx, db, project, deployment.server_id);
  if (!address)
    throw new AppError("refused", "The project has no repository that could be fetched.", { permanent: true });
  return {
    ...address,
    branch: deployment.git_branch,
    tag: deployment.git_tag ?? undefined,
    commit: deployment.commit_id ?? undefined,
    access: "none",
  };
}
