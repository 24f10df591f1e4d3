# shellcheck shell=bash
# Prints a line for each unit that was restarted.
units=$(timeout 5 systemctl show --property=Id,NRestarts,ActiveState 'longshore-project-*@*.service' 2> /dev/null) || exit 0
printf '%s\n' "$units" |
  awk -F= '
    function print_unit() { if (restarts > 0) print id, restarts, state; restarts = 0 }
    $1 == "Id" { id = $2 }
    $1 == "NRestarts" { restarts = $2 }
    $1 == "ActiveState" { state = $2 }
    $0 == "" { print_unit() }
    END { print_unit() }' |
  head -c 200000
echo end
