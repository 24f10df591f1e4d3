import { environmentError } from "../../host/environment.ts";
import { isBranchName, parseRepository } from "../../host/git.ts";
import { domainName } from "../../host/site.ts";
import { parseMemory } from "../../host/unit.ts";
import type { FieldErrors } from "../../lib/errors.ts";
import { findFramework } from "./frameworks.ts";
import type { CustomCommands, sourceTypes } from "./schema.ts";

/** What is checked of a project beyond its schema. Fields that are not there are not checked. */
export interface ProjectTexts {
  name?: string;
  domain?: string;
  frameworkId?: number;
  repository?: { repo: string; type: (typeof sourceTypes)[number]; branch: string };
  environmentVariables?: string | null;
  commands?: CustomCommands | null;
  maxMemory?: string | null;
  sharedDirectories?: readonly string[] | null;
  sharedFiles?: readonly string[] | null;
}

const controlCharacters = /[\p{Cc}\p{Zl}\p{Zp}]/u;

/** One sentence for each field that is not right; empty when all are. */
export function projectErrors(texts: ProjectTexts): FieldErrors {
  const checks: [string, string | undefined][] = [
    ["name", texts.name && controlCharacters.test(texts.name) ? "The name must be one line of text." : undefined],
    ["domain", domainError(texts.domain)],
    ["framework_id", frameworkError(texts.frameworkId)],
    ...repositoryErrors(texts.repository),
    ["environment_variables", texts.environmentVariables ? environmentError(texts.environmentVariables) : undefined],
    ["custom_commands.directory", directoryError(texts.commands?.directory)],
    ["max_memory", memoryError(texts.maxMemory)],
    ["shared_directories", sharedError("directories", texts.sharedDirectories)],
    ["shared_files", sharedError("files", texts.sharedFiles)],
  ];
  return Object.fromEntries(checks.filter((check): check is [string, string] => check[1] !== undefined));
}

function domainError(domain: string | undefined): string | undefined {
  if (domain === undefined || domainName(domain)) return undefined;
  if (domain.includes("*")) return "The domain must be one host name: wildcards are not possible.";
  return "The domain must be a host name such as www.example.com, without scheme, port or path.";
}

const frameworkError = (id: number | undefined): string | undefined =>
  id === undefined || findFramework(id)
    ? undefined
    : "The framework does not exist: GET /api/v1/frameworks lists them.";

function repositoryErrors(repository: ProjectTexts["repository"]): [string, string | undefined][] {
  if (!repository) return [];
  const { repo, type, branch } = repository;
  const parsed = parseRepository(repo, type);
  const repoError = parsed
    ? parsed.credentials &&
      "The repository must not contain a password: it would be shown. Use a deploy key or a connected account."
    : type === "git"
      ? "The repository must be a git URL (https, http, ssh or git)."
      : "The repository must be owner/name or its URL.";
  return [
    ["git_repository.repo", repoError || undefined],
    ["git_repository.branch", isBranchName(branch) ? undefined : "The branch must be the name of a git branch."],
  ];
}

function directoryError(directory: string | undefined): string | undefined {
  if (!directory || isInside(directory)) return undefined;
  return "The directory must be a relative path inside the repository.";
}

const memoryError = (text: string | null | undefined): string | undefined =>
  !text || parseMemory(text) ? undefined : "The maximum memory must be a size such as 512MB or 2GB, at least 64MB.";

function sharedError(what: string, paths: readonly string[] | null | undefined): string | undefined {
  const wrong = paths?.find((path) => !isInside(path) || path === ".");
  return wrong === undefined
    ? undefined
    : `The shared ${what} must be relative paths inside the repository; ${JSON.stringify(wrong)} is not.`;
}

// Git's own directory and the release's notes are not the project's to share.
function isInside(path: string): boolean {
  if (controlCharacters.test(path) || path.startsWith("/") || path.trim() === "") return false;
  const parts = path.split("/");
  return !parts.includes("..") && ![".git", ".longshore"].includes(parts[0] as string);
}
