import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { scriptsOf, shellcheck } from "../../../../test/shellcheck.ts";
import { type ProjectLayout, projectLayout } from "../../../host/layout.ts";
import { projectSandbox } from "../../../host/systemd/sandbox.ts";
import { runBash } from "../../../host/tests/bash.ts";
import { findFramework } from "../../projects/frameworks.ts";
import { type CommandProject, commandPlan } from "../plans.ts";

const node = findFramework(8);
assert.ok(node);

const projectIn = (layout: ProjectLayout, over: Partial<CommandProject> = {}): CommandProject => ({
  layout,
  directory: "",
  framework: node,
  maxMemoryMb: undefined,
  ...over,
});

const planOf = (command: string, over: Partial<CommandProject> = {}) =>
  commandPlan(projectIn(projectLayout(7), over), { command, timeoutSeconds: 60 });

test("a command is the project's own, ends after its time, and is not begun a second time", () => {
  const plan = planOf("true");
  const [step] = plan.steps;
  assert.equal(plan.steps.length, 1);
  assert.deepEqual(step?.sandbox, projectSandbox(projectLayout(7)));
  assert.deepEqual([step?.audience, step?.timeoutSeconds, step?.checkpoint], ["client", 60, true]);
  assert.equal(plan.pointOfNoReturn, step?.key);
});

test("a project's limit of memory holds for its commands, and for the heap of Node", () => {
  assert.equal(planOf("true", { maxMemoryMb: 512 }).limits?.memoryMax, "512M");
  assert.match(planOf("true", { maxMemoryMb: 512 }).steps[0]?.script ?? "", /NODE_OPTIONS\^=--max-old-space-size=384'/);
  assert.ok(!planOf("true").steps[0]?.script.includes("max-old-space"));
});

test("shellcheck is content with the script", () => {
  const plans = [planOf("true", { directory: "web app", maxMemoryMb: 512 }), planOf("true")];
  const scripts = plans.flatMap((each, at) =>
    Object.entries(scriptsOf(each)).map(([key, script]) => [`${at}-${key}`, script] as const),
  );
  const said = shellcheck(Object.fromEntries(scripts)).split("\n");
  // Warnings about words that are data, and about a file that is on the server.
  assert.deepEqual(
    said.filter((line) => line !== "" && !/\[SC(?:2016|2140|1091|1090)\]$/.test(line)),
    [],
  );
});

describe("the script", () => {
  let prefix: string;
  let layout: ProjectLayout;

  beforeEach(() => {
    prefix = mkdtempSync(join(tmpdir(), "longshore-commands-"));
    layout = projectLayout(7, prefix);
    for (const directory of [`${layout.releases}/12/web app`, `${layout.environments}/12`, layout.state]) {
      mkdirSync(directory, { recursive: true });
    }
    symlinkSync("releases/12", layout.current);
  });
  afterEach(() => rmSync(prefix, { recursive: true, force: true }));

  const run = (command: string, over: Partial<CommandProject> = {}) => {
    const [step] = commandPlan(projectIn(layout, over), { command, timeoutSeconds: 60 }).steps;
    return runBash({ script: step?.script ?? "" }, prefix);
  };

  test("runs the command in the live release's working directory, with its environment", async () => {
    writeFileSync(`${layout.environments}/12/environment-exports`, "export COLOR='deep blue'\n");
    const { code, stdout } = await run('pwd; echo "$COLOR $NODE_ENV $HOME"', { directory: "web app" });
    assert.deepEqual([code, stdout], [0, `${layout.releases}/12/web app\ndeep blue production ${layout.home}\n`]);
  });

  test("takes the command as it was written, and ends with its exit code", async () => {
    const { code, stdout } = await run(
      'false\necho "$NONE" | cat\nfor n in 1 2; do printf \'%s-\' "$n"; done # 100%\nexit 7',
    );
    assert.deepEqual([code, stdout], [7, "\n1-2-"]);
    assert.equal((await run("echo 'never closed")).code, 2);
  });

  test("reports what is missing, and runs nothing then", async () => {
    const nowhere = await run("echo ran", { directory: "nowhere" });
    assert.deepEqual([nowhere.code, nowhere.stdout], [75, ""]);
    assert.match(nowhere.stderr, /The live release has no directory nowhere\.\n$/);
    mkdirSync(layout.held);
    assert.match((await run("echo ran")).stderr, /^The project is being moved to another server\.$/m);
    rmSync(layout.held, { recursive: true });
    rmSync(layout.current);
    const { code, stdout, stderr } = await run("echo ran");
    assert.deepEqual([code, stdout, stderr], [75, "", "The project has no live release.\n"]);
  });
});
