# shellcheck shell=bash disable=SC2154 # the renderer sets the variables
# Makes a user that can read a database.
read_verifier "$secret"
claim_user
statements=$(
  preamble
  print_accounts 'SELECT, SHOW VIEW'
)
run_statements "The user $username was not created." <<< "$statements"
echo "$username can read the database $name."
