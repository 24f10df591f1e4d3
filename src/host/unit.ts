import type { ProjectLayout } from "./layout.ts";

/** What a project's process may use and how it ends. */
export interface UnitSettings {
  layout: ProjectLayout;
  /** Upper limit of memory in MB; undefined: none. */
  maxMemoryMb?: number | undefined;
  /** Seconds between SIGTERM and SIGKILL. */
  stopTimeoutSeconds?: number;
}

/**
 * The systemd template of a Node project: one instance per port. What an instance runs is in its release
 * (`.longshore/start`), reached through the slot's link, so that a rollback also brings back the former command.
 */
export const nodeUnit = ({ layout, maxMemoryMb, stopTimeoutSeconds = 30 }: UnitSettings): string => `# Longshore
[Unit]
Description=Longshore project ${layout.id} on port %i
After=network.target
# A process that keeps crashing is started again for ever, a second apart: it may wait for a database.
StartLimitIntervalSec=0

[Service]
Type=exec
User=${layout.user}
Group=${layout.user}
WorkingDirectory=${layout.directory}/slots/%i
ExecStart=/bin/bash ${layout.directory}/slots/%i/.longshore/start %i
Restart=always
RestartSec=1
TimeoutStopSec=${stopTimeoutSeconds}
SyslogIdentifier=project-${layout.id}
LimitNOFILE=65536
# A proxy or certificate authority that the machine was given.
EnvironmentFile=-/etc/environment
NoNewPrivileges=yes
PrivateTmp=yes
ProtectSystem=full
${maxMemoryMb === undefined ? "" : `MemoryMax=${maxMemoryMb}M\n`}
[Install]
WantedBy=multi-user.target
`;

/** What a background job's processes may use and how they end. */
export interface JobUnitSettings extends UnitSettings {
  jobId: number;
}

/**
 * The systemd template of a background job: an instance for each of its processes. What it runs is `jobs/run`, which
 * finds the live release when it starts. The runtime directory outlives automatic restarts, not a stop: there is kept how
 * long to wait before the next try.
 */
export const jobUnit = ({
  layout,
  jobId,
  maxMemoryMb,
  stopTimeoutSeconds = 60,
}: JobUnitSettings): string => `# Longshore
[Unit]
Description=Longshore project ${layout.id}: background job ${jobId}, process %i
After=network.target
StartLimitIntervalSec=0

[Service]
Type=exec
User=${layout.user}
Group=${layout.user}
WorkingDirectory=${layout.directory}
RuntimeDirectory=longshore-jobs/${layout.id}-${jobId}-%i
RuntimeDirectoryPreserve=restart
ExecStart=/bin/bash ${layout.jobs}/run ${jobId} background
Restart=always
RestartSec=1
TimeoutStopSec=${stopTimeoutSeconds}
SyslogIdentifier=project-${layout.id}-job-${jobId}
LimitNOFILE=65536
NoNewPrivileges=yes
PrivateTmp=yes
ProtectSystem=full
${maxMemoryMb === undefined ? "" : `MemoryMax=${maxMemoryMb}M\n`}
[Install]
WantedBy=multi-user.target
`;

/** Heap for V8, in MB: what is left of the limit for buffers, code and threads. */
export const heapMegabytes = (maxMemoryMb: number): number => Math.max(64, Math.floor(maxMemoryMb * 0.75));

/** Reads `512MB` or `2GB` (also `512M`, `1.5 GB`) as MB; undefined when it is neither, or under 64 MB. */
export function parseMemory(text: string): number | undefined {
  const match = /^\s*(\d{1,6}(?:\.\d{1,3})?)\s*(M|G)(?:i?B)?\s*$/i.exec(text);
  if (!match) return undefined;
  const megabytes = Math.floor(Number(match[1]) * (match[2]?.toUpperCase() === "G" ? 1024 : 1));
  return megabytes >= 64 && megabytes <= 4_194_304 ? megabytes : undefined;
}
