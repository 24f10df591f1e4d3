import { exportsFile, withEnvironment } from "../environment/with-environment.ts";
import { jobUnitPrefix, type ProjectLayout } from "../layout.ts";
import { nodeLinks } from "../node/release-node.ts";
import { livePrograms } from "../php/pool.ts";
import { scriptsBeside } from "../script-file.ts";
import { heapSetting } from "../systemd/unit.ts";
import { cronLine } from "./cron.ts";

const script = scriptsBeside(import.meta.url);

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
export const runScript = ({ layout, directory, maxHeapOfMb, isPhp = false }: JobSettings): string => {
  const { script: code } = script("run-job.sh", {
    live: layout.current,
    directory,
    environments: layout.environments,
    project_home: layout.home,
    project_jobs: layout.jobs,
    project_nodes: nodeLinks(layout),
    project_programs: isPhp ? livePrograms(layout) : "",
    with_environment: withEnvironment,
    environment_exports: exportsFile,
    settings: ["NODE_ENV?=production", ...heapSetting(maxHeapOfMb)],
  });
  return `# Longshore: written for the project; changes are overwritten.\n${code}\n`;
};
