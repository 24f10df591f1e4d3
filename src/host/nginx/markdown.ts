import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nodeDirectory } from "../node/node-runtime.ts";
import { exclusively } from "../runner/lock.ts";
import { scriptsBeside } from "../script-file.ts";
import { lines, type Script, sh } from "../sh.ts";
import { serviceHardening } from "../systemd/hardening.ts";
import { block } from "./block.ts";
import { answerBuffers, answerHeaders } from "./header-sizes.ts";
import type { Site } from "./model.ts";
import { visitOf } from "./visitor.ts";
import { checkedAddress } from "./withheld.ts";

const script = scriptsBeside(import.meta.url);

// Pages as Markdown for clients that accept text/markdown: from the .md file beside a page, or converted from its HTML. The
// converter is one service for all sites of a server; systemd starts it with the first request, and it exits when idle.

const names = [
  ...["package.json", "package-lock.json"],
  ...["convert.ts", "thread.ts", "conversions.ts", "page-limits.ts", "server.ts", "converter.ts"],
];
const files = names.map((name) => ({ name, text: readFileSync(join(import.meta.dirname, "markdown", name), "utf8") }));
const version = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 12);

const root = "/usr/local/lib/longshore/markdown";
const directory = `${root}/${version}`;
const socket = "/run/longshore-markdown.sock";
const passes = "/run/longshore-markdown";
const unit = "/etc/systemd/system/longshore-markdown";

const socketUnit = `# Longshore
[Unit]
Description=Longshore: pages as Markdown

[Socket]
ListenStream=${socket}
SocketGroup=www-data
SocketMode=0660

[Install]
WantedBy=sockets.target
`;

const serviceUnit = `# Longshore
[Unit]
Description=Longshore: pages as Markdown
Requires=longshore-markdown.socket

[Service]
ExecStart=${nodeDirectory}/current/bin/node --disable-warning=ExperimentalWarning ${directory}/converter.ts ${passes}
DynamicUser=yes
# nginx finds a pass in there, and no other user lists them.
RuntimeDirectory=longshore-markdown
RuntimeDirectoryMode=0711
${serviceHardening}
CapabilityBoundingSet=
# Pages come from this server's own nginx.
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
IPAddressDeny=any
IPAddressAllow=localhost
CPUWeight=50
MemoryMax=512M
`;

/** Installs the converter on the server, with its dependencies from the registry that npm uses there. Can be repeated. */
export const installMarkdown: Script = lines(
  sh`mkdir -p ${root}`,
  exclusively("markdown", 8),
  script("install-markdown.sh", {
    root,
    directory,
    file_names: files.map(({ name }) => name),
    file_texts: files.map((file) => file.text),
    node: `${nodeDirectory}/current/bin`,
    unit,
    socket_unit: socketUnit,
    service_unit: serviceUnit,
  }),
);

// The converter requests a page for a visitor: nginx reports the visitor to it, and gets that back with a pass.
const envelope = "X-Longshore-Markdown";

/** Applications never receive the header. */
export const clearEnvelope = {
  proxy: `proxy_set_header ${envelope} "";`,
  fastcgi: `fastcgi_param HTTP_${envelope.toUpperCase().replaceAll("-", "_")} "";`,
};

/**
 * For whom a request is: `$visitor_address` and `$forwarded_for` are the visitor's own also when the converter requests the page.
 * Nothing but the converter can make a pass, which is a file with a random name, and it exists for one request.
 */
export const identifyVisitor: readonly string[] = [
  "# The visitor. A request of what turns pages into Markdown has a pass, and is for the visitor that it names.",
  "set $visitor_address $remote_addr;",
  "set $forwarded_for $proxy_add_x_forwarded_for;",
  "set $markdown_pass none;",
  'if ($http_x_longshore_markdown ~ "^([0-9a-f]{32}) ") { set $markdown_pass $1; }',
  'set $for_visitor "";',
  `if (-f ${passes}/$markdown_pass) { set $for_visitor $http_x_longshore_markdown; }`,
  // nginx escapes numbered groups as parts of an address.
  'if ($for_visitor ~ "^\\S+ (?<visitor_address>\\S+) \\S+ \\S* (?<forwarded_for>.+)$") { set $is_logged 0; }',
];

