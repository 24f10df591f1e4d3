import { Transform, type TransformCallback } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { AppError } from "../lib/errors.ts";
import { tooLarge, usualBodyLimit } from "./errors.ts";
import type { Route } from "./route.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The body as it arrives, when the route streams it. */
    bodyStream: Transform | undefined;
  }
  interface FastifyContextConfig {
    /** The timeout for a body. */
    bodyTimeoutMs?: number;
  }
}

/** Maximum time for which a client that sends its request drop by drop holds a connection. */
export const usualBodyTimeoutMs = 120_000;
// How long an answer that was sent before the end of the body may take to reach a client that is still sending.
const lingerMs = 1_000;

/** Closes the connection of a client whose body does not arrive within the route's timeout. */
export function boundBodyTime(app: FastifyInstance): void {
  app.decorateRequest("bodyStream", undefined);
  app.addHook("onRequest", (request, _reply, done) => {
    const { headers, raw, routeOptions } = request;
    const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
    if (!hasBody) return done();
    const timer = setTimeout(() => {
      if (!raw.complete) raw.destroy(new AppError("malformed_json", "The body did not arrive in time."));
    }, routeOptions.config.bodyTimeoutMs ?? usualBodyTimeoutMs);
    timer.unref();
    for (const end of ["end", "close"]) raw.once(end, () => clearTimeout(timer));
    done();
  });
}

/** In this scope, handlers receive bodies as they arrive, up to the limit of the route. */
export function addStreamParser(scope: FastifyInstance, { bodyLimit = usualBodyLimit }: Route): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("application/octet-stream", (request, payload, done) => {
    if (Number(request.headers["content-length"] ?? 0) > bodyLimit) return done(tooLarge(bodyLimit));
    const stream = new BoundedBody(bodyLimit);
    request.bodyStream = stream;
    // The end of the connection is not the end of the body.
    const refusePart = (): void => {
      if (!request.raw.complete) stream.destroy(new AppError("malformed_json", "The body did not arrive completely."));
    };
    request.raw.once("close", refusePart);
    // It may have ended while the caller was authenticated.
    if (request.raw.destroyed) refusePart();
    // The reader of the stream handles its errors; without a reader they are ignored.
    stream.on("error", () => undefined);
    payload.pipe(stream);
    done(null, undefined);
  });
  scope.addContentTypeParser("*", (_request, _payload, done) =>
    done(
      new AppError("unsupported_media_type", "The body must be bytes, with Content-Type: application/octet-stream."),
    ),
  );
  scope.addHook("onSend", async (request, reply) => {
    if (!request.raw.complete) closeAfterAnswer(request, reply);
  });
}

/**
 * Answers before the end of the body, and does not read the rest. The connection is closed a moment later, and not with the
 * answer as `Connection: close` does: a connection that is closed with unread bytes is reset, and the client may lose the answer.
 */
export function closeAfterAnswer({ raw }: FastifyRequest, reply: FastifyReply): void {
  raw.pause();
  reply.raw.once("finish", () => setTimeout(() => raw.destroy(), lingerMs).unref());
}

/** Fails when more bytes than the limit arrive. */
class BoundedBody extends Transform {
  private readonly limit: number;
  private size = 0;

  constructor(limit: number) {
    super();
    this.limit = limit;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.size += chunk.length;
    if (this.size > this.limit) done(tooLarge(this.limit));
    else done(null, chunk);
  }
}
