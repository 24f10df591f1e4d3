import { type ProjectLayout, serverPaths } from "../layout.ts";
import { putFile } from "../runner/functions.ts";
import { exclusively } from "../runner/lock.ts";
import { scriptsBeside, textsBeside } from "../script-file.ts";
import { lines, type Script, sh } from "../sh.ts";

const script = scriptsBeside(import.meta.url);

// How jobs report to the control plane. The addresses are secrets, in files that only root can read, one for each job
// that reports. Scheduled jobs report from their units (host/systemd/unit.ts); one timer watches the background jobs of all
// projects of the server.

const text = textsBeside(import.meta.url);

const reportJob = text("report-job.sh");
const reportBackgroundJobs = text("report-background-jobs.sh");

/** Started by the unit of a scheduled job: `report-job started|ended PROJECT-JOB UNIT`. */
export const reportProgram = `${serverPaths.libraries}/report-job`;
const listenerProgram = `${serverPaths.libraries}/report-background-jobs`;

const listener = "longshore-job-reports";

const listenerService = `# Longshore
[Unit]
Description=Longshore: report the state of background jobs
After=network-online.target

[Service]
Type=oneshot
ExecStart=${listenerProgram}
RuntimeDirectory=${listener}
RuntimeDirectoryMode=0700
RuntimeDirectoryPreserve=yes
TimeoutStartSec=40
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
`;

const listenerTimer = `# Longshore
[Unit]
Description=Longshore: report the state of background jobs each minute

[Timer]
OnActiveSec=1
OnUnitActiveSec=60
AccuracySec=1

[Install]
WantedBy=timers.target
`;

/** A job that reports. */
export interface ReportingJob {
  id: number;
  /** Number of processes to watch; 0 for a scheduled job. */
  processes: number;
  /** Changes with the address, and does not reveal it. */
  digest: string;
}

/** Name of the job's address in the secrets of a run that writes it. */
export const reportSecret = (jobId: number): string => `report-${jobId}`;

/** The name of a job on its server, in `reportProgram`'s terms. */
export const reportName = (layout: ProjectLayout, jobId: number): string => `${layout.id}-${jobId}`;

/**
 * Makes exactly these jobs of the project report. The first job of a server that reports installs the programs, the first
 * background job the timer; the timer is removed with the last one. Needs `put_file` and the secrets `reportSecret` of the jobs.
 */
export const applyReports = (layout: ProjectLayout, jobs: readonly ReportingJob[]): Script =>
  lines(
    sh`
      reporting=${` ${jobs.map(({ id }) => reportName(layout, id)).join(" ")} `}
      shopt -s nullglob`,
    jobs.length > 0 &&
      lines(
        sh`
          install -d -m 700 ${layout.reports}
          ${putFile} ${reportProgram} 0755 ${reportJob}
          ${putFile} ${listenerProgram} 0755 ${reportBackgroundJobs}
          put_report() { # FILE SECRET PROCESSES DIGEST
            local url
            url=$(< "$LONGSHORE_SECRETS/$2") || return
            ${putFile} "$1" 0600 "$url"$'\\n'"$3"$'\\n'"$4"$'\\n' > /dev/null
          }`,
        ...jobs.map(({ id, processes, digest }) => {
          const file = `${layout.reports}/${reportName(layout, id)}`;
          return sh`put_report ${file} ${reportSecret(id)} ${processes} ${digest}`;
        }),
      ),
    sh`
      for file in ${layout.reports}/${layout.id}-*; do
        case "$reporting" in *" \${file##*/} "*) ;; *) rm -f -- "$file" ;; esac
      done`,
    settleListener(layout),
  );

/** Stops all reports of the project's jobs. */
export const removeReports = (layout: ProjectLayout): Script =>
  lines(sh`rm -f -- ${layout.reports}/${layout.id}-*`, settleListener(layout));

// The timer exists as long as a job of any project has processes to watch.
const settleListener = ({ reports, units }: ProjectLayout): Script =>
  lines(
    exclusively("job-reports", 8),
    script("settle-listener.sh", {
      reports,
      service_file: `${units}/${listener}.service`,
      timer_file: `${units}/${listener}.timer`,
      service: listenerService,
      timer: listenerTimer,
    }),
  );
