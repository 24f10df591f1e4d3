# shellcheck shell=bash
# given: copy schema
# Needs the functions of the database's engine.
umask 077
rm -rf -- "$copy" "$copy.new"
mkdir -p -- "$copy.new"
size=$(database_size)
[[ $size =~ ^[0-9]{1,12}$ ]] || fail "The size of the database cannot be read."
free=$(df --block-size=M --output=avail -- "$copy.new" | tail -n 1 | tr -dc 0-9)
((free > size + 50)) || fail "The server's disk has $free MB left; a copy of the database needs up to $((size + 50)) MB."
ask "$schema" > "$copy.new/schema"
dump_database | gzip --fast > "$copy.new/dump.sql.gz"
gzip --test "$copy.new/dump.sql.gz"
mv -T -- "$copy.new" "$copy"
echo "Copied the database ($(stat -c %s -- "$copy/dump.sql.gz") bytes)."
