# shellcheck shell=bash disable=SC2034,SC2154,SC2317,SC2329 # the renderer sets variables; not every script uses each function
# In binary mode the client changes no byte of what it is given, and obeys no command but DELIMITER.
# Each function leaves its result in the variable `quoted`: a subshell for each name would cost more than the statement.

quote_name() { # NAME
  quoted="\`${1//\`/\`\`}\`"
}

quote_text() { # TEXT
  local backslash=\\ quote=\'
  quoted=${1//"$backslash"/"$backslash$backslash"}
  quoted="'${quoted//"$quote"/"$quote$quote"}'"
}

# In a grant the name of a database is a pattern.
quote_pattern() { # NAME
  local backslash=\\
  quoted=${1//"$backslash"/"$backslash$backslash"}
  quoted=${quoted//_/"$backslash"_}
  quoted=${quoted//%/"$backslash"%}
  quote_name "$quoted"
}

quote_account() { # USERNAME ORIGIN
  local user
  quote_text "$1"
  user=$quoted
  quote_text "$2"
  quoted=$user@$quoted
}

# Statements on standard input. The last line of MariaDB's answer names what it refused.
run_statements() { # SENTENCE
  local answer
  if ! answer=$(exec mariadb --no-defaults --binary-mode --batch --skip-column-names --default-character-set=utf8mb4 2>&1); then
    case $answer in
      *": longshore: database"*) fail "A database named $name exists on this server already, and Longshore did not create it." ;;
      *": longshore: user"*) fail "A user named $username exists in MariaDB already, and Longshore did not create it." ;;
      *": longshore: missing"*) fail "There is no database named $name in MariaDB." ;;
    esac
    # Before the error it repeats the statement, in which what a password is checked against may stand.
    answer=ERROR${answer##*ERROR}
    fail "$1 MariaDB answered: ${answer//$'\n'/ }"
  fi
}

# MariaDB's own settings and sockets are root's: everything is done as root, whom MariaDB authenticates by the socket.
preamble() {
  printf "SET SESSION sql_mode = 'STRICT_TRANS_TABLES', lock_wait_timeout = 60;\n"
}

read_verifier() { # SECRET
  verifier=
  IFS= read -r verifier < "$LONGSHORE_SECRETS/$1" || true
  [[ $verifier == \** && ${#verifier} == 41 ]] || fail "The password of $username did not reach the server."
}

# MariaDB has no place for a note at a user. The file records that Longshore made the user, also when the run was cut off before its
# end.
is_claimed() {
  local file=/var/lib/longshore/database-users/$mark
  [[ -e $file && $(< "$file") == "$username" ]]
}

claim_user() {
  local exists
  if [[ -z $checks ]] || is_claimed; then return; fi
  quote_text "$username"
  exists=$(mariadb --no-defaults --binary-mode --batch --skip-column-names --default-character-set=utf8mb4 <<< \
    "SET SESSION sql_mode = ''; SELECT 1 FROM mysql.user WHERE User = $quoted LIMIT 1;")
  [[ -z $exists ]] || fail "A user named $username exists in MariaDB already, and Longshore did not create it."
  install -d -m 700 /var/lib/longshore/database-users
  printf '%s' "$username" > "/var/lib/longshore/database-users/$mark"
}

forget_user() { # MARK
  rm -f -- "/var/lib/longshore/database-users/$1"
}
