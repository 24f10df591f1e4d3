# shellcheck shell=bash disable=SC2154 # the renderer sets the variables
# Makes a user that can read a database.
read_verifier "$secret"
quote_pattern "$name"; pattern=$quoted
claim_user
statements=$(
  preamble
  for origin in "${origins[@]}"; do
    quote_account "$username" "${origin%% *}"
    require=${origin#* }
    printf "CREATE USER IF NOT EXISTS %s IDENTIFIED VIA mysql_native_password USING '%s' REQUIRE %s;\n" "$quoted" "$verifier" "$require"
    printf "ALTER USER %s IDENTIFIED VIA mysql_native_password USING '%s' REQUIRE %s;\n" "$quoted" "$verifier" "$require"
    printf 'GRANT SELECT, SHOW VIEW ON %s.* TO %s;\n' "$pattern" "$quoted"
  done
)
run_statements "The user $username was not created." <<< "$statements"
echo "$username can read the database $name."
