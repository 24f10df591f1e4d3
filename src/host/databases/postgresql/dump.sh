# shellcheck shell=bash disable=SC2154 # the renderer sets the variables
# Prints a dump in PostgreSQL's custom format, with the rights of the database's owner.
set -euo pipefail
cd /
PGDATABASE=$name exec setpriv --reuid=postgres --regid=postgres --init-groups --no-new-privs -- \
  pg_dump --format=custom --role="$role"
