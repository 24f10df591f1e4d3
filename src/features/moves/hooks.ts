import type { PoolClient } from "pg";
import type { Context } from "../../context.ts";
import type { Step } from "../../engine/runs/plan.ts";
import type { RunSecrets } from "../../engine/runs/runs.ts";
import { hookPoint } from "../../lib/hooks.ts";
import type { PlacedProject, ProjectRow } from "../projects/schema.ts";
import type { ServerForWork } from "../servers/queries.ts";

/** Steps on the destination of a move, after the project's data was copied, while visitors wait. */
export interface StepsOnDestination {
  /** Before its release serves there. */
  before: readonly Step[];
  /** After its release serves there, visible only on the server itself. */
  after: readonly Step[];
}

/**
 * The part of later features in moves of the projects that are theirs, such as a catalog application; undefined: the project is
 * none of them, or there is nothing to object. The caller has locked the project.
 */
export interface MoveHooks {
  /** Why it cannot be moved now, to any server. */
  moveRefusal?: (tx: PoolClient, ctx: Context, project: PlacedProject) => Promise<string | undefined>;
  /** Why a server cannot host it. */
  destinationError?: (project: ProjectRow, server: ServerForWork) => string | undefined;
  /** `project` as it is on the destination. */
  stepsOn?: (tx: PoolClient, ctx: Context, project: PlacedProject) => Promise<StepsOnDestination | undefined>;
  /** Secrets of the run with those steps. */
  secretsOf?: (ctx: Context, project: PlacedProject) => Promise<RunSecrets | undefined>;
}

export const moveHooks = hookPoint<MoveHooks>();
