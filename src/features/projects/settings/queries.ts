import { type Db, rows, sql } from "../../../db/sql.ts";
import type { MaskingChoices } from "../../../host/environment/secret-values.ts";
import { type Actor, projectReach } from "../../accounts/reach.ts";
import type { ServedSettings } from "../queries.ts";
import type { ProjectRow } from "../schema.ts";

/** The settings of a project that an update can change, besides those of its site. */
export type ProjectSettings = Pick<
  ProjectRow,
  | "name"
  | "framework_id"
  | "project_group_id"
  | "environment"
  | "repository_type"
  | "repository"
  | "repository_branch"
  | "auto_deploy_is_active"
  | "custom_commands"
  | "max_memory"
  | "always_rebuild_frontend"
  | "shared_directories"
  | "shared_files"
  | keyof ServedSettings
  | "zero_downtime"
  | "drain_timeout_seconds"
  | "build_cache"
  | "discard_written_files"
  | "kept_releases_mb"
  | "rollback_on_down"
  | "notes"
>;

/** Writes all settings of a project that the caller has locked. */
export async function writeSettings(tx: Db, id: number, settings: ProjectSettings): Promise<void> {
  await tx.query(sql`
    update projects set name = ${settings.name}, framework_id = ${settings.framework_id},
      project_group_id = ${settings.project_group_id}, environment = ${settings.environment},
      repository_type = ${settings.repository_type}, repository = ${settings.repository},
      repository_branch = ${settings.repository_branch}, auto_deploy_is_active = ${settings.auto_deploy_is_active},
      custom_commands = ${JSON.stringify(settings.custom_commands)}, max_memory = ${settings.max_memory},
      always_rebuild_frontend = ${settings.always_rebuild_frontend},
      shared_directories = ${settings.shared_directories}, shared_files = ${settings.shared_files},
      output_directory = ${settings.output_directory}, health_path = ${settings.health_path},
      health_status = ${settings.health_status}, start_timeout_seconds = ${settings.start_timeout_seconds},
      php_version = ${settings.php_version}, node_version = ${settings.node_version},
      zero_downtime = ${settings.zero_downtime}, drain_timeout_seconds = ${settings.drain_timeout_seconds},
      build_cache = ${settings.build_cache}, discard_written_files = ${settings.discard_written_files},
      kept_releases_mb = ${settings.kept_releases_mb},
      rollback_on_down = ${settings.rollback_on_down}, notes = ${settings.notes}, updated_at = clock_timestamp()
    where id = ${id}
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
