import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { loaderOf } from "../dumps.ts";
import type { SqlEngine } from "../engine.ts";

// The check of a dump before it is loaded: it needs no engine.

let directory: string;

before(() => {
  directory = mkdtempSync(join(tmpdir(), "longshore-dumps-"));
  writeFileSync(join(directory, "password"), "secret");
});

after(() => rmSync(directory, { recursive: true }));

/** The sentence about a dump; empty if it may be loaded. */
function check(engine: SqlEngine, dump: Buffer | string): string {
  const file = join(directory, "dump");
  writeFileSync(file, dump);
  const env = { ...process.env, CREDENTIALS_DIRECTORY: directory, NAME: "shop", USERNAME: "shop", CHECK: "1" };
  const { status, stderr } = spawnSync("bash", ["-c", loaderOf(engine)], {
    env,
    stdio: [openSync(file, "r"), "pipe", "pipe"],
    encoding: "utf8",
  });
  const sentence = stderr.trim().split("\n").at(-1) ?? "";
  assert.equal(status === 0, sentence === "" || !sentence.endsWith("."), stderr);
  return status === 0 ? "" : sentence;
}

/** What a program makes of a dump. */
function packed(program: string, words: string[], input: Buffer | string): Buffer {
  const { stdout, status, stderr } = spawnSync(program, words, { input, cwd: directory });
  assert.equal(status, 0, String(stderr));
  return stdout;
}

const sql = "CREATE TABLE goods (id int);\nINSERT INTO goods VALUES (1);\n";
const utf16 = (text: string, isBig = false): Buffer => {
  const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
  return isBig ? bytes.swap16() : bytes;
};

function zip(files: Record<string, string | Buffer>): Buffer {
  const inside = mkdtempSync(join(directory, "zip-"));
  for (const [name, content] of Object.entries(files)) {
    spawnSync("mkdir", ["-p", join(inside, name, "..")]);
    writeFileSync(join(inside, name), content);
  }
  const program =
    "import os,sys,zipfile\nz=zipfile.ZipFile(sys.stdout.buffer,'w',zipfile.ZIP_DEFLATED)\n" +
    "for d,_,fs in os.walk('.'):\n for f in sorted(fs): z.write(os.path.join(d,f))\nz.close()\n";
  const { stdout, status } = spawnSync("python3", ["-c", program], { cwd: inside });
  assert.equal(status, 0);
  return stdout;
}

describe("a dump", () => {
  test("is recognized however it is packed", () => {
    const dumps = {
      plain: sql,
      gzip: gzipSync(sql),
      "several members of gzip": Buffer.concat([gzipSync(sql), gzipSync(sql)]),
      bzip2: packed("bzip2", ["-c"], sql),
      xz: packed("xz", ["-c"], sql),
      zstd: packed("zstd", ["-c", "-q"], sql),
      zip: zip({ "backup [1]/shop *.sql": sql, "__MACOSX/._shop.sql": "x" }),
      "UTF-16": utf16(sql),
      "UTF-16, most significant byte first": utf16(sql, true),
      "UTF-16 in gzip": gzipSync(utf16(sql)),
      "a mark of UTF-8": `\ufeff${sql}`,
      "gzip in zip": zip({ "shop.sql.gz": gzipSync(sql) }),
    };
    for (const [kind, dump] of Object.entries(dumps)) {
      for (const engine of ["mariadb", "postgresql"] as const) assert.equal(check(engine, dump), "", kind);
    }
    assert.equal(check("postgresql", "PGDMP\x01\x0e\0\x04\x08"), "");
    assert.equal(check("postgresql", gzipSync("PGDMP\x01\x0e\0\x04\x08")), "");
  });

  test("that is none is answered with what to do", () => {
    const answers: [Buffer | string, RegExp][] = [
      ["", /empty/],
      [gzipSync(""), /empty/],
      [" \n<!doctype HTML><html><title>Sign in</title>", /web page/],
      ['<?xml version="1.0"?><mysqldump>', /XML/],
      ['[\n{"type":"header"}]', /JSON/],
      ["SQLite format 3\0\x10\0", /SQLite/],
      [Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c, 0, 4]), /archive/],
      [packed("tar", ["-c", "password"], ""), /tar archive/],
      [Buffer.from("ab\0\x01\x02cd"), /binary/],
      [gzipSync(sql.repeat(2_000)).subarray(0, -40), /not complete/],
      [packed("xz", ["-c"], sql.repeat(2_000)).subarray(0, -40), /not complete/],
      [
        packed("zstd", ["-c", "-q"], Buffer.from(Array.from({ length: 90_000 }, (_, at) => (at * at) % 251))).subarray(
          0,
          -40,
        ),
        /./,
      ],
      [zip({ "shop.sql": sql }).subarray(0, -30), /not complete/],
      [zip({ "shop.sql": sql, "other.sql": sql }), /2 files/],
      [gzipSync(zip({ "shop.sql": sql })), /zip archive in another file/],
      [[1, 2, 3, 4, 5].reduce<Buffer>((inside) => gzipSync(inside), Buffer.from(sql)), /packed more than 3 times/],
    ];
    for (const [dump, sentence] of answers) {
      for (const engine of ["mariadb", "postgresql"] as const) assert.match(check(engine, dump), sentence);
    }
  });

  test("of another engine, or of several databases, is refused", () => {
    assert.match(check("mariadb", "PGDMP\x01\x0e\0"), /dump of PostgreSQL/);
    assert.match(check("mariadb", "--\n-- PostgreSQL database dump\n--\n"), /dump of PostgreSQL/);
    assert.match(check("postgresql", gzipSync("-- MySQL dump 10.13\n")), /dump of MySQL/);
    assert.match(check("postgresql", "--\n-- PostgreSQL database cluster dump\n--\n"), /whole server/);
    assert.match(check("mariadb", "USE `one`;\nSELECT 1;\nUSE `two`;\nSELECT 2;\n"), /several databases \(one, two\)/);
    assert.equal(check("mariadb", "USE `one`;\nINSERT INTO t VALUES ('\nUSE `two`;\n');\n"), "");
  });
});
