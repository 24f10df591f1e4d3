import { type Step, step } from "../../../engine/runs/plan.ts";
import { pathInRelease } from "../../../host/layout.ts";
import { scriptsBeside } from "../../../host/script-file.ts";
import { lines, type Script, sh } from "../../../host/sh.ts";
import { projectSandbox } from "../../../host/systemd/sandbox.ts";
import type { ProjectOnServer } from "../../projects/plans.ts";
import { releaseOf, stop, type Work } from "./work.ts";

const script = scriptsBeside(import.meta.url);

/*
 * Files that an application writes into its release, outside of shared paths, are missing from the next one. Each release has a
 * list of its files from the moment before it goes live; what differs from it later was written by the application. It stops the
 * next deployment with the settings that take it along, unless the project lets it go.
 */

/** Directories of caches, packages, logs, sessions and of tools, as patterns of names. */
const leftOutDirectories = [
  ...["node_modules", "bower_components", "__pycache__", ".git", ".svn", ".hg", ".npm", ".yarn", ".pnpm-store"],
  ...["cache", "caches", ".cache", "*[-_.]cache", "*[-_.]caches", "templates_c", "log", "logs", "session", "sessions"],
  ...[".next", ".nuxt", ".nitro", ".svelte-kit", ".astro", ".vite", ".turbo", ".angular", ".vinxi", ".tanstack"],
  ...[".react-router", ".docusaurus", ".wireit", ".expo"],
];

/** The same as patterns of paths. */
const leftOutPaths = [
  "./.longshore",
  "*/storage/framework",
  "*/storage/debugbar",
  // Nuxt Content makes this database from the files of the release.
  "*/.data/content",
];

/** Files that hold no data, as patterns of names. */
const leftOutFiles = [
  ...["*.log", "*.log.*", "error_log", "nohup.out", "core", "core.[0-9]*", "*.pid", "*.sock", "*.pyc", "*.tsbuildinfo"],
  ...["*.swp", "*~", ".DS_Store", "Thumbs.db", "desktop.ini", ".eslintcache", "*.timestamp-*", "*-shm"],
  // nginx does not read them.
  ...[".htaccess", "web.config", ".gitkeep", ".keep", ".gitignore"],
];

const databases = ".*[.](db|db3|sqlite|sqlite3|sqlitedb)(-wal|-journal)?";

/** Directories for temporary files, in which only databases count. */
const temporary = ["tmp", "temp", ".tmp"];

// Symfony's own directory for caches and logs, in which SQLite's databases are by default.
const temporaryOf = ({ framework }: ProjectOnServer): string[] =>
  framework.name === "fw_2" ? [...temporary, "var"] : temporary;

/** WordPress updates itself, and its plugins and themes: that is code, which the repository has. */
const wordpress = {
  code: ".*/(wp-admin|wp-includes|wp-content/(upgrade|upgrade-temp-backup|languages|wflogs))/.*|.*/(wp-([^c/]|c[^o/]|com)[^/]*|xmlrpc|index)[.]php|.*/wp-content/[^/]*-cache[.]php|.*/(license[.]txt|readme[.]html)",
  packages: ["wp-content/plugins", "wp-content/themes"],
};

const either = (test: string, patterns: readonly string[]): string[] =>
  patterns.flatMap((pattern, at) => (at === 0 ? [test, pattern] : ["-o", test, pattern]));

/** The expression of find for the files that count. Composer's packages are code. */
const listed = (project: ProjectOnServer): string[] => [
  ...["-regextype", "posix-extended"],
  ...["(", "-type", "d", "(", ...either("-iname", leftOutDirectories), "-o", ...either("-path", leftOutPaths), ")"],
  ...["-prune", ")", "-o"],
  ...["(", "-type", "d", "-name", "vendor", "-exec", "test", "-e", "{}/autoload.php", ";", "-prune", ")", "-o"],
  ...["-type", "f", "!", "(", ...either("-iname", leftOutFiles), ")"],
  ...["!", "(", "-iregex", `.*/(${temporaryOf(project).join("|")})/.*`, "!", "-iregex", databases, ")"],
  ...(project.framework.name === "fw_3" ? ["!", "-regex", wordpress.code] : []),
];

/** A release with more files is not compared. */
const mostFiles = 100_000;

// Processes that build at their start write the same files again after a crash or a boot: those of Node are compared by content.
const smallBlocks = "2048";

type Released = Pick<Work, "project" | "layout" | "hasJobs">;

/** Whether anything can write into the live release, and a deployment would lose it. */
export const canWrite = ({ project, hasJobs }: Released): boolean =>
  project.writtenFiles !== undefined &&
  project.zeroDowntime &&
  (project.framework.runtimeFamily !== "static" || hasJobs);

/** Paths of the release that are shared, or will be by this deployment. */
const sharedBy = ({ sharedDirectories, sharedFiles, keeps }: ProjectOnServer): string[] =>
  [...sharedDirectories, ...sharedFiles, ...(keeps?.directories ?? []), ...(keeps?.files ?? [])].flatMap(
    (path) => pathInRelease(path) ?? [],
  );

