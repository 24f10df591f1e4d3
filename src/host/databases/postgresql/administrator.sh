# shellcheck shell=bash
# PostgreSQL's administrator. It defines databases and roles, and in a database owners and privileges: PostgreSQL evaluates nothing
# that an owner made for these (test/administrator.test.ts). The settings see to the rest; a session's own win over a database's.
# Functions, operators and tables that an owner has made, with the names of PostgreSQL's own, would be used with the administrator's
# rights: the search path has PostgreSQL's own alone. As on a replica, no trigger of an event runs. With the others an owner could
# make sessions in its database fail.
ask_postgresql() ( # DATABASE ARGUMENT…, statements on standard input
  # The `psql` in the path is a program of Debian's in Perl that looks for this one, and takes longer than most statements.
  programs=(/usr/lib/postgresql/*/bin/psql)
  settings='-c search_path=pg_catalog -c session_replication_role=replica -c role=none -c default_transaction_read_only=off'
  settings+=' -c statement_timeout=0 -c lock_timeout=60s -c standard_conforming_strings=on'
  cd / || exit
  PGDATABASE=$1 PGOPTIONS=$settings PGCLIENTENCODING=UTF8 exec \
    setpriv --reuid=postgres --regid=postgres --init-groups --no-new-privs -- \
    "${programs[-1]}" --no-psqlrc --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 --set=VERBOSITY=terse "${@:2}"
)
