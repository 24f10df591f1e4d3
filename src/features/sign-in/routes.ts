import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import type { SignIn } from "./auth.ts";
import { addressHeader } from "./schema.ts";

/**
 * Answers everything below `/api/auth`, for the console: `POST /sign-in/email`, `/sign-out`, `/two-factor/…`, `/passkey/…`,
 * `GET /get-session`, as better-auth documents them. The session cookie it sets also serves for the API.
 */
export function mountSignIn(app: FastifyInstance, ctx: Context): void {
  let opening: Promise<SignIn> | undefined;
  const open = (): Promise<SignIn> => {
    opening ??= import("./auth.ts").then(({ openSignIn }) => openSignIn(ctx));
    // A database that did not answer may answer the next request.
    opening.catch(() => {
      opening = undefined;
    });
    return opening;
  };
  app.route({
    method: ["GET", "POST"],
    url: "/api/auth/*",
    handler: async (request, reply) => {
      const signIn = await open();
      return sendResponse(reply, await signIn(requestOf(request, ctx.config.publicUrl)));
    },
  });
}

function requestOf({ method, url, headers, rawBody, ip, protocol, host }: FastifyRequest, publicUrl?: string): Request {
  const own = new Headers({ [addressHeader]: ip });
  for (const [name, value] of Object.entries(headers)) {
    if (name !== addressHeader && typeof value === "string") own.set(name, value);
  }
  // Behind a proxy that ends TLS, only the configuration knows how browsers see this address.
  const origin = publicUrl && new URL(publicUrl).host === host ? new URL(publicUrl).origin : `${protocol}://${host}`;
  return new Request(`${origin}${url}`, { method, headers: own, ...(rawBody && { body: new Uint8Array(rawBody) }) });
}

async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  for (const [name, value] of response.headers) if (name !== "set-cookie") reply.header(name, value);
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) reply.header("set-cookie", cookies);
  return reply.code(response.status).send(Buffer.from(await response.arrayBuffer()));
}
