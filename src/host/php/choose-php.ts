import { readFileSync } from "node:fs";

// Chooses the version of PHP for a release. Runs on managed servers, as a user without rights, with the server's Node: this file
// is copied there unchanged (release-php.ts), so it imports nothing of the product. Its input was written by a project. Root
// accepts nothing from its output but one of the versions that it passed, and the text of a line of the log.

export interface PhpQuestion {
  /** The text of composer.json. */
  composer: string;
  /** The server's own version, as 8.2.29. */
  own: string;
  /** Those that the server has or can install, as 8.2, in ascending order. */
  versions: readonly string[];
}

export interface PhpAnswer {
  version: string;
  why: string;
}

/** What asks for a version, worded for a sentence. */
export interface PhpRequest {
  by: string;
  text: string;
  /** What it means, as Composer writes constraints. */
  constraint: string;
}

/** Why a release uses the server's own version. */
export const serversOwnPhp = "it is the server's own, and the project asks for none";

/** Decides which version a release uses: the server's own also where nothing fits, since Composer then reports what does not run. */
export function choosePhp({ composer, own, versions }: PhpQuestion): PhpAnswer {
  const serversOwn = (why: string): PhpAnswer => ({ version: minorOf(own), why });
  let json: unknown;
  try {
    json = JSON.parse(composer.replace(/^\uFEFF/, ""));
  } catch {
    return serversOwn("it is the server's own. composer.json is not the JSON that it should be");
  }
  const request = phpRequestIn(json);
  if (request === undefined) return serversOwn(serversOwnPhp);
  // Text of a project: cut, and without characters that a terminal would interpret.
  const asks = `${request.by} asks for ${request.text.replace(/[^\x20-\x7e]/g, "?").slice(0, 100)}`;
  const found = phpFor(request, versions, own);
  if (found === undefined) {
    return serversOwn(`it is the server's own. ${asks}, and this server can have ${versions.join(", ")}`);
  }
  if (found === minorOf(own)) return serversOwn(`it is the server's own, and ${asks}`);
  return { version: found, why: `${asks}, and the server's own is ${own}` };
}

/** What composer.json asks for: the platform that its packages are resolved for, else what it requires. */
export function phpRequestIn(composer: unknown): PhpRequest | undefined {
  const { config, require } = record(composer);
  const platform = textOf(record(record(config).platform).php);
  if (platform !== "") return phpVersionRequest("config.platform of composer.json", platform);
  const required = textOf(record(require).php);
  return required === "" ? undefined : { by: "composer.json", text: required, constraint: required };
}

/** The request of a file that names one version: any release of 8.3 runs what was made with 8.3.10. */
export const phpVersionRequest = (by: string, text: string): PhpRequest => ({
  by,
  text,
  constraint: text.replace(/^(v?\d+\.\d+)\.\d+$/, "$1"),
});

const record = (value: unknown): Record<string, unknown> =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

const textOf = (value: unknown): string => (typeof value === "string" ? value.trim() : "");

/**
 * The version for a request: the server's `own` if it fits, else the lowest of the newer ones, which the project's authors have
 * surely used, else the newest of the older ones. undefined: none fits, or the constraint cannot be read.
 */
export function phpFor({ constraint }: PhpRequest, versions: readonly string[], own?: string): string | undefined {
  const alternatives = readConstraint(constraint);
  const isOlder = (version: string) => own !== undefined && numberOf(version) < numberOf(own);
  // The releases of the server's own line are known: it is what the server has.
  const others = versions.filter((version) => own === undefined || version !== minorOf(own));
  const byPreference = [
    ...(own === undefined ? [] : [own]),
    ...others.filter((version) => !isOlder(version)),
    ...others.filter(isOlder).reverse(),
  ];
  const found = byPreference.find((version) => alternatives.some((terms) => isWithin(spanOf(version), terms)));
  return found && minorOf(found);
}

const minorOf = (version: string): string => version.split(".").slice(0, 2).join(".");

// Constraints ---------------------------------------------------------------------------------------------------------------------

/** Releases, from the first to the first after them. */
type Span = readonly [number, number];

interface Term {
  span: Span;
  isExcluded?: boolean;
}

// More than people write.
const longestConstraint = 200;

/** The alternatives of a constraint, each a list of terms that all hold; none if it cannot be read. */
function readConstraint(text: string): Term[][] {
  if (text.length > longestConstraint) return [];
  const alternatives = text.split(/\|\|?/).map((part) => wordsIn(part).map(termOf));
  const isRead = alternatives.every((terms) => terms.length > 0 && !terms.includes(undefined));
  return isRead ? (alternatives as Term[][]) : [];
}

// `8.1 - 8.3` is two terms, and an operator may be apart from its version.
const wordsIn = (part: string): string[] =>
  part
    .replace(/(\S+)\s+-\s+(\S+)/g, (_, low: string, high: string) => `>=${low} <${following(high)}`)
    .replace(/([<>=!^~])\s+/g, "$1")
    .split(/[\s,]+/)
    .filter((word) => word !== "");

/** The version after a version and all that begin with it: 8.4 after 8.3. */
const following = (version: string): string => version.replace(/\d+$/, (last) => String(Number(last) + 1));

const everything: Span = [0, Number.POSITIVE_INFINITY];

// An operator, up to four numbers, wildcards; what stands for unfinished releases makes no difference here.
const pattern =
  /^([<>]=?|<>|!=|==?|\^|~)?v?(\d{1,3}(?:\.\d{1,3}){0,2})(?:\.\d{1,3})?(?:\.[*x])*(?:[.+_-]?(?:dev|alpha|beta|rc|stable|patch|pl?)\d{0,3})?(?:@[a-z]+)?$/i;

function termOf(word: string): Term | undefined {
  if (/^[*x](?:\.[*x])*(?:@[a-z]+)?$/i.test(word)) return { span: everything };
  const [, operator = "", version] = pattern.exec(word) ?? [];
  if (version === undefined) return undefined;
  const first = numberOf(version);
  const numbers = version.split(".");
  switch (operator) {
    case "^":
      return { span: [first, numberOf(following(numbers[0] as string))] };
    case "~":
      return { span: [first, numberOf(following(numbers.slice(0, Math.max(1, numbers.length - 1)).join(".")))] };
    case ">=":
      return { span: [first, Number.POSITIVE_INFINITY] };
    case ">":
      return { span: [first + 1, Number.POSITIVE_INFINITY] };
    case "<":
      return { span: [0, first] };
    case "<=":
      return { span: [0, first + 1] };
    case "!=":
    case "<>":
      return { span: spanOf(version), isExcluded: true };
    default:
      return { span: spanOf(version) };
  }
}

const spanOf = (version: string): Span => [numberOf(version), numberOf(following(version))];

const numberOf = (version: string): number => {
  const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
  return (major * 1_000 + minor) * 1_000 + patch;
};

/** Whether some release of a span fits all terms. */
function isWithin(span: Span, terms: readonly Term[]): boolean {
  const wanted = [span, ...terms.filter(({ isExcluded }) => !isExcluded).map((term) => term.span)];
  const from = Math.max(...wanted.map(([first]) => first));
  const to = Math.min(...wanted.map(([, end]) => end));
  const isExcluded = terms.some((term) => term.isExcluded && term.span[0] <= from && to <= term.span[1]);
  return from < to && !isExcluded;
}

/** Answers with two lines: the version, and the reason. composer.json comes on standard input. */
export function main(): void {
  const [own = "", ...versions] = process.argv.slice(1);
  const { version, why } = choosePhp({ composer: readFileSync(0, "utf8"), own, versions });
  console.log(`${version}\n${why}`);
}
