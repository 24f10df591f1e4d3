import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { row, rows, sql } from "../../src/db/sql.ts";
import { transaction } from "../../src/db/transaction.ts";
import { emitEvent } from "../../src/engine/events.ts";
import { ask, makeToken, signedIn, startTarget, type Target } from "./api.ts";

let target: Target;
before(async () => {
  target = await startTarget();
});
after(() => target?.close());

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
const me = (token: string, headers = {}) => ask(target, "GET /api/v1/me", { token, headers });
const organizations = async (token: string): Promise<number[]> =>
  (await me(token)).body.data.organizations.map((each: { id: number }) => each.id);

describe("a leaked token that may only read monitors", () => {
  const leaked = async () => (await makeToken(target, target.cast.bob, { permissions: ["monitor:read"] })).token;

  it("cannot make its user leave an organization", async () => {
    const { cast } = target;
    const token = await leaked();
    assert.equal((await ask(target, `POST /api/v1/organizations/${cast.organizationId}/leave`, { token })).status, 403);
    assert.deepEqual(await organizations(cast.bob), [cast.organizationId]);
  });

  it("cannot move where its user's other tokens run", async () => {
    const token = await leaked();
    const line = `POST /api/v1/organizations/${target.cast.organizationId}/switch`;
    assert.equal((await ask(target, line, { token })).status, 403);
  });

  it("cannot make its user a member of the attacker's organization", async () => {
    const { cast } = target;
    const token = await leaked();
    const invited = await ask(target, `POST /api/v1/organizations/${cast.charlieOrganizationId}/invitations`, {
      token: cast.charlie,
      body: { email: "bob@example.com", role: "Owner" },
    });
    const body = { token: invited.body.data.token };
    assert.equal((await ask(target, "POST /api/v1/invitations/accept", { token, body })).status, 403);
    assert.deepEqual(await organizations(cast.bob), [cast.organizationId]);
  });

  it("cannot revoke the tokens of other programs", async () => {
    const [token, other] = [
      await leaked(),
      await makeToken(target, target.cast.bob, { permissions: ["monitor:read"] }),
    ];
    assert.equal((await ask(target, `DELETE /api/v1/me/tokens/${other.id}`, { token })).status, 403);
    assert.equal((await me(other.token)).status, 200);
  });

  it("cannot get the answer that a wider token got, by repeating its request", async () => {
    const { cast } = target;
    const token = await leaked();
    const request = {
      body: { name: "Everything", permissions: ["*"] },
      headers: { "idempotency-key": "deploy-2026-11-22" },
    };
    const first = await ask(target, "POST /api/v1/me/tokens", { token: cast.bob, ...request });
    assert.equal(first.status, 201);
    const again = await ask(target, "POST /api/v1/me/tokens", { token, ...request });
    assert.equal(again.status, 422, again.text);
    assert.ok(!again.text.includes(first.body.data.token));
    const own = await ask(target, "POST /api/v1/me/tokens", { token: cast.bob, ...request });
    assert.equal(own.text, first.text, "the token that asked first gets its answer again");
  });
});

describe("a token that expires", () => {
  it("cannot make one that lasts longer", async () => {
    const expires_at = inAnHour();
    const { token } = await makeToken(target, target.cast.alice, { permissions: ["*"], expires_at });
    const make = (more: object) =>
      ask(target, "POST /api/v1/me/tokens", { token, body: { name: "stays", permissions: ["*"], ...more } });
    for (const more of [{}, { expires_at: null }]) {
      const { status, body } = await make(more);
      assert.equal(status, 201);
      assert.equal(new Date(body.data.expires_at).toISOString(), expires_at);
    }
    const later = await make({ expires_at: new Date(Date.now() + 7_200_000).toISOString() });
    assert.deepEqual([later.status, Object.keys(later.body.errors ?? {})], [422, ["expires_at"]]);
  });
});

describe("a token bound to one organization", () => {
  it("reaches no other of its account, whatever the request names", async () => {
    const { cast } = target;
    const second = await ask(target, "POST /api/v1/organizations", { token: cast.alice, body: { name: "Second" } });
    const id = second.body.data.id as number;
    const { token } = await makeToken(target, cast.alice, {
      permissions: ["*"],
      organization_id: cast.organizationId,
      is_bound: true,
    });
    assert.deepEqual(await organizations(token), [cast.organizationId]);
    assert.equal((await me(token, { "x-organization": String(id) })).status, 403);
    assert.equal((await ask(target, `GET /api/v1/organizations/${id}`, { token })).status, 404);
    for (const [line, body] of [
      [`POST /api/v1/organizations/${cast.organizationId}/leave`, {}],
      ["POST /api/v1/organizations", { name: "Third" }],
      ["POST /api/v1/me/tokens", { name: "free", permissions: ["*"], is_bound: false }],
    ] as const) {
      assert.equal((await ask(target, line, { token, body })).status, 403, line);
    }
    const foreign = { name: "there", permissions: ["*"], organization_id: id };
    assert.equal((await ask(target, "POST /api/v1/me/tokens", { token, body: foreign })).status, 422);
    const made = await makeToken(target, token, { permissions: ["*"] });
    assert.equal((await me(made.token, { "x-organization": String(id) })).status, 403, "and its own are bound as well");
  });
});

