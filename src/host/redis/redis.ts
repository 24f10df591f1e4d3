import { scriptsBeside } from "../script-file.ts";
import { type Script, sh } from "../sh.ts";

const script = scriptsBeside(import.meta.url);

/** Where Redis's own password is kept on the server; the caller chooses the name of its secret. */
export const redisFile = "/etc/redis/longshore.conf";

const settings = `# Longshore
bind * -::*
protected-mode yes
maxmemory-policy allkeys-lru
`;

/** Redis for the organization's other servers: with a password, and most of the machine's memory. */
export const configureRedis = (passwordSecret: string): Script =>
  script("configure.sh", { secret: passwordSecret, file: redisFile, settings });

export const verifyRedis = (passwordSecret: string): Script => sh`
  answer=$(REDISCLI_AUTH=$(< "$LONGSHORE_SECRETS"/${passwordSecret}) redis-cli ping) || true
  [ "$answer" = PONG ] || fail "Redis runs, but does not answer to its password."
  echo "Redis answers."`;
