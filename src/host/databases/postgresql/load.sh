# shellcheck shell=bash
# Runs as the user of the unit. The dump is standard input: a file, which is opened again for each look at it, or what dump.sh prints.
# All of it is loaded, or nothing.
set -euo pipefail
PGPASSWORD=$(< "$CREDENTIALS_DIRECTORY/password")
export PGPASSWORD PGHOST=127.0.0.1 PGUSER=$USERNAME PGDATABASE=$NAME PGOPTIONS=--client-min-messages=warning
fail() { printf '%s\n' "$1" >&2; exit 1; }
begins_with() { [[ -f /dev/stdin && $("$1" < /dev/stdin 2> /dev/null | head -c "${#2}" | tr -d '\0') == "$2" ]]; }
plain='cat'
if begins_with cat $'\x1f\x8b'; then
  gzip -t < /dev/stdin 2> /dev/null || fail "The compressed dump is not complete."
  plain='zcat'
fi
if [[ ! -f /dev/stdin ]] || begins_with $plain PGDMP; then
  # Owner and rights are those of the database's own user. With `--dbname` it connects; the name is in the environment.
  $plain | pg_restore --no-owner --no-privileges --exit-on-error --single-transaction --dbname=
else
  $plain | psql --no-psqlrc --quiet --single-transaction --set=ON_ERROR_STOP=1 > /dev/null
fi
