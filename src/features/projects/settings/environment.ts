import type { Static } from "typebox";
import type { Db } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { environmentError, unsettableError, variablesIn } from "../../../host/environment/environment.ts";
import { isVariableName, withoutVariable, withVariable } from "../../../host/environment/environment-edit.ts";
import { isMasked, type MaskingChoices } from "../../../host/environment/secret-values.ts";
import type { Partly, RequestContext } from "../../../http/route.ts";
import { type FieldErrors, invalid, notFound } from "../../../lib/errors.ts";
import { getProject } from "../actions.ts";
import { emitUpdated } from "../events.ts";
import { findEnvironmentMasking, lockProject } from "../queries.ts";
import { type EnvironmentRequest, longestEnvironment, type VariableRequest } from "../schema.ts";
import { projectErrors, sentences } from "../validation.ts";
import { setEnvironment } from "./queries.ts";

const appliesNext = "It applies from the next deployment or recycle on.";

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
  await changeEnvironment(ctx, id, ({ choices }) => ({ text, choices }));
  return { message: "The environment variables were saved. They apply from the next deployment or recycle on." };
}

/** The names of the project's variables, and which are masked; their values are in no response. */
export async function showEnvironmentVariables(ctx: RequestContext, id: number) {
  await getProject(ctx, id);
  const { text, choices } = await readEnvironment(ctx, ctx.pool, id);
  return { data: variablesIn(text).map(({ name, value }) => ({ name, masked: isMasked({ name, value }, choices) })) };
}

/** The errors of a single variable, beyond the schema. */
export const checkVariable = (
  _ctx: RequestContext,
  { params, body: { value, masked } }: { params: { name: string }; body: Partly<Static<typeof VariableRequest>> },
): FieldErrors => ({
  ...(isVariableName(params.name)
    ? {}
    : {
        name: "The name must consist of letters, digits, underscores, dots and dashes, and begin with a letter or an underscore.",
      }),
  ...sentences({
    value:
      value === undefined
        ? masked === undefined
          ? "The value is required, or masked."
          : undefined
        : unsettableError([{ name: params.name, value }]),
  }),
});

/** Sets one variable, or whether logs mask it; the other lines of the text stay as they are. */
export async function setVariable(
  ctx: RequestContext,
  id: number,
  name: string,
  { value, masked }: Static<typeof VariableRequest>,
) {
  await changeEnvironment(ctx, id, ({ text, choices }) => {
    const changed = value === undefined ? text : withVariable(text, name, value);
    const error = changed.length > longestEnvironment ? tooLong : environmentError(changed);
    if (error) throw invalid({ value: error });
    if (!variablesIn(changed).some((each) => each.name === name)) throw notFound("The environment variable");
    if (masked === undefined) return { text: changed, choices };
    const { [name]: _, ...others } = choices;
    return { text: changed, choices: masked === null ? others : { ...others, [name]: masked } };
  });
  const message = typeof masked === "boolean" ? ` Logs ${masked ? "mask" : "show"} it from now on.` : "";
  return {
    message: value === undefined ? `${name} was changed.${message}` : `${name} was set. ${appliesNext}${message}`,
  };
}

const tooLong = `All environment variables together must have at most ${longestEnvironment.toLocaleString("en-US")} characters.`;

/** Removes all lines of a variable. */
export async function unsetVariable(ctx: RequestContext, id: number, name: string) {
  await changeEnvironment(ctx, id, ({ text, choices }) => {
    const changed = withoutVariable(text, name);
    if (changed === undefined) throw notFound("The environment variable");
    return { text: changed, choices };
  });
  return { message: `${name} was removed. ${appliesNext}` };
}

interface Environment {
  text: string;
  choices: MaskingChoices;
}

/** One change at a time, so that concurrent changes of single variables do not overwrite each other. */
async function changeEnvironment(
  ctx: RequestContext,
  id: number,
  change: (before: Environment) => Environment,
): Promise<void> {
  await transaction(ctx.pool, async (tx) => {
    const project = await lockProject(tx, ctx.actor, id);
    if (!project) throw notFound("The project");
    const { text, choices } = change(await readEnvironment(ctx, tx, id));
    const names = new Set(variablesIn(text).map(({ name }) => name));
    const kept = Object.entries(choices).filter(([name]) => names.has(name));
    await setEnvironment(tx, id, text === "" ? null : ctx.secrets.encrypt(text), Object.fromEntries(kept));
    await emitUpdated(tx, project);
  });
}

async function readEnvironment({ secrets }: Pick<RequestContext, "secrets">, db: Db, id: number): Promise<Environment> {
  const { environment_variables: encrypted, environment_masking: choices = {} } =
    (await findEnvironmentMasking(db, id)) ?? {};
  return { text: encrypted ? secrets.decrypt(encrypted) : "", choices };
}
