import assert from "node:assert/strict";
import { test } from "node:test";
import ssh2 from "ssh2";
import { makeKeyPair } from "../key-pair.ts";

test("every key pair that is made can be read, and its halves belong together", () => {
  for (let at = 0; at < 2_000; at++) {
    const { publicKey, privateKey } = makeKeyPair("longshore");
    const [open, secret] = [ssh2.utils.parseKey(publicKey), ssh2.utils.parseKey(privateKey)];
    assert.ok(!(open instanceof Error) && !(secret instanceof Error), `number ${at} cannot be read`);
    assert.deepEqual(open.getPublicSSH(), secret.getPublicSSH());
  }
});
