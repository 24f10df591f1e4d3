# shellcheck shell=bash
# Runs as the user of the unit. The dump is standard input: a file, which is opened again for each look at it, or what dump.sh prints.
# In binary mode the client changes no byte, and obeys no command but DELIMITER.
set -euo pipefail
MYSQL_PWD=$(< "$CREDENTIALS_DIRECTORY/password")
export MYSQL_PWD
fail() { printf '%s\n' "$1" >&2; exit 1; }
begins_with() { [[ -f /dev/stdin && $("$1" < /dev/stdin 2> /dev/null | head -c "${#2}" | tr -d '\0') == "$2" ]]; }
plain='cat'
if begins_with cat $'\x1f\x8b'; then
  gzip -t < /dev/stdin 2> /dev/null || fail "The compressed dump is not complete."
  plain='zcat'
fi
if begins_with $plain PGDMP; then fail "It is a dump of PostgreSQL, and the database is one of MariaDB."; fi
$plain |
  mariadb --no-defaults --binary-mode --default-character-set=utf8mb4 --protocol=tcp --host=127.0.0.1 --user="$USERNAME" \
    --database="$NAME" --batch --max-allowed-packet=1G > /dev/null
