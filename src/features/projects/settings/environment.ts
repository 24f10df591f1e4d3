import type { Static } from "typebox";
import type { Db } from "../../../db/sql.ts";
import { transaction } from "../../../db/transaction.ts";
import { environmentError, unsettableError, variablesIn } from "../../../host/environment/environment.ts";
import { isVariableName, withoutVariable, withVariable } from "../../../host/environment/environment-edit.ts";
import { isMasked, type MaskingChoices } from "../../../host/environment/secret-values.ts";
import { refuseChanged } from "../../../http/expected.ts";
import type { Partly, RequestContext } from "../../../http/route.ts";
import { type FieldErrors, invalid, notFound } from "../../../lib/errors.ts";
import { listLiveEnvironments } from "../../placements/queries.ts";
import { getProject } from "../actions.ts";
import { emitUpdated } from "../events.ts";
import { findEnvironmentMasking, lockProject } from "../queries.ts";
import { type EnvironmentRequest, longestEnvironment, type VariableRequest } from "../schema.ts";
import { projectErrors, sentences } from "../validation.ts";
import { changesAfter, compareEnvironments, livenessIn, type VariableChanges } from "./environment-changes.ts";
import { listPeople, setEnvironment } from "./queries.ts";

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

/** The names of the project's variables, with what is known of each; their values are in no response. */
export async function showEnvironmentVariables(ctx: RequestContext, id: number) {
  await getProject(ctx, id);
  const { text, choices, changes } = await readEnvironment(ctx, ctx.pool, id);
  const live = await listLiveEnvironments(ctx.pool, id);
  const isLive = livenessIn(live.map(({ live_environment: encrypted }) => decrypted(ctx, encrypted)));
  const changeOf = new Map(Object.entries(changes));
  const people = await listPeople(
    ctx.pool,
    [...changeOf.values()].map(({ by }) => by),
  );
  const data = variablesIn(text).map((variable) => {
    const change = changeOf.get(variable.name);
    return {
      name: variable.name,
      masked: isMasked(variable, choices),
      updated_at: change?.at ?? null,
      updated_by: people.find((person) => person.id === change?.by) ?? null,
      is_live: isLive(variable),
    };
  });
  return { data };
}

/** What a text would change: names only, since values are in no response. */
export async function compareEnvironment(
  ctx: RequestContext,
  id: number,
  { environment_variables: text }: Static<typeof EnvironmentRequest>,
) {
  await getProject(ctx, id);
  return { data: compareEnvironments((await readEnvironment(ctx, ctx.pool, id)).text, text) };
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
  changes: VariableChanges;
}

/** One change at a time, so that concurrent changes of single variables do not overwrite each other. */
async function changeEnvironment(
  ctx: RequestContext,
  id: number,
  change: (before: Environment) => Pick<Environment, "text" | "choices">,
): Promise<void> {
  await transaction(ctx.pool, async (tx) => {
    const project = await lockProject(tx, ctx.actor, id);
    if (!project) throw notFound("The project");
    refuseChanged(ctx, project);
    const before = await readEnvironment(ctx, tx, id);
    const { text, choices } = change(before);
    const names = new Set(variablesIn(text).map(({ name }) => name));
    const kept = Object.entries(choices).filter(([name]) => names.has(name));
    await setEnvironment(tx, id, {
      encrypted: text === "" ? null : ctx.secrets.encrypt(text),
      masking: Object.fromEntries(kept),
      changes: changesAfter(before, text, { at: new Date(), by: ctx.actor.userId }),
    });
    await emitUpdated(tx, project);
  });
}

async function readEnvironment({ secrets }: Pick<RequestContext, "secrets">, db: Db, id: number): Promise<Environment> {
  const {
    environment_variables: encrypted = null,
    environment_masking: choices = {},
    environment_changes: changes = {},
  } = (await findEnvironmentMasking(db, id)) ?? {};
  return { text: decrypted({ secrets }, encrypted), choices, changes };
}

const decrypted = ({ secrets }: Pick<RequestContext, "secrets">, encrypted: Buffer | null): string =>
  encrypted ? secrets.decrypt(encrypted) : "";
