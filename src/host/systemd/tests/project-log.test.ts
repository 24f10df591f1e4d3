import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { runBash } from "../../tests/bash.ts";
import { isCursor, mostNewLines, printNew, readPiece } from "../project-log.ts";

const cursor = "s=0f9b;i=1a2;b=77aa;m=3f;t=64e;x=9c";

describe("a piece of a log that is followed", () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "longshore-log-"));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  /** The parsed piece when journalctl prints this text; the arguments of journalctl are in `asked`. */
  async function pieceOf(text: string, from: { cursor: string } | { lines: number } = { cursor }) {
    const stubs = join(directory, "bin");
    mkdirSync(stubs, { recursive: true });
    writeFileSync(join(directory, "journal"), text);
    const script = `#!/bin/bash\nprintf '%s\\n' "$@" > ${directory}/asked\ncat ${directory}/journal\n`;
    writeFileSync(join(stubs, "journalctl"), script);
    chmodSync(join(stubs, "journalctl"), 0o755);
    const { stdout } = await runBash(printNew("longshore-project-3@*.service", from), directory, stubs);
    return { piece: readPiece(stdout), stdout };
  }

  it("is the new lines, and where to read on", async () => {
    const { piece } = await pieceOf(`one\n\n-- cursor: x\n-- cursor: ${cursor}\n`);
    assert.deepEqual(piece, { lines: ["one", "", "-- cursor: x"], leftOut: 0, cursor });
    assert.deepEqual((await pieceOf("")).piece, { lines: [], leftOut: 0, cursor: undefined });
  });

  it("is the last of too many lines, and short enough for an answer", async () => {
    const many = Array.from({ length: 5_000 }, (_, at) => `${at} ${"é".repeat(10_000)}`);
    const { piece, stdout } = await pieceOf(`${many.join("\n")}\n-- cursor: ${cursor}\n`);
    assert.deepEqual([piece?.lines.length, piece?.leftOut], [mostNewLines, 5_000 - mostNewLines]);
    assert.match(piece?.lines.at(-1) ?? "", /^4999 é/);
    assert.ok(Buffer.byteLength(stdout) < 1 << 20);
  });

  it("is nothing when the answer is not complete", () => assert.equal(readPiece(""), undefined));

  it("begins at a place of the journal's own form", () => {
    assert.ok(isCursor(cursor));
    for (const text of ["", "x", `${cursor}\n`, `${cursor} --file=/etc/shadow`, `s=${"0".repeat(40)}`]) {
      assert.ok(!isCursor(text), text);
    }
  });
});
