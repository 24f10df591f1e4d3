import { sh } from "./sh.ts";

/**
 * A reload is only ordered: the workers of before answer as they did until each has heard of it. When they never do, nginx
 * has met something that was not tested before, such as a port that another program has, and says so in its log alone.
 * Asking /proc and not ps, and waiting without `sleep`: this is done many times, and a program takes as long to start as
 * nginx to reload.
 */
export const takenUp = sh`
  exec {quiet}<> <(:)
  pause() { read -r -t 0.003 -u "$quiet" || true; }
  takes_requests() { # WORKER
    local title=
    read -r -d '' title 2> /dev/null < "/proc/$1/cmdline" || true
    # One that was just made still has its master's title; one that has ended has none.
    [[ -n $title && $title != *'is shutting down'* ]]
  }
  workers_of() { # MASTER
    local worker children=()
    workers=
    # Process 0 is the parent of process 1.
    [ -d "/proc/$1" ] || return 0
    if ! read -r -a children 2> /dev/null < "/proc/$1/task/$1/children" && [ \${#children[@]} = 0 ]; then
      mapfile -t children < <(pgrep -P "$1")
    fi
    for worker in "\${children[@]}"; do
      if takes_requests "$worker"; then workers+=" $worker"; fi
    done
  }
  # A reload that is under way may have read the files before ours was written, and sends the workers of before away, too.
  await_idle() { # MASTER
    local tries stat
    for ((tries = 0; tries < 10000; tries++)); do
      if ! read -r stat 2> /dev/null < "/proc/$1/stat"; then return; fi
      stat=\${stat##*) }
      if [[ $stat = S* ]]; then return; fi
      pause
    done
  }
  taken_up() { # WORKERS LOG-SIZE
    local tries worker refused='' left=''
    for ((tries = 0; tries < 10000; tries++)); do
      left=
      for worker in $1; do
        if takes_requests "$worker"; then left=yes; fi
      done
      if [ -z "$left" ]; then return; fi
      if ((tries % 150 == 149)); then
        answer=$(tail -c "+$(($2 + 1))" /var/log/nginx/error.log 2> /dev/null | grep -F '[emerg]' || true)
        if [ -n "$answer" ] && grep -qvF 'bind()' <<< "$answer"; then return 1; fi
        # It tries to open a port five times in two and a half seconds.
        [ -z "$answer" ] || refused=$((refused + 1))
        if ((refused > 8)); then return 1; fi
      fi
      pause
    done
  }`;
