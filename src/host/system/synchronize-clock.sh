# shellcheck shell=bash
# uses: runner/packages.sh, runner/keep-running.sh, in-container.sh
# Starts a time service where none runs.
if in_container; then
  echo "Skipped: a container has its host's clock."
  exit
fi
for unit in chrony ntpsec ntp systemd-timesyncd; do
  if systemctl is-active --quiet "$unit"; then
    echo "$unit keeps the clock."
    exit
  fi
done
need_packages systemd-timesyncd
keep_running systemd-timesyncd.service
echo "systemd-timesyncd keeps the clock."
