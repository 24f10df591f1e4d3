import type { WwwRedirect } from "../domain.ts";
import { type ProjectLayout, serverPaths, upstreamName } from "../layout.ts";
import { type AssetLayout, assetLocations } from "./assets.ts";
import {
  type BalancedNode,
  balancedLocations,
  balancedPools,
  balancerMaps,
  heedBalancer,
  isLogged,
  pickNode,
  type SiteBalancer,
} from "./balancer.ts";
import { headers } from "./headers.ts";
import { markdownLocations, negotiation } from "./markdown.ts";
import { isCovered, type Redirect, redirectsOf, servingNames } from "./names.ts";
import { errorPages, releaseCheck, triesAgain } from "./pages.ts";

export interface SiteDomain {
  /** Lowercase hostname, as `domainName` returns it. */
  name: string;
  /** Where visitors of this name are sent, as `redirectTarget` returns it; undefined: the name serves the project. */
  redirectTo?: string | undefined;
  redirectStatus?: RedirectStatus | undefined;
}

export type RedirectStatus = 301 | 302 | 307 | 308;

/**
 * How a project answers. `spa`: unknown addresses get index.html; `detected`: unless the release has a 404.html, or its deployment
 * found that it has several pages. `assets`: where names carry hashes. `balanced`: on a load balancer, by what its nodes answer.
 */
export type SiteKind =
  | { family: "static"; spa: boolean | "detected"; assets?: AssetLayout | undefined }
  | { family: "php"; assets?: AssetLayout | undefined }
  | { family: "node"; ports: readonly [number, number] }
  | { family: "balanced"; nodes: readonly BalancedNode[] };

/** Paths on the server, and the names that the certificate covers: other names are served over plain HTTP only. */
export interface SiteTls {
  certificate: string;
  key: string;
  names: readonly string[];
  /** Whether visitors get the authority's OCSP response. nginx asks for it when it loads the certificate. */
  stapled?: boolean;
}

/** Everything that decides what the web server does for a project. */
export interface Site {
  layout: ProjectLayout;
  kind: SiteKind;
  /** The primary one first; at least one. */
  domains: readonly SiteDomain[];
  /** For every name that serves. */
  wwwRedirect: WwwRedirect;
  redirectStatus: RedirectStatus;
  /** With it, plain HTTP is sent to HTTPS. */
  tls?: SiteTls | undefined;
  /** Answers clients that ask for it in Markdown: from the file beside a page, or converted from its HTML. */
  markdownNegotiation?: boolean;
  /** The largest request body; default: 100 MB. */
  maxUploadMb?: number;
  /** Browsers keep to HTTPS for a year. */
  hsts?: boolean;
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  proxies?: readonly string[];
  /** The site is a node's: visitors come through a load balancer. */
  balancer?: SiteBalancer | undefined;
  /** Visitors are asked for a password: its version. Whom it lets in is in the file `basic-auth` of the project's state. */
  basicAuth?: number | undefined;
  /** Keeps the file `names` of the layout: for applications that have to know where they are served. */
  hasNamesFile?: boolean;
}

/** Where certificate authorities look whether a name leads to this server. */
export const acmePath = "/.well-known/acme-challenge/";

/**
 * The file of a project's site. What changes with a deployment or with maintenance is decided for each request from
 * links and flag files, so that no deployment reloads nginx: a reload drops requests of busy kept-alive clients.
 */
export function nginxSite(site: Site): string {
  return `${["# Longshore: written for the project; changes are overwritten.", ...before(site), ...servers(site)].join("\n\n")}\n`;
}

function before({ layout, kind, balancer }: Site): string[] {
  if (kind.family === "balanced") return balancedPools(layout, kind.nodes);
  const upstreams = kind.family === "node" ? kind.ports.map((port) => upstream(layout, port)) : [];
  return [...upstreams, ...(balancer ? balancerMaps(layout, balancer) : [])];
}

// Node closes idle connections after 5 s. nginx lets go of them first: otherwise a request may meet a connection that
// is just being closed. It also shows soon that an old process has nothing left to answer.
const upstream = (layout: ProjectLayout, port: number): string => `upstream ${upstreamName(layout, port)} {
    server 127.0.0.1:${port} max_fails=0;
    keepalive 32;
    keepalive_timeout 1s;
}`;

function servers(site: Site): string[] {
  const names = servingNames(site);
  const covered = names.filter((name) => isCovered(site, name));
  const { tls: _, ...plain } = site;
  const others = names.filter((name) => !covered.includes(name));
  return [
    ...(covered.length === 0 ? [] : [main(site, covered)]),
    // A name that is new waits for its certificate: until then it must not show that of another.
    ...(others.length === 0 ? [] : [main(plain, others)]),
    ...redirectsOf(site).map((redirect) =>
      redirectServer(redirect.names.every((name) => isCovered(site, name)) ? site : plain, redirect),
    ),
  ];
}

const redirectServer = (site: Site, { names, target, status }: Redirect): string => `server {
${[...listen(site), `server_name ${names.join(" ")};`, ...logs(site), ...acme(site), "location / {", `    return ${status} "${target}";`, "}"].map(indent).join("\n")}
}`;

