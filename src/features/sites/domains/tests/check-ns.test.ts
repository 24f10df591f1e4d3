import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type DnsServer, startDnsServer } from "../../../../../stage/dns-server.ts";
import { rows, sql } from "../../../../db/sql.ts";
import { call } from "../../../../http/tests/support.ts";
import { createProject, openStage, type Stage } from "../../../projects/tests/support.ts";
import { verdict } from "../check-ns.ts";

const here = "203.0.113.7";

describe("what the DNS answers for a name", () => {
  const said = (addresses: string[], more: object = {}, expected: string | null = here) =>
    verdict("shop.test", expected, { addresses, chain: [], ...more });
  const failing = [
    [
      "elsewhere",
      said(["198.51.100.1"]),
      `Create an A record with ${here} for shop.test; it points to 198.51.100.1 now.`,
    ],
    [
      "by an alias",
      said(["198.51.100.1"], { chain: ["cdn.test"] }),
      /instead of its alias; it is an alias \(CNAME\) of cdn.test, which points to 198.51.100.1 now/,
    ],
    ["here and elsewhere", said([here, "198.51.100.1"]), /Remove the A record of shop.test with 198.51.100.1/],
    ["with IPv6 only", said(["2001:db8::1"]), /Create an A record .* it points to 2001:db8::1 now/],
    ["to a server of IPv6", said(["198.51.100.1"], {}, "2001:db8::7"), /Create an AAAA record with 2001:db8::7/],
    [
      "nowhere",
      said([], { error: { reason: "missing", name: "shop.test" } }),
      /Create an A record .* does not exist in the DNS now/,
    ],
    [
      "to a lost alias",
      said([], { chain: ["gone.test"], error: { reason: "missing", name: "gone.test" } }),
      /leads to gone.test, which does not exist/,
    ],
    ["to no address", said([], { error: { reason: "empty", name: "shop.test" } }), /it has no address now/],
    ["silence", said([], { error: { reason: "timeout", name: "shop.test" } }), /did not answer in time for shop.test/],
    ["SERVFAIL", said([], { error: { reason: "broken", name: "shop.test" } }), /answers with a failure for shop.test/],
    ["a refusal", said([], { error: { reason: "refused", name: "shop.test" } }), /LONGSHORE_DNS sets others/],
    ["without a server's address", said([here], {}, null), /address of the server is not known yet/],
  ] as const;
  for (const [where, { ok, message }, sentence] of failing) {
    test(`${where}: what to change`, () => {
      assert.equal(ok, false);
      if (typeof sentence === "string") assert.equal(message, sentence);
      else assert.match(message, sentence);
    });
  }

  test("here: it is right, with a word on IPv6 that may not be the server's", () => {
    assert.deepEqual(said([here]), { ok: true, message: `shop.test points to ${here}, the address of the server.` });
    assert.match(said([here, "2001:db8::1"]).message, /AAAA records as well \(2001:db8::1\)/);
    assert.equal(said(["2001:DB8:0::7"], {}, "2001:db8::7").ok, true);
  });
});

