import { Type } from "typebox";
import { Planned } from "./dry-run.ts";
import type { OpenApiDocument, Operation, Response, Schema } from "./openapi-document.ts";
import { type ParameterTable, parameterTable } from "./openapi-parameters.ts";
import { refusals, sharedRefusals, withBody } from "./openapi-refusals.ts";
import { type SchemaConverter, schemaConverter } from "./openapi-schemas.ts";
import { hasPlannedReply, operationId, type Route, route } from "./route.ts";
import { named } from "./schemas.ts";
import { mayWarn, Warnings } from "./warnings.ts";

/** Serves the document of the whole table, which is generated on the first request. */
export function openApiRoute(document: () => OpenApiDocument): Route {
  return route({
    method: "GET",
    path: "/api/v1/openapi.json",
    summary: "Describe the API as an OpenAPI 3.1 document",
    description:
      "The document of this version, the same for all callers. It is made from the table of routes that the service runs " +
      "on. `/docs` shows it to people.",
    permission: "public",
    reply: named(
      "OpenApiDocument",
      Type.Unsafe<OpenApiDocument>({ type: "object", additionalProperties: true, description: "OpenAPI 3.1" }),
    ),
    examples: { reply: { openapi: "3.1.0" } },
    handle: document,
  });
}

/** The OpenAPI 3.1 document of a route table: a pure function. */
export function openApiDocument(routes: readonly Route[]): OpenApiDocument {
  const paths: OpenApiDocument["paths"] = {};
  const schemas = schemaConverter();
  const parameters = parameterTable(routes, schemas);
  // By code unit, not by the language of the machine.
  const sorted = routes.toSorted((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0));
  for (const each of sorted) {
    const path = each.path.replace(/:(\w+)/g, "{$1}");
    paths[path] ??= {};
    paths[path][each.method.toLowerCase()] = operation(each, parameters, schemas);
  }
  const used = new Set(routes.map((each) => each.tag ?? tagOf(each.path)));
  return {
    openapi: "3.1.0",
    info: { title: "Longshore", version: "1", description: introduction },
    servers: [{ url: "/" }],
    security: [{ token: [] }],
    tags: [...used].sort().map((name) => ({ name, description: tagDescriptions[name] ?? "" })),
    paths,
    components: {
      ...components,
      parameters: parameters.components,
      responses: { ...components.responses, ...shareRefusals(paths) },
      schemas: { ...components.schemas, ...schemas.components() },
    },
  };
}

/** Moves each refusal that several operations have to the components, where it is named after the first of them. */
function shareRefusals(paths: OpenApiDocument["paths"]): Record<string, Response> {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const refused = operations.flatMap(({ operationId: id, responses }) =>
    Object.entries(responses).flatMap(([status, response]) =>
      status < "400" || "$ref" in response ? [] : [{ name: `${id}${status}`, status, responses, response }],
    ),
  );
  const shared: Record<string, Response> = {};
  for (const same of Map.groupBy(refused, ({ status, response }) => status + JSON.stringify(response)).values()) {
    const [{ name, response }] = same as [(typeof same)[number]];
    if (same.length === 1) continue;
    shared[name] = response;
    for (const { status, responses } of same) responses[status] = { $ref: `#/components/responses/${name}` };
  }
  return shared;
}

const introduction = `Servers, projects, deployments, domains and databases, over HTTP with JSON.

Every request carries \`Authorization: Bearer TOKEN\`. It runs inside one organization: the one that \`X-Organization\` names, else the token's own, else the one the account is currently in. What is out of your reach is answered as if it did not exist.

Long work is queued: the call returns at once with 202 or 201, and the record shows the progress. \`GET /api/v1/events\` streams it.

Lists take \`page\` and \`per_page\` and answer with \`current_page\`, \`total_pages\` and \`total_items\`. Fields of a body that an endpoint does not know are ignored, and named in \`warnings\` of the answer; a PUT or PATCH without a known field gets 422, and so does a query parameter that the endpoint does not know.

A refusal is \`{"status": "error", "message": …}\`. With 422 there is \`errors\` too, with one sentence for each bad field under its dotted name, all of them at once.

A POST with an \`Idempotency-Key\` is carried out once: the same key and request within 24 hours get the first answer again. Where Longshore was interrupted between the change and its answer, that is 202 with \`message\` and \`records\`, the names of what was changed, such as \`project:5\`.

Requests are limited by the minute for each user, over all tokens; \`X-RateLimit-Remaining\` shows what is left, and a 429 when to try again. Every answer has an \`X-Request-Id\`, which is in the log too, and the version in \`X-Longshore-Version\`.`;

