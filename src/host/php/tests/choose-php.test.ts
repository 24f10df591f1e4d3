import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { choosePhp, phpFor, phpVersionRequest } from "../choose-php.ts";
import { phpVersions } from "../php-versions.ts";

const choose = (composer: unknown, own = "8.2.29", versions: readonly string[] = phpVersions) =>
  choosePhp({ composer: typeof composer === "string" ? composer : JSON.stringify(composer), own, versions });
const required = (php: unknown, own?: string) => choose({ require: { php } }, own).version;

describe("the version of PHP", () => {
  test("is the server's own where composer.json asks for none", () => {
    for (const composer of [
      {},
      { require: { "ext-json": "*" } },
      { config: { platform: { "ext-json": "8" } } },
      { config: { platform: { php: false } } },
    ]) {
      assert.deepEqual(
        choose(composer),
        { version: "8.2", why: "it is the server's own, and the project asks for none" },
        JSON.stringify(composer),
      );
    }
  });

  test("is the server's own where it fits, else the next newer, else the next older", () => {
    for (const [constraint, version] of [
      ["^8.1", "8.2"],
      ["*", "8.2"],
      ["^7.4|^8.0", "8.2"],
      [">=8.1 <8.3", "8.2"],
      ["8.2", "8.2"],
      ["8.2.*", "8.2"],
      ["8.x", "8.2"],
      ["v8.2.29", "8.2"],
      [">8.2", "8.2"],
      ["<=8.3", "8.2"],
      ["^8.2@dev", "8.2"],
      [">=8.1.0-dev", "8.2"],
      ["^8.3", "8.3"],
      ["^8.2.30", "8.3"],
      [">=8.2,!=8.2.*", "8.3"],
      ["~8.3.0 || ~8.4.0", "8.3"],
      ["~8.1.0 || ~8.4.0", "8.4"],
      [">= 8.3.4, < 8.4", "8.3"],
      [">8.2.29 <8.4", "8.3"],
      [">=8.4.0RC1", "8.4"],
      ["8.5.*", "8.5"],
      ["7.4 - 8.1", "8.1"],
      ["~8.0.0 || ~8.1.0", "8.1"],
      ["<8.2", "8.1"],
      ["<=8.2", "8.1"],
    ] as const) {
      assert.equal(required(constraint), version, constraint);
    }
    assert.equal(required("^7.2 || ~8.0 <8.3", "8.4.10"), "8.2", "of the older ones the newest");
  });

  test("is that of the platform that packages are resolved for, whatever the release of its line", () => {
    const composer = { require: { php: "^8.1" }, config: { platform: { php: "8.3.10" } } };
    assert.deepEqual(choose(composer), {
      version: "8.3",
      why: "config.platform of composer.json asks for 8.3.10, and the server's own is 8.2.29",
    });
    assert.deepEqual(choose(composer, "8.3.6"), {
      version: "8.3",
      why: "it is the server's own, and config.platform of composer.json asks for 8.3.10",
    });
    assert.deepEqual(choose({ require: { php: "^8.4" } }), {
      version: "8.4",
      why: "composer.json asks for ^8.4, and the server's own is 8.2.29",
    });
  });

  test("is the server's own where nothing fits, with what was asked for", () => {
    for (const constraint of ["^7.4", "<8.1", "^9", "8.2.5", "~8.2.0 <8.2.20", "8.3.* 8.4.*"]) {
      assert.deepEqual(choose({ require: { php: constraint } }), {
        version: "8.2",
        why: `it is the server's own. composer.json asks for ${constraint}, and this server can have 8.1, 8.2, 8.3, 8.4, 8.5`,
      });
    }
    assert.equal(choose({ require: { php: "^8.4" } }, "8.2.29", ["8.2"]).version, "8.2");
  });

  test("is proposed without the server's own, too", () => {
    const proposed = (version: string) => phpFor(phpVersionRequest(".php-version", version), phpVersions);
    assert.deepEqual([proposed("8.4.1"), proposed("8"), proposed("7.4")], ["8.4", "8.1", undefined]);
  });

  test("is the server's own whatever else a project writes there", () => {
    const hostile = [
      "$(id)",
      "`id`",
      "../../8.3",
      "8.3;id",
      "8.3\n8.4",
      "8.3\u00008.4",
      "\u001b[2J8.3",
      "-e",
      "8.3 as 8.4",
      "dev-main",
      "^8.3 ||",
      "|| ^8.3",
      "||",
      "^^8.3",
      "^",
      "^8.3.",
      "8.3 -",
      "٨.٣",
      "^8.3 ".repeat(50),
      "|".repeat(190),
      "a-".repeat(95),
      "8.".repeat(95),
      "- ".repeat(95),
      ".x".repeat(95),
      `${"9".repeat(150)}.1`,
      "x".repeat(500_000),
    ];
    for (const text of hostile) {
      const { version, why } = choose({ require: { php: text }, config: { platform: { php: text } } });
      assert.equal(version, "8.2", text.slice(0, 100));
      assert.match(why, /^[\x20-\x7e]{1,300}$/);
    }
    for (const php of [7, null, {}, [], ["8.4"], true, "", "  "])
      assert.equal(required(php), "8.2", JSON.stringify(php));
    for (const text of [
      "null",
      "[]",
      '"x"',
      "7",
      '{"require":null}',
      '{"require":["php"],"config":{"platform":"php"}}',
    ]) {
      assert.equal(choose(text).why, "it is the server's own, and the project asks for none", text);
    }
    for (const text of ["", "{", "^8.4", "<?php", "\0"]) {
      const { version, why } = choose(text);
      assert.deepEqual([version, why.includes("is not the JSON that it should be")], ["8.2", true], text);
    }
    assert.equal(choose('\uFEFF{"require":{"php":"^8.4"}}').version, "8.4");
    const polluted = choose('{"__proto__":{"require":{"php":"^8.4"}},"constructor":{"require":1}}');
    assert.equal(polluted.version, "8.2");
  });
});

test("the program answers with the version and the reason", () => {
  const program = `${readFileSync(new URL("../choose-php.ts", import.meta.url), "utf8")}\nmain();\n`;
  const words = ["--input-type=module-typescript", "--disable-warning=ExperimentalWarning", "-e", program, "--"];
  const { stdout, stderr } = spawnSync(process.execPath, [...words, "8.2.29", "8.2", "8.4"], {
    input: '{"require":{"php":">8.2.29"}}',
    encoding: "utf8",
  });
  assert.equal(stdout, "8.4\ncomposer.json asks for >8.2.29, and the server's own is 8.2.29\n", stderr);
});
