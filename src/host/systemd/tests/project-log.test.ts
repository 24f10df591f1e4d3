import assert from "node:assert/strict";
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { runBash } from "../../tests/bash.ts";
import { isCursor, isFilePlace, type LogStart, printNewestLog, printUnits, readPiece } from "../project-log.ts";

const cursor = "s=0f9b;i=1a2;b=77aa;m=3f;t=64e;x=9c";
const limits = { lines: 200, bytes: 900_000, width: 4_000 };

/** An entry as journalctl exports it: a value with control characters comes after its length. */
function entry(message: string | Buffer, at = 1_772_360_430_123_456, place = cursor): Buffer {
  const head = `__CURSOR=${place}\n__REALTIME_TIMESTAMP=${at}\n_BOOT_ID=77aa\n`;
  const bytes = Buffer.from(message);
  const isText = !/[^\t\u0020-\u00ff]/.test(bytes.toString("latin1"));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(bytes.length));
  const field = isText ? [Buffer.from("MESSAGE="), bytes] : [Buffer.from("MESSAGE\n"), length, bytes];
  return Buffer.concat([Buffer.from(head), ...field, Buffer.from("\n\n")]);
}

describe("a piece of a log that units print", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "longshore-log-"));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  /** The parsed piece when journalctl prints these entries. */
  async function pieceOf(entries: Buffer[], start: LogStart = { cursor }) {
    const stubs = join(directory, "bin");
    mkdirSync(stubs, { recursive: true });
    writeFileSync(join(directory, "journal"), Buffer.concat(entries));
    const script = `#!/bin/bash\nprintf '%s\\n' "$@" > ${directory}/asked\ncat ${directory}/journal\n`;
    writeFileSync(join(stubs, "journalctl"), script);
    chmodSync(join(stubs, "journalctl"), 0o755);
    const { stdout } = await runBash(printUnits("longshore-project-3@*.service", start, limits), directory, stubs);
    return { piece: readPiece(stdout), stdout };
  }

  it("is the new lines with their times, and where to read on", async () => {
    const { piece } = await pieceOf([entry("one"), entry(""), entry("-- cursor: x", 1_772_360_431_000_000)]);
    assert.deepEqual(piece, {
      entries: [
        { at: "2026-03-01T10:20:30.123456Z", text: "one" },
        { at: "2026-03-01T10:20:30.123456Z", text: "" },
        { at: "2026-03-01T10:20:31.000000Z", text: "-- cursor: x" },
      ],
      leftOut: 0,
      cursor,
    });
    assert.deepEqual((await pieceOf([])).piece, { entries: [], leftOut: 0, cursor: undefined });
  });

  it("has the lines of a message, whatever is in it", async () => {
    const hostile = "first\n\n__CURSOR=s=1;i=1\nMESSAGE=forged\n\u001b[31mred\u0000";
    const { piece } = await pieceOf([entry(hostile), entry(Buffer.from([0xff, 10, 0xfe])), entry("last")]);
    const texts = piece?.entries.map(({ text }) => text);
    assert.deepEqual(texts, [...hostile.split("\n"), "\ufffd", "\ufffd", "last"]);
    assert.equal(piece?.cursor, cursor);
  });

  it("is the last of too many lines, and short enough for an answer", async () => {
    const many = Array.from({ length: 2_000 }, (_, at) => entry(`${at} ${"é".repeat(10_000)}`));
    const { piece, stdout } = await pieceOf([...many, entry(`end\n${"x".repeat(3_000_000)}`)]);
    assert.equal((piece?.entries.length ?? 0) + (piece?.leftOut ?? 0), 2_002);
    assert.equal(piece?.entries.at(-2)?.text, "end");
    assert.match(piece?.entries.at(-3)?.text ?? "", /^1999 é/);
    assert.ok(Buffer.byteLength(stdout) < 1 << 20);
  });

  it("is nothing when the answer is not complete", () => assert.equal(readPiece(""), undefined));

  it("begins at a place of the journal's or the file's own form", () => {
    assert.ok(isCursor(cursor));
    for (const text of ["", "x", `${cursor}\n`, `${cursor} --file=/etc/shadow`, `s=${"0".repeat(40)}`]) {
      assert.ok(!isCursor(text), text);
    }
    assert.ok(isFilePlace("file=12;offset=0"));
    for (const text of ["", cursor, "file=12;offset=-1", "file=1;offset=2\n", "file=;offset=2"]) {
      assert.ok(!isFilePlace(text), text);
    }
  });
});

