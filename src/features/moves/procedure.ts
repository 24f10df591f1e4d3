import { partBytes } from "../../engine/runs/log.ts";
import { cancelQueued } from "../deployments/ending/queries.ts";
import type { Procedure } from "../deployments/hooks.ts";
import { lockProject } from "../projects/queries.ts";
import { cancelMove, dropQueuedMove } from "./actions.ts";
import { listMoveParts } from "./queries.ts";
import { startMove } from "./workflow.ts";

export const moveProcedure: Procedure = {
  processType: "move",
  // Its server is the destination.
  followsProject: false,
  // The deploy key is copied.
  mayFetch: false,
  start: async (tx, ctx, deployment, project) => {
    await startMove(tx, ctx, deployment, project);
    // The workflow makes the runs.
    return { releaseId: deployment.id, hasRun: false };
  },
  cancel: async (tx, ctx, deployment) => {
    // Before the deployment: the end of a queued move removes a placement, which the project's lock covers.
    await lockProject(tx, ctx.actor, deployment.project_id);
    if (await cancelQueued(tx, deployment.id)) {
      await dropQueuedMove(tx, ctx, deployment);
      return "cancelled";
    }
    await cancelMove(tx, ctx, deployment.id);
    return "cancelling";
  },
  // The clean-up continues after the end until nothing of the project is left on the former server.
  listLogParts: async (db, { id }) =>
    (await listMoveParts(db, id)).map((run) => ({
      runId: run.id,
      base: run.place * partBytes,
      hasEnded: run.ended_at !== null,
    })),
};
