import { readFileSync } from "node:fs";
import { AppError } from "../lib/errors.ts";
import { lines, type Script, sh } from "./sh.ts";

const functions: Script = { script: readFileSync(new URL("host-keys.sh", import.meta.url), "utf8") };

/** Makes the machine's own host key and prints its public half; sshd does not show it yet. Safe to repeat. */
export const makeHostKey: Script = lines(sh`set -euo pipefail`, functions, sh`make_host_key`);

/**
 * Has sshd show the key that `makeHostKey` made. Safe to repeat. Root's account opens with `loginKey` and with none of the
 * keys that Longshore had for another server, of whose image this one was made.
 */
export const showHostKey = (loginKey: string): Script =>
  lines(sh`set -euo pipefail`, functions, sh`show_host_key ${loginKey}`);

/** Reads what `makeHostKey` printed. */
export function readHostKey(printed: string): string {
  const key = printed.trim();
  if (/^ssh-ed25519 [A-Za-z0-9+/]{68}$/.test(key)) return key;
  throw new AppError("server_unreachable", "The new server did not report its host key.");
}
