# shellcheck shell=bash
# uses: units.sh
# given: unit_wants job_units units_directory scheduled
# Stops processes that belong to no job any more. `job_units`: the prefix of their names.
gone=()
for link in "$unit_wants/$job_units"*@*.service; do
  unit=${link##*/}
  if [ "$(number_of "$unit")" -gt "${processes[$(job_of "$unit")]:-0}" ]; then
    gone+=("$unit")
    rm -f -- "$link"
  fi
done
if [ "${#gone[@]}" != 0 ]; then
  systemctl stop "${gone[@]}"
  echo "Stopped ${#gone[@]} processes."
fi
for template in "$units_directory/$job_units"*@.service; do
  job=$(job_of "${template##*/}")
  if [ -z "${processes[$job]-}" ] && [[ $scheduled != *" $job "* ]]; then
    rm -f -- "$template"
    changes+=gone
  fi
done
[ -z "$changes" ] || systemctl daemon-reload
