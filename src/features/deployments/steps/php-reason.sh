# shellcheck shell=bash
# given: journal php_units release_directory
# `reason` prints the last error of PHP. `journal`: the namespace of projects; `php_units`: empty without PHP.

began=$(date +%s)
reason() {
  local message
  [[ $php_units ]] && ((${status:-0} >= 500)) || return 0
  journalctl "--namespace=$journal" --sync 2> /dev/null || true
  message=$(
    journalctl "--namespace=$journal" --quiet --no-pager --output=cat --lines=20000 --since="@$began" \
      "--unit=$php_units" 2> /dev/null |
      sed -n 's/.*PHP message: //p' | grep -aF "$release_directory/" | tail -n 1 | cut -c 1-500
  ) || true
  echo "${message:+ $message}"
}
