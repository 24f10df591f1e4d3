import { dirname } from "node:path";
import { type Step, step } from "../../../engine/runs/plan.ts";
import { asGit, dropReleaseRef, exportCommit, fetchCommit, type GitSource, releaseRef } from "../../../host/git/git.ts";
import { pathInRelease } from "../../../host/layout.ts";
import { nodeHeaderOption } from "../../../host/nginx/header-sizes.ts";
import { nodeOf } from "../../../host/node/release-node.ts";
import { scriptsBeside, setBefore, textsBeside } from "../../../host/script-file.ts";
import { lines, type Script, sh } from "../../../host/sh.ts";
import { gitSandbox, projectSandbox } from "../../../host/systemd/sandbox.ts";
import { heapMegabytes } from "../../../host/systemd/unit.ts";
import { ownPrograms } from "./managers.ts";
import { chooseNode, usesNode } from "./node.ts";
import { environmentOf, releaseOf, stop, type Work, workingDirectoryOf } from "./work.ts";
import { findWritten } from "./written.ts";

const script = scriptsBeside(import.meta.url);

export const checkDiskSpace = (work: Work): Step => {
  const { layout, settings } = work;
  return step(
    "check-disk-space",
    "Check disk space",
    lines(
      // Its number was given twice, as after a restore from a backup.
      work.release !== "in-place" &&
        sh`
          for link in ${layout.current} ${layout.slots}/*; do
            if [[ $(readlink -f -- "$link") == ${releaseOf(work)} ]]; then
              ${stop} ${`Release ${work.release} is live already, from a deployment that is not in Longshore's records. Deploy again: the next one gets another number.`}
            fi
          done`,
      script("check-disk-space.sh", { project_directory: layout.directory, minimum_free: settings.minimumFreeMb }),
    ),
    { phase: "fetch" },
  );
};

/** As the fetching user: an unprivileged git reads the data of a foreign server. */
export const fetchSource = (work: Work, source: GitSource): Step =>
  step("fetch-source", "Fetch the source", lines(sh`umask 027`, fetchCommit(work.layout, source, work.release)), {
    phase: "fetch",
    sandbox: gitSandbox(work.layout),
    secrets: source.access === "password" ? ["git-username", "git-password"] : [],
    timeoutSeconds: 1200,
    undo: dropReleaseRef(work.layout, work.release),
  });

/**
 * Creates the release's directory, owned by the project's user, and chooses its version of Node; reports the fetched commit as
 * the fact `commit`. Author and first line of the message are untrusted text: one line each, short and without control
 * characters.
 */
export const createRelease = (work: Work): Step =>
  step(
    "create-release",
    "Create the release",
    lines(
      script("create-release.sh", {
        ...asGit(work.layout),
        user: work.layout.user,
        release_directory: releaseOf(work),
        commit_ref: releaseRef(work.release),
      }),
      chooseNode(work),
    ),
    {
      phase: "fetch",
      facts: { commit: "commit", commit_author: "line", commit_message: "line" },
      // A version of Node may be fetched.
      ...(usesNode(work) && { timeoutSeconds: 1800 }),
      undo: sh`rm -rf -- ${[releaseOf(work), nodeOf(work.layout, work.release)]}`,
    },
  );

/**
 * Writes the release's files and links its shared paths; `afterwards` are further platform scripts that need only these. One
 * step, because a sandbox takes longer to start than all of this.
 */
export function exportRelease(work: Work, afterwards: Script | false = false): Step {
  const { directory } = work.project;
  const links = linkSharedPaths(work);
  return step(
    "export-release",
    "Write the release's files",
    lines(
      findWritten(work),
      exportCommit(work.layout, work.release, releaseOf(work)),
      directory !== "" &&
        sh`
          if [[ ! -d ${workingDirectoryOf(work)} ]]; then
            ${stop} "The repository has no directory "${directory}", which is set as the project's directory."
          fi`,
      work.ports && writeStartScript(work),
      links,
      afterwards,
    ),
    { phase: "fetch", sandbox: projectSandbox(work.layout), ...(links && { undo: unlinkSharedPaths(work) }) },
  );
}

/**
 * The script that systemd starts for this release. The user's command is in a separate file and is run as written; a single
 * command replaces its shell, so that signals reach it.
 */
function writeStartScript(work: Work): Script {
  const { maxMemoryMb, framework } = work.project;
  const start = lines(
    sh`
      cd -P -- ${workingDirectoryOf(work)}
      if [[ -r ${environmentOf(work)}/environment-exports ]]; then source ${environmentOf(work)}/environment-exports; fi
      export PATH=${ownPrograms(work)}:${nodeOf(work.layout, work.release)}/bin:$PATH PORT=$1 HOST="\${HOST:-127.0.0.1}" NODE_ENV="\${NODE_ENV:-production}"`,
    ...Object.entries(framework.variables ?? {}).map(
      ([name, value]) => sh`if [[ ! -v ${name} ]]; then export ${`${name}=${value}`}; fi`,
    ),
    maxMemoryMb !== undefined &&
      sh`export NODE_OPTIONS="--max-old-space-size="${heapMegabytes(maxMemoryMb)}"\${NODE_OPTIONS:+ $NODE_OPTIONS}"`,
    sh`export NODE_OPTIONS=${nodeHeaderOption}"\${NODE_OPTIONS:+ $NODE_OPTIONS}"`,
    sh`
      command=$(<${releaseOf(work)}/.longshore/command)
      exec bash -c "$command"`,
  );
  return sh`
    printf '%s\\n' ${work.project.commands.dev} > .longshore/command
    printf '%s\\n' ${start.script} > .longshore/start`;
}

/**
 * The project's environment for this release: files that only the project's user can read, in a directory of root, so that the
 * project cannot replace them with links. Root writes and renames them, and never reads them. A live release keeps the values
 * with which it was activated.
 *
 * The `.env` of programs begins with the lines of the repository's `.env`, from the mirror: the last line with a name counts.
 * Processes and builds also have the project's variables, which win over every file.
 */
export function writeEnvironment(work: Work): Step | undefined {
  if (!work.project.hasEnvironment) return undefined;
  const environment_directory = environmentOf(work);
  const { user } = work.layout;
  const ownPath = [work.project.directory, ".env"].filter((part) => part !== "").join("/");
  const write = script("write-environment.sh", {
    ...asGit(work.layout),
    // A link is followed only inside the commit.
    own_file: `${releaseRef(work.release)}:${ownPath}`,
    environment_directory,
    user,
  });
  const restore = script("restore-environment.sh", { environment_directory });
  return step("write-environment", "Write environment variables", write, { phase: "fetch", undo: restore });
}

/**
 * Links shared paths, which outlive releases. The first time, the live release's own becomes the shared content, with a link in its
 * place, and gets what the repository has besides; otherwise the repository's does, or a directory or file starts empty. Files that
 * the application has `written` beside an existing shared path replace the shared ones.
 *
 * A framework's default paths are linked if there is something to keep, or a place for it. A file that does not exist yet, also
 * not in the repository, is a dangling link: an application finds no file, and creates it in the shared directory.
 */
export function linkSharedPaths(work: Work): Script | false {
  const { project } = work;
  const directories = project.sharedDirectories.map(plainPath);
  // The platform's own .env wins over a shared one.
  const files = project.sharedFiles.map(plainPath).filter((path) => !project.hasEnvironment || path !== ".env");
  const keeps = project.keeps ?? { directories: [], files: [] };
  const links = directories.length + files.length + keeps.directories.length + keeps.files.length;
  if (links === 0 && !project.hasEnvironment) return false;
  const link = `${workingDirectoryOf(work)}/.env`;
  const environment = `${environmentOf(work)}/environment`;
  return lines(
    script("share-paths.sh", { ...sharing(work), written: setBefore }),
    ...directories.map((path) => sh`share directory ${path}`),
    ...files.map((path) => sh`share file ${path}`),
    ...keeps.directories.map((path) => sh`keep_directory ${path} ${parentOf(project.directory, path)}`),
    ...keeps.files.map((path) => sh`keep_file ${path}`),
    project.hasEnvironment &&
      sh`
        if [[ -d ${link} && ! -L ${link} ]]; then
          echo "The repository has a directory .env, which stays: no file holds the project's variables."
        elif [[ $(readlink -- ${link}) != ${environment} ]]; then
          rm -rf -- ${link}
          ln -s -- ${environment} ${link}
        fi`,
  );
}

/** Its undo: the live release has its own again. */
export const unlinkSharedPaths = (work: Work): Script => script("unshare-paths.sh", sharing(work));

const sharing = (work: Work) => ({
  release_directory: releaseOf(work),
  live_link: work.layout.current,
  shared: work.layout.shared,
  deployment_id: work.deploymentId,
  swap_program: textsBeside(import.meta.url)("swap-shared.pl"),
});

/** The parent directory of a path; empty if that is the working directory, whose existence proves nothing. */
const parentOf = (directory: string, path: string): string => {
  const parent = dirname(path);
  return parent === "." || parent === pathInRelease(directory) ? "" : parent;
};

function plainPath(path: string): string {
  const plain = pathInRelease(path);
  if (plain === undefined) throw new Error(`${JSON.stringify(path)} is no path inside a release`);
  return plain;
}
