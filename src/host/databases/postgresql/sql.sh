# shellcheck shell=bash disable=SC2034,SC2154,SC2317,SC2329 # the renderer sets variables; not every script uses each function
# psql quotes: :"name" is an identifier, :'name' a text. Names are on its command line, what a password is checked against is not.

cd /

# The `psql` in the path is a program of Debian's in Perl that looks for this one, and takes longer than most statements.
programs=(/usr/lib/postgresql/*/bin/psql)

# A function that the owner of the database has made, with the name of one of PostgreSQL's own and arguments that fit better, would
# run with the administrator's rights: the search path has PostgreSQL's own alone.
run_psql() { # DATABASE SENTENCE, statements on standard input
  answer=
  if ! answer=$(
    PGDATABASE=$1 PGOPTIONS='-c search_path=pg_catalog' exec setpriv --reuid=postgres --regid=postgres --init-groups --no-new-privs -- \
      "${programs[-1]}" --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 --set=VERBOSITY=terse \
      --set=name="$name" --set=username="$username" --set=mark="$mark" 2>&1
  ); then
    case $answer in
      *"longshore: database"*) fail "A database named $name exists on this server already, and Longshore did not create it." ;;
      *"longshore: user"*) fail "A user named $username exists in PostgreSQL already, and Longshore did not create it." ;;
      *"longshore: missing"*) fail "There is no database named $name in PostgreSQL." ;;
    esac
    fail "$2 PostgreSQL answered: ${answer//$'\n'/ }"
  fi
}

read_verifier() { # SECRET
  verifier=
  IFS= read -r verifier < "$LONGSHORE_SECRETS/$1" || true
  [[ $verifier =~ ^SCRAM-SHA-256\$[0-9]+:[A-Za-z0-9+/=]+\$[A-Za-z0-9+/=]+:[A-Za-z0-9+/=]+$ ]] ||
    fail "The password of $username did not reach the server."
  # Read by psql, which gets no other argument.
  # shellcheck disable=SC2034 # not every script needs it
  set_verifier="\\set verifier '$verifier'"
}
