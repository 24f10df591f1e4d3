import { upstreamName } from "../layout.ts";
import { block } from "./block.ts";
import { answerBuffers, answerHeaders } from "./header-sizes.ts";
import { applicationPass, clearEnvelope } from "./markdown.ts";
import type { Site, SiteKind } from "./model.ts";
import { visitOf } from "./visitor.ts";

type NodeKind = SiteKind & { family: "node" };

// A Node project has two ports. A deployment starts the new process on the free port, and moves visitors by a flag
// file.

/** The processes, as upstreams; outside of the `server` blocks. */
export const nodeUpstreams = ({ layout }: Site, { ports }: NodeKind): string[] =>
  ports.flatMap((port, at) => [
    ...(at === 0
      ? [
          "# Node closes idle connections after 5 s. nginx closes them first: otherwise a request may meet a connection that is just",
          "# being closed. It also shows soon that an old process has nothing left to answer.",
        ]
      : [""]),
    ...block(`upstream ${upstreamName(layout, port)}`, [
      `server 127.0.0.1:${port} max_fails=0;`,
      "keepalive 32;",
      "keepalive_timeout 1s;",
    ]),
  ]);

const liveProcess = ({ layout }: Site, { ports: [first, second] }: NodeKind): string[] => [
  `set $upstream ${upstreamName(layout, first)};`,
  `if (-e ${layout.secondPortFlag}) { set $upstream ${upstreamName(layout, second)}; }`,
];

/** Decides which process gets the request. */
export const pickProcess = (site: Site, kind: NodeKind): string[] => [
  "# The process that is live: a deployment moves visitors to the other port by this file, without a reload.",
  ...liveProcess(site, kind),
];

export const nodeLocations = (site: Site, kind: NodeKind): string[] => [
  "# What the application receives.",
  "proxy_set_header Host $host;",
  `proxy_set_header X-Real-IP ${site.markdownNegotiation ? "$visitor_address" : "$remote_addr"};`,
  `proxy_set_header X-Forwarded-For ${site.markdownNegotiation ? "$forwarded_for" : "$proxy_add_x_forwarded_for"};`,
  `proxy_set_header X-Forwarded-Proto ${visitOf(site).scheme};`,
  "proxy_set_header X-Forwarded-Host $host;",
  `proxy_set_header X-Forwarded-Port ${visitOf(site).port};`,
  'proxy_set_header Forwarded "";',
  'proxy_set_header X-Longshore-Candidate "";',
  clearEnvelope.proxy,
  "proxy_set_header Upgrade $http_upgrade;",
  "proxy_set_header Connection $longshore_upgrade_connection;",
  "proxy_http_version 1.1;",
  "proxy_read_timeout 300s;",
  "proxy_send_timeout 300s;",
  "# What it sends passes at once. With X-Accel-Buffering: yes nginx takes it, for visitors who are slow.",
  "proxy_buffering off;",
  `proxy_buffer_size ${answerHeaders.application};`,
  `proxy_buffers ${answerBuffers};`,
  ...block("location /", applicationPass),
  ...(site.balancer ? [] : secondAttempt(site, kind)),
];

// nginx reads the whole body before it connects. When the switch happens in between, the former process refuses the
// request. Nothing was sent by then, so that any method may be repeated; a request that has reached a process never is.
const secondAttempt = (site: Site, kind: NodeKind): string[] => [
  "# A deployment switched while the request came in, and its process is gone. When that received nothing of it, the live one gets it.",
  "error_page 502 = @live;",
  "error_page 504 @unreachable;",
  ...block("location @live", [
    "error_page 502 504 @unreachable;",
    "if ($upstream_bytes_sent != 0) { return 502; }",
    ...liveProcess(site, kind),
    ...applicationPass,
  ]),
];
