import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { pathToFileURL } from "node:url";
import { readScript, type ScriptFile, usedWith } from "../src/host/script-file.ts";

// The comment at the top of a script names the files that it uses: all of them, and no other. That it names its values is checked by
// shellcheck (shell-scripts.ts).

const root = join(import.meta.dirname, "..");
const files = globSync("src/**/*.sh", { cwd: root }).map((path) => readScript(pathToFileURL(join(root, path))));

const namesIn = (code: string, pattern: RegExp): string[] => [...code.matchAll(pattern)].map(([, name = ""]) => name);
const withoutComments = (code: string): string => code.replace(/(?<=^|\s)#.*$/gm, "");
const functionsIn = ({ code }: ScriptFile): string[] => namesIn(code, /^ *(\w+)\(\) [{(]/gm);
const variablesIn = ({ code }: ScriptFile): string[] => namesIn(code, /(?<![\w$-])([a-z_]\w*)\+?=/g);
const isWordOf = (code: string, name: string): boolean => new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(code);

/** In a sentence, "(name)" follows a word. */
const calls = (code: string, name: string): boolean =>
  new RegExp(
    `(?:^|[;&|{]|(?<!\\w )\\(|\\$\\(|\\b(?:then|do|else|if|while|until|elif))[ \\t]*(?:! )?${name}(?= [^=)]|[;)]|$)`,
    "m",
  ).test(code);

const functions = new Set(files.flatMap(functionsIn));

/** Programs that have the name of a function of some script. */
const programs = ["pnpm", "start"];

/** Functions that are there without being named: those of every step with a prelude, and those of the code around a script. */
const around: Record<string, readonly string[]> = {
  "features/apps/scripts/keep-database.sh": ["ask", "database_size", "dump_database"],
  "features/apps/scripts/restore-database.sh": ["ask", "replace_database"],
  "features/deployments/steps/start-by-manager.sh": ["start_with", "has_script"],
  "features/deployments/steps/share-paths.sh": ["is_below"],
  "features/deployments/steps/reuse-frontend.sh": ["tool_versions"],
};

/** The functions that each file calls and does not define. */
const called = new Map(
  files.map((file) => {
    const code = withoutComments(file.code);
    const known = ["fail", ...programs, ...functionsIn(file), ...(around[file.name] ?? [])];
    return [file.name, [...functions].filter((name) => !known.includes(name) && calls(code, name))];
  }),
);

/** The functions that files of a composed script call and none of them defines. */
function missingIn(composed: readonly ScriptFile[]): string[] {
  const defined = new Set(composed.flatMap(functionsIn));
  return composed.flatMap(({ name: file }) =>
    (called.get(file) ?? []).filter((name) => !defined.has(name)).map((name) => `${file}: ${name}`),
  );
}

/** The used files of functions of which a script has neither a function nor a variable. */
const unneededIn = (file: ScriptFile): string[] =>
  file.uses
    .map(readScript)
    .filter(({ isFunctions }) => isFunctions)
    .filter(
      (used) =>
        ![...functionsIn(used), ...variablesIn(used)].some((name) => isWordOf(withoutComments(file.code), name)),
    )
    .map((used) => `${file.name}: ${used.name}`);

describe("the top of a script", () => {
  test("names all files whose functions it calls", () => {
    const used = new Set(files.flatMap(({ uses }) => uses.map(({ href }) => href)));
    const whole = files.filter(({ url }) => !used.has(url.href)).map(({ url }) => usedWith(url));
    assert.deepEqual([...new Set(whole.flatMap(missingIn))], []);
  });

  test("names no file that it does not need", () => assert.deepEqual(files.flatMap(unneededIn), []));

  test("lets shellcheck look for variables without a value", () => {
    const silenced = files.filter(({ url }) => readFileSync(url, "utf8").includes("SC2154"));
    assert.deepEqual(
      silenced.map(({ name }) => name),
      [],
    );
  });
});
