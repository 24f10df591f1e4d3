import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { namesClaimed } from "../../../site-records/names.ts";
import type { DomainSet } from "../../../site-records/schema.ts";
import { setErrors, withDomain, withDomains, withoutDomain, withPrimary, withRedirect } from "../rules.ts";

/** Names from the first, which is primary; `a.test>b.test` redirects. */
const setOf = (www_redirect: 0 | 1 | 2, ...names: string[]): DomainSet => ({
  www_redirect,
  domains: names.map((text, index) => {
    const [domain_name = "", target] = text.split(">");
    const redirect_to = target === undefined ? null : `https://${target}`;
    return {
      id: index + 1,
      domain_name,
      is_primary: index === 0,
      is_active: true,
      redirect_to,
      redirect_status_code: null,
    };
  }),
});

const names = ({ domains }: DomainSet) => domains.map((each) => `${each.domain_name}${each.is_primary ? "*" : ""}`);
const wrong = (set: DomainSet) => setErrors(set, "field").field;

describe("a set of domains", () => {
  test("takes another one, which serves", () => {
    assert.deepEqual(names(withDomain(setOf(0, "a.test"), "b.test")), ["a.test*", "b.test"]);
  });

  test("is replaced: what stays keeps its id and redirect, and the primary one stays it", () => {
    const after = withDomains(setOf(0, "a.test", "b.test>a.test"), ["c.test", "b.test", "a.test", "c.test"], undefined);
    assert.deepEqual(names(after), ["c.test", "b.test", "a.test*"]);
    assert.deepEqual(
      after.domains.map(({ id, redirect_to }) => [id, redirect_to]),
      [
        [undefined, null],
        [2, "https://a.test"],
        [1, null],
      ],
    );
  });

  test("without its primary one, the first that serves becomes it", () => {
    const after = withDomains(setOf(1, "a.test", "b.test>a.test"), ["b.test", "c.test", "d.test"], 2);
    assert.deepEqual([names(after), after.www_redirect], [["b.test", "c.test*", "d.test"], 2]);
  });

  test("needs one that serves", () => {
    assert.match(wrong(withDomains(setOf(0, "a.test", "b.test>c.test"), ["b.test"], 0)) ?? "", /has to serve/);
    assert.equal(wrong(setOf(0, "a.test", "b.test>c.test")), undefined);
  });

  test("has at most 100", () => {
    const many = (count: number) => setOf(0, ...Array.from({ length: count }, (_, index) => `a${index}.test`));
    assert.equal(wrong(many(100)), undefined);
    assert.match(wrong(many(101)) ?? "", /at most 100 domains/);
  });

  test("loses one", () => {
    assert.deepEqual(names(withoutDomain(setOf(0, "a.test", "b.test"), 2)), ["a.test*"]);
  });
});

describe("redirects", () => {
  const redirect = (set: DomainSet, id: number, host: string) =>
    wrong(withRedirect(set, id, { redirect_to: `https://${host}`, redirect_status_code: 308 }));

  test("may lead to any other place", () => {
    assert.equal(redirect(setOf(0, "a.test", "b.test"), 2, "a.test"), undefined);
    assert.equal(redirect(setOf(1, "a.test", "b.test"), 2, "www.a.test"), undefined);
    assert.equal(redirect(setOf(0, "a.test", "b.test"), 2, "elsewhere.test/path"), undefined);
  });

  test("may not lead in a circle", () => {
    assert.match(redirect(setOf(0, "a.test", "b.test"), 2, "b.test") ?? "", /circle: b.test to b.test/);
    assert.match(redirect(setOf(0, "a.test", "b.test"), 2, "b.test/path") ?? "", /circle/);
    assert.match(redirect(setOf(0, "a.test", "b.test>c.test", "c.test"), 3, "b.test") ?? "", /circle/);
  });

  test("may take the www form of a name, unless that is what serves", () => {
    assert.equal(redirect(setOf(1, "a.test", "www.a.test"), 2, "c.test"), undefined);
    assert.match(redirect(setOf(2, "a.test", "www.a.test"), 2, "c.test") ?? "", /www.a.test redirects elsewhere, but/);
  });
});

describe("another primary domain", () => {
  const primary = (set: DomainSet, id: number) => {
    const after = withPrimary(set, set.domains[id - 1] as DomainSet["domains"][number]);
    return [names(after).find((name) => name.endsWith("*")), after.www_redirect];
  };

  test("is the only one", () => {
    assert.deepEqual(primary(setOf(0, "a.test", "b.test"), 2), ["b.test*", 0]);
  });

  test("turns www_redirect round where that would send visitors away from it", () => {
    assert.deepEqual(primary(setOf(1, "a.test", "www.a.test"), 2), ["www.a.test*", 2]);
    assert.deepEqual(primary(setOf(1, "a.test", "www.b.test"), 2), ["www.b.test*", 2]);
    assert.deepEqual(primary(setOf(2, "www.a.test", "a.test"), 2), ["a.test*", 1]);
  });

  test("leaves www_redirect where it does not", () => {
    assert.deepEqual(primary(setOf(2, "a.test", "www.b.test"), 2), ["www.b.test*", 2]);
    assert.deepEqual(primary(setOf(2, "a.test", "b.test"), 2), ["b.test*", 2]);
    assert.deepEqual(primary(setOf(1, "a.test", "b.test"), 2), ["b.test*", 1]);
  });
});

test("the names that a set claims: with www_redirect the other form too, of what serves", () => {
  assert.deepEqual(namesClaimed(setOf(0, "a.test", "b.test>c.test")), ["a.test", "b.test"]);
  assert.deepEqual(namesClaimed(setOf(1, "a.test", "b.test>c.test")), ["a.test", "www.a.test", "b.test"]);
  assert.deepEqual(namesClaimed(setOf(2, "www.a.test")), ["www.a.test", "a.test"]);
  assert.deepEqual(namesClaimed(setOf(1, "www.com")), ["www.com", "www.www.com"]);
});
