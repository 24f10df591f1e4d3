# shellcheck shell=bash disable=SC2154 # the renderer sets the variables
# `reason` prints the last error of PHP. Variables: journal (the namespace of projects), php_units, release_directory.

began=$(date +%s)
reason() {
  local message
  ((${status:-0} >= 500)) || return 0
  journalctl "--namespace=$journal" --sync 2> /dev/null || true
  message=$(
    journalctl "--namespace=$journal" --quiet --no-pager --output=cat --lines=20000 --since="@$began" \
      "--unit=$php_units" 2> /dev/null |
      sed -n 's/.*PHP message: //p' | grep -aF "$release_directory/" | tail -n 1 | cut -c 1-500
  ) || true
  echo "${message:+ $message}"
}
