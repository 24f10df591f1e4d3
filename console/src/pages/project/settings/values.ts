import type { Framework, ProjectReply, ProjectUpdate } from "../../../../../contract/types.ts";
import { numberIn } from "../../../parts/form-text.ts";
import type { RecordDraft } from "../../../parts/record-draft/use-draft.ts";

/** The fields of the form, as people edit them: lists are lines, what is not set is an empty text. */
export interface SettingsValues {
  name: string;
  notes: string;
  project_group_id: number | null;
  environment: ProjectReply["environment"];
  repository: string;
  branch: string;
  auto_deploy: boolean;
  deploy_tags: string;
  framework_id: number;
  directory: string;
  install: string;
  build: string;
  custom: string;
  dev: string;
  output_directory: string;
  php_version: string;
  node_version: string;
  shared_directories: string;
  shared_files: string;
  zero_downtime: boolean;
  health_path: string;
  max_memory: string;
  rollback_on_down: boolean;
  always_rebuild_frontend: boolean;
  build_cache: boolean;
  discard_written_files: boolean;
  kept_releases_mb: string;
  health_status: string;
  start_timeout_seconds: string;
  drain_timeout_seconds: string;
  max_upload_mb: string;
  hsts_is_enabled: boolean;
  trusted_proxies: string;
  redirect_status_code: ProjectReply["redirect_status_code"];
  spa_fallback: boolean | null;
  markdown_negotiation_enabled: boolean;
}

export type SettingsDraft = RecordDraft<SettingsValues>;

/** What a field is called on the page, and which field of the API has it. */
export const fields: Record<keyof SettingsValues, { label: string; field: string }> = {
  name: { label: "Name", field: "name" },
  notes: { label: "Notes", field: "notes" },
  project_group_id: { label: "Group", field: "project_group_id" },
  environment: { label: "Environment", field: "environment" },
  repository: { label: "Repository", field: "git_repository.repo" },
  branch: { label: "Branch", field: "git_repository.branch" },
  auto_deploy: { label: "Auto-deploy", field: "auto_deploy_is_active" },
  deploy_tags: { label: "Tags to deploy", field: "deploy_tags" },
  framework_id: { label: "Framework", field: "framework_id" },
  directory: { label: "Directory", field: "custom_commands.directory" },
  install: { label: "Install command", field: "custom_commands.install" },
  build: { label: "Build command", field: "custom_commands.build" },
  custom: { label: "Script after the build", field: "custom_commands.custom" },
  dev: { label: "Start command", field: "custom_commands.dev" },
  output_directory: { label: "Output directory", field: "output_directory" },
  php_version: { label: "PHP version", field: "php_version" },
  node_version: { label: "Node version", field: "node_version" },
  shared_directories: { label: "Shared directories", field: "shared_directories" },
  shared_files: { label: "Shared files", field: "shared_files" },
  zero_downtime: { label: "Zero-downtime releases", field: "zero_downtime" },
  health_path: { label: "Health path", field: "health_path" },
  max_memory: { label: "Memory limit", field: "max_memory" },
  rollback_on_down: { label: "Roll back when a monitor goes down", field: "rollback_on_down" },
  always_rebuild_frontend: { label: "Always build the frontend", field: "always_rebuild_frontend" },
  build_cache: { label: "Keep build caches", field: "build_cache" },
  discard_written_files: { label: "Discard written files", field: "discard_written_files" },
  kept_releases_mb: { label: "Space for kept releases", field: "kept_releases_mb" },
  health_status: { label: "Health statuses", field: "health_status" },
  start_timeout_seconds: { label: "Start timeout", field: "start_timeout_seconds" },
  drain_timeout_seconds: { label: "Drain timeout", field: "drain_timeout_seconds" },
  max_upload_mb: { label: "Largest upload", field: "max_upload_mb" },
  hsts_is_enabled: { label: "HSTS", field: "hsts_is_enabled" },
  trusted_proxies: { label: "Trusted proxies", field: "trusted_proxies" },
  redirect_status_code: { label: "Redirects among domains", field: "redirect_status_code" },
  spa_fallback: { label: "Unknown addresses", field: "spa_fallback" },
  markdown_negotiation_enabled: { label: "Pages as Markdown", field: "markdown_negotiation_enabled" },
};

