import type { Readable } from "node:stream";
import fastJson, { type Schema } from "fast-json-stringify";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Context } from "../context.ts";
import { AppError, type FieldErrors, invalid, notFound } from "../lib/errors.ts";
import { type Caller, isInOrganization } from "./actor.ts";
import { type MethodsOf, methodNotAllowed, pathOf } from "./allowed-methods.ts";
import { auditOf, subjectsOfChange } from "./audit.ts";
import { type Authenticate, credentialOf, organizationAsked, unauthenticated } from "./authenticate.ts";
import { addStreamParser, usualBodyTimeoutMs } from "./body-stream.ts";
import { callingProgram } from "./calling-program.ts";
import { isCounted } from "./counted-requests.ts";
import { errorAnswer, json, readable, type WireAnswer } from "./errors.ts";
import { ChangedSince, expectedIn } from "./expected.ts";
import { poolWithHooks } from "./hooked-pool.ts";
import { type IdempotentRequest, type MarkCommit, onceForKey } from "./idempotency.ts";
import { permissionRefusal } from "./permission.ts";
import type { RateLimiter, RateLimiters, Verdict } from "./rate-limit.ts";
import { RequestScope } from "./request-scope.ts";
import {
  Answer,
  type Input,
  paramsAs,
  queryNamesOrganization,
  querySchema,
  type Route,
  StreamAnswer,
} from "./route.ts";
import { type Parsed, type Parser, parserOf, pathReaderOf } from "./validation.ts";
import { answerSchemas, errorWithWarnings, withWarnings } from "./warnings.ts";

declare module "fastify" {
  interface FastifyRequest {
    caller: Caller | undefined;
  }
}

/** The parts that all requests pass through, created once. */
export interface Pipeline {
  ctx: Context;
  authenticate: Authenticate;
  limiters: RateLimiters;
  methodsOf: MethodsOf;
  /** Streams in progress: they would keep a closing server open. */
  streams: Set<Readable>;
  /** Aborts when the server closes: waiting requests then answer with their current state. */
  stopping: AbortSignal;
  routes: readonly Route[];
}

/** A route with the parsers of its input. */
interface Endpoint {
  route: Route;
  params: ((given: unknown) => unknown) | undefined;
  /** Undefined when callers add parameters of their own. */
  query: Parser | undefined;
  /** Undefined when the route reads the bytes. */
  body: Parser | undefined;
}

const nothing = parserOf(Type.Object({}));

/** Adds a route of the table: admit the caller, read the input, call the handler, answer. */
export function addRoute(app: FastifyInstance, pipeline: Pipeline, route: Route): void {
  if (!route.streamBody) {
    defineRoute(app, pipeline, route);
    return;
  }
  // Parsers of bodies belong to a scope.
  app.register(async (scope) => {
    addStreamParser(scope, route);
    defineRoute(scope as unknown as FastifyInstance, pipeline, route);
  });
}

function defineRoute(app: FastifyInstance, pipeline: Pipeline, route: Route): void {
  const endpoint: Endpoint = {
    route,
    params: route.params && pathReaderOf(route.params),
    query: route.ignoresQuery ? undefined : parserOf(querySchema(route)),
    body: route.rawBody || route.streamBody ? undefined : route.body ? parserOf(route.body) : nothing,
  };
  app.route({
    method: route.method,
    url: route.path,
    config: {
      keepsRawBody: route.rawBody === true,
      bodyTimeoutMs: route.bodyTimeoutMs ?? usualBodyTimeoutMs,
      ...(route.params ? { params: route.params } : {}),
    },
    ...(route.changes ? { exposeHeadRoute: false } : {}),
    ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
    schema: route.streams === undefined ? { response: answerSchemas(route) } : {},
    onRequest: async (request, reply) => {
      refuseOtherPath(pipeline, endpoint, request);
      if (route.permission !== "public") request.caller = await admit(pipeline, route, request, reply);
      await route.admit?.(new RequestScope(pipeline, request, reply), pathParams(endpoint, request));
    },
    handler: (request, reply) => handle(pipeline, endpoint, request, reply),
  });
}

/** The path may be that of another route, without this method: `PUT /monitors/options` arrives at `PUT /monitors/:id`. */
function refuseOtherPath({ methodsOf }: Pipeline, { params }: Endpoint, request: FastifyRequest): void {
  if (!params || params(request.params) !== undefined) return;
  const path = pathOf(request.url);
  const allowed = methodsOf(path);
  if (allowed.length > 0 && !allowed.includes(request.method)) throw methodNotAllowed(request.method, path, methodsOf);
}

/** Invalid ones are those of a record that does not exist. */
function pathParams({ params }: Endpoint, request: FastifyRequest): unknown {
  if (!params) return undefined;
  const read = params(request.params);
  if (read === undefined) throw notFound("The record");
  return read;
}

