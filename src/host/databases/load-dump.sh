# shellcheck shell=bash disable=SC2154 # the renderer sets the variables
# Loads a dump in a unit of its own, which has no rights but those of the database's user. What is in a dump is anybody's: clients
# of the engines run commands that they find there. `$own` is the unit of the run: the load ends with it.
scratch=$imports/$id
[[ -s $scratch/dump ]] || fail "The dump is not on the server any more. Upload it again."
unit=longshore-import-$id
own=$(sed -n 's|.*/\(longshore-run-[0-9]*\.service\).*|\1|p' /proc/self/cgroup | head -n 1)
(umask 077 && printf '%s' "$loader" > "$scratch/loader")
if ! answer=$(
  systemd-run --quiet --wait --pipe --collect --unit="$unit" --property="BindsTo=$own" --property=KillSignal=SIGKILL \
    "${properties[@]/#/--property=}" --property="LoadCredential=loader:$scratch/loader" \
    --property="LoadCredential=password:$LONGSHORE_SECRETS/$secret" --setenv=NAME="$name" --setenv=USERNAME="$username" \
    /bin/bash "/run/credentials/$unit.service/loader" < "$scratch/dump" 2>&1 | tail -c 600
); then
  answer=${answer//[^[:print:][:space:]]/?}
  fail "The dump was not loaded: ${answer//$'\n'/ }"
fi
echo "The dump is in the database $name."
