import { globSync, statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { relative, resolve } from "node:path";
import { PassThrough } from "node:stream";
import { spec } from "node:test/reporters";
import { parseArgs } from "node:util";
import { ensureBase, whyNoSandbox } from "../sandbox/base.ts";
import { messageOf } from "../sandbox/errors.ts";
import { ensurePackages } from "../sandbox/packages.ts";
import { installPackages, placesIn } from "../tools/console-build.ts";
import { changedFiles } from "./changed-files.ts";
import { type FileResult, type Filters, runFile, runFiles } from "./run-files.ts";
import { allTests, isApplication, isE2e, isOfConsole, standardTests, testsOfChange } from "./tiers.ts";

const root = resolve(import.meta.dirname, "..");

const usage = `Usage: ./longshore test [SELECTOR…] [OPTIONS]

Runs the tests that every change has to pass, or the selected ones:

  standard         as without a selector: unit tests, and the main job on real servers
  all              everything; of the real applications in test/e2e/applications six
  changed [BASE]   the tests of what changed since BASE: those of the changed folders, and the tests on real servers that
                   test/tiers.ts names for them. Default: where this branch left origin/main; on main itself, 12 hours ago
  unit, e2e        those that boot no server, or only those that do (*.e2e.test.ts, which need Linux and root)
  applications     all real applications
  FILE, DIRECTORY  these

Each file runs in a process of its own. A file that fails is run again at the end, alone: if it passes then, the run
passes, and its last lines name what was flaky.

  --test-name-pattern PATTERN   only tests whose name matches (may be given several times)
  --test-skip-pattern PATTERN   not those whose name matches
  --test-only                   only tests marked "only"
  --minutes N                   begin none but the standard ones after N minutes; the last lines name what was left out
  --json                        print {"passed", "failed", "skipped", "flaky"} as the last line

  LONGSHORE_TEST_CONCURRENCY    how many files run at once (one more than processors, at most 5)
  FAULT_MATRIX=complete         the fault matrix tries every fault at every step, for more than an hour
  FAULT_MATRIX_SEED             makes another choice of what it tries otherwise`;

/** The options of the command line. Throws a sentence about an unknown one. */
function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      "test-name-pattern": { type: "string", multiple: true, default: [] },
      "test-skip-pattern": { type: "string", multiple: true, default: [] },
      "test-only": { type: "boolean", default: false },
      minutes: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const filters: Filters = {
    names: values["test-name-pattern"],
    skips: values["test-skip-pattern"],
    only: values["test-only"],
  };
  const minutes = values.minutes === undefined ? undefined : Number(values.minutes);
  if (minutes !== undefined && !(minutes > 0)) throw new Error(`--minutes takes a number, not "${values.minutes}".`);
  return { filters, minutes, json: values.json, help: values.help, selectors: positionals };
}

const testFiles = (): string[] =>
  globSync("**/*.test.ts", { cwd: root, exclude: (name) => name === "node_modules" || name === ".longshore" }).sort();

async function selectFiles(selectors: readonly string[]): Promise<string[]> {
  const all = testFiles();
  const selected = new Set(selectors.length === 0 ? standardTests(all) : []);
  for (const [index, selector] of selectors.entries()) {
    // The word after "changed" is its base.
    if (selectors[index - 1] === "changed") continue;
    const files = selector === "changed" ? await changedTests(selectors[index + 1], all) : filesOf(selector, all);
    for (const file of files) selected.add(file);
  }
  return [...selected];
}

async function changedTests(base: string | undefined, all: readonly string[]): Promise<string[]> {
  const { files, since } = await changedFiles(root, base);
  const tests = testsOfChange(files, all);
  process.stdout.write(`${files.length} files changed since ${since}: ${tests.length} test files belong to them.\n`);
  return tests;
}

function filesOf(selector: string, all: readonly string[]): readonly string[] {
  if (selector === "standard") return standardTests(all);
  if (selector === "all") return allTests(all);
  if (selector === "unit") return all.filter((file) => !isE2e(file));
  if (selector === "e2e") return allTests(all).filter(isE2e);
  if (selector === "applications") return all.filter(isApplication);
  const path = [resolve(selector), resolve(root, selector)].find((each) => statSync(each, { throwIfNoEntry: false }));
  if (path === undefined) throw new Error(`There is no file, directory or group "${selector}".`);
  const below = relative(root, path);
  return statSync(path).isFile() ? [below] : all.filter((file) => below === "" || file.startsWith(`${below}/`));
}

const installing = "Installing what the web console is built with (once, about 20 s) …";