const commands = ["install", "build", "dev"] as const;

/** The fields of a record. A command that is the framework's own is an empty one. */
export const valuesOf = (project: ProjectReply, framework: Framework | undefined): SettingsValues => ({
  ...generalValues(project),
  ...buildValues(project, framework),
  ...servingValues(project),
});

const generalValues = (project: ProjectReply) => ({
  name: project.name,
  notes: project.notes ?? "",
  project_group_id: project.project_group_id,
  environment: project.environment,
  repository: project.repository ?? "",
  branch: project.repository_branch ?? "",
  auto_deploy: project.auto_deploy_is_active === 1,
  deploy_tags: project.deploy_tags ?? "",
});

function buildValues(project: ProjectReply, framework: Framework | undefined) {
  const own = (name: (typeof commands)[number]) =>
    project.custom_commands[name] === framework?.defaults[name] ? "" : project.custom_commands[name];
  const { custom_commands: custom } = project;
  return {
    framework_id: project.framework_id,
    directory: custom.directory === framework?.defaults.directory ? "" : custom.directory,
    install: own("install"),
    build: own("build"),
    custom: custom.custom,
    dev: own("dev"),
    output_directory: project.output_directory ?? "",
    php_version: project.php_version ?? "",
    node_version: project.node_version ?? "",
    shared_directories: project.shared_directories.join("\n"),
    shared_files: project.shared_files.join("\n"),
    always_rebuild_frontend: project.always_rebuild_frontend === 1,
    build_cache: project.build_cache,
    discard_written_files: project.discard_written_files,
    kept_releases_mb: String(project.kept_releases_mb),
  };
}

const servingValues = (project: ProjectReply) => ({
  zero_downtime: project.zero_downtime,
  health_path: project.health_path,
  max_memory: project.max_memory ?? "",
  rollback_on_down: project.rollback_on_down,
  health_status: project.health_status?.join(", ") ?? "",
  start_timeout_seconds: String(project.start_timeout_seconds),
  drain_timeout_seconds: String(project.drain_timeout_seconds),
  max_upload_mb: String(project.max_upload_mb),
  hsts_is_enabled: project.hsts_is_enabled,
  trusted_proxies: project.trusted_proxies.join("\n"),
  redirect_status_code: project.redirect_status_code,
  spa_fallback: project.spa_fallback,
  markdown_negotiation_enabled: project.markdown_negotiation_enabled,
});

/** What saving sends: only fields that were changed, so that a save never takes back what others did. */
export function updateOf(values: SettingsValues, dirty: readonly (keyof SettingsValues)[]): ProjectUpdate {
  const update: Record<string, unknown> = {};
  for (const name of dirty) {
    const [outer = "", inner] = fields[name].field.split(".");
    const value = sentAs(name, values);
    update[outer] = inner === undefined ? value : { ...(update[outer] as object), [inner]: value };
  }
  return update;
}

const emptyIsNull: readonly (keyof SettingsValues)[] = [
  ...(["notes", "deploy_tags", "output_directory", "php_version", "node_version", "max_memory"] as const),
];

const lists: readonly (keyof SettingsValues)[] = ["shared_directories", "shared_files", "trusted_proxies"];
const numbers: readonly (keyof SettingsValues)[] = [
  ...(["kept_releases_mb", "start_timeout_seconds", "drain_timeout_seconds", "max_upload_mb"] as const),
];

function sentAs(name: keyof SettingsValues, values: SettingsValues): unknown {
  const value = values[name];
  if (typeof value !== "string" || name === "notes") return value === "" ? null : value;
  if (lists.includes(name)) return linesIn(value);
  if (name === "health_status") return statusesIn(value);
  const text = name === "custom" ? value : value.trim();
  if (numbers.includes(name)) return numberIn(text);
  return text === "" && emptyIsNull.includes(name) ? null : text;
}

const linesIn = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** "200, 204"; none: any below 500. */
function statusesIn(text: string): (number | string)[] | null {
  const found = text.split(/[\s,]+/).filter((status) => status !== "");
  return found.length === 0 ? null : found.map(numberIn);
}
