import { type TSchema, Type } from "typebox";
import type { Route } from "../../http/route.ts";
import { Nullable, named } from "../../http/schemas.ts";
import { bodyLimit, type Endpoint, endpoints } from "./endpoints.ts";

// The endpoints of better-auth that are reachable, for the OpenAPI document. It serves them itself (routes.ts); their answers
// have no token of a session.

const Refusal = named(
  "SignInRefusal",
  Type.Object({
    message: Type.Optional(Type.String({ description: "What failed" })),
    code: Type.Optional(Type.String({ description: "The same for programs, such as `INVALID_EMAIL_OR_PASSWORD`" })),
    status: Type.Optional(
      Type.String({ description: "`error` when Longshore refused it, such as after too many attempts" }),
    ),
    errors: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: "With 422: a sentence for each field that is not valid",
      }),
    ),
  }),
  "Why a sign-in was refused",
);

const User = named(
  "SignInUser",
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    email: Type.String({ description: "What the account signs in with" }),
    emailVerified: Type.Boolean({ description: "True" }),
    image: Type.Optional(Nullable(Type.String({ description: "Not used" }))),
    createdAt: Type.String({ description: "ISO 8601" }),
    updatedAt: Type.String({ description: "ISO 8601" }),
    twoFactorEnabled: Type.Optional(Nullable(Type.Boolean({ description: "Whether a second factor is asked for" }))),
  }),
  "The account that signs in; `GET /api/v1/me` has more",
);

const BrowserSession = named(
  "BrowserSession",
  Type.Object({
    id: Type.String({ description: "For `POST /api/auth/revoke-session`" }),
    userId: Type.String({ description: "Of the account" }),
    ipAddress: Type.Optional(Nullable(Type.String({ description: "Where it was opened" }))),
    userAgent: Type.Optional(Nullable(Type.String({ description: "The browser that opened it" }))),
    createdAt: Type.String({ description: "ISO 8601" }),
    updatedAt: Type.String({ description: "ISO 8601" }),
    expiresAt: Type.String({ description: "ISO 8601" }),
  }),
  "A session, as better-auth shows it; `GET /api/v1/me/sessions` is for the console",
);

const Passkey = named(
  "Passkey",
  Type.Object({
    id: Type.String(),
    name: Type.Optional(Nullable(Type.String())),
    userId: Type.String({ description: "Of the account" }),
    credentialID: Type.String({ description: "The id that the device gave it" }),
    publicKey: Type.String({ description: "What its signatures are verified with" }),
    counter: Type.Integer({ description: "How often the device has used it" }),
    deviceType: Type.String({ description: "`singleDevice` or `multiDevice`" }),
    backedUp: Type.Boolean({ description: "Whether the device keeps a copy elsewhere" }),
    transports: Type.Optional(Nullable(Type.String({ description: "How the device is reached: `internal`, `usb`" }))),
    aaguid: Type.Optional(Nullable(Type.String({ description: "The kind of device" }))),
    createdAt: Type.Optional(Nullable(Type.String({ description: "ISO 8601" }))),
  }),
  "A passkey of the account",
);

const SignedIn = named(
  "SignedIn",
  Type.Object({
    redirect: Type.Optional(Type.Boolean({ description: "False" })),
    user: Type.Optional(User),
    twoFactorRedirect: Type.Optional(
      Type.Boolean({ description: "True: there is no session before the second factor is proven" }),
    ),
    twoFactorMethods: Type.Optional(Type.Array(Type.String(), { description: "What proves it: `totp`" })),
  }),
  "The answer to a password; the cookie has the session",
);

const Status = named("SignInStatus", Type.Object({ status: Type.Boolean({ description: "True" }) }));
const Password = Type.String({ title: "password", minLength: 1, maxLength: 128, description: "The present one" });
const PasswordAgain = named("PasswordAgain", Type.Object({ password: Password }), "The password, asked for again");
const Proof = named(
  "SecondFactorProof",
  Type.Object({
    code: Type.String({ description: "Of the authenticator app, or a backup code" }),
    trustDevice: Type.Optional(Type.Boolean({ description: "Do not ask for it in this browser for 30 days" })),
  }),
);
const Proven = named("SecondFactorProven", Type.Object({ user: Type.Optional(User) }), "The cookie has the session");
const Secrets = named(
  "SecondFactorSecrets",
  Type.Object({
    method: Type.Optional(Type.String({ description: "`totp`" })),
    totpURI: Type.String({ description: "For an authenticator app, as a QR code" }),
    backupCodes: Type.Array(Type.String(), { description: "Each signs in once instead of a code" }),
  }),
);
const Options = named(
  "PasskeyOptions",
  Type.Unsafe<object>({ type: "object", additionalProperties: true }),
  "What `navigator.credentials` takes (WebAuthn)",
);
const Credential = Type.Unsafe<object>({
  type: "object",
  additionalProperties: true,
  description: "What `navigator.credentials` answered, as JSON",
});
const PasskeyId = Type.String({ description: "Of the passkey" });

