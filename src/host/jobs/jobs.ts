import { jobUnitPrefix, type ProjectLayout } from "../layout.ts";
import { nodeOfRelease } from "../node/release-node.ts";
import { livePrograms } from "../php/pool.ts";
import { lines, sh } from "../sh.ts";
import { heapMegabytes } from "../systemd/unit.ts";
import { cronLine } from "./cron.ts";

/** Settings shared by all jobs of a project. */
export interface JobSettings {
  layout: ProjectLayout;
  /** Working directory inside the release; empty: its root. */
  directory: string;
  /** Node projects with a memory limit: the heap limit of their processes. */
  maxHeapOfMb?: number | undefined;
  /** PHP projects: commands run with the PHP version of the live release. */
  isPhp?: boolean;
}

/** Path of a job's command, which runs as it was written. */
export const commandFile = ({ jobs }: ProjectLayout, jobId: number): string => `${jobs}/${jobId}.command`;

/** The fields of a scheduled job that its crontab line needs. */
export interface ScheduledLine {
  id: number;
  schedule: string;
}

/**
 * The project's crontab. As root, cron only starts the job's unit; the schedule is the only part of a line that a user
 * wrote. Times are in the server's time zone.
 */
export const crontab = (layout: ProjectLayout, scheduled: readonly ScheduledLine[]): string =>
  [
    "# Longshore: written for the project; changes are overwritten.\n",
    'SHELL=/bin/bash\nPATH=/usr/local/bin:/usr/bin:/bin\nMAILTO=""\n',
    ...scheduled.map(({ id, schedule }) =>
      // The instance is the shell's process id, so that overlapping runs have separate instances.
      cronLine({
        schedule,
        user: "root",
        command: `systemctl start --no-block ${jobUnitPrefix(layout, id)}$$.service`,
      }),
    ),
  ].join("");

/**
 * `jobs/run JOB scheduled|background`: runs a job in the live release, with that release's environment. A background job's
 * command replaces the shell, so that signals reach it; a command that keeps ending waits longer each time, up to a minute, until
 * it has run for a minute.
 */
export const runScript = ({ layout, directory, maxHeapOfMb, isPhp = false }: JobSettings): string =>
  `${
    lines(
      sh`
        # Longshore: written for the project; changes are overwritten.
        umask 022
        job=$1 kind=$2
        say() { TZ=UTC printf '[%(%FT%TZ)T] %s\n' -1 "$1"; }
        if [[ $kind = background ]]; then
          last=0 delay=0
          if [[ -r $RUNTIME_DIRECTORY/state ]]; then
            read -r last delay < "$RUNTIME_DIRECTORY/state"
            delay=$((EPOCHSECONDS - last >= 60 ? 0 : delay == 0 ? 1 : delay < 30 ? delay * 2 : 60))
            say "The process ended; it is started again in $delay s."
            sleep "$delay"
          fi
        fi
        release=$(readlink -e ${layout.current})
        if [[ $kind = background ]]; then echo "$EPOCHSECONDS $delay" > "$RUNTIME_DIRECTORY/state"; fi
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
        export HOME=${layout.home} PATH="$release/.longshore/bin:"${nodeOfRelease(layout)}/bin:/usr/local/bin:/usr/bin:/bin NODE_ENV="\${NODE_ENV:-production}"`,
      isPhp && sh`PATH=${livePrograms(layout)}:$PATH`,
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
