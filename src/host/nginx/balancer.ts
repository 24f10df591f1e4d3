import type { ProjectLayout } from "../layout.ts";
import type { Site } from "./site.ts";

// A project on several servers behind a load balancer. The balancer decides for each request from flag files which node gets
// it: neither a node that dies nor one that is being deployed to makes it reload.

/** A server that a balanced project runs on: `id` is that of its row of the project. */
export interface BalancedNode {
  id: number;
  /** IPv4 or IPv6, on which its nginx listens. */
  address: string;
}

/** For a node: its balancer. */
export interface SiteBalancer {
  /** The project that is balanced; the replica's own layout has another number. */
  project: number;
  /** The source addresses of the balancer's requests. */
  addresses: readonly string[];
}

/**
 * The header with which a balancer marks its requests to a node: the project's number, and after it `insist` (serve, also
 * while draining) or `probe` (its health check). A node believes it from the balancer's addresses only.
 */
export const balancerHeader = "X-Longshore-Balancer";

/** Where a node that is draining sends the balancer with a request that it has not begun. */
const elsewhere = "@longshore_elsewhere";

/** Exists on a node while it takes nothing new from the balancer. */
export const drainingFlag = ({ state }: ProjectLayout): string => `${state}/draining`;

/** Exists on a balancer while a node gets nothing; the reason is in it, `draining` or `unreachable`. */
export const outFlag = ({ state }: ProjectLayout, node: number | string): string => `${state}/out-${node}`;

// The balancer -------------------------------------------------------------------------------------------------------------

const poolOf = ({ id }: ProjectLayout, node: number | string): string => `longshore_project_${id}_node_${node}`;
const drawn = ({ id }: ProjectLayout, draw: string): string => `$longshore_draw_${id}_${draw}`;
const beside = ({ id }: ProjectLayout): string => `$longshore_beside_${id}`;

// A node that is out would leave all of its share to its neighbour if there were one draw only.
const draws = ["a", "b", "c"];

/**
 * The part before the `server` blocks of a front: a pool for each node, with the others for when it does not answer, and one of the
 * others, with it for when no other is there.
 */
export function balancedPools(layout: ProjectLayout, nodes: readonly BalancedNode[]): string[] {
  const server = (node: BalancedNode, isBackup: boolean): string =>
    `    server ${hostPort(node)} max_fails=2 fail_timeout=2s${isBackup ? " backup" : ""};`;
  const pools = nodes.flatMap((node, at) => {
    const others = [...nodes.slice(at + 1), ...nodes.slice(0, at)];
    const first = [server(node, false), ...others.map((other) => server(other, true))];
    const last = [...others.map((other) => server(other, false)), server(node, others.length > 0)];
    return [
      block(`upstream ${poolOf(layout, node.id)}`, first),
      block(`upstream ${poolOf(layout, `not_${node.id}`)}`, last),
    ];
  });
  return [...pools, ...draws.map((draw) => drawing(layout, nodes, draw)), nextOf(layout, nodes)];
}

const block = (head: string, lines: readonly string[]): string => `${head} {\n${lines.join("\n")}\n}`;

const hostPort = ({ address }: BalancedNode): string => (address.includes(":") ? `[${address}]:80` : `${address}:80`);

function drawing(layout: ProjectLayout, nodes: readonly BalancedNode[], draw: string): string {
  const share = (Math.floor(10_000 / nodes.length) / 100).toFixed(2);
  const lines = nodes.map(({ id }, at) => `    ${at === nodes.length - 1 ? "*" : `${share}%`} ${id};`);
  return block(`split_clients "${draw}$request_id" ${drawn(layout, draw)}`, lines);
}

// Whom a request is taken to that a node has handed back: `$upstream_addr` ends with that node.
function nextOf(layout: ProjectLayout, nodes: readonly BalancedNode[]): string {
  const lines = nodes.map((node) => `    "~(^|[ ,])${hostPort(node).replaceAll(/[.[\]]/g, "\\$&")}$" not_${node.id};`);
  return block(`map $upstream_addr ${beside(layout)}`, [
    "    volatile;",
    `    default ${(nodes[0] as BalancedNode).id};`,
    ...lines,
  ]);
}

/** Decides once per request which node gets it. When all are out, the flags are ignored. */
export function pickNode(layout: ProjectLayout, nodes: readonly BalancedNode[]): string[] {
  const isOut = (then: string): string[] => [
    'set $tried "$node$out";',
    `if ($tried ~ "^([0-9]+)\\[(.*\\[)?\\1\\]") { set $node ${then}; }`,
  ];
  const [first, ...others] = draws.map((draw) => drawn(layout, draw));
  return [
    `set $node ${first};`,
    'set $out "";',
    ...nodes.map(({ id }) => `if (-e ${outFlag(layout, id)}) { set $out "\${out}[${id}]"; }`),
    `if ($out = "${nodes.map(({ id }) => `[${id}]`).join("")}") { set $out ""; }`,
    ...others.flatMap(isOut),
    ...nodes.flatMap(({ id }) => isOut(String(id))),
  ];
}

