import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";

// Words that make a text hard to read quickly, or for readers whose first language is another, and plain replacements.
// The test searches the whole file, including names.

const plainWords: readonly [banned: RegExp, plain: string][] = [
  [/\btold\b/gi, "is notified, receives, was reported"],
  [/\bhear(?:s|d|ing|ers?)?\b/gi, "receives, is notified"],
  [/\b(?:no|some)body\b/gi, "the one who or that: no visitor, another process, a person"],
  [/\bwhoever\b/gi, "the one who or that: the caller, the worker, anyone who"],
  [/\banew\b/gi, "again, from scratch"],
  [/\bonce more\b/gi, "again"],
  [/\b(?:go(?:es|ing|ne)?|went) on\b/gi, "continues, keeps serving"],
  [/\blook(?:s|ed|ing)? after\b/gi, "checks, reconciles, maintains"],
  [/\b(?:tak(?:e|es|en|ing)|took) up\b(?! to\b)/gi, "resumes, adopts"],
  [/\bat the (?:most|least)\b/gi, "at most, at least, before the number"],
  [/\b(?:is|are|was|were|be|been|being|not|never) tried\b(?! out\b)|\btried again\b/gi, "is retried, is attempted"],
  [/\bunless told\b/gi, "default: …"],
];

/** Names in protocols and operating systems. */
const values = ["354 go on", "--reuid=nobody", "-o nobody", "640 nobody", 'user: "nobody"'];

/** Migrations do not change once they are applied; the contract is generated from files that are checked. */
const isLookedAt = (file: string): boolean =>
  !/^(?:src\/db\/migrations|contract)\/|^package-lock\.json$|^test\/words\.test\.ts$/.test(file);

/** Sentences about the banned words in a file. */
function bannedWords(file: string, text: string): string[] {
  let prose = text;
  // An escape is not part of the word after it.
  for (const value of [...values, /\\[nrt]/g]) prose = prose.replaceAll(value, (found) => " ".repeat(found.length));
  // A phrase may be split over two lines of a comment.
  prose = prose.replace(/\n[ \t]*(?:\/\/|\*|#|--)?[ \t]*/g, (found) => `\n${" ".repeat(found.length - 1)}`);
  return plainWords.flatMap(([banned, plain]) => {
    const anyGap = new RegExp(banned.source.replaceAll(" ", "\\s+"), banned.flags);
    return [...prose.matchAll(anyGap)].map(({ 0: found, index }) => {
      const line = prose.slice(0, index).split("\n").length;
      return `${file}:${line}: "${found.replace(/\s+/g, " ")}"; plainer: ${plain}`;
    });
  });
}

function trackedFiles(root: string): string[] {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  return listed
    .toString()
    .split("\0")
    .filter((file) => file !== "" && existsSync(join(root, file)));
}

const isText = (content: Buffer): boolean => !content.subarray(0, 8_000).includes(0);

describe("banned words", () => {
  it("are in no file", () => {
    const root = join(import.meta.dirname, "..");
    const found = trackedFiles(root)
      .filter(isLookedAt)
      .flatMap((file) => {
        const content = readFileSync(join(root, file));
        return isText(content) ? bannedWords(file, content.toString()) : [];
      });
    assert.deepEqual(found, []);
  });

  it("are found wherever they stand", () => {
    for (const text of [
      "/** Whoever waits for it. */",
      'test("it goes on after a failure", …)',
      "const told = 1;",
      "at\nthe most",
      "// It is done once\n  // more.",
      " * What fails is\n * tried again.",
    ]) {
      assert.equal(bannedWords("a.ts", text).length, 1, text);
    }
  });

  it("are named with their line and plainer ones", () => {
    assert.deepEqual(bannedWords("a.md", "One.\nAt the most two."), [
      'a.md:2: "At the most"; plainer: at most, at least, before the number',
    ]);
  });

  it("may be values, and parts of other words", () => {
    for (const text of [
      'reply("354 go on")',
      "useradd -o nobody",
      '"size\\told"',
      "takes up to 20",
      "goOn()",
      "hearty",
    ]) {
      assert.deepEqual(bannedWords("a.ts", text), [], text);
    }
  });
});
