import type { FactForms } from "../../engine/facts.ts";
import { fromTheStart, type Plan, plan, type Step, step } from "../../engine/plan.ts";
import {
  commandFile,
  crontab,
  jobLog,
  jobLogRotation,
  pingFile,
  pingSettings,
  rotateHourly,
  runScript,
} from "../../host/jobs.ts";
import { jobUnitPrefix, jobUnits, type ProjectLayout } from "../../host/layout.ts";
import { withPrelude } from "../../host/prelude.ts";
import { lines, type Script, sh } from "../../host/sh.ts";
import { jobUnit } from "../../host/unit.ts";
import type { ProjectOnServer } from "../projects/plans.ts";

/** A job as plans see it; made from its row by `jobOnServer`. */
export interface JobOnServer {
  id: number;
  /** As the user wrote it, for bash. */
  command: string;
  isActive: boolean;
  /** When it runs, as `readCronExpression` returns it; or how many of its processes run all the time. */
  runs: { schedule: string } | { processes: number };
  /** A scheduled one reports to it when it succeeded. */
  pingUrl?: string | undefined;
}

/** What the project itself decides about its jobs. */
export type JobsProject = Pick<ProjectOnServer, "layout" | "directory" | "framework" | "maxMemoryMb">;

/** Fact of a background job in the runs that start it: `active`, or a sentence about why it does not run. */
export const jobFact = (jobId: number): string => `job_${jobId}`;
const jobFacts: FactForms = { "job_<id>": "line" };

/** Key of the step whose fingerprint tells what a server has of a project's jobs. */
export const applyKey = "apply-jobs";
export const restartKey = "restart-jobs";

/**
 * Makes the server have exactly these jobs of the project: crontab, units and processes, files and logs. What is right
 * already stays untouched; a process whose settings or release are not those of now is replaced. Can be repeated. It
 * needs a live release to start anything.
 */
export const applyJobs = (project: JobsProject, jobs: readonly JobOnServer[]): Step => {
  const { layout } = project;
  const body = lines(
    oneAtATime(layout),
    refuseHeld(layout),
    writeFiles(project, jobs),
    removeOtherFiles(layout, jobs),
    writeCrontab(layout, jobs),
    writeUnits(project, jobs),
    unitFunctions(layout),
    stopOthers(layout),
    startMissing(layout),
  );
  return step(applyKey, "Set up jobs", withPrelude("The project's jobs could not be set up.", body), {
    phase: "prepare",
    timeoutSeconds: 300,
    facts: jobFacts,
  });
};

/** Replaces every process of the project's background jobs, which then runs what is live. Tells how each of them does. */
export const restartJobs = (layout: ProjectLayout): Step => {
  const body = lines(
    oneAtATime(layout),
    unitFunctions(layout),
    sh`
      shopt -s nullglob
      units=()
      for link in ${layout.unitWants}/${jobUnits(layout)}*@*.service; do units+=("\${link##*/}"); done
      if [ "\${#units[@]}" = 0 ]; then exit; fi
      systemctl stop "\${units[@]}"
      systemctl start "\${units[@]}"
      watch_units "\${units[@]}"
      tell_jobs "\${units[@]}"
      echo "Restarted \${#units[@]} processes of background jobs."`,
  );
  return step(restartKey, "Restart background jobs", withPrelude("The background jobs could not be restarted.", body), {
    phase: "finish",
    onFailure: "continue",
    timeoutSeconds: 300,
    facts: jobFacts,
  });
};

/** Ends the project's jobs on this server, as when another one takes them over; undone, they go on. */
export const stopJobs = (layout: ProjectLayout): Step =>
  step(
    "stop-jobs",
    "Stop jobs",
    sh`
      if [[ -e ${layout.crontab} ]]; then mv -T -- ${layout.crontab} ${stoppedCrontab(layout)}; fi
      systemctl stop ${`${jobUnits(layout)}*.service`}`,
    {
      timeoutSeconds: 180,
      undo: sh`
        if [[ -e ${stoppedCrontab(layout)} ]]; then mv -T -- ${stoppedCrontab(layout)} ${layout.crontab}; fi
        shopt -s nullglob
        for link in ${layout.unitWants}/${jobUnits(layout)}*@*.service; do systemctl start "\${link##*/}" || true; done`,
    },
  );

// Cron passes over names with a dot.
const stoppedCrontab = ({ crontab }: ProjectLayout): string => `${crontab}.stopped`;

export const jobsPlan = (project: JobsProject, jobs: readonly JobOnServer[]): Plan =>
  plan("jobs", [applyJobs(project, jobs)], { pointOfNoReturn: fromTheStart });

