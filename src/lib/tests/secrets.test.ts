import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { newKey, openSecretBox } from "../secrets.ts";

let directory: string;
let file: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "longshore-secrets-"));
  file = join(directory, "data", "secret.key");
});
afterEach(() => rmSync(directory, { recursive: true }));

test("what is encrypted is read back, also when empty or long", () => {
  const box = openSecretBox({ file });
  for (const text of ["", "päss wörd\n", "x".repeat(100_000)]) assert.equal(box.decrypt(box.encrypt(text)), text);
});

test("the same text never gives the same ciphertext", () => {
  const box = openSecretBox({ file });
  assert.notDeepEqual(box.encrypt("text"), box.encrypt("text"));
});

test("a missing key file is made once, for this user only, and nothing else is left beside it", () => {
  const ciphertext = openSecretBox({ file }).encrypt("text");
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(join(directory, "data")), ["secret.key"]);
  assert.equal(openSecretBox({ file }).decrypt(ciphertext), "text");
});

test("a key that is given is used, and no file is made", () => {
  const key = randomBytes(32).toString("base64");
  const ciphertext = openSecretBox({ key, file }).encrypt("text");
  assert.equal(openSecretBox({ key, file }).decrypt(ciphertext), "text");
  assert.equal(existsSync(file), false);
});

test("the same 32 bytes are the same key as base64, hexadecimal or with their id", () => {
  const key = newKey();
  const bytes = Buffer.from(key.slice(9), "base64url");
  const ciphertext = openSecretBox({ key, file }).encrypt("text");
  for (const spelling of [bytes.toString("base64"), bytes.toString("base64url"), bytes.toString("hex")]) {
    assert.equal(openSecretBox({ key: spelling, file }).decrypt(ciphertext), "text");
  }
});

test("every changed byte of a ciphertext is noticed", () => {
  const box = openSecretBox({ file });
  const ciphertext = box.encrypt("text");
  for (const index of ciphertext.keys()) {
    const changed = Buffer.from(ciphertext);
    changed[index] = (changed[index] ?? 0) ^ 1;
    assert.throws(() => box.decrypt(changed), { code: "configuration" }, `byte ${index}`);
  }
  assert.throws(() => box.decrypt(ciphertext.subarray(0, -1)), { code: "configuration" });
  assert.throws(() => box.decrypt(Buffer.alloc(0)), { code: "configuration" });
});

test("a secret of another key is refused with the id of the key it needs", () => {
  const box = openSecretBox({ key: newKey(), file });
  const other = openSecretBox({ key: newKey(), file });
  assert.throws(() => other.decrypt(box.encrypt("text")), {
    code: "configuration",
    message: new RegExp(`encrypted with key ${box.keyId}`),
  });
});

test("a corrupt key file is refused, not replaced", () => {
  openSecretBox({ file });
  const good = readFileSync(file, "utf8");
  const oneLetterOff = good.replace(/.\n$/, (end) => (end[0] === "A" ? "E\n" : "A\n"));
  for (const bad of ["", "\n", "nonsense\n", good.slice(0, 20), oneLetterOff, "\0".repeat(53)]) {
    writeFileSync(file, bad);
    assert.throws(() => openSecretBox({ file }), {
      code: "configuration",
      message: /secret\.key is .*Restore the key/,
    });
    assert.equal(readFileSync(file, "utf8"), bad);
  }
});

test("a key file that cannot be read is refused with the reason", (context) => {
  writeFileSync(join(directory, "plain"), "");
  assert.throws(() => openSecretBox({ file: join(directory, "plain", "secret.key") }), {
    code: "configuration",
    message: /secret\.key cannot be read: a part of its path is no directory\.$/,
  });
  if (process.geteuid?.() !== 0) return context.skip("only root can become another user");
  openSecretBox({ file });
  const asOther = (message: RegExp) => {
    process.seteuid?.(65_534);
    try {
      assert.throws(() => openSecretBox({ file }), { code: "configuration", message });
    } finally {
      process.seteuid?.(0);
    }
  };
  chmodSync(directory, 0o755);
  chmodSync(join(directory, "data"), 0o755);
  asOther(/cannot be read: it belongs to another user\.$/);
  chmodSync(join(directory, "data"), 0o700);
  asOther(/cannot be read: this user may not enter its directory\.$/);
});

test("a key file that others can read is refused", () => {
  openSecretBox({ file });
  for (const mode of [0o640, 0o604, 0o660]) {
    chmodSync(file, mode);
    assert.throws(() => openSecretBox({ file }), { code: "configuration", message: /chmod 600/ });
  }
});

test("messages about a bad key do not show it", () => {
  const key = "not-a-key-but-still-secret";
  assert.throws(
    () => openSecretBox({ key, file }),
    (error: Error) => !error.message.includes(key) && error.message.startsWith("LONGSHORE_SECRET_KEY is not a key"),
  );
});

test("after a rotation the new key encrypts, the old one still decrypts, and rotate moves a secret over", () => {
  const [older, newer] = [newKey(), newKey()];
  const old = openSecretBox({ key: older, file }).encrypt("text");
  const box = openSecretBox({ key: `${newer},${older}`, file });
  assert.equal(box.decrypt(old), "text");
  const moved = box.rotate(old);
  assert.ok(moved);
  assert.equal(openSecretBox({ key: newer, file }).decrypt(moved), "text");
  assert.equal(box.rotate(moved), undefined);
});
