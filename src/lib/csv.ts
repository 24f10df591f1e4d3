/**
 * A line of CSV as RFC 4180 has it. A spreadsheet takes a cell that begins with one of these characters as a formula, which
 * the author of the text would choose: an apostrophe before it makes it text.
 */
export const csvLine = (values: readonly unknown[]): string => `${values.map(cell).join(",")}\r\n`;

const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = textOf(value);
  return `"${(formula.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.join(" ") : JSON.stringify(value);
}
