import assert from "node:assert/strict";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { after, before, describe, it, type TestContext } from "node:test";
import { type DnsServer, startDnsServer } from "../../../../stage/dns-server.ts";
import { selfSigned } from "../../../../stage/self-signed.ts";
import { pollUntil } from "../../../lib/clock.ts";
import { type Check, type CheckResult, runCheck } from "../checks/client.ts";
import { mayCheck } from "../checks/reach.ts";
import { CachedResolver } from "../checks/resolver.ts";

let dns: DnsServer;

before(async () => {
  dns = await startDnsServer({ "shop.test": { A: ["127.0.0.1"] } });
});
after(() => dns.close());

const local = mayCheck(["127.0.0.0/8"], []);
const resolver = () => new CachedResolver({ servers: [dns.address] });

/** A server on loopback that ends with the test; its port. */
async function listen(t: TestContext, server: Pick<Server, "listen" | "address" | "close">): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.close();
    if ("closeAllConnections" in server) (server as Server).closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

const serve = (t: TestContext, listener: RequestListener): Promise<number> => listen(t, createServer(listener));

/** A server that speaks TCP only. */
async function serveTcp(t: TestContext, onSocket: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on("error", () => {}));
    onSocket(socket);
  });
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  return listen(t, server as unknown as Server);
}

interface Options extends Partial<Check> {
  authorities?: string[];
  mayReach?: (address: string) => boolean;
}

const check = (url: string, { authorities, mayReach = local, ...changes }: Options = {}): Promise<CheckResult> => {
  const names = resolver();
  return runCheck(
    { url, method: "GET", expectedStatus: null, timeoutMs: 5_000, ...changes },
    { resolve: (name) => names.resolve(name), mayReach, ...(authorities && { authorities }) },
  );
};

/** Checks what never ends. A busy machine may need longer to get as far as the test expects. */
async function timingOut(url: string, message: RegExp): Promise<CheckResult> {
  let seen = await check(url, { timeoutMs: 200 });
  for (const timeoutMs of [1_000, 5_000]) if (!message.test(seen.message)) seen = await check(url, { timeoutMs });
  assert.deepEqual([seen.isUp, seen.error], [false, "timeout"], seen.message);
  assert.match(seen.message, message);
  return seen;
}

describe("a response", () => {
  it("passes with any 2xx status, and has its phases", async (t) => {
    const port = await serve(t, (_, response) => response.writeHead(204).end());
    const result = await check(`http://shop.test:${port}/health?a=1`);
    assert.equal(result.isUp, true, result.message);
    assert.equal(result.status, 204);
    assert.equal(result.address, "127.0.0.1");
    const { dns: dnsMs, connect, first_byte, whole, tls } = result.phases;
    assert.equal(tls, undefined);
    for (const phase of [dnsMs, connect, first_byte, whole]) assert.equal(typeof phase, "number");
  });

  it("fails with another status, and redirects are not followed", async (t) => {
    let requests = 0;
    const port = await serve(t, (_, response) => {
      requests++;
      response.writeHead(301, { Location: "/elsewhere" }).end();
    });
    const url = `http://127.0.0.1:${port}/`;
    const moved = await check(url);
    assert.equal(moved.isUp, false);
    assert.equal(moved.error, "unexpected_status");
    assert.equal(requests, 1);
    assert.equal((await check(url, { expectedStatus: 301 })).isUp, true);
    assert.match((await check(url, { expectedStatus: 200 })).message, /301 instead of 200/);
  });

  for (const method of ["GET", "HEAD", "POST"] as const) {
    it(`is requested with ${method}, over a new connection each time`, async (t) => {
      const seen: (string | undefined)[] = [];
      const ports = new Set<number | undefined>();
      const port = await serve(t, (request, response) => {
        seen.push(request.method, request.headers.host, request.url);
        ports.add(request.socket.remotePort);
        response.end("fine");
      });
      for (let n = 0; n < 2; n++) assert.equal((await check(`http://shop.test:${port}/a?b`, { method })).isUp, true);
      assert.deepEqual(seen.slice(0, 3), [method, `shop.test:${port}`, "/a?b"]);
      assert.equal(ports.size, 2);
    });
  }

  it("is read up to 64 KB if it has no end", async (t) => {
    let written = 0;
    let hasEnded = false;
    const port = await serve(t, (request, response) => {
      const chunk = Buffer.alloc(16_384);
      const write = (): void => {
        while (!hasEnded && response.write(chunk)) written += chunk.length;
      };
      response.on("drain", write);
      request.socket.on("close", () => {
        hasEnded = true;
      });
      write();
    });
    assert.equal((await check(`http://127.0.0.1:${port}/`)).isUp, true);
    assert.ok(await pollUntil(() => hasEnded, { timeoutMs: 60_000 }));
    assert.ok(written < 64 * 1024 * 1024);
  });
});

