# shellcheck shell=bash
# uses: stop.sh
# given: node program release_directory working_directory shared not_run
# Reads what the .htaccess files of a release keep from visitors. `not_run`: a pattern of files whose source no visitor gets; empty:
# the site runs them.
if [[ -x $node ]]; then
  env -i timeout 120 "$node" --input-type=module-typescript --disable-warning=ExperimentalWarning -e "$program" -- \
    "$release_directory" "$working_directory" "$shared" "$not_run" ||
    stop "The .htaccess files of the release could not be read, so that it might show what they deny."
else
  echo "Warning: The server has no Node to read .htaccess files with: what they deny is not denied."
fi
