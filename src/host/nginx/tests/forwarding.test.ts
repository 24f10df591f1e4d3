import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { type ClientRequest, createServer, type IncomingMessage, request } from "node:http";
import { request as requestSecurely } from "node:https";
import { after, before, describe, test } from "node:test";
import { connect as connectSecurely, type TLSSocket } from "node:tls";
import { freePort } from "../../../../stage/free-port.ts";
import { projectLayout } from "../../layout.ts";
import { type Forwarding, forwardingSite } from "../forwarding.ts";
import type { Site } from "../model.ts";
import { listenOn, Nginx } from "./nginx.ts";

function selfSigned(path: string, names: readonly string[]): { certificate: string; key: string } {
  const made = { certificate: `${path}.pem`, key: `${path}.key` };
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=x"];
  const extension = ["-addext", `subjectAltName=${names.map((name) => `DNS:${name}`).join(",")}`];
  const words = ["req", "-x509", ...kind, ...extension, "-keyout", made.key, "-out", made.certificate];
  assert.equal(spawnSync("openssl", words).status, 0);
  return made;
}

const visitor = "127.0.0.9";

describe("a server that a project has left", () => {
  const former = new Nginx();
  const present = new Nginx();
  let notify: (piece: string) => void = () => {};
  const app = createServer((asked, answer) => {
    if (asked.url === "/stream") {
      answer.write("first");
      notify = (piece) => answer.end(piece);
      return;
    }
    if (asked.url === "/echo") return void asked.pipe(answer);
    let size = 0;
    asked.on("data", (piece: Buffer) => {
      size += piece.length;
    });
    asked.on("end", () => {
      if (asked.url === "/broken") answer.writeHead(502);
      answer.end(JSON.stringify({ url: asked.url, size, headers: asked.headers }));
    });
  }).on("upgrade", (_, socket) => {
    socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n");
    socket.on("data", (piece) => socket.write(`echo ${piece}`));
    socket.on("end", () => socket.end());
  });

  const names = ["shop.test", "www.shop.test"];
  const layout = projectLayout(1, present.directory);

  let projects = 0;
  /** A site of the former server, whose ports of the other server are those of the test. */
  const forwarding = (over: Partial<Forwarding>, [plain, secure]: readonly [number, number]): string =>
    forwardingSite({ project: ++projects, names, to: "127.0.0.1", proxies: [], ...over })
      .replaceAll("http://127.0.0.1:80;", `http://127.0.0.1:${plain};`)
      .replaceAll("https://127.0.0.1:443;", `https://127.0.0.1:${secure};`);

  before(async () => {
    const tls = { ...selfSigned(`${present.directory}/new`, names), names };
    const site = (over: Partial<Site>): Site => ({
      layout,
      kind: { family: "node", ports: [appPort, appPort + 1] },
      domains: names.map((name) => ({ name })),
      wwwRedirect: 0,
      redirectStatus: 301,
      proxies: ["127.0.0.1"],
      ...over,
    });
    const appPort = await listenOn(app);
    for (const path of [layout.state, layout.logs, layout.acmeChallenges, `${layout.releases}/1`]) {
      mkdirSync(path, { recursive: true });
    }
    symlinkSync("releases/1", layout.current);
    writeFileSync(`${layout.acmeChallenges}/token`, "proof");
    const other = { ...projectLayout(2, present.directory), acmeChallenges: layout.acmeChallenges, logs: layout.logs };
    const plain = site({ domains: [{ name: "plain.test" }], layout: { ...other, current: layout.current } });
    mkdirSync(`${other.releases}/1`, { recursive: true });
    symlinkSync("releases/1", projectLayout(2, present.directory).current);
    const withoutName = "server { listen 443 ssl default_server; ssl_reject_handshake on; }";
    await present.start([withoutName, site({ tls }), plain]);

    const old = { ...selfSigned(`${former.directory}/old`, names), names };
    const ports = [present.port, present.securePort] as const;
    await former.start([
      "server { listen 80 default_server; return 404; }",
      withoutName,
      forwarding({ names: [...names, "plain.test"], tls: old }, ports),
      forwarding({ names: ["direct.test"] }, [appPort, appPort]),
      forwarding({ names: ["down.test"], tls: { ...old, names: ["down.test"] } }, [await freePort(), await freePort()]),
      forwarding({ names: ["notice.test"], to: undefined, tls: { ...old, names: ["notice.test"] } }, ports),
    ]);
  });
  after(async () => {
    await Promise.all([former.stop(), present.stop()]);
    app.closeAllConnections();
    app.close();
  });

  const begin = (host: string, path: string, method = "GET"): ClientRequest =>
    requestSecurely({
      host: "127.0.0.1",
      port: former.securePort,
      path,
      method,
      servername: host,
      headers: { host },
      rejectUnauthorized: false,
      agent: false,
      localAddress: visitor,
    });

  async function read(answer: IncomingMessage): Promise<string> {
    let text = "";
    for await (const piece of answer.setEncoding("utf8")) text += piece;
    return text;
  }

  test("passes requests on with their name, scheme and address of the visitor", async () => {
    const plain = JSON.parse((await former.getFrom(visitor, "plain.test", "/a?b=1")).body);
    assert.equal(plain.url, "/a?b=1");
    assert.deepEqual(
      [plain.headers.host, plain.headers["x-forwarded-proto"], plain.headers["x-real-ip"]],
      ["plain.test", "http", visitor],
    );
    const [answer] = (await once(begin("www.shop.test", "/secure").end(), "response")) as [IncomingMessage];
    const secure = JSON.parse(await read(answer));
    assert.deepEqual(
      [secure.headers.host, secure.headers["x-forwarded-proto"], secure.headers["x-real-ip"]],
      ["www.shop.test", "https", visitor],
    );
  });

  test("passes the other server's redirect to HTTPS on, and requests of certificate authorities", async () => {
    const { status, headers } = await former.get("shop.test", "/page");
    assert.deepEqual([status, headers.location], [301, "https://shop.test/page"]);
    assert.equal((await former.get("shop.test", "/.well-known/acme-challenge/token")).body, "proof");
  });

  test("believes no visitor who names another address", async () => {
    const from = await new Promise<IncomingMessage>((resolve, reject) =>
      request({
        host: "127.0.0.1",
        port: former.port,
        localAddress: visitor,
        headers: { host: "plain.test", "x-forwarded-for": "203.0.113.9" },
      })
        .on("response", resolve)
        .on("error", reject)
        .end(),
    );
    assert.equal(JSON.parse(await read(from)).headers["x-real-ip"], visitor);
  });

  test("passes large bodies, and answers as they come", async () => {
    const upload = begin("shop.test", "/upload", "POST");
    upload.end(Buffer.alloc(3_000_000));
    const [taken] = (await once(upload, "response")) as [IncomingMessage];
    assert.equal(JSON.parse(await read(taken)).size, 3_000_000);
    const [stream] = (await once(begin("shop.test", "/stream").end(), "response")) as [IncomingMessage];
    assert.equal(String((await once(stream, "data"))[0]), "first");
    notify("last");
    assert.equal(await read(stream), "last");
    const body = request({
      host: "127.0.0.1",
      port: former.port,
      path: "/echo",
      method: "POST",
      headers: { host: "direct.test" },
    });
    body.write("part");
    const [echo] = (await once(body, "response")) as [IncomingMessage];
    assert.equal(String((await once(echo, "data"))[0]), "part");
    body.end();
    echo.resume();
  });

  test("passes a WebSocket, both ways", async () => {
    const socket: TLSSocket = connectSecurely({
      host: "127.0.0.1",
      port: former.securePort,
      servername: "shop.test",
      rejectUnauthorized: false,
    });
    let text = "";
    socket.setEncoding("utf8").on("data", (piece) => {
      text += piece;
    });
    const until = async (mark: string): Promise<void> => {
      while (!text.includes(mark)) await once(socket, "data");
    };
    socket.write("GET /live HTTP/1.1\r\nHost: shop.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    await until("\r\n\r\n");
    assert.match(text, /^HTTP\/1.1 101 /);
    socket.write("hello");
    await until("echo hello");
    socket.end();
  });

  test("passes errors of the project on as they are", async () => {
    const { status, body } = await former.get("plain.test", "/broken");
    assert.equal(status, 502);
    assert.equal(JSON.parse(body).url, "/broken");
  });

  for (const [name, what] of [
    ["down.test", "while the other server does not answer"],
    ["notice.test", "when it does not forward"],
  ] as const) {
    test(`asks visitors to come back ${what}`, async () => {
      for (const answer of [await former.get(name, "/any"), await former.getSecurely(name, "/any")]) {
        assert.equal(answer.status, 503);
        assert.equal(answer.headers["retry-after"], "120");
        assert.equal(answer.headers["cache-control"], "no-store");
        assert.match(answer.body, /Please try again shortly/);
      }
    });
  }

  test("shows no other name's certificate for a name that has none here", async () => {
    await assert.rejects(former.getSecurely("plain.test", "/"), /handshake|alert|EPROTO|ECONNRESET/i);
  });

  test("writes nothing into the file that could be more than a word of it", () => {
    const written = (name: string, to: string): string =>
      forwardingSite({ project: 1, names: [name], to, proxies: [] });
    assert.throws(() => written("a.test; }", "127.0.0.1"), /cannot contain/);
    assert.match(written("a.test", "2001:db8::1"), /http:\/\/\[2001:db8::1\]:80;/);
  });
});
