import { hash } from "node:crypto";
import { dirname } from "node:path";
import { fromTheStart, type Plan, plan, type Step, step } from "../../engine/plan.ts";
import { drainingFlag, manyConnections } from "../../host/balance.ts";
import { healthFile, healthPaths, healthScript, healthUnit } from "../../host/balance-health.ts";
import { awaitAnswers, busyFunction } from "../../host/busy.ts";
import { jobUnits, type ProjectLayout, unitPrefix } from "../../host/layout.ts";
import { oneAtATime } from "../../host/lock.ts";
import { installMarkdown } from "../../host/markdown.ts";
import { phpPool } from "../../host/pool.ts";
import { withPrelude } from "../../host/prelude.ts";
import { lines, sh } from "../../host/sh.ts";
import type { Site } from "../../host/site.ts";
import { nodeUnit } from "../../host/unit.ts";
import { remembering } from "../../lib/remember.ts";
import type { Framework } from "./frameworks.ts";
import { prepare, publishSite, removeSite } from "./site-step.ts";

/** What plans need to know of a project; made from its rows. Texts were validated where they came in: `domainName`,
 * `parseRepository`, `isBranchName`, `pathInRelease`, `parseEnvironment`. */
export interface ProjectOnServer {
  layout: ProjectLayout;
  framework: Framework;
  /** The web server's side; its `kind` belongs to the framework's family. */
  site: Site;
  /** Working directory inside the repository; empty: its root. */
  directory: string;
  /** Own commands or the framework's defaults; empty: none. `dev` runs a Node project. */
  commands: { install: string; build: string; dev: string; custom: string };
  sharedDirectories: readonly string[];
  sharedFiles: readonly string[];
  /** Whether the run's secrets hold the environment (host/environment.ts, `environmentSecrets`). */
  hasEnvironment: boolean;
  zeroDowntime: boolean;
  /** Whether the load balancer before it shows the maintenance page. */
  isHeldBefore?: boolean | undefined;
  /** Whether a PHP project's frontend is built also when nothing of it has changed. */
  alwaysRebuildFrontend?: boolean | undefined;
  maxMemoryMb?: number | undefined;
}

/** Brings the server to where the project can be deployed. Can be repeated: what is right already stays untouched. */
export const prepareProjectSteps = (project: ProjectOnServer): Step[] => [
  ...stepsBeforeSite(project),
  publishSite(project.site),
];

const stepsBeforeSite = (project: ProjectOnServer): Step[] => [
  createAccount(project.layout),
  createFolders(project.layout),
  createDeployKey(project.layout),
  ...(project.framework.runtimeFamily === "php" ? [writePool(project)] : []),
  ...(project.framework.runtimeFamily === "node" ? [writeUnit(project)] : []),
  ...markdownSteps(project.site),
];

export const prepareProjectPlan = (project: ProjectOnServer): Plan =>
  plan("project-preparation", prepareProjectSteps(project), { pointOfNoReturn: "publish-site" });

export const deployKeyKind = "deploy-key";

/** Makes the project's deploy key and nothing more: what a git host has to know before anything can be fetched from it. */
export const deployKeyPlan = (layout: ProjectLayout): Plan =>
  plan(deployKeyKind, [createAccount(layout), createFolders(layout), createDeployKey(layout)], {
    pointOfNoReturn: "create-deploy-key",
  });

/** Makes the web server follow the project's settings (domains, redirects, TLS); nothing else is touched. */
export const publishSitePlan = (site: Site): Plan =>
  plan("site", [...markdownSteps(site), publishSite(site)], { pointOfNoReturn: fromTheStart });

/** The steps that make a load balancer follow a project. */
export const frontSteps: readonly string[] = ["publish-site", "follow-nodes"];

/** Puts a project's site on its load balancer, and has its nodes looked at. `health` is what is asked of them. */
export const frontPlan = (site: Site, health: string): Plan =>
  plan(
    "front",
    [createAccount(site.layout), createFolders(site.layout), publishSite(site), followNodes(site, health)],
    {
      pointOfNoReturn: fromTheStart,
    },
  );

