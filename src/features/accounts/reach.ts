import { type Sql, sql } from "../../db/sql.ts";
import type { Actor } from "../../http/actor.ts";

export { type Actor, can } from "../../http/actor.ts";

// The reach of an actor, as conditions for `where`. Reach is decided only here. A query on these tables or on their children
// takes one of the conditions, so that rows out of reach do not exist for it. The aliases are part of the contract: `servers s`,
// `projects p`, `project_groups g`, `deployments d`, `monitors m`.

/** One of the ids of a restriction. */
const anyOf = (ids: readonly number[]): Sql => sql`any(${ids}::bigint[])`;

/** Servers that the actor reaches with everything on them. */
export function serverReach(actor: Actor): Sql {
  const ours = sql`s.organization_id = ${actor.organizationId}`;
  if (!actor.restriction) return ours;
  return sql`(${ours} and s.id = ${anyOf(actor.restriction.serverIds)})`;
}

/** Projects on the actor's servers, also as further servers of a balanced project, and those the membership lists. */
export function projectReach(actor: Actor): Sql {
  const ours = sql`p.organization_id = ${actor.organizationId}`;
  if (!actor.restriction) return ours;
  const { serverIds, projectIds } = actor.restriction;
  // For one of them an index is read; for `or` all projects may be.
  if (projectIds.length === 0) return sql`(${ours} and p.server_id = ${anyOf(serverIds)})`;
  if (serverIds.length === 0) return sql`(${ours} and p.id = ${anyOf(projectIds)})`;
  return sql`(${ours} and (p.server_id = ${anyOf(serverIds)} or p.id = ${anyOf(projectIds)}))`;
}

/** Deployments of projects in reach. Their organization is always their project's (a foreign key ensures it). */
export function deploymentReach(actor: Actor): Sql {
  const ours = sql`d.organization_id = ${actor.organizationId}`;
  if (!actor.restriction) return ours;
  return sql`(${ours} and exists (select 1 from projects p where p.id = d.project_id and ${projectReach(actor)}))`;
}

/** Monitors of projects in reach. Their organization is always their project's (a foreign key ensures it). */
export function monitorReach(actor: Actor): Sql {
  const ours = sql`m.organization_id = ${actor.organizationId}`;
  if (!actor.restriction) return ours;
  return sql`(${ours} and exists (select 1 from projects p where p.id = m.project_id and ${projectReach(actor)}))`;
}

/**
 * Servers whose name and id the actor may see: servers in reach, and the servers of listed projects. All other fields of a server
 * need `serverReach`.
 */
export function serverVisible(actor: Actor): Sql {
  if (!actor.restriction) return serverReach(actor);
  return sql`(s.organization_id = ${actor.organizationId} and s.id = ${anyOf(actor.restriction.visibleServerIds)})`;
}

/** Groups of projects: a restricted member sees groups with a project in reach, and empty groups, which have nothing to hide. */
export function groupReach(actor: Actor): Sql {
  const ours = sql`g.organization_id = ${actor.organizationId}`;
  if (!actor.restriction) return ours;
  return sql`(${ours} and (
    exists (select 1 from projects p where p.project_group_id = g.id and ${projectReach(actor)})
    or not exists (select 1 from projects any_p where any_p.project_group_id = g.id)))`;
}

/**
 * For records that do not come from a query, such as events: may this actor be notified of something on this server or project?
 */
export function isWithinReach(
  actor: Actor,
  record: { organizationId: number; serverId: number | null; projectId: number | null },
): boolean {
  if (record.organizationId !== actor.organizationId) return false;
  if (!actor.restriction) return true;
  const { serverIds, projectIds } = actor.restriction;
  const onServer = record.serverId !== null && serverIds.includes(record.serverId);
  return onServer || (record.projectId !== null && projectIds.includes(record.projectId));
}
