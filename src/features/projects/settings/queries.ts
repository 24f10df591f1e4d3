import { assignments, type Db, rows, sql } from "../../../db/sql.ts";
import type { MaskingChoices } from "../../../host/environment/secret-values.ts";
import { type Actor, projectReach } from "../../accounts/reach.ts";
import type { ProjectRow } from "../schema.ts";
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
  encrypted: Buffer | null,
  masking: MaskingChoices,
): Promise<void> {
  await tx.query(sql`
    update projects set environment_variables = ${encrypted}, environment_masking = ${JSON.stringify(masking)},
      updated_at = clock_timestamp()
    where id = ${id}
  `);
}

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
