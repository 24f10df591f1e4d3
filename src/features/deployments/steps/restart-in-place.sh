# shellcheck shell=bash
# uses: network/request.sh, units.sh, point-to.sh, expectation.sh, silent.sh
# given: server_name health_path project_directory first_port second_port second_port_flag release_name slots health_seconds
# given: asked
# Restarts the one process. `health_seconds`: at most; `asked`: the path, and the expected answer.
cd -- "$project_directory" || exit
port=$first_port
if [[ -e $second_port_flag ]]; then port=$second_port; fi
unit=$(unit_on "$port")
ln -sfn "../releases/$release_name" "$slots/$port"
systemctl restart "$unit"
point_to "releases/$release_name" "$port" -
end=$((SECONDS + health_seconds))
until http_get "$port" "$server_name" "$health_path"; is_expected; do
  if ((SECONDS >= end)); then
    if [[ $status ]]; then give_up "The process answers $status on port $port to a request for $asked"; fi
    give_up "$(silence)"
  fi
  sleep 0.05
done
printf 'live_port %s\n' "$port" >> "$LONGSHORE_FACTS"
echo "The process answers $status on port $port."
