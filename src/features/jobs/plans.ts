import type { FactForms } from "../../engine/runs/facts.ts";
import { applying, fromTheStart, type Plan, plan, type Step, step } from "../../engine/runs/plan.ts";
import { applyReports } from "../../host/jobs/job-reports.ts";
import { commandFile, crontab, runScript } from "../../host/jobs/jobs.ts";
import { jobUnitPrefix, jobUnits, type ProjectLayout } from "../../host/layout.ts";
import { putFile } from "../../host/runner/functions.ts";
import { exclusively } from "../../host/runner/lock.ts";
import { withPrelude } from "../../host/runner/prelude.ts";
import { scriptsBeside, setBefore } from "../../host/script-file.ts";
import { lines, type Script, sh } from "../../host/sh.ts";
import { backgroundUnit, scheduledUnit } from "../../host/systemd/unit.ts";
import type { ProjectOnServer } from "../projects/plans.ts";
import { jobsKind } from "./schema.ts";

const script = scriptsBeside(import.meta.url);

/** A job as plans see it; made from its row by `jobOnServer`. */
export interface JobOnServer {
  id: number;
  /** As the user wrote it, for bash. */
  command: string;
  isActive: boolean;
  /** The schedule, as `readCronExpression` returns it; or the number of permanent processes. */
  runs: { schedule: string } | { processes: number };
  /**
   * The digest of its heartbeat's address, which is among the run's secrets (`reportSecret`); undefined: it has none.
   */
  heartbeatDigest?: string | undefined;
}

/** The settings of the project that its jobs use. */
export type JobsProject = Pick<ProjectOnServer, "layout" | "directory" | "framework" | "maxMemoryMb">;

/** Fact of a background job in runs that start it: `active`, or a sentence why it does not run. */
export const jobFact = (jobId: number): string => `job_${jobId}`;
const jobFacts: FactForms = { "job_<id>": "line" };

export const restartKey = "restart-jobs";

/**
 * Makes the server have exactly these jobs of the project: crontab, units and processes, files and logs. Correct parts stay
 * untouched; a process with outdated settings or an old release is replaced. Can be repeated. Needs a live release to start
 * anything.
 */
export const applyJobs = (project: JobsProject, jobs: readonly JobOnServer[]): Step => {
  const { layout } = project;
  const body = lines(
    oneAtATime(layout),
    refuseHeld(layout),
    writeFiles(project, jobs),
    applyReports(layout, jobs.flatMap(reportingJob)),
    writeCrontab(layout, jobs),
    writeUnits(project, jobs),
    // After instances and templates that no longer belong to a job have ended.
    script("start-missing.sh", {
      ...unitValues(layout),
      units_directory: layout.units,
      jobs: layout.jobs,
      processes: setBefore,
      scheduled: setBefore,
    }),
  );
  const made = step("apply-jobs", "Set up jobs", withPrelude("The project's jobs could not be set up.", body), {
    phase: "prepare",
    timeoutSeconds: 300,
    facts: jobFacts,
  });
  return applying({ ...jobsKind, subjectId: layout.id }, made);
};

/** Replaces every process of the project's background jobs, which then run the live release. Reports the state of each. */
export const restartJobs = (layout: ProjectLayout): Step => {
  const body = lines(oneAtATime(layout), script("restart-all.sh", unitValues(layout)));
  return step(restartKey, "Restart background jobs", withPrelude("The background jobs could not be restarted.", body), {
    phase: "finish",
    onFailure: "continue",
    timeoutSeconds: 300,
    facts: jobFacts,
  });
};

// Cron ignores file names with a dot.
const stoppedCrontab = ({ crontab }: ProjectLayout): string => `${crontab}.stopped`;

export const jobsPlan = (project: JobsProject, jobs: readonly JobOnServer[]): Plan =>
  plan("jobs", [applyJobs(project, jobs)], { pointOfNoReturn: fromTheStart });

/** Runs a scheduled job now, in addition to its schedule; does not wait for the end. */
export const runJobPlan = (layout: ProjectLayout, jobId: number): Plan => {
  const unit = `${jobUnitPrefix(layout, jobId)}now.service`;
  const body = lines(
    oneAtATime(layout),
    refuseHeld(layout),
    refuseUnknown(layout, jobId),
    sh`
      if systemctl is-active --quiet ${unit}; then fail "The job is running already: it was started by hand before."; fi
      systemctl start ${unit}
      echo "Started the job."`,
  );
  return plan(
    "job-command",
    [step("run-job", "Run the job", withPrelude("The job could not be started.", body), { timeoutSeconds: 60 })],
    { pointOfNoReturn: fromTheStart },
  );
};

/** Replaces the processes of a background job. */
export const restartJobPlan = (layout: ProjectLayout, jobId: number): Plan => {
  const body = lines(
    oneAtATime(layout),
    refuseUnknown(layout, jobId),
    script("units.sh", jobsValues(layout)),
    sh`
      shopt -s nullglob
      units=()
      for link in ${layout.unitWants}/${jobUnitPrefix(layout, jobId)}*.service; do units+=("\${link##*/}"); done
      [ "\${#units[@]}" != 0 ] || fail "The job is not active on the server."
      restart_units "\${units[@]}"
      watch_units "\${units[@]}"
      report_jobs "\${units[@]}"`,
  );
  return plan(
    "job-command",
    [
      step(restartKey, "Restart the job", withPrelude("The job could not be restarted.", body), {
        timeoutSeconds: 180,
        facts: jobFacts,
      }),
    ],
    { pointOfNoReturn: fromTheStart },
  );
};

