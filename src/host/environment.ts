import { AppError } from "../lib/errors.ts";
import { quote } from "./sh.ts";

/** One variable of a .env file, with the value a program sees. */
export interface Variable {
  name: string;
  value: string;
}

/** An error in a .env text. The sentence names the line and never shows a value: it may be a secret. */
export interface EnvironmentError {
  line: number;
  message: string;
}

export type ParsedEnvironment = { variables: Variable[] } | { error: EnvironmentError };

const assignment = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*/;
const blankOrComment = /^[ \t\r]*(?:#[\s\S]*)?$/;
const afterQuote = blankOrComment;
// To the end of the line, whatever is in it: `.` stops at U+2028, and the search would start again at each further mark.
const comment = /(?:^|[ \t])#[\s\S]*$/;

/** How long all values may be together once they are filled in: more than a text of the API can hold by itself. */
const longestValues = 2 ** 20;

/**
 * Reads the text of a .env file: blank lines, comments, and `NAME=value` with bare, '…', "…" or `…` values, of which
 * the quoted ones may span lines. As in the usual readers, "…" understands \n, \r, \t, \", \\ and \$, and `${NAME}` of an
 * earlier variable is filled in except inside '…'. The last of two lines with one name counts. All values together have at
 * most 1 MiB of characters: a text whose lines double a value again and again is refused before it is filled in.
 */
export function parseEnvironment(text: string): ParsedEnvironment {
  const input = text.startsWith("\uFEFF") ? text.slice(1) : text;
  const values = new Map<string, string>();
  let room = longestValues;
  const lineStarts = startsOfLines(input);
  for (let at = 0; at < lineStarts.length; at++) {
    const read = readEntry(input, lineStarts[at] as number, { values, room });
    if (read === "blank") continue;
    if (typeof read === "string") return { error: { line: at + 1, message: `Line ${at + 1} ${read}` } };
    room -= read.value.length;
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
 * @throws a permanent AppError when the text is not valid, such as one that an earlier version accepted.
 */
export function environmentSecrets(text: string): { environment: string; "environment-exports": string } {
  const parsed = parseEnvironment(text);
  if ("error" in parsed) {
    throw new AppError("invalid", `The environment variables are not valid: ${parsed.error.message}`, {
      permanent: true,
    });
  }
  return {
    environment: text.endsWith("\n") ? text : `${text}\n`,
    "environment-exports": renderExports(parsed.variables),
  };
}

/** The variables as lines of bash; every value is one word, whatever is in it. */
export const renderExports = (variables: readonly Variable[]): string =>
  variables.map(({ name, value }) => `export ${name}=${quote(value)}\n`).join("");

type Entry = { name: string; value: string; end: number };

/** The result of the lines before: their variables, and how many characters the values from here on may have. */
interface Earlier {
  values: ReadonlyMap<string, string>;
  room: number;
}

const tooLong = "makes all values together longer than 1 MiB.";

// A line without an entry is "blank", or the end of a sentence that begins with "Line 7".
function readEntry(input: string, start: number, earlier: Earlier): Entry | string {
  const line = lineFrom(input, start);
  if (line.includes("\0")) return "contains a NUL character.";
  if (blankOrComment.test(line)) return "blank";
  const match = assignment.exec(line);
  if (!match) return "is neither blank, a comment nor NAME=value.";
  const name = match[1] as string;
  const valueStart = start + match[0].length;
  const mark = input[valueStart];
  if (mark === '"' || mark === "'" || mark === "`") return readQuoted(input, valueStart, mark, name, earlier);
  const bare = lineFrom(input, valueStart).replace(comment, "").trim();
  const value = fillIn(bare, earlier);
  return value === undefined ? tooLong : { name, value, end: start + line.length };
}

function readQuoted(input: string, start: number, mark: string, name: string, earlier: Earlier) {
  const close = closingQuote(input, start, mark);
  if (close === -1) return `opens a quoted value that is never closed (${mark}).`;
  if (!afterQuote.test(lineFrom(input, close + 1))) return "has something after the closing quote.";
  const raw = input.slice(start + 1, close).replaceAll("\r\n", "\n");
  if (raw.includes("\0")) return "contains a NUL character.";
  const value = mark === "'" ? raw : mark === '"' ? readEscapes(raw, earlier) : fillIn(raw, earlier);
  if (value === undefined || value.length > earlier.room) return tooLong;
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

const readEscapes = (raw: string, { values, room }: Earlier): string | undefined =>
  replaceWithin(room, raw, /\\([\s\S])|\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (escaped, name) =>
    escaped === undefined ? values.get(name as string) : escapes[escaped],
  );

const fillIn = (raw: string, { values, room }: Earlier): string | undefined =>
  replaceWithin(room, raw, /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (name) => values.get(name as string));

/** Replaces each match that has a replacement; undefined when the result would be longer than `room`. */
function replaceWithin(
  room: number,
  raw: string,
  pattern: RegExp,
  replacementOf: (...groups: (string | undefined)[]) => string | undefined,
): string | undefined {
  let length = raw.length;
  const result = raw.replaceAll(pattern, (whole, ...groups) => {
    if (length > room) return "";
    const replacement = replacementOf(...groups) ?? whole;
    length += replacement.length - whole.length;
    return replacement;
  });
  return length > room ? undefined : result;
}

function startsOfLines(input: string): number[] {
  const starts = [0];
  for (let at = input.indexOf("\n"); at !== -1; at = input.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function lineFrom(input: string, start: number): string {
  const end = input.indexOf("\n", start);
  return end === -1 ? input.slice(start) : input.slice(start, end);
}
