import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, beforeEach, describe, it } from "node:test";
import { changed, row, rows, sql } from "../../src/db/sql.ts";
import { ask, cookieOf, emailOf, password, signedIn, signIn, startTarget, type Target } from "./api.ts";

let target: Target;
/** Behind a proxy that is not configured: all clients have its address. */
let proxied: Target;

before(async () => {
  target = await startTarget({ LONGSHORE_TRUSTED_PROXIES: "127.0.0.1" });
  proxied = await startTarget();
});
after(async () => {
  await target?.close();
  await proxied?.close();
});
beforeEach(async () => {
  for (const { pool } of [target, proxied]) await changed(pool, sql`delete from sign_in_attempts`).catch(() => 0);
});

const from = (n: number) => ({ "x-forwarded-for": `5.${n >> 16}.${(n >> 8) & 255}.${n & 255}` });

describe("guessing one account's password from many addresses", () => {
  it("has ten attempts, also when they come at once, and then the right one is refused as well", async () => {
    const guesses = await Promise.all(
      Array.from({ length: 25 }, (_, n) => signIn(target, "Alice", "wrong horse", { headers: from(n) })),
    );
    const checked = guesses.filter(({ status }) => status === 401).length;
    assert.deepEqual([checked, guesses.filter(({ status }) => status === 429).length], [10, 15]);
    const right = await signIn(target, "Alice", password, { headers: from(99) });
    assert.equal(right.status, 429, "a guess learns no more than that");
    assert.ok(Number(right.headers.get("retry-after")) > 0);
  });

  it("is refused alike for accounts that exist and that do not", async () => {
    const refusal = async (name: string) => {
      for (let n = 0; n < 10; n++) await signIn(target, name, "wrong horse", { headers: from(n) });
      const { status, text } = await signIn(target, name, "wrong horse", { headers: from(10) });
      return [status, text.replace(/\d+ s/, "N s")];
    };
    assert.deepEqual(await refusal("Bob"), await refusal("Mallory"));
  });

  it("does not keep the owner out of a browser used before", async () => {
    const cookie = await signedIn(target, "Alice");
    for (let n = 0; n < 12; n++) await signIn(target, "Alice", "wrong horse", { headers: from(n) });
    assert.equal((await signIn(target, "Alice", password, { headers: from(50) })).status, 429);
    assert.equal((await signIn(target, "Alice", password, { cookie, headers: from(51) })).status, 200);
    const stolen = await signIn(target, "Bob", "wrong horse", { cookie, headers: from(52) });
    assert.equal(stolen.status, 401, "a browser of one account is no known one of another");
    const { attempts = 0 } = (await row<{ attempts: number }>(
      target.pool,
      sql`select sum(attempts)::int as attempts from sign_in_attempts
        where bucket = sha256(convert_to(${`email ${emailOf("Bob")}`}, 'UTF8'))`,
    )) ?? { attempts: 0 };
    assert.equal(attempts, 1);
  });

  it("has ten attempts from a browser used before, too", async () => {
    const cookie = await signedIn(target, "Alice");
    const statuses: number[] = [];
    for (let n = 0; n < 11; n++) {
      statuses.push((await signIn(target, "Alice", "wrong horse", { cookie, headers: from(n) })).status);
    }
    assert.deepEqual([statuses.filter((status) => status === 401).length, statuses.at(-1)], [10, 429]);
  });

  it("has ten attempts with a stolen session as well", async () => {
    const cookie = await signedIn(target, "Bob");
    const statuses: number[] = [];
    for (let n = 0; n < 11; n++) {
      const body = { currentPassword: "wrong horse", newPassword: "attacker's own" };
      statuses.push((await ask(target, "POST /api/auth/change-password", { cookie, body, headers: from(n) })).status);
    }
    assert.equal(statuses.at(-1), 429, statuses.join());
  });
});

describe("guessing from one address", () => {
  it("has ten attempts a minute, whatever the accounts", async () => {
    const guesses = await Promise.all(
      Array.from({ length: 15 }, (_, n) => signIn(target, `Stranger${n}`, "wrong horse", { headers: from(1) })),
    );
    assert.equal(guesses.filter(({ status }) => status === 401).length, 10);
    assert.equal(
      (await signIn(target, "Alice", password, { headers: from(2) })).status,
      200,
      "others are not affected",
    );
  });

  it("behind a proxy that is not configured does not keep the others out", async () => {
    for (let n = 0; n < 5; n++) await signIn(proxied, "Mallory", "wrong horse", { headers: from(1) });
    assert.equal((await signIn(proxied, "Alice", password, { headers: from(2) })).status, 200);
  });

  it("behind such a proxy, with all attempts used up, leaves browsers used before alone", async () => {
    const cookie = await signedIn(proxied, "Alice");
    await changed(
      proxied.pool,
      sql`update sign_in_attempts set attempts = 1000, ends_at = now() + interval '1 minute'`,
    );
    assert.equal((await signIn(proxied, "Bob", password)).status, 429);
    assert.equal((await signIn(proxied, "Alice", password, { cookie })).status, 200);
  });
});

