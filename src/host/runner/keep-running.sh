# shellcheck shell=bash
# Starts services.

# Enabling makes systemd read all its files again unless that is suppressed. The next boot reads them; until then the
# unit runs because this script starts it.
keep_running() { # UNIT
  systemctl is-enabled --quiet "$1" || systemctl enable --quiet --no-reload "$1"
  if systemctl is-active --quiet "$1"; then return; fi
  systemctl start "$1"
  echo "Started $1."
}
