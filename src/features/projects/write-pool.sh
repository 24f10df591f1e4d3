# shellcheck shell=bash
# uses: runner/put-file.sh, runner/keep-running.sh, php/php-version.sh, php/extensions.sh
# given: user settings_file settings workers worker_mb ini_directory ini_file ini extensions live_program service socket
# given: unit_directory service_unit socket_unit
# Sets up the PHP workers of a project. `service_unit` and `socket_unit`: texts. `live_program`: a link to the PHP-FPM of the live
# release, if that has a version of its own. `workers`: at most, but no more than one for each `worker_mb` of the server's memory.
version=$(php_version)
[ -n "$version" ] || fail "PHP-FPM is not installed on this server."
program=$(readlink -- "$live_program") || program=$(command -v "php-fpm$version") || fail "There is no php-fpm$version."
used=${program##*php-fpm}
add_extensions "$used" "${extensions[@]}"
most=$(($(awk '$1 == "MemTotal:" { print int($2 / 1024) }' /proc/meminfo) / worker_mb))
if ((workers > most)); then
  echo "The server has memory for $most workers, and not for $workers."
  workers=$most
fi
former=$(cat "$settings_file" 2> /dev/null || true)
former_ini=$(cat "$ini_file" 2> /dev/null || true)
mkdir -p -- "$ini_directory"
chgrp "$user" "$ini_directory"
chmod 750 "$ini_directory"
put_file "$ini_file" 0640 "$ini$(settings_of_extensions "$used" "${extensions[@]}")"
put_file "$settings_file" 0640 "${settings//WORKERS/$workers}"
chgrp "$user" "$settings_file" "$ini_file"
restore() { # FILE FORMER
  if [ -n "$2" ]; then printf '%s\n' "$2" > "$1"; else rm -- "$1"; fi
}
refuse() { # SENTENCE
  restore "$settings_file" "$former"
  restore "$ini_file" "$former_ini"
  fail "$1 The former settings were put back."
}
export PHP_INI_SCAN_DIR=:$ini_directory
if ! answer=$("$program" --test --fpm-config "$settings_file" 2>&1); then
  printf '%s\n' "$answer"
  refuse "PHP-FPM rejects the settings of the project's workers."
fi
if [ "${#extensions[@]}" != 0 ]; then
  loaded=$("$program" -m 2> /dev/null | tr '[:upper:]' '[:lower:]')
  for each in "${extensions[@]}"; do
    grep -qx "$each" <<< "$loaded" || refuse "PHP $used does not load the extension $each."
  done
fi
wrote=$(
  put_file "$unit_directory/$service" 0644 "${service_unit//VERSION/$version}" &&
    put_file "$unit_directory/$socket" 0644 "$socket_unit"
)
if [ -n "$wrote" ]; then
  echo "$wrote"
  systemctl daemon-reload
  systemctl try-restart "$service"
elif [ "$former$former_ini" != "$(cat "$settings_file")$(cat "$ini_file")" ] && systemctl is-active --quiet "$service"; then
  systemctl reload "$service"
fi
keep_running "$socket"