/**
 * How a front handles a request. A node that could not be reached has not begun it: another gets it. What one has begun and
 * not ended is given to another only when it may be repeated by HTTP's own rules. A node that drains hands back what it has
 * not begun, whatever the method.
 */
export const balancedLocations = (layout: ProjectLayout): string[] => [
  "location / {",
  ...passOn(layout, "$node", String(layout.id)),
  "}",
  `location ${elsewhere} {`,
  ...passOn(layout, beside(layout), `${layout.id} insist`),
  "}",
];

const passOn = (layout: ProjectLayout, node: string, says: string): string[] => [
  `    proxy_pass http://${poolOf(layout, node)};`,
  "    proxy_http_version 1.1;",
  "    proxy_set_header Host $host;",
  "    proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;",
  "    proxy_set_header X-Forwarded-Proto $scheme;",
  "    proxy_set_header X-Forwarded-Host $host;",
  `    proxy_set_header ${balancerHeader} "${says}";`,
  "    proxy_set_header Upgrade $http_upgrade;",
  "    proxy_set_header Connection $longshore_connection;",
  "    proxy_next_upstream error timeout;",
  // A request that took long is not repeated elsewhere; one at a server that vanished silently is, when that is noticed.
  "    proxy_next_upstream_timeout 15s;",
  "    proxy_connect_timeout 2s;",
  "    # What a node sends passes at once: it has buffered already what may be.",
  "    proxy_buffering off;",
  "    proxy_buffer_size 16k;",
  "    proxy_buffers 8 16k;",
  "    proxy_read_timeout 310s;",
  "    proxy_send_timeout 310s;",
];

// A node -------------------------------------------------------------------------------------------------------------------

const askedBy = ({ id }: ProjectLayout): string => `$longshore_balancer_${id}`;

/** The health check asks each second: its requests would fill the log. */
export const isLogged = ({ id }: ProjectLayout): string => `$longshore_logged_${id}`;

/** The part before the `server` blocks of a node's site: the balancer's mark, empty for all others. */
export const balancerMaps = (layout: ProjectLayout, { project, addresses }: SiteBalancer): string[] => [
  block(`map "$realip_remote_addr $http_x_longshore_balancer" ${askedBy(layout)}`, [
    "    default '';",
    ...addresses.flatMap((address) => [
      `    "${address} ${project}" ask;`,
      `    "${address} ${project} insist" insist;`,
      `    "${address} ${project} probe" probe;`,
    ]),
  ]),
  block(`map ${askedBy(layout)} ${isLogged(layout)}`, [
    "    volatile;",
    "    default $longshore_logged;",
    "    probe 0;",
  ]),
];

/**
 * How a node serves its balancer: it takes from it how the visitor came and that the password was asked for, does not send
 * it to HTTPS, and hands its requests back while it drains.
 */
export const heedBalancer = ({ layout, tls }: Pick<Site, "layout" | "tls">): string[] => [
  "set $visitor_scheme $scheme;",
  "set $visitor_https $https;",
  "set $realm Restricted;",
  'set $handed_back "";',
  `set $wanted ${askedBy(layout)};`,
  "if ($wanted) { set $visitor_scheme $longshore_forwarded_proto; set $visitor_https $longshore_forwarded_https; set $realm off; }",
  ...(tls
    ? [
        'set $insecure "$scheme$wanted$longshore_always";',
        "if ($insecure = http) { return 301 https://$host$request_uri; }",
      ]
    : []),
  `if (-e ${drainingFlag(layout)}) { set $wanted "\${wanted}-draining"; }`,
  `if ($wanted ~ "^(ask|probe)-draining$") { set $handed_back ${elsewhere}; return 421; }`,
];

/** The header that makes the balancer's nginx take the request elsewhere; empty, and then not sent, for all others. */
export const handBack = "add_header X-Accel-Redirect $handed_back always;";

/**
 * On the page of what nginx does not reach: another node can answer when nothing was sent to the application, or when it is gone
 * without an answer and may be asked again by HTTP's own rules.
 */
export const handBackUnsaid = [
  'set $unsaid "$wanted $upstream_bytes_sent $status$request_method";',
  `if ($unsaid ~ "^ask (0 |.* 502(GET|HEAD|OPTIONS|PUT|DELETE|TRACE)$)") { set $handed_back ${elsewhere}; return 502; }`,
];

/** Maps that every site may need, at the level of `http`. */
export const balancerGlobals = `# How a visitor came to the load balancer before the server.
map $http_x_forwarded_proto $longshore_forwarded_proto { https https; default http; }
map $http_x_forwarded_proto $longshore_forwarded_https { https on; default ''; }
`;

/**
 * Each request has a connection of its own to a node, and an ended one keeps its port for a minute: with the usual 28,000 of
 * them a node would get 470 requests a second. So a port is used again after a second.
 */
export const manyConnections = {
  file: "/etc/sysctl.d/61-longshore-balancer.conf",
  settings: "# Longshore: a load balancer connects to the same servers again and again.\nnet.ipv4.tcp_tw_reuse = 1\n",
} as const;
