import { readdir, readFile, readlink } from "node:fs/promises";
import { serviceName } from "./layout.ts";

/** A process that listens on a port of this machine. */
export interface Listener {
  pid: number;
  /** The name of its program. */
  program: string;
  isService: boolean;
}

const listening = "0A";

/**
 * The process that listens on a TCP port of this machine, at any address; undefined if the port is free. Needs root to see processes
 * of other users: without it, the program is `another program`.
 */
export async function findListener(port: number): Promise<Listener | undefined> {
  const tables = await Promise.all(
    ["tcp", "tcp6"].map((name) => readFile(`/proc/net/${name}`, "utf8").catch(() => "")),
  );
  const inodes = new Set(tables.flatMap((table) => inodesListening(table, port)));
  if (inodes.size === 0) return undefined;
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    if (await holdsOneOf(pid, inodes)) return describe(Number(pid));
  }
  return { pid: 0, program: "another program", isService: false };
}

/** The inodes of sockets that listen on a port, in a table of /proc/net. */
export function inodesListening(table: string, port: number): string[] {
  return table
    .split("\n")
    .slice(1)
    .flatMap((line) => {
      const [, local = "", , state, , , , , , inode] = line.trim().split(/\s+/);
      const isIt = state === listening && Number.parseInt(local.split(":")[1] ?? "", 16) === port;
      return isIt && inode !== undefined ? [inode] : [];
    });
}

async function holdsOneOf(pid: string, inodes: ReadonlySet<string>): Promise<boolean> {
  const directory = `/proc/${pid}/fd`;
  // Processes of other users, and those that end in the meantime, cannot be read.
  for (const name of await readdir(directory).catch(() => [])) {
    const target = await readlink(`${directory}/${name}`).catch(() => "");
    if (inodes.has(/^socket:\[(\d+)\]$/.exec(target)?.[1] ?? "")) return true;
  }
  return false;
}

async function describe(pid: number): Promise<Listener> {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "");
  const [program, groups] = await Promise.all([read("comm"), read("cgroup")]);
  return {
    pid,
    program: program.trim() || "another program",
    isService: new RegExp(`/${serviceName}\\.service(?:/|$)`, "m").test(groups),
  };
}
