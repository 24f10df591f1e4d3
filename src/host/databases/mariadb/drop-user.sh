# shellcheck shell=bash
# uses: sql.sh
# given: username mark origins
if ! is_claimed; then
  echo "Longshore did not create a user $username here."
  exit
fi
quote_text "$username"; user_text=$quoted
statements=$(
  preamble
  for origin in "${origins[@]}"; do
    quote_account "$username" "${origin%% *}"
    printf 'DROP USER IF EXISTS %s;\n' "$quoted"
  done
  printf 'DELIMITER //\nBEGIN NOT ATOMIC\nDECLARE CONTINUE HANDLER FOR 1094 BEGIN END;\n'
  printf 'FOR seen IN (SELECT ID FROM information_schema.PROCESSLIST WHERE USER = %s) DO\n' "$user_text"
  printf 'KILL HARD CONNECTION seen.ID;\nEND FOR;\nEND//\nDELIMITER ;\n'
)
run_statements "The user $username was not removed." <<< "$statements"
forget_user "$mark"
echo "The user $username is gone."
