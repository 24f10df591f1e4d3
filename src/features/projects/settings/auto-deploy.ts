import type { Static } from "typebox";
import { transaction } from "../../../db/transaction.ts";
import type { RequestContext } from "../../../http/route.ts";
import { isOn } from "../../../http/schemas.ts";
import { AppError, invalid } from "../../../lib/errors.ts";
import { emitUpdated } from "../events.ts";
import type { AutoDeployRequest } from "../schema.ts";
import { setAutoDeploy } from "./queries.ts";

/** Sets auto-deploy of many projects: of all, or of none if one of them is out of reach. */
export async function setAutoDeployOfMany(ctx: RequestContext, body: Static<typeof AutoDeployRequest>) {
  const ids = [...new Set(body.project_ids)];
  const isActive = isOn(body.auto_deploy_is_active);
  return transaction(ctx.pool, async (tx) => {
    const updated = await setAutoDeploy(tx, ctx.actor, ids, isActive);
    const reached = new Set(updated.map((project) => project.id));
    const missing = ids.filter((id) => !reached.has(id));
    if (missing.length > 0) {
      const which = missing.length === 1 ? `Project ${missing[0]}` : `Each of the projects ${missing.join(", ")}`;
      throw new AppError("not_found", `${which} was not found. Nothing was changed.`);
    }
    const apps = updated.filter((project) => project.source_type === "app").map((project) => project.id);
    if (isActive && apps.length > 0) {
      throw invalid({ project_ids: `Catalog apps have no deployments; these are apps: ${apps.join(", ")}.` });
    }
    for (const project of updated) await emitUpdated(tx, { ...project, organization_id: ctx.actor.organizationId });
    return { updated_count: updated.length };
  });
}
