# shellcheck shell=bash
# uses: administrator.sh
# given: names_only
# As for MariaDB.
ask_postgresql postgres --field-separator=$'\t' --set=names_only="$names_only" << 'END'
SELECT 'version', current_setting('server_version');
SELECT 'database', encode(convert_to(datname, 'UTF8'), 'hex'), pg_encoding_to_char(encoding), datcollate,
  (SELECT count(*) FROM pg_stat_activity a WHERE a.datid = d.oid),
  CASE WHEN :'names_only' = '' THEN pg_database_size(d.oid) END
FROM pg_database d WHERE NOT datistemplate AND datname <> 'postgres' ORDER BY oid LIMIT 3000;
SELECT 'user', encode(convert_to(rolname, 'UTF8'), 'hex') FROM pg_roles WHERE rolname NOT LIKE 'pg\_%' LIMIT 6000;
END
