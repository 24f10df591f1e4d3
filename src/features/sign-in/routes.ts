import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { Context } from "../../context.ts";
import { isSecure, sessionOf } from "../../http/authenticate.ts";
import { clientOf } from "../../http/clients.ts";
import { parserOf } from "../../http/validation.ts";
import { invalid, notFound } from "../../lib/errors.ts";
import { objectOf, scalarOf } from "../../lib/foreign.ts";
import { findAccount } from "../accounts/authenticator.ts";
import { type Bucket, bucketsOfSession, bucketsOfSignIn, countAttempt, forgiveAttempt } from "./attempts.ts";
import type { SignIn } from "./auth.ts";
import { deviceCookie, findDevice } from "./devices.ts";
import { bodyLimit, type Endpoint, endpoints } from "./endpoints.ts";
import { findSessionToken } from "./queries.ts";
import { addressHeader, ownHeaders, requestIdHeader } from "./schema.ts";

/**
 * Serves the endpoints in endpoints.ts below `/api/auth`, for the console, as better-auth documents them, with three exceptions: no
 * response contains the token of a session, messages are sentences with a full stop, and `POST /revoke-session` takes the
 * session's `id`. The session cookie also works for the API.
 */
export function mountSignIn(app: FastifyInstance, ctx: Context): void {
  let opening: Promise<SignIn> | undefined;
  const open = (): Promise<SignIn> => {
    opening ??= import("./auth.ts").then(({ openSignIn }) => openSignIn(ctx));
    // If the database was unavailable, it may respond to the next request.
    opening.catch(() => {
      opening = undefined;
    });
    return opening;
  };
  for (const endpoint of endpoints) {
    app.route({
      method: endpoint.method,
      url: `/api/auth${endpoint.path}`,
      bodyLimit,
      handler: async (request, reply) => {
        refuseUnreadable(endpoint, request);
        const signIn = await open();
        const attempt = await attemptOf(ctx, signIn, endpoint, request);
        await countAttempt(ctx.pool, attempt.buckets);
        const response = await signIn.respond(
          requestOf(request, ctx.config.publicUrl, await bodyOf(ctx, endpoint, request)),
        );
        if (response.ok) await forgiveAttempt(ctx.pool, attempt.buckets);
        if (response.ok && attempt.newDevice) response.headers.append("set-cookie", attempt.newDevice);
        return sendResponse(reply, response);
      },
    });
  }
}

const bodies = parserOf(Type.Unsafe({ type: "object", additionalProperties: true }));

/** better-auth would pass such values on to the database, whose error is a 500. */
function refuseUnreadable({ takesId }: Endpoint, { body }: FastifyRequest): void {
  if (body === undefined) return;
  const { errors } = bodies.parse(body);
  if (errors) throw invalid(errors);
  const { id } = objectOf(body);
  if (takesId && id !== undefined && !/^[1-9]\d{0,14}$/.test(scalarOf(id))) throw notFound("The record");
}

interface Attempt {
  buckets: Bucket[];
  /** The cookie for an unknown browser, if the password is correct. */
  newDevice?: string | undefined;
}

async function attemptOf(
  ctx: Context,
  signIn: SignIn,
  { password }: Endpoint,
  request: FastifyRequest,
): Promise<Attempt> {
  if (password === "sign-in") {
    const email = scalarOf(objectOf(request.body).email).toLowerCase();
    const device = findDevice(signIn.secret, email, request.headers.cookie);
    const buckets = bucketsOfSignIn({ email, device, client: clientOf(ctx.config, request) });
    const newDevice =
      device === undefined ? deviceCookie(signIn.secret, email, isSecure(ctx.config.publicUrl)) : undefined;
    return { buckets, newDevice };
  }
  const session = password === "confirm" ? sessionOf(request.headers, ctx.config.publicUrl) : undefined;
  // Nothing is counted, and so stored, for an invalid session.
  const isSignedIn = session !== undefined && (await findAccount(ctx, session)) !== undefined;
  return { buckets: isSignedIn ? bucketsOfSession(session.session) : [] };
}

/** The body as better-auth takes it. */
async function bodyOf({ pool }: Context, { path }: Endpoint, request: FastifyRequest): Promise<Buffer | undefined> {
  if (path !== "/revoke-session") return request.rawBody;
  const id = scalarOf(objectOf(request.body).id);
  // better-auth ends it only if it belongs to the caller.
  const token = /^[1-9]\d{0,14}$/.test(id) ? await findSessionToken(pool, Number(id)) : undefined;
  return Buffer.from(JSON.stringify({ token: token ?? "" }));
}

function requestOf(request: FastifyRequest, publicUrl: string | undefined, body: Buffer | undefined): Request {
  const { method, url, ip, id, protocol, host } = request;
  const headers = new Headers({ [addressHeader]: ip, [requestIdHeader]: id });
  for (const [name, value] of Object.entries(request.headers)) {
    if (!ownHeaders.includes(name) && name !== "content-length" && typeof value === "string") headers.set(name, value);
  }
  // Behind a proxy that terminates TLS, only the configuration has the address that browsers use.
  const origin = publicUrl && new URL(publicUrl).host === host ? new URL(publicUrl).origin : `${protocol}://${host}`;
  return new Request(`${origin}${url}`, { method, headers, ...(body && { body: new Uint8Array(body) }) });
}

async function sendResponse(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  for (const [name, value] of response.headers) {
    if (name !== "set-cookie" && name !== "content-length") reply.header(name, value);
  }
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) reply.header("set-cookie", cookies);
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") ?? false;
  if (!isJson) return reply.code(response.status).send(text);
  const body: unknown = JSON.parse(text, (key, value) => {
    // A session's token belongs only in its cookie, which scripts cannot read; better-auth repeats it in its responses.
    if (key === "token") return undefined;
    return key === "message" && typeof value === "string" ? sentenceOf(value) : value;
  });
  return reply.code(response.status).send(JSON.stringify(body));
}

/** better-auth's messages have no full stop, unlike all others of the API. */
const sentenceOf = (message: string): string => (/\w$/.test(message) ? `${message}.` : message);