const tagDescriptions: Record<string, string> = {
  apps: "Catalog applications: what can be installed, installations and updates",
  certificates: "Certificates of projects, issued and renewed automatically",
  databases: "Databases on servers: their users, connection settings and dumps",
  "ssh-keys": "Public keys of people and organizations, and the servers that have them",
  deployments: "Attempts to put a release live: request, follow, cancel, run again, roll back",
  domains: "The names that projects answer to",
  events: "What changes, as it happens",
  jobs: "Commands that run beside the site: scheduled, or continuously",
  commands: "Single commands in a project's live release",
  hooks: "Called by git hosts when something was pushed",
  "maintenance-windows": "Periods in which monitors do not count failures",
  me: "The account behind the token: its organizations, tokens and preferences",
  monitors: "Health checks and heartbeats",
  "notification-channels": "Where an organization receives notifications: email, chats, webhooks",
  overview: "What needs attention, what runs, and where records are found",
  organizations: "Members, invitations, roles, restrictions, and the audit log",
  "project-groups": "Projects as the environments of one application",
  projects: "What is deployed: a repository or an app, with its settings, domains and environment",
  "server-costs": "Monthly costs of the servers ordered from clouds",
  "server-orders": "Orders of servers, and their remains at a provider",
  "server-providers": "Connections to clouds that servers are ordered from",
  "server-snapshots": "Images of servers, from which further ones are ordered",
  servers: "Machines that are set up, monitored and deployed to",
  service: "The service itself",
  "status-pages": "Public pages with the state of chosen monitors, and incidents",
  setup: "The first account of an installation",
  "sign-in": "Passwords, second factors, passkeys and sessions of people, for the console's pages",
  "device-authorizations": "Programs that get a token from a person who is signed in elsewhere",
  "source-providers":
    "Connected accounts at git hosts: their repositories, and the webhooks and keys registered with them",
};

function operation(each: Route, parameters: ParameterTable, schemas: SchemaConverter): Operation {
  return withoutUndefined({
    operationId: operationId(each),
    tags: [each.tag ?? tagOf(each.path)],
    summary: each.summary,
    description: [each.description, permissionSentence(each)].filter(Boolean).join("\n\n") || undefined,
    security: each.permission === "public" ? [] : undefined,
    "x-permission": each.permission,
    parameters: parameters.of(each),
    requestBody: requestBody(each, schemas),
    responses: responses(each, schemas),
  }) as Operation;
}

function permissionSentence({ permission }: Route): string {
  if (permission === "public") return "Needs no token.";
  if (permission === "account") return "Needs a session, or a token with `*` that is bound to no organization.";
  if (permission === "session") return "Needs a session: tokens are refused.";
  return permission === "any" ? "Any valid token will do." : `Needs \`${permission}\`.`;
}

/** The heading of an endpoint whose path begins with a segment that has no heading of its own. */
const tagsOfPaths: Record<string, string> = {
  activity: "overview",
  attention: "overview",
  project: "projects",
  frameworks: "projects",
  health: "service",
  invitations: "organizations",
  "openapi.json": "service",
  version: "service",
  search: "overview",
};

function tagOf(path: string): string {
  const [, , , first = "service"] = path.split("/");
  if (/\/projects\/:\w+\/(deployments|recycle|rollback-candidates)$/.test(path)) return "deployments";
  return tagsOfPaths[first] ?? first;
}

// Requests -----------------------------------------------------------------------------------------------------------------

