import { type Step, step } from "../../../engine/plan.ts";
import { dropRefs, gitFunction } from "../../../host/git.ts";
import { type ReleaseName, upstreamName } from "../../../host/layout.ts";
import { requestFunctions } from "../../../host/request.ts";
import { lines, type Script, sh } from "../../../host/sh.ts";
import type { Site } from "../../../host/site.ts";
import { servedName } from "../../../host/site-names.ts";
import { releaseCheckPath } from "../../../host/site-pages.ts";
import { handedOf } from "./environment.ts";
import { releaseOf, rememberedOf, stopFunction, tornOf, type Work } from "./work.ts";

/**
 * Makes a release of a static or PHP project the live one: every request from now on sees it, whole. What PHP cannot answer
 * with is not made live.
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
      work.project.site.kind.family === "php" && work.release !== "in-place" && tryFirst(work),
      sh`
      if [[ ! -e ${rememberedOf(work)} ]]; then
        former=$(readlink current) || former=-
        echo "$former" > ${tornOf(work)}
        mv -T ${tornOf(work)} ${rememberedOf(work)}
      fi
      ln -sfn releases/${work.release} current.new
      mv -T current.new current`,
    ),
    { phase: "activate", timeoutSeconds: 300, undo: deactivate(work) },
  );

// Through nginx and the workers that will serve it, while visitors still get the former one.
const tryFirst = (work: Work): Script => {
  const name = servedName(work.project.site);
  return lines(
    requestFunctions,
    stopFunction,
    ask(work.project.site),
    takePass(work, work.release),
    isHeld(work),
    sh`
      # Of WordPress, with which anybody becomes its administrator.
      is_installer() { [[ $location =~ /wp-admin/(setup-config|install)\\.php ]]; }
      ask ${releaseCheckPath}
      # A site in maintenance, or published before it could show a candidate: visitors' own way is verified afterwards.
      if [[ $body/ = ${releaseOf(work)}/* ]] && ! is_held; then
        for ((tries = 0; ; tries++)); do
          ask /
          if is_answer; then
            if is_installer && [[ -e current ]]; then
              refused=$location
              take_pass live
              ask /
              if ! is_installer; then
                stop "The new release would show everybody the installer of an application that is installed: it redirects / to $refused. It was not made live. Share or commit the settings that the installer made, such as wp-config.php."
              fi
              status=302
            fi
            echo ${name}" would answer $status with the new release."
            break
          fi
          if ((tries == 20)); then
            if is_locked; then break; fi
            stop "The new release answers \${status:-nothing} to a request for /. It was not made live."
          fi
          sleep 0.05
        done
      fi
      forget`,
  );
};

// Behind a password, 401 may be nginx's: the state of the release is unknown then.
const ask = (site: Site): Script => {
  const name = servedName(site);
  return sh`
    scheme=${site.tls?.names.includes(name) ? "https" : "http"}
    locked=${site.basicAuth === undefined ? "" : "401"}
    ask() { if [[ $scheme = https ]]; then https_get ${name} "$1"; else http_get 80 ${name} "$1"; fi; }
    is_answer() { [[ $status && $status -lt 500 && $status != "$locked" ]]; }
    is_locked() {
      [[ $status && $status = "$locked" ]] || return 1
      echo ${name}" asks for its password here, too: it was not seen what the new release answers."
    }`;
};

// The page is the load balancer's where there is one: its flag is there.
const isHeld = ({ layout, project }: Work): Script =>
  project.isHeldBefore ? sh`is_held() { true; }` : sh`is_held() { [[ -e ${layout.maintenanceFlag} ]]; }`;

/**
 * Has nginx answer these requests, and no others, as it does without a password, and with a release that is not live yet when
 * the pass is for one (host/site.ts). A step that is killed leaves it: the next one takes it away.
 */
const takePass = ({ layout }: Work, pass: ReleaseName | "live"): Script => sh`
  forget() { rm -f -- ${layout.state}/candidate-*; }
  trap forget EXIT
  take_pass() { # RELEASE
    forget
    candidate=$1-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \\n')
    touch ${layout.state}/candidate-"$candidate"
  }
  take_pass ${pass}`;

