import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { commonFlags } from "../src/command.ts";
import { commands } from "../src/commands.ts";
import { prepared } from "../src/program.ts";
import { missingFeature } from "../src/session.ts";
import { fieldsOf } from "../src/verbs/api.ts";
import { commandOf } from "../src/verbs/run.ts";

const root = join(import.meta.dirname, "../..");

const run = (...args: string[]) =>
  spawnSync(process.execPath, [join(root, "cli/src/main.ts"), ...args], {
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: "/nonexistent", XDG_CONFIG_HOME: "/nonexistent" },
  });

describe("the command table", () => {
  it("names each command once, with an example, and each flag once", () => {
    const words = commands.map((command) => command.words);
    assert.equal(new Set(words).size, words.length);
    for (const { words: name, examples, flags = [] } of commands) {
      assert.ok(examples.length > 0, name);
      for (const { line } of examples) assert.ok(line.includes(`longshore ${name}`), line);
      const names = [...flags, ...commonFlags].flatMap(({ spec }) => spec.match(/(?<=^|\s)-{1,2}[\w-]+/g) ?? []);
      assert.equal(new Set(names).size, names.length, `${name}: ${names}`);
    }
  });

  it("is known to the launcher", () => {
    const launcher = readFileSync(join(root, "longshore"), "utf8");
    const [, passed = ""] = /^ {2}(login \|[^)]*)\)\n/m.exec(launcher) ?? [];
    const words = passed.split(/[\s|\\]+/).toSorted();
    assert.deepEqual(words, [...new Set(commands.map((command) => command.words.split(" ")[0] ?? ""))].toSorted());
  });

  it("loads each command", async () => {
    for (const { words, load } of commands) assert.equal(typeof (await load()), "function", words);
  });

  it("has the version of Longshore", () => {
    const versionIn = (file: string) =>
      (JSON.parse(readFileSync(join(root, file), "utf8")) as { version: string }).version;
    const dependenciesIn = (file: string) =>
      (JSON.parse(readFileSync(join(root, file), "utf8")) as { dependencies: Record<string, string> }).dependencies;
    assert.equal(versionIn("cli/package.json"), versionIn("package.json"));
    for (const [name, version] of Object.entries(dependenciesIn("cli/package.json"))) {
      assert.equal(dependenciesIn("package.json")[name], version);
    }
  });
});

describe("the program", () => {
  it("exits with 1 for wrong usage and 4 without a sign-in, and prints nothing on standard output", () => {
    for (const [args, status] of [
      [["deploy", "--no-such-flag"], 1],
      [["no-such-command"], 1],
      [["deployments", "show"], 1],
      [["completion", "tcsh"], 1],
      [["env", "set"], 1],
      [["projects"], 4],
      [["deploy", "shop"], 4],
    ] as const) {
      const ended = run(...args);
      assert.equal(ended.status, status, `${args.join(" ")}: ${ended.stderr}`);
      assert.equal(ended.stdout, "");
    }
  });

  it("prints a failure as JSON too with --json", () => {
    const { status, stdout } = run("projects", "--json");
    assert.equal(status, 4);
    assert.equal(JSON.parse(stdout).exit_status, 4);
  });

  it("takes the word after --json for fields only where it can be nothing else", () => {
    assert.deepEqual(prepared(["deploy", "--json", "shop"]).argv, ["deploy", "--json=", "shop"]);
    assert.deepEqual(prepared(["projects", "--json", "id,name"]).argv, ["projects", "--json", "id,name"]);
    assert.deepEqual(prepared(["run", "shop", "--", "ls", "--json"]), {
      argv: ["run", "shop"],
      rest: ["ls", "--json"],
    });
  });

  it("completes commands and flags in bash", () => {
    const script = run("completion", "bash").stdout;
    const complete = (line: string) => {
      const words = line.split(" ");
      const call = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _longshore; printf '%s\\n' "\${COMPREPLY[@]}"`;
      return execFileSync("bash", ["-c", `complete() { :; }\n${script}\n${call}`], { encoding: "utf8", cwd: "/" })
        .trim()
        .split("\n");
    };
    assert.deepEqual(complete("longshore depl"), ["deploy", "deployments"]);
    assert.deepEqual(complete("longshore deployments w"), ["watch"]);
    assert.deepEqual(complete("longshore deployments watch --time"), ["--timeout"]);
    assert.deepEqual(complete("longshore deploy --onc"), ["--once-per-commit"]);
    assert.match(run("completion", "zsh").stdout, /^#compdef longshore\n/);
    assert.match(run("completion", "fish").stdout, /complete -c longshore -n '__fish_use_subcommand' -a deploy/);
  });
});

describe("the fields of api", () => {
  it("are JSON, or text", () => {
    assert.deepEqual(
      fieldsOf(["id=1", "name=shop", "on=true", "none=null", 'text="1"', "a.b=2", "a.c=x=y", "list[]=1", "list[]=b"]),
      {
        ...{ id: 1, name: "shop", on: true, none: null, text: "1" },
        a: { b: 2, c: "x=y" },
        list: [1, "b"],
      },
    );
    assert.throws(() => fieldsOf(["nothing"]), /name=value/);
    assert.equal(Object.getPrototypeOf(fieldsOf(["__proto__.x=1"])), Object.prototype);
  });
});

describe("the command of run", () => {
  it("is a line for the shell, or words as they were typed", () => {
    assert.equal(commandOf(["ls | wc -l"]), "ls | wc -l");
    assert.equal(commandOf(["php", "artisan", "say", "it's $HOME"]), "php artisan say 'it'\\''s $HOME'");
    assert.throws(() => commandOf([]), /two dashes/);
  });
});

describe("an older installation", () => {
  const known = { version: "0.2.0", features: ["projects", "projects?q", "projects/{id}"], checkedAt: 0 };

  it("is not asked for what it does not have", () => {
    assert.equal(missingFeature(known, "GET /api/v1/projects", { query: { q: "x", page: 2 } }), undefined);
    assert.equal(missingFeature(known, "GET /api/v1/projects", { query: { q: "x", name: "y" } }), "projects?name");
    assert.equal(missingFeature(known, "GET /api/v1/projects", { query: { name: undefined } }), undefined);
    assert.equal(missingFeature(known, "GET /api/v1/projects/{projectId}", {}), undefined);
    assert.equal(missingFeature(known, "GET /api/v1/search", {}), "search");
    assert.equal(missingFeature(undefined, "GET /api/v1/search", {}), undefined);
  });
});
