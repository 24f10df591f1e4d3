import { type Step, step } from "../../../engine/runs/plan.ts";
import { dropRefs, gitFunction } from "../../../host/git/git.ts";
import { type ReleaseName, upstreamName } from "../../../host/layout.ts";
import { requestFunctions } from "../../../host/network/request.ts";
import { formerReleases } from "../../../host/nginx/files.ts";
import { servedName } from "../../../host/nginx/names.ts";
import { releaseCheckPath } from "../../../host/nginx/well-known.ts";
import { nodeLinks, removeUnusedNodes } from "../../../host/node/release-node.ts";
import { scriptsBeside } from "../../../host/script-file.ts";
import { lines, type Script, sh } from "../../../host/sh.ts";
import { phpUnits } from "../../../host/systemd/project-log.ts";
import { journalNamespace } from "../../../host/systemd/unit.ts";
import { diskFacts, diskFunctions } from "./disk.ts";
import { environmentStatePath } from "./environment.ts";
import { installerFunctions } from "./installer.ts";
import {
  environmentOf,
  expectation,
  expectedStatusHint,
  releaseOf,
  rollbackStatePath,
  stopFunction,
  type Work,
} from "./work.ts";

const script = scriptsBeside(import.meta.url);

/**
 * Activates a release of a static or PHP project, atomically for each request. A release that PHP cannot serve is not made live, nor
 * is one that opens the installer of an application again.
 */
export const activate = (work: Work): Step =>
  step(
    "activate",
    "Activate the release",
    lines(
      sh`
      cd -- ${work.layout.directory}
      if [[ ! -d ${releaseOf(work)} ]]; then
        echo "The release is no longer on the server. Deploy its commit again." >&2
        exit 1
      fi`,
      work.release !== "in-place" && (work.project.site.kind.family === "php" ? tryFirst(work) : watchInstaller(work)),
      sh`
      if [[ ! -e ${rollbackStatePath(work)} ]]; then
        former=$(readlink current) || former=-
        echo "$former" > ${newStatePath(work)}
        mv -T ${newStatePath(work)} ${rollbackStatePath(work)}
      fi
      ln -sfn releases/${work.release} current.new
      mv -T current.new current`,
      work.release !== "in-place" && work.project.site.kind.family === "static" && sh`compare_installers`,
    ),
    {
      phase: "activate",
      timeoutSeconds: 300,
      undo: script("deactivate.sh", {
        project_directory: work.layout.directory,
        state: work.layout.state,
        rollback_state: rollbackStatePath(work),
      }),
    },
  );

// Renamed when it is complete: on a full disk the state itself must not be incomplete.
const newStatePath = (work: Work): string => `${rollbackStatePath(work)}.new`;

// Through nginx and the workers that will serve it, while visitors still get the former release.
const tryFirst = (work: Work): Script =>
  lines(
    requestFunctions,
    stopFunction,
    ask(work),
    reasonFunction(work),
    installerFunctions(work),
    takePass(work, work.release),
    isHeld(work),
    script("try-candidate.sh", {
      check_path: releaseCheckPath,
      release_directory: releaseOf(work),
      health_path: work.settings.healthPath,
      server_name: servedName(work.project.site),
      expected_status_hint: expectedStatusHint(work),
    }),
  );

// nginx shows no candidate of a site of files: its answers before and after are compared, and the undo puts the former back.
const watchInstaller = (work: Work): Script =>
  lines(
    requestFunctions,
    stopFunction,
    ask(work),
    installerFunctions(work),
    takePass(work, "live"),
    isHeld(work),
    script("compare-installers.sh"),
  );

// Behind a password, 401 may come from nginx: then the state of the release is unknown.
const ask = (work: Work): Script => {
  const { site } = work.project;
  const name = servedName(site);
  return lines(
    expectation(work),
    script("ask.sh", {
      server_name: name,
      scheme: site.tls?.names.includes(name) ? "https" : "http",
      locked: site.basicAuth === undefined ? "" : "401",
    }),
  );
};

