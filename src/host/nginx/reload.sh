# shellcheck shell=bash
# given: nginx_reloading
# Makes nginx read its files. `nginx_reloading`: a file: the sites announce a reload while it exists.

# For a moment, all sites ask their clients to close their keep-alive connections. A reload closes them, and a request that a
# client sends on one at that moment is lost; only nginx 1.27.4 and newer waits for it. Clients that send nothing in that time
# are not affected.
announce_reload() {
  if grep -q keepalive_min_timeout /etc/nginx/nginx.conf 2> /dev/null; then return; fi
  if [ -z "$(ss -Htn state established '( sport = :80 or sport = :443 )' 2> /dev/null | head -n 1)" ]; then return; fi
  # The prelude removes it when the step is ended in between.
  # shellcheck disable=SC2034
  scratch=$nginx_reloading
  : > "$nginx_reloading"
  sleep 0.3
}
end_announcement() { rm -f -- "$nginx_reloading"; }

# A signal only orders a reload: the former workers keep answering until nginx has read its files and started new workers. When
# nginx rejects the files, or cannot open a port, it keeps the former workers and reports that in its log alone. So this script
# watches the former workers in /proc: a worker that accepts no new requests is gone, or its title shows that it is shutting
# down.
nginx_log=/var/log/nginx/error.log
takes_requests() { # WORKER
  local title=''
  read -r -d '' title 2> /dev/null < "/proc/$1/cmdline" || true
  [[ -n $title && $title != *'is shutting down'* ]]
}
workers_of() { # MASTER; sets workers
  local worker children=()
  workers=''
  # Process 0 is the parent of process 1.
  [ -d "/proc/$1" ] || return 0
  if ! read -r -a children 2> /dev/null < "/proc/$1/task/$1/children" && [ "${#children[@]}" = 0 ]; then
    mapfile -t children < <(pgrep -P "$1")
  fi
  for worker in "${children[@]}"; do
    if takes_requests "$worker"; then workers+=" $worker"; fi
  done
}
# A reload that is under way may have read the files before ours was written, and sends the former workers away, too. It may
# also sleep, while it waits for a port: a master that has nothing to do is one that lets signals through.
await_idle() { # MASTER
  local tries
  for ((tries = 0; tries < 1500; tries++)); do
    if ! grep -qs '^SigBlk:' "/proc/$1/status" || grep -qs '^SigBlk:[[:space:]]*0*$' "/proc/$1/status"; then return; fi
    sleep 0.02
  done
}
# Fails when nginx stays with its former workers; answer is what its log reports then.
await_reload() { # MASTER WORKERS LOG-SIZE
  local tries worker left former=() ports=0
  answer=''
  read -r -a former <<< "$2" || true
  for ((tries = 1; tries < 3000; tries++)); do
    left=''
    for worker in "${former[@]}"; do
      if takes_requests "$worker"; then left=yes; fi
    done
    if [ -z "$left" ]; then return; fi
    if ((tries % 20 == 0)); then
      answer=$(tail -c "+$(($3 + 1))" "$nginx_log" 2> /dev/null | grep -F '[emerg]' || true)
      if [ -n "$answer" ] && grep -qvF 'bind()' <<< "$answer"; then return 1; fi
      # nginx tries to open a port five times in two and a half seconds.
      [ -z "$answer" ] || ports=$((ports + 1))
      if ((ports > 8)); then return 1; fi
    fi
    sleep 0.02
  done
  return 1
}
reload_nginx() { # PID-FILE
  local master=0 name='' size=0 status=0
  announce_reload
  # nginx's own test leaves an empty file where it does not run.
  read -r master 2> /dev/null < "$1" || master=0
  await_idle "$master"
  workers_of "$master"
  size=$(stat -c %s "$nginx_log" 2> /dev/null) || size=0
  read -r name 2> /dev/null < "/proc/$master/comm" || true
  if [[ $name == nginx ]] && kill -HUP "$master"; then
    await_reload "$master" "$workers" "$size" || status=1
  else
    answer=$(systemctl reload-or-restart nginx.service 2>&1) || status=1
  fi
  end_announcement
  return "$status"
}
