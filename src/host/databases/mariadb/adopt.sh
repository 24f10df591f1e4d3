# shellcheck shell=bash
# uses: accounts.sh
# given: name username secret
# Gives a database that Longshore did not make a user of Longshore's. Those it has keep their rights.
read_verifier "$secret"
quote_text "$name"; name_text=$quoted
claim_user
statements=$(
  preamble
  printf 'DELIMITER //\nBEGIN NOT ATOMIC\n'
  printf 'IF NOT EXISTS (SELECT 1 FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = %s) THEN\n' "$name_text"
  printf "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'longshore: missing'; END IF;\n"
  printf 'END//\nDELIMITER ;\n'
  print_accounts 'ALL PRIVILEGES'
)
run_statements "The database $name was not adopted." <<< "$statements"
echo "$username can use the database $name."
