import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { before, describe, test } from "node:test";
import { connect } from "node:tls";
import { protocolsOffered } from "../client-hello.ts";

/** What a real client sends first. */
async function helloOf(options: { ALPNProtocols?: string[]; servername?: string }): Promise<Buffer> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = connect({ port: (server.address() as AddressInfo).port, host: "127.0.0.1", ...options });
  client.on("error", () => undefined);
  const [socket] = await once(server, "connection");
  const [bytes] = (await once(socket, "data")) as [Buffer];
  client.destroy();
  socket.destroy();
  server.close();
  return bytes;
}

describe("the protocols that a client offers", () => {
  let browser: Buffer;
  let authority: Buffer;
  let curl: Buffer;
  before(async () => {
    browser = await helloOf({ ALPNProtocols: ["h2", "http/1.1"], servername: "panel.example.com" });
    authority = await helloOf({ ALPNProtocols: ["acme-tls/1"], servername: "panel.example.com" });
    curl = await helloOf({});
  });

  test("are read from the first message of a real client", () => {
    assert.deepEqual(protocolsOffered(browser), ["h2", "http/1.1"]);
    assert.deepEqual(protocolsOffered(authority), ["acme-tls/1"]);
    assert.deepEqual(protocolsOffered(curl), []);
  });

  test("are unknown until the whole message is there, however it is cut", () => {
    for (let length = 0; length < browser.length; length++) {
      assert.equal(protocolsOffered(browser.subarray(0, length)), undefined, `${length} bytes`);
    }
  });

  test("are read from a message in several records", () => {
    const message = browser.subarray(5);
    const record = (part: Buffer) =>
      Buffer.concat([Buffer.from([22, 3, 1, part.length >> 8, part.length & 255]), part]);
    const cut = Buffer.concat([
      record(message.subarray(0, 3)),
      record(message.subarray(3, 90)),
      record(message.subarray(90)),
    ]);
    assert.deepEqual(protocolsOffered(cut), ["h2", "http/1.1"]);
  });

  test("are none where another protocol is spoken, or the lengths are wrong", () => {
    assert.deepEqual(protocolsOffered(Buffer.from("GET / HTTP/1.1\r\n")), []);
    for (let at = 5; at < browser.length; at++) {
      const broken = Buffer.from(browser);
      broken[at] = 0xff;
      assert.doesNotThrow(() => protocolsOffered(broken), `byte ${at}`);
    }
  });

  test("are not waited for without end", () => {
    const endless = Buffer.concat([Buffer.from([22, 3, 1, 0xff, 0xff, 1, 0, 0xff, 0xff]), Buffer.alloc(16_384)]);
    assert.deepEqual(protocolsOffered(endless), []);
  });
});
