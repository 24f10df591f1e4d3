import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { after, before, beforeEach, describe, it } from "node:test";
import type { FastifyInstance } from "fastify";
import { type TestDatabase, testDatabase } from "../../../../../test/database.ts";
import type { Context } from "../../../../context.ts";
import { changed, row, rows, sql } from "../../../../db/sql.ts";
import { appOn, type Cast, call, contextOn, createCast } from "../../../../http/tests/support.ts";
import { browserOf } from "../../../accounts/tests/support.ts";
import { organizationRoutes } from "../../../organizations/routes.ts";
import { deviceAuthorizationRoutes } from "../../device-authorizations/routes.ts";
import { mountOAuth } from "../endpoint.ts";
import { oauthRoutes } from "../routes.ts";
import { openProgramSite, type ProgramSite, sendDocument } from "./support.ts";

const publicUrl = "https://deploy.example.com";
const resource = `${publicUrl}/mcp`;
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
type Browser = Record<string, string>;

let site: ProgramSite;
let database: TestDatabase;
let ctx: Context;
let cast: Cast;
let app: FastifyInstance;
/** Another process. */
let other: FastifyInstance;
let alice: Browser;

before(async () => {
  site = await openProgramSite();
  database = await testDatabase();
  ctx = contextOn(database.pool, { publicUrl, mcpOauth: "on", monitorAllow: "127.0.0.0/8,::1" });
  cast = await createCast(database.pool);
  [app, other] = [appOf(ctx), appOf(ctx)];
  alice = await browserOf(ctx, cast.userIds.alice);
});
after(async () => {
  await app?.close();
  await other?.close();
  await database?.drop();
  site?.close();
});
beforeEach(async () => {
  for (const table of ["sign_in_attempts", "device_authorizations"]) await database.pool.query(`delete from ${table}`);
});

function appOf(ctx: Context): FastifyInstance {
  const made = appOn(ctx, [...deviceAuthorizationRoutes, ...oauthRoutes, ...organizationRoutes]);
  mountOAuth(made, ctx);
  return made;
}

const devices = "/api/v1/device-authorizations";
const challengeOf = (secret: string): string => hash("sha256", secret, "base64url");

/** A program opens the page in a person's browser. */
const ask = (browser: Browser, more: object = {}, on = app) =>
  call(on, "POST /api/v1/oauth-authorizations", {
    headers: browser,
    body: {
      ...{ client_id: site.clientId, redirect_uri: site.callback, response_type: "code", resource, state: "xyz" },
      ...{ code_challenge: challengeOf(verifier), code_challenge_method: "S256" },
      ...more,
    },
  });

async function asked(browser: Browser, more: object = {}): Promise<string> {
  const { status, text, body } = await ask(browser, more);
  assert.equal(status, 201, text);
  return body.data.program.user_code;
}

const approve = (browser: Browser, code: string, more: object = {}) =>
  call(app, `POST ${devices}/${code}/approve`, {
    headers: browser,
    body: { name: "assistant", permissions: ["project:read"], organization_id: cast.organizationId, ...more },
  });

/** The code in the answer that the browser takes to the program. */
async function approved(browser: Browser, more: { asks?: object; chooses?: object } = {}): Promise<string> {
  const { status, text, body } = await approve(browser, await asked(browser, more.asks), more.chooses);
  assert.equal(status, 200, text);
  return new URL(body.redirect_to).searchParams.get("code") ?? "";
}

const formOf = (code: string, more: Record<string, string> = {}) => ({
  ...{ grant_type: "authorization_code", client_id: site.clientId, redirect_uri: site.callback, resource },
  ...{ code, code_verifier: verifier },
  ...more,
});

async function send(body: string, on = app) {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const request = { method: "POST", url: "/oauth/token", headers, payload: body, remoteAddress: "1.1.1.1" } as const;
  const answer = await on.inject(request);
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}

const exchange = (code: string, more: Record<string, string> = {}, on = app) =>
  send(`${new URLSearchParams(formOf(code, more))}`, on);

const worksWith = async (token: string): Promise<boolean> =>
  (await call(app, "GET /api/v1/me", { token })).status === 200;

const waiting = async (): Promise<number> => (await rows(database.pool, sql`select from device_authorizations`)).length;

