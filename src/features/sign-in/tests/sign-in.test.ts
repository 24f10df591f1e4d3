import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { Compile } from "typebox/compile";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import type { Context } from "../../../context.ts";
import { changed, row, rows, sql } from "../../../db/sql.ts";
import { appFor, appOn, type Cast, call, contextOn, createCast } from "../../../http/tests/support.ts";
import { adminUser } from "../../accounts/admin.ts";
import { deleteExpiredSessions } from "../../accounts/queries.ts";
import { organizationRoutes } from "../../organizations/routes.ts";
import { signInDescriptions } from "../descriptions.ts";
import { endpoints } from "../endpoints.ts";
import { deleteExpired } from "../queries.ts";
import { mountSignIn } from "../routes.ts";
import { authenticatorFor } from "./authenticator.ts";
import { totp } from "./totp.ts";

const password = "correct horse battery";
const host = "console.example.com";
const ownPage = { host, origin: `http://${host}` };

let database: TestDatabase;
let ctx: Context;
let cast: Cast;
let app: FastifyInstance;

before(async () => {
  database = await testDatabase();
  ctx = contextOn(database.pool);
  cast = await createCast(database.pool);
  await setPassword("Alice", "Owner");
  await setPassword("Victor", "Viewer");
  await setPassword("Adam", "Admin");
  app = appOn(ctx, organizationRoutes);
  mountSignIn(app, ctx);
});

after(async () => {
  await app?.close();
  await database?.drop();
});

beforeEach(() => changed(database.pool, sql`delete from sign_in_attempts`));

const setPassword = (name: string, role: string) =>
  adminUser(
    { pool: database.pool },
    { email: `${name.toLowerCase()}@example.com`, name, organization: "Acme", role, password },
  );

interface Page {
  cookie?: string;
  headers?: Record<string, string>;
}

const post = (path: string, body: object, { cookie, headers = ownPage }: Page = {}) =>
  call(app, `POST /api/auth${path}`, { body, headers: { ...headers, ...(cookie && { cookie }) } });

const signIn = (name: string, given = password) =>
  post("/sign-in/email", { email: `${name.toLowerCase()}@example.com`, password: given });

const setCookies = (headers: Record<string, unknown>): string[] => [headers["set-cookie"] ?? []].flat() as string[];

/** The cookies that a browser sends back. */
const cookieOf = (headers: Record<string, unknown>): string =>
  setCookies(headers)
    .filter((cookie) => !/max-age=0/i.test(cookie))
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");

async function sessionOf(name: string): Promise<string> {
  const answer = await signIn(name);
  assert.equal(answer.status, 200, answer.text);
  return cookieOf(answer.headers);
}

const get = (path: string, { cookie = "", headers = ownPage }: Page) =>
  call(app, `GET ${path}`, { headers: { ...headers, cookie } });

