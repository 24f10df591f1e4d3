# shellcheck shell=bash disable=SC2034
# given: nodes version
# Sets `found` to the newest installed version of Node, or to an empty text. `nodes`: the directory of all versions; `version`: such
# as 24 or 24.11.0.
pattern=$version
[[ $version == *.* ]] || pattern+='.*'
found=$(find "$nodes" -maxdepth 1 -type d -name "$pattern" -printf '%f\n' | sort -V | tail -n 1)