const followNodes = ({ layout }: Site, health: string): Step =>
  prepare(
    "follow-nodes",
    "Look after the project's servers",
    "The load balancer cannot look after the project's servers.",
    sh`
      put_file ${healthFile(layout)} 0644 ${health}
      put_file ${healthPaths.script} 0755 ${healthScript}
      put_file ${healthPaths.unit} 0644 ${healthUnit()}
      put_file ${manyConnections.file} 0644 ${manyConnections.settings}
      sysctl --quiet --load ${manyConnections.file} ||
        echo "The kernel keeps its own settings for connections: under much load they may run out."
      if [ "$(systemctl show --property=NeedDaemonReload --value ${healthPaths.service})" = yes ]; then systemctl daemon-reload; fi
      apply_changes restart ${healthPaths.service} ${[healthPaths.script, healthPaths.unit]}`,
  );

/** Tells two versions of a step apart: whether the server has what a plan would do. */
export const fingerprint = ({ script }: Pick<Step, "script">): string =>
  hash("sha256", script, "base64url").slice(0, 16);

/** Key of the step that tells the web server of a project. */
export const siteStep = "publish-site";

/** That of the step which does so. To render a site takes longer than all else about a plan, and most stay as they are. */
export const siteFingerprint = remembering(5_000, (site: Site) => fingerprint(publishSite(site)));

/** What each step of a project's preparation comes to, by its key. Asked at each deployment, for what seldom changes. */
export const preparationFingerprints = remembering(
  5_000,
  (project: ProjectOnServer): Readonly<Record<string, string>> => ({
    ...Object.fromEntries(stepsBeforeSite(project).map((each) => [each.key, fingerprint(each)])),
    [siteStep]: siteFingerprint(project.site),
  }),
);

/** The steps of the preparation that would do something else than what the server had last. */
export function outdatedPreparation(project: ProjectOnServer, prepared: Readonly<Record<string, string>>): Step[] {
  const wanted = preparationFingerprints(project);
  const isOutdated = (key: string) => prepared[key] !== wanted[key];
  return Object.keys(wanted).some(isOutdated) ? prepareProjectSteps(project).filter(({ key }) => isOutdated(key)) : [];
}

/** Whether a step of the preparation may change what answers visitors while it runs, rather than what comes next. */
export const changesWhatServes = ({ key }: Step): boolean => key === "write-pool" || key === "publish-site";

/**
 * Maintenance on or off: a flag file, so that no visitor's connection is dropped for it. The fact `maintenance` says what
 * visitors get from then on, `on` or `off`.
 */
export const maintenancePlan = (layout: ProjectLayout, isOn: boolean): Plan =>
  plan(
    "maintenance",
    [
      step(
        "set-maintenance",
        isOn ? "Show the maintenance page" : "Show the site again",
        withPrelude(
          "The maintenance mode could not be changed on the server.",
          lines(
            // Ordered before a move that holds the project now: the page is the move's until it has ended.
            sh`[ ! -e ${layout.held} ] || fail "The project is being moved to another server."`,
            isOn ? sh`: > ${layout.maintenanceFlag}` : sh`rm -f -- ${layout.maintenanceFlag}`,
            sh`fact maintenance ${isOn ? "on" : "off"}`,
          ),
        ),
        { timeoutSeconds: 60, facts: { maintenance: "on-off" } },
      ),
    ],
    { pointOfNoReturn: fromTheStart },
  );

/**
 * Takes everything of a project off its server. Can be repeated; only goes forward. `runs`: runs of the project that
 * were under way when it was deleted, whose end is awaited first. `isReplica`: a load balancer may have sent somebody here.
 */
