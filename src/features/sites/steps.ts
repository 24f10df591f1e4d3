import { applying, type Step, step } from "../../engine/runs/plan.ts";
import type { ProjectLayout } from "../../host/layout.ts";
import { manyConnections } from "../../host/nginx/balancer.ts";
import { healthFile, healthPaths, healthScript, healthUnit } from "../../host/nginx/balancer-health.ts";
import { type Forwarding, forwardingSite } from "../../host/nginx/forwarding.ts";
import { installMarkdown } from "../../host/nginx/markdown.ts";
import type { Site } from "../../host/nginx/model.ts";
import { isCovered, servedName, servingNames } from "../../host/nginx/names.ts";
import { reloading } from "../../host/nginx/reload.ts";
import { sharedByAllSites } from "../../host/nginx/shared.ts";
import { nginxSite } from "../../host/nginx/site.ts";
import { applyChanges, putFile } from "../../host/runner/functions.ts";
import { oneAtATime } from "../../host/runner/lock.ts";
import { withPrelude } from "../../host/runner/prelude.ts";
import { scriptsBeside, setBefore } from "../../host/script-file.ts";
import { lines, type Script, sh } from "../../host/sh.ts";
import { preparationPart, prepare } from "../projects/plans.ts";
import { balancerSiteKind, publishKind } from "../site-records/schema.ts";

const script = scriptsBeside(import.meta.url);

/** Key of the step that publishes a project's site. */
export const siteStep = "publish-site";

/**
 * Writes the site and makes nginx serve it, if anything differs. If nginx rejects it on reload, the former file is restored, the
 * served site stays, and nginx's reason is the step's last line. An operator's manual changes are kept in a file beside, and
 * reported as the fact `web_server_drift`: the path of that file, or `removed`.
 */
export const publishSite = (site: Site): Step => {
  const { layout } = site;
  const publish = prepare(
    siteStep,
    "Set up the web server",
    "The web server could not be set up for the project.",
    lines(
      script("site-functions.sh", siteFiles(layout)),
      oneAtATime,
      sh`
        # An interrupted run may have left its new file untested, with the former one beside it.
        if [ -e "$available.former" ]; then put_back; fi`,
      writePassword(site),
      script("write-site.sh", {
        ...siteFiles(layout),
        content: nginxSite(site),
        shared: layout.sharedByAllSites,
        shared_content: sharedByAllSites,
      }),
      site.hasNamesFile === true && sh`${putFile} ${layout.names} 0644 ${namesFile(site)}`,
      script("serve-site.sh", {
        ...siteFiles(layout),
        ...reloading,
        pid: layout.nginxPid,
        sum: setBefore,
        wrote: setBefore,
      }),
    ),
  );
  const declared: Step = { ...publish, facts: { web_server_drift: "path-or-removed" } };
  const target = { subjectId: layout.id };
  // A load balancer also has to check the project's servers.
  return site.kind.family === "balanced"
    ? applying({ ...balancerSiteKind, ...target }, declared, null)
    : applying({ ...publishKind, ...target }, declared);
};

const siteFiles = (layout: ProjectLayout) => ({
  available: layout.siteAvailable,
  enabled: layout.siteEnabled,
  served: `${layout.state}/site-served`,
  written: `${layout.state}/site-written`,
});

/** Has a load balancer check the servers of the project. */
export const followNodes = ({ layout }: Site, health: string): Step =>
  prepare(
    "follow-nodes",
    "Prepare to check the project's servers",
    "The load balancer cannot check the project's servers.",
    sh`
      ${putFile} ${healthFile(layout)} 0644 ${health}
      ${putFile} ${healthPaths.script} 0755 ${healthScript}
      ${putFile} ${healthPaths.unit} 0644 ${healthUnit()}
      ${putFile} ${manyConnections.file} 0644 ${manyConnections.settings}
      sysctl --quiet --load ${manyConnections.file} ||
        echo "The kernel keeps its own settings for connections: under much load they may run out."
      if [ "$(systemctl show --property=NeedDaemonReload --value ${healthPaths.service})" = yes ]; then systemctl daemon-reload; fi
      ${applyChanges} restart ${healthPaths.service} ${[healthPaths.script, healthPaths.unit]}`,
  );

export const markdownSteps = (site: Site): Step[] =>
  site.markdownNegotiation ? [preparationPart(site.layout, setUpMarkdown)] : [];

// Visitors get HTML if the converter is missing.
const setUpMarkdown: Step = {
  ...prepare("set-up-markdown", "Set up pages as Markdown", "Pages cannot be turned into Markdown.", installMarkdown),
  onFailure: "continue",
};

/** Key of the step that makes a server forward visitors. */
export const forwardingStep = "forward-visitors";

/**
 * Makes nginx forward the visitors of a project that has moved to another server, in place of the site that it had here. `absent`: a
 * directory that is here when the project is back, and serves its visitors itself.
 */
export const forwardVisitors = (layout: ProjectLayout, forwarding: Forwarding, absent = ""): Step =>
  step(
    forwardingStep,
    "Forward visitors to the project's server",
    withPrelude(
      "This server could not be made to forward visitors.",
      lines(
        oneAtATime,
        script("forward-site.sh", {
          ...reloading,
          content: forwardingSite(forwarding),
          shared_content: sharedByAllSites,
          shared: layout.sharedByAllSites,
          available: layout.siteAvailable,
          enabled: layout.siteEnabled,
          pid: layout.nginxPid,
          absent,
        }),
      ),
    ),
    { phase: "remove" },
  );

// The password's hash travels with the run's secrets; its version is here so that a new one is a new script.
const writePassword = ({ basicAuth, layout }: Site): Script =>
  lines(
    sh`password=${`${layout.state}/basic-auth`}`,
    basicAuth === undefined
      ? // The former site needs the file until nginx serves the new one: without it, nginx would serve no visitor.
        sh`unused_password() { [ ! -e "$password" ] || rm -f -- "$password"; }`
      : sh`
        unused_password() { :; }
        # The password of version ${String(basicAuth)}.
        if [ -s "\${LONGSHORE_SECRETS-}/basic-auth" ]; then
          # Visitors enter their password meanwhile: nginx finds the former file or the new one.
          install -m 640 -o root -g ${layout.user} "$LONGSHORE_SECRETS/basic-auth" "$password.new"
          mv -T -- "$password.new" "$password"
        fi
        [ -s "$password" ] || fail "The password of the site did not come with the run: publish the project again."`,
  );

/** The public origin, and each served name. */
function namesFile(site: Site): string {
  const name = servedName(site);
  return `${[`${isCovered(site, name) ? "https" : "http"}://${name}`, ...servingNames(site)].join("\n")}\n`;
}
