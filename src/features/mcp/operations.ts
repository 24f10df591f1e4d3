import type { TSchema } from "typebox";
import type { Caller } from "../../http/actor.ts";
import type { Schema } from "../../http/json-schema.ts";
import { hasPlannedReply, operationId, type Route } from "../../http/route.ts";
import { isReading, isWithin, nameOfRoute } from "./connection.ts";

// The whole API for two tools: the operations of the route table that a token can send and whose answers are JSON.

/** What destroys or bills although it is no DELETE, and what no plan can count. */
export const alsoConfirmed = [
  "POST /api/v1/projects/:id/commands",
  "PUT /api/v1/projects/:id/environment-variables",
  "PUT /api/v1/projects/:id/domains",
  "POST /api/v1/servers/:id/databases/:database/imports",
  "POST /api/v1/servers/:id/databases/:database/password",
  "POST /api/v1/servers/:id/reboot",
  "POST /api/v1/servers/:id/resize",
  "POST /api/v1/servers/:id/snapshots",
  "POST /api/v1/servers/:id/transfer-organization",
];

/** Whether the request has a dry run, which answers with a plan. */
export const hasPlan = (route: Route): boolean => hasPlannedReply(route) || "dry_run" in propertiesOf(route.query);

export const isConfirmed = (route: Route): boolean =>
  route.method === "DELETE" || hasPlan(route) || alsoConfirmed.includes(nameOfRoute(route));

/** The operations that a caller can ever send over MCP. */
export const operationsOf = (routes: readonly Route[], caller: Caller, isReadOnly: boolean): Route[] =>
  routes.filter(
    (route) =>
      route.path.startsWith("/api/v1/") &&
      route.path !== "/api/v1/openapi.json" &&
      route.permission !== "public" &&
      !route.streams &&
      !route.streamBody &&
      !route.rawBody &&
      isWithin(route.permission, caller) &&
      (!isReadOnly || isReading(route)),
  );

/** By its id, or by method and path, also in the form of the OpenAPI document. */
export function findOperation(operations: readonly Route[], text: string): Route | undefined {
  const asRoute = text.trim().replace(/\{(\w+)\}/g, ":$1");
  return operations.find((route) => operationId(route) === text.trim() || nameOfRoute(route) === asRoute);
}

/** Those that have all words in their names or descriptions; words in name and summary count more. */
export function searchOperations(operations: readonly Route[], text: string): Route[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const ranked = operations.map((route) => ({ route, rank: rankOf(route, words) })).filter(({ rank }) => rank > 0);
  return ranked.toSorted((one, other) => other.rank - one.rank).map(({ route }) => route);
}

function rankOf(route: Route, words: readonly string[]): number {
  const title = `${operationId(route)} ${nameOfRoute(route)} ${route.summary}`.toLowerCase();
  const all = `${title} ${route.description ?? ""} ${route.tag ?? ""}`.toLowerCase();
  const ranks = words.map((word) => {
    const stem = word.length > 4 ? word.replace(/(ies|es|s|ing|ed)$/, "") : word;
    return title.includes(stem) ? 3 : all.includes(stem) ? 1 : 0;
  });
  return ranks.includes(0) ? 0 : ranks.reduce<number>((sum, rank) => sum + rank, 0);
}

/** What a caller has to know to send one. */
export const describeOperation = (route: Route) => ({
  operation: operationId(route),
  request: nameOfRoute(route).replace(/:(\w+)/g, "{$1}"),
  summary: route.summary,
  permission: route.permission,
  confirms: isConfirmed(route),
  params: shapeOf(route.params),
  query: shapeOf(route.query),
  body: shapeOf(route.body),
});

const propertiesOf = (schema: TSchema | undefined): Record<string, Schema> =>
  (schema as Schema | undefined)?.properties ?? {};

const deepest = 3;

/** A schema in one line: `{name: string, health_status?: [integer]|null}`. */
export function shapeOf(schema: TSchema | undefined): string {
  return schema === undefined ? "" : lineOf(schema as Schema, deepest);
}

function lineOf(given: Schema, depth: number): string {
  const schema = given.documentedAs ?? given;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join("|");
  if (schema.anyOf) return [...new Set(schema.anyOf.map((each) => lineOf(each, depth)))].join("|");
  const types = [schema.type ?? "any"].flat();
  return types.map((type) => lineOfType(schema, type, depth)).join("|");
}

function lineOfType(schema: Schema, type: string, depth: number): string {
  if (type === "array") return `[${schema.items ? lineOf(schema.items, depth) : "any"}]`;
  if (type !== "object" || !schema.properties) return type;
  if (depth === 0) return "{…}";
  const required = schema.required ?? [];
  const fields = Object.entries(schema.properties).map(
    ([name, field]) => `${name}${required.includes(name) ? "" : "?"}: ${lineOf(field, depth - 1)}`,
  );
  return `{${fields.join(", ")}}`;
}
