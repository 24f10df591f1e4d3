# shellcheck shell=bash
# uses: sql.sh
# given: name username secret mark connections checks empties
# Makes a database and the role that owns it, or brings them to what they should be. The role is made with its comment in one
# transaction, and marks as Longshore's what a run made before it was cut off.
read_verifier "$secret"
run_psql postgres "The database $name was not created." << END
$set_verifier
\set checks ${checks:-no}
\set empties ${empties:-no}
\if :checks
SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = :'username'
    AND shobj_description(oid, 'pg_authid') IS DISTINCT FROM :'mark') AS user_is_taken,
  EXISTS (SELECT FROM pg_database d JOIN pg_roles r ON r.oid = d.datdba WHERE d.datname = :'name'
    AND (r.rolname <> :'username' OR shobj_description(r.oid, 'pg_authid') IS DISTINCT FROM :'mark')) AS database_is_taken \gset
\if :database_is_taken
DO \$\$ BEGIN RAISE 'longshore: database'; END \$\$;
\endif
\if :user_is_taken
DO \$\$ BEGIN RAISE 'longshore: user'; END \$\$;
\endif
\endif
\if :empties
SELECT format('ALTER DATABASE %I IS_TEMPLATE false', datname) FROM pg_database WHERE datname = :'name' \gexec
DROP DATABASE IF EXISTS :"name" WITH (FORCE);
\endif
BEGIN;
SELECT format('CREATE ROLE %I LOGIN', :'username') WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'username') \gexec
COMMENT ON ROLE :"username" IS :'mark';
ALTER ROLE :"username" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS CONNECTION LIMIT $connections
  PASSWORD :'verifier';
COMMIT;
SELECT pg_encoding_to_char(encoding) <> 'UTF8' AS is_other FROM pg_database WHERE datname = 'template1' \gset
SELECT format('CREATE DATABASE %I OWNER %I', :'name', :'username')
    || CASE WHEN :'is_other' THEN ' TEMPLATE template0 ENCODING ''UTF8'' LOCALE ''C.UTF-8''' ELSE '' END
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'name') \gexec
BEGIN;
ALTER DATABASE :"name" OWNER TO :"username";
REVOKE ALL ON DATABASE :"name" FROM PUBLIC;
COMMIT;
SELECT 'old' WHERE current_setting('server_version_num')::integer < 150000;
END
# From version 15 on, the schema public belongs to the owner of the database.
if [[ $answer == *old ]]; then
  run_psql "$name" "The schema of the database $name was not set up." << 'END'
ALTER SCHEMA public OWNER TO :"username";
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
END
fi
echo "The database $name belongs to $username."
