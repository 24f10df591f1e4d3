import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { changeSettings, parseSettings, readSettings, writeSettings } from "../settings-file.ts";

describe("the settings file", () => {
  it("is read as systemd reads it", () => {
    const text = [
      "# A comment",
      "; another",
      "",
      "PLAIN=8080 ",
      `DOUBLE="a \\"b\\" \\$c \\n"`,
      "SINGLE='a \\\"b\\\" $c'",
      "MIXED=a\\ b'c d'",
      "EMPTY=",
      "TWICE=1",
      "TWICE=2",
      "LONG=a\\",
      "b",
      "not an assignment",
    ].join("\n");
    assert.deepEqual(parseSettings(text), {
      PLAIN: "8080",
      DOUBLE: 'a "b" $c \\n',
      SINGLE: 'a \\"b\\" $c',
      MIXED: "a bc d",
      EMPTY: "",
      TWICE: "2",
      LONG: "ab",
    });
  });

  it("holds any value of one line", () => {
    for (const value of [
      "",
      "a b",
      `it's "that"`,
      "$HOME `id` \\",
      "# no comment",
      " edges ",
      "postgresql://u:p%40@h/d?a=b",
    ]) {
      assert.deepEqual(parseSettings(changeSettings("", { VALUE: value })), { VALUE: value });
    }
    assert.throws(() => changeSettings("", { VALUE: "a\nLONGSHORE_ROLE=api" }), /several lines/);
  });

  it("keeps the lines of the operator", () => {
    const text = "# Ours\nLONGSHORE_PORT=8080\nLONGSHORE_PORT=8081\n\nLONGSHORE_DRAIN_SECONDS=10\nGONE=1\n";
    assert.equal(
      changeSettings(text, { LONGSHORE_PORT: "9000", GONE: undefined, ABSENT: undefined, NEW: "2" }),
      "# Ours\nLONGSHORE_PORT=9000\n\nLONGSHORE_DRAIN_SECONDS=10\nNEW=2\n",
    );
  });

  it("belongs to its owner alone", async () => {
    const directory = await mkdtemp(join(tmpdir(), "longshore-settings-"));
    try {
      const file = join(directory, "longshore.env");
      assert.deepEqual(await readSettings(file), {});
      await writeFile(`${file}.new`, "left of an earlier attempt, and much longer than what is written now", {
        mode: 0o644,
      });
      await writeSettings(file, { DATABASE_URL: "postgresql://u:p@h/d" });
      assert.equal((await stat(file)).mode & 0o777, 0o600);
      assert.equal(await readFile(file, "utf8"), "DATABASE_URL=postgresql://u:p@h/d\n");
      await writeSettings(file, { LONGSHORE_ROLE: "api" });
      assert.deepEqual(await readSettings(file), { DATABASE_URL: "postgresql://u:p@h/d", LONGSHORE_ROLE: "api" });
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
