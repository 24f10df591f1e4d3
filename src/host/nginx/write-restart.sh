# shellcheck shell=bash disable=SC2154 # the renderer sets the variables
# Variables: file and settings of the unit.
put_file "$file" 0644 "$settings"
if [ "$(systemctl show --property=NeedDaemonReload --value nginx.service)" = yes ]; then systemctl daemon-reload; fi
master=$(systemctl show --property=MainPID --value nginx.service)
if [ "$master" -gt 0 ]; then
  prlimit --pid "$master" --nofile="$(prlimit --pid "$master" --nofile --output HARD --noheadings | tr -d ' '):"
fi
echo "nginx starts again when it crashes."
