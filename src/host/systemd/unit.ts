import { reportName, reportProgram } from "../jobs/job-reports.ts";
import { jobUnits, type ProjectLayout } from "../layout.ts";
import { textsBeside } from "../script-file.ts";
import { projectSandbox, type Sandbox, sandboxProperties } from "./sandbox.ts";

/** Limits of a project's process, and how it is stopped. */
export interface UnitSettings {
  layout: ProjectLayout;
  /** Upper limit of memory in MB; undefined: most of the server's. */
  maxMemoryMb?: number | undefined;
  /** Seconds between SIGTERM and SIGKILL. */
  stopTimeoutSeconds?: number;
}

/**
 * Name of the journal that holds the output of projects' processes. It is separate from the system's, so that they can neither
 * displace that nor write into it.
 */
export const journalNamespace = "longshore";

/** Settings of every unit of a project: its sandbox, its share of the server, and where its output goes. */
export const projectService = (sandbox: Sandbox, maxMemoryMb?: number): string =>
  [
    ...sandboxProperties(sandbox),
    `LogNamespace=${journalNamespace}`,
    "LogRateLimitIntervalSec=30s",
    "LogRateLimitBurst=5000",
    ...(maxMemoryMb === undefined ? ["MemoryHigh=80%", "MemoryMax=90%"] : [`MemoryMax=${maxMemoryMb}M`]),
    "TasksMax=2048",
    "CPUWeight=100",
    "IOWeight=100",
    "LimitNOFILE=65536",
    "LimitCORE=0",
  ].join("\n");

// npm's update notice would be the last line that a process prints.
const quietNpm = "Environment=npm_config_update_notifier=false";

/** Ends processes that do not belong to a project and listen on its port; a program of root's, called with port and user. */
export const freePortProgram = "/usr/local/lib/longshore/free-port";

/** Ends the processes of the unit that it is part of; called with seconds. */
export const endProcessesProgram = "/usr/local/lib/longshore/end-processes";

/**
 * systemd sends a second SIGTERM to the remaining processes as soon as the unit's first process has ended. npm's shell ends at
 * once, and most applications drop their requests in progress at a second signal.
 */
export const endProcesses = textsBeside(import.meta.url)("end-processes.sh");

/**
 * The systemd template of a Node project: one instance per port. The release (`.longshore/start`), reached through the
 * slot's link, defines what an instance runs, so that a rollback also brings back the former command.
 */
export const nodeUnit = ({
  layout,
  ports,
  maxMemoryMb,
  stopTimeoutSeconds = 30,
}: UnitSettings & { ports: readonly [number, number] }): string => `# Longshore
[Unit]
Description=Longshore project ${layout.id} on port %i
After=network.target
# A process that keeps crashing is started again for ever, a second apart: it may wait for a database.
StartLimitIntervalSec=0

[Service]
Type=exec
WorkingDirectory=${layout.directory}/slots/%i
ExecStartPre=+${freePortProgram} %i ${layout.user}
ExecStart=/bin/bash ${layout.directory}/slots/%i/.longshore/start %i
ExecStop=${endProcessesProgram} ${stopTimeoutSeconds}
Restart=always
RestartSec=1
TimeoutStopSec=${stopTimeoutSeconds + 5}
SyslogIdentifier=project-${layout.id}
${quietNpm}
# A proxy or certificate authority that the machine was given.
EnvironmentFile=-/etc/environment
${projectService({ ...projectSandbox(layout), ports }, maxMemoryMb)}

[Install]
WantedBy=multi-user.target
`;

/** Limits of a job's processes, and how they are stopped. */
export interface JobUnitSettings extends UnitSettings {
  jobId: number;
}

/**
 * The systemd template of a background job: an instance for each of its processes. It runs `jobs/run`, which finds the
 * live release when it starts. The runtime directory survives automatic restarts, but not a stop: it holds how long to
 * wait before the next try.
 */
export const backgroundUnit = ({ stopTimeoutSeconds = 60, ...settings }: JobUnitSettings): string =>
  jobUnit(
    settings,
    "background",
    `RuntimeDirectory=longshore-jobs/${settings.layout.id}-${settings.jobId}-%i
RuntimeDirectoryPreserve=restart
Restart=always
RestartSec=1
TimeoutStopSec=${stopTimeoutSeconds}`,
  );

/**
 * The systemd template of a scheduled job: cron starts an instance each time. Failed instances are not kept in memory. With
 * `reports`, root reports the start and the end of each run, beside the job: a failing report does not change the result of the
 * run.
 */
export function scheduledUnit({ reports, ...settings }: JobUnitSettings & { reports?: boolean }): string {
  const name = reportName(settings.layout, settings.jobId);
  const report = [
    `ExecStartPost=-+${reportProgram} started ${name}`,
    `ExecStopPost=-+${reportProgram} ended ${name} %n`,
  ];
  return jobUnit(settings, "scheduled", ["TimeoutStopSec=10", ...(reports ? report : [])].join("\n"));
}

const jobUnit = ({ layout, jobId, maxMemoryMb }: JobUnitSettings, kind: string, ending: string): string => `# Longshore
[Unit]
Description=Longshore project ${layout.id}: ${kind} job ${jobId}, process %i
After=network.target
StartLimitIntervalSec=0
CollectMode=inactive-or-failed

[Service]
Type=exec
WorkingDirectory=${layout.directory}
ExecStart=/bin/bash ${layout.jobs}/run ${jobId} ${kind}
${ending}
SyslogIdentifier=project-${layout.id}-job-${jobId}
${quietNpm}
${projectService(projectSandbox(layout), maxMemoryMb)}

[Install]
WantedBy=multi-user.target
`;

/** The units whose output is a job's log, in journalctl's names. */
export const jobUnitPattern = (layout: ProjectLayout, jobId: number): string => `${jobUnits(layout)}${jobId}@*.service`;

/** The heap size for V8, as a setting of `withEnvironment`: the rest of the limit is for buffers, code and threads. */
export const heapSetting = (maxMemoryMb: number | undefined): string[] =>
  maxMemoryMb === undefined
    ? []
    : [`NODE_OPTIONS^=--max-old-space-size=${Math.max(64, Math.floor(maxMemoryMb * 0.75))}`];

/** Reads `512MB` or `2GB` (also `512M`, `1.5 GB`) as MB; undefined for another form, or under 64 MB. */
export function parseMemory(text: string): number | undefined {
  const match = /^\s*(\d{1,6}(?:\.\d{1,3})?)\s*(M|G)(?:i?B)?\s*$/i.exec(text);
  if (!match) return undefined;
  const megabytes = Math.floor(Number(match[1]) * (match[2]?.toUpperCase() === "G" ? 1024 : 1));
  return megabytes >= 64 && megabytes <= 4_194_304 ? megabytes : undefined;
}
