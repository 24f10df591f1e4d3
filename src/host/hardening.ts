/**
 * Lines for the `[Service]` section of Longshore's own units: systemd takes away what none of them needs. A unit adds its
 * user, the paths it writes to and the addresses it connects to. Not here: `MemoryDenyWriteExecute=`, because Node compiles at
 * run time, and `ProcSubset=pid`, because Meilisearch reads /proc/meminfo.
 */
export const serviceHardening = `NoNewPrivileges=yes
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
SystemCallErrorNumber=EPERM`;
