import { messageOf } from "../lib/errors.ts";

// The codes are PostgreSQL's (https://www.postgresql.org/docs/current/errcodes-appendix.html): class 08, the connection broke;
// 25006, read-only; 25P03, the transaction was left open by a process that was cut off; class 28 and 3D000, the server that answers
// does not have our account or database; class 53 without disk_full; 57014, the time limit; 57P0x, shut down or starting up.
const ofPostgres = /^(08...|25006|25P03|28...|3D000|53[023]00|53400|57014|57P0.)$/;
const ofNetwork =
  /^(E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|(HOST|NET)(UNREACH|DOWN)|ADDRNOTAVAIL)|ENOTFOUND|EAI_.+)$/;
// A socket in the file system is gone for a moment, or of another user. Files of the platform have other calls.
const ofSocket = /^(ENOENT|EACCES|ENOTSOCK)$/;
const ofTls = /^(ERR_TLS_.+|ERR_SSL_.+|CERT_.+|UNABLE_TO_.+|.*SELF_SIGNED_CERT.*)$/;
// The driver's own errors have no code.
const ofDriver =
  /timeout exceeded when trying to connect|timeout expired|Connection terminated|not queryable|Query read timeout|end on the pool|SSL connection|does not support SSL/i;

/**
 * Whether a statement failed because the database is away, cannot be reached or cannot be written: nothing is wrong with the
 * statement, which may succeed in a moment.
 */
export function isOutage(error: unknown): boolean {
  const { code: given, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  const code = typeof given === "string" ? given : "";
  if (ofPostgres.test(code) || ofNetwork.test(code) || ofTls.test(code)) return true;
  return (ofSocket.test(code) && syscall === "connect") || (code === "" && ofDriver.test(messageOf(error)));
}

/** What the reader is to know about an outage, in one sentence. */
export const outageSentence = (error: unknown): string =>
  isReadOnly(error)
    ? "The database is read-only: it is a standby, or was set so. Try again when it can be written."
    : "The database does not answer. Try again in a moment.";

/** Whether the database refused a change because it is a standby, or was set so. */
export const isReadOnly = (error: unknown): boolean => (error as { code?: unknown } | undefined)?.code === "25006";
