#!/bin/sh
# After the programs were removed. The data of the service and its user stay in any case: before,
# `longshore service uninstall --purge` removes all.
set -e

case $1 in
  remove)
    rm -rf /usr/lib/longshore
    ;;
  purge)
    rm -rf /usr/lib/longshore /etc/longshore-control /var/cache/longshore-control
    rm -f /etc/systemd/system/longshore.service /etc/systemd/system/longshore-certificate.*
    if [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
    ;;
esac
