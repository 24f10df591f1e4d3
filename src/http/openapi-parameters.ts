import type { TSchema } from "typebox";
import { programHeader } from "./calling-program.ts";
import type { Parameter, Reference } from "./openapi-document.ts";
import type { SchemaConverter } from "./openapi-schemas.ts";
import { querySchema, type Route } from "./route.ts";

/** The parameters of all routes, for the OpenAPI document. */
export interface ParameterTable {
  /** Those of a route, with references to the shared ones. */
  of(each: Route): (Parameter | Reference)[];
  /** The shared ones by name: those that several routes have, word for word. */
  components: Record<string, Parameter>;
}

/** Where a name has several meanings, the most common one is shared. */
export function parameterTable(routes: readonly Route[], schemas: SchemaConverter): ParameterTable {
  const uses = new Map<string, { parameter: Parameter; count: number }>();
  for (const parameter of routes.flatMap((each) => parametersOf(each, schemas))) {
    const use = uses.get(JSON.stringify(parameter)) ?? { parameter, count: 0 };
    use.count++;
    uses.set(JSON.stringify(parameter), use);
  }
  const shared = [...uses.values()].filter(({ count }) => count > 1).sort((one, other) => one.count - other.count);
  const byName = new Map(shared.map(({ parameter }) => [parameter.name, parameter]));
  const isShared = (parameter: Parameter) => JSON.stringify(byName.get(parameter.name)) === JSON.stringify(parameter);
  return {
    of: (each) =>
      parametersOf(each, schemas).map((parameter) =>
        isShared(parameter) ? { $ref: `#/components/parameters/${parameter.name}` } : parameter,
      ),
    components: Object.fromEntries([...byName].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}

function parametersOf(each: Route, schemas: SchemaConverter): Parameter[] {
  const headers: Parameter[] = [];
  if (each.permission !== "public" && !each.refusalBody) {
    if (each.organizationParam === undefined) headers.push(organization);
    if (each.method === "POST") headers.push(idempotencyKey);
    if (each.method !== "GET") headers.push(program);
  }
  return [...fields(each.params, "path", schemas), ...fields(querySchema(each), "query", schemas), ...headers];
}

function fields(type: TSchema | undefined, place: "path" | "query", schemas: SchemaConverter): Parameter[] {
  const { properties = {}, required = [] } = schemas.convert(type ?? {});
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema,
  }));
}

const organization: Parameter = {
  name: "X-Organization",
  in: "header",
  required: false,
  description: "The organization of this request; without it, the one the account is currently in",
  schema: { type: "integer", minimum: 1 },
};

const idempotencyKey: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "The same key, user and body within 24 hours gets the first answer again",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

const program: Parameter = {
  name: programHeader,
  in: "header",
  required: false,
  description:
    "The program that sends the request, for the audit log: `kind/name/version`, the kind being cli, mcp or api",
  schema: { type: "string", maxLength: 120 },
};
