import type { RequestContext } from "../../http/route.ts";
import { can } from "../accounts/reach.ts";
import { countDeploymentsToday, countMonitors, countProjects, countServers, listUnended } from "./queries.ts";
import { mostRunning } from "./schema.ts";

/** Null in place of what the caller may not read. */
export async function showOverview(ctx: RequestContext) {
  const { pool, actor } = ctx;
  const readsProjects = can(actor, "project:read");
  const [projects, servers, monitors, running, today] = await Promise.all([
    readsProjects ? countProjects(pool, actor) : null,
    can(actor, "server:read") ? countServers(pool, actor) : null,
    can(actor, "monitor:read") ? countMonitors(pool, actor) : null,
    readsProjects ? listUnended(pool, actor, mostRunning) : null,
    readsProjects ? countDeploymentsToday(pool, actor) : null,
  ]);
  return {
    projects,
    servers,
    monitors,
    deployments: running && today !== null ? { running: [...running], today } : null,
  };
}
