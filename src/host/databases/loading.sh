# shellcheck shell=bash
# uses: client.sh
# given: loader password
# given: loader password
# Loads the dump on standard input: a file of any kind, or a pipe from `dump_database`. The load ends with the unit of the run.
load_dump() {
  local answer run unit
  run=$(sed -n 's|.*/\(longshore-run-[0-9]*\.service\).*|\1|p' /proc/self/cgroup | head -n 1)
  unit=${run%.service}-load.service
  printf '%s' "$loader" > "$LONGSHORE_SECRETS/loader"
  if ! answer=$(
    in_unit --unit="$unit" --property="BindsTo=$run" --property="LoadCredential=loader:$LONGSHORE_SECRETS/loader" \
      --property="LoadCredential=password:$LONGSHORE_SECRETS/$password" \
      /bin/bash "/run/credentials/$unit/loader" 2>&1 > /dev/null
  ); then
    fail "The dump was not loaded: ${answer//$'\n'/ }"
  fi
  echo "The dump is in the database $name."
}
