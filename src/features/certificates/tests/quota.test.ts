import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../../test/database.ts";
import { transaction } from "../../../db/transaction.ts";
import { AcmeError } from "../../../providers/acme/problem.ts";
import { forgetOldRequests, insertPause } from "../authority/queries.ts";
import { countFailures, formatTime, recordRateLimit, reserveQuota } from "../authority/quota.ts";
import { registeredDomain } from "../authority/registered-domain.ts";

let database: TestDatabase;

before(async () => {
  database = await testDatabase();
});

beforeEach(() => database.pool.query("truncate acme_requests, acme_pauses"));

after(() => database?.drop());

const directory = "https://authority.test/directory";
const limits = { acmeAccountLimit: 5, acmeDomainLimit: 3, acmeSameNamesLimit: 2 };

const ask = (names: string[], more: { isRenewal?: boolean; directory?: string } = {}) =>
  transaction(database.pool, (tx) => reserveQuota(tx, limits, { directory, names, isRenewal: false, ...more }));

const past = (interval: string) => database.pool.query(`update acme_requests set at = at - interval '${interval}'`);

const isAbout = (until: Date | undefined, inSeconds: number) =>
  Math.abs((until?.getTime() ?? 0) - Date.now() - inSeconds * 1_000) < 60_000;

describe("quota for an order", () => {
  test("is limited for a registered domain, across all projects", async () => {
    for (const name of ["a", "b", "c"]) assert.equal(await ask([`${name}.shop.test`]), undefined);
    const wait = await ask(["d.shop.test"]);
    assert.match(wait?.reason ?? "", /^For shop\.test 3 certificates were ordered in seven days, as many as may be\. /);
    assert.ok(isAbout(wait?.until, 7 * 86_400));
    assert.ok(wait?.reason.endsWith(`The next one can be ordered from ${formatTime(wait.until)} on.`));
    assert.equal(await ask(["d.other.test"]), undefined, "another domain is not concerned");
    await past("7 days");
    assert.equal(await ask(["d.shop.test"]), undefined);
  });

  test("is counted for the names of a renewal, but not for its domain", async () => {
    for (const name of ["a", "b", "c"]) await ask([`${name}.shop.test`]);
    assert.equal(await ask(["a.shop.test"], { isRenewal: true }), undefined);
    const wait = await ask(["a.shop.test"], { isRenewal: true });
    assert.match(wait?.reason ?? "", /^For these very names 2 certificates were ordered/);
  });

  test("treats the same names in another order as the same", async () => {
    await ask(["a.shop.test", "b.shop.test"]);
    await ask(["b.shop.test", "a.shop.test"]);
    assert.match((await ask(["a.shop.test", "b.shop.test"]))?.reason ?? "", /these very names/);
  });

  test("is limited for the account, also with concurrent requests", async () => {
    const asked = await Promise.all(Array.from({ length: 12 }, (_, at) => ask([`shop${at}.test`])));
    assert.equal(asked.filter((wait) => wait === undefined).length, 5);
    const refused = asked.find((wait) => wait !== undefined);
    assert.match(refused?.reason ?? "", /^This installation has ordered 5 certificates in three hours/);
    assert.ok(isAbout(refused?.until, 3 * 3_600));
  });

  test("is counted separately for each authority, without refused orders", async () => {
    for (let at = 0; at < 8; at++) await ask([`shop${at}.test`]);
    assert.equal(await ask(["shop.test"], { directory: "https://other.test/directory" }), undefined);
    const { rows } = await database.pool.query("select count(*) from acme_requests where scope = 'account'");
    assert.equal(Number(rows[0].count), 6);
  });

  test("is refused for a name whose proof failed five times in an hour", async () => {
    for (let at = 0; at < 5; at++) await countFailures(database.pool, directory, ["a.shop.test"]);
    const wait = await ask(["a.shop.test", "b.shop.test"]);
    assert.match(wait?.reason ?? "", /^The proof of a\.shop\.test has failed 5 times in an hour/);
    assert.equal(await ask(["b.shop.test"]), undefined);
    await past("1 hour");
    assert.equal(await ask(["a.shop.test"]), undefined);
  });

  test("has no limit where the setting is 0", async () => {
    const none = { acmeAccountLimit: 0, acmeDomainLimit: 0, acmeSameNamesLimit: 0 };
    const request = { directory, names: ["a.shop.test"], isRenewal: false };
    for (let at = 0; at < 9; at++) {
      assert.equal(await transaction(database.pool, (tx) => reserveQuota(tx, none, request)), undefined);
    }
  });
});

