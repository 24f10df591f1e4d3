# shellcheck shell=bash
# uses: stop.sh, ask.sh, php-reason.sh, take-pass.sh, held.sh
# given: check_path health_path server_name expected_status_hint expected
# Asks for the new release as a visitor would. `check_path`: shows what serves; `expected_status_hint`: the part of an error that
# names the expected status.

# A web server that was reloaded a moment ago may answer as before for an instant.
for ((tries = 0; ; tries++)); do
  ask "$check_path"
  [[ $body/ != "$expected"/* ]] || break
  # The site's certificate may come or go meanwhile.
  if [[ $scheme$status = http301 ]]; then scheme=https; elif [[ $scheme$status = https ]]; then scheme=http; fi
  if ((tries == 100)); then
    stop "The web server does not serve the new release: it answered ${status:-nothing}, ${body:-without content}."
  fi
  sleep 0.03
done
# A visitor would get the maintenance page.
if is_held; then echo "The site is in maintenance; the release is in place."; exit; fi
for ((tries = 0; ; tries++)); do
  ask "$health_path"
  if is_answer; then break; fi
  if ((tries == 20)); then
    if is_locked; then exit; fi
    stop "The new release answers ${status:-nothing} to a request for $health_path$expected_status_hint.$(reason)"
  fi
  sleep 0.05
done
echo "$server_name answers $status with the new release."
