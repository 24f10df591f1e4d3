/**
 * Whether an error comes from the data to be stored rather than from a lost connection, a lock or a lack of room: the same
 * data fails again at every retry. PostgreSQL's classes: 22 data exception, 23 integrity constraint violation, 54 program
 * limit exceeded (https://www.postgresql.org/docs/18/errcodes-appendix.html).
 */
export function isDataError(error: unknown): boolean {
  // An error with a cause is a wrapper, such as the one that `fetch` puts around a lost connection.
  const isOfLanguage = error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
  if (isOfLanguage && error.cause === undefined) return true;
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" && /^(?:22|23|54)[0-9A-Z]{3}$/.test(code);
}
