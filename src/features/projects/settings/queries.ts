import { assignments, type Db, rows, sql } from "../../../db/sql.ts";
import type { MaskingChoices } from "../../../host/environment/secret-values.ts";
import { type Actor, projectReach } from "../../accounts/reach.ts";
import type { ProjectRow } from "../schema.ts";
import type { VariableChanges } from "./environment-changes.ts";
import type { ProjectSettings } from "./schema.ts";

/** What an update of a project can change, besides its site. */
export type Changeable = ProjectSettings &
  Pick<ProjectRow, "name" | "framework_id" | "repository_type" | "repository" | "repository_branch">;

/** Writes all of it for a project that the caller has locked. `changesRelease`: the live release is made of other settings. */
export async function writeSettings(tx: Db, id: number, values: Changeable, changesRelease: boolean): Promise<void> {
  await tx.query(sql`
    update projects set ${assignments(values)}, updated_at = clock_timestamp(),
      settings_changed_at = case when ${changesRelease} then clock_timestamp() else settings_changed_at end
    where id = ${id}
  `);
}

/** The accounts with these ids, without those that were deleted. */
export const listPeople = (db: Db, ids: readonly number[]): Promise<{ id: number; name: string }[]> =>
  rows(db, sql`select id, name from users where id = any(${[...new Set(ids)]}::bigint[])`);

interface NewEnvironment {
  /** Null: the project has no environment variables. */
  encrypted: Buffer | null;
  masking: MaskingChoices;
  changes: VariableChanges;
  /** Whether the text has changed. */
  isOther: boolean;
}

export async function setEnvironment(
  tx: Db,
  id: number,
  { encrypted, masking, changes, isOther }: NewEnvironment,
): Promise<void> {
  await tx.query(sql`
    update projects set environment_variables = ${encrypted}, environment_masking = ${JSON.stringify(masking)},
      environment_changes = ${JSON.stringify(changes)}, updated_at = clock_timestamp(),
      environment_changed_at = case when ${isOther} then clock_timestamp() else environment_changed_at end
    where id = ${id}
  `);
}

/** A project among many that are changed together. */
export type Reached = Pick<ProjectRow, "id" | "home_server_id" | "organization_id" | "source_type">;

/** Locks those of the projects that are in reach, by their ids, until the end of the transaction. */
export const lockReached = (tx: Db, actor: Actor, ids: readonly number[]): Promise<Reached[]> =>
  rows(
    tx,
    sql`
      select p.id, p.server_id as home_server_id, p.organization_id, p.source_type from projects p
      where p.id = any(${ids}::bigint[]) and ${projectReach(actor)} order by p.id for no key update of p
    `,
  );

export async function setAutoDeploy(tx: Db, ids: readonly number[], isActive: boolean): Promise<void> {
  await tx.query(sql`
    update projects set auto_deploy_is_active = ${isActive}, updated_at = clock_timestamp()
    where id = any(${ids}::bigint[])
  `);
}

/** Sets group and environment of projects; what is undefined stays. */
export async function setLabels(
  tx: Db,
  ids: readonly number[],
  labels: Partial<Pick<ProjectSettings, "project_group_id" | "environment">>,
): Promise<void> {
  const given = Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== undefined));
  await tx.query(sql`
    update projects set ${assignments(given)}, updated_at = clock_timestamp() where id = any(${ids}::bigint[])
  `);
}