const refuseUnknown = (layout: ProjectLayout, jobId: number): Script =>
  sh`[ -e ${commandFile(layout, jobId)} ] || fail "The server does not have the job yet: wait until its status is active."`;

// This run was queued before the move that now holds the project: a process would write data that the destination does not get.
const refuseHeld = (layout: ProjectLayout): Script =>
  sh`[ ! -e ${layout.held} ] || fail "The project is being moved to another server."`;

const oneAtATime = ({ id }: ProjectLayout): Script => exclusively(`jobs-${id}`);

/** A job whose reporting the server sets up. An inactive scheduled job can be run by hand. */
function reportingJob({ id, runs, isActive, heartbeatDigest: digest }: JobOnServer) {
  if (digest === undefined) return [];
  if ("schedule" in runs) return [{ id, processes: 0, digest }];
  return isActive ? [{ id, processes: runs.processes, digest }] : [];
}

const isScheduled = (job: JobOnServer): job is JobOnServer & { runs: { schedule: string } } => "schedule" in job.runs;
const isBackground = (job: JobOnServer): job is JobOnServer & { runs: { processes: number } } =>
  "processes" in job.runs;

function writeFiles(project: JobsProject, jobs: readonly JobOnServer[]): Script {
  const { layout } = project;
  const { runtimeFamily: family } = project.framework;
  const heap = family === "node" ? project.maxMemoryMb : undefined;
  return lines(
    sh`
      install -d -o root -g ${layout.user} -m 750 ${layout.jobs}
      kept=()
      keep() { # FILE CONTENT
        ${putFile} "$1" 0640 "$2" > /dev/null
        chown ${`root:${layout.user}`} "$1"
        kept+=("$1")
      }
      keep ${layout.jobs}/run ${runScript({ layout, directory: project.directory, maxHeapOfMb: heap, isPhp: family === "php" })}`,
    ...jobs.map(({ id, command }) => sh`keep ${commandFile(layout, id)} ${`${command}\n`}`),
    sh`
      shopt -s nullglob
      for file in ${layout.jobs}/*; do
        case " \${kept[*]} " in *" $file "*) ;; *) rm -f -- "$file" ;; esac
      done`,
  );
}

function writeCrontab(layout: ProjectLayout, jobs: readonly JobOnServer[]): Script {
  const scheduled = jobs.filter((job) => job.isActive).filter(isScheduled);
  if (scheduled.length === 0) return sh`rm -f -- ${[layout.crontab, stoppedCrontab(layout)]}`;
  const text = crontab(
    layout,
    scheduled.map(({ id, runs }) => ({ id, schedule: runs.schedule })),
  );
  return sh`
    rm -f -- ${stoppedCrontab(layout)}
    ${putFile} ${layout.crontab} 0600 ${text}
    systemctl is-active --quiet cron.service || fail "cron does not run on this server, so scheduled jobs do not either."`;
}

function writeUnits({ layout, maxMemoryMb }: JobsProject, jobs: readonly JobOnServer[]): Script {
  const active = jobs.filter((job) => job.isActive);
  const template = (id: number) => `${layout.units}/${jobUnitPrefix(layout, id)}.service`;
  return lines(
    sh`
      declare -A processes=()
      changes=`,
    ...active.filter(isBackground).map(
      ({ id, runs }) => sh`
        processes[${id}]=${runs.processes}
        changes+=$(${putFile} ${template(id)} 0644 ${backgroundUnit({ layout, jobId: id, maxMemoryMb })})`,
    ),
    // An inactive one can be run by hand.
    ...jobs.filter(isScheduled).map(({ id, heartbeatDigest }) => {
      const unit = scheduledUnit({ layout, jobId: id, maxMemoryMb, reports: heartbeatDigest !== undefined });
      return sh`
        changes+=$(${putFile} ${template(id)} 0644 ${unit})`;
    }),
    sh`scheduled=${` ${jobs
      .filter(isScheduled)
      .map(({ id }) => id)
      .join(" ")} `}`,
  );
}

// Root's note of the release that a process was started with. If systemd has restarted it since, it may run a newer one, and is
// replaced without need.
const startedWith = ({ state }: ProjectLayout): string => `${state}/job`;

/**
 * `restart_units` replaces processes; `watch_units` checks for a while that the started processes stay alive; `report_jobs` reports
 * the state of each job. `job_of` and `number_of` read a unit's name.
 */
const jobsValues = (layout: ProjectLayout) => ({
  live_link: layout.current,
  job_units: jobUnits(layout),
  started_with: startedWith(layout),
});

const unitValues = (layout: ProjectLayout) => ({ ...jobsValues(layout), unit_wants: layout.unitWants });
