import { readEnvironment } from "./environment.ts";

// Changes single variables of a .env text; the other lines, including comments, stay as they were written.

/** What the usual readers of .env files accept as the name of a variable. */
export const isVariableName = (name: string): boolean => /^[A-Za-z_][\w.-]{0,199}$/.test(name);

/** The text with the variable set to this value: in its effective line, or in a new line at the end. */
export function withVariable(text: string, name: string, value: string): string {
  const line = `${name}=${written(value)}\n`;
  const { input, entries } = read(text);
  const last = entries.findLast((entry) => entry.name === name);
  if (last) return `${input.slice(0, last.start)}${line}${input.slice(last.end)}`;
  return `${input}${input === "" || input.endsWith("\n") ? "" : "\n"}${line}`;
}

/** The text without any line of the variable; undefined when it has no such line. */
export function withoutVariable(text: string, name: string): string | undefined {
  const { input, entries } = read(text);
  const own = entries.filter((entry) => entry.name === name);
  if (own.length === 0) return undefined;
  return own.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), input);
}

const read = (text: string) => ({ input: text.replace(/^\uFEFF/, ""), ...readEnvironment(text) });

// Most programs parse single quotes the same way. Values that single quotes cannot hold are escaped in double quotes.
function written(value: string): string {
  if (/^[A-Za-z0-9_@%+=:,./?&[\]-]*$/.test(value)) return value;
  if (!/['\r]|\\$/.test(value)) return `'${value}'`;
  return `"${value
    .replaceAll(/["\\$]/g, "\\$&")
    .replaceAll("\r", "\\r")
    .replaceAll("\n", "\\n")}"`;
}
