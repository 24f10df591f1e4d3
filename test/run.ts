import { once } from "node:events";
import { globSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { parseArgs } from "node:util";
import { ensureBase, whyNoSandbox } from "../sandbox/base.ts";
import { messageOf } from "../sandbox/errors.ts";
import { ensurePackages } from "../sandbox/packages.ts";

const root = resolve(import.meta.dirname, "..");
// A complete run of the fault matrix has the longest tests.
const testTimeoutMs = (process.env.FAULT_MATRIX === "complete" ? 30 : 10) * 60_000;
// Longer than any test may take without output (`lengthy` of test/e2e/support.ts): after that, a process hangs in which a test
// left something open.
const stallTimeoutMs = 32 * 60_000;

const applications = join(root, "test/e2e/applications");
// All together, the real applications would delay the tests of a change for too long.
const chosenApplications = join(applications, "chosen.e2e.test.ts");

// They take longest, so they start first: the run waits for what starts last. Those that set up fresh servers do not wait for
// the image of one, which the next ones make.
const longest = [
  "src/features/servers/orders/tests/storm-of-providers.test.ts",
  "src/features/servers/setup/tests/plans.e2e.test.ts",
  "src/features/servers/setup/tests/plans-data.e2e.test.ts",
  "test/postgresql.test.ts",
  "test/e2e/apps-move.e2e.test.ts",
  "test/e2e/apps-node.e2e.test.ts",
  "test/e2e/move.e2e.test.ts",
  "test/e2e/databases.e2e.test.ts",
  "test/e2e/applications/chosen.e2e.test.ts",
  "test/e2e/settings.e2e.test.ts",
  "test/e2e/balanced-projects.e2e.test.ts",
  "test/e2e/monitors.e2e.test.ts",
].map((file) => join(root, file));

const usage = `Usage: ./longshore test [unit | e2e | applications | FILE | DIRECTORY]… [OPTIONS]

Runs all tests, or those named. Files called *.e2e.test.ts or below test/e2e boot real servers; the rest are unit tests.
Of the real applications in test/e2e/applications six are among them; all are run by \`applications\`.

  --test-name-pattern PATTERN   only tests whose name matches (may be given several times)
  --test-skip-pattern PATTERN   not those whose name matches
  --test-only                   only tests marked "only"
  --json                        print {"passed", "failed", "skipped"} as the last line

  LONGSHORE_TEST_CONCURRENCY    how many files run at once (5)
  FAULT_MATRIX=complete         the fault matrix tries every fault at every step, for more than an hour
  FAULT_MATRIX_SEED             makes another choice of what it tries otherwise`;

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** The tests that skipped themselves, with their reasons. */
const skippedTests: string[] = [];

interface Filters {
  names: string[];
  skips: string[];
  only: boolean;
}

/** The options of the command line. Throws a sentence about an unknown one. */
function readArguments() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      "test-name-pattern": { type: "string", multiple: true, default: [] },
      "test-skip-pattern": { type: "string", multiple: true, default: [] },
      "test-only": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  const filters: Filters = {
    names: values["test-name-pattern"],
    skips: values["test-skip-pattern"],
    only: values["test-only"],
  };
  return { filters, json: values.json, help: values.help, selectors: positionals };
}

const allTestFiles = (): string[] =>
  globSync("**/*.test.ts", { cwd: root, exclude: (name) => name === "node_modules" || name === ".longshore" })
    .map((file) => join(root, file))
    .sort();

/** Those known to be the longest, then the e2e tests, then the many short ones, which fill the gaps at the end. */
function longestFirst(files: readonly string[]): string[] {
  const rank = (file: string): number => {
    if (longest.includes(file)) return longest.indexOf(file);
    return longest.length + (isE2e(file) ? 0 : 1);
  };
  return files.toSorted((a, b) => rank(a) - rank(b));
}

const isE2e = (file: string): boolean => {
  const path = relative(root, file);
  return path.endsWith(".e2e.test.ts") || path.startsWith("test/e2e/");
};

interface Selection {
  files: string[];
  /** Additional real applications, which run only when they are named. */
  leftOut: string[];
}

function selectFiles(selectors: readonly string[]): Selection {
  const all = allTestFiles();
  const selections = selectors.length === 0 ? [all] : selectors.map((selector) => filesOf(selector, all));
  const named = new Set(selections.filter((files) => files.every(isApplication)).flat());
  const selected = [...new Set(selections.flat())];
  const isWanted = (file: string) => !isApplication(file) || file === chosenApplications || named.has(file);
  return { files: selected.filter(isWanted), leftOut: selected.filter((file) => !isWanted(file)) };
}

const isApplication = (file: string): boolean => file.startsWith(`${applications}/`);

function filesOf(selector: string, all: readonly string[]): string[] {
  if (selector === "unit") return all.filter((file) => !isE2e(file));
  if (selector === "e2e") return all.filter(isE2e);
  if (selector === "applications") return all.filter(isApplication);
  const path = [resolve(selector), resolve(root, selector)].find((each) => statSync(each, { throwIfNoEntry: false }));
  if (path === undefined) throw new Error(`There is no file, directory or group "${selector}".`);
  if (statSync(path).isFile()) return [path];
  return all.filter((file) => file.startsWith(`${path}/`));
}

