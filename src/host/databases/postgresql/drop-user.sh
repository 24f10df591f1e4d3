# shellcheck shell=bash disable=SC2154 # the renderer sets the variables
# Drops a role that Longshore made, with the rights it has in the database. Its connections end first.
run_psql "$name" "The user $username was not removed." << 'END'
SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = :'username' AND shobj_description(oid, 'pg_authid') = :'mark') AS is_there \gset
\if :is_there
ALTER ROLE :"username" NOLOGIN;
SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = :'username' \gset
DROP OWNED BY :"username";
DROP ROLE :"username";
\endif
END
echo "The user $username is gone."
