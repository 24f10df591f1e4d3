import { randomUUID } from "node:crypto";
import type { Server as HttpServer } from "node:http";
import type { Readable } from "node:stream";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from "fastify";
import type { Context } from "../context.ts";
import { AppError, type FieldErrors, invalid, notFound } from "../lib/errors.ts";
import { type Actor, can } from "./actor.ts";
import { type Authenticate, bearerToken, organizationHeader, unauthenticated } from "./authenticate.ts";
import { crossOriginHeaders, isPreflight, preflightHeaders } from "./cors.ts";
import { errorBody, readable } from "./errors.ts";
import { healthRoute } from "./health.ts";
import { onceForKey, type WireAnswer } from "./idempotency.ts";
import { methodsOf } from "./known-paths.ts";
import { type Metrics, openMetrics } from "./metrics.ts";
import { openApiRoute } from "./openapi.ts";
import { deleteOldKeys } from "./queries.ts";
import { createRateLimiter, type RateLimiter, type Verdict } from "./rate-limit.ts";
import { Answer, type Input, type RequestContext, type Route, StreamAnswer } from "./route.ts";
import { type Parser, parserOf, pathReaderOf } from "./validation.ts";

declare module "fastify" {
  interface FastifyRequest {
    actor: Actor | undefined;
    rawBody: Buffer | undefined;
  }
}

const bodyLimit = 1024 * 1024;
const keySweepMs = 10 * 60_000;

/** What every request passes through, made once. */
interface Pipeline {
  ctx: Context;
  authenticate: Authenticate;
  limiter: RateLimiter;
  metrics: Metrics;
  /** Streams under way: they would keep a closing server open. */
  streams: Set<Readable>;
}

/** A route with the readers of its input. */
interface Endpoint {
  route: Route;
  params: ((given: unknown) => unknown) | undefined;
  query: Parser | undefined;
  body: Parser | undefined;
}

/**
 * The HTTP application for a table of routes; health and the OpenAPI document come with it. `app.close()` lets requests
 * under way finish, ends streams, and leaves the context's pool open.
 */
export function buildApp(ctx: Context, features: readonly Route[], authenticate: Authenticate): FastifyInstance {
  const routes: Route[] = [...features, healthRoute, openApiRoute(() => routes)];
  const app = newFastify(ctx);
  const pipeline: Pipeline = {
    ctx,
    authenticate,
    limiter: createRateLimiter({
      pool: ctx.pool,
      bucket: "api",
      limit: ctx.config.rateLimit,
      onError: (err) => ctx.log.warn({ err }, "rate limit not given back"),
    }),
    metrics: openMetrics(ctx),
    streams: new Set(),
  };
  app.decorateRequest("actor", undefined);
  app.decorateRequest("rawBody", undefined);
  addBodyParsers(app);
  addAnswerHooks(app, pipeline);
  addErrorHandlers(app, routes);
  for (const route of routes) addRoute(app, pipeline, route);
  addLifecycle(app, pipeline);
  return app;
}

function newFastify(ctx: Context): FastifyInstance {
  return Fastify({
    loggerInstance: ctx.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    bodyLimit,
    // A client that sends its request drop by drop holds a connection no longer than this.
    requestTimeout: 120_000,
    forceCloseConnections: "idle",
    genReqId: (request) => requestIdOf(request.headers["x-request-id"]),
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(request, reply);
      setRateHeaders(reply, ctx.config.rateLimit, ctx.config.rateLimit);
      sendError(error, request, reply);
    },
    clientErrorHandler: (error, socket) => {
      if ((error as NodeJS.ErrnoException).code === "ECONNRESET" || !socket.writable) return;
      const body = JSON.stringify({ status: "error", message: "The request is not HTTP that can be understood." });
      socket.end(
        `HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\nX-Request-Id: ${randomUUID()}\r\n\r\n${body}`,
      );
    },
  }) as unknown as FastifyInstance<HttpServer>;
}

/** A caller's own id is kept when it cannot garble a log line. */
const requestIdOf = (given: string | string[] | undefined): string =>
  typeof given === "string" && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID();

// Bodies ---------------------------------------------------------------------------------------------------------------

function addBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser("remove", "remove");
  app.addContentTypeParser<Buffer>(
    /^application\/([\w.-]+\+)?json(;|$)/,
    { parseAs: "buffer" },
    (request, body, done) => {
      if (request.routeOptions.config.keepsRawBody) request.rawBody = body;
      if (body.length === 0) return done(null, undefined);
      parseJson(request, body.toString("utf8"), (error, value) => {
        if (error) done(new AppError("malformed_json", "The body is not valid JSON.", { cause: error }));
        else done(null, value);
      });
    },
  );
  app.addContentTypeParser<Buffer>("*", { parseAs: "buffer" }, (request, body, done) => {
    if (request.routeOptions.config.keepsRawBody) request.rawBody = body;
    else if (body.length > 0) return done(notJson());
    done(null, undefined);
  });
}

const notJson = (): AppError =>
  new AppError("unsupported_media_type", "The body must be JSON, with Content-Type: application/json.");

// Every answer -----------------------------------------------------------------------------------------------------------

function addAnswerHooks(app: FastifyInstance, { ctx, limiter, metrics }: Pipeline): void {
  const origins = new Set(ctx.config.corsOrigins);
  app.addHook("onRequest", (request, reply, done) => {
    setCommonHeaders(request, reply);
    // Overwritten as soon as the user is known; without one there is no budget to report but a full one.
    setRateHeaders(reply, limiter.limit, limiter.limit);
    const origin = request.headers.origin;
    if (origin !== undefined && origins.has(origin)) {
      reply.headers(crossOriginHeaders(origin));
      if (isPreflight(request)) return void reply.code(204).headers(preflightHeaders).send();
    }
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "unknown";
    metrics.observe(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    // The pattern instead of the address: addresses of webhooks hold secrets.
    const ids = request.params as object | undefined;
    const line = {
      method: request.method,
      route,
      ...(request.actor ? { ids, userId: request.actor.userId, organizationId: request.actor.organizationId } : {}),
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
    };
    request.log.info(line, "request");
    done();
  });
}

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header("X-Request-Id", request.id);
  reply.header("Cache-Control", "no-store");
  reply.header("X-Content-Type-Options", "nosniff");
}

function setRateHeaders(reply: FastifyReply, limit: number, remaining: number): void {
  reply.header("X-RateLimit-Limit", limit);
  reply.header("X-RateLimit-Remaining", remaining);
}

// Errors -----------------------------------------------------------------------------------------------------------------

function addErrorHandlers(app: FastifyInstance, routes: readonly Route[]): void {
  const methods = methodsOf(routes);
  app.setErrorHandler(sendError);
  app.setNotFoundHandler((request, reply) => {
    const allowed = methods(request.url.split("?", 1)[0] ?? "");
    if (allowed.length === 0) return sendError(notFound("This address"), request, reply);
    const headers = { Allow: allowed.join(", ") };
    if (request.method === "OPTIONS") return reply.code(204).headers(headers).send();
    const message = `${request.method} is not possible here. Use ${allowed.join(", ")}.`;
    return sendError(new AppError("method_not_allowed", message, { headers }), request, reply);
  });
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = readable(error);
  if (!known) request.log.error({ err: error }, "request failed");
  else if (known.cause !== undefined && known.status >= 500) request.log.warn({ err: error }, known.message);
  const answer = errorAnswer(error, request.id);
  return reply.code(answer.status).headers(answer.headers).type(json).send(answer.body);
}

function errorAnswer(error: unknown, requestId: string): WireAnswer {
  const known = readable(error);
  if (known) return { status: known.status, headers: known.headers, body: JSON.stringify(errorBody(known)) };
  const message = `Something went wrong on our side. The log has the details under the request id ${requestId}.`;
  return { status: 500, headers: {}, body: JSON.stringify({ status: "error", message }) };
}

const json = "application/json; charset=utf-8";

// One route --------------------------------------------------------------------------------------------------------------

declare module "fastify" {
  interface FastifyContextConfig {
    keepsRawBody?: boolean;
  }
}

function addRoute(app: FastifyInstance, pipeline: Pipeline, route: Route): void {
  const endpoint: Endpoint = {
    route,
    params: route.params && pathReaderOf(route.params),
    query: route.query && parserOf(route.query),
    body: route.body && parserOf(route.body),
  };
  app.route({
    method: route.method,
    url: route.path,
    config: { keepsRawBody: route.rawBody === true },
    schema: route.streams === undefined ? { response: { "2xx": route.reply } } : {},
    onRequest: async (request, reply) => {
      if (route.permission !== "public") request.actor = await admit(pipeline, route, request, reply);
    },
    handler: (request, reply) => handle(pipeline, endpoint, request, reply),
  });
}

