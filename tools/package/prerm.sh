#!/bin/sh
# Before the programs are removed: the service that uses them ends. Its settings and data stay.
set -e

if [ "$1" = remove ] && [ -d /run/systemd/system ] && [ -f /etc/systemd/system/longshore.service ]; then
  systemctl disable --now longshore
fi