const actionsAbout = async (name: string): Promise<string[]> =>
  (
    await rows<{ summary: string }>(
      database.pool,
      sql`select a.summary from audit_log a where a.client->>'name' = ${name} or a.action like '%approve' order by a.id`,
    )
  ).map(({ summary }) => summary);

describe("a program of another site", () => {
  it("gets a token once the person has approved it, with what the person chose", async () => {
    const { body } = await ask(alice);
    const { user_code, client_name, oauth, permissions } = body.data.program;
    const { host } = new URL(site.clientId);
    assert.deepEqual([client_name, permissions.includes("project:read")], ["Assistant", true]);
    assert.deepEqual(oauth, {
      client_id: site.clientId,
      client_host: host,
      redirect_host: host,
      is_local: false,
    });
    assert.deepEqual((await call(app, `GET ${devices}/${user_code}`, { headers: alice })).body.data, body.data.program);

    const expires_at = new Date(Date.now() + 86_400_000).toISOString();
    const answer = await approve(alice, user_code, { expires_at });
    const to = new URL(answer.body.redirect_to);
    assert.equal(to.origin + to.pathname, site.callback);
    assert.deepEqual([to.searchParams.get("state"), to.searchParams.get("iss")], ["xyz", publicUrl]);
    const { status, body: granted, headers } = await exchange(to.searchParams.get("code") ?? "");
    assert.equal(status, 200, JSON.stringify(granted));
    assert.equal(headers["cache-control"], "no-store");
    const { access_token, expires_in, ...rest } = granted;
    assert.deepEqual(rest, { token_type: "Bearer", scope: "project:read" });
    assert.ok(expires_in > 86_300 && expires_in <= 86_400, String(expires_in));
    const me = await call(app, "GET /api/v1/me", { token: access_token });
    assert.deepEqual(me.body.data.organization.permissions, ["project:read"]);
    const listed = await call(app, "GET /api/v1/me/tokens", { headers: alice });
    assert.ok(listed.body.data.some(({ name }: { name: string }) => name === "assistant"));
    assert.deepEqual((await actionsAbout("localhost")).slice(-2), [
      "Approve a program that waits for a token",
      "Hand a token out to an approved program",
    ]);
  });

  it("gets one without an end, if the person chose that", async () => {
    const { body } = await exchange(await approved(alice));
    assert.deepEqual(Object.keys(body), ["access_token", "token_type", "scope"]);
  });

  it("is stored without the code and the token", async () => {
    const code = await approved(alice);
    const stored = () => row<{ all: string }>(database.pool, sql`select d::text as all from device_authorizations d`);
    assert.ok(!(await stored())?.all.includes(code));
    const { access_token } = (await exchange(code)).body;
    const after = (await stored())?.all ?? "";
    assert.ok(after !== "" && !after.includes(access_token) && !after.includes(code));
  });

  it("is denied, and learns of it", async () => {
    const code = await asked(alice);
    const { body } = await call(app, `POST ${devices}/${code}/deny`, { headers: alice });
    const { searchParams: answer } = new URL(body.redirect_to);
    assert.deepEqual(Object.fromEntries(answer), { error: "access_denied", state: "xyz", iss: publicUrl });
    assert.equal((await approve(alice, code)).status, 404);
  });

  it("proposes permissions, of which all are for the person to choose", async () => {
    const proposed = async (scope?: string) =>
      (await ask(alice, scope === undefined ? {} : { scope })).body.data.program.permissions;
    const reading = ["project:read", "server:read", "monitor:read", "organization:read"];
    assert.deepEqual(await proposed(), reading);
    assert.deepEqual(await proposed("* openid"), reading);
    assert.deepEqual(await proposed("deployment:create openid project:read"), ["project:read", "deployment:create"]);
  });

  it("has a name of one line, in which nothing changes its direction", async () => {
    const named = async (client_name: unknown) => {
      const client_id = site.add("named.json", (response, id) =>
        sendDocument(response, { client_id: id, client_name, redirect_uris: [site.callback] }),
      );
      return (await ask(alice, { client_id })).body.data.program.client_name;
    };
    assert.equal(await named(" Clau\u202ede\u0000\nby\u2028me "), "Clau de by me");
    assert.equal(await named("x".repeat(300)), "x".repeat(100));
    assert.equal(await named({ toString: 1 }), new URL(site.clientId).host);
  });
});

