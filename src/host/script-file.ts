import { readFileSync } from "node:fs";
import { quote, type Script } from "./sh.ts";

export type Variables = Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>;

/**
 * Scripts in files beside their renderer, one after the other. The values become variables of the same names before them: a text
 * is one shell word with any content, a list is an array, `true` is `yes` and `false` an empty text.
 */
export function scriptFile(files: URL | readonly URL[], variables: Variables = {}): Script {
  const assignments = Object.entries(variables).map(assignment);
  return { script: [...assignments, ...[files].flat().map(textOf)].join("\n") };
}

function assignment([name, value]: [string, Variables[string]]): string {
  if (typeof value === "object") return `${name}=(${value.map(quote).join(" ")})`;
  return `${name}=${typeof value === "boolean" ? (value ? "yes" : "''") : quote(value)}`;
}

const texts = new Map<string, string>();

/** The text of a file that is sent to servers, without the comments at its beginning that are for shellcheck. */
export function textOf(url: URL): string {
  const known = texts.get(url.href);
  if (known !== undefined) return known;
  const lines = readFileSync(url, "utf8").trimEnd().split("\n");
  const text = lines.filter((line, at) => at > 5 || !/^# shellcheck /.test(line)).join("\n");
  texts.set(url.href, text);
  return text;
}
