import { type Step, step } from "../../engine/plan.ts";
import type { ProjectLayout } from "../../host/layout.ts";
import { isCovered, servedName, servingNames } from "../../host/nginx/names.ts";
import { reloadFunctions } from "../../host/nginx/reload.ts";
import { sharedByAllSites } from "../../host/nginx/shared.ts";
import { nginxSite, type Site } from "../../host/nginx/site.ts";
import { oneAtATime } from "../../host/runner/lock.ts";
import { withPrelude } from "../../host/runner/prelude.ts";
import { lines, type Script, sh } from "../../host/sh.ts";

/** A step of a project's preparation; `sentence` is the message of a failure without its own reason. */
export const prepare = (key: string, label: string, sentence: string, script: Script): Step =>
  step(key, label, withPrelude(sentence, script), { phase: "prepare", timeoutSeconds: 180 });

/**
 * Writes the site and makes nginx serve it, if anything differs. If nginx rejects it on reload, the former file is restored, the
 * served site stays, and nginx's reason is the step's last line. An operator's manual changes are kept in a file beside, and
 * reported as the fact `web_server_drift`: the path of that file, or `removed`.
 */
export const publishSite = (site: Site): Step => ({
  ...prepare(
    "publish-site",
    "Set up the web server",
    "The web server could not be set up for the project.",
    lines(
      paths(site.layout),
      putBack,
      keepHandMade,
      reloadFunctions,
      oneAtATime,
      afterInterruption,
      writePassword(site),
      writeSite(site),
      site.hasNamesFile === true && writeNames(site),
      reload,
    ),
  ),
  facts: { web_server_drift: "path-or-removed" },
});

/** Removes the site from the server. */
export const removeSite = (layout: ProjectLayout): Step =>
  step(
    "remove-site",
    "Remove the site",
    sh`
      ${reloadFunctions}
      trap end_announcement EXIT
      ${oneAtATime}
      if [[ -e ${layout.siteEnabled} || -L ${layout.siteEnabled} || -e ${layout.siteAvailable} ]]; then
        rm -f -- ${layout.siteEnabled} ${layout.siteAvailable} ${layout.siteAvailable}.*
        # Also when another site keeps nginx from reloading: what is left is removed with its next one.
        if ! reload_nginx ${layout.nginxPid}; then echo "$answer"; fi
      fi`,
    { phase: "remove" },
  );

const paths = ({ siteAvailable, siteEnabled, sharedByAllSites: shared, state, nginxPid }: ProjectLayout): Script => sh`
  available=${siteAvailable} enabled=${siteEnabled} shared=${shared} pid=${nginxPid}
  served=${state}/site-served written=${state}/site-written password=${state}/basic-auth`;

const putBack = sh`
  put_back() {
    if [ "$available.former" -ef "$available" ]; then
      # Not replaced yet. Of two names of one file, \`mv\` may leave both.
      rm -f -- "$available.former"
    elif [ -e "$available.former" ]; then
      mv -T -- "$available.former" "$available"
    else
      # What never served was not written either, as far as the next run is concerned.
      rm -f -- "$enabled" "$available" "$written"
    fi
  }`;

// The checksums of the files that Longshore wrote are beside the site; before the first one manual changes cannot be detected. A
// kept file is named by its checksum, so the same content is not kept twice.
const keepHandMade = sh`
  # Whole or not at all: half of a copy, of a full disk, would be taken for the original.
  copy_whole() { # FROM TO
    scratch=$2.part
    cp -p -- "$1" "$scratch"
    mv -T -- "$scratch" "$2"
  }
  is_ours() { # CHECKSUM
    local ours=()
    [ ! -e "$written" ] || mapfile -t ours < "$written"
    [[ " \${ours[*]} " == *" $1 "* ]]
  }
  keep_hand_made() { # PATH CHECKSUM
    local kept=$available.by-hand-\${2:0:12}
    if is_ours "$2"; then return; fi
    [ -e "$kept" ] || copy_whole "$1" "$kept"
    echo "$1 was changed by hand; that is overwritten now. The changed file is kept as $kept."
    fact web_server_drift "$kept"
    find "$(dirname "$available")" -name "$(basename "$available").by-hand-*" -printf '%T@ %p\\n' |
      sort -rn | tail -n +6 | cut -d ' ' -f 2- | xargs -r -d '\\n' rm --
  }`;

const afterInterruption = sh`
  # An interrupted run may have left its new file untested, with the former one beside it.
  if [ -e "$available.former" ]; then put_back; fi`;

