import { fromTheStart, type Plan, plan, step } from "../../engine/plan.ts";
import { withPrelude } from "../../host/prelude.ts";
import { lines, type Script, sh } from "../../host/sh.ts";
import { holdKeys, keysDirectory, personKeyLine, personKeyLines } from "../servers/access.ts";
import type { KeyOnServer } from "./queries.ts";
import { sshKeysKind } from "./schema.ts";

/** Brings the keys that Longshore put on a server to be these and no others. */
export const sshKeysPlan = (keys: readonly KeyOnServer[]): Plan =>
  plan(
    sshKeysKind,
    [step("ssh-keys", "SSH keys of people", withPrelude("The SSH keys could not be written.", writeKeys(keys)))],
    { pointOfNoReturn: fromTheStart },
  );

// Only lines that Longshore wrote are replaced. The file is replaced in one move, and not before all of it was written: on a full
// disk nobody may be locked out. A link to the file stays a link.
export const writeKeys = (keys: readonly KeyOnServer[], directory = keysDirectory): Script => {
  const written = keys.map((key) => `${personKeyLine(key.id, key.public_key)}\n`).join("");
  const file = `${directory}/authorized_keys`;
  return lines(
    sh`set -e`,
    holdKeys(directory),
    sh`
      file=$(realpath -m -- ${file})
      next=$file.longshore
      (
        umask 077
        if [ -e "$file" ]; then grep -av ${personKeyLines} "$file" || [ $? = 1 ]; fi > "$next"
        printf %s ${written} >> "$next"
      )
      if cmp -s "$next" "$file" || { [ ! -e "$file" ] && [ ! -s "$next" ]; }; then rm -f "$next"; else mv -T "$next" "$file"; fi
      # A file that sshd does not read would open nothing, and look as if it did.
      if [ -n ${written} ] && [ ${directory} = ${keysDirectory} ]; then
        mkdir -p /run/sshd
        settings=$(sshd -T -C user=root,host=client.invalid,addr=192.0.2.1)
        grep -qE '^authorizedkeysfile (.* )?(%h/|/root/)?\\.ssh/authorized_keys( |$)' <<< "$settings" || {
          echo "sshd does not read /root/.ssh/authorized_keys: AuthorizedKeysFile in its settings names other files." >&2
          exit 1
        }
      fi
      echo ${`${keys.length} SSH ${keys.length === 1 ? "key" : "keys"} of people ${keys.length === 1 ? "opens" : "open"} root's account.`}`,
  );
};
