import { createHmac, randomBytes } from "node:crypto";
import type { Context } from "../../context.ts";
import type { Db } from "../../db/sql.ts";
import { cookiePrefix, isSecure } from "../../http/authenticate.ts";
import type { PublicContext } from "../../http/route.ts";
import { AppError } from "../../lib/errors.ts";
import { findSigningSecret, insertSession, insertSigningSecret, isBlocked } from "./queries.ts";
import { newSecret } from "./tokens.ts";

export const sessionSeconds = 7 * 86_400;

/** For a person who has just proven whose account it is. */
export const blockedSentence = "The account is blocked. Ask who runs this installation.";

/** Signs cookies. Made at the first use, encrypted with the installation's key. If two processes make one, the first wins. */
export async function signingSecret(db: Db, secrets: Context["secrets"]): Promise<string> {
  const known = await findSigningSecret(db);
  if (known) return secrets.decrypt(known);
  await insertSigningSecret(db, secrets.encrypt(randomBytes(32).toString("base64url")));
  return signingSecret(db, secrets);
}

/** Signs an account in that has just proven itself without better-auth. Returns the header with the cookie that it would set. */
export async function openSession(tx: Db, ctx: PublicContext, userId: number): Promise<{ "Set-Cookie": string }> {
  const { config, headers, ip, secrets } = ctx;
  if (await isBlocked(tx, userId)) throw new AppError("forbidden", blockedSentence);
  const token = newSecret("");
  const userAgent = headers["user-agent"]?.slice(0, 512) ?? "";
  await insertSession(tx, { userId, token, seconds: sessionSeconds, ip, userAgent });
  const signature = createHmac("sha256", await signingSecret(tx, secrets))
    .update(token)
    .digest("base64");
  const attributes = [`Max-Age=${sessionSeconds}`, "Path=/", "HttpOnly", "SameSite=Strict"];
  const cookie = `${cookiePrefix(config.publicUrl)}.session_token=${encodeURIComponent(`${token}.${signature}`)}`;
  return { "Set-Cookie": [cookie, ...attributes, ...(isSecure(config.publicUrl) ? ["Secure"] : [])].join("; ") };
}
