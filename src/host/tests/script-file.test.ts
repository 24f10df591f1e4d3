// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of shell scripts
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { functionOf, scriptFile, setBefore, textOf } from "../script-file.ts";
import { lines, sh } from "../sh.ts";
import { runBash } from "./bash.ts";

const directory = mkdtempSync(join(tmpdir(), "longshore-script-file-"));
after(() => rmSync(directory, { recursive: true }));

let made = 0;

/** The URL of the first of some scripts beside each other. */
function write(files: Record<string, string>): URL {
  const place = join(directory, String(made++));
  const paths = Object.entries(files).map(([name, text]) => {
    const path = `${place}-${name}`;
    writeFileSync(path, text.replace(/(?<=^# uses: |, )(?=\w+\.sh)/gm, `${made - 1}-`));
    return path;
  });
  return pathToFileURL(paths[0] as string);
}

const outputOf = async (script: { script: string }): Promise<string> => {
  const { code, stdout, stderr } = await runBash(script, directory);
  assert.equal(code, 0, stderr);
  return stdout;
};

describe("a script", () => {
  const greeting = {
    "greet.sh":
      '# uses: names.sh, polite.sh\n# given: title\n# Greets.\ngreeting="Good day"\npolite "$title" "$(full_name)"\n',
    "polite.sh":
      '# uses: names.sh\n# `polite` prints a greeting.\npolite() { echo "$greeting, $1 $2"; } # TITLE NAME\n',
    "names.sh": "# given: first last\nfull_name() {\n  printf '%s' \"$first $last\"\n}\n",
  };
  const values = { title: "Dr.", first: "Ada's", last: "$(Lovelace)" };

  test("comes with the files that it uses, and those that they use, each once", async () => {
    const script = scriptFile(write(greeting), values);
    assert.equal(await outputOf(script), "Good day, Dr. Ada's $(Lovelace)\n");
    assert.equal(script.script.match(/^full_name\(\)/gm)?.length, 1);
    assert.doesNotMatch(script.script, /^#/m);
  });

  test("shares files of functions with the scripts around it, which may stand in a subshell", async () => {
    const url = write(greeting);
    const [one, other] = [scriptFile(url, values), scriptFile(url, { ...values, title: "Lady" })];
    const script = lines(sh`(`, one, sh`)`, other);
    assert.equal(await outputOf(script), "Good day, Dr. Ada's $(Lovelace)\nGood day, Lady Ada's $(Lovelace)\n");
    assert.equal(script.script.match(/^full_name\(\)/gm)?.length, 1);
  });

  test("has a file that does something right before it", async () => {
    const url = write({
      "end.sh": '# uses: begin.sh\necho "$word" "$found"\n',
      "begin.sh": "# given: word\nfound=$(cat found)\n",
    });
    const script = lines(sh`echo 7 > found`, scriptFile(url, { word: "found" }));
    assert.equal(await outputOf(script), "found 7\n");
  });

  test("gets texts, numbers, lists and yes or nothing", async () => {
    const url = write({
      "values.sh":
        '# given: text number\n# given: list yes no\nprintf \'<%s>\' "$text" "$number" "${list[@]}" "$yes" "$no"\n',
    });
    const script = scriptFile(url, { text: "a b", number: 7, list: ["c d", 8], yes: true, no: false });
    assert.equal(await outputOf(script), "<a b><7><c d><8><yes><>");
  });

  test("gets a value from the code before it", async () => {
    const script = scriptFile(write({ "count.sh": '# given: count\necho "$count"\n' }), { count: setBefore });
    assert.equal(await outputOf(lines(sh`count=$((3 + 4))`, script)), "7\n");
  });

  for (const [what, given, message] of [
    [
      "without a value that it names",
      { first: "Ada" },
      /greet\.sh is not given title, last|greet\.sh is not given last, title/,
    ],
    ["with a value that none of its files names", { ...values, age: 36 }, /greet\.sh is given age, /],
    ["with a name that every object has", { ...values, constructor: 1 }, /greet\.sh is given constructor, /],
  ] as const) {
    test(`is refused ${what}`, () => assert.throws(() => scriptFile(write(greeting), { ...given }), message));
  }

  test("is refused when its files use each other in a circle", () => {
    const url = write({ "one.sh": "# uses: two.sh\n", "two.sh": "# uses: three.sh\n", "three.sh": "# uses: two.sh\n" });
    assert.throws(() => scriptFile(url), /two\.sh uses itself, by way of others/);
  });

  test("is refused when it uses a file that is not there", () => {
    assert.throws(
      () => scriptFile(write({ "one.sh": "# uses: nowhere.sh\n" })),
      /nowhere\.sh, which is neither beside it nor/,
    );
  });

  test("is sent to servers without the lines for the one who composes it", () => {
    const url = write({
      "run.sh": "#!/bin/bash\n# shellcheck shell=bash\n# Runs.\n# given: A\n\n# given: a present\necho\n",
    });
    assert.equal(textOf(url), "#!/bin/bash\n# Runs.\n\n# given: a present\necho");
  });
});

describe("a function of a file", () => {
  const url = write({
    "twice.sh": '# uses: once.sh\ntwice() {\n  once "$1"\n  once "$1"\n}\n',
    "once.sh": 'once() { echo "$1"; }\n',
  });
  const twice = functionOf(url, "twice");

  test("brings the file to each place where it is called, once", async () => {
    const script = lines(sh`one() { ${twice} 1; }`, sh`one; ${twice} ${"a b"}`);
    assert.equal(await outputOf(script), "1\n1\na b\na b\n");
    assert.equal(script.script.match(/^once\(\)/gm)?.length, 1);
  });

  test("is refused when its file does something itself", () => {
    const url = write({ "begin.sh": 'begin() { echo "$at"; } # once\nat=$(date)\n' });
    assert.throws(() => functionOf(url, "begin"), /begin\.sh does more than define functions/);
  });

  test("is there in a program of its own", async () => {
    assert.equal(await outputOf(sh`bash -c ${sh`${twice} 2`.script}`), "2\n2\n");
  });
});
