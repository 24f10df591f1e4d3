import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Plan } from "../src/engine/runs/plan.ts";
import { projectLayout } from "../src/host/layout.ts";
import { visitorSandbox } from "../src/host/systemd/sandbox.ts";
import { allPlans } from "./plans.ts";

// Root never uses a path that a project can write: such a path may lead anywhere by the time root uses it. A project owns
// directories that are entries of root's directories; root may create, hand over and remove these, and names nothing below
// them.

const { releases, shared, cache, home, sessions, mirror } = projectLayout(7);

// For any project and any release, also relative to the project's directory.
const owned = [`${releases}/[^/\\s"';]+`, shared, cache, home, sessions, mirror].map((path) =>
  path.replace("/srv/longshore/projects/7/", ""),
);
const ownedPath = `(?:\\S*/projects/\\d+/|["']?)(?:${owned.join("|")})`;

const below = new RegExp(`/projects/\\d+/(?:${owned.join("|")})/[^\\s"';)]`);
const entering = new RegExp(`\\bcd (?:-P )?(?:-- )?${ownedPath}`);
const recursive = new RegExp(
  `\\b(?:chown|chmod|chgrp|cp|tar)\\b.* -(?:\\w*[Rra]\\w*|-recursive)\\b.*(?:${owned.join("|")})`,
);
const commands = /\b(?:install|chown|chmod|chgrp|cp|mv|ln|tar|rm|mkdir|touch|cat|cd|source)\b|[<>]/;

/** What root's part of a plan does with paths that a project can write; one sentence each. */
function trespasses(plan: Plan): string[] {
  return plan.steps
    .filter(({ sandbox }) => sandbox === undefined)
    .flatMap(({ key, script, undo = "" }) =>
      [script, undo]
        .flatMap(withValues)
        .filter((line) => isTrespass(line))
        .map((line) => `${plan.kind}, ${key}: ${line.trim()}`),
    );
}

/** The lines of a script, with the values of the variables that its renderer sets: a path and what is below it are one word. */
function withValues(script: string): string[] {
  const values = new Map<string, string>();
  return script.split("\n").map((line) => {
    const [, name = "", quoted, plain = ""] = /^([a-z_]+)=(?:'([^']*)'|([^\s'"$`()]*))$/.exec(line) ?? [];
    if (name) values.set(name, quoted ?? plain);
    return line
      .replace(/\$(?:([a-z_]+)\b|\{([a-z_]+)(?::\?)?\})/g, (whole, bare, braced) => values.get(bare ?? braced) ?? whole)
      .replace(/(?<=\/projects\/\d[^\s"]*)"(?=\/)/g, "");
  });
}

const isTrespass = (line: string): boolean =>
  (below.test(line) && commands.test(line)) || entering.test(line) || recursive.test(line);

describe("root's steps", () => {
  it("touch nothing below a directory that a project can write, in any plan of any feature", () => {
    const found = allPlans.flatMap(trespasses);
    assert.deepEqual([...new Set(found)], []);
  });

  it("would be seen to do so by a variable", () => {
    const script = (line: string) => `release_directory=/srv/longshore/projects/7/releases/12\n${line}`;
    const lines = [
      'touch "$release_directory/x"',
      'touch "$release_directory"/x',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: bash, not a template
      'rm -rf -- "${release_directory:?}/x"',
      'cd -- "$release_directory"',
    ];
    assert.deepEqual(
      lines.filter((line) => !withValues(script(line)).some(isTrespass)),
      [],
    );
    assert.deepEqual(withValues(script('rm -rf -- "$release_directory"')).filter(isTrespass), []);
  });

  it("would be seen to do so", () => {
    const lines = [
      "install -d -o project-7 /srv/longshore/projects/7/home/tmp",
      "chown project-7: /srv/longshore/projects/7/releases/12/.env",
      "chown -R project-7: /srv/longshore/projects/7/shared",
      "cp x /srv/longshore/projects/7/cache/key/x",
      "rm -rf -- /srv/longshore/projects/7/releases/12/node_modules",
      "echo x > /srv/longshore/projects/7/sessions/x",
      "read -r key < /srv/longshore/projects/7/repository.git/HEAD",
      "cd -- /srv/longshore/projects/7/releases/12",
      "cd shared",
    ];
    assert.deepEqual(
      lines.filter((line) => !isTrespass(line)),
      [],
    );
    const fine = [
      "install -d -m 750 -o project-7 -g project-7 /srv/longshore/projects/7/releases/12",
      "rm -rf -- /srv/longshore/projects/7/releases/12",
      "cd -- /srv/longshore/projects/7/releases",
      "ln -sfn releases/12 current.new",
    ];
    assert.deepEqual(fine.filter(isTrespass), []);
  });
});

describe("a step", () => {
  it("has one clean-up: a second trap would take the place of the first", () => {
    const found = allPlans.flatMap(({ kind, steps }) =>
      steps.flatMap(({ key, script, undo = "" }) =>
        [script, undo]
          .map((text) => new Set(Array.from(text.matchAll(/^ *trap (\S+) EXIT/gm), ([, name]) => name)))
          .filter(({ size }) => size > 1)
          .map((names) => `${kind}, ${key}: ${[...names].join(", ")}`),
      ),
    );
    assert.deepEqual([...new Set(found)], []);
  });
});

describe("the plans of this test", () => {
  it("are of every kind that features make", () => {
    const root = join(import.meta.dirname, "../src/features");
    const sources = globSync("**/*.ts", { cwd: root }).filter((file) => !file.includes("tests/"));
    const named = sources.flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(/\bplan\(\s*"([a-z-]+)"|upToTheEnd\("([a-z-]+)"/g)].map(
        ([, kind, move]) => kind ?? move,
      ),
    );
    assert.ok(named.length > 20, `${named.length} kinds`);
    const missing = named.filter((kind) => !allPlans.some((plan) => plan.kind === kind));
    assert.deepEqual(missing, []);
  });

  it("have sandboxes for all that runs as another user", () => {
    const users = new Set(allPlans.flatMap(({ steps }) => steps.map(({ sandbox }) => sandbox?.user ?? "root")));
    assert.deepEqual([...users].sort(), [visitorSandbox.user, "project-7", "project-7-git", "root"]);
  });
});
