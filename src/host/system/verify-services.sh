# shellcheck shell=bash
# given: units
# `units`: an array.
down=()
for unit in "${units[@]}"; do
  systemctl is-active --quiet "$unit" && systemctl is-enabled --quiet "$unit" || down+=("$unit")
done
[ "${#down[@]}" = 0 ] || fail "These services do not run or do not start with the server: ${down[*]}."
echo "Every service runs and starts with the server."
