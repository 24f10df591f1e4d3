import { destination, type Logger, pino } from "pino";

export type { Logger } from "pino";

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * The log of the process: one JSON object a line on standard error, so that standard output keeps what a person or a
 * script reads. Credentials that ride in a logged request or error are cut out whatever the caller passes.
 */
export function openLog(level: LogLevel): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretPaths, censor: "[secret]" },
    },
    destination({ dest: 2, sync: false }),
  );
}

const secretNames = ["authorization", "cookie", "password", "token", "secret", "credentials", "private_key"];
const secretPaths = secretNames.flatMap((name) => [name, `*.${name}`, `*.headers.${name}`]);
