import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { byteMasker, cutter } from "../../../lib/mask.ts";
import { type Entry, longestLine, longestOutput, readJournal } from "../journal.ts";

/** An entry as a reader sees it: output as text. */
type Said = Exclude<Entry, { type: "output" }> | { type: "output"; text: string; offset: number };

const nonce = "0123456789abcdef01234567";
const record = (text: string): string => `\n\x1e${nonce} ${text}\n`;

/** Reads a journal like a follower that sees no more than up to each of `ends`, one after the other. */
function follow(journal: Buffer, ends: readonly number[]): Said[] {
  const entries: Entry[] = [];
  let offset = 0;
  for (const end of [...ends, journal.length]) {
    for (;;) {
      const piece = readJournal(journal.subarray(offset, end), offset, nonce);
      if (piece.consumed === 0) break;
      entries.push(...piece.entries);
      offset += piece.consumed;
    }
  }
  assert.equal(offset, journal.length, "everything is reported in the end");
  return joined(entries);
}

/** Output that follows output is one text, in whatever pieces it arrived. */
function joined(entries: readonly Entry[]): Said[] {
  const all: Said[] = [];
  for (const entry of entries) {
    const last = all.at(-1);
    if (entry.type !== "output") all.push(entry);
    else if (last?.type === "output") last.text += entry.bytes;
    else all.push({ type: "output", text: entry.bytes.toString(), offset: entry.offset });
  }
  return all;
}

const whole = (text: string | Buffer): Said[] => follow(Buffer.from(text as string), []);
const outputOf = (entries: readonly Said[]): string =>
  entries.map((entry) => (entry.type === "output" ? entry.text : "")).join("");

/** The same line by line, with a string for each line: a short and slow way to read a journal. */
function lineByLine(bytes: Buffer): { texts: string[]; consumed: number } {
  const start = `\x1e${nonce} `;
  const texts: string[] = [];
  let at = 0;
  for (let end = bytes.indexOf("\n"); end !== -1; end = bytes.indexOf("\n", at)) {
    const line = bytes.toString("utf8", at, end);
    const next = bytes.toString("latin1", end + 1, end + 1 + start.length);
    if (line === "" && start.startsWith(next) && next !== start) break;
    if (line.startsWith(start)) texts.push(line);
    else if (line !== "" || next !== start) texts.push(`${line}\n`);
    at = end + 1;
  }
  return { texts, consumed: at };
}

const aRun = [
  record("run 1000"),
  record("step 0 1001"),
  "first line\n\n\nsecond ümläut 日本 🚢\n",
  `${record("fact commit 4f5e a b")}${record("done 0 0 17 1018")}`,
  record("step 1 1019"),
  "no newline at the end",
  record("done 1 3 5 1024"),
  record("undo 0 1025"),
  "\n",
  record("undone 0 0 1026"),
  record("end failed 1027"),
].join("");

