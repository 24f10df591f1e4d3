# shellcheck shell=bash
# uses: administrator.sh, quote.sh
# given: name username mark

# Statements on standard input. The last line of MariaDB's answer names what it refused.
run_statements() { # SENTENCE
  local answer
  if ! answer=$(ask_mariadb 2>&1); then
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

preamble() {
  printf "SET SESSION sql_mode = 'STRICT_TRANS_TABLES', lock_wait_timeout = 60;\n"
}

# MariaDB has no place for a note at a user. The file records that Longshore made the user, also when the run was cut off before its
# end.
is_claimed() {
  local file=/var/lib/longshore/database-users/$mark
  [[ -e $file && $(< "$file") == "$username" ]]
}

forget_user() { # MARK
  rm -f -- "/var/lib/longshore/database-users/$1"
}
