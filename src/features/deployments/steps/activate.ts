import { type Step, step } from "../../../engine/plan.ts";
import { dropRefs, gitFunction } from "../../../host/git/git.ts";
import { type ReleaseName, upstreamName } from "../../../host/layout.ts";
import { requestFunctions } from "../../../host/network/request.ts";
import { formerReleases } from "../../../host/nginx/files.ts";
import { servedName } from "../../../host/nginx/names.ts";
import { releaseCheckPath } from "../../../host/nginx/well-known.ts";
import { nodeLinks, removeUnusedNodes } from "../../../host/node/release-node.ts";
import { lines, type Script, sh } from "../../../host/sh.ts";
import { phpUnits } from "../../../host/systemd/project-log.ts";
import { journalNamespace } from "../../../host/systemd/unit.ts";
import { diskFacts, diskFunctions } from "./disk.ts";
import { handedOf } from "./environment.ts";
import { expectation, insteadOf, releaseOf, rememberedOf, stopFunction, tornOf, type Work } from "./work.ts";

/**
 * Activates a release of a static or PHP project, atomically for each request. A release that PHP cannot serve is not made live.
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

// Through nginx and the workers that will serve it, while visitors still get the former release.
const tryFirst = (work: Work): Script => {
  const { healthPath } = work.settings;
  const name = servedName(work.project.site);
  return lines(
    requestFunctions,
    stopFunction,
    ask(work),
    reasonFunction(work),
    takePass(work, work.release),
    isHeld(work),
    sh`
      # Of WordPress, at the front page, with which anybody becomes its administrator.
      ${healthPath === "/" ? sh`ask_front() { :; }` : sh`ask_front() { ask /; }`}
      is_installer() { [[ $location =~ /wp-admin/(setup-config|install)\\.php ]]; }
      ask ${releaseCheckPath}
      # A site in maintenance, or published before it could show a candidate: visitors' own way is verified afterwards.
      if [[ $body/ = ${releaseOf(work)}/* ]] && ! is_held; then
        for ((tries = 0; ; tries++)); do
          ask ${healthPath}
          if is_answer; then
            answered=$status
            ask_front
            if is_installer && [[ -e current ]]; then
              refused=$location
              take_pass live
              ask /
              if ! is_installer; then
                stop "The new release would show everybody the installer of an application that is installed: it redirects / to $refused. It was not made live. Share or commit the settings that the installer made, such as wp-config.php."
              fi
              answered=302
            fi
            echo ${name}" would answer $answered with the new release."
            break
          fi
          if ((tries == 20)); then
            if is_locked; then break; fi
            stop "The new release answers \${status:-nothing} to a request for "${healthPath}${insteadOf(work)}". It was not made live.$(reason)"
          fi
          sleep 0.05
        done
      fi
      forget`,
  );
};

// Behind a password, 401 may come from nginx: then the state of the release is unknown.
const ask = (work: Work): Script => {
  const { site } = work.project;
  const name = servedName(site);
  return lines(
    expectation(work),
    sh`
      scheme=${site.tls?.names.includes(name) ? "https" : "http"}
      locked=${site.basicAuth === undefined ? "" : "401"}
      ask() { if [[ $scheme = https ]]; then https_get ${name} "$1"; else http_get 80 ${name} "$1"; fi; }
      is_answer() { is_expected && [[ $status != "$locked" ]]; }
      is_locked() {
        [[ $status && $status = "$locked" ]] || return 1
        echo ${name}" asks for its password here, too: it was not seen what the new release answers."
      }`,
  );
};

/**
 * `reason` prints the last error that PHP logged since the step began, as a further sentence; nothing if PHP did not fail. The
 * same workers serve the live release, so only an error that names a file of the new one counts.
 */
const reasonFunction = (work: Work): Script =>
  work.project.framework.runtimeFamily === "php"
    ? sh`
      began=$(date +%s)
      reason() {
        local message
        ((\${status:-0} >= 500)) || return 0
        journalctl ${`--namespace=${journalNamespace}`} --sync 2> /dev/null || true
        message=$(
          journalctl ${`--namespace=${journalNamespace}`} --quiet --no-pager --output=cat --lines=20000 --since="@$began" \\
            ${`--unit=${phpUnits(work.layout)}`} 2> /dev/null |
            sed -n 's/.*PHP message: //p' | grep -aF ${`${releaseOf(work)}/`} | tail -n 1 | cut -c 1-500
        ) || true
        echo "\${message:+ $message}"
      }`
    : sh`reason() { :; }`;