describe("a copy of the database", () => {
  it("opens nothing with the sessions in it", async () => {
    const real = await signedIn(target, "Alice");
    const copied = await row<{ token: string }>(
      target.pool,
      sql`select token from auth_sessions order by id desc limit 1`,
    );
    const session = copied?.token ?? "";
    assert.ok(real.includes(session));
    const forged = createHmac("sha256", "better-auth-secret-12345678901234567890").update(session).digest("base64");
    for (const value of [session, `${session}.`, `${session}.${encodeURIComponent(forged)}`]) {
      for (const name of [
        "longshore.session_token",
        "__Secure-longshore.session_token",
        "__Host-longshore.session_token",
      ]) {
        const cookie = `${name}=${value}`;
        assert.equal((await ask(target, "GET /api/v1/me", { cookie })).status, 401, cookie);
        const body = { name: "Mine", permissions: ["*"] };
        assert.equal((await ask(target, "POST /api/v1/me/tokens", { cookie, body })).status, 401, cookie);
      }
    }
    assert.equal((await ask(target, "GET /api/v1/me", { cookie: real })).status, 200);
  });
});

describe("an event stream", () => {
  const emit = (n: number) =>
    transaction(target.pool, (tx) =>
      emitEvent(tx, {
        organizationId: target.cast.organizationId,
        name: "organization.updated",
        data: { id: n },
      }),
    );

  const listen = (token: string, signal: AbortSignal) =>
    fetch(`${target.url}/api/v1/events`, { headers: { authorization: `Bearer ${token}` }, signal });

  it("ends with the token that was revoked, before anything that happens afterwards", async (t) => {
    const stop = new AbortController();
    t.after(() => stop.abort());
    const { id, token } = await makeToken(target, target.cast.alice, { permissions: ["*"] });
    const stream = await listen(token, stop.signal);
    const revoked = await ask(target, `DELETE /api/v1/me/tokens/${id}`, { token: target.cast.alice });
    assert.equal(revoked.status, 200);
    for (let n = 1; n <= 3; n++) await emit(n);
    const text = await stream.text();
    assert.ok(!text.includes("organization.updated"), text);
  });

  it("is not opened thousands of times for one account", async (t) => {
    const stop = new AbortController();
    t.after(() => stop.abort());
    const { token } = await makeToken(target, target.cast.victor, { permissions: ["*"] });
    const streams = await Promise.all(Array.from({ length: 110 }, () => listen(token, stop.signal)));
    const refused = streams.filter(({ status }) => status === 429).length;
    assert.equal(refused, 10);
    const others = await listen(target.cast.alice, stop.signal);
    assert.equal(others.status, 200);
  });
});

describe("mails to an address that did not ask for them", () => {
  const invite = (organizationId: number, token: string, email: string) =>
    ask(target, `POST /api/v1/organizations/${organizationId}/invitations`, { token, body: { email, role: "Viewer" } });

  it("are few, from however many organizations", async () => {
    const { cast } = target;
    const statuses: number[] = [];
    for (let n = 0; n < 7; n++) {
      const made = await ask(target, "POST /api/v1/organizations", {
        token: cast.charlie,
        body: { name: `Spam ${n}` },
      });
      statuses.push((await invite(made.body.data.id, cast.charlie, "victim@example.com")).status);
    }
    assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429, 429]);
    assert.equal(
      (await invite(cast.organizationId, cast.alice, "nora@example.com")).status,
      201,
      "others still invite",
    );
  });

  it("are not repeated by revoking and inviting again", async () => {
    const { cast } = target;
    const statuses: number[] = [];
    for (let n = 0; n < 6; n++) {
      const made = await invite(cast.organizationId, cast.alice, "again@example.com");
      statuses.push(made.status);
      const line = `DELETE /api/v1/organizations/${cast.organizationId}/invitations/${made.body.data?.id}`;
      if (made.status === 201) await ask(target, line, { token: cast.alice });
    }
    assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429]);
  });

  it("are bounded for one inviter, whatever the addresses", async () => {
    const { organizationId, adam } = target.cast;
    const statuses = new Set<number>();
    for (let n = 0; n <= 100; n++) statuses.add((await invite(organizationId, adam, `n${n}@example.com`)).status);
    assert.ok(statuses.has(429));
    const invited = await rows(target.pool, sql`select 1 from invitations where email like 'n%@example.com'`);
    assert.equal(invited.length, 101, "100, and the one to Nora");
  });
});
