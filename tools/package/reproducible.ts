import { chmod, lutimes, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { runCommand } from "../../sandbox/command.ts";

// The same sources make the same bytes: order, owners, modes and times of files do not depend on the machine.

/** Seconds since 1970 that all files of a package get: SOURCE_DATE_EPOCH, or the time of the commit. */
export async function buildTime(root: string): Promise<number> {
  const given = Number(process.env.SOURCE_DATE_EPOCH);
  if (given > 0) return given;
  const { stdout } = await runCommand(["git", "-C", root, "log", "-1", "--format=%ct"]);
  return Number(stdout.trim()) || 0;
}

/** Sets modes and times in a directory that was put together: what its owner may execute is executable for all. */
export async function normalize(directory: string, time: number): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true, recursive: true });
  for (const entry of entries.toReversed()) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isSymbolicLink()) await chmod(path, entry.isDirectory() || (await isExecutable(path)) ? 0o755 : 0o644);
    await lutimes(path, time, time);
  }
  await chmod(directory, 0o755);
  await lutimes(directory, time, time);
}

const isExecutable = async (path: string): Promise<boolean> => ((await stat(path)).mode & 0o100) !== 0;
