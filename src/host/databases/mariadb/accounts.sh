# shellcheck shell=bash disable=SC2154 # the renderer sets the variables
# Needs quote.sh.

read_verifier() { # SECRET
  verifier=
  IFS= read -r verifier < "$LONGSHORE_SECRETS/$1" || true
  [[ $verifier == \** && ${#verifier} == 41 ]] || fail "The password of $username did not reach the server."
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
