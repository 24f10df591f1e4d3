# shellcheck shell=bash disable=SC2154
# The directory is root's, and so is the copy.
umask 077
rm -rf -- "$copy" "$copy.new"
mkdir -- "$copy.new"
size=$(mariadb --batch --skip-column-names <<< "SELECT CEIL(COALESCE(SUM(data_length + index_length), 0) / 1048576)
  FROM information_schema.tables WHERE table_schema = '$database';")
free=$(df --block-size=M --output=avail -- "${copy%/*}" | tail -n 1 | tr -dc 0-9)
((free > size + 50)) || fail "The server's disk has $free MB left; a copy of the database needs up to $((size + 50)) MB."
mariadb --batch --skip-column-names "$database" <<< "$schema;" > "$copy.new/schema"
mariadb-dump --single-transaction --quick --routines --triggers --hex-blob -- "$database" | gzip --fast > "$copy.new/dump.sql.gz"
gzip --test "$copy.new/dump.sql.gz"
mv -T -- "$copy.new" "$copy"
echo "Copied the database ($(stat -c %s -- "$copy/dump.sql.gz") bytes)."
