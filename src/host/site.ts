import {
  type BalancedNode,
  balancedLocations,
  balancedPools,
  balancerGlobals,
  balancerMaps,
  handBack,
  handBackUnsaid,
  heedBalancer,
  loggedVisitors,
  pickNode,
  type SiteBalancer,
} from "./balance.ts";
import { wwwForms } from "./domain.ts";
import { type ProjectLayout, serverPaths, upstreamName } from "./layout.ts";
import { markdownLocations, negotiation } from "./markdown.ts";

export interface SiteDomain {
  /** Lowercase hostname, as `domainName` returns it. */
  name: string;
  /** Where visitors of this name are sent, as `redirectTarget` returns it; undefined: the name serves the project. */
  redirectTo?: string | undefined;
  redirectStatus?: RedirectStatus | undefined;
}

export type RedirectStatus = 301 | 302 | 307 | 308;

/**
 * How a project answers. `spa`: unknown addresses get index.html (with a 404.html of its own: that, and 404). `balanced`: on a
 * load balancer, by what its nodes answer.
 */
export type SiteKind =
  | { family: "static"; spa: boolean }
  | { family: "php" }
  | { family: "node"; ports: readonly [number, number] }
  | { family: "balanced"; nodes: readonly BalancedNode[] };

/** Paths on the server, and what the certificate covers: other names are served over plain HTTP only. */
export interface SiteTls {
  certificate: string;
  key: string;
  names: readonly string[];
  /** Whether visitors are handed what the authority says over OCSP. nginx asks for it when it loads the certificate. */
  stapled?: boolean;
}

/** Everything that decides what the web server does for a project. */
export interface Site {
  layout: ProjectLayout;
  kind: SiteKind;
  /** The primary one first; at least one. */
  domains: readonly SiteDomain[];
  /** 0 none, 1 www to non-www, 2 non-www to www: for every name that serves. */
  wwwRedirect: 0 | 1 | 2;
  redirectStatus: RedirectStatus;
  /** With it, plain HTTP is sent to HTTPS. */
  tls?: SiteTls | undefined;
  /** Answers clients that ask for it in Markdown: from the file beside a page, or converted from its HTML. */
  markdownNegotiation?: boolean;
  /** The largest request body; 100 MB unless told. */
  maxUploadMb?: number;
  /** Browsers keep to HTTPS for a year. */
  hsts?: boolean;
  /** Addresses and networks whose X-Forwarded-For tells who visits. */
  proxies?: readonly string[];
  /** The site is a node's: visitors come through a load balancer. */
  balancer?: SiteBalancer | undefined;
  /** Visitors are asked for a password: its version. Whom it lets in is in the file `basic-auth` of the project's state. */
  basicAuth?: number | undefined;
}

/** The location that tells what is live, to requests from the server itself; part of every site. */
export const releaseCheckPath = "/.well-known/longshore/release";

/** The name under which the project answers itself: what a check through nginx has to ask for. */
export function servedName(site: Pick<Site, "domains" | "wwwRedirect">): string {
  const serving = site.domains.find((domain) => !domain.redirectTo) ?? site.domains[0];
  if (!serving) throw new Error("A site needs a domain");
  return wwwForms(serving.name, site.wwwRedirect).served;
}

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

const page = [
  "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width,initial-scale=1'>",
  "<title>$longshore_headline</title><style>:root{color-scheme:light dark}body{margin:0;min-height:100vh;display:grid;place-items:center;",
  "font:16px/1.6 system-ui,sans-serif;background:Canvas;color:CanvasText}main{max-width:26rem;padding:2rem;text-align:center}",
  "h1{font-size:1.75rem;line-height:1.2;margin:0 0 .75rem;letter-spacing:-.02em}p{margin:0;opacity:.7}",
  "i{display:block;width:2.5rem;height:.25rem;border-radius:1rem;background:#3b82f6;margin:0 auto 1.5rem}</style>",
  "<main><i></i><h1>$longshore_headline</h1><p>$longshore_explanation</p></main></html>",
].join("");

/**
 * What all sites share; a file in conf.d, at the level of `http`. nginx reads every site at each reload, and is busy with each
 * word of them: what can be said once is said here.
 */