/** Authenticate, rate limit, organization, permission: in this order, so that a refusal reveals no more than it must. */
async function admit(
  { ctx, authenticate, limiters }: Pipeline,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const { organizationParam } = route;
  const inPath = organizationParam && (request.params as Record<string, string>)[organizationParam];
  const { headers, method } = request;
  const changes = route.changes ?? (method !== "GET" && method !== "HEAD");
  const credential = credentialOf({ headers, changes }, ctx.config.publicUrl);
  const inQuery = queryNamesOrganization(route) ? (request.query as Record<string, unknown>).organization : undefined;
  const asked = organizationAsked({ inHeader: headers["x-organization"], inQuery, inPath });
  const caller = await authenticate(credential, asked);
  if (!caller) throw unauthenticated();
  if (!isCounted()) await countRequest(caller.tokenId === null ? limiters.sessions : limiters.tokens, caller, reply);
  const needsNone = route.withoutOrganization === true && asked === undefined && !caller.isBound;
  if (!isInOrganization(caller) && !needsNone) {
    if (inPath !== undefined) throw notFound("The organization");
    const message = "You are not a member of this organization, or your token is bound to another one.";
    throw new AppError("forbidden", message);
  }
  const refusal = permissionRefusal(route, caller);
  if (refusal) throw refusal;
  return caller;
}

/** Throws 429 when the caller's budget of the minute is used up. */
export async function countRequest(limiter: RateLimiter, { userId }: Caller, reply: FastifyReply): Promise<void> {
  const verdict = await limiter.take(userId);
  setRateHeaders(reply, limiter.limit, verdict.remaining);
  if (!verdict.isAllowed) throw rateLimited(verdict, limiter.limit);
}

function rateLimited(verdict: Verdict, limit: number): AppError {
  const seconds = Math.max(1, Math.ceil(verdict.resetsInMs / 1000));
  return new AppError("rate_limited", `More than ${limit} requests in a minute. Try again in ${seconds} s.`, {
    headers: {
      "Retry-After": String(seconds),
      "X-RateLimit-Reset": String(Math.ceil((Date.now() + verdict.resetsInMs) / 1000)),
    },
  });
}

async function handle(
  pipeline: Pipeline,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { route } = endpoint;
  const { input, errors, receivedField, warnings } = readInput(endpoint, request);
  const perform = async (mark?: MarkCommit) => {
    const found = await route.check?.(new RequestScope(pipeline, request, reply), input);
    const refusals = { ...renamed(found ?? {}, receivedField), ...errors };
    if (Object.keys(refusals).length > 0) throw invalid(refusals, warnings);
    try {
      return withWarnings(await carryOut(pipeline, route, { input, request, reply, mark }), warnings);
    } catch (error) {
      if (error instanceof ChangedSince) throw await withCurrent(pipeline, route, { input, request, reply });
      throw errorWithWarnings(error, warnings);
    }
  };
  const key = request.headers["idempotency-key"];
  const isOnce = route.method === "POST" && route.streams === undefined && !route.streamBody;
  if (!isOnce || key === undefined || !request.caller) {
    return send(pipeline, route, reply, await perform());
  }
  const asked = idempotentRequest(route, request, request.caller);
  const answer = await onceForKey(pipeline.ctx, asked, async (mark) => {
    try {
      return onTheWire(route, reply, await perform(mark));
    } catch (error) {
      const refusal = readable(error);
      if (!refusal || refusal.status >= 500) throw error;
      return errorAnswer(refusal, request.id);
    }
  });
  return reply.code(answer.status).headers(answer.headers).type(json).send(answer.body);
}

/** The refusal with the record, if the caller may read it. */
async function withCurrent(
  pipeline: Pipeline,
  { path, record }: Route,
  { input, request, reply }: Omit<Work, "mark">,
): Promise<AppError> {
  const refusal = new ChangedSince();
  const shown = pipeline.routes.find(({ method, path }) => method === "GET" && path === record);
  if (!shown || permissionRefusal(shown, request.caller as Caller)) return refusal;
  const params = paramsAs(shown.path, { path, params: input.params as object });
  const read = { params, query: {}, body: undefined, rawBody: undefined, bodyStream: undefined };
  const answer = (await shown.handle(new RequestScope(pipeline, request, reply), read)) as object;
  const { status: _, ...rest } = JSON.parse(fastJson(shown.reply as Schema)(answer)) as object & {
    data?: unknown;
    status?: unknown;
  };
  refusal.current = rest.data ?? rest;
  return refusal;
}

interface Work {
  input: Input<unknown, unknown, unknown>;
  request: FastifyRequest;
  reply: FastifyReply;
  mark: MarkCommit | undefined;
}

