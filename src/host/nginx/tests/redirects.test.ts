import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { freePort } from "../../../../stage/free-port.ts";
import { projectLayout } from "../../layout.ts";
import type { RedirectRule, Site, SiteKind } from "../model.ts";
import { findCircle, ruleError } from "../redirects.ts";
import { Nginx } from "./nginx.ts";

const rule = (from: string, to: string | null, over: Partial<RedirectRule> = {}): RedirectRule => ({
  match: "exact",
  from,
  to,
  status: to === null ? 410 : 301,
  keepsQuery: true,
  ...over,
});
const pattern = (from: string, to: string, over: Partial<RedirectRule> = {}) =>
  rule(from, to, { match: "pattern", ...over });
const prefix = (from: string, to: string) => rule(from, to, { match: "prefix" });

const rules: RedirectRule[] = [
  rule("/old", "/new"),
  rule("/Case", "/lower", { status: 302 }),
  rule("/case", "/upper"),
  rule("/temporary", "https://other.test/there", { status: 307, keepsQuery: false }),
  rule("/moved.html", "/moved?from=html#top", { status: 308 }),
  rule("/über uns", "/about/ä"),
  rule("/a%2fb", "/encoded"),
  rule("/price$1", "/price"),
  rule("/gone", null),
  pattern("/blog/:year/:slug", "/news/:slug?y=:year"),
  pattern("/docs/*", "https://docs.test/v2/:splat"),
  pattern("/to-root/*", "/:splat"),
  pattern("/one/:name", "/:name"),
  rule("/docs/first", "/never"),
  prefix("/shop", "/store"),
  prefix("/home", "/"),
  prefix("/away/", "https://away.test"),
  rule("/index.php", "/front"),
];

const families: [string, SiteKind][] = [
  ["static.test", { family: "static", spa: false }],
  ["php.test", { family: "php" }],
  ["node.test", { family: "node", ports: [0, 0] }],
];

let nginx: Nginx;
let application: Server;
before(async () => {
  nginx = new Nginx();
  const port = await freePort();
  application = createServer((_, response) => response.end("application")).listen(port, "127.0.0.1");
  const sites = families.map(([name, kind], at): Site => {
    const number = at + 1;
    const layout = projectLayout(number, nginx.directory);
    const publicDirectory = `${layout.releases}/1/.longshore/public`;
    mkdirSync(publicDirectory, { recursive: true });
    mkdirSync(layout.acmeChallenges, { recursive: true });
    mkdirSync(layout.logs, { recursive: true });
    mkdirSync(layout.state, { recursive: true });
    symlinkSync("releases/1", `${layout.directory}/current`);
    writeFileSync(`${publicDirectory}/old`, "a file of this name");
    writeFileSync(`${publicDirectory}/here.txt`, "here");
    writeFileSync(`${layout.acmeChallenges}/token`, "proof");
    return {
      layout,
      kind: kind.family === "node" ? { ...kind, ports: [port, port + 1] } : kind,
      domains: [{ name }],
      wwwRedirect: 0,
      redirectStatus: 301,
      redirects: at === 1 ? rules : [...rules, pattern("/every/*", "/nowhere/:splat")],
    };
  });
  await nginx.start(sites);
});
after(async () => {
  application?.close();
  await nginx?.stop();
});