/**
 * `reason` prints the last error that PHP logged since the step began, as a further sentence; nothing if PHP did not fail. The
 * same workers serve the live release, so only an error that names a file of the new one counts.
 */
const reasonFunction = (work: Work): Script =>
  work.project.framework.runtimeFamily === "php"
    ? script("php-reason.sh", {
        journal: journalNamespace,
        php_units: phpUnits(work.layout),
        release_directory: releaseOf(work),
      })
    : sh`reason() { :; }`;

// With a load balancer, the page and its flag are there.
const isHeld = ({ layout, project }: Work): Script =>
  project.isHeldBefore ? sh`is_held() { true; }` : sh`is_held() { [[ -e ${layout.maintenanceFlag} ]]; }`;

/**
 * Makes nginx answer only these requests with what is live, without asking for a password, and from a release that is not live
 * yet if the pass is for one (host/nginx/site.ts). A killed step leaves the pass behind; the next one removes it.
 */
const takePass = ({ layout }: Work, pass: ReleaseName | "live"): Script =>
  script("take-pass.sh", { state: layout.state, pass });

/** Sends a request to nginx as a visitor would: only a response from the new release is a success. */
export const verifyServed = (work: Work): Step => {
  const { site } = work.project;
  const { healthPath, healthStatuses } = work.settings;
  const name = servedName(site);
  return step(
    "verify-served",
    "Verify that it is served",
    lines(
      requestFunctions,
      stopFunction,
      // The path of the release as nginx resolves it, or the name of the upstream.
      work.ports
        ? sh`
          expected=${upstreamName(work.layout, work.ports[0])}
          if [[ -e ${work.layout.secondPortFlag} ]]; then expected=${upstreamName(work.layout, work.ports[1])}; fi`
        : sh`expected=${releaseOf(work)}`,
      ask(work),
      reasonFunction(work),
      takePass(work, "live"),
      isHeld(work),
      script("verify-served.sh", {
        check_path: releaseCheckPath,
        health_path: healthPath,
        server_name: name,
        expected_status_hint: expectedStatusHint(work),
      }),
      // Without a setting any status below 500 is a success, but visitors may see an error page with this one.
      healthStatuses.length === 0 &&
        sh`if ((status >= 400)); then printf 'client_error %s\\n' "$status" >> "$LONGSHORE_FACTS"; fi`,
    ),
    { phase: "activate", timeoutSeconds: 300, facts: { client_error: "number" } },
  );
};

/**
 * Removes releases beyond the number to keep or beyond their disk space, with commit and environment, and measures the remaining
 * ones. A failure here is harmless.
 */
export const pruneReleases = (work: Work): Step => {
  const { layout, settings, formerRelease } = work;
  const environment = environmentOf(work);
  return step(
    "prune-releases",
    "Remove old releases",
    lines(
      gitFunction(layout),
      dropRefs(layout),
      diskFunctions(layout),
      removeUnusedNodes(layout),
      work.ports ? sh`link_former() { :; }` : linkFormer(work),
      script("prune-releases.sh", {
        releases_directory: layout.releases,
        live_link: layout.current,
        slots: layout.slots,
        former_release: formerRelease ?? "",
        environments: layout.environments,
        node_links: nodeLinks(layout),
        leftovers: [rollbackStatePath(work), environmentStatePath(work), `${environment}/former`, `${environment}/new`],
        kept_releases: settings.keptReleases,
        kept_bytes: settings.keptReleasesMb * 2 ** 20,
      }),
    ),
    { phase: "finish", onFailure: "continue", timeoutSeconds: 600, facts: diskFacts },
  );
};

/**
 * Links the kept releases in `former`, including the live one, which becomes a former one the moment the next is live. The links
 * belong to the project's user, in a directory of root: nginx follows links to files of the same owner, and the project cannot
 * change them. Root does not follow them.
 */
const linkFormer = ({ layout, settings }: Work): Script =>
  script("link-former.sh", {
    former_links: layout.former,
    user: layout.user,
    most_former: Math.min(settings.keptReleases, formerReleases),
    former_places: formerReleases,
  });