/** Authenticate, rate limit, organization, permission: in this order, so that a refusal tells nothing that it need not. */
async function admit(
  { authenticate, limiter }: Pipeline,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Actor> {
  const caller = await authenticate(bearerToken(request.headers), organizationHeader(request.headers));
  if (!caller) throw unauthenticated();
  const verdict = await limiter.take(caller.userId);
  setRateHeaders(reply, limiter.limit, verdict.remaining);
  if (!verdict.isAllowed) throw rateLimited(verdict, limiter.limit);
  const { actor } = caller;
  if (!actor) throw new AppError("forbidden", "You are not a member of this organization.");
  if (route.permission !== "any" && route.permission !== "public" && !can(actor, route.permission)) {
    throw new AppError(
      "forbidden",
      `This needs the permission ${route.permission}, which your role or token does not have.`,
    );
  }
  return actor;
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
  const { ctx } = pipeline;
  const { route } = endpoint;
  const input = readInput(endpoint, request);
  const perform = async () => await route.handle(requestContext(ctx, request, reply), input);
  const key = request.headers["idempotency-key"];
  if (route.method !== "POST" || key === undefined || !request.actor || route.streams !== undefined) {
    return send(pipeline, route, reply, await perform());
  }
  const { userId, organizationId } = request.actor;
  const identity = [organizationId, request.method, request.url, request.body ?? null];
  const answer = await onceForKey(ctx, { userId, key: String(key), identity }, async () => {
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

function requestContext(ctx: Context, request: FastifyRequest, reply: FastifyReply): RequestContext {
  let gone: AbortController | undefined;
  return {
    ...ctx,
    log: request.log as Context["log"],
    actor: request.actor as Actor,
    requestId: request.id,
    headers: request.headers,
    // Made when first asked for: few handlers are.
    get signal() {
      if (!gone) {
        const controller = new AbortController();
        gone = controller;
        reply.raw.once("close", () => controller.abort());
      }
      return gone.signal;
    },
  };
}

/** Everything that is wrong with query and body at once; a wrong path parameter is a record that does not exist. */
function readInput({ params, query, body }: Endpoint, request: FastifyRequest): Input<unknown, unknown, unknown> {
  const errors: FieldErrors = {};
  const take = (parsed: { value?: unknown; errors?: FieldErrors } | undefined): unknown => {
    Object.assign(errors, parsed?.errors);
    return parsed?.value;
  };
  const input = {
    params: params?.(request.params),
    query: take(query?.parseText(request.query)),
    // Without a body every required field is missing, and each is named.
    body: take(body?.parse(request.body ?? {})),
    rawBody: request.rawBody,
  };
  if (Object.keys(errors).length > 0) throw invalid(errors);
  return input;
}

function send(pipeline: Pipeline, route: Route, reply: FastifyReply, result: unknown): FastifyReply {
  if (result instanceof StreamAnswer) return sendStream(pipeline, reply, result);
  if (result instanceof Answer) return reply.code(result.status).headers(result.headers).send(result.body);
  return reply.code(route.status ?? 200).send(result);
}

function onTheWire(route: Route, reply: FastifyReply, result: unknown): WireAnswer {
  const answer = result instanceof Answer ? result : new Answer(route.status ?? 200, result);
  reply.code(answer.status);
  return { status: answer.status, headers: answer.headers, body: String(reply.serialize(answer.body)) };
}

function sendStream({ streams }: Pipeline, reply: FastifyReply, { contentType, stream }: StreamAnswer): FastifyReply {
  streams.add(stream);
  stream.once("close", () => streams.delete(stream));
  return reply.code(200).type(contentType).header("X-Accel-Buffering", "no").send(stream);
}

// Start and stop -----------------------------------------------------------------------------------------------------------

function addLifecycle(app: FastifyInstance, { ctx, limiter, metrics, streams }: Pipeline): void {
  const sweep = setInterval(() => {
    deleteOldKeys(ctx.pool).catch((err: unknown) => ctx.log.warn({ err }, "idempotency keys not swept"));
  }, keySweepMs);
  sweep.unref();
  app.addHook("onReady", () => metrics.listen());
  let closing: NodeJS.Timeout | undefined;
  app.addHook("preClose", async () => {
    for (const stream of streams) stream.destroy();
    // Connections whose last answer is sent during the close stay open for their keep-alive time otherwise.
    closing = setInterval(() => app.server.closeIdleConnections(), 50);
  });
  app.addHook("onClose", async () => {
    clearInterval(closing);
    clearInterval(sweep);
    await limiter.close();
    await metrics.close();
  });
}
