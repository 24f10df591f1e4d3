import { OneOf } from "../../../http/schemas.ts";

/** What a project is shown as, in the order of the type project_state of the database: the first that applies counts. */
export const projectStates = [
  "unreachable",
  "deploying",
  "waiting",
  "crashing",
  "in_maintenance",
  "failed",
  "not_installed",
  "live",
] as const;

export type ProjectStateName = (typeof projectStates)[number];

export const StateName = OneOf(projectStates, {
  description:
    "The first of these that applies. unreachable: Longshore has no connection to its server. deploying: a deployment runs, or an app " +
    "is being installed. waiting: a deployment is queued. crashing: `crash_loops` has a process. in_maintenance: visitors see the " +
    "maintenance page. failed: the last deployment that was not cancelled, or the installation of an app, has failed; `live_deployment` may be " +
    "served nevertheless. not_installed: nothing was deployed yet. live: none of these",
});
