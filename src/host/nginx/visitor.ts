import type { ProjectLayout } from "../layout.ts";
import { block } from "./block.ts";
import type { Site } from "./model.ts";

// How visitors reach a site whose TLS may end in front of it: at a CDN or at a load balancer.

type Proxied = Pick<Site, "proxies" | "balancer">;

interface Visit {
  scheme: string;
  https: string;
  port: string;
}

/** nginx's variables for how the visitor came: `https`, `on` and `443`, or `http`, nothing and `80`. */
export const visitOf = (site: Proxied): Visit =>
  hasProxies(site)
    ? { scheme: "$visitor_scheme", https: "$visitor_https", port: "$visitor_port" }
    : { scheme: "$scheme", https: "$https", port: "$server_port" };

/** Whether a request may come from a proxy that reports how the visitor came. */
export const hasProxies = (site: Proxied): boolean => trustedBy(site).length > 0;

const trustedBy = ({ proxies = [], balancer }: Proxied): string[] => [
  ...new Set([...proxies, ...(balancer?.addresses ?? [])]),
];

const trustVariable = ({ id }: Pick<ProjectLayout, "id">): string => `$longshore_project_${id}_trusts`;

/** The part before the `server` blocks: whether the connection is one of a trusted proxy. */
export const trustedProxies = (site: Proxied & { layout: Pick<ProjectLayout, "id"> }): string[] =>
  hasProxies(site)
    ? [
        "# Who may report how the visitor came.",
        ...block(
          `geo $realip_remote_addr ${trustVariable(site.layout)}`,
          trustedBy(site).map((network) => `"${network}" yes;`),
        ),
      ]
    : [];

/** What a proxy reports, of the first of these headers that it sends; of a list, the first entry is the visitor's. */
const reports = (schemes: string): string =>
  `^yes (?:(?:${schemes})${end}|;(?:${schemes})${end}|;;[^,]*\\bproto=\\"?(?:${schemes})(?![\\w-]))`;

// Of a word in a list.
const end = "(?=\\s*(?:,|;|$))";

/**
 * Sets the variables of `visitOf`. A proxy that reports nothing changes nothing. `better`: lines that know the scheme from elsewhere.
 */
export const identifyVisit = (
  site: Proxied & { layout: Pick<ProjectLayout, "id"> },
  better: readonly string[] = [],
): string[] =>
  hasProxies(site)
    ? [
        "# How the visitor came: as the connection did, or as a trusted proxy reports it.",
        "set $visitor_scheme $scheme;",
        `set $report "${trustVariable(site.layout)} $http_x_forwarded_proto;$http_cloudfront_forwarded_proto;$http_forwarded";`,
        `if ($report ~* "${reports("https|wss")}") { set $visitor_scheme https; }`,
        `if ($report ~* "${reports("http|ws")}") { set $visitor_scheme http; }`,
        ...better,
        'set $visitor_https "";',
        "set $visitor_port 80;",
        "if ($visitor_scheme = https) { set $visitor_https on; set $visitor_port 443; }",
      ]
    : [];