/** Every change leaves an entry in the audit log and marks the request's key, independent of the handler. */
async function carryOut(pipeline: Pipeline, route: Route, { input, request, reply, mark }: Work): Promise<unknown> {
  const { caller: actor, id: requestId } = request;
  const { expected, body } = route.record ? expectedIn(input.body) : { expected: undefined, body: input.body };
  const { params, query } = input;
  // An audit log belongs to an organization, and has what was done.
  const audit =
    actor && isInOrganization(actor) && !isDryRun(input.query)
      ? auditOf(pipeline.ctx, {
          ...{ route, actor, requestId, from: request.ip, params, query, body },
          client: callingProgram(request.headers, actor.tokenId === null),
        })
      : undefined;
  const marks = mark?.((result) => subjectsOfChange({ route, params, body }, result));
  const hooks = [audit?.record, marks].filter((hook) => hook !== undefined);
  const pool = poolWithHooks(pipeline.ctx.pool, hooks);
  const result = await route.handle(new RequestScope(pipeline, request, reply, pool, expected), { ...input, body });
  await audit?.complete(result).catch((error: unknown) => {
    if (result instanceof StreamAnswer) result.stream.destroy();
    throw error;
  });
  return result;
}

const isDryRun = (query: unknown): boolean => (query as { dry_run?: boolean } | undefined)?.dry_run === true;

const idempotentRequest = (route: Route, request: FastifyRequest, caller: Caller): IdempotentRequest => ({
  userId: caller.userId,
  key: String(request.headers["idempotency-key"]),
  identity: [
    `${caller.organizationId} ${request.method} ${request.url}\n`,
    credentialIn(route, caller),
    // The received bytes: the parsed body has lost its unknown fields by now.
    request.rawBody ?? "",
  ],
});

/**
 * A key belongs to the user, but not every answer may go to all of the user's tokens. When only the route's permission allows
 * an answer, the token that repeats the request has been checked for it. When the handler examined the token itself, or
 * showed a secret, only the credential of the first request gets the answer again.
 */
function credentialIn({ permission, showsSecret }: Route, { tokenId }: Caller): string {
  if (permission !== "any" && !showsSecret) return "";
  return tokenId === null ? "session\n" : `token ${tokenId}\n`;
}

/**
 * The valid parts of query and body, and the errors of the rest; an invalid path parameter means a record that does not
 * exist.
 */
function readInput(endpoint: Endpoint, request: FastifyRequest) {
  const { route, query } = endpoint;
  const readQuery = query?.parseText(request.query);
  const readBody = readBodyOf(endpoint, request.body);
  const input: Input<unknown, unknown, unknown> = {
    params: pathParams(endpoint, request),
    query: route.query && readQuery?.value,
    body: route.body && readBody?.value,
    rawBody: route.rawBody ? request.rawBody : undefined,
    bodyStream: request.bodyStream,
  };
  const { unknown } = readBody ?? {};
  // A change without a known field changes nothing, and must not be answered as if it did.
  const changesNothing = unknown?.isAll && route.body && (route.method === "PUT" || route.method === "PATCH");
  return {
    input,
    errors: { ...readQuery?.errors, ...(changesNothing ? unknown.sentences : {}), ...readBody?.errors },
    receivedField: readBody?.receivedField,
    warnings: unknown && !changesNothing ? Object.values(unknown.sentences) : [],
  };
}

function readBodyOf({ route, body }: Endpoint, given: unknown): Partial<Parsed> | undefined {
  // Without a body every required field is missing, and each is reported.
  const read = body?.parse(given ?? {});
  // A route without fields accepts every body.
  return route.body ? read : { ...(read?.unknown ? { unknown: read.unknown } : {}) };
}

/** The errors that a check found in the valid parts of a body, at their places in the received one. */
function renamed(errors: FieldErrors, receivedField?: (field: string) => string): FieldErrors {
  if (!receivedField) return errors;
  return Object.fromEntries(Object.entries(errors).map(([field, sentence]) => [receivedField(field), sentence]));
}

function send(pipeline: Pipeline, route: Route, reply: FastifyReply, result: unknown): FastifyReply {
  if (result instanceof StreamAnswer) {
    const { contentType, stream, headers } = result;
    pipeline.streams.add(stream);
    stream.once("close", () => pipeline.streams.delete(stream));
    return reply.code(200).type(contentType).headers(headers).header("X-Accel-Buffering", "no").send(stream);
  }
  if (result instanceof Answer) return reply.code(result.status).headers(result.headers).send(result.body);
  return reply.code(route.status ?? 200).send(result);
}

function onTheWire(route: Route, reply: FastifyReply, result: unknown): WireAnswer {
  const answer = result instanceof Answer ? result : new Answer(route.status ?? 200, result);
  reply.code(answer.status);
  return { status: answer.status, headers: answer.headers, body: String(reply.serialize(answer.body)) };
}

export function setRateHeaders(reply: FastifyReply, limit: number, remaining: number): void {
  reply.header("X-RateLimit-Limit", limit);
  reply.header("X-RateLimit-Remaining", remaining);
}
