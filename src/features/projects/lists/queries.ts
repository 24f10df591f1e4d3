import type { Pool } from "pg";
import { allOf, orderOf } from "../../../db/filters.ts";
import { limitOf, sharedCount } from "../../../db/page.ts";
import { type Db, rows, rowsOnce, type Sql, selected, sql } from "../../../db/sql.ts";
import { projectReach } from "../../accounts/reach.ts";
import { isPinned, joinsOwn, type ProjectWithTargets, shownColumns, summaryColumns, type Viewing } from "../queries.ts";
import type { SummaryRow } from "../schema.ts";
import { isInState, stateNamed, stateRanks } from "../states/queries.ts";
import type { ProjectStateName } from "../states/schema.ts";
import { mostFacets, type Order, type ProjectFilter } from "./schema.ts";

// Lists of projects, of which an organization may have 100,000. Filters and orders of a request make the text of its query, and
// PostgreSQL plans such a query for its values: `rowsOnce`.

/** A filter whose search has been carried out if it finds few: `found` are their ids then. */
export type Filter = ProjectFilter & { found?: readonly number[] };

/** So many ids are read and sorted in a moment. To find more than that, the projects are read in their order until a page is full. */
const few = 1_000;

const pattern = (q: string): Sql => sql`lower(${q}::text collate "und-x-icu")`;

/** Replaces a search that finds few projects by their ids: it reads the texts of all projects, which no later query has to repeat. */
export async function searched(db: Db, { actor }: Viewing, filter: ProjectFilter): Promise<Filter> {
  const { q, ...others } = filter;
  if (q === undefined) return filter;
  // It separates the texts of a project, none of which has it.
  if (q.includes("\n")) return { ...others, found: [] };
  const found = await rows<{ project_id: number }>(
    db,
    sql`
      select t.project_id from project_search t
      where t.organization_id = ${actor.organizationId} and strpos(t.text, ${pattern(q)}) > 0 limit ${few + 1}
    `,
  );
  return found.length > few ? filter : { ...others, found: found.map((each) => each.project_id) };
}

/** Whether a list has no filter, so that its query has one text. */
export const isUnfiltered = (filter: Filter): boolean => Object.values(filter).every((value) => value === undefined);

/** The condition of the projects `p` in a list. */
function matching(viewing: Viewing, filter: Filter): Sql {
  const { q, found, ids, name, state, pinned } = filter;
  const { server_id, project_group_id, environment, framework_id, source_type } = filter;
  return allOf([
    projectReach(viewing.actor),
    q === undefined
      ? undefined
      : sql`exists (select 1 from project_search t where t.project_id = p.id and strpos(t.text, ${pattern(q)}) > 0)`,
    found && sql`p.id = any(${found}::bigint[])`,
    ids && sql`p.id = any(${ids}::bigint[])`,
    name === undefined ? undefined : sql`p.name = ${name}`,
    state && isInState(viewing, state),
    server_id && sql`p.server_id = any(${server_id}::bigint[])`,
    project_group_id === undefined ? undefined : sql`p.project_group_id = ${project_group_id}`,
    environment === undefined ? undefined : sql`p.environment = ${environment}`,
    framework_id && sql`p.framework_id = any(${framework_id}::bigint[])`,
    source_type && sql`p.source_type = any(${source_type}::text[])`,
    pinned === undefined ? undefined : pinned ? isPinned(viewing.actor) : sql`not ${isPinned(viewing.actor)}`,
  ]);
}

const orders = {
  id: sql`p.id`,
  name: sql`p.name collate "und-x-icu"`,
  created_at: sql`p.created_at`,
  last_deployed_at: sql`p.last_deployed_at`,
};

const inOrder = (order: Order): Sql => orderOf(orders, order, sql`p.id`, { optional: ["last_deployed_at"] });

export const countProjects = (pool: Pool, viewing: Viewing, filter: Filter): Promise<number> =>
  sharedCount({
    pool,
    query: sql`select count(*) as total from projects p where ${matching(viewing, filter)}`,
    once: !isUnfiltered(filter),
  });

