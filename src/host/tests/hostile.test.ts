import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer, Socket } from "node:net";
import { afterEach, describe, it } from "node:test";
import { freePort } from "../../../stage/free-port.ts";
import { type Answers, pour, sshServer } from "../../../test/ssh-server.ts";
import { messageOf } from "../../lib/errors.ts";
import { cancelRun } from "../runner/runner.ts";
import { sh } from "../sh.ts";
import { connect } from "../ssh/connect.ts";
import type { Connection } from "../ssh/connection.ts";
import { makeKeyPair } from "../ssh/key-pair.ts";
import { limitShare } from "../ssh/share.ts";

// A compromised server: it costs its own connection, and nothing else.

const mebibyte = 2 ** 20;
const limit = 16 * mebibyte;
const chunk = Buffer.alloc(32 * 1024, "x");

/** Everything that is open; one left open would keep this process from ending. */
const open: { close: () => void }[] = [];

afterEach(() => {
  for (const each of open.splice(0).reverse()) each.close();
});

async function connectTo(answers: Answers): Promise<Connection> {
  const server = await sshServer(answers);
  open.push(server);
  const connection = await connect(server.address, 30_000);
  open.push(connection);
  return connection;
}

const closing = (of: Connection) => new Promise<"closed">((resolve) => of.onClose(() => resolve("closed")));

describe("a hostile server", () => {
  it("is closed when a line that is followed does not end", async () => {
    const { promise: poured, resolve } = Promise.withResolvers<number>();
    const hostile = await connectTo({
      exec: (_command, channel, ended) => void pour(channel, chunk, { limit, ended }).then(resolve),
    });
    const closed = closing(hostile);
    await hostile.follow(sh`tail bell`, () => assert.fail("there is no line"));
    assert.equal(await Promise.race([closed, poured]), "closed");
    assert.ok((await poured) < 8 * mebibyte);
    assert.ok(!hostile.isOpen);
  });

  it("is closed when a command prints without end, with an error that names the cause", async () => {
    for (const stream of ["stdout", "stderr"] as const) {
      const hostile = await connectTo({
        exec: (_command, channel, ended) => {
          const out = stream === "stdout" ? channel : channel.stderr;
          void pour(out, chunk, { limit, ended }).then(() => channel.end());
        },
      });
      await assert.rejects(hostile.exec(sh`true`), { code: "server_unreachable", message: /sent more than 1 MiB/ });
      assert.ok(!hostile.isOpen, stream);
    }
  });

  it("does not keep a command waiting whose channel it never opens", async () => {
    const hostile = await connectTo({});
    await assert.rejects(hostile.exec(sh`true`, { timeoutMs: 50 }), { message: /no answer within 0\.05 s/ });
  });

  it("gets no more bytes into memory than were asked for", async () => {
    const hostile = await connectTo({ read: () => Buffer.alloc(10_000, "x") });
    const files = await hostile.sftp();
    const handle = await files.openFile("/journal");
    const space = Buffer.alloc(2_000);
    assert.equal(await files.read(handle as Buffer, space, 1_000, 0), 1_000);
    assert.deepEqual(space.subarray(1_000), Buffer.alloc(1_000));
  });

  it("has its words cut short in messages", async () => {
    const hostile = await connectTo({
      exec: (_command, channel) => {
        channel.stderr.end(`${"x".repeat(100_000)}\x1b[31m`);
        channel.exit(1);
        channel.end();
      },
    });
    await assert.rejects(cancelRun(hostile, { id: 1 }), ({ message }: Error) => message.length < 400);
  });
});

describe("an address without an SSH server", () => {
  it("is described with the same words, whatever listens there", async () => {
    const silent = createServer((socket) => socket.end());
    const web = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    const messages = new Set<string>();
    for (const listener of [silent, web, undefined]) {
      const port = listener ? await portOf(listener) : await freePort();
      const { privateKey } = makeKeyPair("odd");
      const error = await connect({ name: "odd", host: "127.0.0.1", port, privateKey }, 5_000).catch((cause) => cause);
      messages.add(messageOf(error).replace(String(port), "PORT"));
      listener?.close();
    }
    assert.deepEqual(
      [...messages],
      ["odd (127.0.0.1:PORT) did not answer as an SSH server. Check its address, its port and its firewall."],
    );
  });
});

async function portOf(listener: ReturnType<typeof createServer>): Promise<number> {
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  return (listener.address() as AddressInfo).port;
}

describe("the share of a socket", () => {
  it("ends when what arrives takes long, and begins again", async () => {
    const socket = new Socket();
    limitShare(socket);
    socket.on("data", () => {
      for (const began = performance.now(); performance.now() - began < 300; );
    });
    const paused = once(socket, "pause");
    socket.emit("data", chunk);
    await paused;
    await once(socket, "resume");
  });
});