function requestBody(each: Route, schemas: SchemaConverter): Operation["requestBody"] {
  if (each.rawBody) return { required: false, content: { "*/*": { schema: {} } } };
  if (each.streamBody) {
    const schema = { type: "string", format: "binary" };
    return { required: true, content: { "application/octet-stream": { schema } } };
  }
  if (!each.body) return undefined;
  const media = withoutUndefined({ schema: schemas.convert(each.body), example: each.examples?.body });
  const { documentedAs, ...body } = each.body as Schema & { documentedAs?: Schema };
  const { required = [] } = { ...body, ...documentedAs };
  return { required: required.length > 0, content: { "application/json": media } };
}

// Answers ------------------------------------------------------------------------------------------------------------------

function responses(each: Route, schemas: SchemaConverter): Operation["responses"] {
  const reply = schemas.convert(each.reply);
  const schema = mayWarn(each) && !each.refusalBody ? { allOf: [reply, schemas.convert(Warnings)] } : reply;
  const type = each.streams ?? "application/json";
  const success = (status: number): Response => ({
    description: successes[status] ?? "Success",
    headers: answerHeaders,
    content: { [type]: withoutUndefined({ schema, example: each.examples?.reply }) },
  });
  const planned = (): Response => ({
    description: "With `dry_run`: what the request would do",
    headers: answerHeaders,
    content: {
      "application/json": withoutUndefined({
        schema: { allOf: [Planned, Warnings].map(schemas.convert) },
        example: each.examples?.plan,
      }),
    },
  });
  const statuses = [each.status ?? 200, ...(each.otherStatuses ?? [])];
  const isKeyed = each.method === "POST" && each.permission !== "public" && !each.refusalBody;
  const mayBeLost = isKeyed && !statuses.includes(202);
  return {
    ...(mayBeLost ? { "202": { $ref: "#/components/responses/carriedOut" } } : {}),
    ...(hasPlannedReply(each) ? { "200": planned() } : {}),
    ...Object.fromEntries(statuses.map((status) => [String(status), success(status)])),
    ...(each.refusalBody ? withBody(refusals(each), schemas.convert(each.refusalBody)) : refusals(each)),
  };
}

const successes: Record<number, string> = { 200: "Success", 201: "Created", 202: "Accepted: the work is queued" };

const withoutUndefined = <Value extends object>(value: Value): Value =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Value;

// Shared by all operations ---------------------------------------------------------------------------------------------------

const header = (description: string, type = "integer") => ({ description, schema: { type } });

const answerHeaders = Object.fromEntries(
  ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining"].map((name) => [
    name,
    { $ref: `#/components/headers/${name}` },
  ]),
);

/** Of a repetition whose first answer was lost; of a route that answers 202 itself, in place of its body. */
const carriedOut: Response = {
  description: "A repetition with the same Idempotency-Key: the request was carried out, and its answer was lost.",
  headers: answerHeaders,
  content: {
    "application/json": {
      schema: { $ref: "#/components/schemas/CarriedOut" },
      example: {
        status: "success",
        message: "The request was carried out, but Longshore was interrupted before it answered.",
        records: ["project:5"],
      },
    },
  },
};

const components: Omit<OpenApiDocument["components"], "parameters"> = {
  securitySchemes: { token: { type: "http", scheme: "bearer", description: "A token of `POST /api/v1/me/tokens`" } },
  headers: {
    "X-Request-Id": header("Names the request in the log", "string"),
    "X-RateLimit-Limit": header("Requests a minute"),
    "X-RateLimit-Remaining": header("Requests left in this minute"),
  },
  responses: { ...sharedRefusals, carriedOut },
  schemas: {
    Error: {
      type: "object",
      required: ["status", "message"],
      properties: {
        status: { const: "error" },
        message: { type: "string", description: "What failed, and what to do about it" },
        errors: {
          type: "object",
          additionalProperties: { type: "string" },
          description: "One sentence for each bad field, under its dotted name",
        },
        warnings: {
          type: "array",
          items: { type: "string" },
          description: "With errors: one sentence for each field that is not known",
        },
        current: { description: "The record as it is now, if it is not as `expected_updated_at` named it" },
      },
      additionalProperties: false,
    },
    CarriedOut: {
      type: "object",
      required: ["status", "message", "records"],
      properties: {
        status: { const: "success" },
        message: { type: "string", description: "That the request was carried out, as a sentence for people" },
        records: { type: "array", items: { type: "string" }, description: "What was changed, such as `project:5`" },
      },
    },
  },
};
