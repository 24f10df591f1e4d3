import { type Script, sh } from "./sh.ts";

// Locks are files in a directory that root alone enters: a process that can open one can hold it.

/** Until its end, a step's script is the only one on the server that holds the lock of this name. `fd`: the descriptor it uses. */
export const exclusively = (name: string, fd = 9): Script => ({
  script: [
    "[ -d /run/longshore ] || mkdir -m 700 /run/longshore",
    `exec ${fd}> ${sh`/run/longshore/${name}.lock`.script}`,
    `flock ${fd}`,
  ].join("\n"),
});

/**
 * Until its end, a step's script has the web server to itself: its test reads the files of all projects, also those that another
 * run is about to write or to put back.
 */
export const oneAtATime: Script = {
  script: [
    exclusively("nginx").script,
    sh`
      # It opens files for each project, also to test.
      ulimit -Sn 65535 2> /dev/null || ulimit -Sn "$(ulimit -Hn)"`.script,
  ].join("\n"),
};
