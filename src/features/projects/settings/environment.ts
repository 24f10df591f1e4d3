import type { Static } from "typebox";
import { transaction } from "../../../db/transaction.ts";
import type { Partly, RequestContext } from "../../../http/route.ts";
import { type FieldErrors, notFound } from "../../../lib/errors.ts";
import { emitUpdated } from "../events.ts";
import { lockProject } from "../queries.ts";
import { refuseReplica } from "../replicas.ts";
import type { EnvironmentRequest } from "../schema.ts";
import { projectErrors } from "../validation.ts";
import { setEnvironment } from "./queries.ts";

/** The error of the text: its first line that is no line of a .env file. */
export const checkEnvironment = (
  _ctx: RequestContext,
  { body }: { body: Partly<Static<typeof EnvironmentRequest>> },
): FieldErrors => projectErrors(body);

/** Replaces the project's .env text; it applies to the next deployment and is in no answer. */
export async function setEnvironmentVariables(
  ctx: RequestContext,
  id: number,
  { environment_variables: text }: Static<typeof EnvironmentRequest>,
) {
  await transaction(ctx.pool, async (tx) => {
    const project = await lockProject(tx, ctx.actor, id);
    if (!project) throw notFound("The project");
    await refuseReplica(tx, project);
    await setEnvironment(tx, id, text === "" ? null : ctx.secrets.encrypt(text));
    await emitUpdated(tx, project);
  });
  return { message: "The environment variables were saved. They apply from the next deployment on." };
}
