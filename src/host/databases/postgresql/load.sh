# shellcheck shell=bash
# uses: databases/open-dump.sh
# given: filter
# Runs as the user of the unit. The dump is standard input: a file, or what dump.sh prints. CHECK=1 only checks it. All of it is loaded,
# or nothing.
PGPASSWORD=$(< "$CREDENTIALS_DIRECTORY/password")
export PGPASSWORD PGHOST=127.0.0.1 PGUSER=$USERNAME PGDATABASE=$NAME PGOPTIONS=--client-min-messages=warning

advice() { # ERROR
  case $1 in
    *'already exists'*) echo " Empty the database first, which the load can do itself (empty_first)." ;;
    *'unsupported version'*)
      echo " A newer pg_dump made it than this server's: make it with pg_dump --format=plain." ;;
    *'end of file'*) echo " The dump is not complete: export it again, or send it again." ;;
    *'does not exist'*) echo " If the dump was made with --clean, make it with --if-exists, too." ;;
    *'permission denied to create extension'* | *'is not available'*)
      echo " Have the extension created by the administrator of the server, or leave it out of the dump." ;;
    *'permission denied'* | *'must be superuser'* | *'must be owner'*)
      echo " The statement needs more than this database: export the database alone, with pg_dump --no-owner --no-privileges." ;;
  esac
}

# The file of a problem that the filter finds, which counts more than what it makes of the statements before.
problem=$(mktemp)
settings() { psql --no-psqlrc --quiet --tuples-only --no-align --command='SELECT lower(name) FROM pg_settings' | tr '\n' ' '; }

# Committed only at the end of a complete dump.
load_sql() {
  {
    echo 'BEGIN;' && opened | PROBLEM=$problem SETTINGS=$known perl -e "$filter" && printf '\n;COMMIT;\n'
  } | psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1
}

# Owner and rights are those of the database's own user, to whom neither the schema public nor extensions belong. With `--dbname` it
# connects; the name is in the environment.
options=(--no-owner --no-privileges --no-tablespaces --no-publications --no-subscriptions --exit-on-error --single-transaction --dbname=)
load_archive() {
  local list
  list=$(mktemp)
  # It reads the beginning.
  (opened || true) | pg_restore --list > "$list" &&
    sed -i -E '/^[0-9]+; [0-9]+ [0-9]+ (SCHEMA - public|COMMENT - (EXTENSION|SCHEMA public)) /d' "$list" &&
    opened | pg_restore "${options[@]}" --use-list="$list"
}

load() {
  if [[ ! -f /dev/stdin ]]; then
    pg_restore "${options[@]}"
  elif [[ $is_archive ]]; then
    load_archive
  else
    load_sql
  fi
}

is_archive='' known=''
if [[ -f /dev/stdin ]]; then
  open_layers
  # A tar archive of pg_dump begins with a file of this name.
  if [[ $first == 5047444d50* || $first == 746f632e64617400* ]]; then is_archive=yes; fi
  case $(words "$first") in
    *'-- mysql dump '* | *'-- mariadb dump '* | '/*!'* | '/*m!'*)
      fail "It is a dump of MySQL or MariaDB, and the database is one of PostgreSQL." ;;
    *'-- postgresql database cluster dump'*)
      fail "It is a dump of a whole server. Export the database alone: pg_dump NAME > NAME.sql." ;;
  esac
  [[ ! $first || $is_archive ]] || refuse_others
fi
if [[ ${CHECK-} ]]; then
  check_whole
  exit
fi
if [[ -f /dev/stdin && ! $is_archive ]]; then known=$(settings); fi
if ! answer=$(load 2>&1 > /dev/null | tail -c 600); then
  [[ ! -s $problem ]] || fail "$(< "$problem")"
  fail "${answer//$'\n'/ }$(advice "$answer")"
fi
