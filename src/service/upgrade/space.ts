import { stat } from "node:fs/promises";
import { freeBytes, fullBytes } from "../../lib/disk.ts";
import { AppError } from "../../lib/errors.ts";

/** What will be written below a directory. */
export interface Need {
  directory: string;
  bytes: number;
}

interface Room extends Need {
  /** Of its file system. */
  device: number;
  freeBytes: number;
}

/** Throws AppError("refused") if the disks have no room for all of it. */
export async function checkSpace(needs: readonly Need[]): Promise<void> {
  const rooms = await Promise.all(
    needs.map(async (need) => ({
      ...need,
      device: (await stat(need.directory)).dev,
      freeBytes: await freeBytes(need.directory),
    })),
  );
  const lack = lackOfSpace(rooms);
  if (lack !== undefined) throw new AppError("refused", lack);
}

/** A sentence about the first disk that has too little room; a database stops working when its disk is full. */
export function lackOfSpace(rooms: readonly Room[]): string | undefined {
  for (const onOne of Map.groupBy(rooms, ({ device }) => device).values()) {
    const needed = onOne.reduce((sum, { bytes }) => sum + bytes, fullBytes);
    const [{ directory, freeBytes: free } = { directory: "", freeBytes: 0 }] = onOne;
    if (free < needed) {
      return `The disk of ${directory} has ${megabytes(free)} MB free, and the upgrade needs ${megabytes(needed)} MB: make room on it, then try again.`;
    }
  }
  return undefined;
}

const megabytes = (bytes: number): number => Math.ceil(bytes / 1024 ** 2);
