/** A PHP string literal in single quotes, in which only the backslash and the quote are special. */
export const phpText = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
