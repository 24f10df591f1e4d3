import { limitOf } from "../../../db/page.ts";
import { changed, type Db, row, rows, sql } from "../../../db/sql.ts";
import type { PageRequest } from "../../../http/pagination.ts";
import { type Actor, groupReach, projectReach } from "../../accounts/reach.ts";
import type { environments } from "../../servers/schema.ts";
import type { ProjectRow } from "../schema.ts";
import type { GroupRow } from "./schema.ts";

const columns = sql`g.id, g.name, g.description, g.updated_at`;

/** A page of groups by name, each with the number of its projects in reach. */
export const listGroups = (
  db: Db,
  actor: Actor,
  page: PageRequest,
): Promise<(GroupRow & { projects_count: number })[]> =>
  rows(
    db,
    sql`
      select ${columns}, (
        select count(*) from projects p where p.project_group_id = g.id and ${projectReach(actor)}
      ) as projects_count
      from project_groups g where ${groupReach(actor)}
      order by g.name collate "und-x-icu", g.id ${limitOf(page)}
    `,
  );

export async function countGroups(db: Db, actor: Actor): Promise<number> {
  const counted = await row<{ count: number }>(
    db,
    sql`select count(*) from project_groups g where ${groupReach(actor)}`,
  );
  return counted?.count ?? 0;
}

export const findGroup = (db: Db, actor: Actor, id: number): Promise<GroupRow | undefined> =>
  row(db, sql`select ${columns} from project_groups g where g.id = ${id} and ${groupReach(actor)}`);

/** The group, locked against deletion until the end of the transaction; undefined if it is out of reach or gone. */
export const holdGroup = (tx: Db, actor: Actor, id: number): Promise<GroupRow | undefined> =>
  row(tx, sql`select ${columns} from project_groups g where g.id = ${id} and ${groupReach(actor)} for key share of g`);

/** Like `holdGroup`, and also locked against changes and new projects. */
export const lockGroup = (tx: Db, actor: Actor, id: number): Promise<GroupRow | undefined> =>
  row(tx, sql`select ${columns} from project_groups g where g.id = ${id} and ${groupReach(actor)} for update of g`);

export interface GroupProject {
  id: number;
  name: string;
  environment: (typeof environments)[number] | null;
  server_id: number;
}

/** The group's projects in reach. */
export const listGroupProjects = (db: Db, actor: Actor, groupId: number): Promise<GroupProject[]> =>
  rows(
    db,
    sql`
      select p.id, p.name, p.environment, p.server_id from projects p
      where p.project_group_id = ${groupId} and ${projectReach(actor)} order by p.id
    `,
  );

export async function insertGroup(
  db: Db,
  group: { organizationId: number; name: string; description: string | null },
): Promise<GroupRow> {
  const { organizationId, name, description } = group;
  const inserted = await row<GroupRow>(
    db,
    sql`
      insert into project_groups (organization_id, name, description)
      values (${organizationId}, ${name}, ${description}) returning id, name, description, updated_at
    `,
  );
  return inserted as GroupRow;
}

/** Writes the fields of a group; undefined if it is gone. */
export const updateGroupRow = (tx: Db, group: Omit<GroupRow, "updated_at">): Promise<GroupRow | undefined> =>
  row(
    tx,
    sql`
      update project_groups set name = ${group.name}, description = ${group.description},
        updated_at = clock_timestamp()
      where id = ${group.id} returning id, name, description, updated_at
    `,
  );

/** Removes the projects in reach from a group; returns them. */
export const ungroupProjects = (
  tx: Db,
  actor: Actor,
  groupId: number,
): Promise<Pick<ProjectRow, "id" | "home_server_id">[]> =>
  rows(
    tx,
    sql`
      update projects p set project_group_id = null, updated_at = clock_timestamp()
      where p.project_group_id = ${groupId} and ${projectReach(actor)} returning p.id, p.server_id as home_server_id
    `,
  );

/** Removes all projects on a server from their groups: it is transferred to another organization, and the groups stay. */
export async function ungroupProjectsOn(tx: Db, { serverId }: { serverId: number }): Promise<void> {
  await tx.query(sql`
    update projects set project_group_id = null, updated_at = clock_timestamp() where server_id = ${serverId}
  `);
}

/** Deletes a group if it has no project left; returns whether it did. */
export async function deleteEmptyGroup(tx: Db, groupId: number): Promise<boolean> {
  const count = await changed(
    tx,
    sql`
      delete from project_groups g
      where g.id = ${groupId} and not exists (select 1 from projects p where p.project_group_id = g.id)
    `,
  );
  return count === 1;
}
