import type { Context } from "../../../context.ts";
import { transaction } from "../../../db/transaction.ts";
import { callingProgram } from "../../../http/calling-program.ts";
import { clientOf } from "../../../http/clients.ts";
import { insertAccountEntries } from "../../../http/queries.ts";
import type { PublicContext } from "../../../http/route.ts";
import { AppError, notFound } from "../../../lib/errors.ts";
import { commandLine } from "../../../lib/program.ts";
import { findUserByEmail, isBlocked } from "../../accounts/queries.ts";
import { openSession } from "../../accounts/sessions.ts";
import { digestOf, newSecret } from "../../accounts/tokens.ts";
import { bucketsOfLink, countAttempt } from "../attempts.ts";
import { redeemLink, saveLink } from "./queries.ts";

/** Makes the secret of a link that signs the account in, in place of the one before, for the operator: it is stored as a digest only. */
export async function makeSignInCode({ pool }: Pick<Context, "pool">, email: string): Promise<string> {
  const user = await findUserByEmail(pool, email.toLowerCase());
  if (!user) throw notFound("The user");
  if (await isBlocked(pool, user.id)) {
    throw new AppError("refused", `The account is blocked; \`${commandLine("admin unblock-user")}\` ends that.`);
  }
  const code = newSecret("lsl_");
  if (await saveLink(pool, { userId: user.id, digest: digestOf(code) })) return code;
  throw new AppError("refused", "The account has a second factor, so that a link cannot sign it in.");
}

/** The page of the console that takes the code, which is in no request for the page. */
export const signInPage = (url: string, code: string): string => `${url}/sign-in#${code}`;

/** Returns the header with the cookie of a new session. */
export async function signInByLink(ctx: PublicContext, token: string): Promise<{ "Set-Cookie": string }> {
  const { config, ip, headers, requestId } = ctx;
  await countAttempt(ctx.pool, bucketsOfLink(clientOf(config, { ip: ip ?? "", headers })));
  return transaction(ctx.pool, async (tx) => {
    const userId = await redeemLink(tx, digestOf(token));
    if (userId === undefined) {
      throw new AppError("gone", "The link was used or replaced, or has expired. Sign in, or print another one.");
    }
    await insertAccountEntries(tx, {
      ...{ userId, ip, requestId, client: callingProgram(headers, true) },
      ...{ action: "POST /api/auth/sign-in/link", summary: "Sign in by a link that the operator printed" },
    });
    return openSession(tx, ctx, userId);
  });
}