const main = (site: Site, names: string[]): string => `server {
${[
  ...listen(site),
  `server_name ${names.join(" ")};`,
  ...logs(site),
  `client_max_body_size ${site.maxUploadMb ?? 100}m;`,
  ...realAddress(site),
  ...beforeReload,
  "absolute_redirect off;",
  "",
  `set $project ${site.layout.directory};`,
  ...(site.balancer ? heedBalancer(site) : toHttps(site)),
  ...password(site),
  ...pinRelease(site),
  ...headers(site),
  ...errorPages(site),
  ...(site.markdownNegotiation ? markdownLocations : []),
  "",
  ...acme(site),
  ...releaseCheck,
  ...locations(site),
]
  .map(indent)
  .join("\n")}
}`;

function locations(site: Site): string[] {
  const { kind, layout } = site;
  if (kind.family === "node") return nodeLocations(site, kind.ports);
  if (kind.family === "php") return phpLocations(layout, kind.assets);
  return kind.family === "balanced" ? balancedLocations(layout) : staticLocations(site, kind);
}

const indent = (line: string): string => (line === "" ? "" : `    ${line}`);

const listen = ({ tls }: Site): string[] => [
  "listen 80;",
  "listen [::]:80;",
  ...(tls
    ? [
        "listen 443 ssl http2;",
        "listen [::]:443 ssl http2;",
        `ssl_certificate ${tls.certificate};`,
        `ssl_certificate_key ${tls.key};`,
        // The chain holds who signed. For an authority that cannot be reached nginx logs that, and serves without.
        ...(tls.stapled ? ["ssl_stapling on;"] : []),
        `include ${serverPaths.nginxHttps}/*.conf;`,
      ]
    : []),
];

const logs = ({ layout, balancer }: Site): string[] => [
  `access_log ${apart(layout)}/access.log combined if=${balancer ? isLogged(layout) : "$longshore_logged"};`,
  `error_log ${apart(layout)}/error.log;`,
];

// For each log that it opens nginx looks through those of all sites, letter by letter where a name is as long. A path with
// more slashes is the same path.
const apart = ({ id, directory, logs }: ProjectLayout): string =>
  `${directory}${"/".repeat(id % 16)}${logs.slice(directory.length)}`;

// A reload closes kept connections, also those on which a client is just sending its next request. So clients are asked to
// close them shortly before (reload.ts). Only an `if` looks at a file for each request.
const beforeReload = [
  "# Shortly before nginx reloads, clients are asked to close the connections that they keep.",
  `if (-e ${serverPaths.nginxReloading}) { set $leaving 1; }`,
];

// With TLS, plain HTTP answers certificate authorities, and sends everyone else on.
const toHttps = ({ tls }: Site): string[] =>
  tls ? ["if ($longshore_to_https) { return 301 https://$host$request_uri; }"] : [];

const acme = ({ layout, basicAuth }: Site): string[] => [
  `location ^~ ${acmePath} {`,
  `    alias ${layout.acmeChallenges}/;`,
  ...(basicAuth === undefined ? [] : ["    auth_basic off;"]),
  "    default_type text/plain;",
  "    log_not_found off;",
  "}",
];

/**
 * Decides once per request what serves it: the release (or the Node process), and whether anything may be served. The
 * release has to lie among the project's own: what a link of the project's code points to elsewhere is not served, and
 * nothing is when there is no release (an empty root would be the server's own /).
 */
function pinRelease(site: Site): string[] {
  const { kind, markdownNegotiation } = site;
  return [
    ...pinned(site),
    ...(markdownNegotiation ? negotiation(kind.family === "static" || kind.family === "php") : []),
  ];
}

const setRelease = ["if (-e $longshore_closed) { return 503; }", "set $release $longshore_release;"];

function pinned({ layout, kind, maxUploadMb = 100 }: Site): string[] {
  if (kind.family === "balanced")
    return [...pickNode(layout, kind.nodes), "set $upstream $node;", "if (-e $longshore_gate) { return 503; }"];
  return kind.family === "node"
    ? [
        `set $first ${upstreamName(layout, kind.ports[0])};`,
        `if (-e ${layout.secondPortFlag}) { set $first ${upstreamName(layout, kind.ports[1])}; }`,
        "set $upstream $longshore_upstream;",
        `root ${layout.current};`,
        ...setRelease,
      ]
    : [
        ...fileSettings,
        // A deployment asks so whether PHP answers at all, before visitors get the release.
        ...(kind.family === "php" ? ["if (-f $longshore_pass) { set $passed $longshore_candidate; }"] : []),
        ...(kind.family === "php" && maxUploadMb !== 100 ? [`set $max_upload ${maxUploadMb}M;`] : []),
        ...setRelease,
      ];
}

// For the site as a whole, and not of a `location /`: that would be the settings of all modules again.
const fileSettings = [
  "root $longshore_root;",
  "disable_symlinks if_not_owner from=$longshore_trusted;",
  "gzip_static on;",
];

