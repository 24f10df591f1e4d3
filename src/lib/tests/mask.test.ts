import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { masker } from "../mask.ts";

describe("masking", () => {
  it("replaces every secret, wherever it stands", () => {
    const mask = masker(["s3cr3t-value", "another(one)*"]);
    assert.equal(mask("a=s3cr3t-value;s3cr3t-value b=another(one)*"), "a=********;******** b=********");
  });

  it("replaces a secret that holds another one as a whole", () => {
    assert.equal(masker(["password", "password-and-more"])("password-and-more"), "********");
  });

  it("replaces a secret of several lines line by line, as logs print it", () => {
    const mask = masker(["-----BEGIN KEY-----\nAAAABBBBCCCC\nshort\n"]);
    assert.equal(mask("AAAABBBBCCCC\n"), "********\n");
    assert.equal(mask("short\n"), "short\n");
  });

  it("leaves what is too short to be a secret", () => {
    const mask = masker(["true", "3000", "", "  \n"]);
    assert.equal(mask("true 3000\n"), "true 3000\n");
  });

  it("takes no character of a secret for a pattern", () => {
    const secret = "a.b*c+d?e^f$g{h}i(j)k|l[m]n\\o";
    assert.equal(masker([secret])(`<${secret}>`), "<********>");
    assert.equal(masker([secret])("aXbXcXdXeXfXgXh"), "aXbXcXdXeXfXgXh");
  });
});
