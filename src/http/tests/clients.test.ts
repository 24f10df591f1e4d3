import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { describe, it, type TestContext } from "node:test";
import type { FastifyRequest } from "fastify";
import { clientNetworkOf } from "../../lib/addresses.ts";
import { clientOf, limitConnections, singleClient } from "../clients.ts";

describe("a client that opens connections without end", () => {
  async function openServer(t: TestContext, isClient: (address: string) => boolean) {
    const server = createServer();
    limitConnections(server, 3, isClient);
    server.on("connection", (socket) => void (socket.destroyed || socket.write("here")));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const sockets: Socket[] = [];
    t.after(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
    });
    /** Whether the connection stays open. */
    const open = async () => {
      const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
      socket.on("error", () => undefined);
      sockets.push(socket);
      const first = await Promise.race([once(socket, "data"), once(socket, "close").then(() => undefined)]);
      return { isOpen: first !== undefined, socket };
    };
    return { server, open };
  }

  it("gets as many as the limit, and another one for each that it closes", async (t) => {
    const { server, open } = await openServer(t, () => true);
    const opened = [await open(), await open(), await open(), await open()];
    assert.deepEqual(
      opened.map(({ isOpen }) => isOpen),
      [true, true, true, false],
    );
    opened[0]?.socket.destroy();
    await untilConnections(server, 2);
    assert.equal((await open()).isOpen, true);
  });

  it("is not limited where many may share its address", async (t) => {
    const { open } = await openServer(t, singleClient({ trustedProxies: [] }));
    for (let n = 0; n < 5; n++) assert.equal((await open()).isOpen, true);
  });
});

const untilConnections = (server: ReturnType<typeof createServer>, wanted: number): Promise<void> =>
  new Promise((resolve) => {
    const look = () =>
      server.getConnections((_error, count) => (count === wanted ? resolve() : void setImmediate(look)));
    look();
  });

describe("what is one client", () => {
  it("is an IPv4 address, or the /64 of an IPv6 address", () => {
    assert.equal(clientNetworkOf("8.8.8.8"), "8.8.8.8");
    assert.equal(clientNetworkOf("::ffff:8.8.8.8"), "8.8.8.8");
    assert.equal(clientNetworkOf("2606:4700:1:2:3:4:5:6"), "2606:4700:1:2::/64");
    assert.equal(clientNetworkOf("2606:4700::1111"), clientNetworkOf("2606:4700:0:0:ffff::1"));
    assert.equal(clientNetworkOf("2606::5:6:7:8:9"), "2606:0:0:5::/64");
    assert.notEqual(clientNetworkOf("2606:4700:0:1::1"), clientNetworkOf("2606:4700::1"));
  });

  it("is unknown behind a proxy that is not configured", () => {
    const request = (ip: string, headers = {}) => ({ ip, headers }) as FastifyRequest;
    const alone = { trustedProxies: [] };
    assert.equal(clientOf(alone, request("8.8.8.8")), "8.8.8.8");
    assert.equal(clientOf(alone, request("8.8.8.8", { "x-forwarded-for": "1.2.3.4" })), undefined);
    assert.equal(clientOf(alone, request("8.8.8.8", { forwarded: "for=1.2.3.4" })), undefined);
    assert.equal(clientOf(alone, request("127.0.0.1")), undefined);
    assert.equal(clientOf(alone, request("10.0.0.5")), undefined);
    const proxied = { trustedProxies: ["10.0.0.0/8"] };
    assert.equal(clientOf(proxied, request("9.9.9.9", { "x-forwarded-for": "9.9.9.9" })), "9.9.9.9");
    assert.equal(singleClient(proxied)("10.0.0.5"), false);
    assert.equal(singleClient({ trustedProxies: ["9.9.9.9"] })("9.9.9.9"), false);
    assert.equal(singleClient(alone)("9.9.9.9"), true);
  });
});
