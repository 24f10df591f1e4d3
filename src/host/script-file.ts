import { readFileSync } from "node:fs";
import { quote, type Script } from "./sh.ts";

export type Variables = Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>;

/**
 * Scripts in files beside their renderer, one after the other. The values become variables of the same names before them: a text
 * is one shell word with any content, a list is an array, `true` is `yes` and `false` an empty text.
 */
export function scriptFile(files: URL | readonly URL[], variables: Variables = {}): Script {
  const assignments = Object.entries(variables).map(assignment);
  return { script: [...assignments, ...[files].flat().map(codeOf)].join("\n") };
}

/** `scriptFile` for the files beside a module, by their names: `const script = scriptsBeside(import.meta.url)`. */
export const scriptsBeside =
  (module: string) =>
  (names: string | readonly string[], variables: Variables = {}): Script =>
    scriptFile(
      [names].flat().map((name) => new URL(name, module)),
      variables,
    );

/** The texts of the files beside a module, by their names, as they are written on servers: `const text = textsBeside(import.meta.url)`. */
export const textsBeside =
  (module: string) =>
  (name: string): string =>
    `${textOf(new URL(name, module))}\n`;

// The comment at the beginning is for readers of the file.
const codeOf = (url: URL): string => textOf(url).replace(/^(?:#(?! shellcheck ).*\n)+/, "");

function assignment([name, value]: [string, Variables[string]]): string {
  if (typeof value === "object") return `${name}=(${value.map(quote).join(" ")})`;
  return `${name}=${typeof value === "boolean" ? (value ? "yes" : "''") : quote(value)}`;
}

const texts = new Map<string, string>();

/** The text of a file that is sent to servers, without the line at its beginning that is for shellcheck. */
export function textOf(url: URL): string {
  const known = texts.get(url.href);
  if (known !== undefined) return known;
  const lines = readFileSync(url, "utf8").trimEnd().split("\n");
  const text = lines.filter((line, at) => at > 5 || !/^# shellcheck shell=/.test(line)).join("\n");
  texts.set(url.href, text);
  return text;
}