export const nginxSiteGlobals = `# Longshore: what every site uses.
# Headers that an application sets itself are left to it.
map $upstream_http_x_frame_options $longshore_frame_options { '' SAMEORIGIN; default ''; }
map $upstream_http_x_content_type_options $longshore_content_type_options { '' nosniff; default ''; }
map $upstream_http_referrer_policy $longshore_referrer_policy { '' strict-origin-when-cross-origin; default ''; }
# Files whose name carries a hash of their content never change.
map $uri $longshore_hashed {
    default '';
    "~[.-](?=[A-Za-z0-9_]*[0-9])[A-Za-z0-9_]{8,32}\\.(?:css|js|mjs|woff2?|ttf|otf|png|jpe?g|gif|svg|webp|avif|ico|wasm|mp4|webm)$"
        'public, max-age=31536000, immutable';
}
map $upstream_http_cache_control $longshore_cache_control { '' $longshore_hashed; default ''; }
map $http_upgrade $longshore_connection { '' ''; default upgrade; }
# Why a page of ours is shown instead of the site: empty, maintenance, broken; each site says so.
map '' $holding { default ''; }
map $holding $longshore_headline {
    volatile;
    empty 'Nothing is here yet';
    maintenance 'Back in a moment';
    default 'Something went wrong';
}
map $holding $longshore_explanation {
    volatile;
    empty 'This site has been set up and waits for its first release.';
    maintenance 'This site is being worked on. Please try again shortly.';
    default 'This site does not answer right now. Please try again shortly.';
}
map $holding $longshore_page {
    volatile;
    default "${page}";
}
# Certificate authorities and the server itself are answered also while the site is not.
map $uri $longshore_always { volatile; "~^/\\.well-known/(?:acme-challenge|longshore)/" always; default ''; }
map "$longshore_always$holding" $longshore_held { volatile; '' ''; ~^always ''; default 1; }
# The address that a request came in from, whatever a proxy says of the visitor's.
map $realip_remote_addr $longshore_elsewhere { 127.0.0.1 ''; ::1 ''; default 1; }
${balancerGlobals}`;

// Node closes idle connections after 5 s. nginx lets go of them first: otherwise a request may meet a connection that
// is just being closed. It also tells soon that an old process has nothing left to answer.
const upstream = (layout: ProjectLayout, port: number): string => `upstream ${upstreamName(layout, port)} {
    server 127.0.0.1:${port} max_fails=0;
    keepalive 32;
    keepalive_timeout 1s;
}`;

/** Every name that a site answers to: those that serve it and those that send visitors on. */
export const siteNames = (site: Pick<Site, "domains" | "wwwRedirect" | "redirectStatus">): string[] => [
  ...servingNames(site),
  ...redirectsOf(site).flatMap(({ names }) => names),
];

function servers(site: Site): string[] {
  const names = servingNames(site);
  const covered = names.filter((name) => isCovered(site, name));
  const { tls: _, ...plain } = site;
  const others = names.filter((name) => !covered.includes(name));
  return [
    ...(covered.length === 0 ? [] : [...(site.balancer ? [] : [plainHttp(site, covered)]), main(site, covered)]),
    // A name that is new waits for its certificate: until then it must not show that of another.
    ...(others.length === 0 ? [] : [main(plain, others)]),
    ...redirectsOf(site).map((redirect) =>
      redirectServer(redirect.names.every((name) => isCovered(site, name)) ? site : plain, redirect),
    ),
  ];
}

const isCovered = ({ tls }: Pick<Site, "tls">, name: string): boolean => tls?.names.includes(name) ?? false;

const serving = (site: Pick<Site, "domains">) => site.domains.filter((domain) => !domain.redirectTo);

const servingNames = (site: Pick<Site, "domains" | "wwwRedirect">): string[] => [
  ...new Set(serving(site).map(({ name }) => wwwForms(name, site.wwwRedirect).served)),
];

interface Redirect {
  names: string[];
  /** Text of nginx, with its variables. */
  target: string;
  status: RedirectStatus;
}

function redirectsOf(site: Pick<Site, "domains" | "wwwRedirect" | "redirectStatus" | "tls">): Redirect[] {
  const served = new Set(servingNames(site));
  const own = site.domains.flatMap(({ name, redirectTo, redirectStatus }) =>
    redirectTo ? [{ names: [name], target: targetOf(redirectTo), status: redirectStatus ?? site.redirectStatus }] : [],
  );
  const taken = new Set([...served, ...own.flatMap(({ names }) => names)]);
  const www = serving(site).flatMap(({ name }) => {
    const { served: to, other } = wwwForms(name, site.wwwRedirect);
    if (!other || taken.has(other)) return [];
    taken.add(other);
    return [
      {
        names: [other],
        target: `${isCovered(site, to) ? "https" : "$scheme"}://${to}$request_uri`,
        status: site.redirectStatus,
      },
    ];
  });
  return [...own, ...www];
}

