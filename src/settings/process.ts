import { logLevels } from "../lib/log.ts";
import type { Settings } from "./setting.ts";
import { integer, oneOf, postgresUrl, url } from "./values.ts";

/** What the process may do: everything, answer HTTP only, or work only. */
const roles = ["all", "api", "worker"] as const;

/** What a process does, with which database and key. */
export const processSettings = {
  role: {
    env: "LONGSHORE_ROLE",
    flag: "--role",
    ...oneOf(roles),
    default: "all",
    about:
      "What this process does: `api` answers HTTP, `worker` works, `all` does both. More than one process needs `DATABASE_URL`.",
  },
  databaseUrl: {
    env: "DATABASE_URL",
    ...postgresUrl,
    about:
      "The PostgreSQL database to use; with several hosts (`postgresql://…@a:5432,b:5432/…`) the one that can be written. Without it Longshore runs its own under the data directory.",
    secret: true,
  },
  databasePoolSize: {
    env: "LONGSHORE_DATABASE_POOL",
    ...integer(2, 1_000),
    default: "10",
    about: "How many database connections this process keeps at most, beside those of the job queue.",
  },
  secretKey: {
    env: "LONGSHORE_SECRET_KEY",
    type: "a key",
    about:
      "The key that encrypts stored credentials (`openssl rand -base64 32`). Without it the file `secret.key` in the data directory is used, and made at the first start. Several keys are separated by commas: the first encrypts, all decrypt.",
    secret: true,
    parse: (text): string => text,
  },
  logLevel: {
    env: "LONGSHORE_LOG_LEVEL",
    ...oneOf(logLevels),
    default: "info",
    about: "The least severe level that is logged, as JSON lines on standard error.",
  },
  publicUrl: {
    env: "LONGSHORE_PUBLIC_URL",
    ...url("http:", "https:"),
    about:
      "The address under which others reach this installation, for links in notifications and for webhooks. Without it, the first name of `LONGSHORE_DOMAIN`, or else the address it listens on; set it for all processes if there are several. What `admin` prints leads there, and without it to where `up` was last ready.",
  },
} as const satisfies Settings;
