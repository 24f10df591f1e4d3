# shellcheck shell=bash disable=SC2154 # the renderer sets the variables
# Drops a database and its roles. Nothing connects while it goes, and what is connected is ended.
if [[ $marked_only ]]; then
  ours=$(PGDATABASE=postgres PGOPTIONS='-c search_path=pg_catalog' setpriv --reuid=postgres --regid=postgres --init-groups --no-new-privs -- \
    psql --no-psqlrc --quiet --tuples-only --no-align --set=name="$name" --set=username="$username" --set=mark="$mark" <<< \
    "SELECT 1 FROM pg_roles r WHERE rolname = :'username' AND shobj_description(oid, 'pg_authid') = :'mark'
      AND NOT EXISTS (SELECT FROM pg_database WHERE datname = :'name' AND datdba <> r.oid);")
  if [[ -z $ours ]]; then
    echo "Longshore did not create a database $name here."
    exit
  fi
fi
run_psql postgres "The database $name was not removed." << 'END'
SELECT format('ALTER DATABASE %I ALLOW_CONNECTIONS false', datname) FROM pg_database WHERE datname = :'name' \gexec
DROP DATABASE IF EXISTS :"name" WITH (FORCE);
END
for username in "${usernames[@]}"; do
  run_psql postgres "The user $username was not removed." << 'END'
DROP ROLE IF EXISTS :"username";
END
done
echo "The database $name is gone."
