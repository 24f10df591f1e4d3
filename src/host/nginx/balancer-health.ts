import { readFileSync } from "node:fs";
import { type ProjectLayout, serverPaths } from "../layout.ts";
import { serviceHardening } from "../systemd/hardening.ts";
import type { BalancedNode } from "./model.ts";

// A load balancer requests the health of its projects' nodes, and maintains the flags (balancer.ts, `outFlag`) that its
// nginx tests.

/** On a balancer: the file with the health check's requests to the project's nodes. */
export const healthFile = ({ directory }: ProjectLayout): string => `${directory}/balance`;

/** The health check's input for a project: the nodes to request, and the name. */
export const healthText = (layout: ProjectLayout, name: string, nodes: readonly BalancedNode[]): string =>
  `${[`project ${layout.id}`, `host ${name}`, ...nodes.map(({ id, address }) => `node ${id} ${address}`)].join("\n")}\n`;

export const healthPaths = {
  script: `${serverPaths.libraries}/balancer-health`,
  unit: "/etc/systemd/system/longshore-balancer-health.service",
  service: "longshore-balancer-health.service",
  /** Touched after each round: shows a reader of the flags whether they are up to date. */
  heartbeat: "/run/longshore-balancer-health/round",
} as const;

/** One process for all projects of a balancer. Arguments: the projects' directory, the heartbeat, the port of the nodes. */
export const healthScript = readFileSync(new URL("balancer-health.pl", import.meta.url), "utf8");

/** Flags that are no longer updated would keep nodes out for ever. */
export const healthUnit = (projects: string = serverPaths.projects): string => `# Longshore
[Unit]
Description=Longshore: health of the nodes behind this load balancer
After=network.target
StartLimitIntervalSec=0

[Service]
ExecStart=/usr/bin/perl ${healthPaths.script} ${projects} ${healthPaths.heartbeat} 80
ExecStopPost=/bin/sh -c 'rm -f ${projects}/*/state/out-*'
RuntimeDirectory=longshore-balancer-health
Restart=always
RestartSec=1
${serviceHardening}
ReadWritePaths=${projects}
# ss -K needs it.
CapabilityBoundingSet=CAP_NET_ADMIN
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
MemoryMax=100M

[Install]
WantedBy=multi-user.target
`;
