import type { Detection, NewProject } from "../../data/new-project.ts";
import type { OrganizationId } from "../../paths.ts";

/** What the page asks for, as it is typed. Values of environment variables are no part of it: it is stored. */
export interface Values {
  /** The `source` of a connected account, or "git" for an address. */
  source: string;
  repository: string;
  branch: string;
  server_id: number | null;
  framework_id: number | null;
  directory: string;
  install: string;
  build: string;
  custom: string;
  dev: string;
  output_directory: string;
  php_version: string;
  node_version: string;
  health_path: string;
  shared_directories: string;
  shared_files: string;
  name: string;
  domain: string;
  ssl: boolean;
  autoDeploy: boolean;
}

export interface Draft {
  values: Values;
  /** Of the chosen source; null: nothing could be read. Undefined: the source is not chosen yet. */
  detection?: Detection | null;
}

const empty: Values = {
  source: "git",
  repository: "",
  branch: "",
  server_id: null,
  framework_id: null,
  directory: "",
  install: "",
  build: "",
  custom: "",
  dev: "",
  output_directory: "",
  php_version: "",
  node_version: "",
  health_path: "/",
  shared_directories: "",
  shared_files: "",
  name: "",
  domain: "",
  ssl: true,
  autoDeploy: true,
};

export const emptyDraft: Draft = { values: empty };

/** The values with what was found in the repository. What was found nothing about goes back to its default. */
export function withDetected(values: Values, found: Detection): Values {
  return {
    ...values,
    framework_id: found.framework?.id ?? null,
    directory: found.directory?.value ?? values.directory,
    build: found.build_command?.value ?? "",
    custom: found.deployment_script?.value ?? "",
    dev: found.start_command?.value ?? "",
    output_directory: found.output_directory?.value ?? "",
    php_version: found.php_version?.value ?? "",
    node_version: found.node_version?.value ?? "",
    health_path: found.health_path?.value ?? "/",
    shared_directories: (found.shared_directories?.value ?? []).join("\n"),
    shared_files: (found.shared_files?.value ?? []).join("\n"),
    name: values.name || nameOf(values.repository),
  };
}

/** Another repository: what was said about the one before is not true for it. */
export const withRepository = (
  values: Values,
  repository: string,
): Pick<Values, "repository" | "directory" | "name"> => ({
  repository,
  directory: "",
  name: values.name === nameOf(values.repository) ? "" : values.name,
});

/** The draft of a source that could not be read. */
export const unread = ({ values }: Draft): Draft => ({
  values: { ...values, name: values.name || nameOf(values.repository) },
  detection: null,
});

/** "shop" for `https://git.example.com/acme/shop.git` and `acme/shop`. */
export const nameOf = (repository: string): string =>
  repository
    .trim()
    .replace(/\/+$/, "")
    .replace(/\.git$/, "")
    .split(/[/:]/)
    .at(-1) ?? "";

export const repositoryOf = ({ repository, source, branch }: Values): NewProject["git_repository"] => ({
  repo: repository.trim(),
  type: source as NewProject["git_repository"]["type"],
  branch: branch.trim(),
});

/** The request that creates the project. Empty settings are those of the framework. */
export function requestOf(values: Values, environment: string): NewProject {
  const { directory, install, build, custom, dev } = values;
  const commands = Object.entries({ directory, install, build, custom, dev }).filter(([, text]) => text.trim() !== "");
  return {
    name: values.name.trim(),
    server_id: values.server_id as number,
    domain: values.domain.trim(),
    framework_id: values.framework_id as number,
    git_repository: repositoryOf(values),
    ssl_is_enabled: values.ssl,
    auto_deploy_is_active: values.autoDeploy,
    health_path: values.health_path.trim() || "/",
    custom_commands: Object.fromEntries(commands),
    output_directory: values.output_directory.trim() || null,
    php_version: (values.php_version || null) as NonNullable<NewProject["php_version"]> | null,
    node_version: values.node_version.trim() || null,
    shared_directories: linesOf(values.shared_directories),
    shared_files: linesOf(values.shared_files),
    ...(environment.trim() !== "" && { environment_variables: environment }),
  };
}

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

const keyOf = (o: OrganizationId): string => `new-project:${o}`;

/** The draft of this tab; an empty one when there is none, or one of another version of the page. */
export function readDraft(o: OrganizationId): Draft {
  try {
    const stored = JSON.parse(sessionStorage.getItem(keyOf(o)) ?? "null") as Draft | null;
    return stored ? { ...stored, values: knownIn(stored.values) } : emptyDraft;
  } catch {
    return emptyDraft;
  }
}

/** Only the fields that there are, and only of their types. */
function knownIn(stored: Partial<Values> | undefined): Values {
  const known = Object.entries(empty).map(([name, initial]) => {
    const value = stored?.[name as keyof Values];
    return [name, typeof value === (initial === null ? "number" : typeof initial) ? value : initial];
  });
  return Object.fromEntries(known);
}

export function storeDraft(o: OrganizationId, draft: Draft | undefined): void {
  try {
    if (draft) sessionStorage.setItem(keyOf(o), JSON.stringify(draft));
    else sessionStorage.removeItem(keyOf(o));
  } catch {}
}
