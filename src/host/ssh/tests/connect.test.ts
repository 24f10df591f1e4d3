import assert from "node:assert/strict";
import { test } from "node:test";
import { freePort } from "../../../../stage/free-port.ts";
import { connect } from "../connect.ts";
import { makeKeyPair } from "../key-pair.ts";

test("a key that cannot be read fails the connection, and only that, when the server does not answer either", async () => {
  const address = { name: "web-1", host: "127.0.0.1", port: await freePort() };
  await assert.rejects(connect({ ...address, privateKey: "no key" }, 1_000), /Cannot parse privateKey/);
  // Its end comes after that of the first socket, whose error would fail this test.
  const { privateKey } = makeKeyPair("test");
  await assert.rejects(connect({ ...address, privateKey }, 1_000), { code: "server_unreachable" });
});
