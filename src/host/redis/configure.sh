# shellcheck shell=bash
# uses: runner/packages.sh, runner/put-file.sh, runner/apply-changes.sh, runner/fact.sh
# given: secret file settings
# `secret`: the name of the password.
need_packages redis-server
password=$(cat "$LONGSHORE_SECRETS/$secret") || true
[[ $password =~ ^[A-Za-z0-9_-]{12,}$ ]] || fail "The password of Redis did not reach the server in a form it can take."
memory=$(awk '/^MemTotal/ { printf "%dmb", $2 / 1024 * 0.7 }' /proc/meminfo)
umask 077
put_file "$file" 0640 "${settings}maxmemory $memory
requirepass $password
"
group=$(stat -c %G "$file")
if [ "$group" != redis ]; then chgrp redis "$file"; fi
# Our file comes last, so that it has the last word.
grep -qx "include $file" /etc/redis/redis.conf || printf '\ninclude %s\n' "$file" >> /etc/redis/redis.conf
apply_changes restart redis-server.service "$file" /etc/redis/redis.conf
fact redis_version "$(redis-server --version | grep -oE '[0-9]+\.[0-9]+\.[0-9]+' | head -n 1)"
echo "Redis asks for its password."
