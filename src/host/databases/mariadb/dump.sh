# shellcheck shell=bash
# Runs as the user of the unit. Prints a dump as of one moment. Its first line makes clients refuse commands of their own in the rest.
# The rest of standard input is the password.
{
  set -euo pipefail
  MYSQL_PWD=$(cat)
  export MYSQL_PWD
  account=(--no-defaults --default-character-set=utf8mb4 --protocol=tcp --host=127.0.0.1 --user="$USERNAME")
  # The dump would break off there.
  hidden=$(mariadb "${account[@]}" --binary-mode --batch --skip-column-names --database="$NAME" <<< \
    'SELECT ROUTINE_NAME FROM information_schema.ROUTINES
      WHERE ROUTINE_SCHEMA = DATABASE() AND ROUTINE_DEFINITION IS NULL LIMIT 1')
  if [[ $hidden ]]; then
    echo "The routine $hidden is another account's, and $USERNAME may not read its code." >&2
    exit 1
  fi
  exec mariadb-dump "${account[@]}" --single-transaction --quick --routines --triggers --events --hex-blob --no-tablespaces -- "$NAME"
}
