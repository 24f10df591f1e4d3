import { AppError } from "../../lib/errors.ts";
import { quote } from "../sh.ts";

/** One variable of a .env file, with the value a program sees. */
export interface Variable {
  name: string;
  value: string;
}

/** An error in a .env text. The sentence names the line and never shows a value, which may be a secret. */
export interface EnvironmentError {
  line: number;
  message: string;
}

export type ParsedEnvironment = { variables: Variable[] } | { errors: EnvironmentError[] };

/** A variable with its place in the text: from the start of its first line to the start of the line after it. */
export interface Entry extends Variable {
  start: number;
  end: number;
}

// As the usual readers: some frameworks have names with dots, such as app.baseURL.
const assignment = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=[ \t]*/;
const blankOrComment = /^[ \t\r]*(?:#[\s\S]*)?$/;
const afterQuote = blankOrComment;
// To the end of the line, including all characters: `.` stops at U+2028, and the search would restart at each further
// mark.
const comment = /(?:^|[ \t])#[\s\S]*$/;

/** The limit for the total length of all expanded values: more than a single text of the API can hold. */
const longestValues = 2 ** 20;

/**
 * Reads the text of a .env file: blank lines, comments, and `NAME=value` with bare, '…', "…" or `…` values, of which the quoted
 * ones may span lines. As in the usual readers, "…" interprets \n, \r, \t, \", \\ and \$, and `${NAME}` of an earlier variable
 * is expanded except inside '…'. Of two lines with one name the last counts. All values together have at most 1 MiB of
 * characters: a text whose lines double a value again and again is refused before it is expanded. Every bad line is reported,
 * up to one after which the start of the next entry is unknown.
 */
export function parseEnvironment(text: string): ParsedEnvironment {
  const { entries, errors } = readEnvironment(text);
  if (errors.length > 0) return { errors };
  const values = new Map<string, string>();
  for (const { name, value } of entries) {
    values.delete(name);
    values.set(name, value);
  }
  return { variables: [...values].map(([name, value]) => ({ name, value })) };
}

/** The variables, each once, in the order of their effective lines; empty for an invalid text. */
export function variablesIn(text: string): Variable[] {
  const parsed = parseEnvironment(text);
  return "variables" in parsed ? parsed.variables : [];
}

/** The entries of a text without a byte order mark, in order, including overridden ones, and its errors. */
export function readEnvironment(text: string): { entries: Entry[]; errors: EnvironmentError[] } {
  const input = text.replace(/^\uFEFF/, "");
  const earlier = { values: new Map<string, string>(), room: longestValues };
  const [entries, errors]: [Entry[], EnvironmentError[]] = [[], []];
  const lineStarts = [0, ...Array.from(input.matchAll(/\n/g), ({ index }) => index + 1)];
  for (let at = 0; at < lineStarts.length; at++) {
    const start = lineStarts[at] as number;
    const read = readEntry(input, start, earlier);
    if (read === "blank") continue;
    if ("wrong" in read) errors.push({ line: at + 1, message: `Line ${at + 1} ${read.wrong}` });
    if (read.end === undefined) break;
    while (at + 1 < lineStarts.length && (lineStarts[at + 1] as number) <= read.end) at++;
    if ("wrong" in read) continue;
    earlier.room -= read.value.length;
    earlier.values.set(read.name, read.value);
    entries.push({ name: read.name, value: read.value, start, end: lineStarts[at + 1] ?? input.length });
  }
  return { entries, errors };
}

// An answer lists at most this many; a text with more errors is a file of another kind.
const mostNamed = 50;

/** A sentence about each bad line, or undefined when the text is a valid .env file. */
export function environmentError(text: string): string | undefined {
  const { errors } = readEnvironment(text);
  if (errors.length === 0) return undefined;
  const named = errors.slice(0, mostNamed).map(({ message }) => message);
  const others = errors.length - named.length;
  return [...named, ...(others > 0 ? [`${others} more lines are wrong.`] : [])].join(" ");
}

/** Variables that bash or sh sets itself: a command, or a script of npm, would get the shell's value. */
const ofShells = new Set(
  `_ BASH BASHOPTS BASHPID BASH_ARGV0 BASH_COMMAND BASH_EXECUTION_STRING BASH_SUBSHELL BASH_VERSINFO BASH_VERSION COMP_WORDBREAKS
  EPOCHREALTIME EPOCHSECONDS HISTCMD IFS LINENO OLDPWD OPTERR OPTIND PPID PS1 PS2 PWD RANDOM SHELLOPTS SHLVL SRANDOM`.split(
    /\s+/,
  ),
);

/** Variables with which systemd and PHP-FPM find each other. */
const ofServices = new Set(["FPM_SOCKETS", "NOTIFY_SOCKET"]);

/** What Linux allows for `NAME=value`, without the byte after it; and what leaves room for the system's own beside the project's. */
const longestVariableBytes = 131_071;
const longestEnvironmentBytes = 2 ** 20;

/** Why a process cannot have the variables as they are set, in a sentence that names one; undefined when it can. */
export function unsettableError(variables: readonly Variable[]): string | undefined {
  let room = longestEnvironmentBytes;
  for (const { name, value } of variables) {
    if (ofShells.has(name))
      return `${name} cannot be set: shells set it themselves, so programs would not get this value.`;
    if (ofServices.has(name)) return `${name} cannot be set: the server needs it to start PHP.`;
    const bytes = Buffer.byteLength(`${name}=${value}`);
    if (bytes > longestVariableBytes) {
      return `${name} is too long: a process can have at most 131,071 bytes of a variable, with its name. Put the value in a file.`;
    }
    room -= bytes;
    if (room < 0) return `${name} is one too many: all variables together can have at most 1 MiB in a process.`;
  }
  return undefined;
}

/**
 * The secret files that the deployment plans of a project with environment variables read: the text as it was written
 * (for programs that read .env, each by the reader's own rules), and the same for processes and builds (with-environment.pl).
 * @throws a permanent AppError when the text is invalid.
 */
export function environmentSecrets(text: string): { environment: string; "environment-exports": string } {
  const parsed = parseEnvironment(text);
  if ("errors" in parsed) {
    throw new AppError("invalid", `The environment variables are not valid: ${environmentError(text)}`, {
      permanent: true,
    });
  }
  return {
    environment: text.endsWith("\n") ? text : `${text}\n`,
    "environment-exports": renderExports(parsed.variables),
  };
}

/**
 * The variables as lines of bash, in which every value is one word, even with special characters: start scripts that earlier versions
 * wrote into releases have a shell read them. It passes over names that no variable of a shell can have.
 */
export const renderExports = (variables: readonly Variable[]): string =>
  variables.map(({ name, value }) => `${/^\w+$/.test(name) ? "" : ": "}export ${name}=${quote(value)}\n`).join("");

/** `end`: where the text of the entry ends. */
type Read = { name: string; value: string; end: number };
/** The end of a sentence that begins with "Line 7"; without `end` the start of the next entry is unknown. */
type Wrong = { wrong: string; end: number | undefined };

/** The result of the lines before: their variables, and how many characters the following values may have. */
interface Earlier {
  values: ReadonlyMap<string, string>;
  room: number;
}

const wrongName =
  "has no valid name before =: a name consists of letters, digits, underscores, dots and dashes, and begins with a letter or an underscore.";
const tooLong: Wrong = { wrong: "makes all values together longer than 1 MiB.", end: undefined };

function readEntry(input: string, start: number, earlier: Earlier): Read | Wrong | "blank" {
  const line = lineFrom(input, start);
  const end = start + line.length;
  if (line.includes("\0")) return { wrong: "contains a NUL character.", end };
  if (blankOrComment.test(line)) return "blank";
  const match = assignment.exec(line);
  if (!match) return { wrong: line.includes("=") ? wrongName : "is neither blank, a comment nor NAME=value.", end };
  const name = match[1] as string;
  const valueStart = start + match[0].length;
  const mark = input[valueStart];
  if (mark === '"' || mark === "'" || mark === "`") return readQuoted(input, valueStart, mark, name, earlier);
  const bare = lineFrom(input, valueStart).replace(comment, "").trim();
  const value = fillIn(bare, earlier);
  return value === undefined ? tooLong : { name, value, end };
}

function readQuoted(input: string, start: number, mark: string, name: string, earlier: Earlier): Read | Wrong {
  const close = closingQuote(input, start, mark);
  if (close === -1) return { wrong: `opens a quoted value that is never closed (${mark}).`, end: undefined };
  if (!afterQuote.test(lineFrom(input, close + 1))) {
    return { wrong: "has something after the closing quote.", end: close };
  }
  const raw = input.slice(start + 1, close).replaceAll("\r\n", "\n");
  if (raw.includes("\0")) return { wrong: "contains a NUL character.", end: close };
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
  replaceWithin(room, raw, /\\([\s\S])|\$\{([A-Za-z_][\w.]*)\}/g, (escaped, name) =>
    escaped === undefined ? values.get(name as string) : escapes[escaped],
  );

const fillIn = (raw: string, { values, room }: Earlier): string | undefined =>
  replaceWithin(room, raw, /\$\{([A-Za-z_][\w.]*)\}/g, (name) => values.get(name as string));

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

function lineFrom(input: string, start: number): string {
  const end = input.indexOf("\n", start);
  return end === -1 ? input.slice(start) : input.slice(start, end);
}
