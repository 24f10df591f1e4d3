import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { FastifyInstance } from "fastify";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import { answerChecker, operationsOf } from "../../../../test/document.ts";
import { descriptionsOf } from "../../../features.ts";
import type { Schema } from "../../../http/openapi-document.ts";
import { routeTable } from "../../../http/table.ts";
import { appOn, call, contextOn, createCast, type Reply } from "../../../http/tests/support.ts";
import { adminUser } from "../../accounts/admin.ts";
import { endpoints } from "../endpoints.ts";
import { mountSignIn } from "../routes.ts";
import { authenticatorFor } from "./authenticator.ts";
import { totp } from "./totp.ts";

// The document describes better-auth's endpoints by hand: here they answer, and each answer has to be as described.

const password = "correct horse battery";
const email = "alice@example.com";
const host = "console.example.com";
const origin = `http://${host}`;

const document = routeTable([], descriptionsOf()).document();
const operations = new Map(operationsOf(document).map((operation) => [operation.name, operation]));
const faultOf = answerChecker(document);

let database: TestDatabase;
let app: FastifyInstance;
/** The endpoints that have succeeded. */
const answered = new Set<string>();

before(async () => {
  database = await testDatabase();
  const ctx = contextOn(database.pool);
  await createCast(database.pool);
  await adminUser({ pool: database.pool }, { email, name: "Alice", organization: "Acme", role: "Owner", password });
  app = appOn(ctx);
  mountSignIn(app, ctx);
});

after(async () => {
  await app?.close();
  await database?.drop();
});

/** A browser, which keeps the cookies that it gets. */
function browser() {
  const cookies = new Map<string, string>();
  const keep = (header: Reply["headers"][string]) => {
    for (const cookie of [header ?? []].flat().map(String)) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/max-age=0/i.test(cookie)) cookies.delete(name);
      else cookies.set(name, value);
    }
  };
  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const ask = async (path: string, body?: object): Promise<Reply> => {
    const { method } = endpoints.find((endpoint) => endpoint.path === path) ?? {};
    const sent = method === "POST" ? { body: body ?? {} } : {};
    const headers = { host, origin, cookie: cookie() };
    const reply = await call(app, `${method} /api/auth${path}`, { ...sent, headers });
    keep(reply.headers["set-cookie"]);
    assertDescribed(`${method} /api/auth${path}`, reply, body);
    return reply;
  };
  return Object.assign(ask, { cookie });
}

function assertDescribed(name: string, reply: Reply, sent?: object, what = ""): void {
  const { status, headers, text, body } = reply;
  const operation = operations.get(name);
  assert.ok(operation, `${name} is not described`);
  const contentType = String(headers["content-type"]);
  assert.equal(
    faultOf(operation, { status, contentType, body: text }),
    undefined,
    `${name} ${what}: ${status} ${text}`,
  );
  const schema = operation.responses.get(status)?.content["application/json"]?.schema ?? {};
  assert.deepEqual(unknownIn(schema, body), [], `${name}: ${text}`);
  if (sent) assert.deepEqual(unknownIn(operation.body ?? {}, sent), [], `${name} takes more than is described`);
  if (status === 200) answered.add(name);
}

/** The fields of a value that its schema does not have. */
function unknownIn(schema: Schema, value: unknown): string[] {
  if (schema.$ref) return unknownIn(document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {}, value);
  if (Array.isArray(value)) return value.flatMap((each) => unknownIn(schema.items ?? {}, each));
  if (typeof value !== "object" || value === null) return [];
  if (schema.anyOf)
    return schema.anyOf.map((each) => unknownIn(each, value)).sort((a, b) => a.length - b.length)[0] ?? [];
  const { properties, additionalProperties } = schema;
  if (additionalProperties !== undefined || properties === undefined) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    const known = properties[name];
    return known ? unknownIn(known, each) : [name];
  });
}

async function succeed(reply: Promise<Reply>): Promise<Reply["body"]> {
  const { status, body, text } = await reply;
  assert.equal(status, 200, text);
  return body;
}

