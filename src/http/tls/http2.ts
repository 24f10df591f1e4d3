import type { IncomingMessage, ServerResponse } from "node:http";
import {
  constants,
  createServer,
  type Http2Server,
  type Http2ServerRequest,
  type ServerHttp2Session,
} from "node:http2";

/** Requests of one connection at once. A page of the console has a stream of events beside a dozen requests. */
const mostStreams = 100;
/** As for HTTP/1.1, whose headers may have 16 KB. */
const mostHeaderBytes = 16_384;
/** A connection without any traffic is closed after so long; that of a stream has a comment every 15 seconds. */
const idleMs = 75_000;

export interface Http2 {
  /** Takes connections by its event `connection`. */
  server: Http2Server;
  /** Lets requests under way end, and refuses further ones: clients send these again on another connection. */
  close(): void;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Serves requests of HTTP/2 with a handler of HTTP/1.1. */
export function http2For(handler: Handler): Http2 {
  const sessions = new Set<ServerHttp2Session>();
  let isClosing = false;
  const settings = { maxConcurrentStreams: mostStreams, maxHeaderListSize: mostHeaderBytes };
  const server = createServer({ settings }, (request, response) =>
    handler(inTermsOfHttp1(request), response as unknown as ServerResponse),
  );
  server.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
    session.setTimeout(idleMs, () => session.close());
    if (isClosing) session.close();
  });
  // An expectation other than 100-continue may be ignored.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  return {
    server,
    close: () => {
      isClosing = true;
      for (const session of sessions) session.close();
    },
  };
}

/**
 * The request as the application reads it: without pseudo-headers, with a Host, and with Transfer-Encoding where a body of unknown
 * length follows, so that all its limits hold. Node would also report a cancelled body as complete, and keep the stream of a request
 * that is destroyed.
 */
function inTermsOfHttp1(request: Http2ServerRequest): IncomingMessage {
  const { stream } = request;
  request.on("error", () => undefined);
  request.once("aborted", () => request.destroy(new Error("The request was cancelled")));
  return Object.defineProperties(request, {
    headers: { value: headersOf(request) },
    complete: { get: () => !request.aborted && (stream.endAfterHeaders || request.readableEnded) },
    _destroy: {
      value: (error: Error | null, done: (error: Error | null) => void) => {
        if (!stream.closed) stream.close(constants.NGHTTP2_CANCEL);
        done(error);
      },
    },
  }) as unknown as IncomingMessage;
}

function headersOf({ headers, stream }: Http2ServerRequest): Record<string, string | string[] | undefined> {
  const named = Object.entries(headers).filter(([name]) => !name.startsWith(":"));
  const { ":authority": authority, "content-length": length } = headers;
  return {
    ...Object.fromEntries(named),
    ...(authority === undefined ? {} : { host: authority }),
    ...(length === undefined && !stream.endAfterHeaders ? { "transfer-encoding": "chunked" } : {}),
  };
}
