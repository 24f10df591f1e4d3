import type { Static } from "typebox";
import { domainError } from "../../host/domain.ts";
import { environmentError, unsettableError, variablesIn } from "../../host/environment/environment.ts";
import { type GitSourceType, isBranchName, parseRepository } from "../../host/git/git.ts";
import { pathInRelease } from "../../host/layout.ts";
import { parseMemory } from "../../host/systemd/unit.ts";
import type { Partly } from "../../http/route.ts";
import { isNetwork } from "../../lib/addresses.ts";
import type { FieldErrors } from "../../lib/errors.ts";
import { type Framework, findFramework } from "./frameworks.ts";
import type { ProjectRequest, ProjectUpdate } from "./schema.ts";

/** What is checked of a request beyond its schema. Missing fields are not checked. */
type ProjectTexts = Partly<
  Omit<Static<typeof ProjectRequest>, "git_repository"> &
    Pick<Static<typeof ProjectUpdate>, "trusted_proxies"> & {
      git_repository: { repo: string; type: GitSourceType; branch: string };
    }
>;

/** One sentence for each invalid field; empty if all are valid. */
export function projectErrors(texts: ProjectTexts): FieldErrors {
  const { name, framework_id: id, environment_variables: variables, max_memory: memory } = texts;
  const { branch, ...repository } = texts.git_repository ?? {};
  return sentences({
    name: name !== undefined && controlCharacters.test(name) ? "The name must be one line of text." : undefined,
    domain: texts.domain === undefined ? undefined : domainError(texts.domain),
    framework_id:
      id === undefined || findFramework(id)
        ? undefined
        : "The framework does not exist: GET /api/v1/frameworks lists them.",
    "git_repository.repo": repositoryError(repository),
    "git_repository.branch":
      branch === undefined || isBranchName(branch) ? undefined : "The branch must be the name of a git branch.",
    environment_variables: variables
      ? (environmentError(variables) ?? unsettableError(variablesIn(variables)))
      : undefined,
    "custom_commands.directory": directoryError(texts.custom_commands?.directory),
    ...commandErrors(texts.custom_commands ?? {}),
    max_memory:
      !memory || parseMemory(memory)
        ? undefined
        : "The maximum memory must be a size such as 512MB or 2GB, at least 64MB.",
    output_directory: directoryError(texts.output_directory, "output directory"),
    shared_directories: sharedError("directories", texts.shared_directories || []),
    shared_files: sharedError("files", texts.shared_files || []),
    trusted_proxies: proxyError(texts.trusted_proxies ?? []),
  });
}

/** Only the fields with errors. */
export const sentences = (all: Record<string, string | undefined>): FieldErrors =>
  Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));

const controlCharacters = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** Why a project cannot have a version of PHP of its own. */
export function phpVersionError(
  framework: Framework | undefined,
  version: string | null | undefined,
  sourceType: "git" | "app" = "git",
): string | undefined {
  if (!version || !framework) return undefined;
  if (framework.runtimeFamily !== "php") {
    return `The PHP version is for projects that run on PHP; this one's framework is ${framework.label}.`;
  }
  return sourceType === "app" ? "A catalog app runs with the server's own PHP." : undefined;
}

// Each is one argument of a shell, and Linux takes no longer one.
const longestCommand = 131_000;

const commandErrors = (commands: Record<string, string | null | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(commands).flatMap(([name, text]) =>
      Buffer.byteLength(text ?? "") > longestCommand
        ? [
            [
              `custom_commands.${name}`,
              "The command is longer than 131,000 bytes: put it into a file of the repository.",
            ],
          ]
        : [],
    ),
  );

// A repository can be judged only with its type.
function repositoryError({ repo, type }: NonNullable<ProjectTexts["git_repository"]>): string | undefined {
  if (repo === undefined || type === undefined) return undefined;
  const parsed = parseRepository(repo, type);
  if (!parsed && type === "git") return "The repository must be a git URL (https, http, ssh or git).";
  if (!parsed) return "The repository must be owner/name or its URL.";
  return parsed.credentials
    ? "The repository must not contain a password: it would be shown. Use a deploy key or a connected account."
    : undefined;
}

// `.` is the root of the repository.
const directoryError = (directory: string | null | undefined, what = "directory"): string | undefined =>
  !directory || directory === "." || pathInRelease(directory)
    ? undefined
    : `The ${what} must be a relative path inside the repository.`;

function sharedError(what: string, paths: readonly string[]): string | undefined {
  // Anything but a list of texts is reported by the schema.
  if (!Array.isArray(paths) || paths.some((path) => typeof path !== "string")) return undefined;
  const wrong = paths.find((path) => !pathInRelease(path));
  return wrong === undefined
    ? undefined
    : `The shared ${what} must be relative paths inside the repository; ${JSON.stringify(wrong)} is not.`;
}

function proxyError(proxies: readonly string[]): string | undefined {
  // Anything but a list of texts is reported by the schema.
  if (!Array.isArray(proxies) || proxies.some((proxy) => typeof proxy !== "string")) return undefined;
  // nginx has no zones.
  const wrong = proxies.find((proxy) => !isNetwork(proxy) || proxy.includes("%"));
  return wrong === undefined
    ? undefined
    : `The trusted proxies must be addresses or networks such as 10.0.0.0/8; ${JSON.stringify(wrong)} is not.`;
}