for (const [host] of families) {
  describe(`redirects of ${host}`, () => {
    const leads = async (path: string) => {
      const { status, headers } = await nginx.get(host, path);
      return [status, headers.location];
    };

    test("apply to the path as it is, before the files of the release", async () => {
      assert.deepEqual(await leads("/old"), [301, "/new"]);
      assert.deepEqual(await leads("/old?a=1&b=%20"), [301, "/new?a=1&b=%20"]);
      assert.deepEqual(await leads("/Case"), [302, "/lower"]);
      assert.deepEqual(await leads("/case"), [301, "/upper"]);
      assert.deepEqual(await leads("/temporary?a=1"), [307, "https://other.test/there"]);
      assert.deepEqual(await leads("/moved.html"), [308, "/moved?from=html#top"]);
      assert.deepEqual(await leads("/moved.html?a=1"), [308, "/moved?from=html&a=1#top"]);
      assert.deepEqual(await leads("/%C3%BCber%20uns"), [301, "/about/%C3%A4"]);
      assert.deepEqual(await leads("/%c3%bcber%20uns"), [301, "/about/%C3%A4"]);
      assert.deepEqual(await leads("/a%2Fb"), [301, "/encoded"]);
      assert.deepEqual(await leads("/price$1"), [301, "/price"]);
      assert.equal((await nginx.get(host, "/gone")).status, 410);
      for (const path of ["/old/", "/older", "/movedxhtml", "/OLD", "/price"])
        assert.equal((await nginx.get(host, path)).headers.location, undefined, path);
    });

    test("fill placeholders with what was asked for, as it was sent", async () => {
      assert.deepEqual(await leads("/blog/2024/a%20b%3Fc"), [301, "/news/a%20b%3Fc?y=2024"]);
      assert.deepEqual(await leads("/blog/2024/x?q=1"), [301, "/news/x?y=2024&q=1"]);
      assert.deepEqual(await leads("/docs/a/b%2Fc?d"), [301, "https://docs.test/v2/a/b%2Fc?d"]);
      assert.deepEqual(await leads("/docs"), [301, "https://docs.test/v2/"]);
      assert.deepEqual(await leads("/docs/first"), [301, "https://docs.test/v2/first"]);
      assert.deepEqual(await leads("/shop"), [301, "/store"]);
      assert.deepEqual(await leads("/shop/a/b"), [301, "/store/a/b"]);
      assert.deepEqual(await leads("/home"), [301, "/"]);
      assert.deepEqual(await leads("/home/a"), [301, "/a"]);
      assert.deepEqual(await leads("/away/a"), [301, "https://away.test/a"]);
      for (const path of ["/blog/2024", "/blog/2024/a/b", "/shopping", "/documents"])
        assert.equal((await nginx.get(host, path)).headers.location, undefined, path);
    });

    test("never lead to another host than the rule's, and never add a header", async () => {
      for (const path of [
        ...["/to-root//evil.test", "/to-root/\\evil.test", "/one/\\evil.test", "/home//evil.test", "/home/\\evil.test"],
        ...["/to-root/%2f/evil.test", "/to-root/%0d%0aX-Attack:%20yes", "/blog/%0d%0aX-Attack:%20yes/x"],
      ]) {
        const { headers } = await nginx.get(host, path);
        const { location = "/", "x-attack": attack } = headers;
        assert.equal(new URL(location, `http://${host}/`).host, host, `${path} leads to ${location}`);
        assert.equal(attack, undefined);
      }
    });

    test("leave certificate authorities and everything else as it is", async () => {
      assert.equal((await nginx.get(host, "/.well-known/acme-challenge/token")).body, "proof");
      const expected = host === "node.test" ? "application" : "here";
      assert.equal((await nginx.get(host, "/here.txt")).body, expected);
    });
  });
}

test("a front controller answers although its own address is redirected", async () => {
  const { status, headers } = await nginx.get("php.test", "/anything");
  assert.deepEqual([status, headers.location], [404, undefined]);
  assert.equal((await nginx.get("php.test", "/index.php")).headers.location, "/front");
});

const site = (over: Partial<Site>): Site => ({
  layout: projectLayout(1, nginx.directory),
  kind: { family: "static", spa: false },
  domains: [{ name: "static.test" }],
  wwwRedirect: 0,
  redirectStatus: 301,
  ...over,
});

describe("a site whose every address is redirected", () => {
  const everything = (over: Partial<Site> = {}): Site =>
    site({ redirects: [pattern("/*", "https://new.test/:splat")], ...over });

  test("still proves its names, and shows a deployment its release", async () => {
    const { layout } = everything();
    const pass = `live-${"0".repeat(32)}`;
    writeFileSync(`${layout.state}/candidate-${pass}`, "");
    const other = new Nginx();
    try {
      await other.start([everything()]);
      assert.equal((await other.get("static.test", "/x?y")).headers.location, "https://new.test/x?y");
      assert.equal((await other.get("static.test", "/.well-known/acme-challenge/token")).body, "proof");
      const checked = await other.get("static.test", "/here.txt", { "x-longshore-candidate": pass });
      assert.deepEqual([checked.status, checked.body], [200, "here"]);
      const forged = await other.get("static.test", "/here.txt", { "x-longshore-candidate": `live-${"1".repeat(32)}` });
      assert.equal(forged.status, 301);
    } finally {
      await other.stop();
    }
  });

  test("serves its load balancer, which has redirected already", async () => {
    const other = new Nginx();
    try {
      await other.start([everything({ balancer: { addresses: ["127.0.0.1"] } })]);
      const probe = { "x-longshore-balancer": "1 probe" };
      assert.equal((await other.get("static.test", "/here.txt", probe)).body, "here");
      assert.equal((await other.get("static.test", "/here.txt")).status, 301);
    } finally {
      await other.stop();
    }
  });
});

// Values that could be more than a value ---------------------------------------------------------------------------------

const pieces = [
  ...[
    '"',
    "'",
    ";",
    "{",
    "}",
    "\\",
    "\\\\",
    "$host",
    "$",
    "%",
    "%22",
    "%0a",
    "%24",
    "*",
    ":a",
    ":splat",
    "(",
    "[",
    "|",
  ],
  ...["\n", "\r\n", "\t", " ", "\0", "\u2028", "\ud800", "é", "/", "//", "?", "#", "://", ".", "^", "+", "@evil.test"],
  ...[
    '"; add_header X-Attack yes; #',
    '" "200"; } server { listen 80; }',
    "x".repeat(2_000),
    "ä".repeat(400),
    "(a+)+$",
  ],
];
const text = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary", maxLength: 8 })), {
  maxLength: 5,
});
const hostile = fc.record({
  match: fc.constantFrom("exact", "prefix", "pattern"),
  from: text.map((parts) => `/${parts.join("")}`),
  to: fc
    .tuple(fc.constantFrom("/", "", "https://a.test", "https://a.test/", "http:"), text)
    .map(([a, b]) => a + b.join("")),
  status: fc.constantFrom(301, 302, 307, 308),
  keepsQuery: fc.boolean(),
}) as fc.Arbitrary<RedirectRule>;

