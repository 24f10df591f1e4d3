import { type TSchema, Type } from "typebox";
import { type ErrorCode, errorStatus } from "../lib/errors.ts";
import { type Route, route } from "./route.ts";

/** Serves the document of the whole table, which is made when first asked for. */
export function openApiRoute(routes: () => readonly Route[]): Route {
  let document: Record<string, unknown> | undefined;
  return route({
    method: "GET",
    path: "/api/v1/openapi.json",
    summary: "Describe the API as an OpenAPI 3.1 document",
    permission: "public",
    reply: Type.Unsafe<Record<string, unknown>>({}),
    handle: () => {
      document ??= openApiDocument(routes());
      return document;
    },
  });
}

/** The OpenAPI 3.1 document of a route table: a pure function of it. */
export function openApiDocument(routes: readonly Route[]): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const each of [...routes].sort((one, other) => compare(one.path, other.path))) {
    const path = each.path.replace(/:(\w+)/g, "{$1}");
    paths[path] ??= {};
    paths[path][each.method.toLowerCase()] = operation(each);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Longshore",
      version: "1",
      description:
        "Servers, projects, deployments, domains and databases. Long work is queued: the call returns at once and the client polls the record.",
    },
    servers: [{ url: "/" }],
    security: [{ token: [] }],
    paths,
    components,
  };
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

function operation(each: Route): Record<string, unknown> {
  const needs = each.permission === "public" || each.permission === "any" ? "" : `Needs \`${each.permission}\`.`;
  return {
    operationId: operationId(each),
    tags: [each.tag ?? tagOf(each.path)],
    summary: each.summary,
    description: [each.description, needs].filter(Boolean).join("\n\n") || undefined,
    security: each.permission === "public" ? [] : undefined,
    "x-permission": each.permission,
    parameters: parameters(each),
    requestBody: requestBody(each),
    responses: responses(each),
  };
}

/** `postProjectsIdMove`: stable as long as method and path are. */
function operationId({ method, path }: Route): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== "" && word !== "api" && word !== "v1");
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

const tagOf = (path: string): string => path.split("/")[3] ?? "api";

function parameters(each: Route): unknown[] {
  const headers = each.permission === "public" ? [] : [{ $ref: "#/components/parameters/organization" }];
  if (each.method === "POST" && headers.length > 0) headers.push({ $ref: "#/components/parameters/idempotencyKey" });
  return [...fields(each.params, "path"), ...fields(each.query, "query"), ...headers];
}

function fields(type: TSchema | undefined, place: "path" | "query"): unknown[] {
  const { properties = {}, required = [] } = (documented(type) ?? {}) as {
    properties?: Record<string, { description?: string }>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: place === "path" || required.includes(name),
    description: schema.description,
    schema,
  }));
}

function requestBody(each: Route): unknown {
  if (!each.body) return undefined;
  const schema = documented(each.body) as { required?: string[] };
  return {
    required: (schema.required ?? []).length > 0,
    content: { "application/json": { schema, example: each.examples?.body } },
  };
}

function responses(each: Route): Record<string, unknown> {
  const success = {
    description: "Success",
    headers: answerHeaders,
    content: {
      [each.streams ?? "application/json"]: { schema: documented(each.reply), example: each.examples?.reply },
    },
  };
  const statuses = [each.status ?? 200, ...(each.otherStatuses ?? [])];
  return {
    ...Object.fromEntries(statuses.map((status) => [String(status), success])),
    ...errorResponses(each),
  };
}

function errorResponses(each: Route): Record<string, unknown> {
  const sentences = new Map<number, string[]>();
  const say = (code: ErrorCode, sentence: string) => {
    const status = errorStatus[code];
    sentences.set(status, [...(sentences.get(status) ?? []), sentence]);
  };
  if (each.permission !== "public") {
    say("unauthenticated", "The token is missing, malformed, expired or revoked.");
    say("forbidden", "The permission is missing, or X-Organization names an organization of others.");
    say("rate_limited", "Too many requests in this minute.");
  }
  if (each.params) say("not_found", "There is no such record, or it is out of reach.");
  if (each.body) {
    say("malformed_json", "The body is not valid JSON.");
    say("body_too_large", "The body is larger than 1 MiB.");
    say("unsupported_media_type", "The body is not JSON.");
  }
  if (each.body || each.query) say("invalid", "Some fields are not valid; `errors` has one sentence for each.");
  for (const [code, sentence] of Object.entries(each.errors ?? {})) say(code as ErrorCode, sentence);
  const content = { "application/json": { schema: { $ref: "#/components/schemas/Error" } } };
  return Object.fromEntries(
    [...sentences].map(([status, texts]) => [String(status), { description: texts.join(" "), content }]),
  );
}

/** The schema without what only this code reads. */
function documented(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(documented);
  if (typeof schema !== "object" || schema === null) return schema;
  const { documentedAs, errorMessage: _, ...rest } = schema as Record<string, unknown>;
  const shown = { ...rest, ...(documentedAs as object | undefined) };
  return Object.fromEntries(Object.entries(shown).map(([key, value]) => [key, documented(value)]));
}

const header = (name: string, description: string, type = "integer") => [name, { description, schema: { type } }];

const answerHeaders = Object.fromEntries([
  header("X-Request-Id", "Names the request in the log", "string"),
  header("X-RateLimit-Limit", "Requests a minute"),
  header("X-RateLimit-Remaining", "Requests left in this minute"),
]);

const components = {
  securitySchemes: { token: { type: "http", scheme: "bearer", description: "A token of `POST /api/v1/me/tokens`" } },
  parameters: {
    organization: {
      name: "X-Organization",
      in: "header",
      required: false,
      description: "The organization of this request; without it, the one the account is currently in",
      schema: { type: "integer", minimum: 1 },
    },
    idempotencyKey: {
      name: "Idempotency-Key",
      in: "header",
      required: false,
      description: "The same key, user and body within 24 hours gets the first answer again",
      schema: { type: "string", minLength: 1, maxLength: 255 },
    },
  },
  schemas: {
    Error: {
      type: "object",
      required: ["status", "message"],
      properties: {
        status: { const: "error" },
        message: { type: "string", description: "What was wrong, and what to do about it" },
        errors: {
          type: "object",
          additionalProperties: { type: "string" },
          description: "One sentence for each bad field, under its dotted name",
        },
      },
    },
  },
};
