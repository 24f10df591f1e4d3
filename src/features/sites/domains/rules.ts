import { redirectTarget, wwwForms } from "../../../host/domain.ts";
import type { FieldErrors } from "../../../lib/errors.ts";
import type { DomainSet } from "../../site-records/schema.ts";
import { maxDomains } from "./schema.ts";

// The changes of a project's domains, as functions from one set of them to another.

type Entry = DomainSet["domains"][number];

/** `set` with one more name, which is served. */
export const withDomain = (set: DomainSet, name: string): DomainSet => ({
  ...set,
  domains: [...set.domains, newEntry(name)],
});

const newEntry = (name: string): Entry => ({
  domain_name: name,
  is_primary: false,
  is_active: true,
  redirect_to: null,
  redirect_status_code: null,
});

/**
 * `set` with exactly these names. Existing ones keep their settings. The primary one stays primary; without it, the first served
 * one becomes primary.
 */
export function withDomains(set: DomainSet, names: readonly string[], wwwRedirect: 0 | 1 | 2 | undefined): DomainSet {
  const known = new Map(set.domains.map((domain) => [domain.domain_name, domain]));
  const entries = [...new Set(names)].map((name) => known.get(name) ?? newEntry(name));
  const primary = entries.find((each) => each.is_primary) ?? entries.find((each) => each.redirect_to === null);
  return {
    www_redirect: wwwRedirect ?? set.www_redirect,
    domains: entries.map((each) => ({ ...each, is_primary: each === primary })),
  };
}

/**
 * `set` with another primary domain. Its visitors are not redirected to another name: if www_redirect would do so, its direction
 * changes, except for a bare name whose www form is not a separate domain.
 */
export function withPrimary(set: DomainSet, primary: Entry): DomainSet {
  const domains = set.domains.map((each) => ({ ...each, is_primary: each.id === primary.id }));
  const { served } = wwwForms(primary.domain_name, set.www_redirect);
  const isSentAway = served !== primary.domain_name;
  const turns = isSentAway && (set.www_redirect === 1 || domains.some((each) => each.domain_name === served));
  return { domains, www_redirect: turns ? (set.www_redirect === 1 ? 2 : 1) : set.www_redirect };
}

export const withRedirect = (
  set: DomainSet,
  id: number,
  redirect: Pick<Entry, "redirect_to" | "redirect_status_code">,
): DomainSet => ({ ...set, domains: set.domains.map((each) => (each.id === id ? { ...each, ...redirect } : each)) });

export const withoutDomain = (set: DomainSet, id: number): DomainSet => ({
  ...set,
  domains: set.domains.filter((each) => each.id !== id),
});

/** The errors of a set, under the request field that caused them; empty if it can be served. */
export function setErrors(set: DomainSet, field: string): FieldErrors {
  const sentence = tooMany(set) ?? nothingServes(set) ?? servedAndSent(set) ?? loop(set);
  return sentence === undefined ? {} : { [field]: sentence };
}

const tooMany = ({ domains }: DomainSet): string | undefined =>
  domains.length > maxDomains ? `A project has at most ${maxDomains} domains.` : undefined;

const nothingServes = ({ domains }: DomainSet): string | undefined =>
  domains.some((each) => each.is_primary && each.redirect_to === null)
    ? undefined
    : "One of the domains has to serve the project: all of these redirect elsewhere.";

function servedAndSent({ domains, www_redirect }: DomainSet): string | undefined {
  const sent = new Set(domains.filter((each) => each.redirect_to !== null).map((each) => each.domain_name));
  const both = domains.find(
    (each) => each.redirect_to === null && sent.has(wwwForms(each.domain_name, www_redirect).served),
  );
  if (!both) return undefined;
  const { served } = wwwForms(both.domain_name, www_redirect);
  return `${served} redirects elsewhere, but with the redirect between names with and without www it is what serves ${both.domain_name}.`;
}

/** Follows every redirect from name to name, as a browser would. */
function loop(set: DomainSet): string | undefined {
  const targets = targetsOf(set);
  for (const start of targets.keys()) {
    const seen = [start];
    for (let next = targets.get(start); next !== undefined; next = targets.get(next)) {
      if (seen.includes(next)) return `The redirects lead in a circle: ${[...seen, next].join(" to ")}.`;
      seen.push(next);
    }
  }
  return undefined;
}

function targetsOf({ domains, www_redirect }: DomainSet): Map<string, string> {
  const targets = new Map<string, string>();
  for (const { domain_name: name, redirect_to: target } of domains) {
    if (target !== null) targets.set(name, new URL(target).hostname);
  }
  for (const { domain_name: name, redirect_to: target } of domains) {
    const { served, other } = wwwForms(name, www_redirect);
    if (target === null && other !== undefined && !targets.has(other)) targets.set(other, served);
  }
  return targets;
}

/** Why a text cannot be the target of a redirect, as a sentence; undefined if it can. */
export const redirectError = (text: string): string | undefined =>
  redirectTarget(text) === undefined
    ? "The target of the redirect must be a host name such as example.com, or an http or https URL without a password."
    : undefined;
