import { AsyncLocalStorage } from "node:async_hooks";
import { passkey } from "@better-auth/passkey";
import { betterAuth } from "better-auth";
import { twoFactor } from "better-auth/plugins/two-factor";
import type { Context } from "../../context.ts";
import { isOutage } from "../../db/outage.ts";
import { cookiePrefix, isSecure } from "../../http/authenticate.ts";
import { digestPassword, isPassword } from "../../lib/password.ts";
import { sessionSeconds, signingSecret } from "../accounts/sessions.ts";
import { auditLog } from "./audit.ts";
import { checkSession } from "./codes.ts";
import { lendPool } from "./queries.ts";
import {
  accountTable,
  addressHeader,
  passkeySchema,
  sessionTable,
  twoFactorSchema,
  userTable,
  verificationTable,
} from "./schema.ts";

// This file is loaded with the first request that signs in: better-auth takes a third of a second and 70 MB.

export interface SignIn {
  /** Answers a request below `/api/auth`. Rejects when the database is away. */
  respond: (request: Request) => Promise<Response>;
  /** The key that signs cookies. */
  secret: string;
}

const daySeconds = 86_400;

/** The request under way, with the outage of the database that it met. */
const requests = new AsyncLocalStorage<{ outage?: unknown }>();

/** Password, second factor (TOTP, backup codes) and passkeys, on our database. */
export async function openSignIn({ config, pool, secrets, log }: Context): Promise<SignIn> {
  const secret = await signingSecret(pool, secrets);
  const address = config.publicUrl === undefined ? undefined : new URL(config.publicUrl);
  const auth = betterAuth({
    appName: "Longshore",
    secret,
    database: lendPool(pool, (error) => {
      const request = requests.getStore();
      if (request && isOutage(error)) request.outage = error;
    }),
    basePath: "/api/auth",
    user: userTable,
    session: { ...sessionTable, expiresIn: sessionSeconds, updateAge: daySeconds },
    account: accountTable,
    verification: verificationTable,
    // Its limit counts only by address; ours is in attempts.ts.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      password: { hash: digestPassword, verify: ({ hash, password }) => isPassword(password, hash) },
    },
    plugins: [
      twoFactor({ issuer: "Longshore", schema: twoFactorSchema }),
      // Passkeys belong to one address: the configured one, or else the page's.
      passkey({ ...(address && { rpID: address.hostname, origin: address.origin }), schema: passkeySchema }),
      auditLog({ pool, log }),
    ],
    databaseHooks: { session: { create: { before: checkSession(pool) } } },
    advanced: {
      cookiePrefix: cookiePrefix(config.publicUrl),
      defaultCookieAttributes: { sameSite: "strict", httpOnly: true, secure: isSecure(config.publicUrl), path: "/" },
      // It would put __Secure- before our prefix.
      useSecureCookies: false,
      database: { generateId: "serial" },
      ipAddress: { ipAddressHeaders: [addressHeader] },
    },
    logger: { level: "error", log: (_level, message) => log.warn({ signIn: message }, "sign-in failed") },
    telemetry: { enabled: false },
  });
  const respond = (request: Request): Promise<Response> =>
    requests.run({}, async () => {
      const response = await auth.handler(request);
      // better-auth responds with 500, or as to a person without a session.
      const { outage } = requests.getStore() ?? {};
      if (outage !== undefined) throw outage;
      return response;
    });
  return { respond, secret };
}