// With a load balancer, the page and its flag are there.
const isHeld = ({ layout, project }: Work): Script =>
  project.isHeldBefore ? sh`is_held() { true; }` : sh`is_held() { [[ -e ${layout.maintenanceFlag} ]]; }`;

/**
 * Makes nginx answer only these requests without asking for a password, and from a release that is not live yet if the pass is
 * for one (host/nginx/site.ts). A killed step leaves the pass behind; the next one removes it.
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
      expected(work),
      ask(work),
      reasonFunction(work),
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
          ask ${healthPath}
          if is_answer; then break; fi
          if ((tries == 20)); then
            if is_locked; then exit; fi
            stop "The new release answers \${status:-nothing} to a request for "${healthPath}${insteadOf(work)}".$(reason)"
          fi
          sleep 0.05
        done
        echo ${name}" answers $status with the new release."`,
      // Without a setting any status below 500 is a success, but visitors may see an error page with this one.
      healthStatuses.length === 0 &&
        sh`if ((status >= 400)); then printf 'client_error %s\\n' "$status" >> "$LONGSHORE_FACTS"; fi`,
    ),
    { phase: "activate", timeoutSeconds: 300, facts: { client_error: "number" } },
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

/**
 * Removes releases beyond the number to keep or beyond their disk space, with commit and environment, and measures the remaining
 * ones. A failure here is harmless.
 */
export const pruneReleases = (work: Work): Step => {
  const { layout, settings, formerRelease } = work;
  return step(
    "prune-releases",
    "Remove old releases",
    lines(
      gitFunction(layout),
      dropRefs(layout),
      diskFunctions(layout),
      removeUnusedNodes(layout),
      sh`
        cd -- ${layout.releases}
        ${work.ports ? sh`link_former() { :; }` : linkFormer(work)}
        rm -rf -- ${[rememberedOf(work), handedOf(work)]} ${[`${layout.environments}/${work.release}/former`, `${layout.environments}/${work.release}/new`]}
        shopt -s nullglob
        measure_releases
        live=$(readlink ${layout.current})
        live=\${live##*/}
        used=" $live "
        for slot in ${layout.slots}/*; do
          release=$(readlink -- "$slot")
          used+="\${release##*/} "
        done
        kept=1 bytes=0 seen=' ' left=() removed=''
        mapfile -t names < <(printf '%s\\n' "$live" ${formerRelease ?? ""}; printf '%s\\n' * | sort -rn)
        for name in "\${names[@]}"; do
          if [[ ! $name || $seen = *" $name "* || ! -d ./$name ]]; then continue; fi
          seen+="$name "
          bytes=$((bytes + \${sizes[$name]-0}))
          if [[ $used == *" $name "* ]]; then left+=("$name"); continue; fi
          if [[ $name =~ ^[0-9]+$ ]] && ((kept < ${settings.keptReleases})) &&
            { [[ $name = ${formerRelease ?? ""} ]] || ((bytes <= ${settings.keptReleasesMb * 2 ** 20})); }; then
            ((kept += 1))
            left+=("$name")
            continue
          fi
          rm -rf -- "./$name" ${layout.environments}/"$name" ${nodeLinks(layout)}"$name"
          drop_refs "$name" || true
          removed=yes
          echo "Removed the release $name."
        done
        link_former
        remove_unused_nodes
        [[ ! $removed ]] || as_git -c gc.autoDetach=false gc --auto --quiet
        report_disk "\${left[@]}"`,
    ),
    { phase: "finish", onFailure: "continue", timeoutSeconds: 600, facts: diskFacts },
  );
};

/**
 * Links the kept releases in `former`, including the live one, which becomes a former one the moment the next is live. The links
 * belong to the project's user, in a directory of root: nginx follows links to files of the same owner, and the project cannot
 * change them. Root does not follow them.
 */
const linkFormer = ({ layout, settings }: Work): Script => sh`
  link_former() {
    local name place=0
    # Made with the next preparation of a project that was installed before.
    [[ -d ${layout.former} ]] || return 0
    while read -r name && ((place < ${Math.min(settings.keptReleases, formerReleases)})); do
      ((place += 1))
      ln -sfnT -- ../releases/"$name"/.longshore/public ${layout.former}/new
      chown -h ${layout.user} ${layout.former}/new
      mv -T -- ${layout.former}/new ${layout.former}/"$place"
    done < <(printf '%s\\n' * | grep -xE '[0-9]+' | sort -rn)
    while ((place < ${formerReleases})); do
      ((place += 1))
      rm -f -- ${layout.former}/"$place"
    done
  }`;
