import { lines, type Script, sh } from "../../host/sh.ts";
import { restoreSshd } from "../../host/sshd.ts";

/** One line that a person runs on the server as root: it lets Longshore in. Running it twice adds nothing. */
export const connectCommand = (publicKey: string): string =>
  [
    sh`mkdir -p -m 700 /root/.ssh`,
    sh`grep -qxF -- ${publicKey} /root/.ssh/authorized_keys 2>/dev/null || echo ${publicKey} >>/root/.ssh/authorized_keys`,
    sh`chmod 600 /root/.ssh/authorized_keys`,
  ]
    .map((part) => part.script)
    .join(" && ");

/** Where the keys are that open root's account. */
export const keysDirectory = "/root/.ssh";

/** From here to the script's end no other process changes root's keys. */
export const holdKeys = (directory = keysDirectory): Script => sh`
  [ -d ${directory} ] || install -d -m 700 ${directory}
  exec 9< ${directory}
  flock 9`;

/**
 * Takes the lines out of root's keys, which are held, that grep finds with its options. The file is replaced in one move, and
 * not before all else was written: a full disk must not lock an operator out. For `set -e`.
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

/** The line of a person's key that Longshore puts among root's; `publicKey` is algorithm and key. */
export const personKeyLine = (id: number, publicKey: string): string => `${publicKey} longshore-ssh-key-${id}`;

/** How grep finds the lines of `personKeyLine`. */
export const personKeyLines: readonly string[] = ["-E", "-e", " longshore-ssh-key-[0-9]+$"];

/**
 * Puts sshd back, then takes the keys of people that Longshore put there and the control plane's key out. After a failure in between
 * that key is still there, so the script can be repeated; a machine never loses the key while passwords are off because of Longshore.
 */
export const leaveServer = (publicKey: string): Script =>
  lines(sh`set -e`, restoreSshd, holdKeys(), takeOutKeys(personKeyLines), takeOutKeys(["-xF", "-e", publicKey]));

/** Takes a key out of the server again. */
export const removeKey = (publicKey: string, directory?: string): Script =>
  lines(sh`set -e`, holdKeys(directory), takeOutKeys(["-xF", "-e", publicKey], directory));
