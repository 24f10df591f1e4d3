import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readUserData } from "../../../../test/clouds/machines.ts";
import { makeKeyPair } from "../../../host/ssh/key-pair.ts";
import { userData } from "../user-data.ts";

describe("User data", () => {
  it("makes the temporary host key the only one, and lets the login key in as root", () => {
    const hostKey = { privateKey: "-----BEGIN-----\nAA==\n-----END-----\n", publicKey: "ssh-ed25519 AAAAHOST\n" };
    assert.equal(
      userData({ hostKey, loginKey: "ssh-ed25519 AAAALOGIN longshore\n" }),
      `#cloud-config
disable_root: false
ssh_pwauth: false
ssh_deletekeys: true
ssh_keys:
  ed25519_private: "-----BEGIN-----\\nAA==\\n-----END-----\\n"
  ed25519_public: "ssh-ed25519 AAAAHOST"
users:
  - name: root
    lock_passwd: true
    ssh_authorized_keys:
      - "ssh-ed25519 AAAALOGIN longshore"
chpasswd:
  expire: false
runcmd:
  - [chage, --lastday, "-1", --maxdays, "-1", root]
`,
    );
  });

  it("carries real keys unchanged, whatever characters are in them", () => {
    const hostKey = makeKeyPair('quote " colon: # \\ comment');
    const login = makeKeyPair("longshore");
    const settings = readUserData(userData({ hostKey, loginKey: login.publicKey }));
    assert.equal(settings.hostKeys.private, `${hostKey.privateKey.trim()}\n`);
    assert.equal(settings.hostKeys.public, hostKey.publicKey);
    assert.deepEqual(settings.authorizedKeys, [login.publicKey]);
    assert.deepEqual(settings.commands, [["chage", "--lastday", "-1", "--maxdays", "-1", "root"]]);
  });

  it("fits into the smallest limit, EC2's 16 KiB", () => {
    const text = userData({ hostKey: makeKeyPair("host"), loginKey: makeKeyPair("login").publicKey });
    assert.ok(text.length < 4_096, String(text.length));
  });
});
