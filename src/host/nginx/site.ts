import { serverPaths } from "../layout.ts";
import { pinRelease, releaseCheck, stopWhenUnavailable, unreachablePages } from "./availability.ts";
import {
  balancedLocations,
  balancedPools,
  balancerMark,
  handBackHeader,
  handBackWhileDraining,
  pickNode,
  trustBalancer,
} from "./balancer.ts";
import { block } from "./block.ts";
import { staticLocations } from "./files.ts";
import { identifyScheme, identifyVisitor, negotiation } from "./markdown.ts";
import type { Site } from "./model.ts";
import { isCovered, type Redirect, redirectsOf, servingNames } from "./names.ts";
import { nodeLocations, nodeUpstreams, pickProcess } from "./node.ts";
import { phpLocations } from "./php.ts";
import { followRedirects, redirectMap } from "./redirects.ts";
import { hasProxies, identifyVisit, trustedProxies } from "./visitor.ts";
import { acmePath, alwaysAnswered } from "./well-known.ts";
import { checkFiles, fileCheck } from "./withheld.ts";

/**
 * The file of a project's site. What changes with a deployment or with maintenance is decided for each request from
 * links and flag files, so that no deployment reloads nginx: a reload drops requests of busy kept-alive clients.
 */
export function nginxSite(site: Site): string {
  checkWords(site);
  const parts = [
    ["# Longshore: written for the project; changes are overwritten."],
    beforeServers(site),
    ...servers(site),
  ];
  return `${parts
    .filter((part) => part.length > 0)
    .map((part) => part.join("\n"))
    .join("\n\n")}\n`;
}

