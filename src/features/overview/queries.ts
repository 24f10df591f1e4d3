import type { Pool } from "pg";
import { sharedCounts, sharedRows } from "../../db/page.ts";
import { constants, join, raw, type Sql, sql } from "../../db/sql.ts";
import { type Actor, deploymentReach, monitorReach, projectReach, serverReach } from "../accounts/reach.ts";
import { unendedStatuses } from "../deployments/queries.ts";
import { deploymentStatus, type ProcessType } from "../deployments/schema.ts";
import { isPresent } from "../monitors/queries.ts";
import { countedStates } from "../projects/states/queries.ts";
import { projectStates } from "../projects/states/schema.ts";
import type { monitorStates, serverStates } from "./schema.ts";

const { queued } = constants(deploymentStatus);

/** Counts of records by their states; `total` is that of all. */
type Counts<States extends readonly string[]> = Record<States[number] | "total", number>;

const counted = (condition: Sql): Sql => sql`(count(*) filter (where ${condition}))::integer`;

export const countProjects = (pool: Pool, actor: Actor): Promise<Counts<typeof projectStates>> => {
  const reach = projectReach(actor);
  return sharedCounts({
    pool,
    query: sql`
      with every as (select count(*)::integer as total from projects p where ${reach}),
        states as (${countedStates(actor, reach, sql`(select total from every)`)})
      select (select total from every) as total,
        ${join(projectStates.map((state) => sql`${countOf(state)} as ${raw(state)}`))}
      from states
    `,
  });
};

const countOf = (state: string): Sql => sql`coalesce(max(count) filter (where state = ${raw(`'${state}'`)}), 0)`;

export const countServers = (pool: Pool, actor: Actor): Promise<Counts<typeof serverStates>> =>
  sharedCounts({
    pool,
    query: sql`
      select count(*)::integer as total, ${counted(sql`s.server_status = 0`)} as installing,
        ${counted(sql`s.server_status = 1`)} as provisioning,
        ${counted(sql`s.server_status = 10 and s.connection_status = 1`)} as ready,
        ${counted(sql`s.server_status = 10 and s.connection_status = 0`)} as unreachable
      from servers s where ${serverReach(actor)}
    `,
  });

export const countMonitors = (pool: Pool, actor: Actor): Promise<Counts<typeof monitorStates>> =>
  sharedCounts({
    pool,
    query: sql`
      select count(*)::integer as total, ${counted(sql`m.is_active and m.current_status = 'up'`)} as up,
        ${counted(sql`m.is_active and m.current_status = 'down'`)} as down,
        ${counted(sql`m.is_active and m.current_status = 'pending'`)} as pending,
        ${counted(sql`not m.is_active`)} as inactive
      from monitors m where ${monitorReach(actor)} and ${isPresent}
    `,
  });

/** Deployments that were requested since midnight, UTC. */
export const countDeploymentsToday = async (pool: Pool, actor: Actor): Promise<number> =>
  (
    await sharedCounts({
      pool,
      query: sql`
        select count(*)::integer as total from deployments d
        where ${deploymentReach(actor)} and d.created_at >= date_trunc('day', now() at time zone 'UTC') at time zone 'UTC'
      `,
    })
  ).total;

export interface RunningRow {
  id: number;
  status: 0 | 3 | 4;
  process_type: ProcessType;
  description: string;
  git_branch: string;
  git_tag: string | null;
  commit_id: string | null;
  commit_message: string | null;
  project: { id: number; name: string };
  server: { id: number; name: string };
  /** How many deployments begin before it on its server; null: it runs. */
  waits_for: number | null;
  created_at: string;
  started_at: string | null;
}

/** Deployments that run, and those that wait, in the order in which they begin. */
export const listUnended = (pool: Pool, actor: Actor, limit: number): Promise<readonly RunningRow[]> =>
  sharedRows({
    pool,
    query: sql`
      select d.id, d.status, d.process_type, d.description, d.git_branch, d.git_tag, d.commit_id, d.commit_message, d.created_at,
        d.started_at, json_build_object('id', p.id, 'name', p.name) as project,
        json_build_object('id', s.id, 'name', s.name) as server,
        case when d.status = ${queued} then (
          select count(*)::integer from deployments other
          where other.server_id = d.server_id and other.status = 0 and (other.turn, other.id) < (d.turn, d.id)
        ) end as waits_for
      from (
        select * from deployments d where ${deploymentReach(actor)} and d.status in ${unendedStatuses}
        order by d.status = ${queued}, d.turn, d.id limit ${limit}
      ) d join projects p on p.id = d.project_id join servers s on s.id = d.server_id
      order by d.status = ${queued}, d.turn, d.id
    `,
  });
