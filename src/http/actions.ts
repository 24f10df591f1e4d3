import { type TObject, type TSchema, Type } from "typebox";
import { AppError } from "../lib/errors.ts";
import type { CapabilityTable } from "./capabilities.ts";
import { permissionRefusal } from "./permission.ts";
import { rehearse } from "./rehearsal.ts";
import { namesIn, operationId, paramsAs, type RequestContext, type Route, route } from "./route.ts";
import { Nullable, named, Reply, success } from "./schemas.ts";

// What a caller can do to a record now, for every noun with capability tables: each verb's own permission and handler answer, so that
// the list cannot differ from the requests.

type Table = CapabilityTable<Record<string, unknown>>;

interface Action {
  name: string;
  route: Route;
  /** Whether anything but the permission can refuse it. */
  dependsOnRecord: boolean;
}

const ActionSchema = named(
  "Action",
  Type.Object({
    operation: Type.String({ description: "The operationId of the request in the OpenAPI document" }),
    is_allowed: Type.Boolean({ description: "Whether nothing refuses the request" }),
    reason: Nullable(
      Type.String({ description: "The reason in the capability tables, or the code of another refusal" }),
    ),
    status: Nullable(Type.Integer({ description: "With which the request would be refused" })),
    message: Nullable(Type.String({ description: "The sentence with which the request would be refused" })),
  }),
  "Whether a request would be refused now, and with what",
);

/** `GET …/actions` for each noun of the tables. Throws if a verb names a route that does not exist. */
export function actionRoutes(tables: readonly Table[], routes: readonly Route[]): Route[] {
  const byName = new Map(routes.map((each) => [`${each.method} ${each.path}`, each]));
  const routeOf = (name: string): Route => {
    const found = byName.get(name);
    if (!found) throw new Error(`A capability names the route ${name}, which does not exist.`);
    return found;
  };
  return Object.entries(Object.groupBy(tables, ({ noun }) => noun)).map(([noun, parts = []]) => {
    const actions = parts
      .flatMap(({ verbs }) => Object.entries(verbs))
      .map(([name, { route: verb, refusals }]) => ({
        name,
        route: routeOf(verb),
        dependsOnRecord: Object.keys(refusals).length > 0,
      }));
    const [{ record, path }] = parts as [Table];
    return actionRoute(noun, routeOf(record), path ?? record.replace("GET ", ""), actions);
  });
}

function actionRoute(noun: string, shown: Route, path: string, actions: readonly Action[]): Route {
  const words = noun.split("_");
  const Actions = named(
    `${words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("")}Actions`,
    Type.Object(Object.fromEntries(actions.map(({ name }) => [name, ActionSchema]))),
    "By verb, what the caller can do to the record now",
  );
  const { permission, organizationParam } = shown;
  return route({
    method: "GET",
    path: `${path}/actions`,
    summary: `Show what can be done to ${/^[aeiou]/.test(noun) ? "an" : "a"} ${words.join(" ")} now, and why not`,
    description:
      "For each verb, whether its request would be refused to the caller now, with the status and the sentence of the refusal: by " +
      "permission, by the state of the record, or by what only the service knows. Nothing is changed. What the body of the request " +
      "decides is left out, and so is what shows only while the work is done.",
    permission,
    ...(organizationParam === undefined ? {} : { organizationParam }),
    params: paramsOf(path, actions),
    reply: Reply(Actions),
    examples: { reply: success({ data: exampleOf(actions) }) },
    handle: async (ctx, { params }) =>
      // The route that shows the record is not public either.
      success({ data: await listActions(ctx as RequestContext, actions, { noun, path, params }) }),
  });
}

/** Those of a verb whose path begins with that of the record. */
function paramsOf(path: string, actions: readonly Action[]): TObject {
  const verb = actions.find((action) => namesIn(path).every((name) => namesIn(action.route.path).includes(name)));
  const known = (verb?.route.params as TObject | undefined)?.properties ?? {};
  return Type.Object(Object.fromEntries(namesIn(path).map((name) => [name, known[name] as TSchema])));
}

interface RecordRef {
  noun: string;
  path: string;
  params: object;
}

async function listActions(ctx: RequestContext, actions: readonly Action[], record: RecordRef) {
  const tried: [Action, AppError | undefined][] = [];
  for (const action of actions) tried.push([action, await tryAction(ctx, action, record)]);
  refuseMissing(tried);
  return Object.fromEntries(
    tried.map(([{ name, route: verb }, refusal]) => [
      name,
      actionRecord(verb, permissionRefusal(verb, ctx.actor) ?? refusal),
    ]),
  );
}

async function tryAction(ctx: RequestContext, { route: verb, dependsOnRecord }: Action, record: RecordRef) {
  if (!dependsOnRecord) return undefined;
  const params = paramsAs(verb.path, record);
  // A verb without the record in its path has it in its body.
  const id = Object.values(record.params).at(-1);
  const body = { [`${record.noun}_id`]: id, [`${record.noun}_ids`]: [id] };
  const input = { params, query: {}, body, rawBody: undefined, bodyStream: undefined };
  return rehearse(ctx, (inside) => verb.handle(inside, input));
}

/** A record that no verb finds is out of reach, or does not exist. */
function refuseMissing(tried: readonly [Action, AppError | undefined][]): void {
  const refusals = tried.filter(([{ dependsOnRecord }]) => dependsOnRecord).map(([, refusal]) => refusal);
  const [first] = refusals;
  if (first && refusals.every((refusal) => refusal?.code === "not_found")) throw first;
}

const actionRecord = (verb: Route, refusal: AppError | undefined) => ({
  operation: operationId(verb),
  is_allowed: refusal === undefined,
  reason: refusal?.reason ?? null,
  status: refusal?.status ?? null,
  message: refusal?.message ?? null,
});

/** The first verb is refused, as to a viewer. */
const exampleOf = (actions: readonly Action[]) =>
  Object.fromEntries(
    actions.map(({ name, route: verb }, at) => {
      const message = `This needs the permission ${verb.permission}, which your role or token does not have.`;
      return [name, actionRecord(verb, at === 0 ? new AppError("forbidden", message) : undefined)];
    }),
  );
