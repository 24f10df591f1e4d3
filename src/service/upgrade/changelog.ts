import { compareVersions, isVersion } from "./version-order.ts";

const maxLines = 200;

/** A section of the changelog: `## 0.3.0`, also with words after the version. */
const heading = /^## \[?v?([^\s\]]+)/;

/**
 * The lines about the versions after `from`, up to and with `to`; empty if there are none. A version with a suffix has no section of
 * its own: it gets the lines that are not released yet. A long text is cut, and ends with where the rest is.
 */
export function changesBetween(changelog: string, from: string, to: string): string[] {
  const lines: string[] = [];
  let isWanted = false;
  for (const line of changelog.split("\n")) {
    const [, name] = heading.exec(line) ?? [];
    if (name !== undefined) isWanted = isBetween(name, from, to);
    if (isWanted) lines.push(line.trimEnd());
  }
  while (lines.at(-1) === "") lines.pop();
  if (lines.length <= maxLines) return lines;
  return [...lines.slice(0, maxLines), `… and ${lines.length - maxLines} more lines in its CHANGELOG.md`];
}

function isBetween(name: string, from: string, to: string): boolean {
  if (name === "Unreleased") return to.includes("-");
  return isVersion(name) && compareVersions(name, from) > 0 && compareVersions(name, to) <= 0;
}
