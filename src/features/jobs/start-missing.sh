# shellcheck shell=bash
# uses: units.sh, stop-others.sh
# given: units_directory job_units jobs unit_wants started_with processes
# Starts the processes of jobs that are not current. `units_directory` and `jobs`: directories; `job_units`: the prefix of their
# names; `started_with`: the prefix of root's notes.

is_current() { # JOB UNIT
  local since
  systemctl is-active --quiet "$2" || return 1
  since=$(systemctl show --property=ActiveEnterTimestamp --value --timestamp=us+utc "$2")
  [ -z "$(find "$units_directory/$job_units$1@.service" "$jobs/run" "$jobs/$1.command" -newermt "$since")" ] || return 1
  [ "$(cat "$started_with-$1-$(number_of "$2")" 2> /dev/null)" = "$live" ]
}
units=() start=()
for job in "${!processes[@]}"; do
  for ((number = 1; number <= ${processes[$job]}; number++)); do
    unit=$job_units$job@$number.service
    ln -sfn "$units_directory/$job_units$job@.service" "$unit_wants/$unit"
    units+=("$unit")
    is_current "$job" "$unit" || start+=("$unit")
  done
done
if [ "${#start[@]}" != 0 ]; then
  restart_units "${start[@]}"
  watch_units "${start[@]}"
  echo "Started ${#start[@]} processes."
fi
report_jobs "${units[@]}"
echo "The server has the project's jobs."
