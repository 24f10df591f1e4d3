import { allOf } from "../../../db/filters.ts";
import { limitOf } from "../../../db/page.ts";
import { constants, type Db, join, row, rows, type Sql, sql } from "../../../db/sql.ts";
import type { PageRequest } from "../../../http/pagination.ts";
import { type Actor, deploymentReach, projectReach, serverVisible } from "../../accounts/reach.ts";
import { columns, runningStatuses, shownColumns, unendedStatuses } from "../queries.ts";
import {
  type DeploymentRow,
  type DeploymentStatus,
  deploymentStatus,
  type InitiatorType,
  type ProcessType,
  type Relations,
  type ShownDeployment,
} from "../schema.ts";

const { queued, success } = constants(deploymentStatus);

// Records ------------------------------------------------------------------------------------------------------------------

/** The columns of `Relations`, of a deployment `d` with `relatives`. */
const relations = (actor: Actor): Sql => sql`
  json_build_object('id', p.id, 'name', p.name) as project,
  json_build_object('id', s.id, 'name', case when ${serverVisible(actor)} then s.name end) as server,
  json_build_object('type', d.initiator_type, 'id', case d.initiator_type when 'monitor' then d.monitor_id else u.id end,
    'name', case d.initiator_type when 'push' then d.commit_author when 'monitor' then d.monitor_name else u.name end) as initiator,
  exists (select 1 from placements pl where pl.live_deployment_id = d.id and pl.role in ('own', 'replica')) as is_live,
  (
    select base.commit_url from deployments base
    where base.project_id = d.project_id and base.id < coalesce(d.rolling_of, d.id) and base.status = ${success}
      and base.rolling_of is null and base.commit_id is not null
    order by base.id desc limit 1
  ) as base_commit_url
`;

const relatives = sql`
  join projects p on p.id = d.project_id join servers s on s.id = d.server_id left join users u on u.id = d.initiated_by
`;

export type RelatedDeployment = DeploymentRow & Relations;

export const findRelated = (db: Db, actor: Actor, id: number): Promise<RelatedDeployment | undefined> =>
  row(
    db,
    sql`
      select ${columns}, ${relations(actor)} from deployments d ${relatives} where d.id = ${id} and ${deploymentReach(actor)}
    `,
  );

/** Deployments that the caller has found within the actor's reach, the newest first. */
export const listRelated = (db: Db, actor: Actor, ids: readonly number[]): Promise<RelatedDeployment[]> =>
  rows(
    db,
    sql`
      select ${columns}, ${relations(actor)} from deployments d ${relatives}
      where d.id = any(${ids}::bigint[]) order by d.id desc
    `,
  );

/** The deployments of a project, the newest first, each with the total count. Empty if the project is out of reach. */
export const listOfProject = (
  db: Db,
  actor: Actor,
  projectId: number,
  page: PageRequest,
): Promise<(ShownDeployment & { total: number })[]> =>
  rows(
    db,
    sql`
      select ${shownColumns}, ${relations(actor)},
        (select count(*) from deployments c where c.project_id = ${projectId}) as total
      from (
        select * from deployments d
        where d.project_id = (select p.id from projects p where p.id = ${projectId} and ${projectReach(actor)})
        order by d.id desc ${limitOf(page)}
      ) d ${relatives} order by d.id desc
    `,
  );

/** What a queued deployment waits for. */
export interface Waiter {
  id: number;
  position: number;
  server: string;
  queue_limit: number | null;
  running_on_server: number;
  /** A deployment of the project that is before it. */
  blocking_id: number | null;
  blocking_type: ProcessType | null;
  is_held: boolean;
}

/** Of these deployments, those that are queued: by the conditions under which `listStartable` starts them. */
export const listWaiters = (db: Db, actor: Actor, ids: readonly number[]): Promise<Waiter[]> =>
  rows(
    db,
    sql`
      with asked as materialized (
        select * from deployments where id = any(${ids}::bigint[]) and status = ${queued}
      ), places as (
        select id, row_number() over (partition by server_id order by turn, id) as position
        from deployments where status = ${queued} and server_id in (select server_id from asked)
      )
      select d.id, places.position, case when ${serverVisible(actor)} then s.name else 'its server' end as server, s.queue_limit,
        (select count(*) from deployments r where r.server_id = d.server_id and r.status in ${runningStatuses}) as running_on_server,
        coalesce(running.id, earlier.id) as blocking_id, coalesce(running.process_type, earlier.process_type) as blocking_type,
        exists (
          select 1 from held_deployments h where h.deployment_id = d.id and h.held_until > clock_timestamp()) as is_held
      from asked d join places on places.id = d.id join servers s on s.id = d.server_id
        left join lateral (
          select r.id, r.process_type from deployments r
          where r.project_id = d.project_id and r.status in ${runningStatuses}
            and (r.server_id = d.server_id or 'move' in (r.process_type, d.process_type))
          order by r.id limit 1) running on true
        left join lateral (
          select e.id, e.process_type from deployments e
          where e.project_id = d.project_id and e.status = ${queued} and e.id < d.id
            and (e.server_id = d.server_id or 'move' in (e.process_type, d.process_type))
          order by e.id limit 1) earlier on true
    `,
  );

