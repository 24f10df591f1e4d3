import { type Static, Type } from "typebox";
import type { RequestContext } from "../../http/route.ts";
import { awaitEvent } from "../events/wait.ts";
import { showDeployment } from "./actions.ts";
import { findDeployment } from "./queries.ts";
import { type DeploymentStatus, isEndedStatus } from "./schema.ts";

export const WaitQuery = Type.Object({
  wait_seconds: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 60, description: "Answer at the end of the deployment, or after this time" }),
  ),
});

/** The deployment with its log, at once or at its end. */
export async function showDeploymentAtEnd(
  ctx: RequestContext,
  id: number,
  { wait_seconds: seconds }: Static<typeof WaitQuery>,
) {
  if (seconds === undefined) return showDeployment(ctx, id);
  const isSettled = async () => {
    const deployment = await findDeployment(ctx.pool, ctx.actor, id);
    return !deployment || isEndedStatus(deployment.status);
  };
  const settles = ({ name, data }: { name: string; data: Record<string, unknown> }) =>
    name === "deployment.updated" && data.id === id && isEndedStatus(data.status as DeploymentStatus);
  await awaitEvent(ctx, { isSettled, settles }, seconds * 1_000);
  return showDeployment(ctx, id);
}
