import { randomUUID } from "node:crypto";
import type { Server as HttpServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import fastJson, { type Schema } from "fast-json-stringify";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from "fastify";
import { consoleDirectory } from "../config.ts";
import type { Context } from "../context.ts";
import { pollUntil } from "../lib/clock.ts";
import { AppError, notFound } from "../lib/errors.ts";
import { lazy } from "../lib/lazy.ts";
import { version } from "../lib/version.ts";
import { collectMethods, type MethodsOf, methodNotAllowed, pathOf } from "./allowed-methods.ts";
import type { Authenticate } from "./authenticate.ts";
import { addBodyParsers } from "./bodies.ts";
import { openBodyQuota } from "./body-quota.ts";
import { boundBodyTime } from "./body-stream.ts";
import { clientOf, limitConnections, singleClient } from "./clients.ts";
import { addConsole, type WebConsole } from "./console.ts";
import { crossOriginHeaders, isPreflight, preflightHeaders } from "./cors.ts";
import { addDocs } from "./docs.ts";
import { addRoute, type Pipeline, setRateHeaders } from "./endpoint.ts";
import { errorAnswer, json, readable, usualBodyLimit } from "./errors.ts";
import { type Metrics, openMetrics } from "./metrics.ts";
import { deleteOldKeys } from "./queries.ts";
import { openRateLimiters } from "./rate-limit.ts";
import { requestLogOf, routeOf } from "./request-log.ts";
import type { Route } from "./route.ts";
import { routeTable } from "./table.ts";
import { addWelcome } from "./welcome.ts";

declare module "fastify" {
  interface FastifyInstance {
    /** The routes of the API, for other interfaces of this process. */
    routes: readonly Route[];
  }
}

const keySweepMs = 10 * 60_000;
/** A client that was silent for so long is not in the middle of a series of requests. */
const quietMs = 250;
const busyMs = 2_000;

/**
 * The HTTP application for a table of routes, whose document has those that are `described` as well; it includes health, the
 * OpenAPI document, its reference /docs, and the web console at every other address. `app.close()` lets requests in progress finish, ends streams, and
 * leaves the context's pool open.
 */
export function buildApp(
  ctx: Context,
  features: readonly Route[],
  authenticate: Authenticate,
  described: readonly Route[] = [],
): FastifyInstance {
  const { routes, document } = routeTable(features, described);
  const app = newFastify(ctx);
  const methodsOf = collectMethods(app);
  const stopping = new AbortController();
  const pipeline: Pipeline = {
    ctx,
    authenticate,
    limiters: openRateLimiters(ctx),
    methodsOf,
    streams: new Set(),
    stopping: stopping.signal,
    routes,
  };
  const metrics = openMetrics(ctx);
  app.decorateRequest("caller", undefined);
  app.decorate("routes", routes);
  // Compiled for the first answer of a route: most routes are never called, and compiling all takes 0.1 s and 9 MB.
  app.setSerializerCompiler(({ schema }) => {
    const serialize = lazy(() => fastJson(schema as Schema));
    return (answer) => serialize()(answer);
  });
  addBodyParsers(app);
  boundBodyTime(app);
  boundTheUnproven(app, ctx);
  addAnswerHooks(app, pipeline, metrics);
  const webConsole = addConsole(app, consoleDirectory(ctx.config));
  addErrorHandlers(app, methodsOf, webConsole);
  for (const route of routes) addRoute(app, pipeline, route);
  addDocs(app, document);
  addWelcome(app, webConsole);
  app.addHook("preClose", async () => stopping.abort());
  addDraining(app, ctx.config.drainSeconds);
  addLifecycle(app, pipeline, metrics);
  return app;
}

function newFastify(ctx: Context): FastifyInstance {
  return Fastify({
    loggerInstance: ctx.log,
    // A logger per request costs more than its line: each line names its request instead.
    childLoggerFactory: (logger) => logger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    bodyLimit: usualBodyLimit,
    // The timeout for a body differs from route to route (body-stream.ts). Node limits the time for headers.
    requestTimeout: 0,
    forceCloseConnections: "idle",
    // Requests that arrive during the close are answered, each as the last one of its connection.
    return503OnClosing: false,
    // Clients of a forward proxy send the whole address, and every server has to accept it (RFC 9112, 3.2.2).
    rewriteUrl: ({ url = "/" }) => url.replace(/^https?:\/\/[^/?#]*\/?/i, "/"),
    // Node would answer without our headers: `addAnswerHooks` refuses such requests.
    http: { requireHostHeader: false },
    trustProxy: ctx.config.trustedProxies.length > 0 ? [...ctx.config.trustedProxies] : false,
    // A caller's own id is kept when it cannot garble a log line.
    genReqId: ({ headers: { "x-request-id": given } }) =>
      typeof given === "string" && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID(),
    frameworkErrors: (error, request, reply) => {
      setCommonHeaders(request, reply);
      setRateHeaders(reply, ctx.config.rateLimit, ctx.config.rateLimit);
      sendError(error, request, reply);
    },
    // Node's parser gave the request up: it reaches no route.
    clientErrorHandler: (error, socket) => {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ECONNRESET" || !socket.writable) return;
      const [status, message] =
        code === "HPE_HEADER_OVERFLOW"
          ? ["431 Request Header Fields Too Large", "The address and headers may have 16 KB together."]
          : ["400 Bad Request", "The request is not HTTP that can be understood."];
      const body = JSON.stringify({ status: "error", message });
      const head = [
        `HTTP/1.1 ${status}`,
        "Content-Type: application/json",
        `Content-Length: ${body.length}`,
        "Connection: close",
        `X-Request-Id: ${randomUUID()}`,
        `X-RateLimit-Limit: ${ctx.config.rateLimit}`,
        `X-RateLimit-Remaining: ${ctx.config.rateLimit}`,
      ];
      socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
    },
  }) as unknown as FastifyInstance<HttpServer>;
}

/** Limits what clients can hold before they are authenticated: connections, and bodies in memory. */
function boundTheUnproven(app: FastifyInstance, { config }: Context): void {
  limitConnections(app.server, config.connectionsPerAddress, singleClient(config));
  const quota = openBodyQuota();
  // After the onRequest hooks, which determine the caller, and before the body is read.
  app.addHook("preParsing", async (request, reply) => {
    if (request.caller === undefined) quota.admit(request, reply, clientOf(config, request));
  });
}

// Every answer -----------------------------------------------------------------------------------------------------------

function addAnswerHooks(app: FastifyInstance, { ctx }: Pipeline, metrics: Metrics): void {
  // An expectation other than 100-continue may be ignored; Node would refuse it without our headers.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  const origins = new Set(ctx.config.corsOrigins);
  const logRequest = requestLogOf(ctx.log);
  app.addHook("onRequest", (request, reply, done) => {
    setCommonHeaders(request, reply);
    // Overwritten as soon as the user is known; without a user only a full budget can be reported.
    setRateHeaders(reply, ctx.config.rateLimit, ctx.config.rateLimit);
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1") {
      return done(new AppError("malformed_json", "The request has no Host header."));
    }
    const origin = request.headers.origin;
    if (origin !== undefined && origins.has(origin)) {
      reply.headers(crossOriginHeaders(origin));
      if (isPreflight(request)) return void reply.code(204).headers(preflightHeaders).send();
    }
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    const route = routeOf(request);
    metrics.observe(request.method, route, reply.statusCode, reply.elapsedTime / 1000);
    logRequest(request, reply);
    done();
  });
}

function setCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header("X-Request-Id", request.id);
  reply.header("Cache-Control", "no-store");
  reply.header("X-Content-Type-Options", "nosniff");
  // An open page of the console notices that the service was upgraded.
  if (request.url.startsWith("/api/")) reply.header("X-Longshore-Version", version);
  // No answer is a page, except those that set their own policy.
  reply.header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
}

// Errors -----------------------------------------------------------------------------------------------------------------

function addErrorHandlers(app: FastifyInstance, methodsOf: MethodsOf, webConsole: WebConsole): void {
  app.setErrorHandler(sendError);
  const answer = (request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply> => {
    const path = pathOf(request.url);
    const allowed = methodsOf(path);
    if (allowed.length === 0) return answerUnknown(webConsole, request, reply);
    if (request.method !== "OPTIONS")
      return sendError(methodNotAllowed(request.method, path, methodsOf), request, reply);
    return reply.code(204).header("Allow", allowed.join(", ")).send();
  };
  app.setNotFoundHandler(answer);
  // Before the body is read: Fastify would refuse one that is invalid, and a QUERY without one, with 400.
  app.addHook("preParsing", (request, reply, _payload, done) => {
    if (request.is404) answer(request, reply);
    else done();
  });
}

async function answerUnknown(webConsole: WebConsole, request: FastifyRequest, reply: FastifyReply) {
  try {
    if (!(await webConsole.answer(request, reply))) sendError(notFound("This address"), request, reply);
  } catch (error) {
    sendError(error, request, reply);
  }
  return reply;
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = readable(error);
  const { id: requestId } = request;
  if (!known) request.log.error({ requestId, err: error }, "request failed");
  else if (known.cause !== undefined && known.status >= 500) request.log.warn({ requestId, err: error }, known.message);
  const answer = errorAnswer(error, requestId, request.routeOptions.bodyLimit);
  // HTTP/2 has no such header: its streams end one by one.
  if (request.raw.httpVersionMajor === 2) delete answer.headers.Connection;
  return reply.code(answer.status).headers(answer.headers).type(json).send(answer.body);
}

// Start and stop -----------------------------------------------------------------------------------------------------------

/**
 * Lets clients leave before the server closes: a load balancer, which needs time to see that health is 503 now, and clients that
 * send one request after the other on a connection. An answer now closes its connection; closing an idle one would break a request
 * that is on its way.
 */
function addDraining(app: FastifyInstance, drainSeconds: number): void {
  let lastRequestAt = 0;
  app.addHook("onRequest", (_request, _reply, done) => {
    lastRequestAt = performance.now();
    done();
  });
  app.addHook("preClose", async () => {
    if (!app.server.listening) return;
    await delay(drainSeconds * 1_000);
    const isQuiet = () => performance.now() - lastRequestAt > quietMs;
    await pollUntil(isQuiet, { timeoutMs: busyMs, everyMs: 20 });
  });
}

function addLifecycle(app: FastifyInstance, { ctx, limiters, streams }: Pipeline, metrics: Metrics): void {
  const sweep = setInterval(() => {
    deleteOldKeys(ctx.pool).catch((err: unknown) => ctx.log.warn({ err }, "idempotency keys not swept"));
  }, keySweepMs);
  sweep.unref();
  app.addHook("onReady", () => metrics.listen());
  let closing: NodeJS.Timeout | undefined;
  app.addHook("preClose", async () => {
    for (const stream of streams) stream.destroy();
    // Otherwise, connections whose last answer is sent during the close stay open for their keep-alive time.
    closing = setInterval(() => app.server.closeIdleConnections(), 50);
  });
  app.addHook("onClose", async () => {
    clearInterval(closing);
    clearInterval(sweep);
    await Promise.all([limiters.tokens.close(), limiters.sessions.close()]);
    await metrics.close();
  });
}
