import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { dirname } from "node:path";
import { after, before, describe, test } from "node:test";
import { projectLayout } from "../../layout.ts";
import { forwardingSite } from "../forwarding.ts";
import { markdownServer } from "../markdown/server.ts";
import type { Site, SiteKind } from "../model.ts";
import { type Answer, answerFastcgi, listenOn, Nginx, selfSigned } from "./nginx.ts";

// What an application gets to know about how its visitor came, when TLS ends in front of nginx.

const proxy = "127.0.1.6";
const stranger = "127.0.0.7";
const balancer = "127.0.0.5";

const parameters = [
  ...["HTTPS", "REQUEST_SCHEME", "SERVER_PORT", "REMOTE_ADDR", "HTTP_HOST", "HTTP_X_FORWARDED_PROTO"],
  ...["HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PORT", "HTTP_FORWARDED"],
];

type Headers = Record<string, string>;

/** What a page shows of its request, also when it became Markdown. */
const seenIn = (body: string): Record<string, unknown> =>
  JSON.parse((/\{.*\}/.exec(body)?.[0] ?? "{}").replaceAll("&quot;", '"'));

describe("a site behind a trusted proxy", () => {
  const nginx = new Nginx();
  const page = (seen: object): string => `<main><pre><code>${JSON.stringify(seen)}</code></pre></main>`;
  const app = createServer((asked, answer) => {
    answer.setHeader("content-type", "text/html").end(page(asked.headers));
  });
  let sites: Site[] = [];
  let converter: Server;
  const fastcgi: ReturnType<typeof answerFastcgi>[] = [];

  const site = (name: string, id: number, kind: SiteKind, over: Partial<Site> = {}): Site => {
    const layout = projectLayout(id, nginx.directory);
    for (const path of [layout.logs, layout.state, layout.acmeChallenges, `${layout.releases}/1/.longshore`])
      mkdirSync(path, { recursive: true });
    writeFileSync(`${layout.releases}/1/index.php`, "");
    symlinkSync("..", `${layout.releases}/1/.longshore/public`);
    symlinkSync("releases/1", layout.current);
    return {
      ...{ layout, kind, domains: [{ name: `${name}.test` }], wwwRedirect: 1, redirectStatus: 301 },
      proxies: ["127.0.1.0/24", "2001:db8::/32"],
      ...over,
    };
  };

  before(async () => {
    const port = await listenOn(app);
    const node: SiteKind = { family: "node", ports: [port, port + 1] };
    const php: SiteKind = { family: "php" };
    const tls = { ...selfSigned(nginx.directory), names: ["secure.test", "www.secure.test", "securephp.test"] };
    const ofNode = { balancer: { addresses: [balancer] }, tls: { ...tls, names: ["behind.test"] } };
    sites = [
      site("node", 1, node),
      site("php", 2, php),
      site("secure", 3, node, { tls, hsts: true }),
      site("securephp", 4, php, { tls, hsts: true }),
      site("pages", 5, node, { tls: { ...tls, names: ["pages.test"] }, markdownNegotiation: true }),
      site("phppages", 6, php, { markdownNegotiation: true }),
      site("behind", 7, node, ofNode),
      site("alone", 8, node, { proxies: [] }),
      site("alonephp", 9, php, { proxies: [] }),
    ];
    for (const { kind, layout } of sites) {
      if (kind.family !== "php") continue;
      mkdirSync(dirname(layout.phpSocket), { recursive: true });
      const server = answerFastcgi((given) =>
        page(Object.fromEntries(parameters.map((name) => [name, given.get(name) ?? null]))),
      );
      fastcgi.push(server);
      await once(server.listen(layout.phpSocket), "listening");
    }
    const forwarding = { project: 20, names: ["moved.test"], tls: undefined, proxies: ["127.0.1.0/24"] };
    await nginx.start([
      ...sites,
      forwardingSite({ ...forwarding, to: "127.0.0.1" }).replaceAll("127.0.0.1:80;", `127.0.0.1:${port};`),
    ]);
    mkdirSync(nginx.converter, { recursive: true });
    const ports = { http: nginx.port, https: nginx.securePort };
    converter = markdownServer(ports, { passes: nginx.converter, idleMs: 600_000, onIdle: () => undefined });
    await once(converter.listen(`${nginx.converter}.sock`), "listening");
  });
  after(async () => {
    converter.close();
    converter.closeAllConnections();
    await nginx.stop();
    for (const server of [app, ...fastcgi]) server.close();
  });

  const from = (address: string, host: string, headers: Headers, path = "/"): Promise<Answer> =>
    nginx.getFrom(address, host, path, headers);

  const asNodeSees = ({ body }: Answer): unknown[] => {
    const seen = seenIn(body);
    return [seen["x-forwarded-proto"], seen["x-forwarded-port"]];
  };
  const asPhpSees = ({ body }: Answer): unknown[] => {
    const seen = seenIn(body);
    return [seen.HTTPS, seen.REQUEST_SCHEME, seen.SERVER_PORT, seen.HTTP_X_FORWARDED_PROTO];
  };

  const secure: Headers[] = [
    { "x-forwarded-proto": "https" },
    { "x-forwarded-proto": "HTTPS" },
    { "x-forwarded-proto": "https, http" },
    { "x-forwarded-proto": "https,http,http" },
    { "x-forwarded-proto": "wss" },
    { "cloudfront-forwarded-proto": "https" },
    { forwarded: "for=203.0.113.9;proto=https;by=203.0.113.43" },
    { forwarded: 'proto="https";host=a.test, for=10.0.0.1;proto=http' },
    { forwarded: "Proto=HTTPS" },
    { "x-forwarded-proto": "https", forwarded: "proto=http" },
  ];
  const plain: Headers[] = [
    {},
    { "x-forwarded-proto": "http" },
    { "x-forwarded-proto": "http, https" },
    { "x-forwarded-proto": "ws" },
    { "x-forwarded-proto": "httpsx" },
    { "x-forwarded-proto": "x;https" },
    { "x-forwarded-proto": "http", forwarded: "proto=https" },
    { "x-forwarded-proto": "http", "cloudfront-forwarded-proto": "https" },
    { forwarded: "for=10.0.0.1;proto=http, proto=https" },
    { forwarded: "for=https" },
  ];

  test("gets the scheme that the proxy reports: Node", async () => {
    for (const headers of secure)
      assert.deepEqual(asNodeSees(await from(proxy, "node.test", headers)), ["https", "443"], JSON.stringify(headers));
    for (const headers of plain)
      assert.deepEqual(asNodeSees(await from(proxy, "node.test", headers)), ["http", "80"], JSON.stringify(headers));
  });

  test("gets the scheme that the proxy reports: PHP", async () => {
    for (const headers of secure)
      assert.deepEqual(asPhpSees(await from(proxy, "php.test", headers)), ["on", "https", "443", "https"]);
    for (const headers of plain)
      assert.deepEqual(asPhpSees(await from(proxy, "php.test", headers)), [null, "http", "80", "http"]);
  });

  test("believes no other sender, whatever it claims", async () => {
    const claims = { "x-forwarded-for": `${proxy}, 203.0.113.9`, "x-longshore-balancer": "7", "x-real-ip": proxy };
    for (const headers of secure) {
      for (const host of ["node.test", "behind.test"])
        assert.deepEqual(
          (await from(stranger, host, { ...headers, ...claims }).then(asNodeSees))[0] ?? "http",
          "http",
          JSON.stringify(headers),
        );
      const seen = asPhpSees(await from(stranger, "php.test", { ...headers, ...claims }));
      assert.deepEqual([seen[0], seen[1], seen[3]], [null, "http", "http"]);
    }
  });

  test("without proxies the connection decides alone", async () => {
    for (const headers of [...secure, ...plain]) {
      assert.equal(asNodeSees(await from(proxy, "alone.test", headers))[0], "http");
      assert.deepEqual(asPhpSees(await from(proxy, "alonephp.test", headers)).slice(0, 2), [null, "http"]);
    }
  });

  test("gets no name and port that a visitor made up, also through the proxy", async () => {
    const forged = { "x-forwarded-host": "evil.test", "x-forwarded-port": "8443", forwarded: "host=evil.test" };
    for (const address of [proxy, stranger]) {
      for (const host of ["node.test", "alone.test"]) {
        const seen = seenIn((await from(address, host, forged)).body);
        assert.deepEqual([seen.host, seen["x-forwarded-host"], seen.forwarded ?? null], [host, host, null]);
        assert.notEqual(seen["x-forwarded-port"], "8443");
      }
      for (const host of ["php.test", "alonephp.test"]) {
        const seen = seenIn((await from(address, host, forged)).body);
        const { HTTP_HOST, HTTP_X_FORWARDED_HOST, HTTP_X_FORWARDED_PORT, HTTP_FORWARDED } = seen;
        assert.deepEqual(
          [HTTP_HOST, HTTP_X_FORWARDED_HOST, HTTP_X_FORWARDED_PORT, HTTP_FORWARDED],
          [host, null, null, null],
        );
      }
    }
  });

  test("sends visitors of plain HTTP to HTTPS, and none in a circle who uses it at the proxy", async () => {
    for (const host of ["secure.test", "securephp.test"]) {
      for (const [address, headers] of [
        [stranger, { "x-forwarded-proto": "https" }],
        [proxy, { "x-forwarded-proto": "http" }],
        [proxy, {}],
      ] as const) {
        const { status, headers: answered } = await from(address, host, headers, "/a%2Fb?c=d");
        assert.deepEqual([status, answered.location], [301, `https://${host}/a%2Fb?c=d`]);
        assert.equal(answered["strict-transport-security"], undefined, "over plain HTTP it means nothing");
      }
      const served = await from(proxy, host, { "x-forwarded-proto": "https" });
      assert.deepEqual([served.status, served.headers["strict-transport-security"]], [200, "max-age=31536000"]);
    }
    writeFileSync(`${sites[2]?.layout.acmeChallenges}/proof`, "proof");
    assert.equal((await from(stranger, "secure.test", {}, "/.well-known/acme-challenge/proof")).body, "proof");
  });

  test("over TLS gets https, unless the proxy reports that its visitor uses plain HTTP", async () => {
    assert.deepEqual(asNodeSees(await nginx.getSecurely("secure.test", "/")), ["https", "443"]);
    assert.deepEqual(asPhpSees(await nginx.getSecurely("securephp.test", "/")), ["on", "https", "443", "https"]);
    const reported = await nginx.getSecurely("securephp.test", "/", { "x-forwarded-proto": "http" }, proxy);
    assert.equal(reported.status, 200);
    assert.deepEqual(asPhpSees(reported), [null, "http", "80", "http"]);
    assert.equal(reported.headers["strict-transport-security"], undefined);
    const believed = await nginx.getSecurely("securephp.test", "/", { "x-forwarded-proto": "http" }, stranger);
    assert.equal(asPhpSees(believed)[0], "on");
  });

  test("redirects its other name with the scheme of the visitor", async () => {
    for (const [headers, scheme] of [
      [{ "x-forwarded-proto": "https" }, "https"],
      [{ "x-forwarded-proto": "http" }, "http"],
    ] as const) {
      const { headers: answered } = await from(proxy, "www.node.test", headers, "/a");
      assert.equal(answered.location, `${scheme}://node.test/a`);
    }
    const spoofed = await from(stranger, "www.node.test", { "x-forwarded-proto": "https" }, "/a");
    assert.equal(spoofed.headers.location, "http://node.test/a");
  });

  test("is converted to Markdown for the same visit", async () => {
    const accept = "text/markdown";
    const markdown = async (ask: () => Promise<Answer>): Promise<Answer> => {
      let answer = await ask();
      // The first conversion starts a thread, which takes a moment.
      while (!/markdown/.test(answer.headers["content-type"] ?? "")) answer = await ask();
      return answer;
    };
    for (const [headers, scheme] of [
      [{ "x-forwarded-proto": "https" }, "https"],
      [{ "cloudfront-forwarded-proto": "https" }, "https"],
      [{ "x-forwarded-proto": "http" }, "http"],
    ] as const) {
      const php = await markdown(() => from(proxy, "phppages.test", { ...headers, accept }));
      assert.equal(asPhpSees(php)[1], scheme);
    }
    const node = await markdown(() => from(proxy, "pages.test", { "x-forwarded-proto": "https", accept }));
    assert.deepEqual(asNodeSees(node), ["https", "443"]);
    const reported = { "x-forwarded-proto": "http", accept };
    const overTls = await markdown(() => nginx.getSecurely("pages.test", "/", reported, proxy));
    assert.deepEqual(asNodeSees(overTls), ["http", "80"]);
    assert.equal((await from(stranger, "pages.test", { "x-forwarded-proto": "https", accept })).status, 301);
  });

  test("in maintenance answers with the page, and not with a redirect", async () => {
    const flag = sites[2]?.layout.maintenanceFlag ?? "";
    writeFileSync(flag, "");
    const held = await from(proxy, "secure.test", { "x-forwarded-proto": "https" });
    assert.equal(held.status, 503);
    assert.ok(existsSync(flag));
  });

  test("after a move gets it through the former server", async () => {
    for (const [address, headers, scheme] of [
      [proxy, { "x-forwarded-proto": "https" }, "https"],
      [stranger, { "x-forwarded-proto": "https" }, "http"],
    ] as const)
      assert.equal(asNodeSees(await from(address, "moved.test", headers))[0], scheme);
  });

  test("as a node gets it from its balancer and from its own proxies, and redirects only who comes directly", async () => {
    const mark = { "x-longshore-balancer": "7" };
    for (const scheme of ["https", "http"]) {
      const passed = await from(balancer, "behind.test", { ...mark, "x-forwarded-proto": scheme });
      assert.equal(asNodeSees(passed)[0], scheme);
    }
    assert.equal(asNodeSees(await from(proxy, "behind.test", { "x-forwarded-proto": "https" }))[0], "https");
    assert.equal((await from(stranger, "behind.test", { ...mark, "x-forwarded-proto": "https" })).status, 301);
  });
});
