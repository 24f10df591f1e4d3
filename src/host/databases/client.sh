# shellcheck shell=bash
# given: properties name username
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
