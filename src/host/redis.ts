import { type Script, sh } from "./sh.ts";

/** Where Redis's own password is kept on the server; the caller chooses the name of its secret. */
export const redisFile = "/etc/redis/longshore.conf";

const settings = `# Longshore
bind * -::*
protected-mode yes
maxmemory-policy allkeys-lru
`;

/** Redis for the organization's other servers: with a password, and most of the machine's memory. */
export const configureRedis = (passwordSecret: string): Script => sh`
  need_packages redis-server
  password=$(cat "$LONGSHORE_SECRETS"/${passwordSecret}) || true
  [[ $password =~ ^[A-Za-z0-9_-]{12,}$ ]] || fail "The password of Redis did not reach the server in a form it can take."
  memory=$(awk '/^MemTotal/ { printf "%dmb", $2 / 1024 * 0.7 }' /proc/meminfo)
  umask 077
  put_file ${redisFile} 0640 ${settings}"maxmemory $memory
  requirepass $password
  "
  group=$(stat -c %G ${redisFile})
  if [ "$group" != redis ]; then chgrp redis ${redisFile}; fi
  # Our file comes last, so that it has the last word.
  grep -qx ${`include ${redisFile}`} /etc/redis/redis.conf || printf '\\ninclude %s\\n' ${redisFile} >> /etc/redis/redis.conf
  apply_changes restart redis-server.service ${redisFile} /etc/redis/redis.conf
  fact redis_version "$(redis-server --version | grep -oE '[0-9]+\\.[0-9]+\\.[0-9]+' | head -n 1)"
  echo "Redis asks for its password."`;

export const verifyRedis = (passwordSecret: string): Script => sh`
  answer=$(REDISCLI_AUTH=$(< "$LONGSHORE_SECRETS"/${passwordSecret}) redis-cli ping) || true
  [ "$answer" = PONG ] || fail "Redis runs, but does not answer to its password."
  echo "Redis answers."`;
