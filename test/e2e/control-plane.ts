import assert from "node:assert/strict";
import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";

/** Ends Node and PostgreSQL at the same instant, as a power cut would. */
export async function killControlPlane(dataDirectory: string): Promise<void> {
  const pids = await processesIn(dataDirectory);
  assert.ok(pids.length > 2, "there are processes to kill");
  for (const pid of pids) killNow(pid);
}

function killNow(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // The end of its parent ended it too.
  }
}

/** Every process that has the data directory in its command line, and its children, except processes that only read it. */
async function processesIn(dataDirectory: string): Promise<number[]> {
  const all = await Promise.all(
    (await readdir("/proc"))
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => ({
        pid: Number(name),
        command: await readFile(join("/proc", name, "cmdline"), "utf8").catch(() => ""),
        parent: Number(/\) . (\d+)/.exec(await readFile(join("/proc", name, "stat"), "utf8").catch(() => ""))?.[1]),
        directory: await readlink(join("/proc", name, "cwd")).catch(() => ""),
      })),
  );
  const ours = all.filter(
    ({ pid, command, directory }) =>
      pid !== process.pid && (command.includes(dataDirectory) || directory.startsWith(dataDirectory)),
  );
  const pids = new Set(ours.map(({ pid }) => pid));
  for (const { pid, parent } of all) if (pids.has(parent)) pids.add(pid);
  return [...pids];
}