interface Description {
  description: string;
  /** Needs no session. */
  isOpen?: true;
  /** Refusals besides those that follow from the endpoint. */
  errors?: Route["errors"];
  body?: TSchema;
  reply: TSchema;
  examples: { body?: unknown; reply: unknown };
}

const user = {
  ...{ id: "1", name: "Alice", email: "alice@example.com", emailVerified: true, image: null },
  ...{ createdAt: "2026-03-01T10:20:30.123Z", updatedAt: "2026-03-01T10:20:30.123Z", twoFactorEnabled: false },
};
const session = {
  ...{ id: "9", userId: "1", ipAddress: "198.51.100.7", userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:145.0)" },
  ...{
    createdAt: "2026-03-01T10:20:30.123Z",
    updatedAt: "2026-03-01T10:20:30.123Z",
    expiresAt: "2026-03-08T10:20:30.123Z",
  },
};
const passkey = {
  ...{ id: "2", name: "Alice's key", userId: "1", credentialID: "c2tQ", publicKey: "pQEC", counter: 1 },
  ...{
    deviceType: "singleDevice",
    backedUp: false,
    transports: "internal",
    aaguid: null,
    createdAt: "2026-03-01T10:20:30.123Z",
  },
};
const again = { password: "correct horse battery" };
const done = { status: true };
const totpURI = "otpauth://totp/Longshore:alice@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Longshore";
const codes = ["abcde-fghij"];

