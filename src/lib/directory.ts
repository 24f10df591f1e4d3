import { existsSync, statSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a directory for this user alone, and those above it, unless they exist. In place of Node's own recursive mkdir, which never
 * ends where the system makes no directories and answers ENOENT, as below /proc.
 */
export async function makeDirectory(path: string): Promise<void> {
  const parent = dirname(path);
  if (!existsSync(parent)) await makeDirectory(parent);
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST" || !statSync(path).isDirectory()) throw error;
  }
}
