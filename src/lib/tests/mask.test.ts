import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { byteMasker, cutter, masker } from "../mask.ts";

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

describe("masking with hostile secrets", () => {
  // Comparing each value at each place of the output would take a second for each 64 KiB, or hours.
  it("still masks every one of 40,000 values", () => {
    const values = Array.from({ length: 40_000 }, (_, at) => `value-${at}!`);
    const mask = byteMasker(values);
    const text = Buffer.from(values.map((value) => `<${value}>`).join("\n"));
    assert.doesNotMatch(mask(text).toString(), /value/);
    assert.equal(mask(Buffer.from("<value-40000!>")).toString(), "<value-40000!>");
  });

  it("masks values that begin with each other and overlap themselves", () => {
    const values = Array.from({ length: 1_000 }, (_, at) => "a".repeat(8 + at));
    assert.equal(byteMasker(values)(Buffer.alloc(1 << 20, "a")).toString(), "********");
    assert.equal(byteMasker(values)(Buffer.from("aaaaaaa b")).toString(), "aaaaaaa b");
  });

  it("masks what any of the values covers, as a search for each of them finds it", () => {
    const letter = fc.constantFrom("a", "b", "c");
    const word = fc.array(letter, { minLength: 8, maxLength: 14 }).map((letters) => letters.join(""));
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 6 }), fc.array(fc.oneof(letter, word)), (values, parts) => {
        const text = [...parts, values[0], ...parts].join("");
        assert.equal(masker(values)(text), maskedOneByOne(values, text));
      }),
      { numRuns: 2_000 },
    );
  });
});

/** The same by comparing each value at each place. */
function maskedOneByOne(values: readonly string[], text: string): string {
  const spans = [...text]
    .flatMap((_, start) =>
      values.filter((each) => text.startsWith(each, start)).map((each) => [start, start + each.length]),
    )
    .reduce<[number, number][]>((joined, [start = 0, end = 0]) => {
      const last = joined.at(-1);
      if (last && start < last[1]) last[1] = Math.max(last[1], end);
      else joined.push([start, end]);
      return joined;
    }, []);
  return spans.reduceRight((rest, [start, end]) => `${rest.slice(0, start)}********${rest.slice(end)}`, text);
}

describe("masking bytes", () => {
  it("gives back what holds no secret, not a copy", () => {
    const bytes = Buffer.from("nothing to see, wher\u00e9ver");
    assert.equal(byteMasker(["s3cr3t-value"])(bytes), bytes);
  });

  it("finds a secret at the beginning, at the end, and cut off", () => {
    const mask = byteMasker(["s3cr3t-value"]);
    for (const text of [
      "s3cr3t-value",
      "s3cr3t-value ",
      " s3cr3t-value",
      "ss3cr3t-value",
      "s3cr3t-valu",
      "3cr3t-value",
    ]) {
      assert.equal(mask(Buffer.from(text)).toString(), text.replace("s3cr3t-value", "********"));
    }
  });

  it("does what masking texts does, whatever the bytes", () => {
    const secrets = ["aabbaabb", "aabbaabbb", "b\u00fc\u00fcbbbbb", "abababab\nbabababa"];
    const part = fc.constantFrom(...secrets, "a", "b", "\u00fc", "aab", "\n", "ab");
    const broken = fc.oneof(part, part, part, part, fc.constant("\u00ff"));
    const [mask, maskText] = [byteMasker(secrets), masker(secrets)];
    fc.assert(
      fc.property(fc.array(broken), fc.nat(20), (parts, cut) => {
        const bytes = Buffer.concat(
          parts.map((text) => Buffer.from(text, text === "\u00ff" ? "latin1" : "utf8")),
        ).subarray(cut);
        assert.equal(mask(bytes).toString(), maskText(bytes.toString()));
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("a cut", () => {
  const secrets = ["s3cr3t-value", "value-and-more", "\u00fcml\u00e4ut-secret", "two lines\nof-a-key-12345"];

  it("lies before a secret that it would tear, and where it was asked for otherwise", () => {
    const { cut } = cutter(secrets);
    const text = Buffer.from("0123456789 s3cr3t-value 0123456789");
    for (let end = 0; end <= text.length; end++) {
      const isInside = end > 11 && end < 23;
      assert.equal(cut(text, end), isInside ? 11 : end, `cut at ${end}`);
    }
  });

  it("looks again where it was moved to", () => {
    const { cut } = cutter(secrets);
    const text = Buffer.from("01 s3cr3t-value-and-more 89");
    assert.equal(cut(text, 20), 3);
  });

  it("lies behind a secret that the text begins with", () => {
    const { cut } = cutter(secrets);
    assert.equal(cut(Buffer.from("s3cr3t-value 0123"), 4), 12);
  });

  it("counts in bytes", () => {
    const { cut, reach } = cutter(secrets);
    const text = Buffer.from("x\u00fcml\u00e4ut-secret");
    assert.equal(cut(text, text.length - 1), 1);
    assert.equal(reach, 15);
  });
});
