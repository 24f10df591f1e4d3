# shellcheck shell=bash
# uses: stop.sh, ask.sh, php-reason.sh, installer.sh, take-pass.sh, held.sh
# given: check_path release_directory health_path server_name expected_status_hint
# Asks the new release before it is live. `check_path`: shows what serves; `expected_status_hint`: the part of an error that names
# the expected status.

is_healthy() {
  for ((tries = 0; ; tries++)); do
    ask "$health_path"
    if is_answer; then break; fi
    if ((tries == 20)); then
      if is_locked; then return; fi
      stop "The new release answers ${status:-nothing} to a request for $health_path$expected_status_hint. It was not made live.$(reason)"
    fi
    sleep 0.05
  done
  echo "$server_name would answer $status with the new release."
}
ask "$check_path"
# A site that was published before it could show a candidate: visitors' own way is verified afterwards.
if [[ $body/ = "$release_directory"/* ]]; then
  # Visitors of a site in maintenance see its page.
  is_held || is_healthy
  if [[ -e current ]] && ! expects_installer && shows_installer ask; then
    opened=$shown
    take_pass live
    shows_installer ask || refuse_installer "$opened"
  fi
fi
forget
