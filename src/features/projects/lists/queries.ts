import type { Pool } from "pg";
import { allOf, orderOf } from "../../../db/filters.ts";
import { limitOf, sharedCount, sharedCounts } from "../../../db/page.ts";
import { type Db, rows, rowsOnce, type Sql, selected, sql } from "../../../db/sql.ts";
import { type Actor, projectReach } from "../../accounts/reach.ts";
import { isPinned, joinsOwn, type ProjectWithTargets, shownColumns, summaryColumns } from "../queries.ts";
import type { SummaryRow } from "../schema.ts";
import { countedStates, isInState } from "../states/queries.ts";
import type { ProjectStateName } from "../states/schema.ts";
import { mostFacets, type Order, type ProjectFilter } from "./schema.ts";

// Lists of projects, of which an organization may have 100,000. Filters and orders of a request make the text of its query, and
// PostgreSQL plans such a query for its values: `rowsOnce`.

/** A filter whose search has been carried out if it finds few: `found` are their ids then. */
export type Filter = ProjectFilter & { found?: readonly number[] };

/** A search that finds so few is carried out once for all queries of a request. */
const few = 10_000;

/** That the text of `project_search t` has this in it. */
const has = (q: string): Sql =>
  sql`t.text like '%' || lower(${q.replace(/[\\%_]/g, "\\$&")}::text collate "und-x-icu") collate "default" || '%'`;

/** That a project `p` has the text, for a few projects. */
const hasText = (q: string): Sql =>
  sql`exists (select 1 from project_search t where t.project_id = p.id and ${has(q)})`;

/** The projects of the organization that have the text. */
const withText = ({ organizationId }: Actor, q: string): Sql =>
  sql`select t.project_id from project_search t where t.organization_id = ${organizationId} and ${has(q)}`;

/** Replaces a search that finds few projects by their ids. */
export async function searched(db: Db, actor: Actor, filter: ProjectFilter): Promise<Filter> {
  const { q, ...others } = filter;
  if (q === undefined) return filter;
  // It separates the texts of a project, none of which has it.
  if (q.includes("\n")) return { ...others, found: [] };
  const [{ found } = { found: [] }] = await rowsOnce<{ found: number[] }>(
    db,
    sql`select array(${withText(actor, q)} limit ${few + 1}) as found`,
  );
  return found.length > few ? filter : { ...others, found };
}

/** Whether a list has no filter, so that its query has one text. */
export const isUnfiltered = (filter: Filter): boolean => Object.values(filter).every((value) => value === undefined);

/** The condition of the projects `p` in a list. `text`: that of a search which finds many. */
function matching(actor: Actor, filter: Filter, text = (q: string) => sql`p.id in (${withText(actor, q)})`): Sql {
  const { q, found, ids, name, state, pinned } = filter;
  const { server_id, project_group_id, environment, framework_id, source_type } = filter;
  return allOf([
    projectReach(actor),
    q === undefined ? undefined : text(q),
    found && sql`p.id = any(${found}::bigint[])`,
    ids && sql`p.id = any(${ids}::bigint[])`,
    name === undefined ? undefined : sql`p.name = ${name}`,
    state && isInState(actor, state),
    server_id && sql`p.server_id = any(${server_id}::bigint[])`,
    project_group_id === undefined ? undefined : sql`p.project_group_id = ${project_group_id}`,
    environment === undefined ? undefined : sql`p.environment = ${environment}`,
    framework_id && sql`p.framework_id = any(${framework_id}::bigint[])`,
    source_type && sql`p.source_type = any(${source_type}::text[])`,
    pinned === undefined ? undefined : pinned ? isPinned(actor) : sql`not ${isPinned(actor)}`,
  ]);
}

const orders = {
  id: sql`p.id`,
  name: sql`p.name collate "und-x-icu"`,
  created_at: sql`p.created_at`,
  last_deployed_at: sql`p.last_deployed_at`,
};

const inOrder = (order: Order): Sql => orderOf(orders, order, sql`p.id`, { optional: ["last_deployed_at"] });

export const countProjects = (pool: Pool, actor: Actor, filter: Filter): Promise<number> =>
  sharedCount({
    pool,
    query: sql`select count(*) as total from projects p where ${matching(actor, filter)}`,
    once: !isUnfiltered(filter),
  });

