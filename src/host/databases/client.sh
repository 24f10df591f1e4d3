# shellcheck shell=bash disable=SC2154,SC2317,SC2329 # the renderer sets variables; not every script uses each function
# Clients that read or write what is in a database: with the rights of its own user, in a unit that has no others. While a client
# reads, the owner can put a function in the place of a table, and clients of the engines run commands that they find in dumps.

# The unit gets no descriptor of this script but standard input and output: its errors come through a pipe, since they go to the
# journal of a run, which what holds it can truncate.
in_unit() { # ARGUMENT… of systemd-run
  {
    systemd-run --quiet --wait --pipe --collect --property=KillSignal=SIGKILL "${properties[@]/#/--property=}" \
      --setenv=NAME="$name" --setenv=USERNAME="$username" "$@" 2>&1 >&3 3>&- | tail -c 600 | tr -c '[:print:]\n' '?' >&2
  } 3>&1
}

# Prints a dump. Standard input is the password; the unit reads its program from there first.
dump_database() { # PROGRAM
  { printf '%s\n' "$1" && cat; } | in_unit /bin/bash -s
}

# Loads the dump on standard input: a file of any kind, or a pipe from `dump_database`. With `check` it only looks whether a file can
# be loaded, as far as that can be seen beforehand. The load ends with the unit of the run.
load_dump() {
  local answer run unit
  run=$(sed -n 's|.*/\(longshore-run-[0-9]*\.service\).*|\1|p' /proc/self/cgroup | head -n 1)
  unit=${run%.service}-load.service
  printf '%s' "$loader" > "$LONGSHORE_SECRETS/loader"
  if ! answer=$(
    in_unit --unit="$unit" --property="BindsTo=$run" --property="LoadCredential=loader:$LONGSHORE_SECRETS/loader" \
      --property="LoadCredential=password:$LONGSHORE_SECRETS/$password" --setenv=CHECK="$check" \
      /bin/bash "/run/credentials/$unit/loader" 2>&1 > /dev/null
  ); then
    fail "The dump was not loaded: ${answer//$'\n'/ }"
  fi
}
