#!/bin/sh
# After dpkg has unpacked this version: it becomes the one that runs.
set -e

if [ "$1" = configure ]; then
  cd /usr/lib/longshore
  ln -s versions/@VERSION@ current.new
  mv -T current.new current
  if [ -d /run/systemd/system ] && [ -f /etc/systemd/system/longshore.service ]; then
    systemctl try-restart longshore
  elif [ -z "$2" ]; then
    echo "Longshore @VERSION@ is here. Start it as a service: longshore service install"
  fi
fi