/** Installs what the files need; resolves with those that cannot run here. */
async function prepare(files: readonly string[]): Promise<string[]> {
  await ensurePackages(["git", "shellcheck", "nginx"], "the tests use them");
  // Before the tests, which would install it at the same time.
  if (files.some(isOfConsole)) await installPackages(placesIn(root), () => process.stderr.write(`${installing}\n`));
  const e2e = files.filter(isE2e);
  if (e2e.length === 0 || whyNoSandbox()) return e2e;
  await ensurePackages(["systemd-container", "mmdebstrap", "iptables", "wrk"], "e2e tests use them");
  // Once here, rather than in the first tests, where it would count against their time limits.
  await ensureBase();
  return [];
}

/** Prints the tests of each file at its end, and the failed ones again at the end of all. */
function openReport() {
  const events = new PassThrough({ objectMode: true });
  const printing = print(events.compose(new spec()));
  const add = (result: FileResult): void => {
    // The counts of each file would stand between the tests.
    for (const event of result.events) if (event.type !== "test:diagnostic") events.write(event);
  };
  const close = (): Promise<void> => {
    events.end();
    return printing;
  };
  return { add, close };
}

async function print(text: AsyncIterable<string>): Promise<void> {
  for await (const part of text) process.stdout.write(part);
}

interface Flaky {
  file: string;
  tests: readonly string[];
}

/** Runs the failed files again, each alone. Those that pass take the place of their former results. */
async function repeatFailed(results: FileResult[], filters: Filters): Promise<Flaky[]> {
  const flaky: Flaky[] = [];
  for (const [index, first] of results.entries()) {
    if (first.failed === 0) continue;
    process.stdout.write(`\nAgain, alone: ${first.file}\n`);
    const report = openReport();
    const second = await runFile(first.file, { filters, onResult: report.add });
    await report.close();
    results[index] = second;
    if (second.failed === 0) flaky.push({ file: first.file, tests: first.failedTests });
  }
  return flaky;
}

/** The slowest files, for those who want to shorten the run. */
function printSlowest(results: readonly FileResult[]): void {
  if (results.length < 2) return;
  process.stdout.write("\nThe slowest files:\n");
  for (const { file, durationMs } of results.toSorted((a, b) => b.durationMs - a.durationMs).slice(0, 20)) {
    process.stdout.write(`${(durationMs / 1_000).toFixed(1).padStart(8)} s  ${file}\n`);
  }
}

function printSkipped(results: readonly FileResult[]): void {
  const lines = results.flatMap(({ file, skippedTests }) => skippedTests.map((test) => `  ${file}: ${test}\n`));
  if (lines.length > 0) process.stdout.write(`\nSkipped:\n${lines.join("")}`);
}

function printNotRun(files: readonly string[], reason: string | undefined): void {
  if (files.length === 0) return;
  process.stdout.write(`\n${files.length} test files were not run. ${reason}\n`);
  for (const file of files) process.stdout.write(`  ${file}\n`);
}

const sum = (results: readonly FileResult[], key: "passed" | "failed" | "skipped"): number =>
  results.reduce((total, result) => total + result[key], 0);

async function main(): Promise<number> {
  const { filters, minutes, json, help, selectors } = readArguments();
  if (help) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  // One more than there are processors, since a test also waits. With many more, servers that start take so long that tests
  // run out of time, and nothing ends sooner.
  const concurrency = Number(process.env.LONGSHORE_TEST_CONCURRENCY ?? Math.min(availableParallelism() + 1, 5));
  // The variable is ours: platforms started by tests would read it as one of their settings.
  delete process.env.LONGSHORE_TEST_CONCURRENCY;
  const files = await selectFiles(selectors);
  const notRun = await prepare(files);
  const report = openReport();
  const runnable = files.filter((file) => !notRun.includes(file));
  const limit = minutes === undefined ? undefined : { minutes, exempt: new Set(standardTests(files)) };
  const { results, late } = await runFiles(runnable, { filters, concurrency, limit, onResult: report.add });
  await report.close();
  const flaky = await repeatFailed(results, filters);
  printSlowest(results);
  printNotRun(notRun, whyNoSandbox());
  printNotRun(late, `The time of ${minutes} minutes was over.`);
  printSkipped(results);
  const [passed, failed] = [sum(results, "passed"), sum(results, "failed")];
  const skipped = sum(results, "skipped") + notRun.length + late.length;
  if (flaky.length > 0) process.stdout.write("\n");
  for (const { file, tests } of flaky) {
    for (const test of tests) process.stdout.write(`flaky: ${file} › ${test}\n`);
  }
  process.stdout.write(`\n${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  const ranAny = passed + failed > 0;
  if (!ranAny) process.stderr.write("No test ran.\n");
  if (json)
    process.stdout.write(`${JSON.stringify({ passed, failed, skipped, flaky: flaky.map(({ file }) => file) })}\n`);
  return ranAny && failed === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 2;
}
