# shellcheck shell=bash
# given: live_link job_units started_with
# Functions about the units of a project's jobs. `job_units`: the prefix of their names; `started_with`: the prefix of root's notes.

job_of() { local name=${1%@*}; echo "${name#"$job_units"}"; }
number_of() { local name=${1%.service}; echo "${name##*@}"; }
live=$(readlink "$live_link" || true)
live=${live##*/}
restart_units() {
  local unit
  systemctl stop "$@"
  for unit; do echo "$live" > "$started_with-$(job_of "$unit")-$(number_of "$unit")"; done
  systemctl start "$@"
}
declare -A failure_of=()
look_at() { # UNIT
  local key value restarts=0 state='' code=0
  while IFS='=' read -r key value; do
    case $key in NRestarts) restarts=$value ;; SubState) state=$value ;; ExecMainStatus) code=$value ;; esac
  done < <(systemctl show --property=NRestarts,SubState,ExecMainStatus "$1")
  if [ "$restarts" = 0 ] && [ "$state" = running ]; then return; fi
  [ -n "${failure_of[$(job_of "$1")]-}" ] ||
    failure_of[$(job_of "$1")]="The process ended right after its start with exit code $code; the job's log says why. It is started again and again."
}
watch_units() {
  local unit tries
  for ((tries = 0; tries < 8; tries++)); do
    sleep 0.15
    for unit; do look_at "$unit"; done
  done
}
report_jobs() {
  local unit job
  for unit; do
    job=$(job_of "$unit")
    printf 'job_%s %s\n' "$job" "${failure_of[$job]:-active}" >> "$LONGSHORE_FACTS"
  done
}
