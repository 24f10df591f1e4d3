import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { unauthenticated } from "../../http/authenticate.ts";
import { countRequest } from "../../http/endpoint.ts";
import { createRateLimiter, type RateLimiter } from "../../http/rate-limit.ts";
import { listOf } from "../../lib/foreign.ts";
import { lazy } from "../../lib/lazy.ts";
import { authenticator } from "../accounts/authenticator.ts";
import { type Connection, connectionFor } from "./calls.ts";
import { memberOf, type Narrowing, narrowingOf } from "./connection.ts";
import { refuseOtherHosts } from "./hosts.ts";
import { mountResourceMetadata, withoutToken } from "./protected-resource.ts";

declare module "fastify" {
  interface FastifyRequest {
    mcp: Connection | undefined;
  }
}

const path = "/mcp";

/** Loads what answers the requests; called with the first of them. */
type Load = (ctx: Context) => Promise<(request: Request, connection: Connection) => Promise<Response>>;

const loadTools: Load = async (ctx) => {
  const { createHandler } = await import("./server.ts");
  return createHandler(ctx);
};

/**
 * `POST /mcp`: the Model Context Protocol, for the caller of a token. Each request stands alone: nothing is kept between two of them,
 * so that every process of the installation can answer each.
 */
export function mountMcp(app: FastifyInstance, ctx: Context, load: Load = loadTools): void {
  const authenticate = authenticator(ctx);
  const onError = (err: unknown) => ctx.log.warn({ err }, "rate limit not given back");
  const limiter = createRateLimiter({ pool: ctx.pool, bucket: "mcp", limit: ctx.config.mcpRateLimit, onError });
  const handler = lazy(() => load(ctx));
  mountResourceMetadata(app, ctx);
  app.decorateRequest("mcp", undefined);
  app.addHook("onClose", () => limiter.close());
  app.route({
    method: "POST",
    url: path,
    config: { keepsRawBody: true },
    onRequest: async (request, reply) => {
      refuseOtherHosts(ctx.config, request.headers);
      const narrowing = narrowingOf(new URLSearchParams(request.url.split("?")[1] ?? ""));
      const [, token] = /^bearer +([\x21-\x7e]{1,512}) *$/i.exec(request.headers.authorization ?? "") ?? [];
      // A cookie would let the page of another site use the session of a browser.
      if (token === undefined) throw withoutToken(ctx);
      const caller = await authenticate(token, narrowing.organizationId);
      if (!caller) throw withoutToken(ctx);
      await countRequest(limiter, caller, reply);
      request.caller = memberOf(caller);
      request.mcp = connectionFor(app, ctx, {
        actor: memberOf(caller),
        sender: senderOf(request, narrowing),
        narrowing,
      });
    },
    handler: async (request, reply) => {
      await countOthers(limiter, request, reply);
      const answer = await handler();
      const gone = new AbortController();
      reply.raw.once("close", () => gone.abort());
      return send(reply, await answer(webRequest(request, gone.signal), request.mcp as Connection));
    },
  });
}

/** Clients of early revisions send several messages in one request, and each counts. */
async function countOthers(
  limiter: RateLimiter,
  { rawBody, caller }: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (!caller || !/^\s*\[/.test(rawBody?.toString("latin1", 0, 64) ?? "")) return;
  const messages = listOf(parsed(rawBody)).length;
  for (let counted = 1; counted < messages; counted++) await countRequest(limiter, caller, reply);
}

function parsed(body: Buffer | undefined): unknown {
  try {
    return JSON.parse(body?.toString("utf8") ?? "");
  } catch {
    return undefined;
  }
}

function senderOf({ headers, ip, caller }: FastifyRequest, narrowing: Narrowing): Connection["sender"] {
  if (!caller) throw unauthenticated();
  return {
    authorization: headers.authorization ?? "",
    caller,
    address: ip,
    organizationId: narrowing.organizationId,
    isReadOnly: narrowing.isReadOnly,
    program: {},
  };
}

function webRequest({ headers, url, rawBody }: FastifyRequest, signal: AbortSignal): Request {
  const given = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each): [string, string] => [name, each]),
  );
  const body = new Uint8Array(rawBody ?? []);
  return new Request(new URL(url, "http://localhost"), { method: "POST", headers: given, body, signal });
}

function send(reply: FastifyReply, answer: Response): FastifyReply {
  reply.code(answer.status).headers(Object.fromEntries(answer.headers));
  if (answer.body === null) return reply.send();
  reply.header("X-Accel-Buffering", "no");
  return reply.send(Readable.fromWeb(answer.body as ReadableStream));
}