export const removeProjectPlan = (
  project: Pick<ProjectOnServer, "layout">,
  runs: readonly number[] = [],
  isReplica = false,
): Plan =>
  plan(
    "project-removal",
    [
      runs.length > 0 && awaitRuns(runs),
      isReplica && finishRequests(project.layout),
      removeSite(project.layout),
      stopProcesses(project.layout),
      removeFiles(project),
    ],
    { pointOfNoReturn: fromTheStart },
  );

const lastRequestsSeconds = 30;

const awaitRuns = (runs: readonly number[]): Step =>
  step(
    "await-runs",
    "Wait for deployments under way",
    sh`
      for run in ${runs}; do
        while systemctl is-active --quiet "longshore-run-$run"; do sleep 0.2; done
      done`,
    { phase: "remove", onFailure: "continue" },
  );

// Those that the load balancer had sent before it was told of the server's end. What it sends now it is handed back.
const finishRequests = (layout: ProjectLayout): Step =>
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

const createAccount = ({ user, home }: ProjectLayout): Step =>
  prepare(
    "create-account",
    "Create the project's user",
    "The project's user could not be created.",
    sh`
      if ! getent passwd ${user} > /dev/null; then
        useradd --system --user-group --no-create-home --home-dir ${home} --shell /usr/sbin/nologin ${user}
        echo "Created the user "${user}.
      fi
      # nginx reads what it serves as a member of the project's group.
      if [[ " $(id -nG www-data) " != *" "${user}" "* ]]; then usermod --append --groups ${user} www-data; fi`,
  );

const createFolders = (layout: ProjectLayout): Step =>
  prepare(
    "create-folders",
    "Create the project's folders",
    "The project's folders could not be created.",
    sh`
      umask 022
      mkdir -p -- ${[dirname(layout.directory), layout.acmeChallenges]}
      own=(install -d -o root -g ${layout.user})
      "\${own[@]}" -m 750 ${layout.directory} ${[layout.releases, layout.state, layout.slots, layout.environments, layout.logs]}
      "\${own[@]}" -m 2750 ${layout.mirror}
      give=(install -d -o ${layout.user} -g ${layout.user})
      "\${give[@]}" -m 750 ${[layout.shared, layout.cache]}
      "\${give[@]}" -m 700 ${layout.home} ${[`${layout.home}/tmp`, `${layout.home}/sessions`]}
      # Written by the project's own workers, in a directory where they can make no other file.
      if [ ! -e ${layout.logs}/php.log ]; then
        install -m 640 -o ${layout.user} -g ${layout.user} /dev/null ${layout.logs}/php.log
      fi`,
  );

// The private half never leaves the server, unless a move takes it to another one; root alone reads it, so no build of the project does. The fact `deploy_key` is
// the public half. Written under another name first: a key that was cut off is none. Two runs at once make one.
const createDeployKey = ({ id, deployKey }: ProjectLayout): Step => ({
  ...prepare(
    "create-deploy-key",
    "Create the project's deploy key",
    "The project's deploy key could not be created.",
    sh`
      exec 9> ${deployKey}.lock
      flock 9
      if [ ! -s ${deployKey} ] || [ ! -s ${deployKey}.pub ]; then
        rm -f -- ${deployKey}.new ${deployKey}.new.pub
        ssh-keygen -q -t ed25519 -N '' -C ${`longshore-project-${id}`} -f ${deployKey}.new
        mv -T -- ${deployKey}.new.pub ${deployKey}.pub
        mv -T -- ${deployKey}.new ${deployKey}
        echo "Created the project's deploy key."
      fi
      fact deploy_key "$(cat ${deployKey}.pub)"`,
  ),
  facts: { deploy_key: "public-key" },
});

