import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { nodeDirectory } from "../node/node-runtime.ts";
import { exclusively } from "../runner/lock.ts";
import { scriptsBeside } from "../script-file.ts";
import { lines, type Script, sh } from "../sh.ts";
import { serviceHardening } from "../systemd/hardening.ts";
import { block } from "./block.ts";
import type { Site } from "./site.ts";
import { checkedAddress } from "./withheld.ts";

const script = scriptsBeside(import.meta.url);

// Pages as Markdown for clients that accept text/markdown: from the .md file beside a page, or converted from its HTML. The
// converter is one service for all sites of a server; systemd starts it with the first request, and it exits when idle.

const names = ["package.json", "package-lock.json", "convert.ts", "server.ts", "converter.ts"];
const files = names.map((name) => ({ name, text: readFileSync(join(import.meta.dirname, "markdown", name), "utf8") }));
const version = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 12);

const root = "/usr/local/lib/longshore/markdown";
const directory = `${root}/${version}`;
const socket = "/run/longshore-markdown.sock";
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
ExecStart=${nodeDirectory}/current/bin/node --disable-warning=ExperimentalWarning ${directory}/converter.ts
DynamicUser=yes
${serviceHardening}
CapabilityBoundingSet=
# Pages come from this server's own nginx.
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6
IPAddressDeny=any
IPAddressAllow=localhost
CPUWeight=50
MemoryMax=400M
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

// The rewrites stay inside nginx (`last`): no header is built from a decoded address, as gixy assumes.
/** Decides whether a request to a site is answered in Markdown, and answers it. */
export const negotiation = ({ kind }: Site): string[] => {
  const hasFiles = kind.family === "static" || kind.family === "php";
  return [
    "# Clients that accept text/markdown get it: from the .md file beside a page, or converted from its HTML.",
    'set $markdown "";',
    'if ($http_accept ~* "text/markdown") { set $markdown asked; }',
    ...(hasFiles ? besidePage : []),
    "# Not converted: what the converter itself asks for, what it could not convert, what is not read, pages that stand for a missing one,",
    "# what only the server itself may ask, and files that are no page.",
    'if ($http_x_longshore_markdown) { set $markdown ""; }',
    `if ($upstream_addr ~ "unix:${socket}") { set $markdown ""; }`,
    'if ($request_method !~ "^(?:GET|HEAD)$") { set $markdown ""; }',
    'if ($uri ~ "^/(?:\\.well-known/|(?:404|50x)\\.html$)") { set $markdown ""; }',
    'if ($uri ~ "\\.(?!html?$|php$)[A-Za-z0-9]+$") { set $markdown ""; }',
    "if ($markdown = asked) { return 418; }",
    "error_page 418 = @markdown;",
    "# An error page may follow another one: that for a converter that does not answer.",
    "recursive_error_pages on;",
    ...block("location @markdown", [
      `proxy_pass http://unix:${socket};`,
      "proxy_http_version 1.1;",
      "proxy_set_header Host $host;",
      'proxy_set_header Connection "";',
      "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;",
      "proxy_set_header X-Forwarded-Proto $scheme;",
      "proxy_intercept_errors on;",
      "error_page 502 504 = @unconverted;",
      "# The page's own headers come with it: the site's are not added again.",
      "add_header X-Markdown-Source html;",
    ]),
    ...block("location @unconverted", hasFiles ? checkedAddress : ["rewrite ^ $uri last;"]),
  ];
};

const besidePage = [
  'set $page "$uri";',
  `if ($uri ~ "/$") { set $page "\${uri}index"; }`,
  'if ($uri ~ "^(.+)\\.html?$") { set $page "$1"; }',
  'if (-f "$release$page.md") { set $markdown "$markdown-there"; }',
  "if ($markdown = asked-there) { rewrite ^ $page.md; }",
];
