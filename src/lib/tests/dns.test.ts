import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type DnsServer, startDnsServer } from "../../../stage/dns-server.ts";
import { isDnsServer, resolveAddresses } from "../dns.ts";

let dns: DnsServer;

before(async () => {
  dns = await startDnsServer({
    "shop.example": { A: ["203.0.113.7", "203.0.113.8"], AAAA: ["2001:db8::7"] },
    "www.example": { CNAME: "cdn.example" },
    "cdn.example": { CNAME: "shop.example" },
    "loop.example": { CNAME: "pool.example" },
    "pool.example": { CNAME: "loop.example" },
    "lost.example": { CNAME: "nowhere.example" },
    "mail.example": {},
    "broken.example": { code: "SERVFAIL" },
    "closed.example": { code: "REFUSED" },
    "silent.example": { silent: true },
  });
});

after(() => dns?.close());

const ask = (name: string, timeoutMs = 20_000) => resolveAddresses(name, { servers: [dns.address], timeoutMs });

describe("the addresses of a name", () => {
  it("are of both kinds", async () => {
    assert.deepEqual(await ask("shop.example"), {
      addresses: ["203.0.113.7", "203.0.113.8", "2001:db8::7"],
      chain: [],
    });
  });

  it("are found through aliases, which are reported", async () => {
    const { addresses, chain, error } = await ask("www.example");
    assert.deepEqual([addresses.length, chain, error], [3, ["cdn.example", "shop.example"], undefined]);
  });

  const failures = [
    ["nothing.example", "missing", "nothing.example"],
    ["lost.example", "missing", "nowhere.example"],
    ["mail.example", "empty", "mail.example"],
    ["broken.example", "broken", "broken.example"],
    ["closed.example", "refused", "closed.example"],
    ["loop.example", "broken", "pool.example"],
  ] as const;
  for (const [name, reason, where] of failures) {
    it(`of ${name} are none: ${reason}`, async () => {
      const { addresses, error } = await ask(name);
      assert.deepEqual([addresses, error], [[], { reason, name: where }]);
    });
  }

  it("are unknown when no server answers in time", async () => {
    const { error } = await ask("silent.example", 300);
    assert.equal(error?.reason, "timeout");
  });

  it("are given up on when the time is over, however many servers are left", async (t) => {
    const silent = await Promise.all([1, 2, 3, 4].map(() => startDnsServer({ "shop.example": { silent: true } })));
    t.after(() => Promise.all(silent.map(({ close }) => close())));
    const servers = [...silent.map(({ address }) => address), dns.address];
    const { addresses, error } = await resolveAddresses("shop.example", { servers, timeoutMs: 300 });
    assert.deepEqual([addresses, error], [[], { reason: "timeout", name: "shop.example" }]);
  });

  it("are unknown when the server is not there", async () => {
    const gone = await startDnsServer();
    await gone.close();
    const { error } = await resolveAddresses("shop.example", { servers: [gone.address], timeoutMs: 300 });
    assert.match(error?.reason ?? "", /^(?:refused|timeout)$/);
  });
});

describe("a DNS server", () => {
  for (const text of ["9.9.9.9", "127.0.0.1:5353", "2620:fe::fe", "[2620:fe::fe]", "[::1]:53"]) {
    it(`may be ${text}`, () => assert.ok(isDnsServer(text)));
  }
  for (const text of ["dns.example", "1.2.3", "127.0.0.1:0", "127.0.0.1:70000", "[127.0.0.1]:53", "::1:x", ""]) {
    it(`is not ${JSON.stringify(text)}`, () => assert.ok(!isDnsServer(text)));
  }
});
