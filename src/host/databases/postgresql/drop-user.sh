# shellcheck shell=bash
# uses: sql.sh
# given: username mark
# Drops a role that Longshore made, with the rights it has. Its connections end first.
run_psql postgres "The user $username was not removed." << 'END'
SELECT 'ours' FROM pg_roles WHERE rolname = :'username' AND shobj_description(oid, 'pg_authid') = :'mark';
END
if [[ $answer == *ours ]]; then drop_role "$username"; fi
echo "The user $username is gone."