test("better-auth answers as the document describes it", async () => {
  const alice = browser();
  assert.equal((await alice("/sign-in/email", { email, password: "wrong horse" })).status, 401);
  assert.equal(await succeed(alice("/get-session")), null);
  assert.equal((await alice("/list-sessions")).status, 401);
  await succeed(alice("/sign-in/email", { email, password, rememberMe: true }));
  assert.equal((await succeed(alice("/get-session"))).user.email, email);

  const device = authenticatorFor(origin);
  const options = await succeed(alice("/passkey/generate-register-options"));
  await succeed(alice("/passkey/verify-registration", { response: device.register(options), name: "Key" }));
  const [passkey] = await succeed(alice("/passkey/list-user-passkeys"));
  await succeed(alice("/passkey/update-passkey", { id: passkey.id, name: "Alice's key" }));
  const other = browser();
  const challenge = await succeed(other("/passkey/generate-authenticate-options"));
  await succeed(other("/passkey/verify-authentication", { response: device.signIn(challenge) }));
  const { session } = await succeed(other("/get-session"));
  await succeed(alice("/passkey/delete-passkey", { id: passkey.id }));
  assert.equal((await succeed(alice("/list-sessions"))).length, 2);
  await succeed(alice("/revoke-session", { id: session.id }));
  assert.equal(await succeed(other("/get-session")), null);

  const changed = "battery staple horse";
  await succeed(
    alice("/change-password", { currentPassword: password, newPassword: changed, revokeOtherSessions: false }),
  );
  const again = { password: changed };
  const { totpURI } = await succeed(alice("/two-factor/enable", again));
  const secret = new URL(totpURI).searchParams.get("secret") ?? "";
  assert.equal((await alice("/two-factor/verify-totp", { code: "000000" })).status, 401);
  await succeed(alice("/two-factor/verify-totp", { code: totp(secret) }));
  assert.equal((await succeed(alice("/two-factor/get-totp-uri", again))).totpURI, totpURI);
  const { backupCodes } = await succeed(alice("/two-factor/generate-backup-codes", again));
  const half = await succeed(other("/sign-in/email", { email, password: changed }));
  assert.equal(half.twoFactorRedirect, true);
  await succeed(other("/two-factor/verify-backup-code", { code: backupCodes[0], trustDevice: false }));
  await succeed(alice("/two-factor/disable", again));

  await succeed(alice("/revoke-other-sessions"));
  assert.equal(await succeed(other("/get-session")), null);
  await succeed(other("/sign-in/email", { email, password: changed }));
  await succeed(alice("/revoke-sessions"));
  assert.equal(await succeed(other("/get-session")), null);
  await succeed(other("/sign-in/email", { email, password: changed }));
  await succeed(other("/sign-out"));

  const missing = endpoints
    .map(({ method, path }) => `${method} /api/auth${path}`)
    .filter((name) => !answered.has(name));
  assert.deepEqual(missing, [], "Ask these too.");
});

/** Requests that are refused, by what is wrong with them; each is sent without a session, and with one. */
const refused: Record<string, { headers?: object; body?: unknown }> = {
  "no body": {},
  "no fields": { body: {} },
  "values that are wrong": {
    body: {
      ...{ id: "999999", email: "stranger@example.com", password: "wrong horse", code: "000000", name: "x" },
      ...{ currentPassword: "wrong horse", newPassword: "long enough", response: { id: "x" } },
    },
  },
  "an id that is none": { body: { id: "x", name: "x" } },
  "text that cannot be stored": { body: { email: "a\u0000", password: "\u0000" } },
  "a page of another origin": { headers: { origin: "http://other.example.com" }, body: {} },
  "a body that is not JSON": { body: "{" },
  "a body that is a list": { body: [] },
  "another type": { headers: { "content-type": "text/plain" }, body: "x" },
  "too much": { body: { name: "x".repeat(70_000) } },
};

test("refusals of better-auth are described", async () => {
  const victor = { email: "victor@example.com", name: "Victor" };
  await adminUser({ pool: database.pool }, { ...victor, organization: "Acme", role: "Viewer", password });
  for (const { method, path } of endpoints) {
    for (const [what, { headers = {}, body }] of Object.entries(refused)) {
      // Some succeed, and end the session.
      const signedIn = browser();
      await succeed(signedIn("/sign-in/email", { email: victor.email, password }));
      for (const cookie of ["", signedIn.cookie()]) {
        const sent = method === "POST" && body !== undefined ? { body: body as object } : {};
        const reply = await call(app, `${method} /api/auth${path}`, {
          ...sent,
          headers: { host, origin, cookie, ...headers },
        });
        assertDescribed(`${method} /api/auth${path}`, reply, undefined, what);
      }
      await database.pool.query("delete from sign_in_attempts");
    }
  }
});

test("a guess too many is described", async () => {
  for (const { method, path, password: counted } of endpoints) {
    if (!counted) continue;
    const guessing = browser();
    await database.pool.query("delete from sign_in_attempts");
    if (counted === "confirm") await succeed(guessing("/sign-in/email", { email: "victor@example.com", password }));
    const guess = { email, password: "wrong horse", currentPassword: "wrong horse", newPassword: "long enough" };
    const headers = { host, origin, cookie: guessing.cookie() };
    const replies = [];
    for (let n = 0; n < 11; n++) {
      replies.push(await call(app, `${method} /api/auth${path}`, { body: guess, headers }));
    }
    assert.equal(replies.at(-1)?.status, 429, path);
    for (const reply of replies) assertDescribed(`${method} /api/auth${path}`, reply);
  }
});
