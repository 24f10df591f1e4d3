import { isIPv6 } from "node:net";
import { ownPage } from "./availability.ts";
import { block } from "./block.ts";
import { answerBuffers, answerHeaders } from "./header-sizes.ts";
import type { SiteTls } from "./model.ts";
import { ownPageHeaders, plainPorts, realAddress, refuseNetworks, refuseWords, securePorts } from "./site.ts";
import { identifyVisit, trustedProxies, visitOf } from "./visitor.ts";

/** What a server does for the visitors of a project that has moved to another one. */
export interface Forwarding {
  /** The number of the project. */
  project: number;
  /** Every name of the project. */
  names: readonly string[];
  /** The address of the server that visitors of the names are to reach; undefined: they get a notice. */
  to: string | undefined;
  /** The certificate that is still here: visitors of other names are forwarded over plain HTTP only. */
  tls?: SiteTls | undefined;
  /** Addresses and networks that are believed about the visitor's address and scheme. */
  proxies: readonly string[];
  /** How long an answer may take there; default: 300. */
  requestSeconds?: number | undefined;
}

/**
 * The file of a project's site on a server that it has left: each request goes to where the project is, the way it came, also those
 * of certificate authorities. If nothing answers there, visitors get 503 with Retry-After. It needs no file of the project but the
 * certificate.
 */
export function forwardingSite(forwarding: Forwarding): string {
  const { project, names, to, tls, proxies } = forwarding;
  refuseWords(names);
  refuseNetworks([...proxies, ...(to === undefined ? [] : [to])]);
  const covered = names.filter((name) => tls?.names.includes(name));
  const parts = [
    ["# Longshore: written for a project that has moved to another server; changes are overwritten."],
    ...(proxies.length === 0 ? [] : [trustedProxies({ layout: { id: project }, proxies })]),
    ...(names.length === 0 ? [] : [server(forwarding, names, "http")]),
    ...(covered.length === 0 ? [] : [server(forwarding, covered, "https")]),
  ];
  return `${parts.map((part) => part.join("\n")).join("\n\n")}\n`;
}

const server = (forwarding: Forwarding, names: readonly string[], scheme: "http" | "https"): string[] =>
  block("server", [
    ...(scheme === "http" ? plainPorts : securePorts(forwarding)),
    `server_name ${names.join(" ")};`,
    "# The other server limits the size.",
    "client_max_body_size 0;",
    ...realAddress(forwarding),
    ...identifyVisit({ layout: { id: forwarding.project }, proxies: forwarding.proxies }),
    ...ownPageHeaders,
    ...block("location /", forwarding.to === undefined ? ["return 503;"] : passOn(forwarding, forwarding.to, scheme)),
    "error_page 502 503 504 =503 @unreachable;",
    ...block("location @unreachable", [...ownPage, "set $retry_after 120;", "return 503 $longshore_unavailable_page;"]),
  ]);

// What the other server answers passes as it is, also its errors. Its certificate is not checked: it may be from any authority, or
// uploaded.
const passOn = (forwarding: Forwarding, to: string, scheme: "http" | "https"): string[] => [
  `proxy_pass ${scheme}://${isIPv6(to) ? `[${to}]` : to}:${scheme === "http" ? 80 : 443};`,
  ...(scheme === "http" ? [] : ["proxy_ssl_server_name on;", "proxy_ssl_name $host;"]),
  "proxy_http_version 1.1;",
  "proxy_redirect off;",
  "proxy_connect_timeout 5s;",
  `proxy_read_timeout ${(forwarding.requestSeconds ?? 300) + 10}s;`,
  "proxy_send_timeout 310s;",
  "# Bodies pass at once, in both directions.",
  "proxy_request_buffering off;",
  "proxy_buffering off;",
  `proxy_buffer_size ${answerHeaders.formerServer};`,
  `proxy_buffers ${answerBuffers};`,
  "proxy_set_header Host $host;",
  "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;",
  `proxy_set_header X-Forwarded-Proto ${visitOf(forwarding).scheme};`,
  "proxy_set_header X-Forwarded-Host $host;",
  "proxy_set_header Upgrade $http_upgrade;",
  "proxy_set_header Connection $longshore_upgrade_connection;",
];
