import type { FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { addressOf } from "../../http/audit.ts";
import { sessionIn } from "../../http/authenticate.ts";
import { enterRefusedSignIn, enterSignIn } from "./queries.ts";

// Sign-ins pass by the routes whose changes enter themselves in the audit log, so they are entered here: in the log of each
// organization of the account.

/** Enters what a request below `/api/auth` came to, if it was a sign-in. Never throws: the answer is made already. */
export async function recordSignIn(
  { pool, log }: Pick<Context, "pool" | "log">,
  request: FastifyRequest,
  response: Response,
): Promise<void> {
  const from = { ip: addressOf(request.ip), requestId: request.id };
  const session = begunSession(request, response);
  const refused = refusedEmail(request, response);
  try {
    if (session !== undefined) await enterSignIn(pool, session, from);
    if (refused !== undefined) await enterRefusedSignIn(pool, refused, from);
  } catch (err) {
    log.error({ err }, "sign-in not entered in the audit log");
  }
}

/** The session that the answer begins. One that was there before may be given its cookie anew. */
function begunSession({ headers }: FastifyRequest, response: Response): string | undefined {
  const session = sessionIn(response.headers.getSetCookie().filter((cookie) => !/max-age=0/i.test(cookie)));
  return session !== undefined && session !== sessionIn([headers.cookie ?? ""]) ? session : undefined;
}

function refusedEmail({ url, body }: FastifyRequest, { status }: Response): string | undefined {
  if (status !== 401 || !url.startsWith("/api/auth/sign-in/email")) return undefined;
  const { email } = (body ?? {}) as { email?: unknown };
  return typeof email === "string" ? email.toLowerCase() : undefined;
}
