# shellcheck shell=bash
# uses: administrator.sh, quote.sh
# given: name username
# Prints a line when the engine has a database or a user of the names.
quote_text "$name"; name_text=$quoted
quote_text "$username"
ask_mariadb <<< "SELECT 1 FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = $name_text
  UNION SELECT 1 FROM mysql.user WHERE User = $quoted;"
