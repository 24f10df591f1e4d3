// Which requests a rule of a project is for, by their addresses. A rule is compiled to an anchored regular expression for nginx's
// $request_uri: the address as it was sent, which stays the same when nginx looks for a file or a page of errors, and whose parts can
// stand in a header as they are. It has no repetition within another one, so no address takes long.

export const ruleMatches = ["exact", "prefix", "pattern"] as const;
export type RuleMatch = (typeof ruleMatches)[number];

export interface PathRule {
  /**
   * `exact`: this path. `prefix`: this path, and all below it. `pattern`: `:name` stands for one part of the path, and `*` at the end
   * for all that follows.
   */
  match: RuleMatch;
  from: string;
}

export interface PathPattern {
  /** For JavaScript and for nginx, where it needs no escapes within double quotes. */
  regex: string;
  /** The names of its placeholders, with the groups that catch them. */
  groups: ReadonlyMap<string, string>;
}

/** The groups of what is below a prefix: nothing, or a slash and more; and the same without the slash. */
export const restGroup = "rule_rest";
export const belowGroup = "rule_below";

const mostPlaceholders = 8;

// nginx takes no word of 4 KB.
const longestRegex = 3_000;

const placeholder = /^:([A-Za-z][A-Za-z0-9_]{0,30})$/;

// What a placeholder stands for can follow a slash of the target: it must not begin another host.
const part = "[^/?\\x5c\\x00-\\x20\\x7f]+";
const splat = "(?![/\\x5c])[^?\\x00-\\x20\\x7f]*";

const end = "(?:\\?|$)";

/** A sentence about why a path cannot be one of a rule; undefined: it can. */
export function pathError({ match, from }: PathRule): string | undefined {
  if (!from.startsWith("/")) return "The path must begin with a slash.";
  if (!from.isWellFormed() || /[\p{Cc}\p{Zl}\p{Zp}"\\<>{}^`|]/u.test(from))
    return 'The path has a character that no address has, such as a quote or a line break. Write it as "%" and two digits.';
  if (/[?#]/.test(from)) return "The path must be without a query and a fragment.";
  if (/%(?![0-9A-Fa-f]{2})/.test(from)) return "A percent sign must be followed by two hexadecimal digits.";
  if (match === "pattern") return patternError(from) ?? lengthError({ match, from });
  return lengthError({ match, from });
}

function patternError(from: string): string | undefined {
  const parts = from.split("/").slice(1);
  const names = parts.filter((each) => each.startsWith(":"));
  if (parts.slice(0, -1).some((each) => each.includes("*")) || /.\*|\*./.test(parts.at(-1) ?? ""))
    return "An asterisk can only be the last part of the path, as in /blog/*.";
  if (names.some((each) => !placeholder.test(each) || each === ":splat"))
    return "A placeholder is a part of the path of its own, with a name of letters, digits and underscores, as in /blog/:slug.";
  if (new Set(names).size < names.length) return "Each placeholder needs a name of its own.";
  return names.length > mostPlaceholders ? `A path can have ${mostPlaceholders} placeholders.` : undefined;
}

const lengthError = (rule: PathRule): string | undefined =>
  compile(rule).regex.length > longestRegex ? "The path is too long." : undefined;

/** Throws for a path that `pathError` rejects. */
export function pathPattern(rule: PathRule): PathPattern {
  const error = pathError(rule);
  if (error !== undefined) throw new Error(`${JSON.stringify(rule.from)}: ${error}`);
  return compile(rule);
}

function compile({ match, from }: PathRule): PathPattern {
  if (match === "exact") return { regex: `^${literal(from)}${end}`, groups: new Map() };
  if (match === "prefix") {
    const rest = `(?<${restGroup}>/(?<${belowGroup}>${splat}))?`;
    return { regex: `^${literal(from.replace(/\/$/, ""))}${rest}${end}`, groups: new Map() };
  }
  const groups = new Map<string, string>();
  const parts = from.split("/").slice(1);
  const pieces = parts.map((each) => {
    const name = each === "*" ? "splat" : placeholder.exec(each)?.[1];
    if (name === undefined) return `/${literal(each)}`;
    const group = `rule_${groups.size + 1}`;
    groups.set(name, group);
    // What `/blog/*` is for includes `/blog`.
    if (name === "splat") return parts.length === 1 ? `/(?<${group}>${splat})` : `(?:/(?<${group}>${splat}))?`;
    return `/(?<${group}>${part})`;
  });
  return { regex: `^${pieces.join("")}${end}`, groups };
}

/** A text as addresses have it: what no address has is percent-encoded, and what is encoded already stays so. */
export const asSent = (text: string): string => text.replaceAll(/[^\x21-\x7e]+/g, (run) => encodeURIComponent(run));

// Letters, digits and what has no meaning stand as they are; anything else by its number. Browsers send encoded bytes in either case.
const literal = (text: string): string =>
  asSent(text).replaceAll(/(?:%[0-9A-Fa-f]{2})+|[^A-Za-z0-9/_-]/g, (found) => {
    if (found.startsWith("%")) return `(?i:${found})`;
    return found === "." ? "\\." : `\\x${found.charCodeAt(0).toString(16).padStart(2, "0")}`;
  });
