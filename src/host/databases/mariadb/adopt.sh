# shellcheck shell=bash disable=SC2154 # the renderer sets the variables
# Gives a database that Longshore did not make a user of Longshore's. Those it has keep their rights.
read_verifier "$secret"
quote_pattern "$name"; pattern=$quoted
quote_text "$name"; name_text=$quoted
claim_user
statements=$(
  preamble
  printf 'DELIMITER //\nBEGIN NOT ATOMIC\n'
  printf 'IF NOT EXISTS (SELECT 1 FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = %s) THEN\n' "$name_text"
  printf "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'longshore: missing'; END IF;\n"
  printf 'END//\nDELIMITER ;\n'
  for origin in "${origins[@]}"; do
    quote_account "$username" "${origin%% *}"
    require=${origin#* }
    printf "CREATE USER IF NOT EXISTS %s IDENTIFIED VIA mysql_native_password USING '%s' REQUIRE %s;\n" "$quoted" "$verifier" "$require"
    printf "ALTER USER %s IDENTIFIED VIA mysql_native_password USING '%s' REQUIRE %s;\n" "$quoted" "$verifier" "$require"
    printf 'GRANT ALL PRIVILEGES ON %s.* TO %s;\n' "$pattern" "$quoted"
  done
)
run_statements "The database $name was not adopted." <<< "$statements"
echo "$username can use the database $name."
