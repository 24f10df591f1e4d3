import assert from "node:assert/strict";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { after, before, it } from "node:test";
import ssh2 from "ssh2";
import { sh } from "../../sh.ts";
import { connect } from "../connect.ts";
import type { Connection } from "../connection.ts";
import { makeKeyPair } from "../key-pair.ts";

// A server that accepts every login and sends the greeting of SFTP version 3, and answers all other requests with an
// unknown packet.

const message = (...bytes: number[]) => Buffer.from([0, 0, 0, bytes.length, ...bytes]);
const greeting = message(2, 0, 0, 0, 3);
const nonsense = message(255, 0, 0, 0, 1);

const key = makeKeyPair("sftp").privateKey;
let server: ssh2.Server;
let connection: Connection;

before(async () => {
  server = new ssh2.Server({ hostKeys: [key] }, (client) => {
    client.on("error", () => undefined);
    client.on("authentication", (context) => context.accept());
    client.on("session", (accept) => {
      accept().on("subsystem", (acceptSubsystem: () => ssh2.ServerChannel) => {
        const channel = acceptSubsystem();
        let said = 0;
        channel.on("data", () => channel.write(said++ === 0 ? greeting : nonsense));
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  connection = await connect({ name: "odd", host: "127.0.0.1", port, privateKey: key }, 30_000);
});

after(() => {
  connection?.close();
  server?.close();
});

it("gives up a channel on which the server does not keep to the protocol, and rejects the calls", async () => {
  const first = await connection.sftp();
  await assert.rejects(first.openFile("/etc/hostname"), { code: "server_unreachable" });
  assert.ok(first.ended.aborted);
  assert.notEqual(await connection.sftp(), first);
  assert.ok(connection.isOpen);
});

it("cannot be opened on a connection that was closed", async () => {
  const ended = once((await connection.sftp()).ended, "abort");
  connection.close();
  await ended;
  await assert.rejects(
    connection.sftp().then((sftp) => sftp.openFile("/etc/hostname")),
    {
      code: "server_unreachable",
    },
  );
});

it("leaves nothing behind that fails later when it cannot be opened", async (t) => {
  const failures: unknown[] = [];
  const note = (error: unknown) => failures.push(error);
  process.on("unhandledRejection", note);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  await assert.rejects(connection.sftp(), { code: "server_unreachable" });
  await assert.rejects(connection.prove(5_000), { code: "server_unreachable" });
  await assert.rejects(connection.exec(sh`true`), { code: "server_unreachable" });
  t.mock.timers.tick(120_000);
  await new Promise(setImmediate);
  process.off("unhandledRejection", note);
  assert.deepEqual(failures, []);
});
