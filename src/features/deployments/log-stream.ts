import type { Static } from "typebox";
import { listStepsOfRuns } from "../../engine/runs/queries.ts";
import type { LogStreamQuery } from "../../http/logs.ts";
import type { RequestContext, StreamAnswer } from "../../http/route.ts";
import { notFound } from "../../lib/errors.ts";
import { effectOnProject, shownStep, streamLog } from "../events/log-stream.ts";
import { listLogParts } from "./log.ts";
import { findDeployment, findDeploymentForWork } from "./queries.ts";
import { isEndedStatus } from "./schema.ts";

/** Streams the log of a deployment. */
export async function followDeploymentLog(
  ctx: RequestContext,
  id: number,
  query: Static<typeof LogStreamQuery>,
): Promise<StreamAnswer> {
  const { actor, pool, hooks } = ctx;
  const find = () => findDeployment(pool, actor, id);
  const found = await find();
  if (!found) throw notFound("The deployment");
  const look = async () => {
    const deployment = await findDeploymentForWork(pool, id);
    if (!deployment) return undefined;
    const { status, error } = deployment;
    const parts = await listLogParts(pool, { hooks }, deployment);
    const steps = await listStepsOfRuns(
      pool,
      parts.map(({ runId }) => runId),
    );
    const hasEnded = isEndedStatus(status) && parts.every((part) => part.hasEnded);
    return { status: { status, error }, steps: steps.map(shownStep), parts, hasEnded };
  };
  return streamLog(
    ctx,
    {
      key: `deployment ${id}`,
      look,
      isReached: async () => (await find()) !== undefined,
      effectOf: (event) =>
        event.data.id === id && event.name.startsWith("deployment.")
          ? "change"
          : effectOnProject(event, found.project_id),
    },
    query,
  );
}
