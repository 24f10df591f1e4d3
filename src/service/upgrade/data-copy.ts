import { chown, mkdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncDirectory } from "./journal.ts";
import { mustRun } from "./run-program.ts";

export interface Owner {
  uid: number;
  gid: number;
}

// Copying much data takes long.
const timeoutMs = 3_600_000;

/**
 * Copies the data directory, of a service that is stopped, to `backup`, in place of an earlier copy. Complete when this resolves, also
 * after a power cut. File systems that share blocks between files (btrfs, xfs) copy at once.
 *
 * The owner of the data copies it: root would follow what a compromised service had put there.
 */
export async function copyData(data: string, backup: string, owner: Owner | undefined): Promise<void> {
  const partial = `${backup}.partial`;
  for (const former of [partial, backup]) await rm(former, { recursive: true, force: true });
  await mkdir(partial, { mode: 0o700 });
  if (owner) await chown(partial, owner.uid, owner.gid);
  await mustRun(["cp", "-a", "--reflink=auto", "--", `${data}/.`, partial], { owner, timeoutMs });
  await mustRun(["sync", "--file-system", partial], { timeoutMs });
  await rename(partial, backup);
  await syncDirectory(dirname(backup));
}

/** Makes the data directory what it was when it was copied. May be repeated; the copy stays. */
export async function restoreData(data: string, backup: string, owner: Owner | undefined): Promise<void> {
  await stat(backup);
  await mustRun(["find", data, "-mindepth", "1", "-delete"], { owner, timeoutMs });
  await mustRun(["cp", "-a", "--reflink=auto", "--", `${backup}/.`, data], { owner, timeoutMs });
  await mustRun(["sync", "--file-system", data], { timeoutMs });
}

/** Who owns a directory, if this process is root and has to act as that user. */
export async function ownerToBe(directory: string): Promise<Owner | undefined> {
  const { uid, gid } = await stat(directory);
  return process.getuid?.() === 0 && uid !== 0 ? { uid, gid } : undefined;
}

/** The disk space that a directory takes, in bytes. */
export async function sizeOf(directory: string): Promise<number> {
  const output = await mustRun(["du", "--summarize", "--block-size=1", "--", directory], { timeoutMs });
  return Number.parseInt(output, 10);
}

/**
 * When the database in the data directory was last in use: PostgreSQL writes this file at each checkpoint, at least every five minutes
 * in which something was stored. Undefined without a database.
 */
export async function lastUse(data: string): Promise<Date | undefined> {
  const control = await stat(join(data, "postgres/data/global/pg_control")).catch(() => undefined);
  return control?.mtime;
}
