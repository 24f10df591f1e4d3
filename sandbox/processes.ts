import { readdir, readFile, readlink } from "node:fs/promises";
import { basename } from "node:path";
import type { ServerPaths } from "./paths.ts";

/** The processes of one server, read from the kernel: recorded process ids could belong to another program by now. */
export interface ServerProcesses {
  supervisors: number[];
  containers: number[];
  /** Every process whose root directory is the server's. */
  inside: number[];
  /** The server's own process 1. */
  leader: number | undefined;
}

/** The present processes of a server. */
export async function findProcesses(paths: ServerPaths): Promise<ServerProcesses> {
  const ownMounts = await readlink("/proc/self/ns/mnt");
  const found: ServerProcesses = { supervisors: [], containers: [], inside: [], leader: undefined };
  const entries = await readdir("/proc");
  await Promise.all(
    entries.filter((entry) => /^\d+$/.test(entry)).map((pid) => classify(pid, paths, ownMounts, found)),
  );
  return found;
}

async function classify(pid: string, paths: ServerPaths, ownMounts: string, found: ServerProcesses): Promise<void> {
  try {
    const argv = (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0");
    if (argv.includes(paths.root)) {
      if (basename(argv[1] ?? "") === "supervise.sh") found.supervisors.push(Number(pid));
      else if (basename(argv[0] ?? "") === "systemd-nspawn") found.containers.push(Number(pid));
    }
    if ((await readlink(`/proc/${pid}/ns/mnt`)) === ownMounts) return;
    if (!(await isInside(pid, paths.upper))) return;
    found.inside.push(Number(pid));
    if (await isLeader(pid)) found.leader = Number(pid);
  } catch {
    // It has ended in the meantime, or is a kernel thread.
  }
}

async function isInside(pid: string, upper: string): Promise<boolean> {
  const mounts = (await readFile(`/proc/${pid}/mountinfo`, "utf8")).split("\n");
  // Only its root counts: other servers' mounts are visible to every process that copied the host's mount table.
  return mounts.some((line) => line.split(" ")[4] === "/" && line.includes(`upperdir=${upper},`));
}

async function isLeader(pid: string): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const ids = /^NSpid:\s+(.*)$/m.exec(status)?.[1]?.split(/\s+/) ?? [];
  return ids.length > 1 && ids.at(-1) === "1" && /^Name:\s+(systemd|init)$/m.test(status);
}

/** Sends the signal to each; those that have ended are ignored. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}
