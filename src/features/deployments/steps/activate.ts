import { type Step, step } from "../../../engine/runs/plan.ts";
import { asGit } from "../../../host/git/git.ts";
import { type ReleaseName, upstreamName } from "../../../host/layout.ts";
import { formerReleases } from "../../../host/nginx/files.ts";
import { servedName } from "../../../host/nginx/names.ts";
import { releaseCheckPath } from "../../../host/nginx/well-known.ts";
import { nodeLinks, nodeRemoval } from "../../../host/node/release-node.ts";
import { scriptsBeside, setBefore } from "../../../host/script-file.ts";
import { lines, type Script, sh } from "../../../host/sh.ts";
import { phpUnits } from "../../../host/systemd/project-log.ts";
import { journalNamespace } from "../../../host/systemd/unit.ts";
import { diskFacts, measuring } from "./disk.ts";
import { environmentStatePath } from "./environment.ts";
import { installer } from "./installer.ts";
import { environmentOf, expectation, expectedStatusHint, releaseOf, rollbackStatePath, type Work } from "./work.ts";

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
  script("try-candidate.sh", {
    ...asking(work),
    ...reason(work),
    ...installer(work),
    ...pass(work, work.release),
    check_path: releaseCheckPath,
    expected_status_hint: expectedStatusHint(work),
  });

// nginx shows no candidate of a site of files: its answers before and after are compared, and the undo puts the former back.
const watchInstaller = (work: Work): Script =>
  script("compare-installers.sh", { ...asking(work), ...installer(work), ...pass(work, "live") });

// Behind a password, 401 may come from nginx: then the state of the release is unknown.
const asking = (work: Work) => {
  const { site } = work.project;
  const name = servedName(site);
  return {
    ...expectation(work),
    server_name: name,
    scheme: site.tls?.names.includes(name) ? "https" : "http",
    locked: site.basicAuth === undefined ? "" : "401",
  };
};

/**
 * `reason` prints the last error that PHP logged since the step began, as a further sentence; nothing if PHP did not fail. The
 * same workers serve the live release, so only an error that names a file of the new one counts.
 */
const reason = (work: Work) => ({
  journal: journalNamespace,
  php_units: work.project.framework.runtimeFamily === "php" ? phpUnits(work.layout) : "",
  release_directory: releaseOf(work),
});

/**
 * Makes nginx answer only these requests with what is live, without asking for a password, and from a release that is not live
 * yet if the pass is for one (host/nginx/site.ts). A killed step leaves the pass behind; the next one removes it.
 */
const pass = ({ layout, project }: Work, pass: ReleaseName | "live") => ({
  state: layout.state,
  pass,
  // With a load balancer, the page and its flag are there.
  held_flag: project.isHeldBefore ? "" : layout.maintenanceFlag,
});

/** Sends a request to nginx as a visitor would: only a response from the new release is a success. */
export const verifyServed = (work: Work): Step => {
  const { healthPath, healthStatuses } = work.settings;
  return step(
    "verify-served",
    "Verify that it is served",
    lines(
      // The path of the release as nginx resolves it, or the name of the upstream.
      work.ports
        ? sh`
          expected=${upstreamName(work.layout, work.ports[0])}
          if [[ -e ${work.layout.secondPortFlag} ]]; then expected=${upstreamName(work.layout, work.ports[1])}; fi`
        : sh`expected=${releaseOf(work)}`,
      script("verify-served.sh", {
        ...asking(work),
        ...reason(work),
        ...pass(work, "live"),
        expected: setBefore,
        check_path: releaseCheckPath,
        health_path: healthPath,
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
    script("prune-releases.sh", {
      ...asGit(layout),
      ...measuring(layout),
      ...nodeRemoval(layout),
      ...formerLinks(work),
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
    { phase: "finish", onFailure: "continue", timeoutSeconds: 600, facts: diskFacts },
  );
};

/**
 * Links the kept releases in `former`, including the live one, which becomes a former one the moment the next is live. The links
 * belong to the project's user, in a directory of root: nginx follows links to files of the same owner, and the project cannot
 * change them. Root does not follow them.
 */
const formerLinks = ({ layout, settings, ports }: Work) => ({
  former_links: ports ? "" : layout.former,
  user: layout.user,
  most_former: Math.min(settings.keptReleases, formerReleases),
  former_places: formerReleases,
});
