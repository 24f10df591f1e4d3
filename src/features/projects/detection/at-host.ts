import { limitConcurrency } from "../../../lib/limit.ts";
import type { HostedCommit } from "../../sources/files.ts";
import { isShownPath, isWanted, largestFileBytes, mostFiles, mostPaths, type RepositoryFiles } from "./files.ts";

// The same view of a repository as a server's (read-repository.sh), read from its host.

/** Each is a request to the host. */
const mostDirectories = 60;
const atOnce = 6;
/** Directories below the root, as in the paths that are shown. */
const deepest = 3;

export async function readAtHost(commit: HostedCommit): Promise<RepositoryFiles & { commit: string }> {
  const limit = limitConcurrency(atOnce);
  const paths = await listPaths((directory) => limit(() => commit.list(directory)));
  const wanted = paths.filter(isWanted).slice(0, mostFiles);
  const read = wanted.map(async (path): Promise<[string, string][]> => {
    const bytes = await limit(() => commit.read(path));
    return bytes && bytes.length <= largestFileBytes ? [[path, bytes.toString("utf8")]] : [];
  });
  return { commit: commit.id, paths, contents: Object.fromEntries((await Promise.all(read)).flat()) };
}

// Level by level: what lies higher comes first.
async function listPaths(list: (directory: string) => ReturnType<HostedCommit["list"]>): Promise<string[]> {
  const paths: string[] = [];
  let level = [""];
  let left = mostDirectories;
  for (let depth = 0; depth <= deepest && level.length > 0; depth++) {
    const entries = (await Promise.all(level.map(list))).flat().filter(({ path }) => isShownPath(path));
    paths.push(...entries.filter(({ isDirectory }) => !isDirectory).map(({ path }) => path));
    left -= level.length;
    level = entries.filter(({ isDirectory }) => isDirectory).map(({ path }) => path);
    level = level.slice(0, Math.max(0, left));
  }
  return paths.slice(0, mostPaths);
}