/** What part of a list is wanted. `total`: how many there are altogether, if that is known. */
export interface Part {
  order: Order;
  limit: number;
  offset: number;
  total: number | undefined;
}

export const listProjects = async (db: Db, actor: Actor, filter: Filter, part: Part): Promise<ProjectWithTargets[]> =>
  rows(
    db,
    sql`
      select ${selected(shownColumns(actor))}
      from ${inTurn(await listIds(db, actor, filter, part))} join projects p on p.id = part.id ${joinsOwn} order by part.place
    `,
  );

export const listSummaries = async (db: Db, actor: Actor, filter: Filter, part: Part): Promise<SummaryRow[]> =>
  rows(
    db,
    sql`
      select ${selected(summaryColumns(actor))}
      from ${inTurn(await listIds(db, actor, filter, part))} join projects p on p.id = part.id
      join sites site on site.project_id = p.id order by part.place
    `,
  );

// The records have one query whatever the filter is: planning it takes three times as long as reading a page.
const inTurn = (ids: readonly number[]): Sql => sql`unnest(${ids}::bigint[]) with ordinality part (id, place)`;

export const listIds = async (db: Db, actor: Actor, filter: Filter, part: Part): Promise<number[]> =>
  (await rowsOnce<{ id: number }>(db, idsOf(actor, filter, part))).map(({ id }) => id);

/** The ids alone, before any column is looked up. */
function idsOf(actor: Actor, filter: Filter, { order, limit, offset, total }: Part): Sql {
  const page = sql`order by ${inOrder(order)} ${limitOf({ limit, offset })}`;
  return total !== undefined && areSorted(filter, { total, end: offset + limit })
    ? sql`
        with found as materialized (select p.id from projects p where ${matching(actor, filter)})
        select p.id from projects p where p.id = any(array(select id from found)) ${page}
      `
    : sql`select p.id from projects p where ${matching(actor, filter, hasText)} ${page}`;
}

/** Of an organization. */
const mostProjects = 100_000;
/** So many are read and sorted in a moment. */
const mostSorted = 5_000;

/**
 * Whether all projects of a list are read and sorted: up to `end`, a multiple of it may have to be read in their order. Few of many
 * might be found only at the end, such as those that were all made on one day.
 */
const areSorted = ({ found }: Filter, { total, end }: { total: number; end: number }): boolean =>
  found !== undefined || total <= mostSorted || total * total <= end * mostProjects;

export interface Counted {
  total: number;
  states: { state: ProjectStateName; count: number }[];
  servers: { id: number; name: string; count: number }[];
  project_groups: { id: number | null; name: string | null; count: number }[];
  environments: { environment: "production" | "staging" | "dev" | null; count: number }[];
}

/** Counts the projects of a list by what they can be filtered by, reading each once. */
export const countByFacet = (pool: Pool, actor: Actor, filter: Filter): Promise<Counted> =>
  sharedCounts({
    pool,
    once: true,
    query: sql`
      with counts as materialized (
        select grouping(p.server_id, p.environment, p.project_group_id) as by, p.server_id, p.environment, p.project_group_id,
          count(*)::integer as count
        from projects p where ${matching(actor, filter)}
        group by grouping sets ((p.server_id, p.environment), (p.project_group_id))
      ), placed as (select * from counts where by = 1), grouped as (select * from counts where by = 6),
      every as (select coalesce(sum(count), 0)::integer as total from grouped),
      states as (${countedStates(actor, matching(actor, filter), sql`(select total from every)`)})
      select (select total from every) as total,
        ${asList(sql`select state, count from states where count > 0 order by state`)} as states,
        ${asList(sql`
          select s.id, s.name, sum(c.count)::integer as count from placed c join servers s on s.id = c.server_id
          group by s.id order by count desc, s.id limit ${mostFacets}
        `)} as servers,
        ${asList(sql`
          select g.id, g.name, c.count from grouped c left join project_groups g on g.id = c.project_group_id
          order by c.count desc, g.id limit ${mostFacets}
        `)} as project_groups,
        ${asList(sql`
          select environment, sum(count)::integer as count from placed group by environment order by environment
        `)} as environments
    `,
  });

const asList = (query: Sql): Sql => sql`(select coalesce(json_agg(to_json(listed)), '[]') from (${query}) listed)`;
