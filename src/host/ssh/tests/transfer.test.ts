import assert from "node:assert/strict";
import { PassThrough, Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterEach, describe, it } from "node:test";
import type { ServerChannel } from "ssh2";
import { waitFor } from "../../../../stage/api-client.ts";
import { type SshServer, sshServer } from "../../../../test/ssh-server.ts";
import { sh } from "../../sh.ts";
import { connect } from "../connect.ts";
import type { Connection } from "../connection.ts";

const command = sh`transfer`;
const chunk = Buffer.alloc(64 * 1024, "x");

let server: SshServer;
let connection: Connection;

/** Connects to a server that handles commands like this. */
async function open(exec: (channel: ServerChannel) => void): Promise<void> {
  server = await sshServer({ exec: (_command, channel) => exec(channel) });
  connection = await connect(server.address, 60_000);
}

afterEach(() => {
  connection?.close();
  server?.close();
});

const end = (channel: ServerChannel, status: number): void => {
  channel.exit(status);
  channel.end();
};

describe("a stream to a command", () => {
  it("arrives whole, and the command's answer comes back", async () => {
    await open((channel) => {
      let size = 0;
      channel.on("data", (data: Buffer) => {
        size += data.length;
      });
      channel.on("end", () => {
        channel.write(String(size));
        end(channel, 0);
      });
    });
    const { exitCode, stdout } = await connection.send(
      command,
      Readable.from(Array.from({ length: 100 }, () => chunk)),
    );
    assert.equal(exitCode, 0);
    assert.equal(stdout, String(100 * chunk.length));
  });

  it("is judged by the command's status when that ends before", async () => {
    await open((channel) => {
      channel.stderr.write("no room");
      end(channel, 9);
    });
    const endless = new PassThrough();
    const sent = connection.send(command, endless);
    endless.write(chunk);
    const { exitCode, stderr } = await sent;
    assert.equal(exitCode, 9);
    assert.equal(stderr, "no room");
    assert.ok(endless.destroyed);
  });

  it("ends the command when it fails itself", async () => {
    const closed = Promise.withResolvers<void>();
    await open((channel) => {
      channel.on("data", () => undefined);
      channel.on("close", () => closed.resolve());
    });
    const broken = new PassThrough();
    const sent = connection.send(command, broken);
    broken.write(chunk);
    broken.destroy(new Error("the client went"));
    await assert.rejects(sent, /the client went/);
    await closed.promise;
  });
});

describe("a stream from a command", () => {
  it("is what the command prints", async () => {
    await open((channel) => {
      for (let count = 0; count < 50; count++) channel.write(chunk);
      end(channel, 0);
    });
    assert.equal((await buffer(await connection.receive(command))).length, 50 * chunk.length);
  });

  it("is none when the command fails at once, and breaks off when it fails later", async () => {
    await open((channel) => {
      channel.stderr.write("no such database");
      end(channel, 1);
    });
    await assert.rejects(connection.receive(command), /no such database/);
    connection.close();
    server.close();
    await open((channel) => {
      channel.write(chunk);
      end(channel, 1);
    });
    await assert.rejects(buffer(await connection.receive(command)), /sent nothing more/);
  });

  it("ends the command when its output is no longer read", async () => {
    const closed = Promise.withResolvers<void>();
    await open((channel) => {
      channel.resume().on("close", () => closed.resolve());
      channel.write(chunk);
    });
    (await connection.receive(command)).destroy();
    await closed.promise;
  });
});

describe("transfers", () => {
  it("are two at once, so that commands still find room on the connection", async () => {
    await open((channel) => void channel.resume().write(chunk));
    const [one] = [await connection.receive(command), await connection.receive(command)];
    await assert.rejects(connection.receive(command), /two dumps already/);
    one.destroy();
    const again = () => connection.receive(command).catch(() => undefined);
    const third = await waitFor("room for another one", again, { timeoutMs: 60_000 });
    third.destroy();
  });
});