describe("a code", () => {
  it("is used once: a second use revokes the token", async () => {
    const code = await approved(alice);
    const { access_token } = (await exchange(code)).body;
    assert.ok(await worksWith(access_token));
    // A thief of the code does not have the secret.
    const again = await exchange(code, { code_verifier: "a".repeat(43) }, other);
    assert.deepEqual([again.status, again.body.error], [400, "invalid_grant"]);
    assert.equal(await worksWith(access_token), false);
    assert.equal((await actionsAbout("localhost")).at(-1), "Revoke a token whose code was used twice");
    assert.equal((await exchange(code)).status, 400);
  });

  it("is used once, also by requests at the same moment", async () => {
    const code = await approved(alice);
    const answers = await Promise.all([exchange(code), exchange(code, {}, other), exchange(code)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400]);
    const token = answers.find(({ status }) => status === 200)?.body.access_token;
    assert.equal(await worksWith(token), false);
  });

  it("is worth nothing with another secret, program or address, or for something else", async () => {
    const code = await approved(alice);
    const wrong: [Record<string, string>, string][] = [
      [{ code_verifier: `${verifier.slice(0, -1)}l` }, "invalid_grant"],
      [{ code_verifier: challengeOf(verifier) }, "invalid_grant"],
      [{ client_id: site.clientId.replace("client.json", "other.json") }, "invalid_grant"],
      [{ redirect_uri: `${site.callback}?` }, "invalid_grant"],
      [{ code: `${code.slice(0, -1)}?` }, "invalid_grant"],
      [{ resource: `${publicUrl}/` }, "invalid_target"],
      [{ resource: "https://other.example.com/mcp" }, "invalid_target"],
    ];
    for (const [more, error] of wrong) {
      const { status, body } = await exchange(code, more);
      assert.deepEqual([status, body.error], [400, error], JSON.stringify(more));
    }
    assert.equal((await exchange(code)).status, 200);
  });

  it("expires after a minute", async () => {
    const code = await approved(alice);
    const left = await row<{ seconds: number }>(
      database.pool,
      sql`select extract(epoch from expires_at - now())::float8 as seconds from device_authorizations`,
    );
    assert.ok(left && left.seconds > 0 && left.seconds <= 60);
    await changed(database.pool, sql`update device_authorizations set expires_at = now()`);
    assert.equal((await exchange(code)).body.error, "invalid_grant");
  });

  it("is worth nothing once the person has left the organization", async () => {
    const victor = await browserOf(ctx, cast.userIds.victor);
    const code = await approved(victor);
    await call(app, `POST /api/v1/organizations/${cast.organizationId}/leave`, { headers: victor });
    assert.equal((await exchange(code)).body.error, "invalid_grant");
  });

  it("is no code of a device", async () => {
    const code = await approved(alice);
    assert.equal((await call(app, `POST ${devices}/token`, { body: { device_code: code } })).status, 410);
    assert.equal((await exchange(code)).status, 200);
  });

  it("is exchanged by a request that is complete, with each part once", async () => {
    const form = formOf(await approved(alice));
    const errorOf = async (body: string) => {
      await database.pool.query("delete from sign_in_attempts");
      return (await send(body)).body.error;
    };
    for (const name of Object.keys(form)) {
      const without = new URLSearchParams(form);
      without.delete(name);
      assert.equal(await errorOf(`${without}`), name === "resource" ? "invalid_target" : "invalid_request", name);
      const twice = new URLSearchParams(form);
      twice.append(name, form[name as keyof typeof form]);
      assert.equal(await errorOf(`${twice}`), "invalid_request", name);
    }
    for (const grant_type of ["refresh_token", "client_credentials", "password"]) {
      assert.equal(await errorOf(`${new URLSearchParams({ ...form, grant_type })}`), "unsupported_grant_type");
    }
    for (const code_verifier of ["short", `${verifier} `, "a".repeat(129)]) {
      assert.equal(await errorOf(`${new URLSearchParams({ ...form, code_verifier })}`), "invalid_request");
    }
    assert.equal(await errorOf(""), "invalid_request");
    assert.equal(await errorOf(JSON.stringify(form)), "invalid_request");
  });
});