describe("signing in", () => {
  test("gives a cookie that no script reads and no other site makes use of", async () => {
    const answer = await signIn("Alice");
    const [session = ""] = setCookies(answer.headers);
    assert.match(session, /^longshore\.session_token=/);
    assert.match(session, /HttpOnly/i);
    assert.match(session, /SameSite=Strict/i);
  });

  test("is only over TLS where the public address is", async (t) => {
    const secure = contextOn(database.pool, { publicUrl: "https://console.example.com" });
    const other = appOn(secure);
    mountSignIn(other, secure);
    t.after(() => other.close());
    const answer = await call(other, "POST /api/auth/sign-in/email", {
      body: { email: "alice@example.com", password },
      headers: { host, origin: "https://console.example.com" },
    });
    assert.match(setCookies(answer.headers)[0] ?? "", /^__Host-longshore\.session_token=.*Path=\/;.*Secure/i);
    const cookie = cookieOf(answer.headers);
    const headers = { host, origin: "https://console.example.com", cookie };
    assert.equal((await call(other, "GET /api/v1/me", { headers })).status, 200);
    // A site under a sibling name can set cookies for the whole domain, but none with this prefix.
    for (const prefix of ["", "__Secure-"]) {
      const planted = { ...headers, cookie: cookie.replaceAll("__Host-", prefix) };
      assert.equal((await call(other, "GET /api/v1/me", { headers: planted })).status, 401, prefix);
      const seen = await call(other, "GET /api/auth/get-session", { headers: planted });
      assert.equal(seen.body, null, prefix);
    }
  });

  test("answers values of every shape without a fault of its own", async () => {
    const cookie = await sessionOf("Alice");
    const shapes: unknown[] = [
      { toString: 1 },
      { valueOf: {} },
      [],
      [{}],
      null,
      1e308,
      true,
      { length: 5 },
      "\0",
      "x".repeat(9_999),
    ];
    for (const value of shapes) {
      for (const [path, field] of [
        ["/sign-in/email", "email"],
        ["/sign-in/email", "password"],
        ["/revoke-session", "id"],
        ["/two-factor/verify-totp", "code"],
        ["/two-factor/verify-backup-code", "code"],
        ["/change-password", "newPassword"],
        ["/passkey/verify-authentication", "response"],
        ["/passkey/delete-passkey", "id"],
      ] as const) {
        const body = { email: "odd@example.com", password: "x", currentPassword: "x", [field]: value };
        const { status, text } = await post(path, body, { cookie });
        assert.ok(status < 500, `${path} ${field} ${JSON.stringify(value).slice(0, 50)}: ${status} ${text}`);
      }
    }
    for (const body of ["[]", "null", "1", '"x"'])
      assert.ok((await post("/sign-in/email", JSON.parse(body))).status < 500);
  });

  test("refuses a wrong password, an unknown email, and an account without a password alike", async () => {
    const refusals = await Promise.all([signIn("Alice", "wrong horse"), signIn("Mallory"), signIn("Bob")]);
    for (const refusal of refusals) {
      assert.equal(refusal.status, 401);
      assert.deepEqual(setCookies(refusal.headers), []);
    }
    assert.equal(new Set(refusals.map(({ text }) => text)).size, 1);
  });

  test("slows down who guesses", async () => {
    const statuses: number[] = [];
    for (let guess = 0; guess < 11; guess++) statuses.push((await signIn("Mallory", "wrong horse")).status);
    assert.deepEqual([statuses[9], statuses[10]], [401, 429]);
  });

  test("makes no accounts", async () => {
    const answer = await post("/sign-up/email", { email: "new@example.com", name: "New", password });
    assert.ok(answer.status >= 400, answer.text);
    assert.equal(await row(database.pool, sql`select 1 from users where email = 'new@example.com'`), undefined);
  });

  test("ends with signing out, and with a new password set by an administrator", async () => {
    const first = await sessionOf("Victor");
    const second = await sessionOf("Victor");
    assert.equal((await post("/sign-out", {}, { cookie: first })).status, 200);
    assert.equal((await get("/api/v1/me", { cookie: first })).status, 401);
    assert.equal((await get("/api/v1/me", { cookie: second })).status, 200);
    await setPassword("Victor", "Viewer");
    assert.equal((await get("/api/v1/me", { cookie: second })).status, 401);
  });
});

