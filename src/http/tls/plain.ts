import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Logger } from "../../lib/log.ts";
import type { Challenges } from "./certificate.ts";

/** What a request over plain HTTP gets. */
export interface PlainAnswer {
  status: number;
  body: string;
  location?: string;
}

const challengePath = /^\/\.well-known\/acme-challenge\/([A-Za-z0-9_-]{1,200})$/;

/** A request has so long to arrive. */
const patienceMs = 10_000;
const mostConnections = 1_000;

/**
 * Redirects to HTTPS, and answers the certificate authority; nothing else is served without TLS. `origins` has the address of each
 * name over HTTPS.
 */
export function plainServer(origins: ReadonlyMap<string, string>, challenges: Challenges, log: Logger): Server {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [, token] = challengePath.exec(request.url ?? "") ?? [];
    const file = token === undefined ? undefined : await challenges.findFile(token);
    send(response, file === undefined ? redirectOf(request, origins) : { status: 200, body: file });
  };
  const server = createServer(
    {
      headersTimeout: patienceMs,
      requestTimeout: patienceMs,
      connectionsCheckingInterval: 1_000,
      maxHeaderSize: 8_192,
    },
    (request, response) => {
      answer(request, response).catch((err: unknown) => {
        log.warn({ err }, "a request of the certificate authority was not answered");
        send(response, { status: 503, body: "The database does not answer.\n" });
      });
    },
  );
  server.maxConnections = mostConnections;
  return server;
}

/** To the same address over HTTPS, if that is one of ours: another Host must not choose where a browser goes. */
export function redirectOf(
  { url = "/", headers }: Pick<IncomingMessage, "url" | "headers">,
  origins: ReadonlyMap<string, string>,
): PlainAnswer {
  const [, authority, path = "/"] = /^(?:http:\/\/([^/?#]*))?(.*)$/is.exec(url) ?? [];
  const name = (authority ?? headers.host ?? "").toLowerCase().replace(/\.?(:\d*)?$/, "");
  const origin = origins.get(name);
  if (origin === undefined) {
    const [first = ""] = origins.values();
    return { status: 404, body: `Nothing is served at this address. Longshore is at ${first}.\n` };
  }
  const location = `${origin}${path.startsWith("/") ? path : `/${path.replace(/^[^?]*/, "")}`}`;
  return { status: 308, body: `This is served at ${origin}.\n`, location };
}

// Each connection is for one request: a browser does not come back, and the next one may hold none of ours open.
function send(response: ServerResponse, { status, body, location }: PlainAnswer): void {
  response.writeHead(status, {
    "Content-Type": "text/plain; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    Connection: "close",
    ...(location === undefined ? {} : { Location: location }),
  });
  response.end(body);
}
