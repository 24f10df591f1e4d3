# shellcheck shell=bash
# given: database username
# Operations on an application's database, with the rights of its user.
client() { # PROGRAM ARGUMENT…
  # An undo receives the secrets of its step as credentials of its unit. The password is in no argument: programs read it from a
  # pipe.
  local program=$1
  shift
  "$program" --defaults-extra-file=<(
    password=$(cat -- "${LONGSHORE_SECRETS-${CREDENTIALS_DIRECTORY-}}/database-password")
    password=${password//\\/\\\\}
    printf '[client]\nuser="%s"\npassword="%s"\n' "$username" "${password//\"/\\\"}"
  ) "$@"
}
ask() { # STATEMENTS
  client mariadb --batch --skip-column-names "$database" <<< "$1;"
}
database_size() { # in MB
  ask "SELECT CEIL(COALESCE(SUM(data_length + index_length), 0) / 1048576)
    FROM information_schema.tables WHERE table_schema = '$database'"
}
dump_database() {
  client mariadb-dump --single-transaction --quick --triggers --no-tablespaces --hex-blob --skip-comments "$database"
}
# Replaces all tables by those of the dump on standard input.
replace_database() {
  local tables
  tables=$(client mariadb --batch --raw --skip-column-names <<< "SELECT CONCAT('DROP TABLE IF EXISTS \`',
    REPLACE(table_name, '\`', '\`\`'), '\`;')
    FROM information_schema.tables WHERE table_schema = '$database' AND table_type = 'BASE TABLE';")
  {
    echo "SET FOREIGN_KEY_CHECKS = 0;"
    echo "$tables"
    cat
  } | client mariadb --binary-mode --batch "$database"
}
