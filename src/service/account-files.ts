import { stat } from "node:fs/promises";
import { AppError } from "../lib/errors.ts";
import { type Account, mustRun, run } from "./run.ts";

// What root reads and writes below a directory of the service's user. A service that was taken over may have put links there, or a
// pipe that never ends: what is done with that user's rights leads nowhere where that user could not go.

const maxBytes = 1_000_000;
const timeoutMs = 30_000;

/** The text of a file, as far as a megabyte; undefined if the account cannot read it. */
export async function readAs(account: Account | undefined, path: string): Promise<string | undefined> {
  const { exitCode, stdout } = await run(["head", `--bytes=${maxBytes}`, "--", path], { account, timeoutMs });
  return exitCode === 0 ? stdout : undefined;
}

/** Replaces a file in one instant: it belongs to the account, for which its directory must exist. */
export async function writeAs(account: Account | undefined, path: string, text: string): Promise<void> {
  const script = 'umask 077; rm -f -- "$0.new"; cat >"$0.new" && mv -fT -- "$0.new" "$0"';
  await mustRun(["sh", "-c", script, path], { account, input: text, timeoutMs });
}

/** Who owns a directory, if this process is root and has to act as that user. Throws if it is not there. */
export async function ownerToBe(directory: string): Promise<Account | undefined> {
  const { uid, gid } = await stat(directory);
  return process.getuid?.() === 0 && uid !== 0 ? { uid, gid } : undefined;
}

/** Empties a directory. */
export async function emptyAs(account: Account | undefined, directory: string): Promise<void> {
  await mustRun(["find", directory, "-mindepth", "1", "-delete"], { account });
}

/** The disk space that a directory takes, in bytes. What vanishes while it is counted counts for nothing. */
export async function sizeAs(account: Account | undefined, directory: string): Promise<number> {
  const { stdout, stderr } = await run(["du", "--summarize", "--block-size=1", "--", directory], { account });
  const bytes = Number.parseInt(stdout, 10);
  if (Number.isNaN(bytes)) throw new AppError("unavailable", `The size of ${directory} is unknown: ${stderr.trim()}`);
  return bytes;
}