// Users' texts are checked where they enter. What could be more than one word of nginx's file is not written into it in any case.
function checkWords({ domains, proxies = [], balancer, kind }: Site): void {
  const nodes = kind.family === "balanced" ? kind.nodes.map(({ address }) => address) : [];
  refuseWords(domains.map(({ name }) => name));
  refuseNetworks([...proxies, ...(balancer?.addresses ?? []), ...nodes]);
  const targets = domains.flatMap(({ redirectTo }) => redirectTo ?? []);
  refuse(targets.find((target) => !/^(?!.*["$\\])[\x21-\x7e]{1,2100}$/.test(target)));
}

/** Throws if one of them could be more than one word of nginx's file. */
export const refuseWords = (words: readonly string[]): void =>
  refuse(words.find((word) => !/^[A-Za-z0-9.:/-]+$/.test(word)));

/** The same for networks, among which nginx has words of its own, such as `include`. */
export const refuseNetworks = (networks: readonly string[]): void =>
  refuse(networks.find((network) => !/^[0-9A-Fa-f.:/]+$/.test(network)));

function refuse(wrong: string | undefined): void {
  if (wrong !== undefined) throw new Error(`A site of nginx cannot contain ${JSON.stringify(wrong)}`);
}

function beforeServers(site: Site): string[] {
  const { layout, kind, balancer } = site;
  const parts = [
    kind.family === "balanced" ? balancedPools(layout, kind.nodes) : [],
    kind.family === "node" ? nodeUpstreams(site, kind) : [],
    balancer ? balancerMark(layout, balancer) : [],
    trustedProxies(site),
    redirectMap(site),
  ];
  return parts.filter((part) => part.length > 0).flatMap((part, at) => (at === 0 ? part : ["", ...part]));
}

function servers(site: Site): string[][] {
  const names = servingNames(site);
  const covered = names.filter((name) => isCovered(site, name));
  const others = names.filter((name) => !covered.includes(name));
  const { tls: _, ...plain } = site;
  return [
    // A proxy or balancer may connect over plain HTTP, even when the visitor uses HTTPS: one server for both (sendToHttps).
    ...(covered.length === 0 || hasProxies(site) ? [] : [httpsRedirect(site, covered)]),
    ...(covered.length === 0 ? [] : [main(site, covered)]),
    // A new name waits for its certificate: until then it must not show the certificate of another name.
    ...(others.length === 0 ? [] : [main(plain, others)]),
    ...redirectsOf(site).map((redirect) =>
      redirectServer(redirect.names.every((name) => isCovered(site, name)) ? site : plain, redirect),
    ),
  ];
}

const httpsRedirect = (site: Site, names: string[]): string[] =>
  block("server", [
    ...plainPorts,
    `server_name ${names.join(" ")};`,
    ...logs(site),
    ...closeBeforeReload,
    ...acmeChallenges(site),
    "# Everything else is served over HTTPS.",
    ...block("location /", ["return 301 https://$host$request_uri;"]),
  ]);

/** With proxies, the server of plain HTTP is the one of HTTPS. A proxy that itself uses HTTPS is not sent there, whatever it reports. */
const sendToHttps = ({ balancer }: Site): string[] => [
  "# Visitors who use plain HTTP are sent to HTTPS.",
  `set $plainly "$scheme $visitor_scheme${balancer ? " $balancer_request" : ""}:$uri";`,
  `if ($plainly ~ "^http http ?:(?!${alwaysAnswered})") { return 301 https://$host$request_uri; }`,
];

const redirectServer = (site: Site, { names, target, status }: Redirect): string[] =>
  block("server", [
    ...plainPorts,
    ...securePorts(site),
    `server_name ${names.join(" ")};`,
    ...logs(site),
    ...realAddress(site),
    ...(target.startsWith("$visitor_scheme") ? identifyVisit(site) : []),
    ...acmeChallenges(site),
    ...block("location /", [`return ${status} "${target}";`]),
  ]);

const main = (site: Site, names: string[]): string[] =>
  block("server", [
    ...(site.tls && !hasProxies(site) ? [] : plainPorts),
    ...securePorts(site),
    `server_name ${names.join(" ")};`,
    ...logs(site, keepsFromLog(site) ? "if=$is_logged" : undefined),
    `client_max_body_size ${site.maxUploadMb ?? 100}m;`,
    "absolute_redirect off;",
    ...realAddress(site),
    ...(repeatsErrors(site) ? ["# An error page may follow another one.", "recursive_error_pages on;"] : []),
    ...(keepsFromLog(site) ? ["set $is_logged 1;"] : []),
    ...(site.markdownNegotiation ? ["", ...identifyVisitor] : []),
    ...(hasProxies(site) ? ["", ...identifyVisit(site, site.markdownNegotiation ? [identifyScheme] : [])] : []),
    "",
    ...headers(site),
    ...(site.balancer ? ["", ...trustBalancer(site)] : []),
    ...(site.tls && hasProxies(site) ? ["", ...sendToHttps(site)] : []),
    ...(site.balancer ? ["", ...handBackWhileDraining(site)] : []),
    "",
    ...(site.kind.family === "balanced" ? pickNode(site.layout, site.kind.nodes) : pinRelease(site)),
    ...(site.kind.family === "node" ? ["", ...pickProcess(site, site.kind)] : []),
    "",
    ...stopWhenUnavailable(site),
    ...followRedirects(site),
    ...password(site),
    ...(site.markdownNegotiation ? ["", ...negotiation(site)] : []),
    "",
    ...acmeChallenges(site),
    ...releaseCheck(site),
    "",
    ...locations(site),
    ...unreachablePages(site),
    ...fileChecks(site),
  ]);

const fileChecks = ({ kind }: Site): string[] =>
  kind.family === "static" || kind.family === "php" ? [...checkFiles, ...fileCheck(kind.family)] : [];

/** Whether requests of the platform's own would fill the log. */
const keepsFromLog = ({ balancer, markdownNegotiation = false }: Site): boolean =>
  balancer !== undefined || markdownNegotiation;

/** A converter that does not answer, and a process that is gone, are both followed by another attempt, which may fail as well. */
const repeatsErrors = ({ kind, balancer, markdownNegotiation = false }: Site): boolean =>
  markdownNegotiation || (kind.family === "node" && balancer === undefined);

function locations(site: Site): string[] {
  const { kind } = site;
  if (kind.family === "node") return nodeLocations(site, kind);
  if (kind.family === "php") return phpLocations(site, kind);
  return kind.family === "balanced" ? balancedLocations(site) : staticLocations(site, kind);
}

export const plainPorts = ["listen 80;", "listen [::]:80;"];

export const securePorts = ({ tls }: Pick<Site, "tls">): string[] =>
  tls
    ? [
        "listen 443 ssl http2;",
        "listen [::]:443 ssl http2;",
        `ssl_certificate ${tls.certificate};`,
        `ssl_certificate_key ${tls.key};`,
        // The chain includes the issuer. When the authority cannot be reached, nginx logs that and serves without a
        // response.
        ...(tls.stapled ? ["ssl_stapling on;"] : []),
        `include ${serverPaths.nginxHttps}/*.conf;`,
      ]
    : [];

const logs = ({ layout }: Site, condition?: string): string[] => [
  `access_log ${layout.logs}/access.log combined${condition ? ` ${condition}` : ""};`,
  `error_log ${layout.logs}/error.log;`,
];

export const realAddress = ({ proxies = [] }: Pick<Site, "proxies">): string[] =>
  proxies.length === 0
    ? []
    : [
        "# Behind these the visitor's address is in X-Forwarded-For.",
        ...proxies.map((proxy) => `set_real_ip_from ${proxy};`),
        "real_ip_header X-Forwarded-For;",
        "real_ip_recursive on;",
      ];

/** The headers that nginx adds to the answers of a site. Empty headers are not sent. */
function headers(site: Site): string[] {
  const { kind, tls, hsts, markdownNegotiation, balancer } = site;
  const hasFiles = kind.family === "static" || kind.family === "php";
  const hasAssets = hasFiles && kind.assets !== undefined;
  return [
    "# Headers; empty ones are not sent. Those that the application sets itself are left to it.",
    "add_header X-Frame-Options $longshore_frame_options;",
    "add_header X-Content-Type-Options $longshore_content_type_options;",
    "add_header Referrer-Policy $longshore_referrer_policy;",
    ...(hasFiles ? ["add_header Cache-Control $longshore_page_caching;"] : []),
    ...(hasAssets ? ['set $asset_caching "";', "add_header Cache-Control $asset_caching;"] : []),
    // Caches store the page and its Markdown separately.
    ...(markdownNegotiation ? ["add_header Vary Accept;"] : []),
    ...(balancer ? [handBackHeader] : []),
    ...(tls && hsts ? strictTransport(site) : []),
    ...ownPageHeaders,
  ];
}

// Only for visitors who use HTTPS. A balancer sends the header itself.
const strictTransport = (site: Site): string[] =>
  hasProxies(site)
    ? [
        'set $strict_transport "";',
        `if (${site.balancer ? "$https" : "$visitor_https"}) { set $strict_transport max-age=31536000; }`,
        "add_header Strict-Transport-Security $strict_transport always;",
      ]
    : ["add_header Strict-Transport-Security max-age=31536000 always;"];

const closeBeforeReload = [
  "# Shortly before nginx reloads, clients are asked to close the connections that they keep: a reload closes them, also those on",
  "# which a client is just sending its next request.",
  'set $connection_header "";',
  `if (-e ${serverPaths.nginxReloading}) { set $connection_header $longshore_close_connection; }`,
  "add_header Connection $connection_header always;",
];

/** The headers of Longshore's own pages (`ownPage`), and those before a reload. */
export const ownPageHeaders: readonly string[] = [
  "# For Longshore's own pages, instead of the site.",
  'set $own_page_caching "";',
  'set $retry_after "";',
  "add_header Cache-Control $own_page_caching always;",
  "add_header Retry-After $retry_after always;",
  ...closeBeforeReload,
];

const acmeChallenges = ({ layout, basicAuth }: Site): string[] => [
  "# Certificate authorities look here whether a name leads to this server.",
  ...block(`location ^~ ${acmePath}`, [
    `alias ${layout.acmeChallenges}/;`,
    ...(basicAuth === undefined ? [] : ["auth_basic off;"]),
    "default_type text/plain;",
    "log_not_found off;",
  ]),
];

// A balancer has already asked for the password of the requests that it forwards. A deployment that checks whether the
// site answers has a pass: only for the deployment that created it, and only during the check.
const password = ({ basicAuth, layout, balancer }: Site): string[] =>
  basicAuth === undefined
    ? []
    : [
        "",
        "# Visitors are asked for a password, and a deployment with its pass is not.",
        ...(balancer ? [] : ["set $realm Restricted;"]),
        `if (-f ${layout.state}/candidate-$longshore_candidate_pass) { set $realm off; }`,
        "auth_basic $realm;",
        `auth_basic_user_file ${layout.state}/basic-auth;`,
      ];
