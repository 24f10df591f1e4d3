import { serverPaths } from "../layout.ts";
import { sh } from "../sh.ts";

/**
 * `ask_to_close`: for a moment, all sites ask their clients to close the connections that they keep. A reload closes them, and what
 * a client sends on one at that moment is lost; only nginx 1.27.4 and newer waits for it. Those that send nothing meanwhile are as
 * before. `reload_is_over` ends it, and is to be called in any case.
 */
export const closeKept = sh`
  ask_to_close() {
    if grep -q keepalive_min_timeout /etc/nginx/nginx.conf 2> /dev/null; then return; fi
    if [ -z "$(ss -Htn state established '( sport = :80 or sport = :443 )' 2> /dev/null | head -n 1)" ]; then return; fi
    : > ${serverPaths.nginxReloading}
    sleep 0.3
  }
  reload_is_over() { rm -f -- ${serverPaths.nginxReloading}; }`;

/**
 * A reload is only ordered: the workers of before answer as they did until each has received it. When they never do, nginx
 * has met something that was not tested before, such as a port that another program has, and reports it in its log alone.
 * nginx lets its new workers begin, pauses for a tenth of a second whatever they do, and sends those of before away. As soon as
 * the new ones are at work it is done for it here, with the same signal: what comes in between waits at the port they share.
 * Asking /proc and not ps, and waiting without `sleep`: this is done many times, and a program takes as long to start as
 * nginx to reload.
 */
export const takenUp = sh`
  exec {quiet}<> <(:)
  pause() { read -r -t 0.003 -u "$quiet" || true; }
  takes_requests() { # WORKER; also tells its title
    title=
    read -r -d '' title 2> /dev/null < "/proc/$1/cmdline" || true
    # One that was just made still has its master's title; one that has ended has none.
    [[ -n $title && $title != *'is shutting down'* ]]
  }
  children_of() { # MASTER
    children=()
    # Process 0 is the parent of process 1.
    [ -d "/proc/$1" ] || return 0
    if ! read -r -a children 2> /dev/null < "/proc/$1/task/$1/children" && [ \${#children[@]} = 0 ]; then
      mapfile -t children < <(pgrep -P "$1")
    fi
  }
  workers_of() { # MASTER
    local worker
    workers=
    children_of "$1"
    for worker in "\${children[@]}"; do
      if takes_requests "$worker"; then workers+=" $worker"; fi
    done
  }
  # A reload that is under way may have read the files before ours was written, and sends the workers of before away, too. It may
  # also sleep, while it waits for a port: a master that has nothing to do is one that lets signals through.
  await_idle() { # MASTER
    local tries status
    for ((tries = 0; tries < 10000; tries++)); do
      if ! { mapfile -t status < "/proc/$1/status"; } 2> /dev/null || [[ \${status[*]} =~ SigBlk:[[:space:]]+0+' ' ]]; then return; fi
      pause
    done
  }
  # As many new ones at work as there were: fewer may also stand in for others that crashed, while nginx refuses to reload.
  are_replaced() { # MASTER WORKER…
    local master=$1 child missing
    shift
    missing=$#
    children_of "$master"
    for child in "\${children[@]}"; do
      if [[ " $* " == *" $child "* ]]; then continue; fi
      if takes_requests "$child" && [[ $title != *'master process'* ]]; then missing=$((missing - 1)); fi
    done
    ((missing <= 0))
  }
  taken_up() { # MASTER WORKERS LOG-SIZE
    local tries worker sent='' refused='' left=() former=()
    read -r -a former <<< "$2" || true
    for ((tries = 0; tries < 10000; tries++)); do
      left=()
      for worker in "\${former[@]}"; do
        if takes_requests "$worker"; then left+=("$worker"); fi
      done
      if [ \${#left[@]} = 0 ]; then return; fi
      if [ -z "$sent" ] && are_replaced "$1" "\${former[@]}"; then
        kill -QUIT "\${left[@]}" 2> /dev/null || true
        sent=yes
      fi
      if ((tries % 150 == 149)); then
        answer=$(tail -c "+$(($3 + 1))" /var/log/nginx/error.log 2> /dev/null | grep -F '[emerg]' || true)
        if [ -n "$answer" ] && grep -qvF 'bind()' <<< "$answer"; then return 1; fi
        # It tries to open a port five times in two and a half seconds.
        [ -z "$answer" ] || refused=$((refused + 1))
        if ((refused > 8)); then return 1; fi
      fi
      pause
    done
  }`;
