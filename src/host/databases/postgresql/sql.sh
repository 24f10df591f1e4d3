# shellcheck shell=bash
# uses: administrator.sh
# given: name username mark
# psql quotes: :"name" is an identifier, :'name' a text. Names are on its command line, what a password is
# checked against is not.

run_psql() { # DATABASE SENTENCE, statements on standard input
  answer=
  if ! answer=$(ask_postgresql "$1" --set=name="$name" --set=username="$username" --set=mark="$mark" 2>&1); then
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

# Drops a role, if it is there. First it is closed, in the administrator's database, over whose sessions no owner has a say. The owner
# of any database can grant something to any role, or name it in a policy: that goes with it. What the role owns goes with it in
# `name` alone.
drop_role() { # USERNAME
  local username=$1 sentence="The user $1 was not removed." database
  local -a databases
  run_psql postgres "$sentence" << 'END'
SELECT format('ALTER ROLE %I NOLOGIN', rolname) FROM pg_roles WHERE rolname = :'username' \gexec
SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = :'username' \gset
SELECT 'in ' || regexp_replace(encode(convert_to(datname, 'UTF8'), 'hex'), '(..)', '\\x\1', 'g')
  FROM pg_roles r JOIN pg_shdepend ON refclassid = 'pg_authid'::regclass AND refobjid = r.oid
    JOIN pg_database d ON d.oid = dbid OR dbid = 0 AND datname = 'postgres'
  WHERE rolname = :'username' GROUP BY datname HAVING datname = :'name' OR bool_and(deptype <> 'o');
END
  mapfile -t databases < <(sed -n 's/^in //p' <<< "$answer")
  for database in "${databases[@]}"; do
    printf -v database %b "$database"
    run_psql "$database" "$sentence" <<< 'DROP OWNED BY :"username";'
  done
  run_psql postgres "$sentence" <<< 'DROP ROLE IF EXISTS :"username";'
}
