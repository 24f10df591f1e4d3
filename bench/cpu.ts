import { readdir, readFile } from "node:fs/promises";

const ticksPerSecond = 100;

/** Seconds of CPU that a process has used; `withChildren`: with all its descendants, including ended ones. */
export async function cpuSecondsOf(root: number, { withChildren = false } = {}): Promise<number> {
  const pids = withChildren ? (await readdir("/proc")).filter((name) => /^\d+$/.test(name)) : [String(root)];
  let ticks = 0;
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    const fields = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [parent = 0, user = 0, system = 0, ofEnded = 0, systemOfEnded = 0] = [1, 11, 12, 13, 14].map(
      (at) => fields[at],
    );
    if (Number(pid) === root) ticks += user + system + (withChildren ? ofEnded + systemOfEnded : 0);
    else if (withChildren && parent === root) ticks += user + system;
  }
  return ticks / ticksPerSecond;
}
