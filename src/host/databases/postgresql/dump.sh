# shellcheck shell=bash
# Runs as the user of the unit. Prints a dump in PostgreSQL's custom format. The rest of standard input is the password.
{
  set -euo pipefail
  PGPASSWORD=$(cat)
  export PGPASSWORD PGHOST=127.0.0.1 PGUSER=$USERNAME PGDATABASE=$NAME
  # Stronger compression takes several times as long.
  exec pg_dump --format=custom --compress=1
}
