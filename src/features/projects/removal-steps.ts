import { type Step, step } from "../../engine/plan.ts";
import { removeReports } from "../../host/jobs/job-reports.ts";
import { type ProjectLayout, unitPrefix } from "../../host/layout.ts";
import { awaitAnswers, busyFunction } from "../../host/network/busy.ts";
import { releasePorts } from "../../host/network/ports.ts";
import { drainingFlag } from "../../host/nginx/balancer.ts";
import { lines, sh } from "../../host/sh.ts";

// The steps that remove a project from its server. Each can be repeated.

const lastRequestsSeconds = 30;

export const awaitRuns = (runs: readonly number[]): Step =>
  step(
    "await-runs",
    "Wait for deployments under way",
    sh`
      for run in ${runs}; do
        while systemctl is-active --quiet "longshore-run-$run"; do sleep 0.2; done
      done`,
    { phase: "remove", onFailure: "continue" },
  );

// Waits for requests that the load balancer sent before it removed the server. New ones are rejected, and sent to another server.
export const finishRequests = (layout: ProjectLayout): Step =>
  step(
    "finish-requests",
    "Let requests under way finish",
    lines(
      sh`
        if [[ ! -d ${layout.state} ]]; then exit; fi
        : > ${drainingFlag(layout)}`,
      busyFunction(layout),
      awaitAnswers(lastRequestsSeconds),
    ),
    { phase: "remove", onFailure: "continue", timeoutSeconds: lastRequestsSeconds + 60 },
  );

export const stopProcesses = (layout: ProjectLayout): Step =>
  step(
    "stop-processes",
    "Stop the project's processes",
    lines(
      sh`
        rm -f -- ${[layout.crontab, `${layout.crontab}.stopped`]}
        # First the socket, which would start PHP again. A background job may wait for a while for what it works on.
        systemctl stop ${layout.phpSocketUnit} 2> /dev/null || true
        systemctl stop ${[`${unitPrefix(layout)}*.service`, `longshore-project-${layout.id}-*.service`]} || true
        shopt -s nullglob
        links=(${layout.unitWants}/${unitPrefix(layout)}*.service ${layout.unitWants}/longshore-project-${layout.id}-*)
        units=(${layout.unitTemplate}* ${layout.units}/longshore-project-${layout.id}-*)
        if ((\${#links[@]} + \${#units[@]})); then rm -rf -- "\${links[@]}" "\${units[@]}"; systemctl daemon-reload; fi
        # systemd remembers a unit that failed, such as one whose start a reboot interrupted, also without its file.
        systemctl reset-failed ${[`${unitPrefix(layout)}*`, `longshore-project-${layout.id}-*`]} 2> /dev/null || true
        rm -f -- ${layout.phpSocket}`,
      removeReports(layout),
      endProcessesOf(layout),
      removeTracesOf(layout),
      releasePorts(layout),
    ),
    { phase: "remove" },
  );

// Processes outside of the project's units, such as those started by hand, and children that they start while they are being
// killed.
const endProcessesOf = ({ user, gitUser }: ProjectLayout) => sh`
  for user in ${[user, gitUser]}; do
    getent passwd "$user" > /dev/null || continue
    for ((tries = 0; tries < 250; tries++)); do
      pkill -KILL -u "$user" || break
      sleep 0.02
    done
  done`;

// Everything outside of the project's directory that outlives a user's processes: files in world-writable directories, kernel
// objects, and entries that would start something as the user.
const removeTracesOf = ({ uid, user, gitUser }: ProjectLayout) => sh`
  rm -f -- /var/spool/cron/crontabs/${user} /var/lib/systemd/linger/${user} /var/mail/${user}
  for id in ${[uid, uid + 1]} $(id -u ${user} 2> /dev/null) $(id -u ${gitUser} 2> /dev/null); do
    for directory in /tmp /var/tmp /dev/shm /dev/mqueue /run/lock /var/crash /var/spool/cron /var/lib/php/sessions; do
      [[ ! -d $directory ]] || find "$directory" -xdev -mindepth 1 -uid "$id" -delete 2> /dev/null || true
    done
    # Shared memory, queues and semaphores, by the column that holds their owner.
    for kind in 'm shm 8' 'q msg 8' 's sem 5'; do
      read -r option file column <<< "$kind"
      awk -v id="$id" -v column="$column" 'NR > 1 && $column == id { print $2 }' "/proc/sysvipc/$file" |
        xargs --no-run-if-empty --max-args=1 ipcrm "-$option" || true
    done
  done`;

export const removeFiles = (layout: ProjectLayout): Step =>
  step(
    "remove-files",
    "Remove the project's files, certificates and user",
    sh`
      rm -rf -- ${[layout.directory, layout.certificates]}
      gpasswd --delete www-data ${layout.user} > /dev/null 2>&1 || true
      for user in ${[layout.gitUser, layout.user]}; do
        if getent passwd "$user" > /dev/null; then userdel "$user"; fi
      done
      if getent group ${layout.user} > /dev/null; then groupdel ${layout.user}; fi`,
    { phase: "remove" },
  );
