import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Command, CommanderError } from "commander";
import { adminCommand } from "../src/admin.ts";

// A command that a person reads is copied and run: in a sentence of the product, or in a document, it has to work as it stands.

interface Written {
  file: string;
  words: string[];
}

const root = join(import.meta.dirname, "..");

/** What people read: documents, and the programs with their messages. */
const isRead = (file: string): boolean =>
  /^(?:docs\/.*|README|CONTRIBUTING|SECURITY)\.md$|^longshore$|^(?:(?:src|console\/src|sandbox|demo|stage)\/.*\.tsx?|tools\/.*\.ts)$/.test(
    file,
  ) && !/\/tests?\/|\/applications\//.test(file);

const programs = "up|service|demo|admin|sandbox|test|bench|check|console|package|release";
const command = new RegExp(String.raw`(["'\`]?)(?:\.\/|\/opt\/longshore\/)longshore (?=(?:${programs})\b)`, "g");

/** The commands in a text. One that is quoted alone, without options, names the command, as in "`./longshore up` builds it". */
function commandsIn(file: string, text: string): Written[] {
  const joined = text
    .replaceAll("\\`", "`")
    // Lines that belong together: of a shell, and parts of a string.
    .replaceAll(/\\\n\s*/g, "")
    .replaceAll(/(["'`]) \+\n\s*\1/g, "");
  return [...joined.matchAll(command)].flatMap(({ 0: begin, 1: quote = "", index }) => {
    const [line = ""] = joined.slice(index + begin.length).split("\n", 1);
    const end = quote === "" ? line.search(/[`"|;]|<\/|&&|\s#| {2}|$/) : line.indexOf(quote);
    const words = wordsOf(end < 0 ? line : line.slice(0, end));
    const isName = quote !== "" && !words.some((word) => word.startsWith("-"));
    return isName || words.includes("…") ? [] : [{ file, words }];
  });
}

const wordsOf = (line: string): string[] =>
  Array.from(line.replace(/[.,:)]+\s*$/, "").matchAll(/'([^']*)'|"([^"]*)"|(?:\$\{[^}]*\}|\S)+/g), ([word, one, two]) =>
    (one ?? two ?? word).replace(/^(\w+)\$\{place\}$/, "$1"),
  );

/** Why `./longshore admin` would refuse these words; undefined if it would not. */
function refusalOfAdmin(words: readonly string[]): string | undefined {
  const admin = adminCommand();
  const quiet = { writeOut: () => undefined, writeErr: () => undefined };
  for (const each of [admin, ...admin.commands] as Command[]) each.exitOverride().configureOutput(quiet);
  for (const each of admin.commands) each.action(() => undefined);
  try {
    admin.parse(words, { from: "user" });
    return undefined;
  } catch (error) {
    return (error as CommanderError).message;
  }
}

const helps = new Map<string, string>();

function helpOf(names: readonly string[]): string {
  const key = names.join(" ");
  const known = helps.get(key);
  if (known !== undefined) return known;
  const help = execFileSync(join(root, "longshore"), [...names, "--help"], { encoding: "utf8" });
  helps.set(key, help);
  return help;
}

/** Why another command would refuse these words, as its help has them. */
function refusalOf([program = "", ...words]: readonly string[]): string | undefined {
  const options = words
    .filter((word) => word.startsWith("--") && word !== "--")
    .map((word) => word.split("=")[0] ?? "");
  const hasVerbs = ["sandbox", "service"].includes(program);
  const names = hasVerbs ? [program, words[0] ?? ""] : [program];
  if (options.length === 0 && !hasVerbs) return undefined;
  const help = helpOf(names);
  const unknown = options.find((option) => !new RegExp(`${option}(?![\\w-])`).test(help));
  if (unknown) return `there is no option ${unknown}`;
  const needed = help.split("\n", 1)[0]?.match(/<[\w.]+>/g)?.length ?? 0;
  const given = words.slice(1).filter((word) => !word.startsWith("-")).length;
  return given < needed ? `it needs ${needed} words after ${names.join(" ")}` : undefined;
}

const refusals = (found: readonly Written[]): string[] =>
  found.flatMap(({ file, words }) => {
    const why = words[0] === "admin" ? refusalOfAdmin(words.slice(1)) : refusalOf(words);
    return why === undefined ? [] : [`${file}: ./longshore ${words.join(" ")}: ${why}`];
  });

describe("commands that people read", () => {
  const tracked = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  const files = tracked.toString().split("\0").filter(isRead);
  const found = files.flatMap((file) => commandsIn(file, readFileSync(join(root, file), "utf8")));

  it("work as they stand", () => {
    assert.ok(found.length > 20, "They are found.");
    assert.deepEqual(refusals(found), []);
  });

  it("are found wherever they stand, and refused as the program refuses them", () => {
    const document = [
      "`./longshore admin user` makes one, and `./longshore admin user --password-stdin` a password.",
      "```sh",
      "./longshore admin token --email you@example.com --name first \\",
      "  --permissions '*' # all of them",
      "/opt/longshore/longshore up --prot 80",
      "./longshore sandbox exec",
      "```",
    ];
    const code = [
      'fail("The operator sets it: ./longshore admin plan.");',
      'const action = "./longshore admin plan";',
      "`Run ./longshore admin setup-code --dta .longshore`",
    ];
    const wrong = refusals([...commandsIn("a.md", document.join("\n")), ...commandsIn("b.ts", code.join("\n"))]);
    assert.deepEqual(
      wrong.map((sentence) => sentence.replace(/: (?:error:|there|it) .*/s, "")),
      [
        "a.md: ./longshore admin user --password-stdin",
        "a.md: ./longshore up --prot 80",
        "a.md: ./longshore sandbox exec",
        "b.ts: ./longshore admin plan",
        "b.ts: ./longshore admin setup-code --dta .longshore",
      ],
    );
  });
});
