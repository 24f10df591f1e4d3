# shellcheck shell=bash
# uses: administrator.sh
# given: name username
# As for MariaDB.
ask_postgresql postgres --set=name="$name" --set=username="$username" << 'END'
SELECT 1 FROM pg_database WHERE datname = :'name' UNION SELECT 1 FROM pg_roles WHERE rolname = :'username';
END