/** Runs the files, each in its own process, and reports while it does. */
async function runFiles(files: readonly string[], filters: Filters): Promise<Counts> {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  if (files.length === 0) return counts;
  // More than there are processors: most tests spend most of their time waiting.
  const { LONGSHORE_TEST_CONCURRENCY: concurrency = 5 } = process.env;
  // The variable is ours: platforms started by tests would read it as one of their settings.
  delete process.env.LONGSHORE_TEST_CONCURRENCY;
  const watchdog = new AbortController();
  const stream = run({
    files: longestFirst(files),
    cwd: root,
    concurrency: Number(concurrency),
    signal: watchdog.signal,
    only: filters.only,
    ...(filters.names.length > 0 ? { testNamePatterns: filters.names } : {}),
    ...(filters.skips.length > 0 ? { testSkipPatterns: filters.skips } : {}),
    execArgv: ["--disable-warning=ExperimentalWarning", `--test-timeout=${testTimeoutMs}`],
  });
  const times = new Map<string, number>();
  stream.on("test:summary", ({ file, counts: sum, duration_ms: duration }) => {
    // There is one for each file too; the total has no file.
    if (file !== undefined) return void times.set(file, duration);
    counts.passed += sum.passed;
    // The rest: failed, cancelled and timed out.
    counts.failed += sum.tests - sum.passed - sum.skipped - sum.todo;
    counts.skipped += sum.skipped + sum.todo;
  });
  // A file without a test (that matches the pattern) is reported as a passed test with its own name.
  stream.on("test:pass", ({ name, file, nesting, skip, details }) => {
    if (skip !== undefined) skippedTests.push(`${relative(root, file ?? "")}: ${name} (${skip})`);
    if (nesting === 0 && name === file) counts.passed -= 1;
    // The summary counts the tests of a skipped suite neither as tests nor as skipped.
    if (details.type === "suite" && skip !== undefined) counts.skipped++;
  });
  const stopWatching = abortWhenSilent(stream, watchdog);
  const report = stream.compose(new spec());
  report.pipe(process.stdout, { end: false });
  await once(report, "end");
  stopWatching();
  if (files.length > 1) tellSlowest(times);
  return counts;
}

/** The slowest parts, for those who want to shorten the run. */
function tellSlowest(times: ReadonlyMap<string, number>): void {
  process.stdout.write("\nThe slowest files:\n");
  for (const [file, duration] of [...times].sort(([, a], [, b]) => b - a).slice(0, 20)) {
    process.stdout.write(`${(duration / 1_000).toFixed(1).padStart(8)} s  ${relative(root, file)}\n`);
  }
}

function abortWhenSilent(stream: NodeJS.EventEmitter, watchdog: AbortController): () => void {
  const timer = setTimeout(() => {
    process.stderr.write(`No output for ${stallTimeoutMs / 60_000} minutes: the files that still run are stopped.\n`);
    watchdog.abort();
  }, stallTimeoutMs);
  stream.on("data", () => timer.refresh());
  return () => clearTimeout(timer);
}

/** Installs what the files need; resolves with those that cannot run here. */
async function prepare(files: readonly string[]): Promise<string[]> {
  await ensurePackages(["git", "shellcheck", "nginx"], "the tests use them");
  const e2e = files.filter(isE2e);
  if (e2e.length === 0 || whyNoSandbox()) return e2e;
  await ensurePackages(["systemd-container", "mmdebstrap", "iptables", "wrk"], "e2e tests use them");
  // Once here, rather than in the first tests, where it would count against their time limits.
  await ensureBase();
  return [];
}

function tellSkipped(): void {
  if (skippedTests.length === 0) return;
  process.stdout.write("\nSkipped:\n");
  for (const test of skippedTests) process.stdout.write(`  ${test}\n`);
}

function tellLeftOut(files: readonly string[]): void {
  if (files.length === 0) return;
  process.stdout.write("\nRun by `./longshore test applications` alone:\n");
  for (const file of files) process.stdout.write(`  ${relative(root, file)}\n`);
}

function tellNotRun(files: readonly string[]): void {
  if (files.length === 0) return;
  process.stdout.write(`\n${files.length} e2e test files were not run. ${whyNoSandbox()}\n`);
  for (const file of files) process.stdout.write(`  ${relative(root, file)}\n`);
}

async function main(): Promise<number> {
  const { filters, json, help, selectors } = readArguments();
  if (help) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  const { files, leftOut } = selectFiles(selectors);
  const notRun = await prepare(files);
  const counts = await runFiles(
    files.filter((file) => !notRun.includes(file)),
    filters,
  );
  counts.skipped += notRun.length;
  tellNotRun(notRun);
  tellLeftOut(leftOut);
  tellSkipped();
  process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
  const ranAny = counts.passed + counts.failed > 0;
  if (!ranAny) process.stderr.write("No test ran.\n");
  if (json) process.stdout.write(`${JSON.stringify(counts)}\n`);
  return ranAny && counts.failed === 0 ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exitCode = 2;
}