/** What part of a list is wanted. `total`: how many there are altogether, if that is known. */
export interface Part {
  order: Order;
  limit: number;
  offset: number;
  total: number | undefined;
}

export const listProjects = (db: Db, viewing: Viewing, filter: Filter, part: Part): Promise<ProjectWithTargets[]> =>
  listed(
    db,
    filter,
    sql`
    ${partOf(viewing, filter, part)}
    select ${selected(shownColumns(viewing))} from part join projects p on p.id = part.id ${joinsOwn} order by ${inOrder(part.order)}
  `,
  );

export const listSummaries = (db: Db, viewing: Viewing, filter: Filter, part: Part): Promise<SummaryRow[]> =>
  listed(
    db,
    filter,
    sql`
    ${partOf(viewing, filter, part)}
    select ${selected(summaryColumns(viewing))}
    from part join projects p on p.id = part.id join sites site on site.project_id = p.id order by ${inOrder(part.order)}
  `,
  );

export const listIds = async (db: Db, viewing: Viewing, filter: Filter, part: Part): Promise<number[]> =>
  (await listed<{ id: number }>(db, filter, sql`${partOf(viewing, filter, part)} select id from part`)).map(
    ({ id }) => id,
  );

const listed = <Row>(db: Db, filter: Filter, query: Sql): Promise<Row[]> =>
  isUnfiltered(filter) ? rows(db, query) : rowsOnce(db, query);

/** The ids, before any column is looked up. */
function partOf(viewing: Viewing, filter: Filter, { order, limit, offset, total }: Part): Sql {
  const ids = sql`select p.id from projects p where ${matching(viewing, filter)}`;
  // Read in their order, few of many might be found only at the end.
  const areFew = viewing.actor.restriction !== undefined || (total !== undefined && total <= few);
  return areFew
    ? sql`
        with found as materialized (${ids}), part as materialized (
          select p.id from projects p where p.id = any(array(select id from found)) order by ${inOrder(order)} ${limitOf({ limit, offset })}
        )
      `
    : sql`with part as materialized (${ids} order by ${inOrder(order)} ${limitOf({ limit, offset })})`;
}

export interface Counted {
  total: number;
  states: { state: ProjectStateName; count: number }[];
  servers: { id: number; name: string; count: number }[];
  project_groups: { id: number | null; name: string | null; count: number }[];
  environments: { environment: "production" | "staging" | "dev" | null; count: number }[];
}

/** Counts the projects of a list by what they can be filtered by, reading each once. */
export const countByFacet = async (db: Db, viewing: Viewing, filter: Filter): Promise<Counted> => {
  const [counted] = await rowsOnce<Counted>(
    db,
    sql`
      with counts as materialized (
        select grouping(r.rank, p.server_id, p.project_group_id, p.environment) as by, r.rank, p.server_id, p.project_group_id,
          p.environment, count(*)::integer as count
        from projects p left join (${stateRanks(viewing)}) r on r.project_id = p.id
        where ${matching(viewing, filter)}
        group by grouping sets ((r.rank), (p.server_id), (p.project_group_id), (p.environment), ())
      )
      select (select count from counts where by = 15) as total,
        ${asList(sql`
          select ${stateNamed(sql`c.rank`)} as state, c.count from counts c where c.by = 7 order by c.rank
        `)} as states,
        ${asList(sql`
          select s.id, s.name, c.count from counts c join servers s on s.id = c.server_id
          where c.by = 11 order by c.count desc, s.id limit ${mostFacets}
        `)} as servers,
        ${asList(sql`
          select g.id, g.name, c.count from counts c left join project_groups g on g.id = c.project_group_id
          where c.by = 13 order by c.count desc, g.id limit ${mostFacets}
        `)} as project_groups,
        ${asList(sql`
          select c.environment, c.count from counts c where c.by = 14 order by c.environment
        `)} as environments
    `,
  );
  return counted as Counted;
};

const asList = (query: Sql): Sql => sql`(select coalesce(json_agg(to_json(listed)), '[]') from (${query}) listed)`;