const realAddress = ({ proxies = [] }: Site): string[] =>
  proxies.length === 0
    ? []
    : [
        ...proxies.map((proxy) => `set_real_ip_from ${proxy};`),
        "real_ip_header X-Forwarded-For;",
        "real_ip_recursive on;",
      ];

// A request from a balancer was asked for the password there. A deployment that asks whether the site answers has a pass: only the
// one that it made, and for as long as it asks.
const password = ({ basicAuth, layout, balancer }: Site): string[] =>
  basicAuth === undefined
    ? []
    : [
        ...(balancer ? [] : ["set $realm Restricted;"]),
        "if (-f $longshore_pass) { set $realm off; }",
        "auth_basic $realm;",
        `auth_basic_user_file ${layout.state}/basic-auth;`,
      ];

// A page of the release's own for what is not there, if it has one.
const notFoundPage = ({ markdownNegotiation }: Site): string[] => [
  "error_page 404 /404.html;",
  // Where an error page may follow another one, a missing one must not follow itself.
  ...(markdownNegotiation ? ["location = /404.html {", "    recursive_error_pages off;", "}"] : []),
];

const staticLocations = (site: Site, { spa, assets }: SiteKind & { family: "static" }): string[] => [
  ...notFoundPage(site),
  "charset utf-8;",
  "index index.html index.htm;",
  `try_files $uri $uri.html $uri/ ${spa ? "@application" : "=404"};`,
  ...(spa ? application(spa) : []),
  ...assetLocations(assets, "=404"),
];

// Addresses of a single-page application.
const application = (spa: true | "detected"): string[] => [
  "location @application {",
  ...(spa === "detected"
    ? ["    if (-e $longshore_unknown) { return 404; }", "    if (-e $longshore_pages) { return 404; }"]
    : ["    if (-e $longshore_file) { return 404; }"]),
  "    rewrite ^ /index.html break;",
  "}",
];

const phpLocations = (layout: ProjectLayout, assets: AssetLayout | undefined): string[] => [
  // A directory without an index is an address of the application's, if it has a front controller.
  "index index.php index.html /index.php;",
  "try_files $uri $uri/ $longshore_front;",
  ...assetLocations(assets, "$longshore_front"),
  // The path behind the script is kept from `try_files`, which forgets it.
  'location ~ "(?s)^(?<script>.*?[^/]\\.php)(?<path_info>/.*)?$" {',
  "    disable_symlinks off;",
  "    # nginx takes answers off PHP's workers, and slow visitors hold none. A request for an event stream finds no file here.",
  "    try_files $longshore_unstreamed$script @streamed;",
  ...toPhp(layout),
  "}",
  "# Event streams: each event passes at once.",
  "location @streamed {",
  "    disable_symlinks off;",
  "    try_files $script =404;",
  "    fastcgi_buffering off;",
  ...toPhp(layout),
  "}",
];

const toPhp = ({ phpSocket }: ProjectLayout): string[] => [
  "    fastcgi_buffers 16 16k;",
  "    fastcgi_buffer_size 32k;",
  "    fastcgi_read_timeout 300s;",
  // Without a variable nginx would look for the socket among the upstreams of all sites, for each of them.
  `    fastcgi_pass unix:${phpSocket}$longshore_nothing;`,
];

// A proxy_pass with a variable would cost nginx before 1.23 a TLS context, the dearest thing that a site can have.
const nodeLocations = (site: Site, ports: readonly [number, number]): string[] => {
  const [first, second] = ports.map((port) => upstreamName(site.layout, port));
  return [
    "location / {",
    `    proxy_pass http://${first};`,
    `    if ($upstream = ${second}) { proxy_pass http://${second}; }`,
    ...(triesAgain(site) ? ["    recursive_error_pages on;"] : []),
    "    # What the application sends passes at once. With X-Accel-Buffering: yes nginx takes it, for visitors who are slow.",
    ...toNode,
    "}",
    ...(triesAgain(site) ? secondTry(site.layout, ports) : []),
  ];
};

// nginx takes a body in before it connects. When the switch comes in between, the process that was live is refused to it. Nothing
// was sent then, so that any method may be repeated; what has reached a process never is.
const secondTry = (layout: ProjectLayout, [first, second]: readonly [number, number]): string[] => [
  "# The process that was live when the request came did not take it, and has nothing of it: the one that is live now gets it.",
  "location @live {",
  "    recursive_error_pages on;",
  "    error_page 502 504 @ours;",
  "    if ($longshore_sent) { return 502; }",
  `    proxy_pass http://${upstreamName(layout, first)};`,
  `    if (-e ${layout.secondPortFlag}) { proxy_pass http://${upstreamName(layout, second)}; }`,
  ...toNode,
  "}",
];

const toNode = [
  "    proxy_http_version 1.1;",
  "    proxy_buffering off;",
  "    proxy_buffer_size 16k;",
  "    proxy_buffers 8 16k;",
  "    proxy_read_timeout 300s;",
  "    proxy_send_timeout 300s;",
];
