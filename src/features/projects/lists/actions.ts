import type { Static } from "typebox";
import { pageOf, paginated } from "../../../http/pagination.ts";
import type { RequestContext } from "../../../http/route.ts";
import { recordsOf, summariesOf } from "../records.ts";
import {
  countByFacet,
  countProjects,
  isUnfiltered,
  listIds,
  listProjects,
  listSummaries,
  searched,
} from "./queries.ts";
import { mostListedIds, type ProjectFilter, type ProjectIdsQuery, type ProjectQuery } from "./schema.ts";

const projectsPerPage = 10;

export async function showProjects(
  ctx: RequestContext,
  { page: _page, per_page: _size, view, sort: order = "id", ...filters }: Static<typeof ProjectQuery>,
) {
  const page = pageOf({ page: _page, per_page: _size }, projectsPerPage);
  const { pool, actor } = ctx;
  const filter = await searched(pool, actor, filters);
  const counting = countProjects(pool, actor, filter);
  // How the rows of a part of all projects are found depends on how many there are.
  const isWhole = isUnfiltered(filter) && !actor.restriction;
  const part = { order, ...page, total: isWhole ? undefined : await counting };
  const read =
    view === "summary"
      ? async () => summariesOf(ctx, await listSummaries(pool, actor, filter, part))
      : async () => recordsOf(ctx, await listProjects(pool, actor, filter, part));
  const [projects, total] = await Promise.all([read(), counting]);
  return paginated(page, total, projects);
}

export async function showProjectIds(
  { pool, actor }: RequestContext,
  { sort: order = "id", ...filters }: Static<typeof ProjectIdsQuery>,
) {
  const filter = await searched(pool, actor, filters);
  const total = await countProjects(pool, actor, filter);
  const data = await listIds(pool, actor, filter, { order, limit: mostListedIds, offset: 0, total });
  return { data, total_items: total };
}

export async function showFacets({ pool, actor }: RequestContext, filters: ProjectFilter) {
  const { total, ...counts } = await countByFacet(pool, actor, await searched(pool, actor, filters));
  return { data: { total_items: total, ...counts } };
}
