import { hash } from "node:crypto";
import { releaseRef } from "../../../host/git/git.ts";
import { serversOwn } from "../../../host/node/choose-node.ts";
import { evaluate } from "../../../host/node/evaluate.ts";
import { installNodeOnDemand, installPackageManagersOnDemand, nodeDirectory } from "../../../host/node/node-runtime.ts";
import { chooser, nodeOf, rememberNode, removeUnusedNodes } from "../../../host/node/release-node.ts";
import { withPrelude } from "../../../host/runner/prelude.ts";
import { scriptsBeside } from "../../../host/script-file.ts";
import { lines, type Script, sh } from "../../../host/sh.ts";
import type { Work } from "./work.ts";

const script = scriptsBeside(import.meta.url);

/** Whether any part of a release runs with Node. */
export function usesNode({ project: { framework, commands } }: Work): boolean {
  const { install, build, custom } = commands;
  return framework.runtimeFamily === "node" || [install, build, custom].some((command) => command.trim() !== "");
}

// More than a version takes, and more than a package.json has.
const longestFile = 2_000;
const longestPackage = 1_000_000;

/** The files that may name a version, by precedence: the nearest of each kind, from the working directory upwards. */
export function versionFiles(directory: string): string[] {
  const parts = directory === "" ? [] : directory.split("/");
  const directories = [...parts.keys(), parts.length].reverse().map((count) => parts.slice(0, count).join("/"));
  return [".nvmrc", ".node-version", "package.json"].flatMap((name) =>
    directories.map((each) => (each === "" ? name : `${each}/${name}`)),
  );
}

/**
 * Chooses the release's version of Node, and installs it if missing; needs `as_git` and `stop`. Processes without root's rights
 * read the project's files from the mirror and evaluate them (host/node/choose-node.ts); root gets a version of the form x.y.z, which
 * the mirror must have, with its checksum.
 */
export const chooseNode = (work: Work): Script | false => usesNode(work) && chooseVersion(work);

const chooseVersion = (work: Work): Script =>
  lines(
    rememberNode,
    removeUnusedNodes(work.layout),
    readFiles(work),
    askFunctions(work),
    sh`
      own=$(readlink ${nodeDirectory}/current) || own=''
      choose_node() {
        local index=${indexFile(work)}
        ask_node '' ''
        if [[ \${answer[0]} = index && $(find "$index" -mmin -1440 2> /dev/null) ]]; then ask_node "$index" ''; fi
        if [[ \${answer[0]} = index ]]; then
          fetch_index "$index"
          [[ -e $index ]] || index=''
          ask_node "$index" last
        fi
        [[ \${answer[0]} = use ]] || stop "\${answer[1]:-The version of Node could not be chosen; the reason is above.}"
        version=\${answer[1]} why=\${answer[2]-}
      }
      # Each in a shell of its own: they end it.
      # shellcheck disable=SC2030,SC2031
      install_node() {
        if [[ ! -d ${nodeDirectory}/$version ]]; then
          remove_unused_nodes
          (`,
    withPrelude("The version of Node could not be installed.", installNodeOnDemand(work.nodeMirror)),
    sh`)
        fi
        if [[ ! -e ${nodeDirectory}/$version/bin/pnpm || ! -e ${nodeDirectory}/$version/bin/yarn ]]; then
          (`,
    withPrelude("The package managers could not be installed.", installPackageManagersOnDemand),
    sh`)
        fi
      }
      # Without the server's own there is none of the platform's.
      if [[ $own =~ ^[0-9.]+$ ]]; then
        asking=() named=${work.project.framework.runtimeFamily === "node" ? "yes" : ""}
        read_files
        version=$own why=${serversOwn}
        ${work.project.nodeVersion === undefined ? sh`if ((\${#asking[@]} > 0)); then choose_node; fi` : sh`choose_node`}
        [[ $version =~ ^[0-9]{2,3}\\.[0-9]{1,4}\\.[0-9]{1,4}$ ]] || stop "The version of Node could not be chosen."
        # What the setup installed is never removed.
        if [[ $version = "$own" ]]; then ln -sfn -- ${nodeDirectory}/"$own" ${nodeOf(work.layout, work.release)}
        else
          remember_node "$version" ${nodeOf(work.layout, work.release)}
          install_node
        fi
        [[ ! $named ]] || echo "Node $version: $why."
      fi`,
  );

/**
 * `read_files` puts names and texts of the files that may ask for a version into `asking`; `named`: the log names the version.
 */
const readFiles = (work: Work): Script => {
  // A setting wins over the files.
  if (work.project.nodeVersion !== undefined) return sh`read_files() { named=yes; }`;
  const names = versionFiles(work.project.directory);
  return script("read-node-files.sh", {
    node_files: names,
    node_objects: names.map((name) => `${releaseRef(work.release)}:${name}`),
    longest_package: longestPackage,
    longest_file: longestFile,
  });
};

// One list per mirror, so that a changed mirror does not use the old list.
const indexFile = ({ nodeMirror }: Work): string =>
  `${nodeDirectory}/.index-${hash("sha256", nodeMirror).slice(0, 12)}.json`;

/** `ask_node INDEX LAST` puts the chooser's lines into `answer`; `fetch_index FILE` gets the mirror's list. */
const askFunctions = ({ layout, project, nodeMirror }: Work): Script => sh`
  ask_node() { # INDEX LAST
    local at there=()
    for at in ${nodeDirectory}/[0-9]*/bin/node; do
      at=\${at#${nodeDirectory}/}
      there+=("\${at%%/*}")
    done
    mapfile -t answer < <(
      cd /
      if ((\${#asking[@]} > 0)); then printf '%s\\0' "\${asking[@]}"; fi |
        ${evaluate(layout, chooser)} \\
          ${nodeDirectory}/current/lib/node_modules/npm/node_modules/semver \\
          ${project.nodeVersion ?? ""} "$own" "$1" "$2" "$(uname -m)" "\${there[@]}" | head -c 4000
    )
    answer[0]=\${answer[0]-}
  }
  fetch_index() { # FILE
    local new
    new=$(mktemp ${nodeDirectory}/.index.XXXXXX)
    if curl -fsSL --retry 2 --connect-timeout 15 --max-time 60 --max-filesize 20000000 -o "$new" -- ${`${nodeMirror.replace(/\/+$/, "")}/index.json`}; then
      chmod 644 "$new"
      mv -T -- "$new" "$1"
    else
      rm -f -- "$new"
    fi
  }`;