const described: Record<string, Description> = {
  "/sign-in/email": {
    description:
      "Sets the cookie of a session, which also works for the API, from pages of this origin only. With a second factor " +
      "there is no session before `verify-totp` or `verify-backup-code`. Ten wrong passwords for an account in 15 minutes, and " +
      "ten of a client in a minute, are answered; then 429, but for browsers in which the account has signed in before.",
    isOpen: true,
    errors: { unauthenticated: "There is no such account, or the password is wrong." },
    body: named(
      "PasswordSignIn",
      Type.Object({
        email: Type.String({ description: "Of the account" }),
        password: Password,
        rememberMe: Type.Optional(Type.Boolean({ description: "False: until the browser is closed" })),
      }),
    ),
    reply: SignedIn,
    examples: { body: { email: "alice@example.com", ...again }, reply: { redirect: false, user } },
  },
  "/sign-out": {
    description: "Ends the session of the request.",
    isOpen: true,
    reply: named("SignedOut", Type.Object({ success: Type.Boolean({ description: "True" }) })),
    examples: { reply: { success: true } },
  },
  "/change-password": {
    description:
      "The present password is asked for: wrong ones are counted. Sessions continue unless `revokeOtherSessions` ends them.",
    body: named(
      "PasswordChange",
      Type.Object({
        currentPassword: Password,
        newPassword: Type.String({
          title: "new password",
          minLength: 8,
          maxLength: 128,
          description: "Signs in from now on",
        }),
        revokeOtherSessions: Type.Optional(Type.Boolean({ description: "End all sessions but this one" })),
      }),
    ),
    reply: named("PasswordChanged", Type.Object({ user: User })),
    examples: {
      body: { currentPassword: again.password, newPassword: "battery staple horse", revokeOtherSessions: true },
      reply: { user },
    },
  },
  "/get-session": {
    description: "Null without a session, or when it has ended. Its use extends the session.",
    isOpen: true,
    reply: named("CurrentSession", Nullable(Type.Object({ session: BrowserSession, user: User }))),
    examples: { reply: { session, user } },
  },
  "/list-sessions": {
    description: "The sessions of the account that have not ended. Needs one that was opened within a day.",
    reply: named("BrowserSessions", Type.Array(BrowserSession)),
    examples: { reply: [session] },
  },
  "/revoke-session": {
    description: "Takes the id of one of the account's sessions; nothing happens for another one.",
    body: named("SessionId", Type.Object({ id: Type.String() })),
    reply: Status,
    examples: { body: { id: "9" }, reply: done },
  },
  "/revoke-sessions": {
    description: "Ends all sessions of the account, that of the request too.",
    reply: Status,
    examples: { reply: done },
  },
  "/revoke-other-sessions": {
    description: "Ends all sessions of the account but that of the request.",
    reply: Status,
    examples: { reply: done },
  },
  "/two-factor/enable": {
    description: "Makes a secret. It is asked for at sign-ins once `verify-totp` has proven that the app has it.",
    body: PasswordAgain,
    reply: Secrets,
    examples: { body: again, reply: { totpURI, backupCodes: codes } },
  },
  "/two-factor/disable": {
    description: "From then on the password alone signs in.",
    body: PasswordAgain,
    reply: Status,
    examples: { body: again, reply: done },
  },
  "/two-factor/get-totp-uri": {
    description: "To set up another authenticator app with the same secret.",
    body: PasswordAgain,
    reply: named(
      "SecondFactorSecret",
      Type.Object({ totpURI: Type.String({ description: "For an authenticator app, as a QR code" }) }),
    ),
    examples: { body: again, reply: { totpURI } },
  },
  "/two-factor/generate-backup-codes": {
    description: "Replaces the codes before.",
    body: PasswordAgain,
    reply: named(
      "BackupCodes",
      Type.Object({
        status: Type.Boolean({ description: "True" }),
        backupCodes: Type.Array(Type.String(), { description: "Each signs in once instead of a code" }),
      }),
    ),
    examples: { body: again, reply: { status: true, backupCodes: codes } },
  },
  "/two-factor/verify-totp": {
    description:
      "After the password, opens the session; with a session, switches the second factor on. A code works once.",
    isOpen: true,
    errors: { unauthenticated: "The code is wrong or was used, or no password was given before." },
    body: Proof,
    reply: Proven,
    examples: { body: { code: "123456" }, reply: { user } },
  },
  "/two-factor/verify-backup-code": {
    description: "After the password, opens the session instead of a code of the app. A backup code works once.",
    isOpen: true,
    errors: { unauthenticated: "The code is wrong or was used, or no password was given before." },
    body: Proof,
    reply: Proven,
    examples: { body: { code: "abcde-fghij" }, reply: { user } },
  },
  "/passkey/generate-register-options": {
    description: "The challenge is in a cookie, and is answered within five minutes.",
    reply: Options,
    examples: { reply: { challenge: "Y2hhbGxlbmdl" } },
  },
  "/passkey/verify-registration": {
    description: "A passkey belongs to the host of `LONGSHORE_PUBLIC_URL`, or else of the page.",
    body: named("PasskeyRegistration", Type.Object({ response: Credential, name: Type.Optional(Type.String()) })),
    reply: Passkey,
    examples: { body: { response: { id: "c2tQ" }, name: "Alice's key" }, reply: passkey },
  },
  "/passkey/generate-authenticate-options": {
    description: "The challenge is in a cookie, and is answered within five minutes.",
    isOpen: true,
    reply: Options,
    examples: { reply: { challenge: "Y2hhbGxlbmdl" } },
  },
  "/passkey/verify-authentication": {
    description: "Sets the cookie of a session. No second factor is asked for: the device has asked for one.",
    isOpen: true,
    errors: { unauthenticated: "There is no such passkey, or it did not sign the challenge." },
    body: named("PasskeySignIn", Type.Object({ response: Credential })),
    reply: named("PasskeySignedIn", Type.Object({ session: Type.Optional(BrowserSession), user: Type.Optional(User) })),
    examples: { body: { response: { id: "c2tQ" } }, reply: { session, user } },
  },
  "/passkey/list-user-passkeys": {
    description: "The passkeys of the account.",
    reply: named("Passkeys", Type.Array(Passkey)),
    examples: { reply: [passkey] },
  },
  "/passkey/update-passkey": {
    description: "The name is all that can be changed.",
    body: named("PasskeyName", Type.Object({ id: PasskeyId, name: Type.String() })),
    reply: named("PasskeyRenamed", Type.Object({ passkey: Passkey })),
    examples: { body: { id: "2", name: "Alice's key" }, reply: { passkey } },
  },
  "/passkey/delete-passkey": {
    description: "It cannot sign in any more. Sessions continue.",
    body: named("PasskeyId", Type.Object({ id: PasskeyId })),
    reply: Status,
    examples: { body: { id: "2" }, reply: done },
  },
};

const notHere = (): never => {
  throw new Error("better-auth answers this.");
};

/** What better-auth and the checks before it refuse. */
const refusalsOf = ({ method, password, takesId }: Endpoint, isOpen: boolean): NonNullable<Route["errors"]> => ({
  ...(isOpen ? {} : { unauthenticated: "There is no session, or it has ended." }),
  ...(takesId ? { not_found: "The account has no record with this id." } : {}),
  ...(password ? { rate_limited: "There were too many wrong passwords; `Retry-After` has the wait in seconds." } : {}),
  ...(method === "POST"
    ? {
        malformed_json: `A field is missing or not valid${password === "confirm" ? ", or the password is wrong" : ""}.`,
        forbidden: "A page of another origin sent it.",
        body_too_large: "The body is larger than 64 KiB.",
        invalid: "The body is not an object, or has a text that cannot be stored.",
      }
    : {}),
});

export const signInDescriptions: readonly Route[] = endpoints.map((endpoint) => {
  const { method, path, title } = endpoint;
  const { isOpen = false, errors, ...description } = described[path] as Description;
  return {
    ...{ method, path: `/api/auth${path}`, summary: title, tag: "sign-in", ...description },
    permission: isOpen ? ("public" as const) : ("session" as const),
    refusalBody: Refusal,
    errors: { ...refusalsOf(endpoint, isOpen), ...errors },
    ignoresQuery: true as const,
    bodyLimit,
    handle: notHere,
  };
});
