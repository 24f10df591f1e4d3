# shellcheck shell=bash
# given: releases_directory live_link state kept
# Removes old releases. `kept`: how many besides the live one; `state`: a directory.
cd -- "$releases_directory" || exit
live=$(readlink "$live_link")
mapfile -t names < <(find . -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort -rn)
count=0
for name in "${names[@]}"; do
  [[ $name != "${live##*/}" ]] || continue
  count=$((count + 1))
  ((count > kept)) || continue
  rm -rf -- "./$name"
  echo "Removed the release $name."
done
rm -f -- "$state"/deployment-*
