/** A time as the API shows it: ISO 8601 in UTC with microseconds. */
export const timestamp = (time: Date): string => time.toISOString().replace("Z", "000Z");
