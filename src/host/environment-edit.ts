import { readEnvironment } from "./environment.ts";

// Single variables of a .env text, whose other lines, comments among them, stay as they were written.

/** What a shell and the usual readers of .env files take as the name of a variable. */
export const isVariableName = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]{0,199}$/.test(name);

/** The names of the variables, each once, in the order of the lines that count. */
export function namesIn(text: string): string[] {
  const names = readEnvironment(text).entries.map(({ name }) => name);
  return names.filter((name, at) => names.lastIndexOf(name) === at);
}

/** The text with the variable at this value: in the line that counts, or in a new one at the end. */
export function withVariable(text: string, name: string, value: string): string {
  const line = `${name}=${written(value)}\n`;
  const { input, entries } = read(text);
  const last = entries.findLast((entry) => entry.name === name);
  if (last) return `${input.slice(0, last.start)}${line}${input.slice(last.end)}`;
  return `${input}${input === "" || input.endsWith("\n") ? "" : "\n"}${line}`;
}

/** The text without any line of the variable; undefined when it has none. */
export function withoutVariable(text: string, name: string): string | undefined {
  const { input, entries } = read(text);
  const own = entries.filter((entry) => entry.name === name);
  if (own.length === 0) return undefined;
  return own.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), input);
}

const read = (text: string) => ({ input: text.replace(/^\uFEFF/, ""), ...readEnvironment(text) });

// Single quotes are read alike by most programs. What those cannot hold is escaped in double quotes.
function written(value: string): string {
  if (/^[A-Za-z0-9_@%+=:,./?&[\]-]*$/.test(value)) return value;
  if (!/['\r]|\\$/.test(value)) return `'${value}'`;
  return `"${value
    .replaceAll(/["\\$]/g, "\\$&")
    .replaceAll("\r", "\\r")
    .replaceAll("\n", "\\n")}"`;
}
