import { readdirSync, readFileSync, readlinkSync } from "node:fs";
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

/** The present processes of a server. Reads hundreds of small files, so not each in a thread of its own. */
export function findProcesses(paths: ServerPaths): ServerProcesses {
  const found: ServerProcesses = { supervisors: [], containers: [], inside: [], leader: undefined };
  const isInside = insideOf(paths.upper);
  for (const pid of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      classify(pid, paths, isInside, found);
    } catch {
      // It has ended in the meantime, or is a kernel thread.
    }
  }
  return found;
}

type IsInside = (pid: string) => boolean;

function classify(pid: string, paths: ServerPaths, isInside: IsInside, found: ServerProcesses): void {
  const argv = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
  if (argv.includes(paths.root)) {
    if (basename(argv[1] ?? "") === "supervise.sh") found.supervisors.push(Number(pid));
    else if (basename(argv[0] ?? "") === "systemd-nspawn") found.containers.push(Number(pid));
  }
  if (!isInside(pid)) return;
  found.inside.push(Number(pid));
  if (isLeader(pid)) found.leader = Number(pid);
}

/** Whether a process has this disk as its root. Processes with one view of the file system have the same mounts, read once. */
function insideOf(upper: string): IsInside {
  const viewOf = (pid: string) => `${readlinkSync(`/proc/${pid}/ns/mnt`)} ${readlinkSync(`/proc/${pid}/root`)}`;
  const known = new Map([[viewOf("self"), false]]);
  return (pid) => {
    const view = viewOf(pid);
    const isInside = known.get(view) ?? hasRoot(pid, upper);
    known.set(view, isInside);
    return isInside;
  };
}

function hasRoot(pid: string, upper: string): boolean {
  const mounts = readFileSync(`/proc/${pid}/mountinfo`, "utf8").split("\n");
  // Only its root counts: other servers' mounts are visible to every process that copied the host's mount table.
  return mounts.some((line) => line.split(" ")[4] === "/" && line.includes(`upperdir=${upper},`));
}

function isLeader(pid: string): boolean {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
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