// PHP-FPM of the distribution's version; a pool left in another version's folder would take the socket.
const writePool = ({ layout, maxMemoryMb }: ProjectOnServer): Step =>
  prepare(
    "write-pool",
    "Set up the project's PHP workers",
    "PHP-FPM could not be set up for the project.",
    sh`
      version=$(php_version)
      [ -n "$version" ] || fail "PHP-FPM is not installed on this server."
      ${oneAtATime}
      pools=${layout.phpVersions}/$version/fpm/pool.d pool=${layout.phpPoolFile}
      former=$(cat "$pools/$pool" 2> /dev/null || true)
      put_file "$pools/$pool" 0644 ${phpPool({ layout, maxMemoryMb })}
      if ! answer=$("php-fpm$version" -t 2>&1); then
        if [ -n "$former" ]; then printf '%s\\n' "$former" > "$pools/$pool"; else rm -- "$pools/$pool"; fi
        printf '%s\\n' "$answer"
        fail "PHP-FPM rejects the settings of the project's workers; the former ones were put back."
      fi
      for other in ${layout.phpVersions}/*/fpm/pool.d; do
        [ "$other" = "$pools" ] || rm -f -- "$other/$pool"
      done
      if [ ! -S ${layout.phpSocket} ] || [ "$former" != "$(cat "$pools/$pool")" ]; then
        systemctl reload-or-restart "php$version-fpm.service"
      fi
      for ((tries = 0; tries < 250; tries++)); do
        if [ -S ${layout.phpSocket} ]; then exit; fi
        sleep 0.02
      done
      fail "PHP-FPM was told of the project, but did not start to listen for it."`,
  );

const writeUnit = ({ layout, maxMemoryMb }: ProjectOnServer): Step =>
  prepare(
    "write-unit",
    "Set up the project's process",
    "systemd could not be told of the project's process.",
    sh`
      wrote=$(put_file ${layout.unitTemplate} 0644 ${nodeUnit({ layout, maxMemoryMb })})
      if [ -n "$wrote" ]; then
        echo "$wrote"
        systemctl daemon-reload
      fi`,
  );

const markdownSteps = (site: Site): Step[] => (site.markdownNegotiation ? [setUpMarkdown] : []);

// Visitors get HTML where the converter is not there.
const setUpMarkdown: Step = {
  ...prepare("set-up-markdown", "Set up pages as Markdown", "Pages cannot be turned into Markdown.", installMarkdown),
  onFailure: "continue",
};

const stopProcesses = (layout: ProjectLayout): Step =>
  step(
    "stop-processes",
    "Stop the project's processes",
    sh`
      rm -f -- ${[layout.crontab, `${layout.crontab}.stopped`]}
      # A background job may wait for a while for what it works on.
      systemctl stop ${[`${unitPrefix(layout)}*.service`, `longshore-project-${layout.id}-*.service`]} || true
      rm -f -- ${layout.unitWants}/${unitPrefix(layout)}*.service ${layout.unitWants}/${jobUnits(layout)}*.service
      shopt -s nullglob
      templates=(${layout.unitTemplate}* ${layout.units}/${jobUnits(layout)}*@.service)
      if ((\${#templates[@]})); then rm -- "\${templates[@]}"; systemctl daemon-reload; fi
      ${oneAtATime}
      for pool in ${layout.phpVersions}/*/fpm/pool.d/${layout.phpPoolFile}; do
        [[ -e $pool ]] || continue
        rm -- "$pool"
        version=\${pool#${layout.phpVersions}/}
        systemctl reload-or-restart "php\${version%%/*}-fpm.service"
      done
      # Of two reloads at once, PHP-FPM may leave it.
      rm -f -- ${layout.phpSocket}
      if getent passwd ${layout.user} > /dev/null; then pkill -KILL -u ${layout.user} || true; fi`,
    { phase: "remove" },
  );

const removeFiles = ({ layout }: Pick<ProjectOnServer, "layout">): Step =>
  step(
    "remove-files",
    "Remove the project's files, certificates and user",
    sh`
      rm -rf -- ${[layout.directory, layout.certificates]}
      gpasswd --delete www-data ${layout.user} > /dev/null 2>&1 || true
      if getent passwd ${layout.user} > /dev/null; then userdel ${layout.user}; fi
      if getent group ${layout.user} > /dev/null; then groupdel ${layout.user}; fi`,
    { phase: "remove" },
  );
