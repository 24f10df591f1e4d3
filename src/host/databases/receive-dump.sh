# shellcheck shell=bash
# given: imports id size
# Keeps standard input as the dump of an import, as far as the disk has room for it and for what is loaded from it. The directory is
# root's alone; the dump can be read, because what loads it is handed the open file and opens it again. Prints how long it is.
set -euo pipefail
cd /
(umask 077 && mkdir -p "$imports/$id")
find "$imports" -mindepth 1 -maxdepth 1 -mmin +10080 -exec rm -rf {} +
free=$(df --output=avail -B1 "$imports" | tail -n 1)
limit=$(((free - 1073741824) / 2))
if ((limit <= 0 || size > limit)); then
  echo "The disk of the server has no room for the dump." >&2
  exit 9
fi
head -c "$((limit + 1))" > "$imports/$id/dump"
received=$(stat -c %s "$imports/$id/dump")
if ((received > limit)); then
  rm -rf "${imports:?}/$id"
  echo "The disk of the server has no room for the dump." >&2
  exit 9
fi
echo "$received"
