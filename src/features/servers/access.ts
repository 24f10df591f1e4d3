import { lines, type Script, sh } from "../../host/sh.ts";

/** One line that a person runs on the server as root: it lets Longshore in. Running it twice adds nothing. */
export const connectCommand = (publicKey: string): string =>
  [
    sh`mkdir -p -m 700 /root/.ssh`,
    sh`grep -qxF -- ${publicKey} /root/.ssh/authorized_keys 2>/dev/null || echo ${publicKey} >>/root/.ssh/authorized_keys`,
    sh`chmod 600 /root/.ssh/authorized_keys`,
  ]
    .map((part) => part.script)
    .join(" && ");

/** Takes a key out of the server again; the file is replaced in one move, so that nobody is locked out half-way. */
export const removeKey = (publicKey: string): Script =>
  lines(
    sh`set -e; cd /root/.ssh; umask 077`,
    sh`grep -vxF -- ${publicKey} authorized_keys >authorized_keys.longshore || true`,
    sh`mv authorized_keys.longshore authorized_keys`,
  );
