import type { RuleStatus } from "../../../host/nginx/model.ts";
import type { RedirectRow } from "../../site-records/schema.ts";
import { type LineReader, otherStatus, type ReadLine, statusOf } from "./lines.ts";

// The redirects of an .htaccess file: Redirect, RedirectMatch and RewriteRule with R or G, as far as their regular expressions are
// whole paths with groups for parts of them.

const needsMore: ReadLine = { reason: "The regular expression is not one that a path with placeholders can replace." };

const words = (line: string): string[] =>
  [...line.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");

const isContext = /^(?:<|rewriteengine\b|rewritebase\s+\/$|options\b)/i;

/** Conditions belong to the next rule. */
export const apacheLines: LineReader = () => {
  let hasCondition = false;
  return (line) => {
    if (isContext.test(line)) return undefined;
    const [name = "", ...given] = words(line);
    const isConditional = hasCondition;
    hasCondition = /^rewritecond$/i.test(name);
    if (hasCondition) return { reason: "Conditions are not possible." };
    if (/^rewriterule$/i.test(name))
      return isConditional ? { reason: "The rule has a condition." } : rewriteRule(given);
    if (/^redirect(?:permanent|temp)?$/i.test(name)) return redirect(name.toLowerCase(), given);
    if (/^redirectmatch$/i.test(name)) return redirectMatch(given);
    return { reason: "The line is not a redirect." };
  };
};

const statusNames: Record<string, RuleStatus> = { permanent: 301, temp: 302, gone: 410 };

/** The status of a line, which may be left out, and its other words; undefined: another status. */
function withStatus([first = "", ...rest]: string[]): { status: RuleStatus; rest: string[] } | undefined {
  if (/^(?:[/^(]|https?:)/.test(first)) return { status: 302, rest: [first, ...rest] };
  const status = statusNames[first.toLowerCase()] ?? statusOf(first);
  return status && { status, rest };
}

function redirect(name: string, given: string[]): ReadLine {
  const fixed = { redirectpermanent: 301, redirecttemp: 302 } as const;
  const found = name in fixed ? { status: fixed[name as keyof typeof fixed], rest: given } : withStatus(given);
  if (!found) return { reason: otherStatus };
  const [from = "", to] = found.rest;
  return { redirects: [{ match: "prefix", from, to: to ?? null, status: found.status, keeps_query: true }] };
}

function redirectMatch(given: string[]): ReadLine {
  const found = withStatus(given);
  if (!found) return { reason: otherStatus };
  const [regex = "", to] = found.rest;
  return matched(regex, to ?? null, { status: found.status, keeps_query: true });
}

function rewriteRule([regex = "", to = "", flags = ""]: string[]): ReadLine {
  const given = flags
    .replace(/^\[|\]$/g, "")
    .split(",")
    .map((flag) => flag.trim().toUpperCase());
  const redirects = given.find((flag) => /^R(?:=|$)|^REDIRECT(?:=|$)/.test(flag));
  const isGone = given.includes("G") || given.includes("GONE");
  if (redirects === undefined && !isGone) return { reason: "The rule does not redirect." };
  const named = redirects?.split("=")[1]?.toLowerCase() ?? "302";
  const status = isGone ? 410 : (statusNames[named] ?? statusOf(named));
  if (status === undefined) return { reason: otherStatus };
  const other = given.find((flag) => !/^(?:R|REDIRECT|G|GONE|L|LAST|NE|QSA|QSD|END)(?:=|$)|^$/.test(flag));
  if (other !== undefined) return { reason: `The flag ${other} is not possible.` };
  // A target with a query replaces that of the request, unless it is to be added.
  const keeps_query = !given.includes("QSD") && (given.includes("QSA") || !to.includes("?"));
  const target = to === "-" ? null : /^(?:\/|https?:)/i.test(to) ? to : `/${to}`;
  return matched(regex.replace(/^\^(?:\/\?)?(?!\/)/, "^/"), target, { status, keeps_query });
}

type Rest = Pick<RedirectRow, "status" | "keeps_query">;

/** `^/blog/([^/]+)/(.*)$` is `/blog/:part1/*`, and `$1` in the target is the first of them. */
function matched(regex: string, to: string | null, rest: Rest): ReadLine {
  const body = /^\^(\/.*?)(\/\?)?\$$/.exec(regex);
  if (!body) return needsMore;
  const [, path = "", mayEndInSlash] = body;
  const names: string[] = [];
  const parts = path
    .replaceAll("([^/]+)", ":")
    .replace(/\(\.[*+]\)$/, "*")
    .split("/")
    .slice(1);
  const read = parts.map((part) => {
    if (part === ":") return `:part${names.push(`part${names.length + 1}`)}`;
    if (part === "*") return names.push("splat") && "*";
    return literalOf(part);
  });
  const groups = [...(to ?? "").matchAll(/\$([0-9])/g)].map(([, digit]) => Number(digit));
  if (read.includes(undefined) || groups.some((group) => group < 1 || group > names.length)) return needsMore;
  const target =
    to === null || rest.status === 410
      ? null
      : to.replaceAll(/\$([0-9])/g, (_, digit) => `:${names[Number(digit) - 1] ?? ""}`);
  const from = `/${read.join("/")}`;
  const isPattern = names.length > 0;
  const rule: RedirectRow = { match: isPattern ? "pattern" : "exact", from, to: target, ...rest };
  return { redirects: mayEndInSlash ? [rule, { ...rule, from: `${from}/` }] : [rule] };
}

/** The text that the expression is for, where a dot is taken as one; undefined: it is for others as well. */
const literalOf = (part: string): string | undefined => {
  const text = part.replaceAll(/\\([.~@!,;=&'-])/g, "$1");
  return /[()[\]{}|*+?^$\\]/.test(text) || text.startsWith(":") ? undefined : text;
};
