import { type ErrorCode, errorStatus } from "../lib/errors.ts";
import type { Media, Operation, Reference, Response } from "./openapi-document.ts";
import type { Route } from "./route.ts";

// The refusals of a route, for the OpenAPI document: its declared ones, and those of all requests.

/** One sentence for each refusal that requests of every route can get. */
const usualRefusals = {
  malformed_json: "The body is not valid JSON.",
  unauthenticated: "The token is missing, malformed, expired or revoked.",
  forbidden: "The permission is missing, or X-Organization names an organization of others.",
  not_found: "There is no such record, or it is out of reach.",
  conflict: "The first request with this Idempotency-Key is still being carried out.",
  body_too_large: "The body is larger than 1 MiB.",
  unsupported_media_type: "The body is not JSON.",
  invalid: "Some fields are not valid, or query parameters not known; `errors` has one sentence for each.",
  rate_limited: "Too many requests in this minute.",
  unavailable: "The database does not answer. Try again in a moment.",
} as const satisfies Partial<Record<ErrorCode, string>>;

const changedSince = "The record has changed since `expected_updated_at`; `current` is the record as it is now.";

/** The refusing answers of a route, by status. */
export function refusals(each: Route): Operation["responses"] {
  const usual = usualOf(each);
  const own = new Map<number, string[]>(each.record === undefined ? [] : [[errorStatus.conflict, [changedSince]]]);
  for (const [code, sentence] of Object.entries(each.errors ?? {})) {
    const status = errorStatus[code as ErrorCode];
    own.set(status, [...(own.get(status) ?? []), sentence]);
  }
  const shared = usual.filter((code) => !own.has(errorStatus[code]));
  const merged = [...own].map(([status, sentences]) => {
    const general = usual.filter((code) => errorStatus[code] === status).map((code) => usualRefusals[code]);
    return [String(status), refusal([...general, ...sentences].join(" "), status, sentences[0])];
  });
  return {
    ...Object.fromEntries(
      shared.map((code) => [String(errorStatus[code]), { $ref: `#/components/responses/${code}` }]),
    ),
    ...Object.fromEntries(merged),
  };
}

/** The same refusals with another body. */
export function withBody(refused: Operation["responses"], schema: Media["schema"]): Operation["responses"] {
  const descriptionOf = (each: Response | Reference): string =>
    "$ref" in each ? (sharedRefusals[each.$ref.split("/").at(-1) ?? ""]?.description ?? "") : each.description;
  return Object.fromEntries(
    Object.entries(refused).map(([status, each]) => [
      status,
      { description: descriptionOf(each), content: { "application/json": { schema } } },
    ]),
  );
}

function usualOf(each: Route): (keyof typeof usualRefusals)[] {
  // What has refusals of its own is served elsewhere.
  const isAuthenticated = each.permission !== "public" && !each.refusalBody;
  const isOnce = each.method === "POST" && isAuthenticated;
  return [
    ...(isAuthenticated ? (["unauthenticated", "forbidden", "rate_limited", "unavailable"] as const) : []),
    ...(each.params ? (["not_found"] as const) : []),
    // A body is read even when the route has none.
    ...(each.method === "GET" ? [] : (["malformed_json"] as const)),
    ...(each.method === "GET" || each.bodyLimit ? [] : (["body_too_large"] as const)),
    ...(each.method === "GET" || each.rawBody || each.streamBody ? [] : (["unsupported_media_type"] as const)),
    ...(each.ignoresQuery ? [] : (["invalid"] as const)),
    ...(isOnce ? (["conflict"] as const) : []),
  ];
}

function refusal(description: string, status: number, message = description): Response {
  const example = {
    status: "error",
    message,
    ...(status === errorStatus.invalid ? { errors: { name: "The name is required." } } : {}),
  };
  return { description, content: { "application/json": { schema: { $ref: "#/components/schemas/Error" }, example } } };
}

const exampleMessages: Partial<Record<ErrorCode, string>> = {
  unauthenticated: "Unauthenticated.",
  forbidden: "This needs the permission project:update, which your role or token does not have.",
  not_found: "The record was not found.",
  invalid: "The name is required.",
  rate_limited: "More than 120 requests in a minute. Try again in 21 s.",
};

/** The usual refusals, which are referenced by their code. */
export const sharedRefusals: Record<string, Response> = Object.fromEntries(
  Object.entries(usualRefusals).map(([code, sentence]) => [
    code,
    refusal(sentence, errorStatus[code as ErrorCode], exampleMessages[code as ErrorCode]),
  ]),
);
