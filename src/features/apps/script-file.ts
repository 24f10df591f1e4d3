import { readFileSync } from "node:fs";
import type { Script } from "../../host/sh.ts";
import { quote } from "../../host/sh.ts";

/**
 * A script in a separate file beside its renderer. The values become variables of the same names before it: a text is one shell
 * word with any content, a list is an array.
 */
export function scriptFile(
  url: URL,
  variables: Readonly<Record<string, string | number | readonly (string | number)[]>>,
): Script {
  const assignments = Object.entries(variables).map(([name, value]) =>
    typeof value === "object" ? `${name}=(${value.map(quote).join(" ")})` : `${name}=${quote(value)}`,
  );
  return { script: [...assignments, contentOf(url)].join("\n") };
}

const read = new Map<string, string>();

function contentOf(url: URL): string {
  const known = read.get(url.href);
  if (known !== undefined) return known;
  const lines = readFileSync(url, "utf8").trimEnd().split("\n");
  // Words for shellcheck, which reads the file alone.
  const content = lines.filter((line, at) => at > 5 || !/^# shellcheck /.test(line)).join("\n");
  read.set(url.href, content);
  return content;
}
