import type { Static } from "typebox";
import type { Db } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { environmentError } from "../../../host/environment/environment.ts";
import { isVariableName, namesIn, withoutVariable, withVariable } from "../../../host/environment/environment-edit.ts";
import type { Partly, RequestContext } from "../../../http/route.ts";
import { type FieldErrors, invalid, notFound } from "../../../lib/errors.ts";
import { getProject } from "../actions.ts";
import { emitUpdated } from "../events.ts";
import { findEnvironment, lockProject } from "../queries.ts";
import { type EnvironmentRequest, longestEnvironment, type VariableRequest } from "../schema.ts";
import { projectErrors } from "../validation.ts";
import { setEnvironment } from "./queries.ts";

const appliesNext = "It applies from the next deployment on.";

/** The errors of the text: lines that are not valid in a .env file. */
export const checkEnvironment = (
  _ctx: RequestContext,
  { body }: { body: Partly<Static<typeof EnvironmentRequest>> },
): FieldErrors => projectErrors(body);

/** Replaces the project's .env text; it applies to the next deployment, and its values are in no response. */
export async function setEnvironmentVariables(
  ctx: RequestContext,
  id: number,
  { environment_variables: text }: Static<typeof EnvironmentRequest>,
) {
  await changeEnvironment(ctx, id, () => text);
  return { message: "The environment variables were saved. They apply from the next deployment on." };
}

/** The names of the project's variables; their values are in no response. */
export async function showEnvironmentVariables(ctx: RequestContext, id: number) {
  await getProject(ctx, id);
  const names = namesIn(await readEnvironment(ctx, ctx.pool, id));
  return { data: names.map((name) => ({ name })) };
}

/** The errors of a single variable, beyond the schema. */
export const checkVariable = (_ctx: RequestContext, { params }: { params: { name: string } }): FieldErrors =>
  isVariableName(params.name)
    ? {}
    : { name: "The name must consist of letters, digits and underscores, and not begin with a digit." };

/** Sets one variable; the other lines of the text stay as they are. */
export async function setVariable(
  ctx: RequestContext,
  id: number,
  name: string,
  { value }: Static<typeof VariableRequest>,
) {
  await changeEnvironment(ctx, id, (text) => {
    const changed = withVariable(text, name, value);
    const error = changed.length > longestEnvironment ? tooLong : environmentError(changed);
    if (error) throw invalid({ value: error });
    return changed;
  });
  return { message: `${name} was set. ${appliesNext}` };
}

const tooLong = `All environment variables together must have at most ${longestEnvironment.toLocaleString("en-US")} characters.`;

/** Removes all lines of a variable. */
export async function unsetVariable(ctx: RequestContext, id: number, name: string) {
  await changeEnvironment(ctx, id, (text) => {
    const changed = withoutVariable(text, name);
    if (changed === undefined) throw notFound("The environment variable");
    return changed;
  });
  return { message: `${name} was removed. ${appliesNext}` };
}

/** One change at a time, so that concurrent changes of single variables do not overwrite each other. */
async function changeEnvironment(ctx: RequestContext, id: number, change: (text: string) => string): Promise<void> {
  await transaction(ctx.pool, async (tx) => {
    const project = await lockProject(tx, ctx.actor, id);
    if (!project) throw notFound("The project");
    const text = change(await readEnvironment(ctx, tx, id));
    await setEnvironment(tx, id, text === "" ? null : ctx.secrets.encrypt(text));
    await emitUpdated(tx, project);
  });
}

async function readEnvironment({ secrets }: Pick<RequestContext, "secrets">, db: Db, id: number): Promise<string> {
  const encrypted = await findEnvironment(db, id);
  return encrypted ? secrets.decrypt(encrypted) : "";
}
