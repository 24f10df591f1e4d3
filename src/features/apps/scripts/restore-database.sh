# shellcheck shell=bash
# given: copy schema afterUndo
# Needs the functions of the database's engine.
rm -rf -- "$copy.new"
[[ -s $copy/dump.sql.gz ]] || exit 0
now=$(ask "$schema" 2> /dev/null) || now=unreadable
if [[ $now = "$(cat -- "$copy/schema")" && ! -e $copy/restoring ]]; then
  echo "The update had not changed the database: it stays as it is."
else
  # An interrupted restore is repeated from the start.
  : > "$copy/restoring"
  gzip --decompress --stdout -- "$copy/dump.sql.gz" | replace_database
  echo "The update had changed the database: the copy from before was put back."
fi
[[ ! $afterUndo ]] || ask "$afterUndo" || true
rm -rf -- "$copy"