describe("unknown addresses below /api/auth", () => {
  it("leave nothing in the database, and answer 404 however long they are", async () => {
    const stored = async () =>
      (await row<{ n: number }>(target.pool, sql`select count(*) as n from sign_in_attempts`))?.n;
    const before = await stored();
    const text = (length: number) => randomBytes(length / 2).toString("hex");
    const statuses = new Set<number>();
    for (const path of ["nothing", text(2_000), text(8_000), "sign-in/email/", "sign-in/%65mail2", "ok", "error"]) {
      for (const method of ["GET", "POST"]) statuses.add((await ask(target, `${method} /api/auth/${path}`)).status);
    }
    assert.equal(await stored(), before);
    assert.deepEqual([...statuses], [404]);
  });

  it("open none of the endpoints that the sign-in library has besides", async () => {
    const cookie = await signedIn(target, "Alice");
    for (const path of [
      "update-user",
      "update-session",
      "delete-user",
      "set-password",
      "unlink-account",
      "sign-up/email",
      "verify-password",
    ]) {
      assert.equal((await ask(target, `POST /api/auth/${path}`, { cookie, body: {} })).status, 404, path);
    }
  });
});

describe("a page of the attacker's", () => {
  it("frames nothing below /api/auth", async () => {
    for (const path of ["/api/auth/error", "/api/auth/error?error=hello", "/api/auth/get-session", "/api/auth/ok"]) {
      const { headers } = await ask(target, `GET ${path}`);
      assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'.*frame-ancestors 'none'/, path);
    }
  });
});

describe("a script in the console", () => {
  it("reads no session's token from any answer", async () => {
    const answer = await signIn(target, "Alice");
    const cookie = cookieOf(answer);
    const tokens = await rows<{ token: string }>(target.pool, sql`select token from auth_sessions`);
    const list = await ask(target, "GET /api/auth/list-sessions", { cookie });
    assert.equal(list.status, 200, list.text);
    assert.ok(list.body.length > 0 && list.body[0].id);
    const session = await ask(target, "GET /api/auth/get-session", { cookie });
    for (const { token } of tokens) {
      for (const { text } of [answer, list, session]) assert.ok(!text.includes(token));
    }
  });

  it("ends a session by its id, and only the account's own", async () => {
    const [alice, other, bob] = [
      await signedIn(target, "Alice"),
      await signedIn(target, "Alice"),
      await signedIn(target, "Bob"),
    ];
    const idOf = async (cookie: string) => (await ask(target, "GET /api/auth/get-session", { cookie })).body.session.id;
    const end = async (cookie: string) =>
      ask(target, "POST /api/auth/revoke-session", { cookie: alice, body: { id: await idOf(cookie) } });
    const me = async (cookie: string) => (await ask(target, "GET /api/v1/me", { cookie })).status;
    await end(bob);
    assert.equal(await me(bob), 200);
    await end(other);
    assert.deepEqual([await me(other), await me(alice)], [401, 200]);
  });
});

describe("taking over an account", () => {
  it("leaves its traces in the audit log", async () => {
    const cookie = await signedIn(target, "Alice");
    const changed = await ask(target, "POST /api/auth/change-password", {
      cookie,
      body: { currentPassword: password, newPassword: password, revokeOtherSessions: true },
      headers: from(7),
    });
    assert.equal(changed.status, 200, changed.text);
    const now = cookieOf(changed) || cookie;
    assert.equal(
      (await ask(target, "POST /api/auth/two-factor/enable", { cookie: now, body: { password } })).status,
      200,
    );
    const entries = await rows<{ action: string; email: string; ip: string | null; request_id: string }>(
      target.pool,
      sql`select action, user_email as email, host(ip) as ip, request_id from audit_log
        where organization_id = ${target.cast.organizationId} and action like '%/api/auth/%' order by id desc limit 3`,
    );
    assert.deepEqual(
      entries.map(({ action }) => action),
      ["POST /api/auth/two-factor/enable", "POST /api/auth/change-password", "POST /api/auth/sign-in/email"],
    );
    assert.deepEqual(new Set(entries.map(({ email }) => email)), new Set([emailOf("Alice")]));
    assert.equal(entries[1]?.ip, "5.0.0.7");
    assert.equal(entries[1]?.request_id, changed.headers.get("x-request-id"));
  });
});
