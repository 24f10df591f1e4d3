# shellcheck shell=bash disable=SC2154 # the renderer sets the variables
# Restarts all processes of background jobs, with the functions of units.sh. Variables: unit_wants, job_units (the prefix of their names).
shopt -s nullglob
units=()
for link in "$unit_wants/$job_units"*@*.service; do units+=("${link##*/}"); done
if [ "${#units[@]}" = 0 ]; then exit; fi
restart_units "${units[@]}"
watch_units "${units[@]}"
report_jobs "${units[@]}"
echo "Restarted ${#units[@]} processes of background jobs."
