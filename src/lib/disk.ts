import { statfs } from "node:fs/promises";
import type { Logger } from "./log.ts";

/** Below this PostgreSQL soon cannot write: requests to store something are refused. */
export const fullBytes = 64 * 1024 ** 2;
const lowBytes = 1024 ** 3;
const everyMs = 60_000;

/** In the words of the C library. */
export const diskFull = /No space left on device|Disk quota exceeded/;

/** Whether an error, or one of its causes, is that a disk or a quota is full; 53100 is PostgreSQL's code of it. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = String((error as { code?: unknown }).code);
  return /^(ENOSPC|EDQUOT|53100)$/.test(code) || diskFull.test(error.message) || isDiskFull(error.cause);
}

/** Free bytes for this user on the disk of a directory. */
export async function freeBytes(directory: string): Promise<number> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
}

/** Logs when the disk of a directory has less than 1 GB left, and when it has more again. Returns a function that stops this. */
export function watchDisk(directory: string, log: Logger): () => void {
  let isLow = false;
  const look = async (): Promise<void> => {
    const free = await freeBytes(directory);
    if (free < lowBytes === isLow) return;
    isLow = free < lowBytes;
    const megabytes = Math.floor(free / 1024 ** 2);
    if (isLow) log.error({ directory, megabytes }, "The disk of the data directory is almost full: make room on it");
    else log.info({ directory, megabytes }, "The disk of the data directory has room again");
  };
  const timer = setInterval(() => void look().catch(() => {}), everyMs);
  void look().catch(() => {});
  return () => clearInterval(timer);
}
