import { cronLine } from "./cron.ts";
import type { ProjectLayout } from "./layout.ts";
import { lines, type Script, sh } from "./sh.ts";
import { heapMegabytes } from "./unit.ts";

/** What every job of a project shares. */
export interface JobSettings {
  layout: ProjectLayout;
  /** Working directory inside the release; empty: its root. */
  directory: string;
  /** Node projects with a limit of memory: what its processes are told of it. */
  maxHeapOfMb?: number | undefined;
}

/** Where a job's own command lies, run as it was written. */
export const commandFile = ({ jobs }: ProjectLayout, jobId: number): string => `${jobs}/${jobId}.command`;

/** The address that a job reports to, as settings of curl: it is nobody else's to see. */
export const pingFile = ({ jobs }: ProjectLayout, jobId: number): string => `${jobs}/${jobId}.ping`;

export const jobLog = ({ jobLogs }: ProjectLayout, jobId: number): string => `${jobLogs}/${jobId}.log`;

/** A scheduled job as its line of the crontab needs it. */
export interface ScheduledLine {
  id: number;
  schedule: string;
  /** Whether it reports that it succeeded, to the address in its file. */
  reports?: boolean | undefined;
}

/**
 * The project's crontab. A line holds nothing that a user wrote but the schedule: command and address are in files of
 * root's. Times are the server's.
 */
export const crontab = (layout: ProjectLayout, scheduled: readonly ScheduledLine[]): string =>
  [
    "# Longshore: written for the project; changes are overwritten.\n",
    'SHELL=/bin/bash\nPATH=/usr/local/bin:/usr/bin:/bin\nMAILTO=""\n',
    ...scheduled.map((job) => cronLine({ schedule: job.schedule, user: layout.user, command: commandOf(layout, job) })),
  ].join("");

function commandOf(layout: ProjectLayout, { id, reports }: ScheduledLine): string {
  const run = sh`/bin/bash ${layout.jobs}/run ${id} scheduled`;
  if (!reports) return run.script;
  const report = sh`curl --silent --fail --max-time 10 --retry 3 --output /dev/null --config ${pingFile(layout, id)}`;
  return sh`${run} && ${report}`.script;
}

/** curl's settings for an address to report to. */
export const pingSettings = (url: string): string => `url = "${new URL(url).href.replaceAll('"', "%22")}"\n`;

/**
 * `jobs/run JOB scheduled|background`: runs a job as the user who starts it, in the live release, with that release's
 * environment and the job's own log. A background job's command takes its place, so that signals reach it; one that keeps
 * ending waits longer each time, up to a minute, until it has run for a minute.
 */
export const runScript = ({ layout, directory, maxHeapOfMb }: JobSettings): string =>
  `${
    lines(
      sh`
        # Longshore: written for the project; changes are overwritten.
        umask 022
        job=$1 kind=$2
        exec >> ${layout.jobLogs}/"$job.log" 2>&1 < /dev/null
        say() { TZ=UTC printf '[%(%FT%TZ)T] %s\n' -1 "$1"; }
        if [[ $kind = background ]]; then
          last=0 delay=0
          if [[ -r $RUNTIME_DIRECTORY/state ]]; then
            read -r last delay _ < "$RUNTIME_DIRECTORY/state"
            delay=$((EPOCHSECONDS - last >= 60 ? 0 : delay == 0 ? 1 : delay < 30 ? delay * 2 : 60))
            say "The process ended; it is started again in $delay s."
            sleep "$delay"
          fi
        fi
        release=$(readlink -e ${layout.current})
        if [[ $kind = background ]]; then echo "$EPOCHSECONDS $delay \${release##*/}" > "$RUNTIME_DIRECTORY/state"; fi
        if [[ ! $release ]]; then
          say "The project has no live release."
          exit 75
        fi
        cd -P -- "$release" || exit 75`,
      directory !== "" &&
        sh`
          if ! cd -P -- ${directory}; then
            say "The live release has no directory "${directory}.
            exit 75
          fi`,
      sh`
        # What the server's owner set for everyone, such as a proxy or certificate authorities.
        set -a
        if [[ -r /etc/environment ]]; then source /etc/environment; fi
        set +a
        environment=${layout.environments}/\${release##*/}/environment-exports
        if [[ -r $environment ]]; then source "$environment"; fi
        export HOME=${layout.home} PATH=/usr/local/bin:/usr/bin:/bin NODE_ENV="\${NODE_ENV:-production}"`,
      maxHeapOfMb !== undefined &&
        sh`export NODE_OPTIONS="--max-old-space-size="${heapMegabytes(maxHeapOfMb)}"\${NODE_OPTIONS:+ $NODE_OPTIONS}"`,
      sh`
        command=$(< ${layout.jobs}/"$job.command")
        say "Started."
        if [[ $kind = background ]]; then exec bash -c "$command"; fi
        began=$SECONDS
        bash -c "$command"
        code=$?
        say "Ended with exit code $code after $((SECONDS - began)) s."
        exit "$code"`,
    ).script
  }
`;

/** All projects' job logs. Copied and cut: a process that runs for months keeps its file open. */
export const jobLogRotation = `# Longshore: logs of scheduled and background jobs
/srv/longshore/projects/*/logs/jobs/*.log {
    daily
    rotate 14
    maxsize 50M
    missingok
    notifempty
    compress
    copytruncate
}
`;

const hourly = `# Longshore: a log that grows fast is cut within the hour
[Timer]
OnCalendar=
OnCalendar=hourly
AccuracySec=1min
RandomizedDelaySec=5min
`;

/** Has the sizes of all logs looked at each hour; a system does so once a day by itself. With `put_file`. */
export const rotateHourly = ({ units }: ProjectLayout): Script => sh`
  put_file ${`${units}/logrotate.timer.d/60-longshore.conf`} 0644 ${hourly}
  if [ "$(systemctl show --property=NeedDaemonReload --value logrotate.timer)" = yes ]; then systemctl daemon-reload; fi`;
