import assert from "node:assert/strict";
import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { lines, sh } from "../../../host/sh.ts";
import { type LogStart, printFile, readPiece } from "../../../host/systemd/project-log.ts";
import { runBash } from "../../../host/tests/bash.ts";

// Root reads logs on the server: a project's output must not cost much memory or time.

describe("a log of the web server", () => {
  let directory: string;
  let file: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "longshore-log-"));
    mkdirSync(join(directory, "logs"));
    file = join(directory, "logs", "access.log");
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const limits = { lines: 10, bytes: 500_000, width: 500_000 };
  async function read(start: LogStart = {}, { q = "", ...more }: { q?: string; lines?: number } = {}) {
    const script = printFile(file, start, { ...limits, ...more }, q !== "");
    const sought = join(directory, "sought");
    writeFileSync(sought, q);
    const run = await runBash(lines(sh`ulimit -v 300000 -t 5; exec < ${sought}`, script), directory);
    assert.deepEqual([run.code, run.stderr], [0, ""]);
    const piece = readPiece(run.stdout);
    assert.ok(piece);
    return { ...piece, texts: piece.entries.map(({ text }) => text), cursor: piece.cursor ?? "" };
  }
  const rotate = () => renameSync(file, `${file}.1`);

  test("is read to its end, with the one that it was rotated to", async () => {
    assert.deepEqual((await read()).texts, []);
    writeFileSync(file, "one\ntwo\n");
    rotate();
    writeFileSync(file, "three\nfour\n");
    assert.deepEqual((await read()).texts, ["one", "two", "three", "four"]);
    assert.deepEqual((await read({}, { lines: 3 })).texts, ["two", "three", "four"]);
  });

  test("with a line that never ends is read without all of it", async () => {
    writeFileSync(file, "");
    truncateSync(file, 64 * 2 ** 30);
    appendFileSync(file, "end\nlast\n");
    assert.deepEqual((await read()).texts, ["last"]);
    assert.deepEqual((await read({ cursor: "file=1;offset=1" })).texts, ["last"]);
  });

  test("is followed by whole lines, across its rotation", async () => {
    writeFileSync(file, "one\ntw");
    let { texts, cursor } = await read();
    assert.deepEqual(texts, ["one"]);
    appendFileSync(file, "o\nthree\n");
    ({ texts, cursor } = await read({ cursor }));
    assert.deepEqual(texts, ["two", "three"]);
    appendFileSync(file, "four\n");
    rotate();
    ({ texts, cursor } = await read({ cursor }));
    assert.deepEqual(texts, ["four"], "before nginx has the new one");
    writeFileSync(file, "five\n");
    ({ texts, cursor } = await read({ cursor }));
    assert.deepEqual(texts, ["five"]);
    assert.deepEqual((await read({ cursor })).texts, []);
    // Rotated twice, or shortened.
    rmSync(`${file}.1`);
    rotate();
    rmSync(`${file}.1`);
    writeFileSync(file, "six\n");
    assert.deepEqual((await read({ cursor })).texts, ["six"]);
  });

  test("counts what is left out", async () => {
    writeFileSync(file, "");
    const { cursor } = await read();
    appendFileSync(file, Array.from({ length: 1_000 }, (_, at) => `${at}\n`).join(""));
    const { texts, leftOut } = await read({ cursor });
    assert.deepEqual([texts.length, texts.at(-1), leftOut], [10, "999", 990]);
  });

  test("is searched in any case, further back than it is read, for a text and no pattern", async () => {
    const rest = `${"-".repeat(99)}\n`.repeat(20_000);
    writeFileSync(file, `GET /Fünf.*\n${rest}get /fÜnf.*?\n${rest}GET /funf\n`);
    assert.deepEqual((await read({}, { q: "FÜNF.*" })).texts, ["GET /Fünf.*", "get /fÜnf.*?"]);
    assert.deepEqual((await read({}, { q: "$(id)" })).texts, []);
  });

  test("has the times that nginx wrote", async () => {
    const agent = '"GET / HTTP/1.1" 200 5 "-" "[01/Jan/2021:00:00:00 +0000] \\x22"';
    const forged = "evil [01/Jan/2020:00:00:00 +0000]";
    writeFileSync(
      file,
      [
        "no time yet",
        `192.0.2.7 - - [29/Feb/2028:23:59:58 +0000] ${agent}`,
        `192.0.2.7 - ${forged} [01/Mar/2026:11:20:30 +0100] ${agent}`,
        "2026/03/01 10:20:31 [error] 7#7: *1 FastCGI sent in stderr: PHP message: one",
        "Stack trace:",
        `192.0.2.7 - - [31/Foo/2026:99:99:99 +0100] ${agent}`,
      ]
        .join("\n")
        .concat("\n"),
    );
    assert.deepEqual(
      (await read()).entries.map(({ at }) => at?.slice(0, 19) ?? null),
      [null, "2028-02-29T23:59:58", ...["30", "31", "31", "31"].map((second) => `2026-03-01T10:20:${second}`)],
    );
  });
});
