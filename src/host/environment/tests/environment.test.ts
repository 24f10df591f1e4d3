// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of .env files
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";
import {
  environmentError,
  environmentSecrets,
  parseEnvironment,
  renderExports,
  type Variable,
} from "../environment.ts";

const read = (text: string): Variable[] => {
  const parsed = parseEnvironment(text);
  assert.ok("variables" in parsed, JSON.stringify(parsed));
  return parsed.variables;
};
const lastValue = (text: string): string | undefined => read(text).at(-1)?.value;

const hostile = [
  "",
  "a b",
  "$(touch /tmp/x)",
  "`id`",
  "$HOME ${HOME}",
  "'",
  '"',
  'it\'s "both"',
  "a\nb\nc",
  "\\",
  "\\n",
  "-n",
  "*",
  "~",
  "ä日本🦆",
  "; rm -rf /",
  "a && b || c",
  "#no comment",
  " leading and trailing ",
  "\t",
  "!history",
  "a=b",
  "%s %d",
  "\r\n",
];

describe("reading a .env text", () => {
  test("takes bare, quoted and exported values, comments and blank lines", () => {
    const text = "# all\n\nA=1\nexport B = two words # note\nC='$(id) # ${A}'\nD=\"x\\ty\"\nE=\n  F=`back`\r\n";
    assert.deepEqual(read(text), [
      { name: "A", value: "1" },
      { name: "B", value: "two words" },
      { name: "C", value: "$(id) # ${A}" },
      { name: "D", value: "x\ty" },
      { name: "E", value: "" },
      { name: "F", value: "back" },
    ]);
  });

  test("takes names with dots and dashes, as some frameworks have them", () => {
    assert.deepEqual(read("app.baseURL = 'https://a.test/'\nmail-sender=me\nX=${app.baseURL}${mail-sender}"), [
      { name: "app.baseURL", value: "https://a.test/" },
      { name: "mail-sender", value: "me" },
      { name: "X", value: "https://a.test/${mail-sender}" },
    ]);
  });

  test("lets quoted values span lines", () => {
    assert.equal(lastValue('KEY="-----BEGIN\nabc\n-----END"\n'), "-----BEGIN\nabc\n-----END");
    assert.equal(lastValue("KEY='a\nB=c\n'\nL=1"), "1");
    assert.equal(read("KEY='a\nB=c\n'\nL=1").length, 2);
  });

  test("fills in earlier variables, and leaves alone what is none", () => {
    assert.equal(lastValue('APP=Shop\nNAME="${APP} at ${NOWHERE}"'), "Shop at ${NOWHERE}");
    assert.equal(lastValue('APP=Shop\nNAME="\\${APP}"'), "${APP}");
    assert.equal(lastValue("P=pa$$word"), "pa$$word");
  });

  test("lets the last of two lines with one name count", () => {
    assert.deepEqual(read("A=1\nB=2\nA=3"), [
      { name: "B", value: "2" },
      { name: "A", value: "3" },
    ]);
  });

  test("names every bad line, up to one after which it is unknown where the next begins", () => {
    const bad = "A=1\nno line\nB='x'y\n\nC:D=1\nE=\"a\nb\" c\nF=2\n2G=1";
    const sentences = (environmentError(bad) ?? "").match(/Line \d+/g);
    assert.deepEqual(sentences, ["Line 2", "Line 3", "Line 5", "Line 6", "Line 9"]);
    assert.deepEqual((environmentError(`${bad}\nH="open\nno line`) ?? "").match(/Line \d+/g)?.slice(5), ["Line 10"]);
    assert.match(environmentError("x\n".repeat(200)) ?? "", /^(Line \d+ [^.]*\. ){50}150 more lines are wrong\.$/);
  });

  test("names the bad line and never its value", () => {
    const cases: [string, RegExp][] = [
      ["A=1\nhunter2", /^Line 2 /],
      ["A=1\n\n# x\n1A=hunter2", /^Line 4 /],
      ['A="x\ny"\nB="hunter2', /^Line 3 .*never closed/],
      ["A='x'hunter2", /^Line 1 .*after the closing quote/],
      ["A:B=hunter2", /^Line 1 has no valid name before =.*dots and dashes/],
      ["A[0]=hunter2", /^Line 1 has no valid name/],
      ["=hunter2", /^Line 1 /],
      ["A=hun\0ter2", /^Line 1 .*NUL/],
    ];
    for (const [text, expected] of cases) {
      assert.match(environmentError(text) ?? "none", expected);
      assert.doesNotMatch(environmentError(text) ?? "", /hunter2/);
    }
  });
});

describe("a hostile environment", () => {
  const doubling = `A=0123456789\n${"A=${A}${A}\n".repeat(18)}`;

  test("is refused where its values become too long together, with the number of the line", () => {
    // 10 * 2^16 characters fit, 10 * 2^17 do not; overridden values count as well, so it ends a line earlier.
    assert.match(environmentError(doubling) ?? "none", /^Line 17 .*longer than 1 MiB/);
    assert.match(
      environmentError(doubling.replaceAll(/=(.*\$.*)/g, '="$1"')) ?? "none",
      /^Line 17 .*longer than 1 MiB/,
    );
    assert.match(
      environmentError(doubling.replaceAll(/=(.*\$.*)/g, "=`$1`")) ?? "none",
      /^Line 17 .*longer than 1 MiB/,
    );
  });

  test("is refused in a line that repeats a long value", () => {
    const text = `A=${"x".repeat(100_000)}\nB=1\nC=${"${A}".repeat(10)}`;
    assert.match(environmentError(text) ?? "none", /^Line 3 /);
    assert.equal(environmentError(text.replace("${A}${A}", "")), undefined);
  });

  test("ends a run for good when it was stored before there was a limit", () => {
    assert.throws(() => environmentSecrets(doubling), { name: "AppError", permanent: true, message: /Line 17 / });
  });

  test("is read in one pass, whatever stands behind its comments", () => {
    // A search that restarts at each mark would take half a minute.
    const marks = " #".repeat(99_000);
    assert.deepEqual(read(`A=1${marks}\u2028x\n${marks}\u2028x`), [{ name: "A", value: "1" }]);
  });
});

describe("writing an environment", () => {
  test("gives bash every value as it is", () => {
    const variables = hostile.map((value, at) => ({ name: `V${at}`, value }));
    const others = [
      { name: "app.db.password", value: "secret word" },
      { name: "mail-from", value: "$(id) 'x'" },
    ];
    const script = `set -u\n${renderExports([...others, ...variables])}env -0`;
    const { stdout, stderr, status } = spawnSync("bash", ["--norc", "-c", script], {
      env: { PATH: process.env.PATH ?? "" },
    });
    assert.deepEqual([status, stderr.toString()], [0, ""], "names that no shell can have are passed over");
    const seen = new Map(
      stdout
        .toString()
        .split("\0")
        .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)] as const),
    );
    for (const { name, value } of variables) assert.equal(seen.get(name), value);
  });
});
