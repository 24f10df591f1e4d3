import type { PoolClient } from "pg";
import type { Static } from "typebox";
import { transaction } from "../../../db/transaction.ts";
import type { Partly, RequestContext } from "../../../http/route.ts";
import { isOn } from "../../../http/schemas.ts";
import { AppError, type FieldErrors, invalid } from "../../../lib/errors.ts";
import { emitAllUpdated } from "../events.ts";
import { groupError, groupMissing } from "../groups/actions.ts";
import { holdGroup } from "../groups/queries.ts";
import type { AutoDeployRequest, BulkRequest } from "../schema.ts";
import { sentences } from "../validation.ts";
import { lockReached, type Reached, setAutoDeploy, setLabels } from "./queries.ts";

// Changes of many projects: of all, or of none if one of them is out of reach.

/** Sets auto-deploy of many projects. */
export const setAutoDeployOfMany = (ctx: RequestContext, body: Static<typeof AutoDeployRequest>) =>
  changeMany(ctx, body.project_ids, async (tx, projects) => {
    const isActive = isOn(body.auto_deploy_is_active);
    const apps = projects.filter((project) => project.source_type === "app").map((project) => project.id);
    if (isActive && apps.length > 0) {
      throw invalid({ project_ids: `Catalog apps have no deployments; these are apps: ${apps.join(", ")}.` });
    }
    await setAutoDeploy(tx, idsOf(projects), isActive);
  });

/** Sets group and environment of many projects; what is left out stays. */
export const updateMany = (ctx: RequestContext, { project_ids: ids, ...labels }: Static<typeof BulkRequest>) =>
  changeMany(ctx, ids, async (tx, projects) => {
    const groupId = labels.project_group_id;
    // It may have been deleted since it was checked.
    if (groupId && !(await holdGroup(tx, ctx.actor, groupId))) throw invalid({ project_group_id: groupMissing });
    await setLabels(tx, idsOf(projects), labels);
  });

/** The errors of a change of many, beyond its schema. */
export async function checkMany(
  ctx: RequestContext,
  { body }: { body: Partly<Static<typeof BulkRequest>> },
): Promise<FieldErrors> {
  const nothing = body.project_group_id === undefined && body.environment === undefined;
  return sentences({
    environment: nothing ? "Name a group or an environment: what to change." : undefined,
    project_group_id: await groupError(ctx, body.project_group_id),
  });
}

async function changeMany(
  ctx: RequestContext,
  projectIds: readonly number[],
  change: (tx: PoolClient, projects: readonly Reached[]) => Promise<void>,
) {
  const ids = [...new Set(projectIds)];
  return transaction(ctx.pool, async (tx) => {
    const projects = await lockReached(tx, ctx.actor, ids);
    refuseMissing(ids, idsOf(projects));
    await change(tx, projects);
    await emitAllUpdated(tx, projects);
    return { updated_count: projects.length };
  });
}

const idsOf = (projects: readonly Reached[]): number[] => projects.map(({ id }) => id);

function refuseMissing(ids: readonly number[], reached: readonly number[]): void {
  const found = new Set(reached);
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length === 0) return;
  const which = missing.length === 1 ? `Project ${missing[0]}` : `Each of the projects ${missing.join(", ")}`;
  throw new AppError("not_found", `${which} was not found. Nothing was changed.`);
}
