import { wwwForms } from "../domain.ts";
import type { RedirectStatus, Site } from "./model.ts";
import { visitOf } from "./visitor.ts";

// The names of a site: those that serve it, and those that redirect visitors.

type Names = Pick<Site, "domains" | "wwwRedirect">;

/** Every name that a site answers to, each once: serving names first. */
export const siteNames = (site: Names & Pick<Site, "redirectStatus">): string[] => [
  ...servingNames(site),
  ...redirectsOf(site).flatMap(({ names }) => names),
];

/** The name under which the project answers itself: used for a check through nginx. Throws without a domain. */
export function servedName(site: Names): string {
  const domain = serving(site)[0] ?? site.domains[0];
  if (!domain) throw new Error("A site needs a domain");
  return wwwForms(domain.name, site.wwwRedirect).served;
}

/** Whether the certificate covers a name of the site. */
export const isCovered = ({ tls }: Pick<Site, "tls">, name: string): boolean => tls?.names.includes(name) ?? false;

const serving = (site: Pick<Site, "domains">) => site.domains.filter((domain) => !domain.redirectTo);

/** The names that serve the site itself, each once, in the order of its domains. */
export const servingNames = (site: Names): string[] => [
  ...new Set(serving(site).map(({ name }) => wwwForms(name, site.wwwRedirect).served)),
];

/** Names that redirect their visitors. */
export interface Redirect {
  names: string[];
  /** nginx text, with its variables. */
  target: string;
  status: RedirectStatus;
}

/**
 * Where each name that does not serve redirects its visitors; a name that has its own domain is not treated as another
 * domain's www form.
 */
export function redirectsOf(site: Names & Pick<Site, "redirectStatus" | "tls" | "proxies" | "balancer">): Redirect[] {
  const served = new Set(servingNames(site));
  const own = site.domains.flatMap(({ name, redirectTo, redirectStatus }) => {
    if (!redirectTo) return [];
    const target = /^https?:\/\/[^/?#]+$/.test(redirectTo) ? `${redirectTo}$request_uri` : redirectTo;
    return [{ names: [name], target, status: redirectStatus ?? site.redirectStatus }];
  });
  const taken = new Set([...served, ...own.flatMap(({ names }) => names)]);
  const www = serving(site).flatMap(({ name }) => {
    const { served: to, other } = wwwForms(name, site.wwwRedirect);
    if (!other || taken.has(other)) return [];
    taken.add(other);
    return [
      {
        names: [other],
        target: `${isCovered(site, to) ? "https" : visitOf(site).scheme}://${to}$request_uri`,
        status: site.redirectStatus,
      },
    ];
  });
  return [...own, ...www];
}
