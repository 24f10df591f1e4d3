# shellcheck shell=bash
# uses: sql.sh
# given: name username mark usernames marked_only
# Drops a database and its roles. Nothing connects while it goes, and what is connected is ended. Its owner may have made it a
# template, which PostgreSQL does not drop.
if [[ $marked_only ]]; then
  run_psql postgres "The database $name was not removed." << 'END'
SELECT 'ours' FROM pg_roles r WHERE rolname = :'username' AND shobj_description(oid, 'pg_authid') = :'mark'
  AND NOT EXISTS (SELECT FROM pg_database WHERE datname = :'name' AND datdba <> r.oid);
END
  if [[ $answer != *ours ]]; then
    echo "Longshore did not create a database $name here."
    exit
  fi
fi
run_psql postgres "The database $name was not removed." << 'END'
SELECT format('ALTER DATABASE %I IS_TEMPLATE false ALLOW_CONNECTIONS false', datname) FROM pg_database WHERE datname = :'name' \gexec
DROP DATABASE IF EXISTS :"name" WITH (FORCE);
END
for each in "${usernames[@]}"; do drop_role "$each"; done
echo "The database $name is gone."
