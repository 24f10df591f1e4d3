import { applyingAll, fromTheStart, type Plan, plan, type Step, step } from "../../engine/runs/plan.ts";
import type { ProjectLayout } from "../../host/layout.ts";
import type { Forwarding } from "../../host/nginx/forwarding.ts";
import type { Site } from "../../host/nginx/model.ts";
import type { ProjectIdentity } from "../../host/project-mark/mark.ts";
import { fact } from "../../host/runner/functions.ts";
import { withPrelude } from "../../host/runner/prelude.ts";
import { lines, sh } from "../../host/sh.ts";
import { homeSteps, type ProjectOnServer, removeAllButSite, stepsBeforeSite } from "../projects/plans.ts";
import { balancerSiteKind } from "../site-records/schema.ts";
import { followNodes, forwardVisitors, markdownSteps, publishSite, siteStep } from "./steps.ts";

/** Prepares the server for deployments of the project. Can be repeated: correct parts stay untouched. */
export const prepareProjectSteps = (project: ProjectOnServer): Step[] => [
  ...stepsBeforeSite(project),
  ...markdownSteps(project.site),
  publishSite(project.site),
];

/** Whether a step of the preparation may change the live site while it runs, rather than the next release. */
export const changesWhatServes = ({ key }: Step): boolean => key === "write-pool" || key === siteStep;

/** Makes the web server follow the project's settings (domains, redirects, TLS); nothing else is touched. */
export const publishSitePlan = (site: Site): Plan =>
  plan("site", [...markdownSteps(site), publishSite(site)], { pointOfNoReturn: fromTheStart });

/** Puts a project's site on its load balancer, and starts checking its nodes. `health` is the request to them. */
export const balancerSitePlan = (site: Site, identity: ProjectIdentity, health: string): Plan =>
  plan(
    "balancer-site",
    [
      ...homeSteps(site.layout, identity),
      ...applyingAll({ ...balancerSiteKind, subjectId: site.layout.id }, [
        publishSite(site),
        followNodes(site, health),
      ]),
    ],
    { pointOfNoReturn: fromTheStart },
  );

/**
 * Maintenance on or off: a flag file, so that no visitor's connection is dropped for it. The fact `maintenance` shows what
 * visitors get after it, `on` or `off`.
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
            // This run was queued before the move that now holds the project: until its end the move controls the page.
            sh`[ ! -e ${layout.held} ] || fail "The project is being moved to another server."`,
            isOn ? sh`: > ${layout.maintenanceFlag}` : sh`rm -f -- ${layout.maintenanceFlag}`,
            sh`${fact} maintenance ${isOn ? "on" : "off"}`,
          ),
        ),
        { timeoutSeconds: 60, facts: { maintenance: "on-off" } },
      ),
    ],
    { pointOfNoReturn: fromTheStart },
  );

/**
 * Removes a project from a server that forwards its visitors from then on. If nginx rejects that, the rest is removed nevertheless:
 * `forwardingPlan` is retried.
 */
export const leaveForwardingSteps = (layout: ProjectLayout, forwarding: Forwarding): Step[] => [
  { ...forwardVisitors(layout, forwarding), onFailure: "continue" },
  ...removeAllButSite(layout),
];

/** Makes a server that has been cleared follow changes of what it forwards. Nothing once the project is there again. */
export const forwardingPlan = (layout: ProjectLayout, forwarding: Forwarding): Plan =>
  plan("forwarding", [forwardVisitors(layout, forwarding, layout.directory)], { pointOfNoReturn: fromTheStart });
