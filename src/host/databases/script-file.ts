import { readFileSync } from "node:fs";
import { lines, quote, type Script } from "../sh.ts";

const texts = new Map<string, string>();

/** The text of a file in this folder. */
export function textOf(path: string): string {
  const known = texts.get(path);
  if (known !== undefined) return known;
  const text = readFileSync(new URL(path, import.meta.url), "utf8");
  texts.set(path, text);
  return text;
}

export type Variables = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/**
 * The scripts in these files (relative to this folder) one after the other, after assignments of the variables that they use:
 * a list becomes an array, `true` becomes `yes` and `false` an empty text.
 */
export const scriptOf = (files: readonly string[], variables: Variables): Script =>
  lines(
    { script: Object.entries(variables).map(assignment).join("\n") },
    ...files.map((file) => ({ script: textOf(file) })),
  );

function assignment([name, value]: [string, Variables[string]]): string {
  if (typeof value === "object") return `${name}=(${value.map(quote).join(" ")})`;
  return `${name}=${typeof value === "boolean" ? (value ? "yes" : "''") : quote(value)}`;
}