describe("a session", () => {
  test("reaches over the API what the account's role reaches", async () => {
    const [alice, victor] = [await sessionOf("Alice"), await sessionOf("Victor")];
    assert.equal((await get("/api/v1/me", { cookie: alice })).body.data.email, "alice@example.com");
    const rename = (cookie: string) =>
      call(app, `PUT /api/v1/organizations/${cast.organizationId}`, {
        body: { name: "Acme" },
        headers: { ...ownPage, cookie },
      });
    assert.equal((await rename(alice)).status, 200);
    assert.equal((await rename(victor)).status, 403);
    const foreign = await get(`/api/v1/organizations/${cast.charlieOrganizationId}`, { cookie: alice });
    assert.equal(foreign.status, 404);
  });

  test("is in the audit log without a token", async () => {
    const cookie = await sessionOf("Alice");
    const { headers } = await call(app, "POST /api/v1/organizations", {
      body: { name: "Audited" },
      headers: { ...ownPage, cookie },
    });
    const entry = await row<{ user_id: number; token_id: number | null }>(
      database.pool,
      sql`select user_id, token_id from audit_log where request_id = ${String(headers["x-request-id"])}`,
    );
    assert.deepEqual(entry, { user_id: cast.userIds.alice, token_id: null });
  });

  test("is of no use to the pages of others", async () => {
    const cookie = await sessionOf("Alice");
    const from = (headers: Record<string, string>, method = "POST") =>
      call(app, `${method} /api/v1/organizations`, {
        ...(method === "POST" && { body: { name: "Forged" } }),
        headers: { host, cookie, ...headers },
      });
    assert.equal((await from({ origin: "https://evil.example" })).status, 403);
    assert.equal((await from({ origin: "null" })).status, 403);
    assert.equal((await from({})).status, 403, "neither Origin nor Sec-Fetch-Site");
    for (const site of ["cross-site", "same-site", "none"]) {
      assert.equal((await from({ "sec-fetch-site": site })).status, 403, site);
      assert.equal((await from({ "sec-fetch-site": site }, "GET")).status, 403, site);
    }
    assert.equal((await from({ "sec-fetch-site": "same-origin" })).status, 201);
  });

  test("has requests of its own, which tokens do not use up", async (t) => {
    const limited = contextOn(database.pool, { rateLimit: "2", sessionRateLimit: "3" });
    const other = appFor(t, limited);
    const headers = { ...ownPage, cookie: await sessionOf("Adam") };
    const limits = async (by: object, count: number) => {
      const answers = [];
      for (let number = 0; number < count; number++) answers.push(await call(other, "GET /api/v1/me", by));
      return answers.map(({ status, headers: { "x-ratelimit-limit": limit } }) => `${status} of ${limit}`);
    };
    assert.deepEqual(await limits({ token: cast.adam }, 3), ["200 of 2", "200 of 2", "429 of 2"]);
    assert.deepEqual(await limits({ headers }, 4), ["200 of 3", "200 of 3", "200 of 3", "429 of 3"]);
  });

  test("gives way to a token", async () => {
    const cookie = await sessionOf("Alice");
    const answer = await call(app, "GET /api/v1/me", { token: cast.charlie, headers: { ...ownPage, cookie } });
    assert.equal(answer.body.data.email, "charlie@example.com");
  });

  test("that is none, or has ended, is refused", async () => {
    const cookie = await sessionOf("Alice");
    assert.equal((await get("/api/v1/me", { cookie: `longshore.session_token=${"x".repeat(32)}.y` })).status, 401);
    await changed(database.pool, sql`update auth_sessions set expires_at = now()`);
    assert.equal((await get("/api/v1/me", { cookie })).status, 401);
  });
});

