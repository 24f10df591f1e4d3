/**
 * Properties of units with which systemd removes what no service needs, for Longshore's own units and those of projects. A
 * unit adds its user, the paths it writes to and the addresses it connects to. Not here: `MemoryDenyWriteExecute=`, because
 * Node compiles at run time, and `ProcSubset=pid`, because Meilisearch and Node read /proc/meminfo. Without
 * `SystemCallArchitectures=native` systemd builds each filter of system calls for every architecture, which takes longer than
 * everything else.
 */
export const hardeningProperties = `NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectHostname=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
LockPersonality=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM`.split("\n");

/** The same as lines for the `[Service]` section of a unit file. */
export const serviceHardening = hardeningProperties.join("\n");