const inProject = ({ directory }: ProjectOnServer, path: string): string =>
  [directory, path].filter((part) => part !== "").join("/");

interface Taken {
  /** Whether the run takes along what is in shared paths. */
  takesAlong: boolean;
  /** What to do after the settings were changed, in a sentence. */
  again: string;
  /** Not set: nothing is being made. */
  release?: string;
}

/**
 * `find_written` fills `written` and `lost`; `refuse_lost` ends the step if a file would be lost, and the project does not let it
 * go; `check_written` does so, or prints these files; `note_files` lists those of the release.
 */
function writtenFunctions({ project, layout }: Released, { takesAlong, again, release = "" }: Taken): Script {
  const isNode = project.framework.runtimeFamily === "node";
  const { mayGo = false, directories = [], files = [] } = project.writtenFiles ?? {};
  const shared = sharedBy(project);
  const served = ["public", "public_html", "web", "htdocs", "www", "dist", "build", "static"];
  return script("written-files.sh", {
    release_directory: release,
    live_link: layout.current,
    listed: listed(project),
    by_content: isNode ? ["-size", `-${smallBlocks}`] : [],
    by_time: isNode ? ["!", "-size", `-${smallBlocks}`] : [],
    search_seconds: 60,
    most: mostFiles,
    packages: project.framework.name === "fw_3" ? wordpress.packages.map((path) => inProject(project, path)) : [],
    to_share: takesAlong ? shared : [],
    taken_paths: shared,
    served: [...served, project.outputDirectory ?? "", ...(project.framework.publicCandidates ?? [])]
      .filter((path) => path !== "" && path !== "." && !path.includes("*"))
      .map((path) => inProject(project, path)),
    may_go: mayGo,
    directories_now: directories,
    files_now: files,
    again,
  });
}

const ofWork = (work: Work, again: string): Script =>
  writtenFunctions(work, { takesAlong: true, again, release: releaseOf(work) });

/** Before anything is built: finds these files for the shared paths, and stops if one would be lost. */
export const findWritten = (work: Work): Script =>
  canWrite(work)
    ? sh`
      ${ofWork(work, "deploy again")}
      find_written
      [[ $may_go ]] || refuse_lost`
    : sh`written=()`;

const options = (work: Pick<Released, "layout">) =>
  ({ phase: "activate", sandbox: projectSandbox(work.layout), timeoutSeconds: 300 }) as const;

/** The last look, when the release is complete and its process has started; the release's own files are listed. */
export const checkWritten = (work: Work): Step | undefined =>
  canWrite(work)
    ? step(
        "check-written-files",
        "Check that nothing gets lost",
        lines(ofWork(work, "deploy again"), sh`find_written`, sh`check_written`, sh`note_files`),
        options(work),
      )
    : undefined;

/** For a release that was made before: it gets the shared paths of the present settings. */
export const checkWrittenBefore = (work: Work, links: Script | false, unlink: Script): Step | undefined =>
  canWrite(work)
    ? step(
        "check-written-files",
        "Check that nothing gets lost",
        lines(
          sh`
            if [[ ! -d ${releaseOf(work)} ]]; then
              ${stop} "The release is no longer on the server. Deploy its commit again."
            fi`,
          ofWork(work, "roll back again"),
          sh`find_written`,
          sh`check_written`,
          links,
        ),
        { ...options(work), ...(links && { undo: unlink }) },
      )
    : undefined;

/** On the source of a move, which leaves the release behind: what is shared is copied. */
export const checkWrittenOnSource = (source: Released): Step | undefined =>
  canWrite(source)
    ? step(
        "check-written-files",
        "Check that nothing gets lost",
        lines(
          writtenFunctions(source, { takesAlong: false, again: "deploy, and move the project then" }),
          sh`find_written`,
          sh`check_written`,
        ),
        { ...options(source), phase: "open" },
      )
    : undefined;

/** The settings that would take along the files for which a deployment was refused, from its error. */
export interface ProposedSettings {
  shared_directories?: string[];
  shared_files?: string[];
}

const list = /\[(?:"(?:[^"\\]|\\.)*"(?:, )?)*\]/.source;
/** Stored errors of earlier versions have the names of the fields. */
const shared = "(?:the shared |shared_)";
const proposal = new RegExp(
  `^The application has written files into .* set (?:${shared}directories to (${list}))?(?: and )?(?:${shared}files to (${list}))? and `,
);

/** The step cannot report facts, since it runs as the project's user: its sentence is what it can return. */
export function proposedSettings(error: string | null): ProposedSettings | null {
  const [, directories, files] = proposal.exec(error ?? "") ?? [];
  if (directories === undefined && files === undefined) return null;
  return {
    ...(directories !== undefined && { shared_directories: JSON.parse(directories) as string[] }),
    ...(files !== undefined && { shared_files: JSON.parse(files) as string[] }),
  };
}
