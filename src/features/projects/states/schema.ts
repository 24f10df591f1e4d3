import type { Sql } from "../../../db/sql.ts";
import { OneOf } from "../../../http/schemas.ts";

/** What a project is shown as. The first that applies counts, and `live` is what remains. */
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

/** Queries of `project_id`, for the projects of an organization in a state. A project may be in several: the first one counts. */
export type StateSets = Partial<Record<ProjectStateName, Sql>>;
