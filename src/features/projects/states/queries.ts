import { constants, join, raw, type Sql, sql } from "../../../db/sql.ts";
import type { WithHooks } from "../../../lib/hooks.ts";
import type { Actor } from "../../accounts/reach.ts";
import { projectHooks } from "../hooks.ts";
import { installationStatus } from "../schema.ts";
import { type ProjectStateName, projectStates, type StateSets } from "./schema.ts";

// What the state of a project is, for records, filters and counts alike. It is defined by the projects of an organization that are
// not simply live, of which there are few: no filter or count has to look at the circumstances of every project.

/** Who asks, and what the features know. */
export type Asking = WithHooks & { actor: Pick<Actor, "organizationId"> };

const { notInstalled, installed, failed } = constants(installationStatus);
const { disconnected } = constants({ disconnected: 0 });

/** Those in the index projects_not_installed. */
const uninstalled = (organizationId: number, condition: Sql): Sql => sql`
  select u.id as project_id from projects u
  where u.organization_id = ${organizationId} and u.installation_status <> ${installed} and ${condition}
`;

const ownSets = (organizationId: number): StateSets => ({
  unreachable: sql`
    select at.id as project_id from servers s join projects at on at.server_id = s.id
    where s.organization_id = ${organizationId} and s.connection_status = ${disconnected}
  `,
  deploying: uninstalled(organizationId, sql`u.source_type = 'app' and u.installation_status = ${notInstalled}`),
  crashing: sql`select w.project_id from process_watches w where w.looping_since is not null`,
  in_maintenance: sql`select site.project_id from sites site where site.maintenance_mode`,
  failed: uninstalled(organizationId, sql`u.installation_status = ${failed}`),
  not_installed: uninstalled(organizationId, sql`u.installation_status = ${notInstalled}`),
});

const rankOf = (state: ProjectStateName): Sql => raw(String(projectStates.indexOf(state)));
const usual = "live" satisfies ProjectStateName;

/** `project_id` and `rank` of everything that makes a project anything but live; the lowest rank is its state. */
function ranked(asking: Asking): Sql {
  const { organizationId } = asking.actor;
  const sets = [
    ownSets(organizationId),
    ...projectHooks.of(asking).map(({ states }) => states?.(organizationId) ?? {}),
  ];
  return join(
    sets.flatMap((each) =>
      (Object.entries(each) as [ProjectStateName, Sql][]).map(
        ([state, projects]) => sql`select in_state.project_id, ${rankOf(state)} as rank from (${projects}) in_state`,
      ),
    ),
    " union all ",
  );
}

/** The name of a state, by its rank; null: it has none. */
export const stateNamed = (rank: Sql): Sql =>
  sql`(${[...projectStates]}::text[])[1 + coalesce(${rank}, ${rankOf(usual)})]`;

/** The state of a project `p`, for few projects. */
export const stateOf = (asking: Asking): Sql =>
  stateNamed(sql`(select min(r.rank) from (${ranked(asking)}) r where r.project_id = p.id)`);

/** `project_id` and `rank` of all projects that are not simply live, each once. */
export const stateRanks = (asking: Asking): Sql => sql`
  select r.project_id, min(r.rank) as rank from (${ranked(asking)}) r group by r.project_id
`;

/**
 * That a project `p` is in one of the states. The projects in the few deciding ones are read once, as an array: in a join PostgreSQL
 * may read them again for each project.
 */
export function isInState(asking: Asking, states: readonly ProjectStateName[]): Sql {
  const isUsual = states.includes(usual);
  const deciding = projectStates.filter((state) => state !== usual && states.includes(state) !== isUsual);
  const ranks = deciding.map((state) => projectStates.indexOf(state));
  const found = sql`select r.project_id from (${stateRanks(asking)}) r where r.rank = any(${ranks}::integer[])`;
  return sql`p.id ${isUsual ? sql`not in` : sql`in`} (select unnest(array(${found})))`;
}
