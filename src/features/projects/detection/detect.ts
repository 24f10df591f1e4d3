import { posix } from "node:path";
import { pathInRelease } from "../../../host/layout.ts";
import { oldestMajor, versionFiles, versionRequestIn } from "../../../host/node/choose-node.ts";
import type { PhpVersion } from "../../../host/php/php-versions.ts";
import { objectOf, textOf } from "../../../lib/foreign.ts";
import { type Framework, findFramework } from "../frameworks.ts";
import { applicationOf } from "./application.ts";
import { commandsFor, type ProposedJob, type ProposedSchedulerJob } from "./commands.ts";
import { below, type RepositoryFiles } from "./files.ts";
import { objectIn, phpScriptIn, webCommand } from "./found.ts";
import { htaccessNotes } from "./htaccess.ts";
import type { Application } from "./kind.ts";
import { phpVersionFor } from "./php.ts";
import type { PathsProposal, Proposal } from "./proposal.ts";
import { sharedPathsFor } from "./shared.ts";
import { isElsewhere, unsupportedNotes } from "./unsupported.ts";

/** The detected settings of a repository. Null: nothing was found, and the framework's default is right. */
export interface Detection {
  framework: { id: number; name: string; label: string; reason: string } | null;
  directory: Proposal | null;
  package_manager: { name: string; version: string | null; reason: string } | null;
  output_directory: Proposal | null;
  build_command: Proposal | null;
  start_command: Proposal | null;
  deployment_script: Proposal | null;
  /** Deployments read the files that name a version. */
  node_version: null;
  php_version: Proposal | null;
  health_path: Proposal | null;
  shared_directories: PathsProposal | null;
  shared_files: PathsProposal | null;
  scheduler_jobs: ProposedSchedulerJob[];
  background_jobs: ProposedJob[];
  /** What a person has to decide, in sentences. */
  notes: string[];
}

/**
 * Proposes the settings of a project from the files of its repository; `asked` is the directory that the user named, and `ownPhp`
 * the server's default version.
 */