const targetOf = (url: string): string => (/^https?:\/\/[^/?#]+$/.test(url) ? `${url}$request_uri` : url);

const redirectServer = (site: Site, { names, target, status }: Redirect): string => `server {
${[...listen(site, "both"), `server_name ${names.join(" ")};`, ...logs(site), ...acme(site), "location / {", `    return ${status} "${target}";`, "}"].map(indent).join("\n")}
}`;

/** Plain HTTP of a site with TLS: answers certificate authorities and the server itself, and sends everyone else on. */
const plainHttp = (site: Site, names: string[]): string => `server {
${[...listen(site, "http"), `server_name ${names.join(" ")};`, ...logs(site), ...acme(site), "location / {", "    return 301 https://$host$request_uri;", "}"].map(indent).join("\n")}
}`;

const main = (site: Site, names: string[]): string => `server {
${[
  ...listen(site, !site.tls ? "http" : site.balancer ? "both" : "https"),
  `server_name ${names.join(" ")};`,
  ...logs(site),
  `client_max_body_size ${site.maxUploadMb ?? 100}m;`,
  ...realAddress(site),
  "absolute_redirect off;",
  "uninitialized_variable_warn off;",
  "",
  ...(site.balancer ? heedBalancer(site) : []),
  ...password(site),
  ...pinRelease(site),
  ...headers(site),
  ...holdingPage,
  ...(site.markdownNegotiation ? markdownLocations : []),
  ...brokenPages(site),
  "",
  ...acme(site),
  ...releaseCheck(site),
  ...locations(site),
]
  .map(indent)
  .join("\n")}
}`;

function locations(site: Site): string[] {
  const { kind, layout } = site;
  if (kind.family === "node") return nodeLocations(site);
  if (kind.family === "php") return phpLocations(site);
  return kind.family === "balanced" ? balancedLocations(layout) : staticLocations(site, kind.spa);
}

const indent = (line: string): string => (line === "" ? "" : `    ${line}`);

function listen(site: Site, which: "http" | "https" | "both"): string[] {
  const http = ["listen 80;", "listen [::]:80;"];
  if (which === "http" || !site.tls) return http;
  const https = [
    "listen 443 ssl http2;",
    "listen [::]:443 ssl http2;",
    `ssl_certificate ${site.tls.certificate};`,
    `ssl_certificate_key ${site.tls.key};`,
    // The chain holds who signed. Of an authority that cannot be asked nginx says so, and serves without.
    ...(site.tls.stapled ? ["ssl_stapling on;"] : []),
    'set $longshore_alt_svc "";',
    `include ${serverPaths.nginxHttps}/*.conf;`,
  ];
  return which === "https" ? https : [...http, ...https];
}

const logs = ({ layout, balancer }: Site): string[] => [
  `access_log ${layout.logs}/access.log${balancer ? loggedVisitors(layout) : ""};`,
  `error_log ${layout.logs}/error.log;`,
];

const acme = ({ layout }: Site): string[] => [
  "location ^~ /.well-known/acme-challenge/ {",
  `    alias ${layout.acmeChallenges}/;`,
  "    auth_basic off;",
  "    default_type text/plain;",
  "}",
];

/**
 * Decides once per request what serves it: the release (or the Node process), and whether anything may be served. The
 * release has to lie among the project's own: what a link of the project's code points to elsewhere is not served, and
 * nothing is when there is no release (an empty root would be the server's own /).
 */
function pinRelease(site: Site): string[] {
  const { layout, kind } = site;
  return [
    ...pinned(site),
    `if (-e ${layout.maintenanceFlag}) { set $holding maintenance; }`,
    "if ($longshore_held) { return 503; }",
    ...(site.markdownNegotiation ? negotiation(kind.family !== "node") : []),
  ];
}

function pinned({ layout, kind }: Site): string[] {
  if (kind.family === "balanced") return [...pickNode(layout, kind.nodes), 'set $holding "";'];
  return kind.family === "node"
    ? [
        `if ($upstream = "") { set $upstream ${upstreamName(layout, kind.ports[0])}; set $second 0; }`,
        `if (-e ${layout.secondPortFlag}) { set $second "\${second}1"; }`,
        `if ($second = 01) { set $upstream ${upstreamName(layout, kind.ports[1])}; }`,
        "set $second done;",
        'set $holding "";',
        `if (!-e ${layout.current}) { set $holding empty; }`,
      ]
    : [
        `root ${layout.current}/.longshore/public;`,
        ...(kind.family === "php" ? candidate(layout) : []),
        'if ($release = "") { set $release $realpath_root; }',
        'set $holding "";',
        `if ($release !~ "^${regexLiteral(layout.releases)}/") { set $holding empty; set $release /nonexistent; }`,
      ];
}

/**
 * Shows a release before it is live to who knows its pass, which is a file for as long as the release is tried: a deployment
 * asks so whether PHP answers at all.
 */
const candidate = ({ releases, state }: ProjectLayout): string[] => [
  'if ($http_x_longshore_candidate ~ "^([0-9]+)-([0-9a-f]{32})$") {',
  `    set $candidate ${releases}/$1/.longshore/public;`,
  "    set $pass $1-$2;",
  "}",
  `if (-f ${state}/candidate-$pass) { set $release $candidate; }`,
];

const regexLiteral = (path: string): string => path.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

const realAddress = ({ proxies = [] }: Site): string[] =>
  proxies.length === 0
    ? []
    : [
        ...proxies.map((proxy) => `set_real_ip_from ${proxy};`),
        "real_ip_header X-Forwarded-For;",
        "real_ip_recursive on;",
      ];

// What a balancer sends on has been asked for it there. A deployment that asks whether the site answers has a pass: only the
// one that it made, and for as long as it asks.
const password = ({ basicAuth, layout, balancer }: Site): string[] =>
  basicAuth === undefined
    ? []
    : [
        ...(balancer ? [] : ["set $realm Restricted;"]),
        `if (-f ${layout.state}/candidate-$http_x_longshore_candidate) { set $realm off; }`,
        "auth_basic $realm;",
        `auth_basic_user_file ${layout.state}/basic-auth;`,
      ];

// A location with a header of its own loses those of the server: each names them all.
const headers = ({ tls, hsts, markdownNegotiation, balancer }: Site): string[] => [
  // Caches keep the page and its Markdown apart.
  ...(markdownNegotiation ? ["add_header Vary Accept;"] : []),
  "add_header X-Frame-Options $longshore_frame_options;",
  "add_header X-Content-Type-Options $longshore_content_type_options;",
  "add_header Referrer-Policy $longshore_referrer_policy;",
  // Empty, and then not sent, on servers without HTTP/3.
  ...(tls ? ["add_header Alt-Svc $longshore_alt_svc;"] : []),
  ...(balancer ? [handBack] : []),
  ...(tls && hsts ? ['add_header Strict-Transport-Security "max-age=31536000" always;'] : []),
];

const holdingPage = [
  "error_page 503 @holding;",
  "location @holding {",
  "    default_type text/html;",
  "    add_header Retry-After 120 always;",
  "    add_header Cache-Control no-store always;",
  "    return 503 $longshore_page;",
  "}",
];

// What nginx says when it reaches nothing behind it: the release's own page 50x.html, or ours. An answer that an application
// gives itself is left as it is.
const brokenPages = ({ layout, kind, balancer }: Site): string[] =>
  kind.family === "static"
    ? []
    : [
        "error_page 502 504 @broken;",
        "location @broken {",
        "    add_header Cache-Control no-store always;",
        ...(balancer ? [handBack, ...handBackUnsaid].map(indent) : []),
        ...(kind.family === "balanced" ? [] : ownBrokenPage(layout, kind.family)),
        "    set $holding broken;",
        "    default_type text/html;",
        "    # The status stays what it was.",
        "    return 502 $longshore_page;",
        "}",
      ];

const ownBrokenPage = ({ current }: ProjectLayout, family: "node" | "php"): string[] => [
  ...(family === "node"
    ? [`    root ${current}/public;`, `    disable_symlinks if_not_owner from=${current};`]
    : ["    root $release;", "    disable_symlinks if_not_owner from=$release;"]),
  "    if (-f $document_root/50x.html) { rewrite ^ /50x.html break; }",
];

// `return` comes before nginx looks at allow and deny: the address is tested by hand.
const releaseCheck = ({ kind }: Site): string[] => [
  `location = ${releaseCheckPath} {`,
  "    if ($longshore_elsewhere) { return 404; }",
  "    default_type text/plain;",
  "    access_log off;",
  "    add_header Cache-Control no-store;",
  `    return 200 "${checked[kind.family]}\\n";`,
  "}",
];

const checked = { node: "$upstream", php: "$release", static: "$release", balanced: "$node" } as const;

const hiddenFiles = ['location ~ "/\\.(?!well-known/)" {', "    return 404;", "}"];

const fileSettings = ["root $release;", "disable_symlinks if_not_owner from=$release;", "gzip_static on;"];

const cached = (site: Site): string[] => ["add_header Cache-Control $longshore_cache_control;", ...headers(site)];

// A page of the release's own for what is not there, if it has one.
const notFoundPage = [
  "error_page 404 /404.html;",
  "location = /404.html {",
  ...[...fileSettings, "recursive_error_pages off;"].map(indent),
  "}",
];

const staticLocations = (site: Site, spa: boolean): string[] => [
  ...hiddenFiles,
  ...notFoundPage,
  "location / {",
  ...[...fileSettings, ...cached(site)].map(indent),
  "    index index.html index.htm;",
  `    try_files $uri $uri.html $uri/ ${spa ? "@application" : "=404"};`,
  "}",
  ...markdownType(site),
  ...(spa ? application(site) : []),
];

const markdownType = (site: Site): string[] => [
  'location ~ "\\.md$" {',
  ...fileSettings.map(indent),
  "    types {}",
  '    default_type "text/markdown; charset=utf-8";',
  ...headers(site).map(indent),
  "    try_files $uri =404;",
  "}",
];

// Addresses that a single-page application knows; what looks like a file is not one of them.
const application = (site: Site): string[] => [
  "location @application {",
  ...fileSettings.map(indent),
  '    if (-f "$release/404.html") { return 404; }',
  '    if ($uri ~ "\\.[A-Za-z0-9]+$") { return 404; }',
  "    add_header Cache-Control no-cache;",
  ...headers(site).map(indent),
  "    rewrite ^ /index.html break;",
  "}",
];

const phpLocations = (site: Site): string[] => [
  ...hiddenFiles,
  "location / {",
  ...[...fileSettings, ...cached(site)].map(indent),
  "    index index.php index.html;",
  "    try_files $uri $uri/ /index.php?$query_string;",
  "}",
  ...(site.markdownNegotiation ? markdownType(site) : []),
  'location ~ "[^/]\\.php(?:/|$)" {',
  "    root $release;",
  '    fastcgi_split_path_info "^(.+?\\.php)(/.*)$";',
  // fastcgi_split_path_info and try_files do not go together: the latter forgets the path.
  "    if (!-f $release$fastcgi_script_name) { return 404; }",
  "    include /etc/nginx/fastcgi_params;",
  "    fastcgi_param SCRIPT_FILENAME $release$fastcgi_script_name;",
  "    fastcgi_param DOCUMENT_ROOT $release;",
  "    fastcgi_param PATH_INFO $fastcgi_path_info;",
  '    fastcgi_param HTTP_PROXY "";',
  // The pass is not the application's to know.
  '    fastcgi_param HTTP_X_LONGSHORE_CANDIDATE "";',
  ...(site.balancer
    ? ["    fastcgi_param HTTPS $visitor_https if_not_empty;", "    fastcgi_param REQUEST_SCHEME $visitor_scheme;"]
    : []),
  `    fastcgi_param PHP_VALUE "${["upload_max_filesize", "post_max_size"].map((name) => `${name}=${site.maxUploadMb ?? 100}M`).join("\\n")}";`,
  "    fastcgi_buffers 16 16k;",
  "    fastcgi_buffer_size 32k;",
  "    fastcgi_read_timeout 300s;",
  `    fastcgi_pass unix:${site.layout.phpSocket};`,
  "}",
];

const nodeLocations = ({ balancer }: Site): string[] => [
  "location / {",
  "    proxy_pass http://$upstream;",
  "    proxy_http_version 1.1;",
  "    proxy_set_header Host $host;",
  "    proxy_set_header X-Real-IP $remote_addr;",
  "    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;",
  `    proxy_set_header X-Forwarded-Proto ${balancer ? "$visitor_scheme" : "$scheme"};`,
  "    proxy_set_header X-Forwarded-Host $host;",
  '    proxy_set_header X-Longshore-Candidate "";',
  "    proxy_set_header Upgrade $http_upgrade;",
  "    proxy_set_header Connection $longshore_connection;",
  "    proxy_buffer_size 16k;",
  "    proxy_buffers 8 16k;",
  "    proxy_read_timeout 300s;",
  "    proxy_send_timeout 300s;",
  "}",
];
