import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { environmentSecrets, renderExports, unsettableError, type Variable } from "../environment.ts";
import { exportsFile, withEnvironment } from "../with-environment.ts";

let directory: string;
before(() => {
  directory = mkdtempSync(join(tmpdir(), "longshore-with-environment-"));
});
after(() => rmSync(directory, { recursive: true }));

const base = { PATH: "/opt/release/bin:/usr/local/bin:/usr/bin:/bin", HOME: "/nonexistent" };

/** What a command sees that runs with the variables. */
function seenBy(
  command: readonly string[],
  variables: readonly Variable[],
  settings: readonly string[] = [],
  env: NodeJS.ProcessEnv = base,
): Map<string, string> {
  const file = join(directory, exportsFile);
  writeFileSync(file, renderExports(variables));
  const [program = "", ...words] = withEnvironment;
  const done = spawnSync(program, [...words, file, ...settings, "--", ...command], { env });
  assert.equal(done.status, 0, String(done.stderr));
  const parts = String(done.stdout).split("\0").slice(0, -1);
  return new Map(parts.map((part) => [part.slice(0, part.indexOf("=")), part.slice(part.indexOf("=") + 1)]));
}

const print = "env -0; :";
const throughBash = ["bash", "-c", print];
// As npm runs scripts.
const throughSh = ["bash", "-c", `sh -c '${print}'; :`];

const values = [
  "",
  "1000",
  "-n",
  "--",
  "a b",
  "'",
  "\"$(id)\"'\\''`id`",
  "a\nexport B=2\nUID=1",
  "ä日本🦆",
  "\\",
  "x=y",
  "\r\n\t",
  "*",
];