export function detect(files: RepositoryFiles, asked = "", ownPhp?: PhpVersion): Detection {
  const place = asked === "" ? placeOf(files) : { directory: asked, notes: [] };
  const own = below(files, place.directory);
  const recognized = applicationOf(own);
  const application = recognized?.frameworkId === undefined ? undefined : recognized;
  const framework = application && findFramework(application.frameworkId);
  const family = framework?.runtimeFamily;
  const shared = sharedPathsFor(own, place.directory, framework);
  const php = family === "php" ? phpVersionFor(own, ownPhp) : { proposal: null, notes: [] };
  const commands = commandsFor(own, framework);
  return {
    framework:
      framework && application
        ? { id: framework.id, name: framework.name, label: framework.label, reason: application.reason }
        : null,
    directory: place.directory === "" ? null : { value: place.directory, reason: place.reason ?? "It was asked for." },
    package_manager: managerFor(files, place.directory, framework),
    output_directory: directoryOf(application),
    build_command: because(application?.buildCommand, application),
    start_command: family === "node" ? startOf(own, application) : null,
    deployment_script: commands.deploymentScript,
    node_version: null,
    php_version: php.proposal,
    health_path: /health:\s*["']\/up["']/.test(own.contents["bootstrap/app.php"] ?? "")
      ? { value: "/up", reason: "bootstrap/app.php of Laravel defines it." }
      : null,
    shared_directories: shared.directories,
    shared_files: shared.files,
    scheduler_jobs: commands.schedulerJobs,
    background_jobs: commands.backgroundJobs,
    notes: [
      ...place.notes,
      ...unreadable(own),
      ...(recognized?.notes ?? []),
      ...(usesNode(own, framework) ? nodeNotes(files, place.directory) : []),
      ...php.notes,
      ...(family === "static" ? phpNotes(own) : []),
      ...(family === "php" || family === "static" ? htaccessNotes(own) : []),
      ...(application && isElsewhere(own) ? unsupportedNotes(own) : []),
      ...(application || place.notes.length > 0 ? [] : unknownNotes(own, recognized?.notes ?? [])),
    ],
  };
}

/** Whether a deployment chooses a version of Node: for its process, or to build. */
const usesNode = ({ paths }: RepositoryFiles, framework: Framework | undefined): boolean =>
  framework !== undefined && paths.includes("package.json") && framework.id !== 10;

/** What is there, if nothing can be deployed. */
function unknownNotes(files: RepositoryFiles, notes: readonly string[]): string[] {
  if (notes.length > 0) return [];
  const found = unsupportedNotes(files);
  return found.length > 0 ? found : [unknown];
}

const unknown = "Nothing was found that shows the framework: choose it yourself.";

const because = (value: string | undefined, application: Application | undefined): Proposal | null =>
  value === undefined || !application ? null : { value, reason: application.reason };

function phpNotes({ paths }: RepositoryFiles): string[] {
  const script = phpScriptIn(paths);
  return script === ""
    ? []
    : [`There is PHP (${script}), which a site of files does not run: choose PHP if it is needed.`];
}

function startOf(files: RepositoryFiles, application: Application | undefined): Proposal | null {
  const web = webCommand(files);
  if (web !== undefined) return { value: web, reason: "Procfile has the line web." };
  if (application?.startCommand === undefined) return null;
  return { value: application.startCommand, reason: application.startReason ?? application.reason };
}

/** As a project accepts it. */
function directoryOf(application: Application | undefined): Proposal | null {
  const path = application?.outputDirectory;
  return path === "." || (path !== undefined && pathInRelease(path) === path) ? because(path, application) : null;
}

const unreadable = ({ contents }: RepositoryFiles): string[] =>
  ["package.json", "composer.json"]
    .filter((name) => name in contents && Object.keys(objectIn(contents[name])).length === 0)
    .map((name) => `${name} is empty, or is not the JSON that it should be.`);

// Where the application is ------------------------------------------------------------------------------------------------------

interface Place {
  directory: string;
  reason?: string;
  notes: string[];
}

/** The directory of the only application, if there is none in the root. */
function placeOf(files: RepositoryFiles): Place {
  const hasWorkspaces = files.paths.includes("pnpm-workspace.yaml")
    ? /^packages:/m.test(files.contents["pnpm-workspace.yaml"] ?? "")
    : objectIn(files.contents["package.json"]).workspaces !== undefined;
  const root = applicationOf(files);
  if (!hasWorkspaces && root?.frameworkId !== undefined) return { directory: "", notes: [] };
  const directories = [...new Set(files.paths.filter(isManifest).map((path) => posix.dirname(path)))].filter(
    (directory) => directory !== "." && pathInRelease(directory) === directory,
  );
  const applications = directories.filter(
    (directory) => applicationOf(below(files, directory))?.frameworkId !== undefined,
  );
  const [only] = applications;
  if (only !== undefined && applications.length === 1) {
    // What is beside it is named, too.
    const notes = hasWorkspaces ? [] : (root?.notes ?? []).concat(isElsewhere(files) ? unsupportedNotes(files) : []);
    return { directory: only, reason: "It has the only application of the repository.", notes };
  }
  if (only === undefined || (!hasWorkspaces && root?.frameworkId !== undefined)) return { directory: "", notes: [] };
  const list = applications.slice(0, 20).join(", ");
  return { directory: "", notes: [`There are several applications: ${list}. Name the directory of one.`] };
}

const isManifest = (path: string): boolean => /(^|\/)(package|composer)\.json$/.test(path);

// Package managers --------------------------------------------------------------------------------------------------------------

const locks: readonly [string, string][] = [
  ["pnpm-lock.yaml", "pnpm"],
  ["yarn.lock", "yarn"],
  ["package-lock.json", "npm"],
  ["npm-shrinkwrap.json", "npm"],
  ["bun.lock", "bun"],
  ["bun.lockb", "bun"],
];

/** By the nearest lock file, as a deployment chooses it (deployments/steps/packages.ts). */
function managerFor(
  files: RepositoryFiles,
  directory: string,
  framework: Framework | undefined,
): Detection["package_manager"] {
  const there = new Set(files.paths);
  const composer = there.has(posix.join(directory, "composer.json"))
    ? { name: "composer", version: null, reason: "There is a composer.json." }
    : null;
  // A package.json that builds nothing is for those who write the application.
  const { build } = objectOf(objectIn(files.contents[posix.join(directory, "package.json")]).scripts);
  if (framework?.runtimeFamily === "php" && (framework.defaults.build === "" || textOf(build) === "")) return composer;
  for (const at of upwards(directory)) {
    const [lock, name] = locks.find(([file]) => there.has(posix.join(at, file))) ?? [];
    if (!lock || !name) continue;
    const version = [directory, at]
      .map((each) => namedVersion(files.contents[posix.join(each, "package.json")], name))
      .find((each) => each !== undefined);
    const reason = `${posix.join(at, lock)} is its lock file${version ? ", and packageManager of package.json names the version" : ""}.`;
    return { name, version: version ?? null, reason };
  }
  if (there.has(posix.join(directory, "package.json"))) {
    return { name: "npm", version: null, reason: "There is a package.json without a lock file." };
  }
  return composer;
}

function upwards(directory: string): string[] {
  const parts = directory.split("/").filter((part) => part !== "");
  return [...parts.keys(), parts.length].map((count) => parts.slice(0, count).join("/")).reverse();
}

const namedVersion = (text: string | undefined, name: string): string | undefined => {
  const [, manager, version] = /^([a-z]+)@([\w.-]{1,60})/.exec(textOf(objectIn(text).packageManager)) ?? [];
  return manager === name ? version : undefined;
};

// Versions ----------------------------------------------------------------------------------------------------------------------

/**
 * A sentence about the files that name a version of Node, where a deployment would stop at them. Otherwise it reads them itself, so
 * that none has to be set.
 */
function nodeNotes({ contents }: RepositoryFiles, directory: string): string[] {
  const files = versionFiles(directory).flatMap((name) => {
    const text = contents[name];
    return text === undefined ? [] : [{ name, text }];
  });
  const request = versionRequestIn(files);
  if (request === undefined) return [];
  const other = "Set the project's Node version (node_version) to another one.";
  if (typeof request === "string") return [`${request} ${other}`];
  const { text, by } = request;
  const newest = newestMajorIn(text);
  return newest === undefined || newest >= oldestMajor
    ? []
    : [`${by} asks for Node ${text.slice(0, 100)}, and ${oldestMajor} is the oldest that a project can have. ${other}`];
}

/** The newest line of Node that a plain range admits; undefined: it has no end, or another form. */
function newestMajorIn(range: string): number | undefined {
  const parts = range.split("||").map((part) => /^\s*[v^~=]*\s*(\d{1,3})(?:\.[\dx*]+){0,2}\s*$/.exec(part)?.[1]);
  return parts.includes(undefined) ? undefined : Math.max(...parts.map(Number));
}
