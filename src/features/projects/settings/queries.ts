import { type Db, row, rows, sql } from "../../../db/sql.ts";
import { type Actor, projectReach } from "../../accounts/reach.ts";
import type { ServedSettings } from "../queries.ts";
import type { ProjectRow } from "../schema.ts";

/** The settings of a project that an update can change. */
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
  | "markdown_negotiation_enabled"
  | "shared_directories"
  | "shared_files"
  | keyof ServedSettings
  | "zero_downtime"
  | "redirect_status_code"
  | "max_upload_mb"
  | "drain_timeout_seconds"
  | "build_cache"
  | "kept_releases_mb"
  | "hsts_is_enabled"
  | "rollback_on_down"
  | "trusted_proxies"
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
      markdown_negotiation_enabled = ${settings.markdown_negotiation_enabled},
      shared_directories = ${settings.shared_directories}, shared_files = ${settings.shared_files},
      output_directory = ${settings.output_directory}, health_path = ${settings.health_path},
      health_status = ${settings.health_status}, start_timeout_seconds = ${settings.start_timeout_seconds},
      spa_fallback = ${settings.spa_fallback}, php_version = ${settings.php_version}, node_version = ${settings.node_version},
      zero_downtime = ${settings.zero_downtime}, redirect_status_code = ${settings.redirect_status_code},
      max_upload_mb = ${settings.max_upload_mb}, drain_timeout_seconds = ${settings.drain_timeout_seconds},
      build_cache = ${settings.build_cache}, kept_releases_mb = ${settings.kept_releases_mb},
      hsts_is_enabled = ${settings.hsts_is_enabled},
      rollback_on_down = ${settings.rollback_on_down},
      trusted_proxies = ${settings.trusted_proxies}, notes = ${settings.notes}, updated_at = clock_timestamp()
    where id = ${id}
  `);
}

/** Null: the project has no environment variables. */
export async function setEnvironment(tx: Db, id: number, encrypted: Buffer | null): Promise<void> {
  await tx.query(sql`
    update projects set environment_variables = ${encrypted}, updated_at = clock_timestamp() where id = ${id}
  `);
}

/** Sets the user of the site and the encrypted hash of the password; null: no password. */
export const setBasicAuth = async (
  tx: Db,
  id: number,
  auth: { user: string; hash: Buffer } | null,
): Promise<Pick<ProjectRow, "basic_auth_user" | "basic_auth_version">> => {
  const changed = await row<Pick<ProjectRow, "basic_auth_user" | "basic_auth_version">>(
    tx,
    sql`
      update projects set basic_auth_user = ${auth?.user ?? null}, basic_auth_hash = ${auth?.hash ?? null},
        basic_auth_version = basic_auth_version + 1, updated_at = clock_timestamp()
      where id = ${id} returning basic_auth_user, basic_auth_version
    `,
  );
  if (!changed) throw new Error(`Project ${id} is not there`);
  return changed;
};

/** Sets auto-deploy of the projects in reach; returns them. */
export const setAutoDeploy = (
  tx: Db,
  actor: Actor,
  ids: readonly number[],
  isActive: boolean,
): Promise<Pick<ProjectRow, "id" | "server_id" | "source_type">[]> =>
  rows(
    tx,
    sql`
      update projects p set auto_deploy_is_active = ${isActive}, updated_at = clock_timestamp()
      where p.id = any(${ids}::bigint[]) and ${projectReach(actor)} returning p.id, p.server_id, p.source_type
    `,
  );
