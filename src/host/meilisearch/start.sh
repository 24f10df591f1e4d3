# shellcheck shell=bash
# uses: runner/apply-changes.sh
# given: program key_file
[ -x "$program" ] || fail "Meilisearch is not installed, so it was not started."
apply_changes restart meilisearch.service "$program" "$key_file" /etc/systemd/system/meilisearch.service
for ((tries = 0; tries < 100; tries++)); do
  if curl -fs --noproxy '*' -o /dev/null http://127.0.0.1:7700/health; then
    echo "Meilisearch answers."
    exit
  fi
  sleep 0.1
done
fail "Meilisearch does not answer on port 7700: see journalctl -u meilisearch."