describe("GET /check-ns", () => {
  let stage: Stage;
  let dns: DnsServer;

  before(async () => {
    dns = await startDnsServer();
    stage = await openStage({ dnsServers: dns.address });
    await stage.pool.query("update servers set public_ip = $1", [here]);
  });

  after(async () => {
    await stage?.close();
    await dns?.close();
  });

  const check = async (id: number, query = "") =>
    (await call(stage.app, `GET /api/v1/projects/${id}/check-ns${query}`, { token: stage.cast.alice })).body;
  const projectAt = (domain: string, www_redirect = 0) => createProject(stage, { domain, www_redirect });

  test("compares the primary domain with the server's address", async () => {
    const id = await projectAt("right.example");
    dns.zone.set("right.example", { A: [here] });
    const body = await check(id);
    assert.deepEqual(
      [body.status, body.domain, body.expected_ip, body.resolved_ip],
      ["success", "right.example", here, here],
    );
    dns.zone.set("right.example", { A: ["198.51.100.1"] });
    const moved = await check(id);
    assert.deepEqual([moved.status, moved.expected_ip, moved.resolved_ip], ["failed", here, "198.51.100.1"]);
    assert.match(moved.message, /Create an A record with 203.0.113.7 for right.example; it points to 198.51.100.1 now/);
  });

  test("shows the resolved address of the same kind as the server's", async () => {
    const id = await projectAt("both.example");
    dns.zone.set("both.example", { A: ["192.0.2.50"], AAAA: ["2001:db8::10"] });
    await stage.pool.query("update servers set public_ip = '2001:db8::10'");
    try {
      const body = await check(id);
      assert.deepEqual([body.status, body.resolved_ip], ["success", body.expected_ip]);
    } finally {
      await stage.pool.query("update servers set public_ip = $1", [here]);
    }
  });

  test("follows aliases and reports them", async () => {
    const id = await projectAt("alias.example");
    dns.zone.set("alias.example", { CNAME: "cdn.example" });
    dns.zone.set("cdn.example", { A: [here] });
    const body = await check(id);
    assert.deepEqual([body.status, body.names[0].chain], ["success", ["cdn.example"]]);
  });

  test("looks at the form that www_redirect adds, too", async () => {
    const id = await projectAt("bare.example", 1);
    dns.zone.set("bare.example", { A: [here] });
    const missing = await check(id);
    assert.deepEqual([missing.status, missing.resolved_ip], ["failed", here]);
    assert.match(missing.message, /Create an A record .* for www.bare.example; it does not exist/);
    dns.zone.set("www.bare.example", { CNAME: "bare.example" });
    assert.equal((await check(id)).status, "success");
  });

  test("looks at another domain of the project when it is named, and at none of others", async () => {
    const id = await projectAt("first.example");
    const added = await call(stage.app, `POST /api/v1/projects/${id}/domains`, {
      token: stage.cast.alice,
      body: { domain: "second.example" },
    });
    dns.zone.set("second.example", { A: [here] });
    const body = await check(id, `?domain_id=${added.body.domain.id}`);
    assert.deepEqual([body.status, body.domain], ["success", "second.example"]);
    const other = await projectAt("third.example");
    assert.equal((await check(other, `?domain_id=${added.body.domain.id}`)).message, "The domain was not found.");
  });

  const look = (domains: string[], token = stage.cast.alice, serverId = stage.serverId) =>
    call(stage.app, "POST /api/v1/check-ns", { token, body: { server_id: serverId, domains } });
  const stored = async (id: number) => {
    const { body } = await call(stage.app, `GET /api/v1/projects/${id}/domains`, { token: stage.cast.alice });
    return body.data[0].dns;
  };
  const announced = () =>
    rows<{ project_id: number | null; data: object }>(
      stage.pool,
      sql`select project_id, data from events where name = 'dns.updated' order by id`,
    );

  test("looks up names that no project has, in their order", async () => {
    dns.zone.set("new.example", { A: [here] });
    dns.zone.set("old.example", { A: ["198.51.100.1"] });
    const { status, body } = await look(["old.example", "NEW.example"]);
    assert.equal(status, 200);
    assert.deepEqual(
      body.data.map((each: { domain: string; status: string }) => [each.domain, each.status]),
      [
        ["old.example", "failed"],
        ["new.example", "success"],
      ],
    );
    assert.match(body.data[0].message, /it points to 198.51.100.1 now/);
  });

  test("keeps what it found for the project that gets the name, until the address of the server changes", async () => {
    dns.zone.set("later.example", { A: [here] });
    await look(["later.example"]);
    const id = await projectAt("later.example");
    const { checked_at: at, ...found } = await stored(id);
    const message = `later.example points to ${here}, the address of the server.`;
    assert.deepEqual(found, { ok: true, expected_ip: here, addresses: [here], chain: [], message });
    await stage.pool.query("update servers set public_ip = '203.0.113.9'");
    assert.equal(await stored(id), null);
    await check(id);
    assert.deepEqual([(await stored(id)).ok, (await stored(id)).expected_ip], [false, "203.0.113.9"]);
    assert.notEqual((await stored(id)).checked_at, at);
    await stage.pool.query("update servers set public_ip = $1", [here]);
  });

  test("announces a result that differs from the last", async () => {
    const id = await projectAt("seen.example");
    dns.zone.set("seen.example", { A: [here] });
    await stage.pool.query("delete from events");
    await look(["seen.example"]);
    await check(id);
    assert.deepEqual(await announced(), [{ project_id: null, data: { domain: "seen.example" } }]);
    dns.zone.set("seen.example", { A: ["198.51.100.1"] });
    await check(id);
    await check(id);
    assert.deepEqual((await announced())[1], { project_id: id, data: { domain: "seen.example" } });
    assert.equal((await announced()).length, 2);
  });

  test("keeps a number of names that no project has", async () => {
    await stage.pool.query(sql`
      insert into dns_checks (server_id, organization_id, name, ok, addresses, chain, message, checked_at)
      select ${stage.serverId}, ${stage.cast.organizationId}, 'n' || n || '.example', true, '{}', '{}', '', now() - make_interval(days => n)
      from generate_series(1, 400) n
    `);
    const id = await projectAt("n399.example");
    await look(["newest.example"]);
    const [kept] = await rows<{ count: number }>(
      stage.pool,
      sql`
      select count(*)::integer from dns_checks k
      where not exists (select 1 from domain_names n where n.name = k.name)
    `,
    );
    assert.equal(kept?.count, 200);
    const names = await rows<{ name: string }>(stage.pool, sql`select name from dns_checks`);
    for (const name of ["newest.example", "n1.example", "n399.example"])
      assert.ok(
        names.some((each) => each.name === name),
        name,
      );
    assert.ok(!names.some((each) => each.name === "n400.example"));
    assert.ok(id);
  });

  test("refuses servers out of reach, and what is no name", async () => {
    const { body } = await look(["shop.example", "https://shop.example", "*.shop.example"]);
    assert.deepEqual(Object.keys(body.errors), ["domains.1", "domains.2"]);
    const stranger = await look(["shop.example"], stage.cast.charlie);
    assert.deepEqual([stranger.status, Object.keys(stranger.body.errors)], [422, ["server_id"]]);
    assert.equal((await look(Array.from({ length: 21 }, (_, at) => `n${at}.example`))).status, 422);
    assert.equal((await look([])).status, 422);
    assert.equal((await look(["shop.example"], stage.cast.victor)).status, 403);
  });
});
