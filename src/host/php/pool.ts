import { exportsFile, withEnvironment } from "../environment/with-environment.ts";
import type { ProjectLayout } from "../layout.ts";
import { sh } from "../sh.ts";
import { projectSandbox } from "../systemd/sandbox.ts";
import { projectService } from "../systemd/unit.ts";

// A separate PHP-FPM for each project: its own user, OPcache and APCu. systemd holds its socket, so that the first
// request after a boot starts it, and a request that arrives while it is replaced waits instead of being refused.

/** Limits of a PHP project's workers. */
export interface PoolSettings {
  layout: ProjectLayout;
  /** Memory limit of one request in MB; undefined: the value of php.ini. */
  maxMemoryMb?: number | undefined;
  php?: PhpChoices | undefined;
}

/** What a project changes of its PHP; null: it has what the server has. */
export interface PhpChoices {
  /** Before `maxMemoryMb`. */
  memoryLimitMb: number | null;
  maxExecutionSeconds: number | null;
  maxWorkers: number;
  opcache: boolean;
  opcacheMemoryMb: number | null;
  /** Names of `phpExtensions`. */
  extensions: readonly string[];
}

const unchanged: PhpChoices = {
  memoryLimitMb: null,
  maxExecutionSeconds: null,
  maxWorkers: 20,
  opcache: true,
  opcacheMemoryMb: null,
  extensions: [],
};

/** Memory of the server for each worker: what a small one takes. */
export const workerMb = 32;

const usualRequestSeconds = 300;

/** How long nginx waits for an answer of a project's PHP. PHP-FPM ends the request a little later, so that visitors get nginx's page. */
export const requestSeconds = (maxExecutionSeconds: number | null | undefined): number =>
  Math.max(usualRequestSeconds, maxExecutionSeconds ?? 0);

/** A directory of php.ini files that PHP reads after those of the server. */
export const phpIniDirectory = ({ directory }: ProjectLayout): string => `${directory}/php-ini`;

/** A link of root's to a release's settings for starting PHP: its environment variables and its version. */
export const phpEnvironment = ({ environments }: ProjectLayout): string => `${environments}/php`;

/**
 * Links of root's to the programs of a release's own PHP version; the directory is missing when the release uses the
 * server's version.
 */
export const programsOf = (environment: string): string => `${environment}/bin`;

/** Those of the live release. */
export const livePrograms = (layout: ProjectLayout): string => programsOf(phpEnvironment(layout));

export const phpStartPath = ({ directory }: ProjectLayout): string => `${directory}/php-start`;

/**
 * `php-start PROGRAM`: starts PHP-FPM with those variables, which its workers inherit; the PHP-FPM of the release's version, or
 * else PROGRAM. The protocol between systemd and PHP-FPM is unchanged.
 */
export const phpStart = (layout: ProjectLayout): string =>
  `${
    sh`
      # Longshore: written for the project; changes are overwritten.
      # Its own path, and not the link's: PHP-FPM starts itself again when it reloads.
      if [[ -L ${livePrograms(layout)}/php-fpm ]]; then set -- "$(readlink ${livePrograms(layout)}/php-fpm)"; fi
      exec ${withEnvironment} ${phpEnvironment(layout)}/${exportsFile} FPM_SOCKETS="$FPM_SOCKETS" NOTIFY_SOCKET="\${NOTIFY_SOCKET-}" PHP_INI_SCAN_DIR?="\${PHP_INI_SCAN_DIR-}" -- \\
        "$1" --nodaemonize --force-stderr --fpm-config ${layout.phpSettings}`.script
  }
`;

/**
 * The settings of a project's PHP-FPM: no worker while it has no requests. Errors are logged to the journal. The server fills in
 * `WORKERS`.
 */
export const phpSettings = ({ layout, maxMemoryMb, php = unchanged }: PoolSettings): string => `; Longshore
[global]
daemonize = no
; Not used: --force-stderr leaves the log to systemd.
error_log = /dev/null
; A reload lets running requests end, so that it drops none.
process_control_timeout = 30s
emergency_restart_threshold = 10
emergency_restart_interval = 1m

[project-${layout.id}]
user = ${layout.user}
group = ${layout.user}
listen = ${layout.phpSocket}
pm = ondemand
pm.max_children = WORKERS
pm.process_idle_timeout = 60s
pm.max_requests = 1000
request_terminate_timeout = ${requestSeconds(php.maxExecutionSeconds) + 30}s
clear_env = no
catch_workers_output = yes
decorate_workers_output = no
security.limit_extensions = .php
php_admin_flag[log_errors] = on
php_value[variables_order] = EGPCS
php_admin_value[session.save_path] = ${layout.sessions}
php_value[upload_max_filesize] = 100M
php_value[post_max_size] = 100M
${phpLimits(php.memoryLimitMb ?? maxMemoryMb, php)}`;

const phpLimits = (memoryMb: number | undefined, { maxExecutionSeconds: seconds }: PhpChoices): string =>
  [
    memoryMb === undefined ? "" : `php_admin_value[memory_limit] = ${memoryMb}M\n`,
    seconds === null ? "" : `php_value[max_execution_time] = ${seconds}\n`,
  ].join("");

export const phpWorkers = ({ php = unchanged }: PoolSettings): number => php.maxWorkers;
export const extensionsOf = ({ php = unchanged }: PoolSettings): readonly string[] => php.extensions;

/** Settings that PHP reads only at its start; the server adds those that load extensions. */
export const phpIni = ({ php = unchanged }: PoolSettings): string =>
  [
    "; Longshore",
    ...(php.opcache ? [] : ["opcache.enable = 0"]),
    ...(php.opcacheMemoryMb === null ? [] : [`opcache.memory_consumption = ${php.opcacheMemoryMb}`]),
    "",
  ].join("\n");

/** The socket that nginx connects to. The project can neither replace nor remove it: root owns its directory. */
export const phpSocketUnit = ({ id, phpSocket }: ProjectLayout): string => `# Longshore
[Unit]
Description=Longshore project ${id}: PHP

[Socket]
ListenStream=${phpSocket}
SocketUser=root
SocketGroup=www-data
SocketMode=0660
Backlog=1024

[Install]
WantedBy=multi-user.target
`;

/** PHP-FPM inherits a listening socket by its name; the server fills in `VERSION`. */
export const phpServiceUnit = (layout: ProjectLayout): string => `# Longshore
[Unit]
Description=Longshore project ${layout.id}: PHP
Requires=${layout.phpSocketUnit}
After=network.target ${layout.phpSocketUnit}
StartLimitIntervalSec=0

[Service]
Type=notify
ExecStart=/bin/bash ${phpStartPath(layout)} /usr/sbin/php-fpmVERSION
ExecReload=/bin/kill -USR2 $MAINPID
KillSignal=SIGQUIT
TimeoutStopSec=40
Restart=on-failure
RestartSec=1
Environment=FPM_SOCKETS=${layout.phpSocket}=3
EnvironmentFile=-/etc/environment
# The empty first part stands for the server's own.
Environment=PHP_INI_SCAN_DIR=:${phpIniDirectory(layout)}
SyslogIdentifier=project-${layout.id}-php
${projectService(projectSandbox(layout))}
`;
