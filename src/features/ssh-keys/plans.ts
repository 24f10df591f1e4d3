import { fromTheStart, type Plan, plan, step } from "../../engine/plan.ts";
import { withPrelude } from "../../host/runner/prelude.ts";
import { scriptsBeside } from "../../host/script-file.ts";
import { lines, type Script, sh } from "../../host/sh.ts";
import { holdKeys, keysDirectory, personKeyLine, personKeyLines } from "../servers/access.ts";
import type { KeyOnServer } from "./queries.ts";
import { sshKeysKind } from "./schema.ts";

const script = scriptsBeside(import.meta.url);

/** Makes these the only keys that Longshore has put on a server. */
export const sshKeysPlan = (keys: readonly KeyOnServer[]): Plan => {
  const script = keys.length === 0 ? writeKeys(keys) : lines(writeKeys(keys), checkReading);
  return plan(
    sshKeysKind.kind,
    [step("ssh-keys", "SSH keys of people", withPrelude("The SSH keys could not be written.", script))],
    { pointOfNoReturn: fromTheStart },
  );
};

/**
 * Replaces only the lines that Longshore wrote, for `set -e`. The file is replaced by one rename, after all of it was written: a
 * full disk must not lock people out. A link to the file stays a link.
 */
export const writeKeys = (keys: readonly KeyOnServer[], directory = keysDirectory): Script =>
  lines(
    holdKeys(directory),
    script("write-keys.sh", {
      authorized_keys: `${directory}/authorized_keys`,
      own_lines: personKeyLines,
      keys: keys.map((key) => `${personKeyLine(key.id, key.public_key)}\n`).join(""),
      amount: keys.length,
    }),
  );

// A key in a file that sshd does not read gives no access.
const checkReading: Script = sh`
  mkdir -p /run/sshd
  settings=$(sshd -T -C user=root,host=client.invalid,addr=192.0.2.1)
  grep -qE '^authorizedkeysfile (.* )?(%h/|/root/)?\\.ssh/authorized_keys( |$)' <<< "$settings" ||
    fail "sshd does not read /root/.ssh/authorized_keys: AuthorizedKeysFile in its settings names other files."`;