describe("a command with a project's environment", () => {
  test("has each variable as it was set, whatever its name and its value are, or it cannot be set", () => {
    const { stdout } = spawnSync("bash", ["-c", "compgen -v"], { encoding: "utf8", env: { PATH: base.PATH } });
    const names = [
      ...stdout.trim().split("\n"),
      ..."UID EUID PPID IFS HOME BASH_ENV ENV LD_LIBRARY_PATH NODE_OPTIONS PS4 CDPATH GIT_DIR GIT_CONFIG_COUNT npm_config_x CI PORT".split(
        " ",
      ),
      ..."PERL5LIB LC_ALL LANG TZ TMPDIR MAIL file names _x a A1 RANDOM SHLVL PWD OLDPWD TMOUT POSIXLY_CORRECT GLOBIGNORE".split(
        " ",
      ),
    ];
    let arrived = 0;
    for (const name of new Set(names)) {
      // PATH is the next test's; bash as root does not take PS4 from its environment.
      for (const value of name === "PATH" || (name === "PS4" && userInfo().uid === 0) ? [] : values) {
        const variables = [{ name, value }];
        if (unsettableError(variables) !== undefined) continue;
        for (const command of [throughBash, throughSh]) {
          // Shells read a file that this variable names.
          if (name === "LC_ALL" || name === "LANG") continue;
          assert.equal(seenBy(command, variables).get(name), value, `${name}=${JSON.stringify(value)}`);
          arrived++;
        }
      }
    }
    assert.ok(arrived > 500, String(arrived));
    for (const name of ["PPID", "IFS", "BASHOPTS", "SHELLOPTS", "PWD"]) {
      const wrong = seenBy(throughSh, [{ name, value: "7" }]).get(name);
      assert.notEqual(wrong, "7");
      assert.match(
        unsettableError([
          { name: "A", value: "" },
          { name, value: "7" },
        ]) ?? "",
        new RegExp(`^${name} cannot be set`),
      );
    }
  });

  test("has many at once, of a text as it was written", () => {
    const text = values.map((value, at) => `V${at}="${value.replace(/["\\$`]/g, "\\$&")}"`).join("\n");
    const { "environment-exports": exports } = environmentSecrets(`${text}\napp.url='x y'\nmail-from=me\n`);
    writeFileSync(join(directory, exportsFile), exports);
    const seen = seenBy(
      ["env", "-0"],
      [...values.map((value, at) => ({ name: `V${at}`, value })), { name: "app.url", value: "x y" }],
    );
    for (const [at, value] of values.entries()) assert.equal(seen.get(`V${at}`), value);
    assert.equal(seen.get("app.url"), "x y");
    const quotes = "it's ".repeat(20_000);
    assert.equal(seenBy(["env", "-0"], [{ name: "LONG", value: quotes }]).get("LONG"), quotes);
  });

  test("finds the release's programs first, then those of the project's PATH, and the system's in any case", () => {
    const seen = seenBy(throughBash, [{ name: "PATH", value: "/opt/tools" }]);
    assert.equal(seen.get("PATH"), "/opt/release/bin:/opt/tools:/usr/local/bin:/usr/bin:/bin");
    const own = seenBy(["/usr/bin/env", "-0"], [{ name: "PATH", value: "/opt/tools" }], [], { PATH: "/usr/bin" });
    assert.equal(own.get("PATH"), "/usr/bin:/opt/tools");
  });

  test("has the platform's settings: defaults give way, in capitals too, others do not", () => {
    const settings = ["CI?=true", "npm_config_fund?=false", "A=platform's", "NODE_OPTIONS^=--max-old-space-size=96"];
    const env = { ...base, npm_config_update_notifier: "false" };
    const none = seenBy(throughBash, [], settings, env);
    for (const [name, value] of Object.entries({
      CI: "true",
      npm_config_fund: "false",
      npm_config_update_notifier: "false",
      A: "platform's",
      NODE_OPTIONS: "--max-old-space-size=96",
    })) {
      assert.equal(none.get(name), value);
    }
    const own = [
      { name: "CI", value: "" },
      { name: "NPM_CONFIG_FUND", value: "true" },
      { name: "NPM_CONFIG_UPDATE_NOTIFIER", value: "true" },
      { name: "A", value: "own" },
      { name: "NODE_OPTIONS", value: "--title=x" },
    ];
    const seen = seenBy(throughBash, own, settings, env);
    assert.deepEqual(
      ["CI", "NPM_CONFIG_FUND", "npm_config_fund", "npm_config_update_notifier", "A", "NODE_OPTIONS"].map((name) =>
        seen.get(name),
      ),
      ["", "true", undefined, undefined, "platform's", "--max-old-space-size=96 --title=x"],
    );
    const some = seenBy(throughBash, own, ["~^npm_config_"], env);
    assert.deepEqual([some.get("NPM_CONFIG_FUND"), some.has("A"), some.has("CI")], ["true", false, false]);
  });

  test("that cannot be started is named, and a file that is missing holds nothing", () => {
    const [program = "", ...words] = withEnvironment;
    const start = (...rest: string[]) => spawnSync(program, [...words, ...rest], { encoding: "utf8", env: base });
    const none = start(join(directory, "none"), "--", "/nonexistent/program");
    assert.deepEqual(
      [none.status, none.stderr],
      [127, "/nonexistent/program could not be started: No such file or directory.\n"],
    );
    assert.equal(start(join(directory, "none"), "--", "printf", "%s|", "-n", "a b", "--").stdout, "-n|a b|--|");
  });
});

describe("variables that no process can have", () => {
  test("are refused by their length alone and together", () => {
    const value = "x".repeat(131_071 - "LONG=".length);
    assert.equal(unsettableError([{ name: "LONG", value }]), undefined);
    assert.equal(seenBy(["env", "-0"], [{ name: "LONG", value }]).get("LONG"), value);
    assert.match(unsettableError([{ name: "LONG", value: `${value}x` }]) ?? "", /^LONG is too long/);
    assert.match(unsettableError([{ name: "WIDE", value: "ä".repeat(70_000) }]) ?? "", /^WIDE is too long/);
    const many = Array.from({ length: 9 }, (_, at) => ({ name: `V${at}`, value: "x".repeat(130_000) }));
    assert.match(unsettableError(many) ?? "", /^V8 is one too many/);
    assert.equal(unsettableError(many.slice(1)), undefined);
  });
});
