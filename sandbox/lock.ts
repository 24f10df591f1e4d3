import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Runs `work` while holding an exclusive lock between processes. Waits for it without limit. The kernel releases it
 * when this process ends in any way.
 */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(file), { recursive: true });
  // A child holds the lock, because Node cannot; it ends with its standard input, so it cannot outlive this process.
  const holder = spawn("flock", ["--exclusive", file, "sh", "-c", "echo locked; exec cat"], {
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
  });
  const ended = once(holder, "close");
  await Promise.race([once(holder.stdout, "data"), ended.then(() => refuse(file))]);
  try {
    return await work();
  } finally {
    holder.stdin.end();
    await ended;
  }
}

const refuse = (file: string): never => {
  throw new Error(`The lock ${file} could not be taken.`);
};
