import { existsSync } from "node:fs";
import { chown, mkdir, rename, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { emptyAs, ownerToBe } from "../account-files.ts";
import { type Account, mustRun, run } from "../run.ts";
import { syncDirectory } from "./journal.ts";

// Copying much data takes long.
const timeoutMs = 3_600_000;

/**
 * Copies the data directory, of a service that is stopped, to `backup`, in place of an earlier copy. Complete when this resolves, also
 * after a power cut. File systems that share blocks between files (btrfs, xfs) copy at once.
 *
 * The owner of the data copies it: root would follow what a compromised service had put there.
 */
export async function copyData(data: string, backup: string, owner: Account | undefined): Promise<void> {
  const partial = `${backup}.partial`;
  for (const former of [partial, backup]) await removeCopy(former);
  await mkdir(partial, { mode: 0o700 });
  if (owner) await chown(partial, owner.uid, owner.gid);
  await mustRun(["cp", "-a", "--reflink=auto", "--", `${data}/.`, partial], { account: owner, timeoutMs });
  await mustRun(["sync", "--file-system", partial], { timeoutMs });
  await rename(partial, backup);
  await syncDirectory(dirname(backup));
}

/** Makes the data directory what it was when it was copied. May be repeated; the copy stays. */
export async function restoreData(data: string, backup: string, owner: Account | undefined): Promise<void> {
  await stat(backup);
  await emptyAs(owner, data);
  await mustRun(["cp", "-a", "--reflink=auto", "--", `${backup}/.`, data], { account: owner, timeoutMs });
  await mustRun(["sync", "--file-system", data], { timeoutMs });
}

/**
 * When the database in the data directory was last in use: PostgreSQL writes this file at each checkpoint, at least every five minutes
 * in which something was stored. Undefined without a database.
 */
export async function lastUse(data: string, owner: Account | undefined): Promise<Date | undefined> {
  const look = ["stat", "--dereference", "--format=%Y", "--", join(data, "postgres/data/global/pg_control")];
  const { exitCode, stdout } = await run(look, { account: owner });
  return exitCode === 0 ? new Date(Number(stdout) * 1_000) : undefined;
}

/** It belongs to the service's user, like what it was copied from. */
async function removeCopy(directory: string): Promise<void> {
  if (!existsSync(directory)) return;
  await emptyAs(await ownerToBe(directory), directory);
  await rmdir(directory);
}
