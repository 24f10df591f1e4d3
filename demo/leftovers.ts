import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { downServer } from "../sandbox/sandbox.ts";

// A demo keeps everything in a folder named after its process, and its server has that name too, so that a later one can
// recognize the remains of a killed demo, and several can run at once.

export const demoServerName = (pid: number): string => `demo-${pid}`;

/** Removes the remains in `directory` of demos that no longer run: their platform, server and data. */
export async function removeLeftovers(directory: string): Promise<void> {
  const entries = await readdir(directory).catch(() => []);
  const dead = entries.filter((entry) => /^\d+$/.test(entry)).filter((entry) => !isRunning(Number(entry)));
  for (const entry of dead) {
    await stopPlatform(join(directory, entry));
    await downServer(demoServerName(Number(entry)));
    await rm(join(directory, entry), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function stopPlatform(data: string): Promise<void> {
  const pid = Number(await readFile(join(data, "platform.pid"), "utf8").catch(() => ""));
  if (!pid) return;
  // The process id may have been reused by now.
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
  if (command.includes(data)) process.kill(pid, "SIGKILL");
}
