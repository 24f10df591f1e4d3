# shellcheck shell=bash
# uses: runner/put-file.sh, runner/keep-running.sh, php/php-version.sh
# given: user settings_file settings service socket unit_directory service_unit socket_unit
# Sets up the PHP workers of a project. `service_unit` and `socket_unit`: texts.
version=$(php_version)
[ -n "$version" ] || fail "PHP-FPM is not installed on this server."
former=$(cat "$settings_file" 2> /dev/null || true)
put_file "$settings_file" 0640 "$settings"
chgrp "$user" "$settings_file"
if ! answer=$("php-fpm$version" --test --fpm-config "$settings_file" 2>&1); then
  if [ -n "$former" ]; then printf '%s\n' "$former" > "$settings_file"; else rm -- "$settings_file"; fi
  printf '%s\n' "$answer"
  fail "PHP-FPM rejects the settings of the project's workers; the former ones were put back."
fi
wrote=$(
  put_file "$unit_directory/$service" 0644 "${service_unit//VERSION/$version}" &&
    put_file "$unit_directory/$socket" 0644 "$socket_unit"
)
if [ -n "$wrote" ]; then
  echo "$wrote"
  systemctl daemon-reload
  systemctl try-restart "$service"
elif [ "$former" != "$(cat "$settings_file")" ] && systemctl is-active --quiet "$service"; then
  systemctl reload "$service"
fi
keep_running "$socket"
