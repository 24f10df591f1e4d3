import { mustRun, runCommand } from "../sandbox/command.ts";

/** On the main branch itself, where no branch point tells what is new. */
const recentHours = 12;

/**
 * The files of the repository at `root` that differ from `base`, committed or not, and how to call that base. The default is the
 * commit where this branch left origin/main; on main itself, the last commit that is older than 12 hours. Throws a sentence
 * when `base` is no commit.
 */
export async function changedFiles(root: string, base?: string): Promise<{ files: string[]; since: string }> {
  const git = (...args: string[]) => mustRun(["git", "-C", root, ...args]);
  const since = base ?? (await branchPoint(root)) ?? (await recentCommit(root));
  const commit = (await git("rev-parse", "--verify", "--end-of-options", `${since}^{commit}`)).trim();
  const tracked = await git("diff", "--name-only", "--no-renames", "-z", commit);
  const untracked = await git("ls-files", "--others", "--exclude-standard", "-z");
  const files = [...tracked.split("\0"), ...untracked.split("\0")].filter((file) => file !== "");
  return { files, since };
}

/** Undefined on main itself, and where there is no origin/main. */
async function branchPoint(root: string): Promise<string | undefined> {
  const { exitCode, stdout } = await runCommand(["git", "-C", root, "merge-base", "HEAD", "origin/main"]);
  const head = (await mustRun(["git", "-C", root, "rev-parse", "HEAD"])).trim();
  const commit = stdout.trim();
  return exitCode === 0 && commit !== head ? commit : undefined;
}

/** The first commit of all when none is older. */
async function recentCommit(root: string): Promise<string> {
  const git = (...args: string[]) => mustRun(["git", "-C", root, "rev-list", ...args, "HEAD"]);
  const before = (await git("-n", "1", `--before=${recentHours} hours ago`)).trim();
  return before !== "" ? before : ((await git("--max-parents=0")).trim().split("\n").at(-1) as string);
}
