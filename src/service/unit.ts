import { launcherOf, type ServiceLayout, serviceUser } from "./layout.ts";

export interface UnitOptions {
  layout: ServiceLayout;
  /** The data directory. Another one than that of the layout must exist, and belong to the service's user. */
  data: string;
  /** Whether it listens on ports below 1024. */
  lowPorts: boolean;
  /** For how long after SIGTERM it still answers (LONGSHORE_DRAIN_SECONDS). */
  drainSeconds?: number;
}

/** The first words of every file that the installation makes, except for the settings. */
export const madeBy = "Made by: longshore service install";

/** How long requests and jobs under way, and then PostgreSQL, may take to end. */
const stopSeconds = 45;

/**
 * The unit file of the service. Its settings are those of the settings file alone, so that a change of them needs no other unit,
 * except for what is in `options`.
 */
export function renderUnit({ layout, data, lowPorts, drainSeconds = 0 }: UnitOptions): string {
  return `# ${madeBy}. Settings are in ${layout.settings}; additions to this unit belong into
# ${layout.unit}.d/*.conf, since this file is written again.
[Unit]
Description=Longshore
Documentation=file:${layout.current}/README.md
After=network-online.target
Wants=network-online.target
StartLimitIntervalSec=0

[Service]
User=${serviceUser}
Group=${serviceUser}
WorkingDirectory=/
ExecStart=${launcherOf(layout)} up
EnvironmentFile=${layout.settings}
${directories(layout, data)}
Restart=on-failure
RestartSec=2
# Longshore ends its PostgreSQL itself, in order.
KillMode=mixed
TimeoutStopSec=${stopSeconds + drainSeconds}
UMask=0077

${confinement(lowPorts)}

[Install]
WantedBy=multi-user.target
`;
}

function directories(layout: ServiceLayout, data: string): string {
  const state =
    data === layout.data
      ? "StateDirectory=longshore-control\nStateDirectoryMode=0700"
      : `ReadWritePaths="${data.replace(/["\\%]/g, (sign) => (sign === "%" ? "%%" : `\\${sign}`))}"`;
  return `${state}
# Compiled modules, which shorten the next start.
CacheDirectory=longshore-control
CacheDirectoryMode=0700`;
}

/** What a unit of Longshore gives up: it writes to its own directories, and gains no privilege. */
export function confinement(lowPorts: boolean): string {
  return `# Longshore needs none of what these lines take away.
${capabilities(lowPorts)}
LockPersonality=yes
NoNewPrivileges=yes
PrivateDevices=yes
PrivateTmp=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHome=tmpfs
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProtectSystem=strict
# With AF_NETLINK it reads its own addresses, which may not be those of servers or monitors.
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallErrorNumber=EPERM
SystemCallFilter=@system-service`;
}

/** In a user namespace of its own, a capability would not count for the ports of the machine. */
const capabilities = (lowPorts: boolean): string =>
  lowPorts
    ? "AmbientCapabilities=CAP_NET_BIND_SERVICE\nCapabilityBoundingSet=CAP_NET_BIND_SERVICE"
    : "CapabilityBoundingSet=\nPrivateUsers=yes";
