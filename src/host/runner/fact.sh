# shellcheck shell=bash
# Returns a result to the control plane.
fact() { printf '%s %s\n' "$1" "$2" >> "$LONGSHORE_FACTS"; } # NAME VALUE