test("no text of a user is more than a path or a target for nginx", async () => {
  const taken = fc.sample(hostile, { numRuns: 4_000, seed: 7 }).filter((each) => ruleError(each) === undefined);
  assert.ok(taken.length > 300, String(taken.length));
  const other = new Nginx();
  try {
    await other.start([site({ redirects: taken })]);
    const { status, headers } = await other.get("static.test", `/${"a/".repeat(2_000)}`);
    assert.ok(status < 500);
    assert.equal(headers["x-attack"], undefined);
  } finally {
    await other.stop();
  }
});

const targetPieces = ["/", ":a", ":b", ":splat", "x", ".", "?", "@", "%2f", "https:"];
const visits = ["", "/", "/evil.test", "//evil.test", "/\\evil.test", "/%5Cevil.test", "/../evil.test", "/@evil.test"];

test("no visitor chooses the host that a path leads to, whatever the target", async () => {
  const targets = fc.sample(fc.array(fc.constantFrom(...targetPieces), { maxLength: 5 }), { numRuns: 400, seed: 11 });
  const taken = [...new Set(targets.map((parts) => `/${parts.join("")}`))]
    .map((to, at) => pattern(`/${at}/:a/:b/*`, to, { keepsQuery: false }))
    .filter((each) => ruleError(each) === undefined);
  assert.ok(taken.length > 100, String(taken.length));
  const other = new Nginx();
  try {
    await other.start([site({ redirects: taken })]);
    for (const { from, to } of taken) {
      const [, number] = from.split("/");
      for (const visit of visits) {
        const { headers } = await other.get("static.test", `/${number}/evil.test/evil.test${visit}`);
        const { host } = new URL(headers.location ?? "/", "http://static.test/");
        assert.equal(host, "static.test", `${to} leads to ${headers.location}`);
      }
    }
  } finally {
    await other.stop();
  }
});

test("what a rule cannot have is refused with the field", () => {
  const fields = (...each: RedirectRule[]) => each.map((one) => ruleError(one)?.field);
  const wrongPaths = ["old", "/a?b", "/a#b", '/a"b', "/a\\b", "/a\nb", "/a%zz", "/.well-known/acme-challenge/x"];
  assert.deepEqual(
    fields(...wrongPaths.map((from) => rule(from, "/x"))),
    wrongPaths.map(() => "from"),
  );
  const wrongPatterns = ["/*/a", "/a*", "/a/*b", "/:", "/:a/:a", "/:splat", "/:a-b", "/:1"];
  assert.deepEqual(
    fields(...wrongPatterns.map((from) => pattern(from, "/x"))),
    wrongPatterns.map(() => "from"),
  );
  const wrongTargets = [
    ...[
      "",
      "x",
      "//evil.test",
      "/\\evil.test",
      "javascript:alert(1)",
      "ftp://a.test",
      "/a b",
      "/$host",
      "/a;b",
      "/{a}",
    ],
    ...["https://", "https://a@b.test/", "https://:x.test/", "/a\r\nX-Attack: yes"],
  ];
  assert.deepEqual(
    fields(...wrongTargets.map((to) => rule("/a", to))),
    wrongTargets.map(() => "to"),
  );
  const open = [
    "https://a.test:splat",
    "https://:splat/",
    "https://a.test@:splat",
    "/:other",
    "/:splat/x",
    "/:splat:splat/x",
    `/${":splat".repeat(17)}`,
  ];
  assert.deepEqual(
    fields(...open.map((to) => pattern("/a/*", to))),
    open.map(() => "to"),
  );
  assert.equal(ruleError(rule("/a", "/b", { status: 410 }))?.field, "to");
  assert.equal(ruleError(rule("/a", null, { status: 301 }))?.field, "to");
  assert.equal(ruleError(prefix("/a", "/b?c"))?.field, "to");
});

test("rules that lead in a circle are found", () => {
  const names = { domains: [{ name: "a.test" }], wwwRedirect: 1, redirectStatus: 301 } as const;
  const circle = (...all: RedirectRule[]) => findCircle(names, all);
  assert.equal(circle(rule("/a", "/a")), 0);
  assert.equal(circle(rule("/a", "https://a.test/a?x")), 0);
  assert.equal(circle(rule("/a", "https://www.a.test/a#x")), 0);
  assert.equal(circle(prefix("/a", "/a/b")), 0);
  assert.equal(circle(pattern("/*", "/app/:splat")), 0);
  assert.equal(circle(rule("/x", "/y"), rule("/a", "/b"), rule("/b", "/a")), 1);
  assert.equal(circle(rule("/a", "/b"), rule("/b", "/c")), undefined);
  assert.equal(circle(pattern("/*", "https://b.test/:splat")), undefined);
  assert.equal(circle(rule("/A", "/a"), rule("/a", null)), undefined);
  // The first rule that matches applies.
  assert.equal(circle(rule("/app/example", null), pattern("/old/:a", "/app/:a"), pattern("/app/:a", "/old/:a")), 1);
});
