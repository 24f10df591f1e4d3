import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { dirname, join } from "node:path";
import { after, afterEach, before, describe, test } from "node:test";
import { projectLayout } from "../../layout.ts";
import { markdownServer } from "../markdown/server.ts";
import type { Site, SiteKind } from "../model.ts";
import { answerFastcgi, listenOn, Nginx, selfSigned } from "./nginx.ts";

// Pages as Markdown, through nginx, the converter and an application, each of them real.

const accept = "text/markdown";
const balancer = "127.0.0.5";
const proxy = "127.0.0.6";

/** What an application sees of a request, as a page; its own text is in a `code`, which Markdown leaves as it is. */
const pageOf = (seen: object): string => `<main><pre><code>${JSON.stringify(seen)}</code></pre></main>`;

/** The same from the page or from its Markdown. */
const seenIn = (body: string): Record<string, unknown> =>
  JSON.parse((/\{.*\}/.exec(body)?.[0] ?? "{}").replaceAll("&quot;", '"'));

const names = ["host", "x-real-ip", "x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-longshore-markdown"];

function seenByNode({ url, headers }: IncomingMessage): object {
  return { url, ...Object.fromEntries(names.map((name) => [name, headers[name] ?? null])) };
}

const parameters = [
  ...["REMOTE_ADDR", "HTTP_HOST", "SERVER_PORT", "HTTPS", "REQUEST_SCHEME", "REQUEST_URI", "HTTP_X_FORWARDED_FOR"],
  ...["HTTP_X_FORWARDED_PROTO", "HTTP_X_LONGSHORE_MARKDOWN"],
];

