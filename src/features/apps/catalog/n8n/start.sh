# shellcheck shell=bash disable=SC1091,SC2034
# given: shared companion_distance
set -a
source "$shared/settings"
N8N_PORT=$PORT
N8N_LISTEN_ADDRESS=127.0.0.1
N8N_PROXY_HOPS=1
N8N_EDITOR_BASE_URL=${ADDRESS-}
WEBHOOK_URL=${ADDRESS-}
# Browsers send its cookie over HTTPS only, except where the site has no HTTPS.
if [[ ${ADDRESS-} != https:* ]]; then N8N_SECURE_COOKIE=false; fi
# For its own task runner: the companion of the port, which is the project's alone as well.
N8N_RUNNERS_BROKER_PORT=$((PORT - companion_distance))
# Two processes run at once while one replaces the other. Each has its own event log: in a shared one, the new process would
# take the other's runs for crashed.
N8N_EVENTBUS_LOGWRITER_LOGBASENAME=events-$PORT
# It builds its pages in this folder at each start; each release has its own.
N8N_USER_FOLDER=$PWD/.longshore/n8n
# Longshore checks for new versions itself.
N8N_VERSION_NOTIFICATIONS_ENABLED=${N8N_VERSION_NOTIFICATIONS_ENABLED-false}
N8N_DIAGNOSTICS_ENABLED=${N8N_DIAGNOSTICS_ENABLED-false}
N8N_PERSONALIZATION_ENABLED=${N8N_PERSONALIZATION_ENABLED-false}
set +a
mkdir -p -- "$N8N_USER_FOLDER"
ln -sfn -- "$shared" "$N8N_USER_FOLDER/.n8n"
# Also while the process that it replaces still runs: n8n would wait for ten seconds.
rm -f -- "$shared/crash.journal"
exec node node_modules/n8n/bin/n8n start