const deactivate = (work: Work): Script => sh`
  cd -- ${work.layout.directory}
  rm -f -- ${tornOf(work)} ${work.layout.state}/candidate-*
  if [[ ! -e ${rememberedOf(work)} ]]; then exit 0; fi
  read -r former < ${rememberedOf(work)}
  if [[ $former = - ]]; then
    rm -f current
  else
    ln -sfn "$former" current.new
    mv -T current.new current
  fi
  rm -f current.new ${rememberedOf(work)}`;

/** Asks nginx itself, as a visitor would: only what it answers with the new release counts as a success. */
export const verifyServed = (work: Work): Step => {
  const { site } = work.project;
  const name = servedName(site);
  return step(
    "verify-served",
    "Verify that it is served",
    lines(
      requestFunctions,
      stopFunction,
      expected(work),
      ask(site),
      site.basicAuth !== undefined && takePass(work, "live"),
      isHeld(work),
      sh`
        # A web server that was reloaded a moment ago may answer as before for an instant.
        for ((tries = 0; ; tries++)); do
          ask ${releaseCheckPath}
          [[ $body/ != "$expected"/* ]] || break
          # The site's certificate may come or go meanwhile.
          if [[ $scheme$status = http301 ]]; then scheme=https; elif [[ $scheme$status = https ]]; then scheme=http; fi
          if ((tries == 100)); then
            stop "The web server does not serve the new release: it answered \${status:-nothing}, \${body:-without content}."
          fi
          sleep 0.03
        done
        # A visitor would get the maintenance page.
        if is_held; then echo "The site is in maintenance; the release is in place."; exit; fi
        for ((tries = 0; ; tries++)); do
          ask /
          if is_answer; then break; fi
          if ((tries == 20)); then
            if is_locked; then exit; fi
            stop "The new release answers \${status:-nothing} to a request for /."
          fi
          sleep 0.05
        done
        echo ${name}" answers $status with the new release."`,
    ),
    { phase: "activate", timeoutSeconds: 300 },
  );
};

// The path of the release as nginx resolves it, or the name of the upstream.
const expected = (work: Work): Script => {
  if (!work.ports) return sh`expected=${`${releaseOf(work)}`}`;
  const [first, second] = work.ports;
  return sh`
    expected=${upstreamName(work.layout, first)}
    if [[ -e ${work.layout.secondPortFlag} ]]; then expected=${upstreamName(work.layout, second)}; fi`;
};

/** Removes what is older than the releases to keep, with its commit and environment. A failure here does no harm. */
export const pruneReleases = (work: Work): Step => {
  const { layout, settings } = work;
  return step(
    "prune-releases",
    "Remove old releases",
    lines(
      gitFunction(layout),
      dropRefs(layout),
      sh`
        cd -- ${layout.releases}
        rm -rf -- ${[rememberedOf(work), handedOf(work)]} ${[`${layout.environments}/${work.release}/former`, `${layout.environments}/${work.release}/new`]}
        shopt -s nullglob
        names=(*)
        if ((\${#names[@]} <= ${settings.keptReleases})); then exit 0; fi
        live=$(readlink ${layout.current})
        used=" \${live##*/} "
        for slot in ${layout.slots}/*; do
          release=$(readlink -- "$slot")
          used+="\${release##*/} "
        done
        kept=1
        mapfile -t names < <(printf '%s\\n' "\${names[@]}" | sort -rn)
        for name in "\${names[@]}"; do
          if [[ $used == *" $name "* ]]; then continue; fi
          if [[ $name =~ ^[0-9]+$ ]] && ((kept < ${settings.keptReleases})); then
            ((kept += 1))
            continue
          fi
          rm -rf -- "./$name" ${layout.environments}/"$name"
          drop_refs "$name" || true
          echo "Removed the release $name."
        done
        as_git -c gc.autoDetach=false gc --auto --quiet`,
    ),
    { phase: "finish", onFailure: "continue", timeoutSeconds: 600 },
  );
};
