import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { freePort } from "../../../../stage/free-port.ts";
import { connect, failureText } from "../connect.ts";
import { makeKeyPair } from "../key-pair.ts";

test("a key that cannot be read fails the connection, and only that, when the server does not answer either", async () => {
  const address = { name: "web-1", host: "127.0.0.1", port: await freePort() };
  await assert.rejects(connect({ ...address, privateKey: "no key" }, 1_000), /Cannot parse privateKey/);
  // Its end comes after that of the first socket, whose error would fail this test.
  const { privateKey } = makeKeyPair("test");
  await assert.rejects(connect({ ...address, privateKey }, 1_000), { code: "server_unreachable" });
});

test("each way in which an attempt fails has its words", async () => {
  const { privateKey } = makeKeyPair("test");
  const attempt = async (port: number): Promise<Error> => {
    const failed = await connect({ name: "web-1", host: "127.0.0.1", port, privateKey }, 200).catch((error) => error);
    return failed.cause;
  };
  const silent = createServer();
  silent.listen(0, "127.0.0.1");
  await once(silent, "listening");
  const refused = await attempt(await freePort());
  const late = await attempt((silent.address() as AddressInfo).port);
  silent.close();
  const text = (error: Error, isAccepted = false) => failureText({ error, isAccepted, timeoutMs: 10_000 });
  assert.match(text(refused), /^refused the connection\./);
  assert.match(text(late), /^did not answer within 10 s\./);
  assert.match(text(late, true), /^accepted the connection, and did not answer as an SSH server\./);
  const noRoute = Object.assign(new Error("connect EHOSTUNREACH"), { code: "EHOSTUNREACH" });
  assert.match(text(noRoute), /^cannot be reached/);
});
