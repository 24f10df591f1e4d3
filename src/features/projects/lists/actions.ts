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
  const filter = await searched(ctx.pool, ctx, filters);
  const counting = countProjects(ctx.pool, ctx, filter);
  // How the rows of a filtered list are found depends on how many there are.
  const part = { order, ...page, total: isUnfiltered(filter) ? undefined : await counting };
  const read =
    view === "summary"
      ? async () => summariesOf(ctx, await listSummaries(ctx.pool, ctx, filter, part))
      : async () => recordsOf(ctx, await listProjects(ctx.pool, ctx, filter, part));
  const [projects, total] = await Promise.all([read(), counting]);
  return paginated(page, total, projects);
}

export async function showProjectIds(
  ctx: RequestContext,
  { sort: order = "id", ...filters }: Static<typeof ProjectIdsQuery>,
) {
  const filter = await searched(ctx.pool, ctx, filters);
  const total = await countProjects(ctx.pool, ctx, filter);
  const data = await listIds(ctx.pool, ctx, filter, { order, limit: mostListedIds, offset: 0, total });
  return { data, total_items: total };
}

export async function showFacets(ctx: RequestContext, filters: ProjectFilter) {
  const { total, ...counts } = await countByFacet(ctx.pool, ctx, await searched(ctx.pool, ctx, filters));
  return { data: { total_items: total, ...counts } };
}
