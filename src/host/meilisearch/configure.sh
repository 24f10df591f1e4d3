# shellcheck shell=bash
# uses: runner/put-file.sh
# given: program secret key_file unit
# `secret`: the name of the key.
[ -x "$program" ] || fail "Meilisearch is not installed, so it was not set up."
id meilisearch > /dev/null 2>&1 || useradd --system --no-create-home --shell /usr/sbin/nologin meilisearch
key=$(cat "$LONGSHORE_SECRETS/$secret") || true
[[ $key =~ ^[A-Za-z0-9_-]{16,}$ ]] || fail "The master key did not reach the server in a form it can take."
put_file "$key_file" 0600 "MEILI_MASTER_KEY=$key
"
put_file /etc/systemd/system/meilisearch.service 0644 "$unit"
if [ "$(systemctl show --property=NeedDaemonReload --value meilisearch.service)" = yes ]; then systemctl daemon-reload; fi
echo "Meilisearch has a master key."