describe("a journal", () => {
  it("returns records and output in their order", () => {
    const output = (text: string) => ({ type: "output", text, offset: Buffer.from(aRun).indexOf(text) });
    const entries = whole(aRun);
    assert.deepEqual(entries, [
      { type: "run", at: 1000 },
      { type: "step", position: 0, at: 1001 },
      output("first line\n\n\nsecond ümläut 日本 🚢\n"),
      { type: "fact", key: "commit", value: "4f5e a b" },
      { type: "done", position: 0, exitCode: 0, durationMs: 17, at: 1018 },
      { type: "step", position: 1, at: 1019 },
      { ...output("no newline at the end"), text: "no newline at the end\n" },
      { type: "done", position: 1, exitCode: 3, durationMs: 5, at: 1024 },
      { type: "undo", position: 0, at: 1025 },
      { type: "output", text: "\n", offset: Buffer.from(aRun).indexOf("undo 0 1025\n") + "undo 0 1025\n".length },
      { type: "undone", position: 0, exitCode: 0, at: 1026 },
      { type: "end", outcome: "failed", at: 1027 },
    ]);
  });

  it("returns the same wherever it is cut, also inside a character", () => {
    const journal = Buffer.from(aRun);
    const entries = follow(journal, []);
    for (let end = 0; end <= journal.length; end++) {
      assert.deepEqual(follow(journal, [end]), entries, `cut at ${end}`);
    }
  });

  it("returns the same when it comes byte by byte", () => {
    const journal = Buffer.from(aRun);
    assert.deepEqual(follow(journal, [...journal.keys()]), follow(journal, []));
  });

  it("reads the same from any bytes as line by line, and waits for the same", () => {
    const part = fc.oneof(
      fc.constantFrom("\n", "\n", "\x1e", nonce, `\x1e${nonce}`, `\n\x1e${nonce} `, " ", "text", "\n\n", "日本", "\0"),
      fc.constantFrom(record("step 0 1001"), record("undo 1 1002"), record("fact commit 4f5e a")),
      fc.nat(40).map((length) => `${"x".repeat(length)}\n`),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), fc.nat(), (parts, cut) => {
        const whole = Buffer.from(parts.join(""));
        const bytes = whole.subarray(0, whole.length - (cut % (whole.length + 1)));
        const { entries, consumed } = readJournal(bytes, 7, nonce);
        const expected = lineByLine(bytes);
        assert.equal(consumed, expected.consumed);
        const isOutput = (text: string) => !text.startsWith(`\x1e${nonce} `);
        assert.equal(outputOf(joined(entries)), expected.texts.filter(isOutput).join(""));
        for (const entry of entries) {
          if (entry.type === "output")
            assert.deepEqual(entry.bytes, bytes.subarray(entry.offset - 7).subarray(0, entry.bytes.length));
        }
        const known = /^.\w+ (step|undo|fact) \S+ \S/;
        const order = entries.map((entry) => (entry.type === "output" ? "" : entry.type)).filter(Boolean);
        assert.deepEqual(
          order,
          expected.texts.filter((text) => !isOutput(text)).flatMap((text) => known.exec(text)?.[1] ?? []),
        );
      }),
      { numRuns: 3_000 },
    );
  });

  it("passes over a record that a full disk tore, and returns the whole one after it", () => {
    const torn = `${record("step 0 1001")}\n\x1e${nonce} done 0${record("done 0 1 5 1006")}${record("end failed 1007")}`;
    assert.deepEqual(whole(torn), [
      { type: "step", position: 0, at: 1001 },
      { type: "done", position: 0, exitCode: 1, durationMs: 5, at: 1006 },
      { type: "end", outcome: "failed", at: 1007 },
    ]);
  });

  it("takes no record of another nonce, and none that does not begin its line", () => {
    const forged = `\n\x1e${"f".repeat(24)} end succeeded 5\nsaid \x1e${nonce} end succeeded 5\n`;
    assert.deepEqual(whole(forged), [{ type: "output", text: forged, offset: 0 }]);
  });

  it("takes no record with words that are none", () => {
    const wrong = ["end finished 5", "done 0 0 5", "done 0 zero 5 6", "step 1", "run", "fact ", "what 1 2"];
    assert.deepEqual(whole(wrong.map(record).join("")), []);
  });

  it("keeps NUL, carriage returns and escape sequences of the output", () => {
    const text = "a\0b\r\x1b[1mbold\x1b[0m\n";
    assert.equal(outputOf(whole(text)), text);
  });

  it("keeps every byte of a line without an end in memory no longer than it must", () => {
    const journal = Buffer.from(`x${"ä".repeat(longestLine)}日本`.repeat(3));
    let offset = 0;
    let text = "";
    for (;;) {
      const { entries, consumed } = readJournal(journal.subarray(offset, offset + 4 * longestLine), offset, nonce);
      if (consumed === 0) break;
      assert.ok(consumed <= longestLine);
      text += outputOf(joined(entries));
      offset += consumed;
    }
    text += journal.toString("utf8", offset);
    assert.equal(text, journal.toString());
  });

  it("ends a long line without a newline as it ends a short one", () => {
    for (const length of [longestLine - 1, longestLine, longestLine + 1, 2 * longestLine]) {
      const journal = Buffer.from(`${"x".repeat(length)}${record("done 0 0 1 2")}`);
      const entries = follow(journal, [length]);
      const output = outputOf(entries);
      assert.equal(output.length, length + 1, `${length} bytes`);
      assert.ok(output.endsWith("x\n"));
      assert.equal(entries.at(-1)?.type, "done");
    }
  });

  it("cuts a long line beside a secret, never inside it", () => {
    const secret = "s3cr3t-value-of-28-characters";
    const mask = byteMasker([secret]);
    for (let before = longestLine - secret.length - 1; before <= longestLine + 1; before++) {
      const journal = Buffer.from(`${"x".repeat(before)}${secret}${"y".repeat(2 * longestLine)}`);
      const texts: string[] = [];
      for (let offset = 0; offset < journal.length; ) {
        const { entries, consumed } = readJournal(journal.subarray(offset), offset, nonce, cutter([secret]));
        if (consumed === 0) break;
        texts.push(...entries.map((entry) => (entry.type === "output" ? mask(entry.bytes).toString() : "")));
        offset += consumed;
      }
      assert.match(texts.join(""), /^x+\*{8}y+$/, `after ${before} characters`);
    }
  });

  it("returns much output in entries that a reader can take one at a time", () => {
    const line = `${"x".repeat(999)}\n`;
    const { entries, consumed } = readJournal(Buffer.from(line.repeat(250)), 1000, nonce);
    assert.equal(consumed, 250_000);
    assert.equal(entries.length, 4);
    let at = 1000;
    for (const entry of entries) {
      assert.ok(entry.type === "output" && entry.bytes.length < longestOutput + 1000);
      assert.equal(entry.offset, at);
      at += entry.bytes.length;
    }
  });
});
