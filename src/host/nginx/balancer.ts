import type { ProjectLayout } from "../layout.ts";
import { block } from "./block.ts";
import { answerBuffers, answerHeaders } from "./header-sizes.ts";
import { identifyBalancer } from "./markdown.ts";
import type { BalancedNode, Site, SiteBalancer } from "./model.ts";
import { visitOf } from "./visitor.ts";

// A project on several servers behind a load balancer. The balancer decides for each request from flag files which node
// gets it: it does not reload when a node dies or is being deployed to.

/**
 * The header with which a balancer marks its requests to a node: the project's number, and after it `insist` (serve, also
 * while draining) or `probe` (its health check). A node accepts it from the balancer's addresses only.
 */
const balancerHeader = "X-Longshore-Balancer";

/** Where a draining node sends the balancer with a request that the node has not begun. */
const anotherNode = "@another_node";

/** Exists on a node while it accepts no new requests from the balancer. */
export const drainingFlag = ({ state }: ProjectLayout): string => `${state}/draining`;

/** Exists on a balancer while a node gets no requests; contains the reason, `draining` or `unreachable`. */
export const outFlag = ({ state }: ProjectLayout, node: number | string): string => `${state}/out-${node}`;

// The balancer -------------------------------------------------------------------------------------------------------------

const poolName = ({ id }: ProjectLayout, node: number | string): string => `longshore_project_${id}_node_${node}`;
const anotherNodeOf = ({ id }: ProjectLayout): string => `$longshore_project_${id}_another_node`;

// With only one draw, a node that is out would leave all of its share to its neighbour.
const draws = ["first", "second", "third"];
const drawVariable = ({ id }: ProjectLayout, draw: string): string => `$longshore_project_${id}_${draw}_draw`;

/**
 * The part before the `server` blocks of a balanced project's site: a pool for each node, with the others as its backup, and a
 * pool of the others, with the node as their backup.
 */
export function balancedPools(layout: ProjectLayout, nodes: readonly BalancedNode[]): string[] {
  const server = (node: BalancedNode, isBackup: boolean): string =>
    `server ${hostPort(node)} max_fails=2 fail_timeout=2s${isBackup ? " backup" : ""};`;
  const pools = nodes.flatMap((node, at) => {
    const others = [...nodes.slice(at + 1), ...nodes.slice(0, at)];
    const first = [server(node, false), ...others.map((other) => server(other, true))];
    const last = [...others.map((other) => server(other, false)), server(node, others.length > 0)];
    return [
      ...block(`upstream ${poolName(layout, node.id)}`, first),
      ...block(`upstream ${poolName(layout, `not_${node.id}`)}`, last),
    ];
  });
  const share = (Math.floor(10_000 / nodes.length) / 100).toFixed(2);
  const shares = nodes.map(({ id }, at) => `${at === nodes.length - 1 ? "*" : `${share}%`} ${id};`);
  return [
    "# A pool for each node: the node, and the others for when it does not answer. And one for each without it, for a request that",
    "# the node has handed back.",
    ...pools,
    "",
    "# Three draws, each with an equal share for each node: what a node that is out leaves is shared by all others.",
    ...draws.flatMap((draw) => block(`split_clients "${draw}$request_id" ${drawVariable(layout, draw)}`, shares)),
    "",
    "# Where a request goes that a node has handed back: $upstream_addr ends with that node.",
    ...poolAfter(layout, nodes),
  ];
}

const hostPort = ({ address }: BalancedNode): string => (address.includes(":") ? `[${address}]:80` : `${address}:80`);

function poolAfter(layout: ProjectLayout, nodes: readonly BalancedNode[]): string[] {
  const pools = nodes.map((node) => `"~(^|[ ,])${hostPort(node).replaceAll(/[.[\]]/g, "\\$&")}$" not_${node.id};`);
  const [first] = nodes as [BalancedNode];
  return block(`map $upstream_addr ${anotherNodeOf(layout)}`, ["volatile;", `default ${first.id};`, ...pools]);
}

/** Decides once per request which node gets it. When all nodes are out, the flags are ignored. */
export function pickNode(layout: ProjectLayout, nodes: readonly BalancedNode[]): string[] {
  const whenOut = (then: string): string[] => [
    'set $node_then_out "$node$out";',
    `if ($node_then_out ~ "^([0-9]+)\\[(.*\\[)?\\1\\]") { set $node ${then}; }`,
  ];
  const [first, ...others] = draws.map((draw) => drawVariable(layout, draw));
  return [
    "# The node that gets the request. The health check makes a file for each node that is out; when all are, they are ignored.",
    'set $out "";',
    ...nodes.map(({ id }) => `if (-e ${outFlag(layout, id)}) { set $out "\${out}[${id}]"; }`),
    `if ($out = "${nodes.map(({ id }) => `[${id}]`).join("")}") { set $out ""; }`,
    "# Drawn; drawn again if that one is out; and at last the first one that is not.",
    `set $node ${first};`,
    ...others.flatMap(whenOut),
    ...nodes.flatMap(({ id }) => whenOut(String(id))),
  ];
}