describe("the newest log of a framework", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "longshore-log-"));
    mkdirSync(join(directory, "bin"));
    // Who reads it is tested on a real server.
    const asAnybody = '#!/bin/bash\nwhile [[ $1 != -- ]]; do shift; done\nshift\nexec "$@"\n';
    writeFileSync(join(directory, "bin/setpriv"), asAnybody, { mode: 0o755 });
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const write = (name: string, text: string, at: number) => {
    const path = join(directory, "release", name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    utimesSync(path, at, at);
  };

  async function pieceOf(start: LogStart = {}, root = join(directory, "release")) {
    const directories = ["storage/logs", "var/log"];
    const script = printNewestLog({ user: "project-3" }, { root, directories }, [start, limits, false]);
    const { stdout } = await runBash(script, directory, join(directory, "bin"));
    return readPiece(stdout);
  }
  const textsOf = (piece: ReturnType<typeof readPiece>) => piece?.entries.map(({ text }) => text);

  it("is the file that was written last, after the one of the day before", async () => {
    assert.deepEqual(await pieceOf(), { entries: [], leftOut: 0, cursor: undefined });
    write("storage/logs/laravel-2026-03-01.log", "[2026-03-01 10:20:30] production.ERROR: one\n#0 trace\n", 1_000);
    write("storage/logs/worker.log", "other\n", 1_500);
    write("storage/logs/laravel-2026-03-02.log", "[2026-03-02T11:20:30.5+01:00] production.INFO: two\n", 2_000);
    write("storage/logs/notes.txt", "no log\n", 3_000);
    const piece = await pieceOf();
    assert.deepEqual(piece?.entries, [
      { at: "2026-03-01T10:20:30.000000Z", text: "[2026-03-01 10:20:30] production.ERROR: one" },
      { at: "2026-03-01T10:20:30.000000Z", text: "#0 trace" },
      { at: "2026-03-02T10:20:30.500000Z", text: "[2026-03-02T11:20:30.5+01:00] production.INFO: two" },
    ]);
    write("var/log/prod.log", "[2026-03-02T11:20:30.123456+01:00] app.INFO: three\n", 4_000);
    const [entry] = (await pieceOf())?.entries ?? [];
    assert.equal(entry?.at, "2026-03-02T10:20:30.123456Z");
  });

  it("is followed into the file of the next day", async () => {
    write("storage/logs/laravel-2026-03-01.log", "one\n", 1_000);
    const first = await pieceOf();
    assert.ok(first?.cursor && isFilePlace(first.cursor));
    appendFileSync(join(directory, "release/storage/logs/laravel-2026-03-01.log"), "late\n");
    write("storage/logs/laravel-2026-03-02.log", "two\n", Date.now());
    const second = await pieceOf({ cursor: first.cursor });
    assert.deepEqual(textsOf(second), ["late", "two"]);
    assert.deepEqual(textsOf(await pieceOf({ cursor: second?.cursor ?? "" })), []);
  });

  it("is no link, but may be in a linked directory", async () => {
    write("elsewhere/secret", "secret\n", 1_000);
    write("shared/logs/laravel.log", "shown\n", 900);
    mkdirSync(join(directory, "release/storage"));
    symlinkSync(join(directory, "release/shared/logs"), join(directory, "release/storage/logs"));
    symlinkSync(join(directory, "release/elsewhere/secret"), join(directory, "release/shared/logs/newer.log"));
    assert.deepEqual(textsOf(await pieceOf()), ["shown"]);
  });
});
