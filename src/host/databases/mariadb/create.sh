# shellcheck shell=bash
# uses: accounts.sh
# given: name username secret mark checks empties
# Makes a database and its user, or brings them to what they should be. MariaDB undoes no definition, so a comment at the database
# marks what a run made before it was cut off.
read_verifier "$secret"
quote_name "$name"; database=$quoted
quote_text "$name"; name_text=$quoted
quote_text "$username"; user_text=$quoted
quote_text "$mark"; mark_text=$quoted
statements=$(
  preamble
  if [[ $checks ]]; then
    printf 'DELIMITER //\nBEGIN NOT ATOMIC\n'
    printf 'DECLARE found TEXT DEFAULT (SELECT SCHEMA_COMMENT FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = %s);\n' "$name_text"
    printf "IF found <> %s THEN SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'longshore: database'; END IF;\n" "$mark_text"
    printf 'IF found IS NULL AND EXISTS (SELECT 1 FROM mysql.user WHERE User = %s) THEN\n' "$user_text"
    printf "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'longshore: user'; END IF;\nEND//\nDELIMITER ;\n"
  fi
  if [[ $empties ]]; then printf 'DROP DATABASE IF EXISTS %s;\n' "$database"; fi
  printf 'CREATE DATABASE IF NOT EXISTS %s CHARACTER SET utf8mb4 COMMENT %s;\n' "$database" "$mark_text"
  print_accounts 'ALL PRIVILEGES'
)
run_statements "The database $name was not created." <<< "$statements"
echo "The database $name belongs to $username."