describe("pages as Markdown", () => {
  const nginx = new Nginx();
  let converter: Server | undefined;
  const asked: string[] = [];
  const app = createServer((request, answer) => {
    asked.push(request.url ?? "");
    if (request.url === "/data") return answer.setHeader("content-type", "application/json").end("{}");
    if (request.url === "/broken") return answer.writeHead(500, { "content-type": "text/plain" }).end("broken");
    answer.setHeader("content-type", "text/html").end(pageOf(seenByNode(request)));
  });

  const site = (id: number, kind: SiteKind, over: Partial<Site> = {}): Site => {
    const layout = projectLayout(id, nginx.directory);
    const files = `${layout.releases}/1`;
    for (const path of [layout.logs, layout.state, layout.acmeChallenges, `${files}/.longshore`])
      mkdirSync(path, { recursive: true });
    for (const name of ["index.php", "a.html"]) writeFileSync(`${files}/${name}`, "<main><h1>A</h1></main>");
    symlinkSync("..", `${files}/.longshore/public`);
    symlinkSync("releases/1", `${layout.current}.new`);
    renameSync(`${layout.current}.new`, layout.current);
    return {
      ...{ layout, kind, domains: [{ name: `p${id}.test` }], wwwRedirect: 0, redirectStatus: 301 },
      markdownNegotiation: true,
      ...over,
    };
  };

  const startConverter = async (): Promise<void> => {
    mkdirSync(nginx.converter, { recursive: true });
    converter = markdownServer(
      { http: nginx.port, https: nginx.securePort },
      { passes: nginx.converter, idleMs: 600_000, onIdle: () => undefined },
    );
    await once(converter.listen(`${nginx.converter}.sock`), "listening");
  };
  const stopConverter = async (): Promise<void> => {
    converter?.close();
    converter?.closeAllConnections();
    if (converter) await once(converter, "close");
    converter = undefined;
  };

  const php: Server[] = [];
  before(async () => {
    const port = await listenOn(app);
    const kinds: SiteKind[] = [{ family: "node", ports: [port, port + 1] }, { family: "php" }];
    const tls = { ...selfSigned(nginx.directory), names: ["p21.test", "p22.test", "p31.test", "p32.test"] };
    const overs: Partial<Site>[] = [
      {},
      { proxies: [proxy] },
      { tls },
      { tls, proxies: [balancer], balancer: { addresses: [balancer] } },
    ];
    const sites = overs.flatMap((over, row) => kinds.map((kind, at) => site(10 * row + at + 1, kind, over)));
    sites.push(site(40, { family: "static", spa: false }));
    for (const { kind, layout } of sites) {
      if (kind.family !== "php") continue;
      mkdirSync(dirname(layout.phpSocket), { recursive: true });
      const answering = answerFastcgi((given) =>
        pageOf(Object.fromEntries(parameters.map((name) => [name, given.get(name) ?? null]))),
      );
      php.push(answering as unknown as Server);
      await once(answering.listen(layout.phpSocket), "listening");
    }
    await nginx.start(sites);
    await startConverter();
    // Its first thread takes a moment to start.
    while (!/markdown/.test((await nginx.get("p1.test", "/", { accept })).headers["content-type"] ?? ""));
  });
  after(async () => {
    await stopConverter();
    await nginx.stop();
    for (const server of [app, ...php]) server.close();
  });
  afterEach(() => {
    if (existsSync(nginx.converter)) assert.deepEqual(readdirSync(nginx.converter), [], "no pass outlives its request");
  });

  /** What the application sees without and with the converter. */
  const both = async (ask: (headers: Record<string, string>) => ReturnType<Nginx["get"]>) => {
    const page = await ask({});
    const markdown = await ask({ accept });
    assert.match(page.headers["content-type"] ?? "", /^text\/html/, page.body);
    assert.match(markdown.headers["content-type"] ?? "", /^text\/markdown/, markdown.body);
    return [seenIn(page.body), seenIn(markdown.body)] as const;
  };

  for (const [family, at, address] of [
    ["node", 1, "x-real-ip"],
    ["php", 2, "REMOTE_ADDR"],
  ] as const) {
    const forged = { "x-forwarded-for": "198.51.100.7", "x-forwarded-proto": "https" };

    test(`are requested for the visitor, whatever the visitor claims: ${family}`, async () => {
      for (const claims of [{}, forged]) {
        const [page, markdown] = await both((headers) =>
          nginx.getFrom("127.0.0.7", `p${at}.test`, "/x%2Fy?z=%26", { ...claims, ...headers }),
        );
        assert.equal(page[address], "127.0.0.7");
        assert.deepEqual(markdown, page);
      }
    });

    test(`behind a trusted proxy as well: ${family}`, async () => {
      const [page, markdown] = await both((headers) =>
        nginx.getFrom(proxy, `p1${at}.test`, "/", { ...forged, ...headers }),
      );
      assert.equal(page[address], "198.51.100.7");
      assert.deepEqual(markdown, page);
    });

    test(`over TLS: ${family}`, async () => {
      const [page, markdown] = await both((headers) => nginx.getSecurely(`p2${at}.test`, "/", headers));
      assert.deepEqual(markdown, page);
    });

    test(`behind a load balancer: ${family}`, async () => {
      const marks = { ...forged, "x-longshore-balancer": String(30 + at) };
      const [page, markdown] = await both((headers) =>
        nginx.getFrom(balancer, `p3${at}.test`, "/", { ...marks, ...headers }),
      );
      assert.deepEqual(
        [page[address], page["x-forwarded-proto"] ?? page.HTTPS],
        ["198.51.100.7", family === "node" ? "https" : "on"],
      );
      assert.deepEqual(markdown, page);
    });

    test(`and no request can name another visitor: ${family}`, async () => {
      for (const pass of ["0".repeat(32), "none", "", "..", "../markdown.sock", "source"]) {
        const header = { "x-longshore-markdown": `${pass} 198.51.100.7  198.51.100.7` };
        const [page, markdown] = await both((headers) =>
          nginx.getFrom("127.0.0.7", `p${at}.test`, "/", { ...header, ...headers }),
        );
        for (const seen of [page, markdown]) assert.equal(seen[address], "127.0.0.7", pass);
        const envelope = page["x-longshore-markdown"] ?? page.HTTP_X_LONGSHORE_MARKDOWN;
        assert.ok(!envelope, "no application receives it");
      }
    });
  }

  test("are in the log once, with the visitor", async () => {
    const log = join(projectLayout(1, nginx.directory).logs, "access.log");
    const before = readFileSync(log, "utf8").length;
    await nginx.getFrom("127.0.0.8", "p1.test", "/", { accept });
    const lines = readFileSync(log, "utf8").slice(before).trim().split("\n");
    assert.deepEqual(
      lines.map((line) => line.split(" ")[0]),
      ["127.0.0.8"],
    );
  });

  test("are requested once from an application, also when they are no pages, or errors", async () => {
    for (const [path, status] of [
      ["/data", 200],
      ["/broken", 500],
      ["/page", 200],
    ] as const) {
      asked.length = 0;
      assert.equal((await nginx.get("p1.test", path, { accept })).status, status);
      assert.deepEqual(asked, [path]);
    }
  });

  test("are pages to requests with a body, and to streams", async () => {
    const withBody = await nginx.get("p1.test", "/", { accept, "content-length": "4" });
    const stream = await nginx.get("p1.test", "/", { accept: `${accept}, text/event-stream` });
    for (const { status, headers } of [withBody, stream]) {
      assert.deepEqual([status, headers["content-type"]], [200, "text/html"]);
    }
  });

  test("are HTML at once without a converter, at the same address", async (t) => {
    await stopConverter();
    t.after(startConverter);
    for (const host of ["p1.test", "p2.test", "p12.test", "p11.test"]) {
      const [page, instead] = [
        await nginx.get(host, "/x%2Fy?z=%26"),
        await nginx.get(host, "/x%2Fy?z=%26", { accept }),
      ];
      assert.deepEqual([instead.status, instead.body], [200, page.body]);
    }
    assert.equal((await nginx.get("p40.test", "/a", { accept })).body, "<main><h1>A</h1></main>");
  });
});
