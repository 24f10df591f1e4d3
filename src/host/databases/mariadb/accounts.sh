# shellcheck shell=bash
# uses: sql.sh
# given: name username mark connections origins checks

read_verifier() { # SECRET
  verifier=
  IFS= read -r verifier < "$LONGSHORE_SECRETS/$1" || true
  [[ $verifier == \** && ${#verifier} == 41 ]] || fail "The password of $username did not reach the server."
}

claim_user() {
  local exists
  if [[ -z $checks ]] || is_claimed; then return; fi
  quote_text "$username"
  exists=$(ask_mariadb <<< "SET SESSION sql_mode = ''; SELECT 1 FROM mysql.user WHERE User = $quoted LIMIT 1;")
  [[ -z $exists ]] || fail "A user named $username exists in MariaDB already, and Longshore did not create it."
  install -d -m 700 /var/lib/longshore/database-users
  printf '%s' "$username" > "/var/lib/longshore/database-users/$mark"
}

# Makes the accounts of `username`, one for each origin, or brings them to what they should be.
print_accounts() { # RIGHTS to the database
  local origin pattern proof
  quote_pattern "$name"; pattern=$quoted
  for origin in "${origins[@]}"; do
    quote_account "$username" "${origin%% *}"
    proof="IDENTIFIED VIA mysql_native_password USING '$verifier' REQUIRE ${origin#* } WITH MAX_USER_CONNECTIONS $connections"
    printf 'CREATE USER IF NOT EXISTS %s %s;\n' "$quoted" "$proof"
    printf 'ALTER USER %s %s;\n' "$quoted" "$proof"
    printf 'GRANT %s ON %s.* TO %s;\n' "$1" "$pattern" "$quoted"
  done
}
