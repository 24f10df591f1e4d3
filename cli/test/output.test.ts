import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fitted } from "../src/output/lists.ts";
import { cut, isolated, safeJson, visible, visibleLine, widthOf } from "../src/output/text.ts";
import { ago, bytes, duration, parseDuration } from "../src/output/times.ts";

describe("text from elsewhere", () => {
  it("has pictures for control characters", () => {
    assert.equal(visible("a\u001b[2Jb\u0007\r\n\u0000\u007f"), "a␛[2Jb␇␍␊␀␡");
    assert.equal(visible("\u009b31m"), "�31m");
    assert.equal(visible("a\tb"), "a  b");
  });

  it("cannot change the direction of writing, or hide", () => {
    assert.equal(visible("\u202egpj.exe\u202c \u2066x\u2069"), "�gpj.exe� �x�");
    assert.equal(visible("sh\u200bop\u200e\ufeff"), "shop");
  });

  it("keeps letters of all scripts, and emoji", () => {
    for (const text of ["متجر", "חנות", "магазин", "店铺", "🚢", "é"]) assert.equal(visible(text), text);
  });

  it("of a log loses colours and line ends, and nothing else", () => {
    assert.equal(visibleLine("\u001b[1;31merror\u001b[0m \u001b[1A\r"), "error ␛[1A");
  });

  it("stays the same value as JSON, with nothing that acts on a terminal", () => {
    const value = { name: "\u001b[1A \u009b1A \u202e \u007f ü 店" };
    const json = safeJson(value);
    assert.deepEqual(JSON.parse(json), value);
    for (const sign of ["\u001b", "\u009b", "\u202e", "\u007f"]) assert.ok(!json.includes(sign));
  });

  it("has a width in columns", () => {
    assert.equal(widthOf("shop"), 4);
    assert.equal(widthOf("店铺"), 4);
    assert.equal(widthOf("e\u0301"), 1);
    assert.equal(widthOf("🚢"), 2);
    assert.equal(cut("a long name", 6), "a lon…");
    assert.equal(cut("店铺店铺", 5), "店铺…");
    assert.equal(cut("short", 5), "short");
  });

  it("is isolated where it is written from right to left", () => {
    assert.equal(isolated("متجر"), "\u2068متجر\u2069");
    assert.equal(isolated("shop"), "shop");
  });
});

describe("columns", () => {
  it("give way in long ones first, and not below 8", () => {
    const columns = [{}, { isLong: true as const }, {}];
    assert.deepEqual(fitted([4, 30, 6], columns, 80), [4, 30, 6]);
    assert.deepEqual(fitted([4, 30, 6], columns, 40), [4, 26, 6]);
    assert.deepEqual(fitted([20, 30, 6], columns, 40), [20, 10, 6]);
    assert.equal(fitted([20, 20, 20, 20, 20], [{}, {}, {}, {}, {}], 40), undefined);
  });
});

describe("times and sizes", () => {
  it("are short", () => {
    assert.deepEqual([8_240, 125_000, 3_780_000].map(duration), ["8.2 s", "2 min 5 s", "1 h 3 min"]);
    const now = Date.parse("2026-03-10T12:00:00Z");
    assert.equal(ago("2026-03-10T11:59:48Z", now), "12 s ago");
    assert.equal(ago("2026-03-10T09:00:00Z", now), "3 h ago");
    assert.equal(ago("2026-01-01T00:00:00Z", now), "2026-01-01");
    assert.equal(ago(null), "");
    assert.deepEqual([0, 999, 1_500, 2_000_000].map(bytes), ["0 B", "999 B", "1.5 KB", "2.0 MB"]);
  });

  it("are read, or are not", () => {
    assert.deepEqual(
      ["90", "90s", "10m", "2h", "1d"].map(parseDuration),
      [90_000, 90_000, 600_000, 7_200_000, 86_400_000],
    );
    for (const text of ["", "0", "m", "-5s", "1.5h", "5 m", "9999999s"])
      assert.equal(parseDuration(text), undefined, text);
  });
});