describe("a second factor", () => {
  test("is asked for before there is a session", async () => {
    const session = await sessionOf("Victor");
    const enabled = await post("/two-factor/enable", { password }, { cookie: session });
    assert.equal(enabled.status, 200, enabled.text);
    const code = (step = 0) => totp(new URL(enabled.body.totpURI).searchParams.get("secret") ?? "", step);
    const verified = await post("/two-factor/verify-totp", { code: code() }, { cookie: session });
    assert.equal(verified.status, 200, verified.text);

    const recorded = async () =>
      (await rows(database.pool, sql`select 1 from audit_log where user_id = ${cast.userIds.victor}`)).length;
    const before = await recorded();
    const half = await signIn("Victor");
    assert.equal(half.body.twoFactorRedirect, true);
    const pending = cookieOf(half.headers);
    assert.equal((await get("/api/v1/me", { cookie: pending })).status, 401);
    assert.equal((await post("/two-factor/verify-totp", { code: "000000" }, { cookie: pending })).status, 401);
    assert.equal(await recorded(), before, "no one has signed in yet");
    const whole = await post("/two-factor/verify-totp", { code: code(1) }, { cookie: pending });
    assert.equal(whole.status, 200, whole.text);
    assert.equal(await recorded(), before + 1);
    assert.equal((await get("/api/v1/me", { cookie: cookieOf(whole.headers) })).status, 200);
  });

  test("works once, of requests at the same moment too, and not after it was set up with it", async () => {
    const session = await sessionOf("Adam");
    const enabled = await post("/two-factor/enable", { password }, { cookie: session });
    const secret = new URL(enabled.body.totpURI).searchParams.get("secret") ?? "";
    const begin = async () => cookieOf((await signIn("Adam")).headers);
    const [first, next] = [totp(secret), totp(secret, 1)];
    assert.equal((await post("/two-factor/verify-totp", { code: first }, { cookie: session })).status, 200);
    assert.equal((await post("/two-factor/verify-totp", { code: first }, { cookie: await begin() })).status, 401);

    const challenges = await Promise.all([begin(), begin(), begin()]);
    const use = (path: string, code: string) =>
      Promise.all(challenges.map(async (cookie) => (await post(`/two-factor/${path}`, { code }, { cookie })).status));
    const statuses = await use("verify-totp", next);
    assert.deepEqual(statuses.sort(), [200, 401, 401]);
    assert.equal((await post("/two-factor/verify-totp", { code: next }, { cookie: await begin() })).status, 401);

    const [backup = ""] = enabled.body.backupCodes;
    challenges.splice(0, 3, await begin(), await begin(), await begin());
    const won = (await use("verify-backup-code", backup)).filter((status) => status === 200);
    assert.equal(won.length, 1);
    assert.notEqual(
      (await post("/two-factor/verify-backup-code", { code: backup }, { cookie: await begin() })).status,
      200,
    );
  });

  test("is stored so that the database alone does not give it away", async () => {
    const stored = await row<{ secret: string }>(database.pool, sql`select secret from auth_two_factors limit 1`);
    assert.doesNotMatch(stored?.secret ?? "", /^[A-Za-z0-9]{16,32}$/);
    const kept = await row<{ secret: Buffer }>(database.pool, sql`select secret from auth_secret`);
    assert.ok(kept && ctx.secrets.decrypt(kept.secret).length > 40);
  });
});

describe("a passkey", () => {
  const optionsFor = (what: "register" | "authenticate", cookie: string) =>
    get(`/api/auth/passkey/generate-${what}-options`, { cookie });

  test("signs in the account that registered it, and is known by its counter afterwards", async () => {
    const device = authenticatorFor(ownPage.origin);
    const session = await sessionOf("Alice");
    const registration = await optionsFor("register", session);
    assert.equal(registration.status, 200, registration.text);
    assert.equal(registration.body.rp.id, host);
    const registered = await post(
      "/passkey/verify-registration",
      { response: device.register(registration.body), name: "Alice's key" },
      { cookie: `${session}; ${cookieOf(registration.headers)}` },
    );
    assert.equal(registered.status, 200, registered.text);

    const options = await optionsFor("authenticate", "");
    const cookie = cookieOf(options.headers);
    const signedIn = await post(
      "/passkey/verify-authentication",
      { response: device.signIn(options.body) },
      { cookie },
    );
    assert.equal(signedIn.status, 200, signedIn.text);
    const me = await get("/api/v1/me", { cookie: cookieOf(signedIn.headers) });
    assert.equal(me.body.data.id, cast.userIds.alice);
    const stored = await row(database.pool, sql`select user_id, name, counter from auth_passkeys`);
    assert.deepEqual(stored, { user_id: cast.userIds.alice, name: "Alice's key", counter: 2 });
    const again = await post("/passkey/verify-authentication", { response: device.signIn(options.body) }, { cookie });
    assert.ok(again.status >= 400, "a challenge is answered once");
  });

  test("that is not registered, or of another page, is rejected", async () => {
    for (const origin of [ownPage.origin, "https://evil.example"]) {
      const options = await optionsFor("authenticate", "");
      const response = authenticatorFor(origin).signIn(options.body);
      const answer = await post("/passkey/verify-authentication", { response }, { cookie: cookieOf(options.headers) });
      assert.ok(answer.status >= 400, answer.text);
      assert.equal(cookieOf(answer.headers).includes("session_token"), false);
    }
  });

  test("is registered only by who is signed in", async () => {
    assert.equal((await optionsFor("register", "")).status, 401);
  });
});

