import { lines, type Script, sh } from "../../host/sh.ts";
import { restoreSshd } from "../../host/ssh/sshd.ts";

/** One line that a person runs on the server as root, to authorize Longshore's key. Can be repeated. */
export const connectCommand = (publicKey: string): string =>
  [
    sh`mkdir -p -m 700 /root/.ssh`,
    sh`grep -qxF -- ${publicKey} /root/.ssh/authorized_keys 2>/dev/null || echo ${publicKey} >>/root/.ssh/authorized_keys`,
    sh`chmod 600 /root/.ssh/authorized_keys`,
  ]
    .map((part) => part.script)
    .join(" && ");

/** The directory of root's authorized keys. */
export const keysDirectory = "/root/.ssh";

/** Locks root's keys until the end of the script. */
export const holdKeys = (directory = keysDirectory): Script => sh`
  [ -d ${directory} ] || install -d -m 700 ${directory}
  exec 9< ${directory}
  flock 9`;

/**
 * Removes lines that grep finds with these options from root's keys, which are locked. The file is replaced by one rename, after
 * everything was written: a full disk must not lock an operator out. For `set -e`.
 */
export const takeOutKeys = (options: readonly string[], directory = keysDirectory): Script => {
  const [now, next] = [`${directory}/authorized_keys`, `${directory}/authorized_keys.longshore`];
  return sh`
    # -a: of a file with a zero byte grep would print no lines.
    if grep -aqs ${options} ${now}; then
      # 1: no other key was there. Anything above: they could not be written.
      (umask 077; grep -av ${options} ${now} > ${next}) || [ $? = 1 ]
      mv -T ${next} ${now}
    fi`;
};

/** The line of a person's key among root's keys; `publicKey` is algorithm and key. */
export const personKeyLine = (id: number, publicKey: string): string => `${publicKey} longshore-ssh-key-${id}`;

/** The options of grep that find the lines of `personKeyLine`. */
export const personKeyLines: readonly string[] = ["-E", "-e", " longshore-ssh-key-[0-9]+$"];

/**
 * Restores sshd's settings, then removes the keys of people that Longshore added, and the control plane's key. After a failure in
 * between that key is still there, so the script can be repeated: a machine never loses the key while Longshore has passwords
 * switched off.
 */
export const leaveServer = (publicKey: string): Script =>
  lines(sh`set -e`, restoreSshd, holdKeys(), takeOutKeys(personKeyLines), takeOutKeys(["-xF", "-e", publicKey]));
