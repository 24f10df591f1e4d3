# shellcheck shell=bash disable=SC2154
client() { # PROGRAM ARGUMENT…
  # The password is in no argument: programs read it from a pipe.
  local program=$1
  shift
  "$program" --defaults-extra-file=<(
    password=$(cat -- "$LONGSHORE_SECRETS/database-password")
    password=${password//\\/\\\\}
    printf '[client]\nuser="%s"\npassword="%s"\n' "$username" "${password//\"/\\\"}"
  ) "$@"
}

umask 077
rm -rf -- "$copy" "$copy.new"
mkdir -p -- "$copy.new"
size=$(client mariadb --batch --skip-column-names <<< "SELECT CEIL(COALESCE(SUM(data_length + index_length), 0) / 1048576)
  FROM information_schema.tables WHERE table_schema = '$database';")
free=$(df --block-size=M --output=avail -- "$copy.new" | tail -n 1 | tr -dc 0-9)
((free > size + 50)) || fail "The server's disk has $free MB left; a copy of the database needs up to $((size + 50)) MB."
client mariadb --batch --skip-column-names "$database" <<< "$schema;" > "$copy.new/schema"
client mariadb-dump --single-transaction --quick --triggers --no-tablespaces --hex-blob --skip-comments "$database" |
  gzip --fast > "$copy.new/dump.sql.gz"
gzip --test "$copy.new/dump.sql.gz"
mv -T -- "$copy.new" "$copy"
echo "Copied the database ($(stat -c %s -- "$copy/dump.sql.gz") bytes)."