describe("the documentation", () => {
  const answered = (line: string) => signInDescriptions.find(({ method, path }) => `${method} ${path}` === line)?.reply;
  const faults = (line: string, body: unknown): string[] => {
    const reply = answered(line);
    assert.ok(reply, line);
    const known = Object.keys((reply as { properties?: object }).properties ?? {});
    const more = known.length === 0 ? [] : Object.keys(body as object).filter((name) => !known.includes(name));
    return [
      ...[...Compile(reply).Errors(body)].map(({ message }) => `${line}: ${message}`),
      ...more.map((name) => `${line}: ${name}`),
    ];
  };

  test("has every endpoint, with what it answers", async () => {
    assert.equal(signInDescriptions.length, endpoints.length);
    const signedIn = await signIn("Alice");
    const cookie = cookieOf(signedIn.headers);
    const seen: [string, unknown][] = [["POST /api/auth/sign-in/email", signedIn.body]];
    for (const path of [
      "/get-session",
      "/list-sessions",
      "/passkey/list-user-passkeys",
      "/passkey/generate-register-options",
    ]) {
      seen.push([`GET /api/auth${path}`, (await get(`/api/auth${path}`, { cookie })).body]);
    }
    for (const [path, body] of [
      ["/change-password", { currentPassword: password, newPassword: password }],
      ["/two-factor/enable", { password }],
      ["/two-factor/get-totp-uri", { password }],
      ["/two-factor/generate-backup-codes", { password }],
      ["/two-factor/disable", { password }],
      ["/revoke-other-sessions", {}],
      ["/sign-out", {}],
    ] as const) {
      const answer = await post(path, body, { cookie });
      // Codes are for a factor that was proven.
      if (answer.status === 200) seen.push([`POST /api/auth${path}`, answer.body]);
    }
    assert.ok(seen.length > 8, String(seen.length));
    assert.deepEqual(
      seen.flatMap(([line, body]) => faults(line, body)),
      [],
    );
    const refused = await signIn("Alice", "wrong horse");
    assert.deepEqual(Object.keys(refused.body).sort(), ["code", "message"]);
    assert.match(refused.body.message, /\.$/, "as all sentences of the API");
  });
});

describe("ended sessions", () => {
  test("are forgotten, and others kept", async () => {
    const kept = await sessionOf("Alice");
    await changed(
      database.pool,
      sql`update auth_sessions set expires_at = now() - interval '1 minute'
        where user_id = ${cast.userIds.victor}`,
    );
    await deleteExpiredSessions(database.pool);
    await deleteExpired(database.pool);
    const left = await rows<{ user_id: number }>(database.pool, sql`select distinct user_id from auth_sessions`);
    assert.ok(
      left.some(({ user_id: id }) => id === cast.userIds.alice) &&
        !left.some(({ user_id: id }) => id === cast.userIds.victor),
    );
    assert.equal((await get("/api/v1/me", { cookie: kept })).status, 200);
  });
});
