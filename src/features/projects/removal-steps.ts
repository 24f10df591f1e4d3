import { type Step, step } from "../../engine/runs/plan.ts";
import { removeReports } from "../../host/jobs/job-reports.ts";
import { type ProjectLayout, unitPrefix } from "../../host/layout.ts";
import { awaitAnswers } from "../../host/network/busy.ts";
import { releasePorts } from "../../host/network/ports.ts";
import { drainingFlag } from "../../host/nginx/balancer.ts";
import { reloadFunctions } from "../../host/nginx/reload.ts";
import { oneAtATime } from "../../host/runner/lock.ts";
import { withPrelude } from "../../host/runner/prelude.ts";
import { scriptsBeside } from "../../host/script-file.ts";
import { lines, type Script, sh } from "../../host/sh.ts";

const script = scriptsBeside(import.meta.url);

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
      awaitAnswers(layout, lastRequestsSeconds),
    ),
    { phase: "remove", onFailure: "continue", timeoutSeconds: lastRequestsSeconds + 60 },
  );

/** Removes the site from the server. */
export const removeSite = (layout: ProjectLayout): Step =>
  step(
    "remove-site",
    "Remove the site",
    withPrelude(
      "The site could not be removed from the server.",
      lines(
        reloadFunctions,
        oneAtATime,
        sh`
          if [[ -e ${layout.siteEnabled} || -L ${layout.siteEnabled} || -e ${layout.siteAvailable} ]]; then
            rm -f -- ${layout.siteEnabled} ${layout.siteAvailable} ${layout.siteAvailable}.*
            # Also when another site keeps nginx from reloading: what is left is removed with its next one.
            if ! reload_nginx ${layout.nginxPid}; then echo "$answer"; fi
          fi`,
      ),
    ),
    { phase: "remove" },
  );

export const stopProcesses = (layout: ProjectLayout): Step =>
  step(
    "stop-processes",
    "Stop the project's processes",
    lines(
      script("stop-processes.sh", {
        php_socket_unit: layout.phpSocketUnit,
        unit_wants: layout.unitWants,
        unit_prefix: unitPrefix(layout),
        unit_template: layout.unitTemplate,
        php_socket: layout.phpSocket,
        crontab: layout.crontab,
        job_prefix: `longshore-project-${layout.id}-`,
        unit_files: layout.units,
      }),
      removeReports(layout),
      // Processes outside of the project's units, such as those started by hand, and children that they start while they are
      // being killed.
      script("end-user-processes.sh", { users: [layout.user, layout.gitUser] }),
      // Everything outside of the project's directory that outlives a user's processes: files in world-writable directories,
      // kernel objects, and entries that would start something as the user.
      script("remove-traces.sh", { user: layout.user, git_user: layout.gitUser, uid: layout.uid }),
      releasePorts(layout),
    ),
    { phase: "remove" },
  );

export const removeFiles = (layout: ProjectLayout): Step =>
  step(
    "remove-files",
    "Remove the project's files, certificates and user",
    lines(removeHome(layout), sh`rm -rf -- ${layout.certificates} ${layout.mark}`),
    { phase: "remove" },
  );

/** The same without what a site that forwards visitors needs: the certificates, and the claim of the project's number. */
export const removeAllButCertificates = (layout: ProjectLayout): Step =>
  step("remove-files", "Remove the project's files and user", removeHome(layout), { phase: "remove" });

const removeHome = (layout: ProjectLayout): Script => sh`
  rm -rf -- ${layout.directory}
  gpasswd --delete www-data ${layout.user} > /dev/null 2>&1 || true
  for user in ${[layout.gitUser, layout.user]}; do
    if getent passwd "$user" > /dev/null; then userdel "$user"; fi
  done
  if getent group ${layout.user} > /dev/null; then groupdel ${layout.user}; fi`;
