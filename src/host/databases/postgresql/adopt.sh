# shellcheck shell=bash
# uses: sql.sh
# given: name username secret mark connections checks
# Gives a database that Longshore did not make an owner of Longshore's. The owners before it become members of the new one, and
# what they make in this database belongs to it: so whatever uses the database continues as before. Accounts that Longshore made for
# other databases are strangers here, unless the database is theirs. Before version 15 each account can make something in each
# database: theirs stays theirs, or a function of theirs would have the new owner's rights from now on. So does the function of an
# event trigger, which runs with the rights of the account that causes the event.
read_verifier "$secret"
run_psql postgres "The database $name was not adopted." << END
$set_verifier
\set checks ${checks:-no}
SELECT NOT EXISTS (SELECT FROM pg_database WHERE datname = :'name') AS is_missing,
  :'checks' = 'yes' AND EXISTS (SELECT FROM pg_roles WHERE rolname = :'username'
    AND shobj_description(oid, 'pg_authid') IS DISTINCT FROM :'mark') AS user_is_taken \gset
\if :is_missing
DO \$\$ BEGIN RAISE 'longshore: missing'; END \$\$;
\endif
\if :user_is_taken
DO \$\$ BEGIN RAISE 'longshore: user'; END \$\$;
\endif
BEGIN;
SELECT format('CREATE ROLE %I LOGIN', :'username') WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'username') \gexec
COMMENT ON ROLE :"username" IS :'mark';
ALTER ROLE :"username" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS CONNECTION LIMIT $connections
  PASSWORD :'verifier';
COMMIT;
END
run_psql "$name" "The database $name was not adopted." << 'END'
BEGIN;
CREATE TEMPORARY TABLE strangers ON COMMIT DROP AS
  SELECT oid FROM pg_roles WHERE shobj_description(oid, 'pg_authid') LIKE 'longshore-database-%' AND rolname <> :'username'
    AND oid <> (SELECT datdba FROM pg_database WHERE datname = :'name');
CREATE TEMPORARY TABLE former ON COMMIT DROP AS
  SELECT DISTINCT r.rolname FROM pg_roles r JOIN (
    SELECT datdba AS owner FROM pg_database WHERE datname = :'name'
    UNION SELECT nspowner FROM pg_namespace WHERE nspname <> 'information_schema' AND nspname NOT LIKE 'pg\_%'
    UNION SELECT c.relowner FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\_%'
    UNION SELECT p.proowner FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
      WHERE n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\_%'
  ) owned ON owned.owner = r.oid
  WHERE NOT r.rolsuper AND r.rolname NOT LIKE 'pg\_%' AND r.rolname <> :'username' AND r.oid NOT IN (SELECT oid FROM strangers);
SELECT format('GRANT %I TO %I', :'username', rolname) FROM former \gexec
SELECT format('ALTER ROLE %I IN DATABASE %I SET role = %L', rolname, :'name', :'username') FROM former \gexec
SELECT format('GRANT CONNECT, TEMPORARY ON DATABASE %I TO %I', :'name', rolname) FROM former \gexec
ALTER DATABASE :"name" OWNER TO :"username";
SELECT format('ALTER SCHEMA %I OWNER TO %I', nspname, :'username') FROM pg_namespace
  WHERE nspname <> 'information_schema' AND nspname NOT LIKE 'pg\_%' AND nspowner NOT IN (SELECT oid FROM strangers) \gexec
-- What belongs to an extension is the extension's; a sequence of a column goes with its table.
SELECT format('ALTER %s %I.%I OWNER TO %I', CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE'
    WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END, n.nspname, c.relname, :'username')
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f') AND c.relowner NOT IN (SELECT oid FROM strangers)
    AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\_%'
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype IN ('a', 'i', 'e') AND d.classid = 'pg_class'::regclass
      AND (d.deptype = 'e' OR c.relkind = 'S')) \gexec
SELECT format('ALTER ROUTINE %s OWNER TO %I', p.oid::regprocedure, :'username')
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
  WHERE n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\_%' AND p.prokind <> 'a'
    AND p.proowner NOT IN (SELECT oid FROM strangers)
    AND NOT EXISTS (SELECT FROM pg_event_trigger WHERE evtfoid = p.oid)
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e') \gexec
SELECT format('ALTER %s %I.%I OWNER TO %I', CASE t.typtype WHEN 'd' THEN 'DOMAIN' ELSE 'TYPE' END, n.nspname, t.typname, :'username')
  FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace
  WHERE t.typtype IN ('d', 'e', 'r') AND t.typowner NOT IN (SELECT oid FROM strangers)
    AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\_%'
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = t.oid AND d.classid = 'pg_type'::regclass AND d.deptype = 'e') \gexec
COMMIT;
END
echo "$username owns the database $name."
