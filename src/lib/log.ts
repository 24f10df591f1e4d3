import { type DestinationStream, destination, type Logger, pino } from "pino";

export type { Logger } from "pino";

export const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * The log of the process: one JSON object per line on standard error, so that standard output has only what a person or
 * a script reads. Credentials in a logged request or error are always removed.
 */
export function openLog(level: LogLevel): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretPaths, censor: "[secret]" },
    },
    // Lines are written in batches, a moment later: a write for each costs a busy server a tenth of its time. The rest
    // is written at the end of the process; only a killed process loses its last moment.
    destination({ dest: 2, sync: false, minLength: 16_000, periodicFlush: 100 }),
  );
}

/**
 * Writes lines at `info` that the caller has formatted: the members of a JSON object, without its braces. For a line that is
 * written so often that the logger's own formatting is too slow.
 */
export function infoLines(log: Logger): (members: string) => void {
  const stream = (log as unknown as { [streamOf]: DestinationStream })[streamOf];
  const end = `,"pid":${process.pid}}\n`;
  return (members) => {
    if (log.isLevelEnabled("info")) stream.write(`{"level":"info"${timestamp()},${members}${end}`);
  };
}

const streamOf: typeof pino.symbols.streamSym = pino.symbols.streamSym;

let stamped = { ms: Number.NaN, text: "" };

/** Many lines have the same millisecond, and formatting a date is slow. */
function timestamp(): string {
  const ms = Date.now();
  if (ms !== stamped.ms) stamped = { ms, text: `,"time":"${new Date(ms).toISOString()}"` };
  return stamped.text;
}

const secretNames = ["authorization", "cookie", "password", "token", "secret", "credentials", "private_key"];
const secretPaths = secretNames.flatMap((name) => [name, `*.${name}`, `*.headers.${name}`]);
