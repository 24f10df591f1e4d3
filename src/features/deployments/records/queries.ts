import { allOf } from "../../../db/filters.ts";
import { limitOf } from "../../../db/page.ts";
import { isInPeriod, type Period } from "../../../db/periods.ts";
import { constants, type Db, join, row, rows, type Sql, sql } from "../../../db/sql.ts";
import type { PageRequest } from "../../../http/pagination.ts";
import { type Actor, deploymentReach, projectReach, serverVisible } from "../../accounts/reach.ts";
import { columns, runningStatuses, shownColumns, unendedStatuses } from "../queries.ts";
import {
  initiatorTypes as allInitiatorTypes,
  processTypes as allProcessTypes,
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

export interface DeploymentFilter extends Period {
  before?: number | undefined;
  projectIds?: readonly number[] | undefined;
  serverIds?: readonly number[] | undefined;
  statuses?: readonly DeploymentStatus[] | undefined;
  processTypes?: readonly ProcessType[] | undefined;
  /** Users. */
  userIds?: readonly number[] | undefined;
  initiatorTypes?: readonly InitiatorType[] | undefined;
  text?: string | undefined;
}

interface Found {
  ids: number[];
  /** Where the search continues that stopped before it had found enough. */
  searchedTo?: number | null;
}

/** How many of the newest deployments are read one after the other, for what is frequent. */
const mostRecent = 5_000;

/** The ids of the newest deployments within the actor's reach and the filter, at most `limit`. */
export async function findNewest(db: Db, actor: Actor, filter: DeploymentFilter, limit: number): Promise<Found> {
  const { text, before } = filter;
  const ours = sql`d.organization_id = ${actor.organizationId}`;
  const timed = { table: sql`deployments d`, id: sql`d.id`, createdAt: sql`d.created_at`, ours };
  const within = [await isInPeriod(db, timed, filter), ...(before === undefined ? [] : [sql`d.id < ${before}`])];
  const [driver, ...others] = await selectionsOf(db, actor, filter);
  const conditions = others.map(({ condition }) => condition);
  if (text && !driver?.isNarrow) {
    return searchText(db, [ours, ...within], {
      conditions: driver ? [driver.condition, ...conditions] : conditions,
      ...{ text: textCondition(text), isIndexed: isIndexed(text), limit },
    });
  }
  if (driver?.isWide) {
    const recent = await findRecent(db, [ours, ...within], [driver.condition, ...conditions], limit);
    if (recent.areAll) return { ids: recent.ids };
  }
  const rest = [...within, ...conditions, text ? textCondition(text) : undefined];
  return { ids: await idsOf(db, driver ? driver.newest({ ours, rest, limit }) : newest([ours, ...rest], limit)) };
}

// Planned for its values: there are many combinations of filters, and what is rare decides by which index rows are read.
async function idsOf(db: Db, query: Sql): Promise<number[]> {
  const { rows: found } = await db.query<{ id: number }>(query);
  return found.map(({ id }) => id);
}

const newest = (conditions: readonly (Sql | undefined)[], limit: number): Sql =>
  sql`select d.id from deployments d where ${allOf(conditions)} order by d.id desc limit ${limit}`;

/** For `from`: the rows `each` of some values with the newest deployments `found` of each, which an index has in their order. */
const newestOfEach = ({ values, key }: Branch, conditions: readonly (Sql | undefined)[], limit: number): Sql =>
  sql`(${values}) each cross join lateral (${newest([...conditions, key], limit)}) found`;

/** The newest of all values. */
const merged = (branches: readonly Branch[], conditions: readonly (Sql | undefined)[], limit: number): Sql => sql`
  select id from (${join(
    branches.map((branch) => sql`select found.id from ${newestOfEach(branch, conditions, limit)}`),
    " union all ",
  )}) found order by id desc limit ${limit}
`;

interface Branch {
  /** A query of the values. */
  values: Sql;
  /** The condition for a row of them, `each`. */
  key: Sql;
}

interface Wanted {
  ours: Sql;
  /** The conditions that other selections, the page and the period make. */
  rest: readonly (Sql | undefined)[];
  limit: number;
}

/** Filters that one index serves. */
interface Selection {
  condition: Sql;
  /** The newest that meet all conditions, read by its index. */
  newest: (wanted: Wanted) => Sql;
  /** Whether it selects so few that a search looks through them. */
  isNarrow?: boolean;
  /** Whether it selects so many that they are looked for among the newest first. */
  isWide?: boolean;
}

/** Those that a request has, with the one first by which rows are read. */
async function selectionsOf(db: Db, actor: Actor, filter: DeploymentFilter): Promise<Selection[]> {
  const [kinds, servers] = [kindsOf(filter), serversOf(filter)];
  const areFewServers = (filter.serverIds?.length ?? 0) <= fewServers;
  const others = (areFewServers ? [servers, kinds] : [kinds, servers]).filter((each) => each !== undefined);
  if (!actor.restriction && !filter.projectIds) return others;
  const reached = reachedBy(actor, filter);
  const isNarrow = filter.projectIds !== undefined || (await areFew(db, reached));
  const projects = projectsOf(reached, isNarrow);
  return isNarrow ? [projects, ...others] : [...others, projects];
}

/** The history of so many servers is read before that of a status or a kind. */
const fewServers = 10;
/** The history of so many projects is read before that of anything else. */
const fewProjects = 200;

const areFew = async (db: Db, projects: Sql): Promise<boolean> =>
  (await idsOf(db, sql`select value as id from (${projects} limit ${fewProjects + 1}) reached`)).length <= fewProjects;

/** The projects in the actor's reach, of those that the filter has. */
const reachedBy = (actor: Actor, { projectIds }: DeploymentFilter): Sql => sql`
  select p.id as value from projects p
  where ${projectReach(actor)} ${projectIds ? sql`and p.id = any(${projectIds}::bigint[])` : sql``}
`;

function projectsOf(reached: Sql, isNarrow: boolean): Selection {
  const key = sql`d.project_id = each.value`;
  return {
    // Not for a join, in which PostgreSQL may read the projects again for each value of an index.
    condition: sql`(d.project_id in (${reached})) is true`,
    // The newest of all are among those of the projects whose newest are the newest: of each other project one row is read.
    newest: ({ rest, limit }) => {
      const of = newestOfEach({ values: reached, key }, rest, 1);
      const values = sql`select each.value from ${of} order by found.id desc limit ${limit}`;
      return merged([{ values, key }], rest, limit);
    },
    ...{ isNarrow, isWide: !isNarrow },
  };
}

const serversOf = ({ serverIds }: DeploymentFilter): Selection | undefined =>
  serverIds && {
    condition: sql`d.server_id = any(${serverIds}::bigint[])`,
    newest: ({ ours, rest, limit }) => {
      const values = sql`select distinct unnest(${serverIds}::bigint[]) as value`;
      return merged([{ values, key: sql`d.server_id = each.value` }], [ours, ...rest], limit);
    },
  };

/**
 * Status, kind and initiator, of which there are few combinations: the indexes deployments_by_kind and deployments_by_user have the
 * deployments of each in their order.
 */
function kindsOf({ statuses, processTypes, userIds, initiatorTypes }: DeploymentFilter): Selection | undefined {
  if (!statuses && !processTypes && !userIds && !initiatorTypes) return undefined;
  const kinds = sql`
    unnest(${statuses ?? Object.values(deploymentStatus)}::smallint[]) status,
    unnest(${processTypes ?? allProcessTypes}::text[]) process_type
  `;
  const key = sql`d.status = each.status and d.process_type = each.process_type`;
  const byUsers: Branch = {
    values: sql`select distinct * from ${kinds}, unnest(${userIds ?? []}::bigint[]) user_id`,
    key: sql`${key} and d.initiated_by = each.user_id`,
  };
  const byTypes: Branch = {
    values: sql`select distinct * from ${kinds}, unnest(${initiatorTypes ?? allInitiatorTypes}::text[]) initiator_type`,
    key: sql`${key} and d.initiator_type = each.initiator_type`,
  };
  const branches = [...(userIds ? [byUsers] : []), ...(initiatorTypes || !userIds ? [byTypes] : [])];
  return {
    condition: allOf([
      statuses && sql`d.status = any(${statuses}::smallint[])`,
      processTypes && sql`d.process_type = any(${processTypes}::text[])`,
      (userIds || initiatorTypes) &&
        sql`(d.initiated_by = any(${userIds ?? []}::bigint[]) or d.initiator_type = any(${initiatorTypes ?? []}::text[]))`,
    ]),
    newest: ({ ours, rest, limit }) => merged(branches, [ours, ...rest], limit),
  };
}

interface Recent extends Found {
  /** The oldest of those that were read. */
  last: number;
  /** Whether no older ones are wanted. */
  areAll: boolean;
}

/** Those among the newest, which are read one after the other until enough is found. */
async function findRecent(db: Db, within: readonly Sql[], conditions: readonly Sql[], limit: number): Promise<Recent> {
  const [last = 0] = await idsOf(
    db,
    sql`select d.id from deployments d where ${allOf(within)} order by d.id desc limit 1 offset ${mostRecent - 1}`,
  );
  const ids = await idsOf(db, newest([...within, ...conditions, sql`d.id >= ${last}`], limit));
  return { ids, last, areAll: ids.length === limit || last === 0 };
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
  const { limit } = search;
  const conditions = [...search.conditions, search.text];
  const { ids, last, areAll } = await findRecent(db, within, conditions, limit);
  if (areAll) return { ids };
  if (!search.isIndexed) return { ids, searchedTo: last };
  const older = [...within, ...conditions, sql`d.id < ${last}`];
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