// The password's hash travels with the run's secrets; its version is here so that a new one is a new script.
const writePassword = ({ basicAuth, layout }: Site): Script =>
  basicAuth === undefined
    ? // The former site needs the file until nginx serves the new one: without it, nginx would serve no visitor.
      sh`unused_password() { [ ! -e "$password" ] || rm -f -- "$password"; }`
    : sh`
        unused_password() { :; }
        # The password of version ${String(basicAuth)}.
        if [ -s "\${LONGSHORE_SECRETS-}/basic-auth" ]; then
          install -m 640 -o root -g ${layout.user} "$LONGSHORE_SECRETS/basic-auth" "$password"
        fi
        [ -s "$password" ] || fail "The password of the site did not come with the run: publish the project again."`;

const writeSite = (site: Site): Script => sh`
  content=${nginxSite(site)}
  # HTTP/2 is a setting of its own since 1.25.1.
  if [[ $content == *' ssl http2;'* ]] && dpkg --compare-versions "$(nginx -v 2>&1 | sed 's|.*nginx/\\([0-9.]*\\).*|\\1|')" ge 1.25.1; then
    content=\${content//listen 443 ssl http2;/listen 443 ssl;}
    content=\${content//listen \\[::\\]:443 ssl http2;/listen [::]:443 ssl;
    http2 on;}
  fi
  present=()
  [ ! -e "$available" ] || present=("$available")
  mapfile -t sums < <(exec sha256sum -- <(printf '%s' "$content") "\${present[@]}")
  sum=\${sums[0]%% *}
  if [ -s "$written" ]; then
    if [ -e "$available" ]; then
      keep_hand_made "$available" "\${sums[1]%% *}"
    else
      echo "$available was removed by hand; it is written again."
      fact web_server_drift removed
    fi
    if [ -e "$enabled" ] && [ ! -L "$enabled" ]; then
      read -r sum_of_enabled _ < <(sha256sum < "$enabled")
      keep_hand_made "$enabled" "$sum_of_enabled"
    fi
  fi
  # A second name will do: the new file is another one, moved to the first.
  [ ! -e "$available" ] || ln -- "$available" "$available.former"
  # Known before it is written: a run that is cut off in between finds its own file.
  is_ours "$sum" || echo "$sum" >> "$written"
  wrote=$(put_file "$shared" 0644 ${sharedByAllSites} && put_file "$available" 0640 "$content")
  if ! [[ -L $enabled && $enabled -ef $available ]]; then
    wrote+=$(put_link "../sites-available/\${available##*/}" "$enabled")
  fi`;

const writeNames = (site: Site): Script => sh`put_file ${site.layout.names} 0644 ${namesFile(site)}`;

/** The public origin, and each served name. */
function namesFile(site: Site): string {
  const name = servedName(site);
  return `${[`${isCovered(site, name) ? "https" : "http"}://${name}`, ...servingNames(site)].join("\n")}\n`;
}

/**
 * A running nginx validates its files on reload, and keeps its present configuration if they are invalid. A test before the
 * reload would read the sites of all projects twice: with 1,000 of them and their certificates that is another second for each
 * publication. The test runs only without a reload: if nothing is new, so that manually broken settings are reported before nginx
 * starts with them, and if nginx does not run.
 */
const reload = sh`
  refuse() { # OUTPUT
    printf '%s\n' "$1"
    reason=$(sed -nE 's/.*\\[emerg\\] ([0-9#]+: )?//p' <<< "$1" | head -n 1)
    fail "nginx rejects the new settings: \${reason:-see above}. The former ones stay."
  }
  is_served() { [ -z "$wrote" ] && [ "$served" -nt "$available" ]; }
  read -r master 2> /dev/null < "$pid" || master=0
  if is_served || [ ! -d "/proc/$master" ] || [ "$master" = 0 ]; then
    if ! answer=$(nginx -t 2>&1); then
      put_back
      refuse "$answer"
    fi
    printf '%s\n' "$answer"
  fi
  # The marker is made after the reload: a run that was cut off between the two is made up for.
  if is_served; then
    unused_password
    echo "$sum" > "$written"
    rm -f -- "$available.former"
    echo "The web server serves the project as it should already."
    exit
  fi
  if ! reload_nginx "$pid"; then
    refusal=$answer
    put_back
    # For a web server that does not run.
    systemctl reload-or-restart nginx.service > /dev/null 2>&1 || true
    refuse "$refusal"
  fi
  unused_password
  echo "$sum" > "$written"
  : > "$served"
  rm -f -- "$available.former"
  echo "The web server serves the project."`;
