import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { domainName, redirectTarget, wwwForms } from "../domain.ts";

describe("a domain name", () => {
  test("is a lowercase hostname, IDNs as punycode", () => {
    assert.equal(domainName(" WWW.Example.COM "), "www.example.com");
    assert.equal(domainName("bücher.example"), "xn--bcher-kva.example");
  });

  const impossible = [
    ["", "localhost", "a b.example", "a.example/x", "a.example:80", "http://a.example", "*.example.com", "-a.example"],
    ["a-.example", "a..example", ".a.example", "a.example;", "a.example{", "$host", "a.example\nb", "a_b.example"],
    [
      "1.2.3.4",
      "a.example$(id)",
      "`id`.example",
      'a".example',
      "a'.example",
      "a%2e.example",
      `${"a".repeat(64)}.example`,
    ],
    ["#a.example", "a.example}", "a\\b.example", "user@a.example", "[::1]", "~^a.example", "a.example."],
  ].flat();
  for (const text of impossible) {
    test(`is not ${JSON.stringify(text)}`, () => assert.equal(domainName(text), undefined));
  }
});

test("the target of a redirect is a host or an http URL, with nothing that nginx would read as its own", () => {
  assert.equal(redirectTarget("example.com"), "https://example.com");
  assert.equal(redirectTarget("https://example.com/"), "https://example.com");
  assert.equal(redirectTarget('https://example.com/a b"$uri;}'), "https://example.com/a%20b%22%24uri;%7D");
  for (const text of [
    "javascript:alert(1)",
    "//x",
    "ftp://example.com",
    "https://u:p@example.com",
    "https://",
    "a b",
  ]) {
    assert.equal(redirectTarget(text), undefined, text);
  }
});

test("the form of a name that serves is the other one's target, and `www` before a top level is a name of its own", () => {
  assert.deepEqual(wwwForms("a.test", 0), { served: "a.test" });
  for (const name of ["a.test", "www.a.test"]) {
    assert.deepEqual(wwwForms(name, 1), { served: "a.test", other: "www.a.test" });
    assert.deepEqual(wwwForms(name, 2), { served: "www.a.test", other: "a.test" });
  }
  assert.deepEqual(wwwForms("www.com", 1), { served: "www.com", other: "www.www.com" });
});
