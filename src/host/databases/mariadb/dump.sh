# shellcheck shell=bash disable=SC2154 # the renderer sets the variables
# Prints a compressed dump as of one moment. Root asks by the socket, so that no password is needed.
set -euo pipefail
cd /
mariadb-dump --no-defaults --default-character-set=utf8mb4 --single-transaction --quick --routines --triggers --events \
  --hex-blob --no-tablespaces -- "$name" | gzip -c
