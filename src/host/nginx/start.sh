# shellcheck shell=bash
# uses: runner/apply-changes.sh, lock-nginx.sh
# given: files
# `files`: of the configuration.
lock_nginx
nginx -t -q || fail "nginx rejects its configuration; the reason is above."
apply_changes reload nginx.service "${files[@]}"
for ((tries = 0; tries < 50; tries++)); do
  answer=$(curl -s --noproxy '*' -o /dev/null -w '%{http_code}' -H 'Host: no-such-site.invalid' http://127.0.0.1/ || true)
  if [ "$answer" = 404 ]; then
    echo "nginx answers on port 80."
    exit
  fi
  sleep 0.1
done
fail "nginx runs, but answers $answer instead of 404 for a name that no site serves."
