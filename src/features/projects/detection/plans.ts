import { fromTheStart, type Plan, plan, step } from "../../../engine/runs/plan.ts";
import type { GitSource } from "../../../host/git/git.ts";
import { scriptsBeside } from "../../../host/script-file.ts";
import { visitorSandbox } from "../../../host/systemd/sandbox.ts";
import { detectionKind } from "../schema.ts";
import { largestFileBytes, mostFiles, mostPaths, type RepositoryFiles, readNames, readPaths } from "./files.ts";

const script = scriptsBeside(import.meta.url);

const largestPackMb = 300;
const seconds = 60;

/**
 * Reads a few files of a branch's newest commit, and prints them. Runs as an unprivileged user without access to projects, in a
 * directory that is deleted with the step. Fetches no history and, if the git server supports it, no other files.
 */
export function detectionPlan({ url, branch }: Pick<GitSource, "url" | "branch">): Plan {
  const read = script("read-repository.sh", {
    most_paths: mostPaths,
    url,
    branch,
    largest_pack: largestPackMb * 1024,
    most_files: mostFiles,
    largest_file: largestFileBytes,
    names: readNames,
    paths: readPaths,
  });
  const options = { sandbox: visitorSandbox, timeoutSeconds: seconds };
  return plan(detectionKind.kind, [step("read-repository", "Read the repository", read, options)], {
    pointOfNoReturn: fromTheStart,
    limits: { cpuWeight: 20, ioWeight: 20, memoryMax: "1G", tasksMax: 100 },
  });
}

/** The files that such a run printed, and the commit. Ignores lines that are not its own. */
export function filesIn(output: readonly string[]): RepositoryFiles & { commit: string } {
  const pieces = new Map<string, string[]>();
  const paths: string[] = [];
  let commit = "";
  let open: string[] | undefined;
  for (const line of output) {
    const [, kind, value = ""] = /^(commit|path|file|data) (.+)$/.exec(line) ?? [];
    if (kind === "commit") commit ||= value;
    if (kind === "path") paths.push(value);
    if (kind === "file") {
      open = [];
      pieces.set(value, open);
    }
    if (kind === "data") open?.push(value);
  }
  const decoded = [...pieces].map(([path, parts]) => [path, Buffer.from(parts.join(""), "base64").toString("utf8")]);
  return { commit, paths, contents: Object.fromEntries(decoded) };
}
