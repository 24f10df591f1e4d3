import { assignments, type Db, rows, sql } from "../../../db/sql.ts";
import type { MaskingChoices } from "../../../host/environment/secret-values.ts";
import { type Actor, projectReach } from "../../accounts/reach.ts";
import type { ProjectRow } from "../schema.ts";
import type { VariableChanges } from "./environment-changes.ts";
import type { ProjectSettings } from "./schema.ts";

/** What an update of a project can change, besides its site. */
export type Changeable = ProjectSettings &
  Pick<ProjectRow, "name" | "framework_id" | "repository_type" | "repository" | "repository_branch">;

/** Writes all of it for a project that the caller has locked. */
export async function writeSettings(tx: Db, id: number, values: Changeable): Promise<void> {
  await tx.query(sql`
    update projects set ${assignments(values)}, updated_at = clock_timestamp() where id = ${id}
  `);
}

/** Null: the project has no environment variables. */
export async function setEnvironment(
  tx: Db,
  id: number,
  { encrypted, masking, changes }: { encrypted: Buffer | null; masking: MaskingChoices; changes: VariableChanges },
): Promise<void> {
  await tx.query(sql`
    update projects set environment_variables = ${encrypted}, environment_masking = ${JSON.stringify(masking)},
      environment_changes = ${JSON.stringify(changes)}, updated_at = clock_timestamp()
    where id = ${id}
  `);
}

/** The accounts with these ids, without those that were deleted. */
export const listPeople = (db: Db, ids: readonly number[]): Promise<{ id: number; name: string }[]> =>
  rows(db, sql`select id, name from users where id = any(${[...new Set(ids)]}::bigint[])`);

/** Sets auto-deploy of the projects in reach; returns them. */
export const setAutoDeploy = (
  tx: Db,
  actor: Actor,
  ids: readonly number[],
  isActive: boolean,
): Promise<Pick<ProjectRow, "id" | "home_server_id" | "source_type">[]> =>
  rows(
    tx,
    sql`
      update projects p set auto_deploy_is_active = ${isActive}, updated_at = clock_timestamp()
      where p.id = any(${ids}::bigint[]) and ${projectReach(actor)} returning p.id, p.server_id as home_server_id, p.source_type
    `,
  );