describe("a check fails", () => {
  const failing = async (result: Promise<CheckResult>, error: string, message: RegExp): Promise<CheckResult> => {
    const seen = await result;
    assert.equal(seen.isUp, false);
    assert.equal(seen.error, error, seen.message);
    assert.match(seen.message, message);
    return seen;
  };

  it("when the connection is refused", async (t) => {
    const server = createServer();
    const port = await listen(t, server);
    await new Promise((resolve) => server.close(resolve));
    await failing(check(`http://127.0.0.1:${port}/`), "connection_refused", /refused the connection/);
  });

  it("when the DNS has no name, no address or no answer", async () => {
    dns.zone.set("empty.test", {});
    dns.zone.set("broken.test", { code: "SERVFAIL" });
    await failing(check("http://gone.test/"), "dns_lookup_failed", /gone\.test has no address/);
    await failing(check("http://empty.test/"), "dns_lookup_failed", /no address/);
    await failing(check("http://broken.test/"), "dns_lookup_failed", /did not answer/);
  });

  it("when the DNS is silent until the timeout", async () => {
    dns.zone.set("silent.test", { silent: true });
    await timingOut("http://silent.test/", /the DNS did not answer/);
  });

  it("when no response begins in time", async (t) => {
    const port = await serveTcp(t, () => {});
    await timingOut(`http://127.0.0.1:${port}/`, /no answer began/);
  });

  it("when the response arrives byte by byte", async (t) => {
    const port = await serveTcp(t, (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n\r\n");
      const drip = setInterval(() => socket.write("."), 20);
      socket.on("close", () => clearInterval(drip));
    });
    const seen = await timingOut(`http://127.0.0.1:${port}/`, /the answer did not end/);
    assert.equal(seen.status, 200);
  });

  it("when the headers do not end", async (t) => {
    const port = await serveTcp(t, (socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const drip = setInterval(() => socket.write(`X-${"a".repeat(4_000)}: 1\r\n`), 5);
      socket.on("close", () => clearInterval(drip));
    });
    await failing(check(`http://127.0.0.1:${port}/`), "invalid_response", /more than 300 KB/);
  });

  it("when the connection closes before or during the response", async (t) => {
    const before = await serveTcp(t, (socket) => socket.once("data", () => socket.destroy()));
    await failing(check(`http://127.0.0.1:${before}/`), "connection_closed", /closed the connection/);
    const within = await serveTcp(t, (socket) =>
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort")),
    );
    await failing(check(`http://127.0.0.1:${within}/`), "connection_closed", /closed the connection/);
  });

  it("when the response is not HTTP", async (t) => {
    const port = await serveTcp(t, (socket) => socket.end("220 mail.example.com ESMTP\r\n"));
    await failing(check(`http://127.0.0.1:${port}/`), "invalid_response", /not HTTP/);
  });

  it("when the other side switches protocols", async (t) => {
    const port = await serveTcp(t, (socket) =>
      socket.once("data", () => socket.write("HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n")),
    );
    await failing(check(`http://127.0.0.1:${port}/`), "invalid_response", /./);
  });
});

/** Each answer is the whole of what a server sends before it closes the connection. */
const answering = (t: TestContext, answer: string | Buffer): Promise<number> =>
  serveTcp(t, (socket) => socket.once("data", () => socket.end(answer)));

