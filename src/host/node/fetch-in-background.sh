# shellcheck shell=bash
# uses: runner/put-file.sh
# given: installation additions unit version
# Runs two scripts in the background, one after the other. `installation` and `additions`: the scripts.
if ! command -v curl > /dev/null; then
  echo "Node is fetched later, when curl is installed."
  exit
fi
# Files, because systemd-run would replace variables in an argument. They go with the next boot.
put_file "/run/$unit.sh" 0700 "$installation"
put_file "/run/$unit-additions.sh" 0700 "$additions"
systemd-run --quiet --collect --unit="$unit" --description="Longshore: fetch Node $version" bash -c \
  "bash -euo pipefail /run/$unit.sh && bash -euo pipefail /run/$unit-additions.sh" || true
echo "Node is fetched while packages are installed."