/** Behind a proxy: the scheme with which the visitor came, of a page that the converter requests. */
export const identifyScheme = 'if ($for_visitor ~ "^\\S+ \\S+ (?<visitor_scheme>https?) ") { set $is_logged 0; }';

/** On a node: a page that the converter requests for a visitor of the load balancer, and that is not handed back any more. */
export const identifyBalancer = 'if ($for_visitor ~ "^\\S+ \\S+ \\S+ [a-z]") { set $balancer_request insist; }';

// The rewrites stay inside nginx (`last`): no header is built from a decoded address, as gixy assumes.
/** Decides whether a request to a site is answered in Markdown, and answers it. */
export const negotiation = (site: Site): string[] => [
  "# Clients that accept text/markdown get it: from the .md file beside a page, or converted from its HTML.",
  'set $markdown "";',
  'if ($http_accept ~* "text/markdown") { set $markdown asked; }',
  ...(site.kind.family === "static" || site.kind.family === "php" ? besidePage : []),
  "# Not converted: what the converter itself asks for, what it could not convert, what is not read, pages that stand for a missing one,",
  "# what only the server itself may ask, files that are no page, streams, and requests with more than an address.",
  'if ($for_visitor) { set $markdown ""; }',
  `if ($upstream_addr ~ "unix:${socket}") { set $markdown ""; }`,
  'if ($request_method !~ "^(?:GET|HEAD)$") { set $markdown ""; }',
  'if ($uri ~ "^/(?:\\.well-known/|(?:404|50x)\\.html$)") { set $markdown ""; }',
  'if ($uri ~ "\\.(?!html?$|php$)[A-Za-z0-9]+$") { set $markdown ""; }',
  'if ($http_accept ~* "text/event-stream") { set $markdown ""; }',
  'set $is_more "$http_content_length$http_transfer_encoding$http_upgrade";',
  'if ($is_more) { set $markdown ""; }',
  "if ($markdown = asked) { return 418; }",
  "error_page 418 = @markdown;",
  ...block("location @markdown", [
    `proxy_pass http://unix:${socket};`,
    "proxy_http_version 1.1;",
    "proxy_set_header Host $host;",
    'proxy_set_header Connection "";',
    `proxy_set_header ${envelope} "${envelopeOf(site)}";`,
    "proxy_connect_timeout 2s;",
    "proxy_read_timeout 20s;",
    `proxy_buffer_size ${answerHeaders.node};`,
    `proxy_buffers ${answerBuffers};`,
    "proxy_intercept_errors on;",
    "error_page 502 504 = @unconverted;",
    "# The page's own headers come with it: the site's are not added again.",
    "add_header X-Markdown-Source html;",
  ]),
  // A Node project gets the address as it was sent, which a rewrite would decode.
  ...block("location @unconverted", site.kind.family === "node" ? applicationPass : checkedAddress),
];

const envelopeOf = (site: Site): string =>
  `${site.layout.id} $scheme $remote_addr ${visitOf(site).scheme} ${site.balancer ? "$balancer_request" : ""} $proxy_add_x_forwarded_for`;

/** Passes a request to the process of a Node project. */
export const applicationPass: readonly string[] = ["proxy_pass http://$upstream;"];

const besidePage = [
  'set $page "$uri";',
  `if ($uri ~ "/$") { set $page "\${uri}index"; }`,
  'if ($uri ~ "^(?<page_name>.+)\\.html?$") { set $page "$page_name"; }',
  'if (-f "$release$page.md") { set $markdown "$markdown-there"; }',
  "if ($markdown = asked-there) { rewrite ^ $page.md; }",
];
