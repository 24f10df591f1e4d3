import { sh } from "./sh.ts";

/**
 * Until its end, a step's script has the web server and PHP-FPM to itself: their tests read the files of all projects, also
 * those that another run is about to write or to put back.
 */
export const oneAtATime = sh`
  [ -d /run/longshore ] || mkdir -p /run/longshore
  exec 9> /run/longshore/nginx.lock
  flock 9
  # Both open files for each project, also to test.
  ulimit -Sn 65535 2> /dev/null || ulimit -Sn "$(ulimit -Hn)"`;
