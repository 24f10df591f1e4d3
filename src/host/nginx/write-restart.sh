# shellcheck shell=bash
# uses: runner/put-file.sh
# given: file settings
put_file "$file" 0644 "$settings"
if [ "$(systemctl show --property=NeedDaemonReload --value nginx.service)" = yes ]; then systemctl daemon-reload; fi
master=$(systemctl show --property=MainPID --value nginx.service)
if [ "$master" -gt 0 ]; then
  prlimit --pid "$master" --nofile="$(prlimit --pid "$master" --nofile --output HARD --noheadings | tr -d ' '):"
fi
echo "nginx starts again when it crashes."