describe("a response that browsers and curl read", () => {
  const cookies = Array.from({ length: 60 }, (_, at) => `Set-Cookie: basket${at}=${"y".repeat(900)}; Path=/\r\n`).join(
    "",
  );
  const answers: Record<string, string | Buffer> = {
    "54 KB of cookies": `HTTP/1.1 200 OK\r\n${cookies}Content-Length: 4\r\n\r\nfine`,
    "a value of 100 KB": `HTTP/1.1 200 OK\r\nX-Trace: ${"t".repeat(100_000)}\r\n\r\nfine`,
    "lines that end with a newline alone": "HTTP/1.1 200 OK\nServer: a\nContent-Length: 4\n\nfine",
    "ends of lines of both kinds": "HTTP/1.1 200 OK\r\nServer: a\nContent-Length: 4\r\n\nfine",
    "chunks and a length":
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 99\r\n\r\n4\r\nfine\r\n0\r\n\r\n",
    "chunks with extensions, a trailer and newlines alone":
      "HTTP/1.1 200 OK\nTransfer-Encoding: gzip, Chunked\n\n0004;a=b\nfine\n000\nX-Sum: 1\n\n",
    "a length of several zeros": "HTTP/1.1 200 OK\r\nContent-Length: 0004\r\n\r\nfine",
    "the same length three times": "HTTP/1.1 200 OK\r\nContent-Length: 4, 4\r\ncontent-length: 4\r\n\r\nfine",
    "a space before a colon": "HTTP/1.1 200 OK\r\nContent-Length : 4\r\n\r\nfine",
    "a name that is no token": "HTTP/1.1 200 OK\r\nX Powered (by): a\r\nContent-Length: 4\r\n\r\nfine",
    "a folded value": "HTTP/1.1 200 OK\r\nX-Policy: a;\r\n\tb: c\r\nContent-Length: 4\r\n\r\nfine",
    "control characters and another encoding": Buffer.from(
      "HTTP/1.1 200 \xdcbung\r\nX-A: \x01\xff\r\nContent-Length: 4\r\n\r\nfine",
      "latin1",
    ),
    "no reason": "HTTP/1.1 200\r\nContent-Length: 4\r\n\r\nfine",
    "HTTP/1.0 without a length": "HTTP/1.0 200 OK\r\n\r\nfine",
    "no headers at all": "HTTP/1.1 204 No Content\r\n\r\n",
    "interim answers": `${"HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n".repeat(3)}HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n`,
    "a length without a body": "HTTP/1.1 204 No\r\nContent-Length: 400\r\n\r\n",
    "bytes after its end": "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine and more",
    "a coding that changes nothing": "HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\nContent-Length: 4\r\n\r\nfine",
  };
  for (const [what, answer] of Object.entries(answers)) {
    it(`passes: ${what}`, async (t) => {
      const result = await check(`http://127.0.0.1:${await answering(t, answer)}/`);
      assert.equal(result.isUp, true, result.message);
    });
  }

  it("passes byte by byte", async (t) => {
    const bytes = [...Buffer.from("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n4\r\nfine\r\n0\n\n")];
    const port = await serveTcp(t, (socket) => {
      socket.setNoDelay(true).once("data", () => {
        const next = (): void => {
          const byte = bytes.shift();
          if (byte !== undefined) socket.write(Buffer.from([byte]), () => setImmediate(next));
        };
        next();
      });
    });
    const result = await check(`http://127.0.0.1:${port}/`);
    assert.equal(result.isUp, true, result.message);
  });

  it("needs no body after HEAD", async (t) => {
    const port = await serveTcp(t, (socket) =>
      socket.once("data", () => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 4000\r\n\r\n")),
    );
    assert.equal((await check(`http://127.0.0.1:${port}/`, { method: "HEAD" })).isUp, true);
  });

  it("ends after 64 KB of chunks, however they are framed", async (t) => {
    const frames = [`1;${"e".repeat(3_000)}\r\nx\r\n`, `fffffffff\r\n${"x".repeat(4_000)}`, "1\nx\n"];
    for (const frame of frames) {
      const port = await serveTcp(t, (socket) => {
        socket.once("data", () => {
          socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
          const write = (): void => void (socket.writable && socket.write(frame.repeat(50), () => setImmediate(write)));
          write();
        });
      });
      const result = await check(`http://127.0.0.1:${port}/`, { timeoutMs: 30_000 });
      assert.equal(result.isUp, true, result.message);
    }
  });
});

describe("a response that no visitor can read", () => {
  const answers: Record<string, [string, RegExp]> = {
    "HTTP/0.9": ["<html>hello</html>", /does not begin with HTTP/],
    "no status": ["HTTP/1.1 OK\r\n\r\n", /does not begin with HTTP/],
    "a status of two digits": ["HTTP/1.1 20\r\n\r\n", /does not begin with HTTP/],
    "a line without a name": ["HTTP/1.1 200 OK\r\nnonsense\r\n\r\n", /has no name/],
    "a length that is no number": ["HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", /Content-Length/],
    "lengths that differ": ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 4\r\n\r\nfine", /differ/],
    "no chunks": ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfine", /not in chunks/],
    "a chunk that is longer than announced": [
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nfine\r\n0\r\n\r\n",
      /not in chunks/,
    ],
  };
  for (const [what, [answer, message]] of Object.entries(answers)) {
    it(`fails with a sentence: ${what}`, async (t) => {
      const result = await check(`http://127.0.0.1:${await answering(t, answer)}/`);
      assert.deepEqual([result.isUp, result.error], [false, "invalid_response"], result.message);
      assert.match(result.message, message);
    });
  }

  for (const [what, answer] of Object.entries({
    "in its headers": "HTTP/1.1 200 OK\r\nServer: a",
    "in a chunk": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nfine",
    "before the last chunk": "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfine\r\n",
    "after an interim answer": "HTTP/1.1 103 Early Hints\r\n\r\n",
  })) {
    it(`fails when the connection ends ${what}`, async (t) => {
      const result = await check(`http://127.0.0.1:${await answering(t, answer)}/`);
      assert.deepEqual([result.isUp, result.error], [false, "connection_closed"], result.message);
    });
  }

  it("is given up after 300 KB of headers, also of interim answers", async (t) => {
    for (const piece of ["X-A: b\r\n", "\r\nHTTP/1.1 103 Early Hints\r\n", "x"]) {
      const port = await serveTcp(t, (socket) => {
        socket.once("data", () => {
          socket.write("HTTP/1.1 103 Early Hints\r\n");
          const write = (): void =>
            void (socket.writable && socket.write(piece.repeat(1_000), () => setImmediate(write)));
          write();
        });
      });
      const result = await check(`http://127.0.0.1:${port}/`, { timeoutMs: 30_000 });
      assert.deepEqual([result.isUp, result.error], [false, "invalid_response"], result.message);
      assert.match(result.message, /300 KB/);
    }
  });
});

describe("a check over TLS", () => {
  const serveTls = async (t: TestContext, names: string[], days?: number) => {
    const { certificate, private_key } = await selfSigned(names, days);
    let requests = 0;
    const server = createTlsServer({ cert: certificate, key: private_key }, (_, response) => {
      requests++;
      response.end("fine");
    });
    return { port: await listen(t, server), certificate, requests: () => requests };
  };

  it("reads the end of the certificate", async (t) => {
    const { port, certificate } = await serveTls(t, ["shop.test"], 20);
    const result = await check(`https://shop.test:${port}/`, { authorities: [certificate] });
    assert.equal(result.isUp, true, result.message);
    const days = ((result.certificateExpiresAt?.getTime() ?? 0) - Date.now()) / 86_400_000;
    assert.ok(days > 19.9 && days < 20.1);
    assert.equal(typeof result.phases.tls, "number");
  });

  it("sends nothing if the certificate is expired, for another name or not trusted", async (t) => {
    const expired = await serveTls(t, ["shop.test"], -1);
    const ended = await check(`https://shop.test:${expired.port}/`, { authorities: [expired.certificate] });
    assert.equal(ended.error, "certificate_expired");
    assert.match(ended.message, /expired on \d{4}-/);
    assert.ok(ended.certificateExpiresAt);

    const other = await serveTls(t, ["other.test"]);
    const named = await check(`https://shop.test:${other.port}/`, { authorities: [other.certificate] });
    assert.equal(named.error, "certificate_invalid");
    assert.match(named.message, /for another name/);
    const unknown = await check(`https://other.test:${other.port}/`);
    assert.equal(unknown.error, "dns_lookup_failed");
    dns.zone.set("other.test", { A: ["127.0.0.1"] });
    const untrusted = await check(`https://other.test:${other.port}/`);
    assert.equal(untrusted.error, "certificate_invalid");
    assert.match(untrusted.message, /self-signed/);
    assert.equal(other.requests(), 0);
  });

  it("fails at a server without TLS", async (t) => {
    const port = await serve(t, (_, response) => response.end());
    assert.equal((await check(`https://127.0.0.1:${port}/`)).error, "tls_failed");
  });

  it("times out if the handshake does not end", async (t) => {
    const port = await serveTcp(t, () => {});
    await timingOut(`https://127.0.0.1:${port}/`, /the TLS handshake did not end/);
  });
});

describe("addresses of the control plane's network", () => {
  const none = mayCheck([], []);

  for (const host of [
    "127.0.0.1",
    "127.1",
    "0x7f000001",
    "2130706433",
    "0177.0.0.1",
    "0.0.0.0",
    "10.0.0.1",
    "100.64.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "168.63.129.16",
    "192.0.0.192",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "[::1]",
    "[::]",
    "[::127.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:a9fe:a9fe]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::a00:1]",
    "[2002:7f00:1::]",
    "[2001:0:7f00:1::1]",
    "[2001:db8::1]",
    "[100::1]",
    "[fe80::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[fec0::1]",
    "[ff02::1]",
  ]) {
    it(`are not reached as ${host}`, async () => {
      const result = await check(`http://${host}:9/`, { mayReach: none });
      assert.equal(result.error, "address_not_allowed", result.message);
      assert.equal(result.phases.connect, undefined);
    });
  }

  it("are not reached through a name, even if it has public addresses too", async () => {
    dns.zone.set("mixed.test", { A: ["93.184.215.14", "127.0.0.1"] });
    dns.zone.set("six.test", { AAAA: ["::1"] });
    dns.zone.set("mapped.test", { AAAA: ["64:ff9b::a00:1"] });
    for (const name of ["mixed.test", "six.test", "mapped.test"]) {
      const result = await check(`http://${name}:9/`, { mayReach: none });
      assert.equal(result.error, "address_not_allowed", result.message);
    }
  });

  it("are not reached through a name whose address changes a moment later", async (t) => {
    let requests = 0;
    const port = await serve(t, (_, response) => {
      requests++;
      response.end();
    });
    let questions = 0;
    // First the allowed address, then the forbidden one: the connection is made only to the checked address.
    const resolve = async () => ({ addresses: [questions++ === 0 ? "127.0.0.2" : "127.0.0.1"] });
    const onlySecond = (address: string) => address === "127.0.0.2";
    const result = await runCheck(
      { url: `http://rebound.test:${port}/`, method: "GET", expectedStatus: null, timeoutMs: 1_000 },
      { resolve, mayReach: onlySecond },
    );
    assert.equal(questions, 1);
    assert.equal(result.isUp, false);
    assert.equal(requests, 0);
  });

  it("are not reached by a redirect", async (t) => {
    const port = await serve(t, (_, response) =>
      response.writeHead(302, { Location: "http://169.254.169.254/" }).end(),
    );
    assert.equal((await check(`http://127.0.0.1:${port}/`)).status, 302);
  });

  it("are reached if they belong to a managed server or the operator allows them", () => {
    assert.equal(mayCheck([], ["10.1.2.3"])("10.1.2.3"), true);
    assert.equal(mayCheck([], ["10.1.2.3"])("10.1.2.4"), false);
    assert.equal(mayCheck(["10.1.0.0/16"], [])("10.1.2.4"), true);
    assert.equal(mayCheck(["10.1.0.0/16"], [])("::ffff:10.1.2.4"), true);
  });
});

describe("the resolver", () => {
  it("keeps answers for their time to live and failures for five seconds", async () => {
    let now = 0;
    const names = new CachedResolver({ servers: [dns.address], now: () => now });
    dns.zone.set("kept.test", { A: ["192.0.2.1"] });
    assert.deepEqual((await names.resolve("kept.test")).addresses, ["192.0.2.1"]);
    dns.zone.set("kept.test", { A: ["192.0.2.2"] });
    now = 59_000;
    assert.deepEqual((await names.resolve("kept.test")).addresses, ["192.0.2.1"]);
    assert.equal((await names.resolve("new.test")).failure, "missing");
    dns.zone.set("new.test", { A: ["192.0.2.3"] });
    now = 63_000;
    assert.equal((await names.resolve("new.test")).failure, "missing");
    now = 65_000;
    assert.deepEqual((await names.resolve("new.test")).addresses, ["192.0.2.3"]);
    assert.deepEqual((await names.resolve("kept.test")).addresses, ["192.0.2.2"]);
  });
});
