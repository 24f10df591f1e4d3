# shellcheck shell=bash
# uses: sql.sh
# given: name username secret mark connections checks
# Makes a role that can read a database: what is in it now, and what its owner adds later.
read_verifier "$secret"
run_psql "$name" "The user $username was not created." << END
$set_verifier
\set checks ${checks:-no}
\if :checks
SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = :'username'
  AND shobj_description(oid, 'pg_authid') IS DISTINCT FROM :'mark') AS user_is_taken \gset
\if :user_is_taken
DO \$\$ BEGIN RAISE 'longshore: user'; END \$\$;
\endif
\endif
BEGIN;
SELECT format('CREATE ROLE %I LOGIN', :'username') WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'username') \gexec
COMMENT ON ROLE :"username" IS :'mark';
ALTER ROLE :"username" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS CONNECTION LIMIT $connections
  PASSWORD :'verifier';
GRANT CONNECT ON DATABASE :"name" TO :"username";
SELECT format('GRANT USAGE ON SCHEMA %I TO %I', nspname, :'username') FROM pg_namespace
  WHERE nspname <> 'information_schema' AND nspname NOT LIKE 'pg\_%' \gexec
SELECT format('GRANT SELECT ON ALL TABLES IN SCHEMA %I TO %I', nspname, :'username') FROM pg_namespace
  WHERE nspname <> 'information_schema' AND nspname NOT LIKE 'pg\_%' \gexec
SELECT format('GRANT SELECT ON ALL SEQUENCES IN SCHEMA %I TO %I', nspname, :'username') FROM pg_namespace
  WHERE nspname <> 'information_schema' AND nspname NOT LIKE 'pg\_%' \gexec
SELECT format('ALTER DEFAULT PRIVILEGES FOR ROLE %I GRANT %s TO %I', rolname, granted, :'username')
  FROM pg_roles JOIN pg_database d ON d.datdba = pg_roles.oid AND d.datname = current_database(),
    unnest(ARRAY['USAGE ON SCHEMAS', 'SELECT ON TABLES', 'SELECT ON SEQUENCES']) granted \gexec
COMMIT;
END
echo "$username can read the database $name."
