import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, it } from "node:test";
import { runCommand } from "../sandbox/command.ts";
import { runFiles } from "./run-files.ts";

// The runner itself, on small files of tests.

let directory: string;

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "longshore-runner-"));
});

after(() => rm(directory, { recursive: true }));

const head = 'import { existsSync, writeFileSync } from "node:fs";\nimport { describe, it } from "node:test";\n';

/** Writes a file of tests, runs it, and resolves with the last lines of the runner. */
async function runnerOn(name: string, content: string): Promise<{ exitCode: number; lines: string[]; output: string }> {
  const file = join(directory, `${name}.test.ts`);
  await writeFile(file, `${head}const mark = ${JSON.stringify(join(directory, name))};\n${content}`);
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const { exitCode, stdout, stderr } = await runCommand(
    [process.execPath, "--disable-warning=ExperimentalWarning", resolve(import.meta.dirname, "run.ts"), file],
    { env },
  );
  return { exitCode, lines: stdout.trimEnd().split("\n"), output: `${stdout}${stderr}` };
}

const failsOnce = `it(name, () => { if (existsSync(mark)) return; writeFileSync(mark, ""); throw new Error("the first time"); });`;

it("passes when every test passes", async () => {
  const { exitCode, lines } = await runnerOn(
    "good",
    `it("one", () => {}); describe("more", () => it("two", () => {}));`,
  );
  assert.deepEqual([exitCode, lines.at(-1)], [0, "2 passed, 0 failed, 0 skipped"]);
});

it("runs a failed file again, and names the test that was flaky", async () => {
  const content = `it("steady", () => {}); describe("group", () => { const name = "wavers"; ${failsOnce} });`;
  const { exitCode, lines, output } = await runnerOn("flaky", content);
  assert.equal(exitCode, 0, output);
  assert.equal(lines.at(-1), "2 passed, 0 failed, 0 skipped");
  const named = lines.filter((line) => line.startsWith("flaky: "));
  assert.equal(named.length, 1, output);
  assert.match(named[0] as string, /flaky\.test\.ts › wavers$/);
  assert.match(output, /the first time/, "with the reason");
});

it("fails when a test fails twice", async () => {
  const { exitCode, lines } = await runnerOn(
    "bad",
    `it("broken", () => { throw new Error("always"); }); it("good", () => {});`,
  );
  assert.equal(exitCode, 1);
  assert.equal(lines.at(-1), "1 passed, 1 failed, 0 skipped");
  assert.ok(!lines.some((line) => line.startsWith("flaky: ")));
});

it("fails when the file itself fails, and when it has no test", async () => {
  const crashed = await runnerOn("crashed", `throw new Error("before any test");`);
  assert.deepEqual([crashed.exitCode, crashed.lines.at(-1)], [1, "0 passed, 1 failed, 0 skipped"], crashed.output);
  const empty = await runnerOn("empty", "void it; void describe;");
  assert.deepEqual([empty.exitCode, empty.lines.at(-1)], [1, "0 passed, 0 failed, 0 skipped"], empty.output);
});

it("begins after its time only what has to run, and tells what is left out", async () => {
  const needed = join(directory, "needed.test.ts");
  await writeFile(needed, `${head}it("passes", () => {});`);
  const limit = { minutes: 0, exempt: new Set([needed]) };
  const filters = { names: [], skips: [], only: false };
  const run = await runFiles([join(directory, "late.test.ts"), needed], {
    filters,
    limit,
    concurrency: 1,
    onResult: () => {},
  });
  assert.deepEqual(run.late, [join(directory, "late.test.ts")]);
  const begun = run.results.map(({ file }) => file);
  assert.deepEqual(begun, [needed]);
});

it("counts and names the skipped tests", async () => {
  const content = `it("later", { skip: "not yet" }, () => {}); describe("off", { skip: "no root" }, () => it("x", () => {})); it("good", () => {});`;
  const { exitCode, lines, output } = await runnerOn("skipped", content);
  assert.deepEqual([exitCode, lines.at(-1)], [0, "1 passed, 0 failed, 2 skipped"], output);
  assert.match(output, /skipped\.test\.ts: later \(not yet\)/);
});