describe("a request that is not OAuth 2.1 with PKCE for /mcp", () => {
  const refused: Record<string, [object, string]> = {
    "no PKCE": [{ code_challenge: undefined, code_challenge_method: undefined }, "invalid_request"],
    "PKCE without a method, which means plain": [{ code_challenge_method: undefined }, "invalid_request"],
    "plain PKCE": [{ code_challenge: verifier, code_challenge_method: "plain" }, "invalid_request"],
    "a challenge that is no digest": [{ code_challenge: "abc" }, "invalid_request"],
    "a token in the address": [{ response_type: "token" }, "unsupported_response_type"],
    "no type of answer": [{ response_type: undefined }, "unsupported_response_type"],
    "no resource": [{ resource: undefined }, "invalid_target"],
    "another resource": [{ resource: "https://other.example.com/mcp" }, "invalid_target"],
    "the API as resource": [{ resource: publicUrl }, "invalid_target"],
  };
  for (const [name, [more, error]] of Object.entries(refused)) {
    it(`is refused: ${name}`, async () => {
      const { status, body } = await ask(alice, more);
      assert.deepEqual([status, body.data.program], [200, null]);
      const to = new URL(body.data.refusal.redirect_to);
      assert.equal(to.origin + to.pathname, site.callback);
      const { error_description, ...answer } = Object.fromEntries(to.searchParams);
      assert.deepEqual(answer, { error, state: "xyz", iss: publicUrl });
      assert.equal(error_description, body.data.refusal.message);
      assert.equal(await waiting(), 0);
    });
  }
});

describe("the person who is asked", () => {
  it("answers in the session that was asked, and no other one can", async () => {
    const code = await asked(alice);
    const elsewhere = await browserOf(ctx, cast.userIds.alice);
    const adam = await browserOf(ctx, cast.userIds.adam);
    for (const browser of [elsewhere, adam]) {
      assert.equal((await call(app, `GET ${devices}/${code}`, { headers: browser })).status, 404);
      assert.equal((await approve(browser, code)).status, 404);
      assert.equal((await call(app, `POST ${devices}/${code}/deny`, { headers: browser })).status, 404);
    }
    assert.equal((await approve(alice, code)).status, 200);
    assert.equal((await approve(alice, code)).status, 404);
  });

  it("is signed in, and sends the request from a page of the console", async () => {
    const body = { client_id: site.clientId, redirect_uri: site.callback };
    const line = "POST /api/v1/oauth-authorizations";
    const requests = site.requests.length;
    assert.equal((await call(app, line, { body })).status, 401);
    assert.equal((await call(app, line, { token: cast.alice, body })).status, 403);
    for (const origin of ["https://evil.example", new URL(site.clientId).origin]) {
      assert.equal((await ask({ ...alice, origin })).status, 403);
      assert.equal((await approve({ ...alice, origin }, await asked(alice))).status, 403);
    }
    assert.equal((await ask({ ...alice, "sec-fetch-site": "cross-site" })).status, 403);
    assert.equal(site.requests.length - requests, 2, "Nothing was read for those who are refused.");
  });

  it("gives away no more than the role has", async () => {
    const bob = await browserOf(ctx, cast.userIds.bob);
    const code = await asked(bob, { scope: "server:delete project:read" });
    for (const permissions of [["*"], ["server:delete"], ["project:read", "organization:manage"]]) {
      assert.equal((await approve(bob, code, { permissions })).status, 403);
    }
    const elsewhere = await approve(bob, code, { organization_id: cast.charlieOrganizationId });
    assert.deepEqual([elsewhere.status, Object.keys(elsewhere.body.errors)], [422, ["organization_id"]]);
    assert.equal((await approve(bob, code)).status, 200);
  });

  it("is asked ten times a minute, and an address exchanges ten codes a minute", async () => {
    for (let time = 0; time < 10; time++) assert.equal((await ask(alice, {}, time % 2 ? app : other)).status, 201);
    const requests = site.requests.length;
    assert.equal((await ask(alice)).status, 429);
    assert.equal(site.requests.length, requests);
    for (let time = 0; time < 10; time++) assert.equal((await exchange("x", {}, time % 2 ? app : other)).status, 400);
    const refused = await exchange("x");
    assert.equal(refused.status, 429);
    assert.ok(Number(refused.headers["retry-after"]) > 0);
  });
});
