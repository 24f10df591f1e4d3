import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../context.ts";
import { AppError, type FieldErrors, invalid, notFound } from "../lib/errors.ts";
import { type Actor, actsAsAccount, can } from "./actor.ts";
import { auditOf } from "./audit.ts";
import { type Authenticate, credentialOf, organizationAsked, unauthenticated } from "./authenticate.ts";
import { addStreamParser, usualBodyTimeoutMs } from "./body-stream.ts";
import { errorAnswer, json, readable, type WireAnswer } from "./errors.ts";
import { type IdempotentRequest, onceForKey } from "./idempotency.ts";
import type { RateLimiter, Verdict } from "./rate-limit.ts";
import { RequestScope } from "./request-scope.ts";
import { Answer, type Input, type Route, StreamAnswer } from "./route.ts";
import { type Parser, parserOf, pathReaderOf } from "./validation.ts";

declare module "fastify" {
  interface FastifyRequest {
    actor: Actor | undefined;
  }
}

/** The parts that all requests pass through, created once. */
export interface Pipeline {
  ctx: Context;
  authenticate: Authenticate;
  limiter: RateLimiter;
  /** Streams in progress: they would keep a closing server open. */
  streams: Set<Readable>;
  /** Aborts when the server closes: waiting requests then answer with their current state. */
  stopping: AbortSignal;
}

/** A route with the parsers of its input. */
interface Endpoint {
  route: Route;
  params: ((given: unknown) => unknown) | undefined;
  query: Parser | undefined;
  body: Parser | undefined;
}

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
    query: route.query && parserOf(route.query),
    body: route.body && parserOf(route.body),
  };
  app.route({
    method: route.method,
    url: route.path,
    config: { keepsRawBody: route.rawBody === true, bodyTimeoutMs: route.bodyTimeoutMs ?? usualBodyTimeoutMs },
    ...(route.bodyLimit === undefined ? {} : { bodyLimit: route.bodyLimit }),
    schema: route.streams === undefined ? { response: { "2xx": route.reply } } : {},
    onRequest: async (request, reply) => {
      if (route.permission !== "public") request.actor = await admit(pipeline, route, request, reply);
      await route.admit?.(new RequestScope(pipeline, request, reply), endpoint.params?.(request.params));
    },
    handler: (request, reply) => handle(pipeline, endpoint, request, reply),
  });
}

/** Authenticate, rate limit, organization, permission: in this order, so that a refusal reveals no more than it must. */
async function admit(
  { ctx, authenticate, limiter }: Pipeline,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Actor> {
  const { organizationParam } = route;
  const inPath = organizationParam && (request.params as Record<string, string>)[organizationParam];
  const credential = credentialOf(request, ctx.config.publicUrl);
  const caller = await authenticate(credential, organizationAsked(request.headers, inPath));
  if (!caller) throw unauthenticated();
  const verdict = await limiter.take(caller.userId);
  setRateHeaders(reply, limiter.limit, verdict.remaining);
  if (!verdict.isAllowed) throw rateLimited(verdict, limiter.limit);
  const { actor } = caller;
  if (!actor) {
    if (inPath !== undefined) throw notFound("The organization");
    const message = "You are not a member of this organization, or your token is bound to another one.";
    throw new AppError("forbidden", message);
  }
  refuseUnpermitted(route, actor);
  return actor;
}

function refuseUnpermitted({ permission }: Route, actor: Actor): void {
  if (permission === "any" || permission === "public") return;
  if (permission === "account") {
    if (actsAsAccount(actor)) return;
    throw new AppError("forbidden", "This changes your account. Sign in, or use a token with all permissions (*).");
  }
  if (can(actor, permission)) return;
  throw new AppError("forbidden", `This needs the permission ${permission}, which your role or token does not have.`);
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
  const { input, errors } = readInput(endpoint, request);
  const check = () => route.check?.(new RequestScope(pipeline, request, reply), input);
  if (errors) throw invalid({ ...(await check()), ...errors });
  const perform = async () => {
    const refusals = await check();
    if (refusals && Object.keys(refusals).length > 0) throw invalid(refusals);
    return await carryOut(pipeline, route, { input, request, reply });
  };
  const key = request.headers["idempotency-key"];
  const isOnce = route.method === "POST" && route.streams === undefined && !route.streamBody;
  if (!isOnce || key === undefined || !request.actor) {
    return send(pipeline, route, reply, await perform());
  }
  const asked = idempotentRequest(route, request, request.actor);
  const answer = await onceForKey(pipeline.ctx, asked, async () => {
    try {
      return onTheWire(route, reply, await perform());
    } catch (error) {
      const refusal = readable(error);
      if (!refusal || refusal.status >= 500) throw error;
      return errorAnswer(refusal, request.id);
    }
  });
  return reply.code(answer.status).headers(answer.headers).type(json).send(answer.body);
}

/** Every change leaves an entry in the audit log, independent of the handler. */
async function carryOut(
  pipeline: Pipeline,
  route: Route,
  { input, request, reply }: { input: Input<unknown, unknown, unknown>; request: FastifyRequest; reply: FastifyReply },
): Promise<unknown> {
  const { actor, id: requestId } = request;
  if (!actor) return await route.handle(new RequestScope(pipeline, request, reply), input);
  const { params, body } = input;
  const audit = auditOf(pipeline.ctx, { route, actor, requestId, from: request.ip, params, body });
  const result = await route.handle(new RequestScope(pipeline, request, reply, audit.pool), input);
  await audit.complete(result);
  return result;
}

const idempotentRequest = (route: Route, request: FastifyRequest, actor: Actor): IdempotentRequest => ({
  userId: actor.userId,
  key: String(request.headers["idempotency-key"]),
  identity: [
    `${actor.organizationId} ${request.method} ${request.url}\n`,
    credentialIn(route, actor),
    // The received bytes: the parsed body has lost its unknown fields by now.
    request.rawBody ?? "",
  ],
});

/**
 * A key belongs to the user, but not every answer may go to all of the user's tokens. When only the route's permission allows
 * an answer, the token that repeats the request has been checked for it. When the handler examined the token itself, or
 * showed a secret, only the credential of the first request gets the answer again.
 */
function credentialIn({ permission, showsSecret }: Route, { tokenId }: Actor): string {
  if (permission !== "any" && !showsSecret) return "";
  return tokenId === null ? "session\n" : `token ${tokenId}\n`;
}

/**
 * The valid parts of query and body, and the errors of the rest; an invalid path parameter means a record that does not
 * exist.
 */
function readInput(endpoint: Endpoint, request: FastifyRequest) {
  const { route, params, query, body } = endpoint;
  const errors: FieldErrors = {};
  const take = (parsed: { value?: unknown; errors?: FieldErrors } | undefined): unknown => {
    Object.assign(errors, parsed?.errors);
    return parsed?.value;
  };
  const input: Input<unknown, unknown, unknown> = {
    params: params?.(request.params),
    query: take(query?.parseText(request.query)),
    // Without a body every required field is missing, and each is reported.
    body: take(body?.parse(request.body ?? {})),
    rawBody: route.rawBody ? request.rawBody : undefined,
    bodyStream: request.bodyStream,
  };
  return { input, errors: Object.keys(errors).length > 0 ? errors : undefined };
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
