/** Whether it is a name of the time zone database, such as Europe/Berlin: not an offset, which Intl takes, too. */
export function isTimezone(name: unknown): boolean {
  if (typeof name !== "string" || !/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