/**
 * How a balancer handles a request. A node that could not be reached has not begun it: another node gets it. A request that a
 * node has begun but not finished goes to another node only when HTTP's own rules allow a repetition. A draining node hands
 * back every request that it has not begun, with any method.
 */
export const balancedLocations = (site: Site): string[] => [
  "proxy_http_version 1.1;",
  "proxy_next_upstream error timeout;",
  "# A request that took long is not repeated; one at a server that vanished silently is, when that is noticed.",
  "proxy_next_upstream_timeout 15s;",
  "proxy_connect_timeout 2s;",
  `proxy_read_timeout ${(site.requestSeconds ?? 300) + 10}s;`,
  "proxy_send_timeout 310s;",
  "# What a node sends passes at once: it has buffered already what may be.",
  "proxy_buffering off;",
  `proxy_buffer_size ${answerHeaders.node};`,
  `proxy_buffers ${answerBuffers};`,
  "# Requests go to the node's nginx, and to another node when it cannot be reached.",
  ...block("location /", passToNode(site, "$node", String(site.layout.id))),
  "# A node that drains handed the request back (X-Accel-Redirect): another one gets it, and has to serve it.",
  ...block(`location ${anotherNode}`, passToNode(site, anotherNodeOf(site.layout), `${site.layout.id} insist`)),
];

const passToNode = (site: Site, node: string, mark: string): string[] => [
  `proxy_pass http://${poolName(site.layout, node)};`,
  "proxy_set_header Host $host;",
  "proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;",
  `proxy_set_header X-Forwarded-Proto ${visitOf(site).scheme};`,
  "proxy_set_header X-Forwarded-Host $host;",
  `proxy_set_header ${balancerHeader} "${mark}";`,
  "proxy_set_header Upgrade $http_upgrade;",
  "proxy_set_header Connection $longshore_upgrade_connection;",
];

// A node -------------------------------------------------------------------------------------------------------------------

const markVariable = ({ id }: ProjectLayout): string => `$longshore_balancer_${id}`;

/** The part before the `server` blocks of a node's site: the balancer's mark, empty for all other clients. */
export const balancerMark = (layout: ProjectLayout, { addresses }: SiteBalancer): string[] => [
  "# What the load balancer asks for. The header counts only when it comes from its address.",
  ...block(`map "$realip_remote_addr $http_x_longshore_balancer" ${markVariable(layout)}`, [
    "default '';",
    ...addresses.flatMap((address) => [
      `"${address} ${layout.id}" ask;`,
      `"${address} ${layout.id} insist" insist;`,
      `"${address} ${layout.id} probe" probe;`,
    ]),
  ]),
];

/** How a node serves its balancer: it trusts that the password was asked for there. */
export const trustBalancer = ({ layout, basicAuth, markdownNegotiation }: Site): string[] => [
  "# A request from the load balancer: a password was asked for there.",
  `set $balancer_request ${markVariable(layout)};`,
  ...(markdownNegotiation ? [identifyBalancer] : []),
  ...(basicAuth === undefined ? [] : ["set $realm Restricted;", "if ($balancer_request) { set $realm off; }"]),
  "# The health check asks each second: its requests would fill the log.",
  "if ($balancer_request = probe) { set $is_logged 0; }",
];

/** A node that drains hands the requests of its balancer back. */
export const handBackWhileDraining = ({ layout }: Site): string[] => [
  "# While this node drains, the balancer takes what is not begun to another node.",
  'set $handed_back "";',
  `if (-e ${drainingFlag(layout)}) { set $balancer_request "\${balancer_request}-draining"; }`,
  `if ($balancer_request ~ "^(ask|probe)-draining$") { set $handed_back ${anotherNode}; return 421; }`,
];

/**
 * The header that makes the balancer's nginx send the request to another node; empty, and then not sent, for all other
 * clients.
 */
export const handBackHeader = "add_header X-Accel-Redirect $handed_back always;";

/**
 * When nginx cannot reach the application: another node can answer when nothing was sent to the application, or when the
 * application closed the connection without an answer and HTTP's own rules allow a repetition.
 */
export const handBackUnsent = [
  "# Another node gets the request when nothing of it reached the application, or when its method may be repeated.",
  'set $unsent "$balancer_request $upstream_bytes_sent $status$request_method";',
  `if ($unsent ~ "^ask (0 |.* 502(GET|HEAD|OPTIONS|PUT|DELETE|TRACE)$)") { set $handed_back ${anotherNode}; return 502 "\\n"; }`,
];

/**
 * Each request has its own connection to a node, and a closed connection keeps its port for a minute: with the usual 28,000
 * ports a node would get 470 requests a second. So a port is reused after a second.
 */
export const manyConnections = {
  file: "/etc/sysctl.d/61-longshore-balancer.conf",
  settings: "# Longshore: a load balancer connects to the same servers again and again.\nnet.ipv4.tcp_tw_reuse = 1\n",
} as const;
