# shellcheck shell=bash
# given: database username
# The same operations as in mariadb.sh.
client() { # PROGRAM ARGUMENT…
  # libpq cannot read a password from a pipe, and other users cannot read the environment.
  PGPASSWORD=$(cat -- "${LONGSHORE_SECRETS-${CREDENTIALS_DIRECTORY-}}/database-password") \
    PGHOST=127.0.0.1 PGUSER=$username PGDATABASE=$database PGOPTIONS='--client-min-messages=warning --lock-timeout=60s' "$@"
}
ask() { # STATEMENTS
  client psql --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 <<< "$1;"
}
database_size() { # in MB
  ask "SELECT pg_database_size(current_database()) / 1048576"
}
dump_database() {
  client pg_dump --no-owner --no-privileges
}
# In one transaction: an error leaves the present content. The schema `public` is in no dump.
replace_database() {
  {
    cat << 'END'
SELECT format('DROP SCHEMA %I CASCADE', nspname) FROM pg_namespace
  WHERE nspname <> 'information_schema' AND nspname NOT LIKE 'pg\_%' \gexec
CREATE SCHEMA public;
END
    cat
  } | client psql --no-psqlrc --quiet --single-transaction --set=ON_ERROR_STOP=1 > /dev/null
}