describe("a refusal of the authority", () => {
  const refusal = (detail: string, seconds?: number) =>
    new AcmeError({
      type: "rateLimited",
      detail,
      status: 429,
      retryAfter: seconds === undefined ? undefined : new Date(Date.now() + seconds * 1_000),
    });
  const request = { directory, names: ["a.shop.test"], isRenewal: false };

  test("for a domain stops its orders until the time that the authority gave", async () => {
    const pause = await recordRateLimit(database.pool, request, refusal("too many certificates for shop.test", 7_200));
    assert.ok(isAbout(pause.until, 7_200));
    const wait = await ask(["b.shop.test"], { isRenewal: true });
    assert.equal(wait?.reason, pause.reason);
    assert.match(
      pause.reason,
      /^The authority takes no more orders for now: too many certificates for shop\.test\. The next/,
    );
    assert.equal(await ask(["b.other.test"]), undefined);
  });

  test("for a set of names, or for one name's proof, stops no other order of the domain", async () => {
    const same =
      "too many certificates (5) already issued for this exact set of domains in the last 168h0m0s: a.shop.test";
    await recordRateLimit(database.pool, request, refusal(same, 7_200));
    assert.match((await ask(["a.shop.test"]))?.reason ?? "", /exact set/);
    assert.equal(await ask(["a.shop.test", "b.shop.test"]), undefined);
    const names = ["shop.test", "c.shop.test"];
    const proof = 'too many failed authorizations (5) for "c.shop.test" in the last 1h0m0s';
    await recordRateLimit(database.pool, { ...request, names }, refusal(proof, 3_600));
    assert.match((await ask(["c.shop.test", "d.shop.test"]))?.reason ?? "", /failed authorizations/);
    assert.equal(await ask(["shop.test", "d.shop.test"]), undefined);
  });

  test("for the account stops all orders, for an hour if it gave no time", async () => {
    const pause = await recordRateLimit(database.pool, request, refusal("too many new orders recently"));
    assert.ok(isAbout(pause.until, 3_600));
    assert.equal((await ask(["b.other.test"]))?.reason, pause.reason);
    await database.pool.query("update acme_pauses set until = now() - interval '1 second'");
    assert.equal(await ask(["b.other.test"]), undefined);
  });

  test("does not shorten a longer one", async () => {
    await recordRateLimit(database.pool, request, refusal("too many new orders recently", 7_200));
    await recordRateLimit(database.pool, request, refusal("too many new orders recently", 60));
    assert.ok(isAbout((await ask(["b.other.test"]))?.until, 7_200));
  });
});

test("entries that no limit counts are deleted, and no others", async () => {
  const left = async (table: "acme_requests" | "acme_pauses") =>
    (await database.pool.query(`select scope from ${table} order by scope`)).rows.map(({ scope }) => scope);
  await ask(["old.test"]);
  await past("8 days 1 minute");
  await ask(["new.test"]);
  const pause = (scope: string, seconds: number) =>
    insertPause(database.pool, directory, { scope, until: new Date(Date.now() + seconds * 1_000), reason: "" });
  await pause("over", -60);
  await pause("holds", 60);
  await forgetOldRequests(database.pool);
  assert.deepEqual(await left("acme_requests"), ["account", "domain:new.test", "names:new.test"]);
  assert.deepEqual(await left("acme_pauses"), ["holds"]);
});

test("the registered domain includes one label below the registry's suffix", () => {
  assert.equal(registeredDomain("www.shop.example.com"), "example.com");
  assert.equal(registeredDomain("www.example.co.uk"), "example.co.uk");
  assert.equal(registeredDomain("example.com.au"), "example.com.au");
  assert.equal(registeredDomain("shop.example.de"), "example.de");
  assert.equal(registeredDomain("example.com"), "example.com");
});

test("a time is reported to the minute, rounded up", () => {
  assert.equal(formatTime(new Date("2026-03-01T10:20:01Z")), "2026-03-01 10:21 UTC");
  assert.equal(formatTime(new Date("2026-03-01T10:20:00Z")), "2026-03-01 10:20 UTC");
});
