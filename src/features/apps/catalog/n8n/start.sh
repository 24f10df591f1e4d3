# shellcheck shell=bash disable=SC2154,SC1090,SC1091,SC2034
set -a
source "$shared/settings"
N8N_PORT=$PORT
N8N_LISTEN_ADDRESS=127.0.0.1
N8N_PROXY_HOPS=1
N8N_EDITOR_BASE_URL=${ADDRESS-}
WEBHOOK_URL=${ADDRESS-}
# Its cookie reaches it over HTTPS only, except where there is no HTTPS.
if [[ ${ADDRESS-} != https:* ]]; then N8N_SECURE_COOKIE=false; fi
# For its own task runner. Below the ports that are given to projects, and another one for each of them.
N8N_RUNNERS_BROKER_PORT=$((15000 + PORT % 5000))
# Two processes run at once while one replaces the other: a log of events each, or the new one takes runs of the other for crashed.
N8N_EVENTBUS_LOGWRITER_LOGBASENAME=events-$PORT
# It makes its pages in that folder at each start: those of one release are no other's.
N8N_USER_FOLDER=$PWD/.longshore/n8n
# Longshore looks for new versions itself.
N8N_VERSION_NOTIFICATIONS_ENABLED=${N8N_VERSION_NOTIFICATIONS_ENABLED-false}
N8N_DIAGNOSTICS_ENABLED=${N8N_DIAGNOSTICS_ENABLED-false}
N8N_PERSONALIZATION_ENABLED=${N8N_PERSONALIZATION_ENABLED-false}
set +a
mkdir -p -- "$N8N_USER_FOLDER"
ln -sfn -- "$shared" "$N8N_USER_FOLDER/.n8n"
# Also of the process that it replaces: n8n would wait for ten seconds.
rm -f -- "$shared/crash.journal"
exec node node_modules/n8n/bin/n8n start
