import { hash } from "node:crypto";
import { asGit, releaseRef } from "../../../host/git/git.ts";
import { serversOwn } from "../../../host/node/choose-node.ts";
import { evaluate } from "../../../host/node/evaluate.ts";
import { installNodeOnDemand, installPackageManagersOnDemand, nodeDirectory } from "../../../host/node/node-runtime.ts";
import { chooser, nodeOf, nodeRemoval } from "../../../host/node/release-node.ts";
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
 * Chooses the release's version of Node, and installs it if missing. Processes without root's rights
 * read the project's files from the mirror and evaluate them (host/node/choose-node.ts); root gets a version of the form x.y.z, which
 * the mirror must have, with its checksum.
 */
export const chooseNode = (work: Work): Script | false => usesNode(work) && chooseVersion(work);

const chooseVersion = (work: Work): Script => {
  const { layout, project, nodeMirror } = work;
  return lines(
    sh`
      run_chooser() { ${evaluate(layout, chooser)} "$@"; }
      # Each in a shell of its own: they end it.
      # shellcheck disable=SC2030,SC2031
      add_node() ( # VERSION
        version=$1`,
    withPrelude("The version of Node could not be installed.", installNodeOnDemand(nodeMirror)),
    sh`
      )
      # shellcheck disable=SC2030,SC2031
      add_package_managers() ( # VERSION
        version=$1`,
    withPrelude("The package managers could not be installed.", installPackageManagersOnDemand),
    sh`)`,
    script("choose-node.sh", {
      ...nodeRemoval(layout),
      ...asGit(layout),
      ...filesToRead(work),
      node_index: indexFile(nodeMirror),
      node_index_url: `${nodeMirror.replace(/\/+$/, "")}/index.json`,
      node_setting: project.nodeVersion ?? "",
      node_link: nodeOf(layout, work.release),
      servers_own: serversOwn,
      is_node_project: project.framework.runtimeFamily === "node",
    }),
  );
};

/**
 * Values of read-node-files.sh. `read_files` puts names and texts of the files that may ask for a version into `asking`; `named`: the
 * log names the version.
 */
const filesToRead = ({ project, release }: Work) => {
  const names = versionFiles(project.directory);
  return {
    node_files: names,
    node_objects: names.map((name) => `${releaseRef(release)}:${name}`),
    longest_package: longestPackage,
    longest_file: longestFile,
  };
};

// One list per mirror, so that a changed mirror does not use the old list.
const indexFile = (mirror: string): string => `${nodeDirectory}/.index-${hash("sha256", mirror).slice(0, 12)}.json`;