// The list of an organization -----------------------------------------------------------------------------------------------

export interface DeploymentFilter {
  before?: number | undefined;
  projectIds?: readonly number[] | undefined;
  serverIds?: readonly number[] | undefined;
  statuses?: readonly DeploymentStatus[] | undefined;
  processTypes?: readonly ProcessType[] | undefined;
  /** Users. */
  userIds?: readonly number[] | undefined;
  initiatorTypes?: readonly InitiatorType[] | undefined;
  text?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

interface Found {
  ids: number[];
  /** Where the search continues that stopped before it had found enough. */
  searchedTo?: number | null;
}

/** How many of the newest deployments are searched for a text one after the other. */
const mostSearched = 5_000;

/** The ids of the newest deployments within the actor's reach and the filter, at most `limit`. */
export async function findNewest(db: Db, actor: Actor, filter: DeploymentFilter, limit: number): Promise<Found> {
  const bounds = await boundsOf(db, actor, filter);
  if (!bounds) return { ids: [] };
  const within = [sql`d.organization_id = ${actor.organizationId}`, ...bounds, ...periodOf(filter)];
  const selections = selectionsOf(actor, filter);
  const [driver, ...others] = selections;
  const text = filter.text ? textCondition(filter.text) : undefined;
  const rest = [...within, ...others.map(({ condition }) => condition), text];
  if (driver && (driver.isNarrow || !text)) return { ids: await idsOf(db, merged(driver.branches, rest, limit)) };
  const conditions = selections.map(({ condition }) => condition);
  if (filter.text && text)
    return searchText(db, within, { conditions, text, isIndexed: isIndexed(filter.text), limit });
  return { ids: await idsOf(db, newest(rest, limit)) };
}

// Planned for its values: there are many combinations of filters, and what is rare decides by which index rows are read.
async function idsOf(db: Db, query: Sql): Promise<number[]> {
  const { rows: found } = await db.query<{ id: number }>(query);
  return found.map(({ id }) => id);
}

const newest = (conditions: readonly (Sql | undefined)[], limit: number): Sql =>
  sql`select d.id from deployments d where ${allOf(conditions)} order by d.id desc limit ${limit}`;

/** The newest of each value, which an index has in their order, and of these the newest. */
const merged = (branches: readonly Branch[], rest: readonly (Sql | undefined)[], limit: number): Sql => sql`
  select id from (${join(
    branches.map(
      ({ values, key }) => sql`
        select found.id from (${values}) each cross join lateral (${newest([key, ...rest], limit)}) found
      `,
    ),
    " union all ",
  )}) found order by id desc limit ${limit}
`;

interface Branch {
  /** Selects the values as `value`. */
  values: Sql;
  /** The condition for `each.value`. */
  key: Sql;
}

interface Selection {
  branches: readonly Branch[];
  /** The same in one condition. */
  condition: Sql;
  /** Whether it selects so few that a search looks through them. */
  isNarrow?: boolean;
}

/** Those that a request has, with the one first by which rows are read. */
function selectionsOf(actor: Actor, filter: DeploymentFilter): Selection[] {
  const { userIds = [], initiatorTypes = [] } = filter;
  return [
    projectsOf(actor, filter),
    ...(userIds.length + initiatorTypes.length > 0 ? [initiatorsOf(userIds, initiatorTypes)] : []),
    ...oneOf(filter.serverIds, sql`d.server_id`, sql`bigint`),
    ...oneOf(filter.processTypes, sql`d.process_type`, sql`text`),
    ...oneOf(filter.statuses, sql`d.status`, sql`smallint`),
  ].filter((selection) => selection !== undefined);
}

/** A restricted membership reads the deployments of the projects in its reach, instead of searching all for them. */
function projectsOf(actor: Actor, { projectIds }: DeploymentFilter): Selection | undefined {
  if (!actor.restriction && !projectIds) return undefined;
  const listed = projectIds ? sql`and p.id = any(${projectIds}::bigint[])` : sql``;
  const values = sql`select p.id as value from projects p where ${projectReach(actor)} ${listed}`;
  return {
    branches: [{ values, key: sql`d.project_id = each.value` }],
    condition: sql`d.project_id in (${values})`,
    isNarrow: true,
  };
}

function initiatorsOf(userIds: readonly number[], types: readonly InitiatorType[]): Selection {
  const users = sql`select unnest(${userIds}::bigint[]) as value`;
  const others = sql`select unnest(${types}::text[]) as value`;
  return {
    branches: [
      { values: users, key: sql`d.initiated_by = each.value` },
      { values: others, key: sql`d.initiator_type = each.value and d.initiator_type <> 'user'` },
    ],
    condition: sql`(d.initiated_by = any(${userIds}::bigint[]) or d.initiator_type = any(${types}::text[]))`,
  };
}

const oneOf = (values: readonly unknown[] | undefined, column: Sql, type: Sql): Selection[] =>
  values === undefined
    ? []
    : [
        {
          branches: [{ values: sql`select unnest(${values}::${type}[]) as value`, key: sql`${column} = each.value` }],
          condition: sql`${column} = any(${values}::${type}[])`,
        },
      ];

// Periods ------------------------------------------------------------------------------------------------------------------

const periodOf = ({ from, to }: DeploymentFilter): Sql[] => [
  ...(from === undefined ? [] : [sql`d.created_at >= ${from}::timestamptz`]),
  ...(to === undefined ? [] : [sql`d.created_at < ${to}::timestamptz`]),
];

/**
 * Conditions on the ids that each deployment of the page and the period meets. Of a period they are those of the first and the last
 * block of ids that has one in it: the index deployments_by_time shows for each block whether it has. Undefined: there is none.
 */
async function boundsOf(db: Db, actor: Actor, filter: DeploymentFilter): Promise<Sql[] | undefined> {
  const page = filter.before === undefined ? [] : [sql`d.id < ${filter.before}`];
  const period = periodOf(filter);
  if (period.length === 0) return page;
  const ours = sql`d.organization_id = ${actor.organizationId}`;
  // A subquery with a limit, since a join would be planned for "exists": of everything in the period.
  const firstBlock = (from: Sql, to: Sql, step: Sql) => sql`
    select block from generate_series(${from}, ${to}, ${step}) block
    where (select true from deployments d where ${allOf([ours, ...period])} and d.id >> 12 = block limit 1) limit 1
  `;
  const {
    rows: [blocks],
  } = await db.query<{ lowest: number | null; highest: number | null }>(sql`
    with ends as materialized (
      select min(d.id) >> 12 as first, max(d.id) >> 12 as last from deployments d where ${ours}
    )
    select (${firstBlock(sql`(select first from ends)`, sql`(select last from ends)`, sql`1::bigint`)}) as lowest,
      (${firstBlock(sql`(select last from ends)`, sql`(select first from ends)`, sql`-1::bigint`)}) as highest
  `);
  const { lowest, highest } = blocks ?? { lowest: null, highest: null };
  if (lowest === null || highest === null) return undefined;
  return [...page, sql`d.id >= ${lowest}::bigint << 12`, sql`d.id < (${highest}::bigint + 1) << 12`];
}

// Text ---------------------------------------------------------------------------------------------------------------------

// As the index deployments_by_text has it.
const searchedText = sql`lower(coalesce(d.commit_message, '') || E'\\n' || coalesce(d.commit_id, '') || E'\\n' || d.git_branch || E'\\n'
  || coalesce(d.commit_author, '') || E'\\n' || d.description)`;

const textCondition = (text: string): Sql =>
  sql`${searchedText} like '%' || lower(${text.replace(/[\\%_]/g, "\\$&")}::text) || '%'`;

/** The index has groups of three letters or digits, with letters of other languages only by some locales of the database. */
const isIndexed = (text: string): boolean => /[a-z0-9]{3}/i.test(text);

interface Search {
  conditions: readonly Sql[];
  text: Sql;
  isIndexed: boolean;
  limit: number;
}

/**
 * The newest deployments are searched one after the other, which finds what is frequent. What is rare is found by the index among all
 * others, and what the index cannot find is searched on from page to page.
 */
async function searchText(db: Db, within: readonly Sql[], search: Search): Promise<Found> {
  const { conditions, text, limit } = search;
  const window = sql`select * from deployments d where ${allOf(within)} order by d.id desc limit ${mostSearched}`;
  const {
    rows: [recent],
  } = await db.query<{ ids: number[]; searched: number; last: number | null }>(sql`
    with searched as materialized (${window})
    select array(select d.id from searched d where ${allOf([...conditions, text])} order by d.id desc limit ${limit}) as ids,
      count(*) as searched, min(id) as last
    from searched
  `);
  const { ids, searched, last } = recent ?? { ids: [], searched: 0, last: null };
  if (ids.length === limit || searched < mostSearched || last === null) return { ids };
  if (!search.isIndexed) return { ids, searchedTo: last };
  const older = [...within, sql`d.id < ${last}`, ...conditions, text];
  const more = await idsOf(
    db,
    sql`
      with found as materialized (
        select d.id from deployments d where ${allOf([sql`d.ended_at is not null`, ...older])}
        union all
        select d.id from deployments d where ${allOf([sql`d.status in ${unendedStatuses}`, ...older])}
      )
      select id from found order by id desc limit ${limit - ids.length}
    `,
  );
  return { ids: [...ids, ...more] };
}
