import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type ScriptFile, usedWith } from "../src/host/script-file.ts";

// Checks the scripts of src as they run on servers: each with the files that it uses, and with the values that these are given.

const root = join(import.meta.dirname, "..");

interface Finding {
  file: string;
  line: number;
  column: number;
  level: string;
  code: number;
  message: string;
}

/** Where a file's code begins, in the composed script and in the file. */
interface Place {
  file: ScriptFile;
  at: number;
  line: number;
}

interface Composed {
  text: string;
  places: Place[];
}

const lineCount = (text: string): number => text.split("\n").length;

/** The scripts that no other uses; those that others use are checked with each of these. */
function entries(): (readonly ScriptFile[])[] {
  const all = globSync("src/**/*.sh", { cwd: root }).map((path) => usedWith(pathToFileURL(join(root, path))));
  const used = new Set(all.flatMap((files) => files.slice(0, -1).map(({ name }) => name)));
  return all.filter((files) => !used.has((files.at(-1) as ScriptFile).name));
}

function composed(files: readonly ScriptFile[]): Composed {
  const sources = files.map(({ url }) => readFileSync(url, "utf8").trimEnd());
  const disabled = sources.flatMap((source) => /^# shellcheck shell=bash disable=(\S+)/.exec(source)?.[1] ?? []);
  const given = [...new Set(files.flatMap((file) => file.given))];
  // A program sets its own options.
  const isProgram = sources.at(-1)?.startsWith("#!");
  const head = [
    ...(disabled.length > 0 ? [`# shellcheck disable=${disabled.join(",")}`] : []),
    isProgram ? ":" : "set -euo pipefail",
    // Not constants, which conditions would be checked against.
    ...(given.length > 0 ? [`read -r ${given.join(" ")} < /dev/null`] : []),
  ];
  const places: Place[] = [];
  let at = head.length + 1;
  for (const [index, file] of files.entries()) {
    places.push({ file, at, line: lineCount(sources[index] as string) - lineCount(file.code) + 1 });
    at += lineCount(file.code);
  }
  return { text: `${[...head, ...files.map(({ code }) => code)].join("\n")}\n`, places };
}

/** What shellcheck finds in composed scripts, at the lines of their files. */
function findingsIn(scripts: readonly Composed[]): string[] {
  const directory = mkdtempSync(join(tmpdir(), "longshore-scripts-"));
  try {
    const paths = scripts.map(({ text }, index) => {
      const path = join(directory, `${index}.sh`);
      writeFileSync(path, text);
      return path;
    });
    const { stdout, error } = spawnSync("shellcheck", ["-s", "bash", "--format=json", ...paths], {
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    });
    if (error) throw new Error("shellcheck is needed: apt-get install shellcheck", { cause: error });
    const findings = JSON.parse(stdout) as Finding[];
    return [
      ...new Set(findings.map((finding) => described(finding, scripts[paths.indexOf(finding.file)] as Composed))),
    ];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function described({ line, column, level, code, message }: Finding, { places }: Composed): string {
  const place = places.findLast(({ at }) => at <= line);
  const where = place
    ? `src/${place.file.name}:${line - place.at + place.line}:${column}`
    : `src/${(places.at(-1) as Place).file.name}: the values that it is given`;
  return `${where}: ${level}: ${message} [SC${code}]`;
}

const findings = findingsIn(entries().map(composed));
process.stdout.write(findings.map((each) => `${each}\n`).join(""));
process.exitCode = findings.length === 0 ? 0 : 1;
