import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { connect } from "node:net";
import { dirname } from "node:path";
import { after, before, describe, test } from "node:test";
import { projectLayout } from "../../layout.ts";
import { forwardingSite } from "../forwarding.ts";
import { nodeHeaderOption } from "../header-sizes.ts";
import type { Site, SiteKind } from "../model.ts";
import { nginxSite } from "../site.ts";
import { answerFastcgi, listenOn, Nginx, selfSigned } from "./nginx.ts";

// Requests and answers between visitors and applications, over every hop that there is: each passes on what the one before it passes.

const lineSize = 16_000;
/** PHP gets everything in one record of 64 KB, in which a query is twice. */
const cookieSizeOf = (host: string): number => (host === "php.test" ? 28_000 : 32_000);
const setCookies = Array.from({ length: 40 }, (_, at) => `basket-${at}=${"b".repeat(600)}; Path=/; HttpOnly`);
const policy = `default-src ${"https://cdn.example ".repeat(800)}`;

interface Asked {
  path?: string;
  method?: string;
  headers?: Record<string, string | string[]>;
  body?: Buffer;
}

interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

describe("between visitors and an application", () => {
  const node = new Nginx();
  const front = new Nginx();
  const former = new Nginx();
  const php = answerFastcgi(
    (given) => JSON.stringify(Object.fromEntries(given)),
    `${setCookies.map((cookie) => `Set-Cookie: ${cookie}\r\n`).join("")}Content-Security-Policy: ${policy}\r\n`,
  );
  const app = createServer({ maxHeaderSize: Number(nodeHeaderOption.split("=")[1]) }, (asked, answer) => {
    if (asked.url === "/stream")
      return void answer.writeHead(200, { "content-type": "text/event-stream" }).write("first");
    if (asked.url === "/cookies")
      answer.setHeader("set-cookie", setCookies).setHeader("content-security-policy", policy);
    let size = 0;
    asked.on("data", (piece: Buffer) => {
      size += piece.length;
    });
    asked.on("end", () =>
      answer.end(JSON.stringify({ method: asked.method, url: asked.url, size, headers: asked.headers })),
    );
  });
  app.on("upgrade", (asked, socket) =>
    socket.end(`HTTP/1.1 400 Bad Request\r\nX-Upgrade: ${asked.headers.upgrade}\r\n\r\n`),
  );

  /** Where visitors come in, each with the hops behind it. */
  const ways: Record<string, { nginx: Nginx; host: string }> = {
    "a Node project": { nginx: node, host: "node.test" },
    "a PHP project": { nginx: node, host: "php.test" },
    "a load balancer": { nginx: front, host: "balanced.test" },
    "a former server": { nginx: front, host: "node.test" },
    "a former server and a load balancer": { nginx: former, host: "balanced.test" },
  };

  before(async () => {
    const port = await listenOn(app);
    const site = (id: number, name: string, kind: SiteKind, over: Partial<Site> = {}): Site => {
      const layout = projectLayout(id, node.directory);
      for (const path of [layout.logs, layout.state, layout.acmeChallenges, `${layout.releases}/1/.longshore`])
        mkdirSync(path, { recursive: true });
      writeFileSync(`${layout.releases}/1/index.php`, "");
      symlinkSync("..", `${layout.releases}/1/.longshore/public`);
      symlinkSync("releases/1", layout.current);
      const tls = { ...selfSigned(node.directory), names: [name] };
      const shared = { maxUploadMb: 3, proxies: ["127.0.0.1"], tls };
      return { layout, kind, domains: [{ name }], wwwRedirect: 0, redirectStatus: 301, ...shared, ...over };
    };
    const ofNode: SiteKind = { family: "node", ports: [port, port + 1] };
    const plain = { tls: undefined };
    const behind = { balancer: { addresses: ["127.0.0.1"] }, ...plain };
    const php1 = site(2, "php.test", { family: "php" });
    mkdirSync(dirname(php1.layout.phpSocket), { recursive: true });
    await once(php.listen(php1.layout.phpSocket), "listening");
    await node.start([site(1, "node.test", ofNode), php1, site(3, "balanced.test", ofNode, behind)]);
    const to = (next: Nginx, text: string): string =>
      text
        .replaceAll(":80 max_fails", `:${next.port} max_fails`)
        .replaceAll(":80$", `:${next.port}$`)
        .replaceAll("http://127.0.0.1:80;", `http://127.0.0.1:${next.port};`)
        .replaceAll("https://127.0.0.1:443;", `https://127.0.0.1:${next.securePort};`);
    const balanced: SiteKind = { family: "balanced", nodes: [{ id: 1, address: "127.0.0.1" }] };
    const layoutOf = (id: number) => {
      const layout = projectLayout(id, front.directory);
      for (const path of [layout.logs, layout.state]) mkdirSync(path, { recursive: true });
      return layout;
    };
    const tls = { ...selfSigned(front.directory), names: ["node.test", "balanced.test"] };
    const frontSite: Site = {
      ...{ layout: layoutOf(3), kind: balanced, domains: [{ name: "balanced.test" }] },
      ...{ wwwRedirect: 0, redirectStatus: 301, maxUploadMb: 3, proxies: ["127.0.0.1"], tls },
    };
    const forwarding = { to: "127.0.0.1", proxies: ["127.0.0.1"] };
    await front.start([
      to(node, nginxSite(frontSite)),
      to(node, forwardingSite({ ...forwarding, project: 1, names: ["node.test"], tls })),
    ]);
    await former.start([to(front, forwardingSite({ ...forwarding, project: 3, names: ["balanced.test"], tls }))]);
  });
  after(async () => {
    for (const nginx of [former, front, node]) await nginx.stop();
    app.closeAllConnections();
    app.close();
    php.close();
  });

  const send = (
    { nginx, host }: { nginx: Nginx; host: string },
    { path = "/", method = "GET", headers, body }: Asked,
  ) =>
    new Promise<Answered>((resolve, reject) => {
      const sent = request(
        {
          ...{ host: "127.0.0.1", port: nginx.port, path, method, agent: false, maxHeaderSize: 512 * 1024 },
          headers: { "x-forwarded-proto": "https", ...headers, host },
        },
        async (answer: IncomingMessage) => {
          let text = "";
          for await (const piece of answer.setEncoding("utf8")) text += piece;
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text });
        },
      );
      sent.on("error", reject).end(body);
    });

  const addressOf = (body: string): string => {
    const seen = JSON.parse(body) as { url?: string; REQUEST_URI?: string };
    return seen.url ?? seen.REQUEST_URI ?? "";
  };

  for (const [what, way] of Object.entries(ways)) {
    test(`${what} passes long cookies and a long address`, async () => {
      const cookie = `session=${"s".repeat(cookieSizeOf(way.host))}`;
      const path = `/?ticket=${"t".repeat(lineSize)}`;
      const { status, body } = await send(way, { path, headers: { cookie } });
      assert.equal(status, 200, body.slice(0, 300));
      const seen = JSON.parse(body);
      assert.equal(seen.headers?.cookie ?? seen.HTTP_COOKIE, cookie);
      assert.equal(addressOf(body), path);
    });

    test(`${what} passes long headers of answers, with each cookie`, async () => {
      const { status, headers } = await send(way, { path: "/cookies" });
      assert.equal(status, 200);
      assert.deepEqual(headers["set-cookie"], setCookies);
      assert.equal(headers["content-security-policy"], policy.trim());
    });

    test(`${what} passes addresses as they were sent`, async () => {
      for (const path of [
        "/a%2Fb%2f..%2Fc",
        "/a/b/../c/./d",
        "//double///slashes//",
        "/caf%C3%A9/%E2%9C%93?q=%F0%9F%8E%89&x=%26%3D+%20",
        "/a%20b;v=1/c,d=e:f@g!$&'()*+~",
        "/?a[]=1&a[]=2&next=https://other.test/?b%23c",
        "/x?",
        "/a\\b|c^d`{e}",
      ]) {
        const { status, body } = await send(way, { path });
        assert.equal(status, 200, path);
        assert.equal(addressOf(body), path);
      }
    });

    test(`${what} passes every method, with its body`, async () => {
      for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "REPORT", "PURGE", "M-SEARCH"]) {
        const sized = { headers: { "content-length": "4" }, body: Buffer.from("body") };
        const { status, body } = await send(way, { method, path: "/any/thing", ...sized });
        assert.equal(status, 200, method);
        const seen = JSON.parse(body);
        assert.equal(seen.method ?? seen.REQUEST_METHOD, method);
        assert.equal(String(seen.size ?? seen.CONTENT_LENGTH), "4");
      }
      const head = await send(way, { method: "HEAD", path: "/cookies" });
      assert.deepEqual([head.status, head.body, head.headers["set-cookie"]?.length], [200, "", 40]);
    });

    test(`${what} takes a body of exactly the limit, and no longer one, with a length and without`, async () => {
      for (const headers of [{}, { "transfer-encoding": "chunked" }] as Record<string, string>[]) {
        const body = Buffer.alloc(3 * 1024 * 1024, "x");
        assert.equal((await send(way, { method: "POST", body, headers })).status, 200);
        const more = await send(way, { method: "POST", body: Buffer.concat([body, Buffer.from("x")]), headers });
        assert.equal(more.status, 413);
      }
    });
  }

  for (const [what, { nginx, host }] of Object.entries(ways)) {
    test(`${what} passes the same over HTTP/2`, async () => {
      const session = connectHttp2(`https://127.0.0.1:${nginx.securePort}`, {
        ...{ servername: host, rejectUnauthorized: false, settings: { maxHeaderListSize: 512 * 1024 } },
      });
      const cookie = `session=${"s".repeat(cookieSizeOf(host))}`;
      const path = `/cookies?ticket=${"t".repeat(lineSize)}`;
      const stream = session.request({ ":path": path, ":authority": host, cookie });
      const [headers] = (await once(stream, "response")) as [IncomingHttpHeaders & { ":status": number }];
      assert.equal(headers[":status"], 200);
      let body = "";
      for await (const piece of stream.setEncoding("utf8")) body += piece;
      session.close();
      assert.equal(JSON.parse(body).headers?.cookie ?? JSON.parse(body).HTTP_COOKIE, cookie);
      assert.equal(addressOf(body), path);
    });
  }

  test("a stream passes at once, over all hops", async () => {
    for (const { nginx, host } of Object.values(ways)) {
      if (host === "php.test") continue;
      const sent = request({
        ...{ host: "127.0.0.1", port: nginx.port, path: "/stream", agent: false },
        headers: { host, "x-forwarded-proto": "https" },
      });
      const [answer] = (await once(sent.end(), "response")) as [IncomingMessage];
      assert.equal(String((await once(answer, "data"))[0]), "first");
      sent.destroy();
    }
  });

  test("an offer of HTTP/2 over plain HTTP is no WebSocket, and costs no answer", async () => {
    const offer = {
      connection: "Upgrade, HTTP2-Settings",
      upgrade: "h2c",
      "http2-settings": "AAMAAABkAAQCAAAAAAIAAAAA",
    };
    for (const way of Object.values(ways)) assert.equal((await send(way, { headers: offer })).status, 200);
  });

  test("a request with two lengths, or a length and chunks, reaches no application", async () => {
    for (const framing of [
      "Content-Length: 4\r\nContent-Length: 5\r\n\r\nbody",
      "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
      "Transfer-Encoding: chunked, identity\r\n\r\n4\r\nbody\r\n0\r\n\r\n",
      "Content-Length : 4\r\n\r\nbody",
    ]) {
      const socket = connect(node.port, "127.0.0.1");
      socket.write(`POST / HTTP/1.1\r\nHost: node.test\r\nX-Forwarded-Proto: https\r\n${framing}`);
      const [answer] = (await once(socket, "data")) as [Buffer];
      assert.match(String(answer), /^HTTP\/1\.1 (?:400|501) /);
      socket.destroy();
    }
  });
});
