import { join, resolve } from "node:path";
import { run } from "node:test";
import type { TestEvent } from "node:test/reporters";
import { openSharedStage } from "../stage/stage.ts";
import { inOrder, sharesServer } from "./tiers.ts";

const root = join(import.meta.dirname, "..");

// A complete run of the fault matrix has the longest tests.
const testTimeoutMs = (process.env.FAULT_MATRIX === "complete" ? 30 : 10) * 60_000;
// Longer than any test may take without output (`lengthy` of stage/support.ts): after that, a process hangs in which a test
// left something open.
const silenceTimeoutMs = 32 * 60_000;

export interface Filters {
  names: readonly string[];
  skips: readonly string[];
  only: boolean;
}

export interface FileResult {
  file: string;
  passed: number;
  failed: number;
  skipped: number;
  durationMs: number;
  /** The tests that skipped themselves, with their reasons. */
  skippedTests: string[];
  failedTests: string[];
  /** Everything that the file's tests reported, for a reporter of node:test. */
  events: TestEvent[];
}

export interface RunOptions {
  filters: Filters;
  /** How many files run at once. */
  concurrency: number;
  /** No file but these starts after this many minutes. */
  limit?: { minutes: number; exempt: ReadonlySet<string> } | undefined;
  /** Called at the end of each file. */
  onResult: (result: FileResult) => void;
}

/**
 * Runs the files, each in a process of its own; those that share a server one after the other. Resolves with the results, and
 * with the files that were not begun in time.
 */
export async function runFiles(
  files: readonly string[],
  options: RunOptions,
): Promise<{ results: FileResult[]; late: string[] }> {
  const { limit } = options;
  const results: FileResult[] = [];
  const late: string[] = [];
  const end = performance.now() + (limit ? limit.minutes * 60_000 : Number.POSITIVE_INFINITY);
  const lanes = lanesOf(files, limit?.exempt).values();
  const work = async () => {
    for (const lane of lanes) {
      const isLate = performance.now() >= end && !lane.some((file) => limit?.exempt.has(file));
      if (isLate) late.push(...lane);
      else results.push(...(await runLane(lane, options)));
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, work));
  return { results, late };
}

/** Files that run in turn. */
type Lane = readonly string[];

function lanesOf(files: readonly string[], exempt: ReadonlySet<string> = new Set(files)): Lane[] {
  const ordered = inOrder(files, exempt);
  return [
    ...sharingLanes(ordered.filter((file) => exempt.has(file))),
    ...sharingLanes(ordered.filter((file) => !exempt.has(file))),
  ];
}

function sharingLanes(files: readonly string[]): Lane[] {
  const sharing = sharesServer.filter((file) => files.includes(file));
  if (sharing.length < 2) return files.map((file) => [file]);
  // This lane takes longer than any single file, so it starts first.
  return [sharing, ...files.filter((file) => !sharing.includes(file)).map((file) => [file])];
}

async function runLane(lane: Lane, options: RunOptions): Promise<FileResult[]> {
  if (lane.length === 1) return [await runFile(lane[0] as string, options)];
  const stage = await openSharedStage();
  const interrupt = () => void stage.close().finally(() => process.exit(130));
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  try {
    const results: FileResult[] = [];
    for (const file of lane) results.push(await runFile(file, options, stage.env));
    return results;
  } finally {
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
    await stage.close();
  }
}

/** Runs one file in a process of its own; resolves with its result also when tests fail. */
export async function runFile(
  file: string,
  { filters, onResult }: Omit<RunOptions, "concurrency">,
  env: Record<string, string> = {},
): Promise<FileResult> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), silenceTimeoutMs);
  const stream = run({
    files: [resolve(root, file)],
    cwd: root,
    concurrency: 1,
    signal: silence.signal,
    only: filters.only,
    env: { ...process.env, ...env },
    ...(filters.names.length > 0 ? { testNamePatterns: filters.names } : {}),
    ...(filters.skips.length > 0 ? { testSkipPatterns: filters.skips } : {}),
    execArgv: ["--disable-warning=ExperimentalWarning", `--test-timeout=${testTimeoutMs}`],
  });
  const events: TestEvent[] = [];
  for await (const event of stream) {
    timer.refresh();
    events.push(event as TestEvent);
  }
  clearTimeout(timer);
  const result = resultOf(file, events);
  onResult(result);
  return result;
}

function resultOf(file: string, events: TestEvent[]): FileResult {
  const result: FileResult = {
    file,
    passed: 0,
    failed: 0,
    skipped: 0,
    durationMs: 0,
    skippedTests: [],
    failedTests: [],
    events,
  };
  for (const { type, data } of events) {
    // There is one for the file too; the total has no file.
    if (type === "test:summary" && data.file === undefined) addSummary(result, data);
    if (type === "test:pass") addPass(result, data);
    // The suites around a failed test fail too.
    if (type === "test:fail" && !isOfSubtests(data.details.error)) result.failedTests.push(data.name);
  }
  return result;
}

type DataOf<Type extends TestEvent["type"]> = Extract<TestEvent, { type: Type }>["data"];

function addSummary(result: FileResult, { counts, duration_ms }: DataOf<"test:summary">): void {
  result.passed += counts.passed;
  // The rest: failed, cancelled and timed out.
  result.failed += counts.tests - counts.passed - counts.skipped - counts.todo;
  result.skipped += counts.skipped + counts.todo;
  result.durationMs = duration_ms;
}

function addPass(result: FileResult, { name, file, nesting, skip, details }: DataOf<"test:pass">): void {
  if (skip !== undefined) result.skippedTests.push(`${name} (${skip})`);
  // A file without a test (that matches the pattern) is reported as a passed test with its own name.
  if (nesting === 0 && name === file) result.passed -= 1;
  // The summary counts the tests of a skipped suite neither as tests nor as skipped.
  if (details.type === "suite" && skip !== undefined) result.skipped += 1;
}

const isOfSubtests = (error: Error & { failureType?: string }): boolean => error.failureType === "subtestsFailed";
