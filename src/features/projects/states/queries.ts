import { join, raw, type Sql, sql } from "../../../db/sql.ts";
import type { Actor } from "../../accounts/reach.ts";
import { type ProjectStateName, projectStates } from "./schema.ts";

// The state of a project, for records, filters and counts alike. The view project_states (0033-quick-reads.sql) defines it, for events
// as well, by the projects of an organization that are not simply live: no filter or count looks at the circumstances of every project.

const usual = "live" satisfies ProjectStateName;

/** The states as constants in the text of a query. */
const literal = (state: ProjectStateName): Sql => raw(`'${state}'`);

/** The state of a project `p`, for few projects. */
export const stateOf: Sql = sql`
  coalesce((select min(s.state) from project_states s where s.project_id = p.id), ${literal(usual)})::text
`;

/** `project_id` and `state` of all projects of the organization that are not simply live, each once. */
const unusualStates = ({ organizationId }: Pick<Actor, "organizationId">): Sql => sql`
  select s.project_id, min(s.state) as state from project_states s
  where s.organization_id = ${organizationId} group by s.project_id
`;

/**
 * That a project `p` is in one of the states. The projects in the few deciding ones are read once, as an array: in a join PostgreSQL
 * may read them again for each project.
 */
export function isInState(actor: Pick<Actor, "organizationId">, states: readonly ProjectStateName[]): Sql {
  const isUsual = states.includes(usual);
  const deciding = projectStates.filter((state) => state !== usual && states.includes(state) !== isUsual);
  if (deciding.length === 0) return sql`${isUsual}::boolean`;
  const found = sql`
    select u.project_id from (${unusualStates(actor)}) u where u.state in (${join(deciding.map(literal))})
  `;
  return sql`p.id ${isUsual ? sql`not in` : sql`in`} (select unnest(array(${found})))`;
}

/** `state` and `count` for the projects `p` that meet the condition, which are `total`. */
export const countedStates = (actor: Pick<Actor, "organizationId">, condition: Sql, total: Sql): Sql => sql`
  with unusual as materialized (
    select u.state, count(*)::integer as count
    from (${unusualStates(actor)}) u join projects p on p.id = u.project_id where ${condition} group by u.state
  )
  select state, count from unusual
  union all
  select ${literal(usual)}, ${total} - coalesce((select sum(count) from unusual), 0)::integer
`;
