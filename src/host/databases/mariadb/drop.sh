# shellcheck shell=bash
# uses: sql.sh
# given: name mark usernames marks origins marked_only
# Drops a database and its users. First the users, so that nothing connects again, then the connections, then the database: a
# transaction that is open would hold it.
quote_name "$name"; database=$quoted
quote_text "$name"; name_text=$quoted
quote_text "$mark"; mark_text=$quoted
names=()
for each in "${usernames[@]}"; do quote_text "$each"; names+=("$quoted"); done
listed=$(IFS=,; printf '%s' "${names[*]}")
if [[ $marked_only ]]; then
  ours=$(ask_mariadb <<< \
    "SET SESSION sql_mode = ''; SELECT 1 FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = $name_text AND SCHEMA_COMMENT = $mark_text;")
  if [[ -z $ours ]]; then
    echo "Longshore did not create a database $name here."
    exit
  fi
fi
statements=$(
  preamble
  for each in "${usernames[@]}"; do
    for origin in "${origins[@]}"; do
      quote_account "$each" "${origin%% *}"
      printf 'DROP USER IF EXISTS %s;\n' "$quoted"
    done
  done
  printf 'DELIMITER //\nBEGIN NOT ATOMIC\nDECLARE CONTINUE HANDLER FOR 1094 BEGIN END;\n'
  printf 'FOR seen IN (SELECT ID FROM information_schema.PROCESSLIST WHERE ID <> CONNECTION_ID() AND (DB = %s OR USER IN (%s))) DO\n' \
    "$name_text" "$listed"
  printf 'KILL HARD CONNECTION seen.ID;\nEND FOR;\nEND//\nDELIMITER ;\n'
  printf 'DROP DATABASE IF EXISTS %s;\n' "$database"
)
run_statements "The database $name was not removed." <<< "$statements"
for each in "${marks[@]}"; do forget_user "$each"; done
echo "The database $name is gone."
