import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, it } from "node:test";
import { cryptPassword } from "../crypt.ts";

const byOpenssl = (password: string, salt: string): string =>
  execFileSync("openssl", ["passwd", "-6", "-salt", salt, "-stdin"], { input: password, encoding: "utf8" }).trim();

describe("a password's hash", () => {
  for (const password of ["open sesame", "a", "Zwölf Boxkämpfer", "x".repeat(64), "y".repeat(129), "'\"$\\{}"]) {
    it(`is crypt(3)'s for ${JSON.stringify(password.slice(0, 20))}`, () => {
      assert.equal(cryptPassword(password, "Salt./09azAZ"), byOpenssl(password, "Salt./09azAZ"));
    });
  }

  it("is another one each time", () => {
    assert.notEqual(cryptPassword("open sesame"), cryptPassword("open sesame"));
    assert.match(cryptPassword("open sesame"), /^\$6\$[./0-9A-Za-z]{16}\$[./0-9A-Za-z]{86}$/);
  });
});
