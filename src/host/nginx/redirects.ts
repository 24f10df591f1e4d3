import { block } from "./block.ts";
import type { RedirectRule, RuleStatus, Site } from "./model.ts";
import { siteNames } from "./names.ts";
import { asSent, belowGroup, pathError, pathPattern, restGroup } from "./path-pattern.ts";
import { alwaysAnswered } from "./well-known.ts";

// The redirects of a project by path, which its visitors get before anything else of the site. (Those of its names: names.ts.)

export const ruleStatuses = [301, 302, 307, 308, 410] as const satisfies readonly RuleStatus[];

/** Why a rule cannot be: a sentence for its field. */
export function ruleError(rule: RedirectRule): { field: "from" | "to"; sentence: string } | undefined {
  const path = pathError(rule);
  if (path !== undefined) return { field: "from", sentence: path };
  if (new RegExp(`^${alwaysAnswered}`).test(rule.from))
    return { field: "from", sentence: "Certificate authorities and deployments look there: it is never redirected." };
  const target = targetError(rule);
  return target === undefined ? undefined : { field: "to", sentence: target };
}

function targetError(rule: RedirectRule): string | undefined {
  const { to, status, match } = rule;
  if (status === 410) return to === null ? undefined : "What is gone (410) has no target.";
  if (to === null) return "The target is required.";
  if (!to.isWellFormed() || /[\p{Cc}\p{Z}"$\\{};<>^`|]/u.test(to))
    return "The target has a character that no address has, such as a space, or one of $ ; { }. Write it percent-encoded, as in %20.";
  if (/%(?![0-9A-Fa-f]{2})/.test(to)) return "A percent sign must be followed by two hexadecimal digits.";
  const [origin = "", path = ""] = splitTarget(to) ?? [];
  if (origin === "" && !/^\/(?!\/)/.test(path))
    return "The target must be a path that begins with one slash, or an http(s) address.";
  if (origin !== "" && !isOrigin(origin, path))
    return "The target must be an http(s) address with a host name of its own.";
  if (match === "prefix" && /[?#]/.test(to))
    return "What is below the path is added: the target must be without a query and a fragment.";
  if (asSent(to).length > 2_000) return "The target is too long.";
  if (match !== "pattern") return undefined;
  return placeholderError(rule, path) ?? (origin === "" ? hostError(path) : undefined);
}

/** What the asterisk stands for can be empty: a slash after it would be the second one, and what follows a host. */
const hostError = (path: string): string | undefined =>
  /^\/(?::splat)+\//.test(path) ? "A slash after :splat at the beginning could begin the name of a host." : undefined;

/** Scheme and host, which no placeholder can be a part of, and all that follows. */
const splitTarget = (to: string): [string, string] | undefined => {
  const found = /^(https?:\/\/[^/?#]*)?(.*)$/is.exec(to);
  return found ? [found[1] ?? "", found[2] ?? ""] : undefined;
};

const isOrigin = (origin: string, path: string): boolean => {
  if (!URL.canParse(origin) || !/^(?:[/?#]|$)/.test(path)) return false;
  const { hostname, username, password } = new URL(origin);
  return !username && !password && /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])$/i.test(hostname);
};

const named = /:([A-Za-z][A-Za-z0-9_]*)/g;

/** Each can bring as much as an address has: many would make of a short request a long answer. */
const mostInTarget = 16;

function placeholderError(rule: RedirectRule, path: string): string | undefined {
  const { groups } = pathPattern(rule);
  const used = [...path.matchAll(named)];
  if (used.length > mostInTarget) return `A target can have ${mostInTarget} placeholders.`;
  const unknown = used.find(([, name = ""]) => !groups.has(name));
  return unknown && `The path has no placeholder ${unknown[0]}.`;
}

// nginx ------------------------------------------------------------------------------------------------------------------

const variable = ({ layout }: Site): string => `$longshore_project_${layout.id}_redirect`;

/** The part before the `server` blocks: for each address its status and target; empty: it is not redirected. */
export const redirectMap = (site: Site): string[] => {
  const { redirects = [] } = site;
  if (redirects.length === 0) return [];
  return [
    "# Redirects, in their order.",
    ...block(`map $request_uri ${variable(site)}`, [
      "default '';",
      `"~^${alwaysAnswered.replace("$", "(?:\\?|$)")}" '';`,
      ...redirects.map((rule) => `"~${pathPattern(rule).regex}" "${answerOf(rule)}";`),
    ]),
  ];
};

const answerOf = (rule: RedirectRule): string => {
  const error = ruleError(rule);
  if (error !== undefined) throw new Error(`${JSON.stringify(rule)}: ${error.sentence}`);
  return rule.to === null ? String(rule.status) : `${rule.status} ${targetOf(rule, (group) => `\${${group}}`)}`;
};

/** The target, with `caught` for what each group of the pattern caught, and nginx's variables for the query. */
function targetOf(rule: RedirectRule, caught: (group: string) => string): string {
  const [origin = "", path = ""] = splitTarget(rule.to ?? "") ?? [];
  const filled = asSent(origin) + filledPath(rule, path, caught);
  if (!rule.keepsQuery) return filled;
  const [, before = "", fragment = ""] = /^([^#]*)(.*)$/s.exec(filled) ?? [];
  return `${before}${before.includes("?") ? "$more_query" : "$is_args$args"}${fragment}`;
}

function filledPath(rule: RedirectRule, path: string, caught: (group: string) => string): string {
  if (rule.match === "exact") return asSent(path);
  if (rule.match === "prefix") return asSent(path) + caught(path.endsWith("/") ? belowGroup : restGroup);
  const { groups } = pathPattern(rule);
  return asSent(path).replaceAll(named, (_, name: string) => caught(groups.get(name) ?? ""));
}

/**
 * Answers what is redirected; within a server, after the variables of the visit. Those of a load balancer and of a deployment with its pass
 * want the release itself.
 */
export const followRedirects = (site: Site): string[] => {
  const { redirects = [], layout, balancer } = site;
  if (redirects.length === 0) return [];
  const statuses = ruleStatuses.filter((status) => redirects.some((rule) => rule.status === status));
  return [
    "",
    "# Redirects of the project. A deployment with its pass asks for the release itself.",
    'set $more_query "";',
    'if ($args) { set $more_query "&$args"; }',
    `set $redirect ${variable(site)};`,
    `if (-f ${layout.state}/candidate-$longshore_candidate_pass) { set $redirect ""; }`,
    ...(balancer
      ? ["# The load balancer has redirected already.", 'if ($balancer_request) { set $redirect ""; }']
      : []),
    ...statuses.map((status) =>
      status === 410
        ? "if ($redirect = 410) { return 410; }"
        : `if ($redirect ~ "^${status} (?<redirect_target>.+)$") { return ${status} $redirect_target; }`,
    ),
  ];
};

// Circles ----------------------------------------------------------------------------------------------------------------

/** How many redirects in a row are followed here; browsers give up after 20. */
const mostHops = 10;

/**
 * The number of the first rule that leads visitors in a circle, or through too many others; undefined: none does. Addresses with one of the
 * site's names are the site's own.
 */
export function findCircle(
  site: Pick<Site, "domains" | "wwwRedirect" | "redirectStatus">,
  rules: readonly RedirectRule[],
): number | undefined {
  const names = new Set(siteNames(site));
  const compiled = rules.map((rule) => ({ rule, regex: new RegExp(pathPattern(rule).regex) }));
  const next = (path: string): string | undefined => {
    const found = compiled.find(({ regex }) => regex.test(path));
    const groups = found?.regex.exec(path)?.groups ?? {};
    return (
      found &&
      ownPath(
        names,
        targetOf({ ...found.rule, keepsQuery: false }, (group) => groups[group] ?? ""),
      )
    );
  };
  const at = compiled.findIndex(({ rule }) => {
    let path = rule.to === null ? undefined : ownPath(names, exampleOf(rule));
    for (let hops = 1; path !== undefined; hops++) {
      if (hops > mostHops) return true;
      path = next(path);
    }
    return false;
  });
  return at < 0 ? undefined : at;
}

const exampleOf = (rule: RedirectRule): string =>
  targetOf({ ...rule, keepsQuery: false }, (group) =>
    group === restGroup ? "/longshore-example" : "longshore-example",
  );

/** The path within the site, without a fragment; undefined: the target is elsewhere. */
function ownPath(names: ReadonlySet<string>, target: string): string | undefined {
  const [origin = "", path = ""] = splitTarget(target.replace(/#.*$/s, "")) ?? [];
  if (target === "" || (origin !== "" && !names.has(new URL(origin).hostname))) return undefined;
  return path.startsWith("/") ? path : `/${path}`;
}
