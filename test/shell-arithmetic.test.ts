// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of shell scripts
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

// bash evaluates a word in arithmetic as an expression, and the subscript of an array in it as a command: a word that comes from
// a file or from another program's output is checked for digits before, since that program may be a project's. This reads all
// scripts: of each name that gets its value from outside and is used in arithmetic, the file has a check.

const source = join(import.meta.dirname, "../src");
const scripts = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".sh"));

/** Commands whose output has digits only, whatever they read. */
const digitsOnly =
  /\| tr -dc 0-9\)|\| last_number\)|^\$\(stat -c %[sugY] [^|]*\)|^\$\(date \+%s\)|^\$\(id -u [^|]*\)|^\$\(df --output=avail [^|]*\| tail -n 1\)|^\$\(df --output=avail [^|]*\| tail -n \+2 \| sort -n \| head -n 1\)|^\$\(awk '[^']*print int\([^']*'[^|]*\)|^\$\(wc -l < [^|]*\)/;

/** Without comments, and without programs for Node. */
const shellIn = (text: string): string => text.replace(/^\s*#.*$/gm, "").replace(/node"? -[ep] '[^']*'/g, "node");

/** The expressions that bash evaluates: also what stands in the subscript of an array, unless bash has expanded it before. */
const expressionsIn = (text: string): string[] => [
  ...[...text.matchAll(/\(\(([\s\S]*?)\)\)/g)].map(([, inner = ""]) => inner),
  ...[...text.matchAll(/\[\[(.*?)\]\]/g)].flatMap(([, inner = ""]) =>
    [...inner.matchAll(/(\S+) -(?:eq|ne|lt|le|gt|ge) (\S+)/g)].map(([, left, right]) => `${left} ${right}`),
  ),
  ...[...text.matchAll(/\b(?:let|(?:declare|local|typeset) -\w*i\w*) (.*)/g)].map(([, inner = ""]) => inner),
];

const namesIn = (expression: string): string[] =>
  [...expression.replace(/\$\{#[^}]*\}/g, "").matchAll(/[A-Za-z_]\w*/g)].map(([name]) => name);

/** The names that get a value from a file or a program, each with the line. */
function outsideNames(text: string): Map<string, string> {
  const found = new Map<string, string>();
  const words = (list: string) => list.split(/\s+/).filter((word) => /^[A-Za-z_]\w*$/.test(word));
  for (const [line, list = ""] of text.matchAll(/\b(?:read|mapfile|readarray)\b([^\n;|&<]*)/g)) {
    for (const name of words(list)) found.set(name, line);
  }
  for (const [line, name = "", command = ""] of text.matchAll(/\b([A-Za-z_]\w*)(?:\[[^\]]*\])?=\(?"?(\$\([^(].*)/g)) {
    if (!digitsOnly.test(command)) found.set(name, line);
  }
  // What is a copy of such a name.
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const [line, name = "", from = ""] of text.matchAll(
      /^.*?\b([A-Za-z_]\w*)(?:\[[^\]]*\])?="?\$\{?([A-Za-z_]\w*)\b.*$/gm,
    )) {
      if (found.has(from) && !found.has(name) && !isChecked(text, from)) found.set(name, line.trim());
    }
  }
  return found;
}

const isChecked = (text: string, name: string): boolean =>
  new RegExp(`\\[\\[[^\\n]*"?\\$\\{?${name}\\b[^\\n]* =~ \\^`).test(text);

function uncheckedIn(script: string): string[] {
  const text = shellIn(script);
  const outside = outsideNames(text);
  const used = new Set(expressionsIn(text).flatMap(namesIn));
  const inline = expressionsIn(text)
    .flatMap((inner) => /\$\((?!\().*/.exec(inner) ?? [])
    .map((command) => `${command})`);
  return [
    ...[...outside]
      .filter(([name]) => used.has(name) && !isChecked(text, name))
      .map(([name, line]) => `${name}: ${line}`),
    ...inline.filter((command) => !digitsOnly.test(command)),
  ];
}

describe("a word from outside", () => {
  test("is checked for digits before a script calculates with it", () => {
    const unchecked = scripts.flatMap((path) =>
      uncheckedIn(readFileSync(join(source, path), "utf8")).map((each) => `${path}: ${each}`),
    );
    assert.deepEqual(unchecked, []);
    assert.ok(scripts.length > 150, `${scripts.length} scripts`);
  });

  const bad = [
    "read -r type size name\nif ((size > 5)); then :; fi",
    'size=$(du -s "$path" | cut -f 1)\nleft=$((left - size))',
    'left=$((left - $(du -s "$path")))',
    "while read -r key value; do count=$value; done\n((count > 0))",
    "n=$(cat file)\n[[ $n -gt 3 ]]",
    "n=$(cat file)\nlet m=n+1",
    "n=$(cat file)\ndeclare -i m=n",
    "mapfile -t rows < file\n((rows[0] > 1))",
  ];
  for (const script of bad) {
    test(`is found in ${JSON.stringify(script)}`, () => assert.equal(uncheckedIn(script).length, 1));
  }

  test("may be checked, or come from a program that prints digits", () => {
    const good = [
      "read -r size\n[[ $size =~ ^[0-9]{1,9}$ ]] || exit\n((size > 5))",
      'size=$(stat -c %s "$file")\n((size > 5))',
      "size=$(du -s . | tr -dc 0-9)\n((size > 5))",
      "now=$(date +%s)\nend=$((now + 5))",
      'n=$(cat file)\n[ "$n" -gt 3 ]',
      "((${#names[@]} > 0))",
    ];
    assert.deepEqual(good.flatMap(uncheckedIn), []);
  });
});
