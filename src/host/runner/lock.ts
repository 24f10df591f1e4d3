import { functionOf } from "../script-file.ts";
import { type Script, sh } from "../sh.ts";

// Locks are files in a directory that only root can enter: a process that can open a lock file can hold the lock.

/**
 * From this line to its end, a step's script is the only one on the server that holds the lock of this name. `fd`: the
 * descriptor it uses.
 */
export const exclusively = (name: string, fd = 9): Script => ({
  script: [
    "[ -d /run/longshore ] || mkdir -m 700 /run/longshore",
    `exec ${fd}> ${sh`/run/longshore/${name}.lock`.script}`,
    `flock ${fd}`,
  ].join("\n"),
});

/**
 * From this line to its end, a step's script is the only one that changes the web server: nginx's test reads the files of all
 * projects, including those that another run is about to write or to put back.
 */
export const oneAtATime: Script = functionOf(new URL("../nginx/lock-nginx.sh", import.meta.url), "lock_nginx");
