# shellcheck shell=bash disable=SC2154
# An undo finds the secrets of its step as the credentials of its unit.
LONGSHORE_SECRETS=${LONGSHORE_SECRETS-${CREDENTIALS_DIRECTORY-}}
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

rm -rf -- "$copy.new"
[[ -s $copy/dump.sql.gz ]] || exit 0
now=$(client mariadb --batch --skip-column-names "$database" <<< "$schema;" 2> /dev/null) || now=unreadable
if [[ $now = "$(cat -- "$copy/schema")" && ! -e $copy/restoring ]]; then
  echo "The update had not changed the database: it stays as it is."
else
  # What began to be put back is put back from the start.
  : > "$copy/restoring"
  tables=$(client mariadb --batch --raw --skip-column-names <<< "SELECT CONCAT('DROP TABLE IF EXISTS \`',
    REPLACE(table_name, '\`', '\`\`'), '\`;')
    FROM information_schema.tables WHERE table_schema = '$database' AND table_type = 'BASE TABLE';")
  {
    echo "SET FOREIGN_KEY_CHECKS = 0;"
    echo "$tables"
    gzip --decompress --stdout -- "$copy/dump.sql.gz"
  } | client mariadb --batch "$database"
  echo "The update had changed the database: the copy from before was put back."
fi
client mariadb --batch "$database" <<< "$afterUndo;" || true
rm -rf -- "$copy"
