/** A PHP string literal in single quotes, in which a backslash and the quote alone have a meaning. */
export const phpText = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
