# shellcheck shell=bash
# uses: units.sh
# given: unit_wants job_units
# Restarts all processes of background jobs. `job_units`: the prefix of their names.
shopt -s nullglob
units=()
for link in "$unit_wants/$job_units"*@*.service; do units+=("${link##*/}"); done
if [ "${#units[@]}" = 0 ]; then exit; fi
restart_units "${units[@]}"
watch_units "${units[@]}"
report_jobs "${units[@]}"
echo "Restarted ${#units[@]} processes of background jobs."
