import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { quote, type Script, withFunctions } from "./sh.ts";

/** A value that the code before the script sets on the server, or the code that calls its functions. */
export const setBefore = Symbol("set before");

export type Variables = Readonly<
  Record<string, string | number | boolean | readonly (string | number)[] | typeof setBefore>
>;

/*
 * The comment at the top of a script names the files that it uses, beside it or below src/host, and the values that it is given:
 *
 *   # uses: ask.sh, network/request.sh
 *   # given: server_name health_path
 */

/**
 * The script of a file with all that it uses, each once: files of functions stand at the top of the whole script that it becomes
 * a part of, others right before it. Before these the values become variables of the same names: a text is one shell word with any
 * content, a list is an array, `true` is `yes` and `false` an empty text. They are exactly those that all of the files are given.
 */
export function scriptFile(url: URL, values: Variables = {}): Script {
  const files = usedWith(url);
  refuseOtherValues(url, files, values);
  const functions = files.filter((file) => file.isFunctions);
  const others = files.filter((file) => !file.isFunctions).map(({ code }) => code);
  return withFunctions(functions, [...assignments(values), ...others].join("\n"));
}

/** `scriptFile` for the files beside a module, by their names: `const script = scriptsBeside(import.meta.url)`. */
export const scriptsBeside =
  (module: string) =>
  (name: string, values: Variables = {}): Script =>
    scriptFile(new URL(name, module), values);

/** A function of a file without values, to call in `sh`: the file comes with the call. */
export function functionOf(url: URL, name: string): Script {
  const { parts } = scriptFile(url);
  if (parts?.code !== "") throw new Error(`${nameOf(url)} does more than define functions`);
  return withFunctions(parts.functions, name);
}

/** The texts of the files beside a module, by their names, as they are written on servers: `const text = textsBeside(import.meta.url)`. */
export const textsBeside =
  (module: string) =>
  (name: string): string =>
    `${textOf(new URL(name, module))}\n`;

const header = /^# (?:shellcheck shell=|uses: |given: )/;

/** The text of a file that is sent to servers, without the lines at its top that are for shellcheck and for `scriptFile`. */
export function textOf(url: URL): string {
  const lines = readFileSync(url, "utf8").trimEnd().split("\n");
  const end = lines.findIndex((line) => !line.startsWith("#"));
  return lines.filter((line, at) => (end !== -1 && at >= end) || !header.test(line)).join("\n");
}

/** A file and what its top says. */
export interface ScriptFile {
  url: URL;
  name: string;
  given: readonly string[];
  uses: readonly URL[];
  /** Without the comment at its top. */
  code: string;
  /** Whether it defines functions and does nothing else. */
  isFunctions: boolean;
}

/** The file after all that it uses, each once and after those that it uses itself. */
export function usedWith(url: URL): readonly ScriptFile[] {
  const known = closures.get(url.href);
  if (known) return known;
  const found = new Map<string, ScriptFile>();
  addUsed(url, found, []);
  const files = [...found.values()];
  closures.set(url.href, files);
  return files;
}

const closures = new Map<string, readonly ScriptFile[]>();

function addUsed(url: URL, found: Map<string, ScriptFile>, users: readonly string[]): void {
  if (users.includes(url.href)) throw new Error(`${nameOf(url)} uses itself, by way of others`);
  if (found.has(url.href)) return;
  const file = readScript(url);
  for (const used of file.uses) addUsed(used, found, [...users, url.href]);
  found.set(url.href, file);
}

export function readScript(url: URL): ScriptFile {
  const text = readFileSync(url, "utf8");
  const [top = ""] = /^(?:#.*\n)*/.exec(text) ?? [];
  const code = textOf(url).replace(/^(?:#(?! shellcheck ).*(?:\n|$))+/, "");
  return {
    url,
    name: nameOf(url),
    given: namesIn(top, /^# given: (.*)$/gm, " "),
    uses: namesIn(top, /^# uses: (.*)$/gm, ", ").map((name) => resolve(name, url)),
    code,
    isFunctions: outsideOfFunctions(code) === "",
  };
}

const namesIn = (top: string, line: RegExp, separator: string): string[] =>
  [...top.matchAll(line)].flatMap(([, names = ""]) => names.split(separator));

const host = new URL("./", import.meta.url);
const nameOf = (url: URL): string => url.href.replace(new URL("../", host).href, "");

function resolve(name: string, user: URL): URL {
  const found = [new URL(name, user), new URL(name, host)].find((url) => existsSync(fileURLToPath(url)));
  if (!found) throw new Error(`${nameOf(user)} uses ${name}, which is neither beside it nor in src/host`);
  return found;
}

const oneLine = /^\w+\(\) (?:\{ .*; \}|\( .* \))(?: *#.*)?$/gm;
const severalLines = /^\w+\(\) [{(](?: *#.*)?\n(?:.*\n)*?[)}](?: *#.*)?$/gm;

/** What a script does besides defining functions. */
const outsideOfFunctions = (code: string): string =>
  code
    .replace(oneLine, "")
    .replace(severalLines, "")
    .replace(/^\s*(?:#.*)?$/gm, "")
    .trim();

function refuseOtherValues(url: URL, files: readonly ScriptFile[], values: Variables): void {
  const given = new Set(files.flatMap((file) => file.given));
  const missing = [...given].filter((name) => !Object.hasOwn(values, name));
  const unknown = Object.keys(values).filter((name) => !given.has(name));
  if (missing.length > 0) throw new Error(`${nameOf(url)} is not given ${missing.join(", ")}`);
  if (unknown.length > 0) throw new Error(`${nameOf(url)} is given ${unknown.join(", ")}, which its top does not name`);
}

const assignments = (values: Variables): string[] =>
  Object.entries(values).flatMap(([name, value]) => (value === setBefore ? [] : [`${name}=${word(value)}`]));

function word(value: Exclude<Variables[string], typeof setBefore>): string {
  if (typeof value === "object") return `(${value.map(quote).join(" ")})`;
  return typeof value === "boolean" ? (value ? "yes" : "''") : quote(value);
}