/** Runs a scheduled job now, beside its schedule; it does not wait for the end. */
export const runJobPlan = (layout: ProjectLayout, jobId: number): Plan => {
  const unit = `longshore-project-${layout.id}-now-${jobId}.service`;
  const body = lines(
    oneAtATime(layout),
    refuseHeld(layout),
    refuseUnknown(layout, jobId),
    sh`
      if systemctl is-active --quiet ${unit}; then fail "The job is running already: it was started by hand before."; fi
      systemd-run --quiet --collect --unit=${unit} --service-type=exec --description=${`Longshore project ${layout.id}: job ${jobId}, by hand`} \\
        --uid=${layout.user} --gid=${layout.user} --working-directory=${layout.directory} --property=NoNewPrivileges=yes \\
        --property=PrivateTmp=yes --property=ProtectSystem=full /bin/bash ${layout.jobs}/run ${jobId} scheduled
      echo "Started the job."`,
  );
  return plan(
    "job-command",
    [step("run-job", "Run the job", withPrelude("The job could not be started.", body), { timeoutSeconds: 60 })],
    { pointOfNoReturn: fromTheStart },
  );
};

/** Replaces the processes of one background job. */
export const restartJobPlan = (layout: ProjectLayout, jobId: number): Plan => {
  const body = lines(
    oneAtATime(layout),
    refuseUnknown(layout, jobId),
    unitFunctions(layout),
    sh`
      shopt -s nullglob
      units=()
      for link in ${layout.unitWants}/${jobUnitPrefix(layout, jobId)}*.service; do units+=("\${link##*/}"); done
      [ "\${#units[@]}" != 0 ] || fail "The job is not active on the server."
      systemctl stop "\${units[@]}"
      systemctl start "\${units[@]}"
      watch_units "\${units[@]}"
      tell_jobs "\${units[@]}"`,
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

/** Prints the last lines of a job's log. */
export const readLog = (layout: ProjectLayout, jobId: number, count: number): Script => sh`
  # Bytes come first: who looks for the beginning of a line that never ends reads all of it.
  [ ! -e ${jobLog(layout, jobId)} ] || tail -c 500000 -- ${jobLog(layout, jobId)} | tail -n ${count}`;

const refuseUnknown = (layout: ProjectLayout, jobId: number): Script =>
  sh`[ -e ${commandFile(layout, jobId)} ] || fail "The server does not have the job yet: wait until its status is active."`;

// Ordered before a move that holds the project now: a process would write what the destination does not get.
const refuseHeld = (layout: ProjectLayout): Script =>
  sh`[ ! -e ${layout.held} ] || fail "The project is being moved to another server."`;

const oneAtATime = ({ id }: ProjectLayout): Script => sh`
  mkdir -p /run/longshore
  exec 9> /run/longshore/${`jobs-${id}.lock`}
  flock 9`;

const isScheduled = (job: JobOnServer): job is JobOnServer & { runs: { schedule: string } } => "schedule" in job.runs;
const isBackground = (job: JobOnServer): job is JobOnServer & { runs: { processes: number } } =>
  "processes" in job.runs;

function writeFiles(project: JobsProject, jobs: readonly JobOnServer[]): Script {
  const { layout } = project;
  const heap = project.framework.runtimeFamily === "node" ? project.maxMemoryMb : undefined;
  return lines(
    sh`
      install -d -o root -g ${layout.user} -m 750 ${[layout.jobs, layout.jobLogs]}
      kept=()
      keep() { # FILE CONTENT
        put_file "$1" 0640 "$2" > /dev/null
        chown ${`root:${layout.user}`} "$1"
        kept+=("$1")
      }
      log() { [ -e "$1" ] || install -m 640 -o ${layout.user} -g ${layout.user} /dev/null "$1"; }
      put_file ${layout.jobLogRotation} 0644 ${jobLogRotation}
      ${rotateHourly(layout)}
      keep ${layout.jobs}/run ${runScript({ layout, directory: project.directory, maxHeapOfMb: heap })}`,
    ...jobs.map((job) => {
      const { id, command, pingUrl } = job;
      return lines(
        sh`
          keep ${commandFile(layout, id)} ${`${command}\n`}
          log ${jobLog(layout, id)}`,
        pingUrl !== undefined && sh`keep ${pingFile(layout, id)} ${pingSettings(pingUrl)}`,
      );
    }),
  );
}

const removeOtherFiles = (layout: ProjectLayout, jobs: readonly JobOnServer[]): Script => sh`
  shopt -s nullglob
  for file in ${layout.jobs}/*; do
    case " \${kept[*]} " in *" $file "*) ;; *) rm -f -- "$file" ;; esac
  done
  ids=${` ${jobs.map(({ id }) => id).join(" ")} `}
  for file in ${layout.jobLogs}/*; do
    id=\${file##*/}
    case $ids in *" \${id%%.*} "*) ;; *) rm -f -- "$file" ;; esac
  done`;

function writeCrontab(layout: ProjectLayout, jobs: readonly JobOnServer[]): Script {
  const scheduled = jobs.filter((job) => job.isActive).filter(isScheduled);
  if (scheduled.length === 0) return sh`rm -f -- ${[layout.crontab, stoppedCrontab(layout)]}`;
  const text = crontab(
    layout,
    scheduled.map(({ id, runs, pingUrl }) => ({ id, schedule: runs.schedule, reports: pingUrl !== undefined })),
  );
  return sh`
    rm -f -- ${stoppedCrontab(layout)}
    put_file ${layout.crontab} 0644 ${text}
    systemctl is-active --quiet cron.service || fail "cron does not run on this server, so scheduled jobs do not either."`;
}

function writeUnits({ layout, maxMemoryMb }: JobsProject, jobs: readonly JobOnServer[]): Script {
  const background = jobs.filter((job) => job.isActive).filter(isBackground);
  return lines(
    sh`
      declare -A processes=()
      news=`,
    ...background.map(
      ({ id, runs }) => sh`
        processes[${id}]=${runs.processes}
        news+=$(put_file ${layout.units}/${jobUnitPrefix(layout, id)}.service 0644 ${jobUnit({ layout, jobId: id, maxMemoryMb })})`,
    ),
  );
}

// Instances and templates that no job has any more.
const stopOthers = (layout: ProjectLayout): Script => sh`
  gone=()
  for link in ${layout.unitWants}/${jobUnits(layout)}*@*.service; do
    unit=\${link##*/}
    if [ "$(number_of "$unit")" -gt "\${processes[$(job_of "$unit")]:-0}" ]; then
      gone+=("$unit")
      rm -f -- "$link"
    fi
  done
  if [ "\${#gone[@]}" != 0 ]; then
    systemctl stop "\${gone[@]}"
    echo "Stopped \${#gone[@]} processes."
  fi
  for template in ${layout.units}/${jobUnits(layout)}*@.service; do
    if [ -z "\${processes[$(job_of "\${template##*/}")]-}" ]; then
      rm -f -- "$template"
      news+=gone
    fi
  done
  [ -z "$news" ] || systemctl daemon-reload`;

const startMissing = (layout: ProjectLayout): Script => sh`
  live=$(readlink ${layout.current} || true)
  live=\${live##*/}
  is_current() { # JOB UNIT
    local since state
    systemctl is-active --quiet "$2" || return 1
    since=$(systemctl show --property=ActiveEnterTimestamp --value --timestamp=us+utc "$2")
    [ -z "$(find ${layout.units}/${jobUnits(layout)}"$1@.service" ${layout.jobs}/run ${layout.jobs}/"$1.command" -newermt "$since")" ] || return 1
    # Written by the project's own user, who might put anything in its place.
    state=$(timeout 2 head -c 100 /run/longshore-jobs/${layout.id}"-$1-$(number_of "$2")/state" 2> /dev/null || true)
    [ "\${state##* }" = "$live" ]
  }
  units=() start=()
  for job in "\${!processes[@]}"; do
    for ((number = 1; number <= processes[$job]; number++)); do
      unit=${jobUnits(layout)}$job@$number.service
      ln -sfn ${layout.units}/${jobUnits(layout)}"$job@.service" ${layout.unitWants}/"$unit"
      units+=("$unit")
      is_current "$job" "$unit" || start+=("$unit")
    done
  done
  if [ "\${#start[@]}" != 0 ]; then
    systemctl stop "\${start[@]}"
    systemctl start "\${start[@]}"
    watch_units "\${start[@]}"
    echo "Started \${#start[@]} processes."
  fi
  tell_jobs "\${units[@]}"
  echo "The server has the project's jobs."`;

/**
 * `watch_units` looks for a while whether what was just started stays; `tell_jobs` hands over how each job does.
 * `job_of` and `number_of` read a unit's name.
 */
const unitFunctions = (layout: ProjectLayout): Script => sh`
  prefix=${jobUnits(layout)}
  job_of() { local name=\${1%@*}; echo "\${name#"$prefix"}"; }
  number_of() { local name=\${1%.service}; echo "\${name##*@}"; }
  declare -A said_of=()
  look_at() { # UNIT
    local key value restarts=0 state='' code=0
    while IFS='=' read -r key value; do
      case $key in NRestarts) restarts=$value ;; SubState) state=$value ;; ExecMainStatus) code=$value ;; esac
    done < <(systemctl show --property=NRestarts,SubState,ExecMainStatus "$1")
    if [ "$restarts" = 0 ] && [ "$state" = running ]; then return; fi
    [ -n "\${said_of[$(job_of "$1")]-}" ] ||
      said_of[$(job_of "$1")]="The process ended right after its start with exit code $code; the job's log says why. It is started again and again."
  }
  watch_units() {
    local unit tries
    for ((tries = 0; tries < 8; tries++)); do
      sleep 0.15
      for unit; do look_at "$unit"; done
    done
  }
  tell_jobs() {
    local unit job
    for unit; do
      job=$(job_of "$unit")
      printf 'job_%s %s\\n' "$job" "\${said_of[$job]:-active}" >> "$LONGSHORE_FACTS"
    done
  }`;
