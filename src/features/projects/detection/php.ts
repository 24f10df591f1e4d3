import { type PhpVersion, phpVersions } from "../../../host/php/php-versions.ts";
import { objectIn, objectOf, textOf } from "./application.ts";
import type { Proposal } from "./detect.ts";
import type { RepositoryFiles } from "./files.ts";

/**
 * The version of PHP that a project should choose: null if it asks for none, or the server's `own` fits. A range gets the lowest
 * version that fits, which its authors have surely used. `notes` gets a sentence if no version fits.
 */
export function phpVersionFor(
  { contents }: RepositoryFiles,
  own?: PhpVersion,
): { proposal: Proposal | null; notes: string[] } {
  const composer = objectIn(contents["composer.json"]);
  const wishes: [string, string][] = [
    [".php-version", lineIn(contents[".php-version"])],
    ["config.platform of composer.json", lineIn(textOf(objectOf(objectOf(composer.config).platform).php))],
    ["composer.json", lineIn(textOf(objectOf(composer.require).php))],
  ];
  const [where, asked] = wishes.find(([, text]) => text !== "") ?? [];
  if (where === undefined || asked === undefined) return { proposal: null, notes: [] };
  const fitting = phpVersions.filter((version) => fits(version, asked));
  const [lowest] = fitting;
  if (lowest === undefined) {
    const there = `${phpVersions[0]} to ${phpVersions.at(-1)}`;
    return { proposal: null, notes: [`${where} asks for PHP ${asked}, and a project can have ${there}.`] };
  }
  if (own !== undefined && fitting.includes(own)) return { proposal: null, notes: [] };
  return { proposal: { value: lowest, reason: `${where} asks for PHP ${asked}.` }, notes: [] };
}

const lineIn = (text = ""): string => text.trim().split("\n")[0]?.trim().slice(0, 100) ?? "";

/** Whether some release of a version such as 8.3 is in a range as Composer writes it. */
function fits(version: PhpVersion, range: string): boolean {
  const [from, to] = [numberOf(version), after(version)];
  return range.split(/\s*\|\|?\s*/).some((part) => {
    const spans = termsIn(part).map(spanOf);
    return Math.max(from, ...spans.map(([low]) => low)) < Math.min(to, ...spans.map(([, high]) => high));
  });
}

/** From the first release in the range to the first after it. */
type Span = readonly [number, number];

const nothing: Span = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];

// `8.1 - 8.3` is two terms, and an operator may be apart from its version.
const termsIn = (part: string): string[] =>
  part
    .replace(/(\S+)\s+-\s+(\S+)/g, ">=$1 <=$2")
    .replace(/([<>=^~])\s+/g, "$1")
    .split(/[\s,]+/)
    .filter((term) => term !== "");

function spanOf(term: string): Span {
  if (term === "*" || term.startsWith("!=")) return [0, Number.POSITIVE_INFINITY];
  const [, operator = "", version] =
    /^([<>]=?|==?|[\^~])?v?(\d{1,3}(?:\.\d{1,3}){0,2})(?:\.[*x])?(?:@\w+)?$/.exec(term) ?? [];
  if (version === undefined) return nothing;
  const first = numberOf(version);
  const parts = version.split(".");
  switch (operator) {
    case "^":
      return [first, after(parts[0] as string)];
    case "~":
      return [first, after(parts.slice(0, Math.max(1, parts.length - 1)).join("."))];
    case ">=":
      return [first, Number.POSITIVE_INFINITY];
    case ">":
      return [first + 1, Number.POSITIVE_INFINITY];
    case "<":
      return [0, first];
    case "<=":
      return [0, after(version)];
    default:
      return [first, after(version)];
  }
}

const numberOf = (version: string): number => {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  return (major * 1_000 + minor) * 1_000 + patch;
};

/** The first release that does not begin with this version. */
const after = (version: string): number =>
  numberOf(version) + ([1_000_000, 1_000, 1][version.split(".").length - 1] as number);
