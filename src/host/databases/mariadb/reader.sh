# shellcheck shell=bash
# uses: accounts.sh
# given: name username secret
# Makes a user that can read a database.
read_verifier "$secret"
claim_user
statements=$(
  preamble
  print_accounts 'SELECT, SHOW VIEW'
)
run_statements "The user $username was not created." <<< "$statements"
echo "$username can read the database $name."
