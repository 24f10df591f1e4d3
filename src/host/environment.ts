import { quote } from "./sh.ts";

/** One variable of a .env file, with the value a program sees. */
export interface Variable {
  name: string;
  value: string;
}

/** What is wrong with a .env text. The sentence names the line and never shows a value: it may be a secret. */
export interface EnvironmentError {
  line: number;
  message: string;
}

export type ParsedEnvironment = { variables: Variable[] } | { error: EnvironmentError };

const assignment = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*/;
const blankOrComment = /^[ \t\r]*(?:#.*)?$/;
const afterQuote = /^[ \t\r]*(?:#.*)?$/;

/**
 * Reads the text of a .env file: blank lines, comments, and `NAME=value` with bare, '…', "…" or `…` values, of which
 * the quoted ones may span lines. As in the usual readers, "…" knows \n, \r, \t, \", \\ and \$, and `${NAME}` of an
 * earlier variable is filled in except inside '…'. The last of two lines with one name counts.
 */
export function parseEnvironment(text: string): ParsedEnvironment {
  const input = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const values = new Map<string, string>();
  const lineStarts = startsOfLines(input);
  for (let at = 0; at < lineStarts.length; at++) {
    const read = readEntry(input, lineStarts[at] as number, values);
    if (read === "blank") continue;
    if (typeof read === "string") return { error: { line: at + 1, message: `Line ${at + 1} ${read}` } };
    values.delete(read.name);
    values.set(read.name, read.value);
    while (at + 1 < lineStarts.length && (lineStarts[at + 1] as number) <= read.end) at++;
  }
  return { variables: [...values].map(([name, value]) => ({ name, value })) };
}

/** The values alone; none of a text that is not valid. */
export function valuesIn(text: string): string[] {
  const parsed = parseEnvironment(text);
  return "variables" in parsed ? parsed.variables.map(({ value }) => value) : [];
}

/** The sentence about the first bad line, or undefined when the text is a valid .env file. */
export function environmentError(text: string): string | undefined {
  const parsed = parseEnvironment(text);
  return "error" in parsed ? parsed.error.message : undefined;
}

/**
 * The secret files that the deployment plans of a project with environment variables read: the text as it was written
 * (for programs that read .env, each with the reader's own rules), and the same as exports (for processes and builds).
 * @throws Error when the text is not valid: it was to be validated when it was stored.
 */
export function environmentSecrets(text: string): { environment: string; "environment-exports": string } {
  const parsed = parseEnvironment(text);
  if ("error" in parsed) throw new Error(`Stored environment variables are not valid: ${parsed.error.message}`);
  return {
    environment: text.endsWith("\n") ? text : `${text}\n`,
    "environment-exports": renderExports(parsed.variables),
  };
}

/** The variables as lines of bash; every value is one word, whatever is in it. */
export const renderExports = (variables: readonly Variable[]): string =>
  variables.map(({ name, value }) => `export ${name}=${quote(value)}\n`).join("");

/** The variables as a .env file that every usual reader understands the same way. */
export const renderEnvironment = (variables: readonly Variable[]): string =>
  variables.map(({ name, value }) => `${name}=${renderValue(value)}\n`).join("");

function renderValue(value: string): string {
  if (/^[A-Za-z0-9_@%+:,./-]*$/.test(value)) return value;
  if (!/['\r]/.test(value)) return `'${value}'`;
  return `"${value
    .replaceAll(/[\\"$]/g, "\\$&")
    .replaceAll("\n", "\\n")
    .replaceAll("\r", "\\r")}"`;
}

type Entry = { name: string; value: string; end: number };

// What is not an entry is "blank", or the end of a sentence that begins with "Line 7".
function readEntry(input: string, start: number, earlier: Map<string, string>): Entry | string {
  const line = lineFrom(input, start);
  if (line.includes("\0")) return "contains a NUL character.";
  if (blankOrComment.test(line)) return "blank";
  const match = assignment.exec(line);
  if (!match) return "is neither blank, a comment nor NAME=value.";
  const name = match[1] as string;
  const valueStart = start + match[0].length;
  const mark = input[valueStart];
  if (mark === '"' || mark === "'" || mark === "`") return readQuoted(input, valueStart, mark, name, earlier);
  const bare = lineFrom(input, valueStart)
    .replace(/(?:^|[ \t])#.*$/, "")
    .trim();
  return { name, value: fillIn(bare, earlier), end: start + line.length };
}

function readQuoted(input: string, start: number, mark: string, name: string, earlier: Map<string, string>) {
  const close = closingQuote(input, start, mark);
  if (close === -1) return `opens a quoted value that is never closed (${mark}).`;
  if (!afterQuote.test(lineFrom(input, close + 1))) return "has something after the closing quote.";
  const raw = input.slice(start + 1, close).replaceAll("\r\n", "\n");
  if (raw.includes("\0")) return "contains a NUL character.";
  const value = mark === "'" ? raw : mark === '"' ? readEscapes(raw, earlier) : fillIn(raw, earlier);
  return { name, value, end: close };
}

function closingQuote(input: string, start: number, mark: string): number {
  for (let at = start + 1; at < input.length; at++) {
    if (mark === '"' && input[at] === "\\") at++;
    else if (input[at] === mark) return at;
  }
  return -1;
}

const escapes: Record<string, string> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\", $: "$" };

const readEscapes = (raw: string, earlier: Map<string, string>): string =>
  raw.replaceAll(/\\([\s\S])|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (whole, escaped?: string, name?: string) =>
    escaped === undefined ? (earlier.get(name as string) ?? whole) : (escapes[escaped] ?? whole),
  );

const fillIn = (raw: string, earlier: Map<string, string>): string =>
  raw.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (whole, name: string) => earlier.get(name) ?? whole);

function startsOfLines(input: string): number[] {
  const starts = [0];
  for (let at = input.indexOf("\n"); at !== -1; at = input.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function lineFrom(input: string, start: number): string {
  const end = input.indexOf("\n", start);
  return end === -1 ? input.slice(start) : input.slice(start, end);
}
