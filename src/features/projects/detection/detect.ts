import { posix } from "node:path";
import { pathInRelease } from "../../../host/layout.ts";
import type { PhpVersion } from "../../../host/php/php-versions.ts";
import { objectOf, textOf } from "../../../lib/foreign.ts";
import { findFramework } from "../frameworks.ts";
import { type Application, applicationOf, objectIn } from "./application.ts";
import { below, type RepositoryFiles } from "./files.ts";
import { htaccessNotes } from "./htaccess.ts";
import { phpVersionFor } from "./php.ts";
import type { PathsProposal, Proposal } from "./proposal.ts";
import { sharedPathsFor } from "./shared.ts";

/** The detected settings of a repository. Null: nothing was found, and the framework's default is right. */
export interface Detection {
  framework: { id: number; name: string; label: string; reason: string } | null;
  directory: Proposal | null;
  package_manager: { name: string; version: string | null; reason: string } | null;
  output_directory: Proposal | null;
  build_command: Proposal | null;
  start_command: Proposal | null;
  deployment_script: Proposal | null;
  node_version: Proposal | null;
  php_version: Proposal | null;
  health_path: Proposal | null;
  shared_directories: PathsProposal | null;
  shared_files: PathsProposal | null;
  background_jobs: { name: string; command: string; reason: string }[];
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
  const application = applicationOf(own);
  const processes = processesIn(own.contents.Procfile);
  const framework = application && findFramework(application.frameworkId);
  const family = framework?.runtimeFamily;
  const shared = sharedPathsFor(own, place.directory, framework);
  const php = family === "php" ? phpVersionFor(own, ownPhp) : { proposal: null, notes: [] };
  return {
    framework: framework
      ? { id: framework.id, name: framework.name, label: framework.label, reason: application.reason }
      : null,
    directory: place.directory === "" ? null : { value: place.directory, reason: place.reason ?? "It was asked for." },
    package_manager: managerFor(files, place.directory),
    output_directory: because(application?.outputDirectory, application),
    build_command: because(application?.buildCommand, application),
    start_command: family === "node" ? fromProcfile(processes, "web") : null,
    deployment_script: fromProcfile(processes, "release"),
    node_version: nodeVersionOf(own) ?? nodeVersionOf(files),
    php_version: php.proposal,
    health_path: /health:\s*["']\/up["']/.test(own.contents["bootstrap/app.php"] ?? "")
      ? { value: "/up", reason: "bootstrap/app.php of Laravel defines it." }
      : null,
    shared_directories: shared.directories,
    shared_files: shared.files,
    background_jobs: processes
      .filter(({ name }) => name !== "web" && name !== "release")
      .map(({ name, command }) => ({ name, command, reason: `Procfile has the line ${name}.` })),
    notes: [
      ...place.notes,
      ...unreadable(own),
      ...php.notes,
      ...(family === "php" || family === "static" ? htaccessNotes(own) : []),
      ...(application ? [] : [unknown]),
    ],
  };
}

const unknown = "Nothing was found that shows the framework: choose it yourself.";

const because = (value: string | undefined, application: Application | undefined): Proposal | null =>
  value === undefined || !application ? null : { value, reason: application.reason };

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
  if (!hasWorkspaces && applicationOf(files)) return { directory: "", notes: [] };
  const directories = [...new Set(files.paths.filter(isManifest).map((path) => posix.dirname(path)))].filter(
    (directory) => directory !== "." && pathInRelease(directory) === directory,
  );
  const applications = directories.filter((directory) => applicationOf(below(files, directory)));
  const [only] = applications;
  if (only !== undefined && applications.length === 1) {
    return { directory: only, reason: "It has the only application of the repository.", notes: [] };
  }
  if (only === undefined || (!hasWorkspaces && applicationOf(files))) return { directory: "", notes: [] };
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
function managerFor(files: RepositoryFiles, directory: string): Detection["package_manager"] {
  const there = new Set(files.paths);
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
  return there.has(posix.join(directory, "composer.json"))
    ? { name: "composer", version: null, reason: "There is a composer.json." }
    : null;
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

function nodeVersionOf({ contents }: RepositoryFiles): Proposal | null {
  const own = objectIn(contents["package.json"]);
  const tools = /^nodejs\s+(\S+)/m.exec(contents[".tool-versions"] ?? "")?.[1];
  const places: [string, string | undefined][] = [
    [".nvmrc", contents[".nvmrc"]],
    [".node-version", contents[".node-version"]],
    [".tool-versions", tools],
    ["volta of package.json", textOf(objectOf(own.volta).node)],
    ["engines of package.json", textOf(objectOf(own.engines).node)],
  ];
  for (const [where, text = ""] of places) {
    const value = text.trim().split("\n")[0]?.trim().slice(0, 100) ?? "";
    if (value !== "") return { value, reason: `${where} names it.` };
  }
  return null;
}

// Procfile ----------------------------------------------------------------------------------------------------------------------

interface Process {
  name: string;
  command: string;
}

const mostProcesses = 20;

const processesIn = (text = ""): Process[] =>
  text
    .split("\n")
    .flatMap((line) => {
      const [, name, command] = /^([A-Za-z0-9_-]{1,60}):\s*(\S.{0,1999})$/.exec(line.trim()) ?? [];
      return name && command ? [{ name, command }] : [];
    })
    .slice(0, mostProcesses);

function fromProcfile(processes: readonly Process[], name: string): Proposal | null {
  const process = processes.find((each) => each.name === name);
  return process ? { value: process.command, reason: `Procfile has the line ${name}.` } : null;
}
