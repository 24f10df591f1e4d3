import { AppError } from "../../lib/errors.ts";
import { scriptsBeside } from "../script-file.ts";
import { lines, type Script, sh } from "../sh.ts";

const functions = scriptsBeside(import.meta.url)("host-keys.sh");

/** Creates the machine's own host key and prints its public half; sshd does not use it yet. Safe to repeat. */
export const makeHostKey: Script = lines(sh`set -euo pipefail`, functions, sh`make_host_key`);

/**
 * Configures sshd to use the key that `makeHostKey` created. Safe to repeat. The root account accepts `loginKey` and none
 * of the keys that Longshore used for another server whose image this one was made from.
 */
export const showHostKey = (loginKey: string): Script =>
  lines(sh`set -euo pipefail`, functions, sh`show_host_key ${loginKey}`);

/** Reads the output of `makeHostKey`. */
export function readHostKey(printed: string): string {
  const key = printed.trim();
  if (/^ssh-ed25519 [A-Za-z0-9+/]{68}$/.test(key)) return key;
  throw new AppError("server_unreachable", "The new server did not report its host key.");
}
