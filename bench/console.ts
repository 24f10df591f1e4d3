import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { mustRun } from "../sandbox/command.ts";
import { messageOf } from "../src/lib/errors.ts";
import { admin, type Platform, startProcess } from "../stage/fixture.ts";
import { createProject, installed } from "../stage/projects.ts";
import { build, digestOfSources, placesIn } from "../tools/console-build.ts";
import { type ConsoleSize, sizeLimits, sizeOf } from "../tools/console-size.ts";
import { type Benchmark, type Measurement, median, type Result, type Session, secondsOf } from "./benchmark.ts";
import { prepareStage, startBenchPlatform } from "./stage.ts";
import { memoryOf } from "./start.ts";

const rounds = 5;
const streams = { accounts: 5, each: 100 };
/** How long a process is left alone before its memory is read. */
const idleMs = 10_000;
const root = join(import.meta.dirname, "..");

export const consoleBenchmark: Benchmark = {
  name: "console",
  what: "the web console: what its pages load and take in a browser, its build, and what serving it costs",
  comparedTo: "the limit of each",
  async run(session) {
    session.update("building the console");
    await mustRun([join(root, "longshore"), "console", "build"]);
    const size = await sizeOf(placesIn(root).dist);
    const result: Result = { measurements: sizes(size), failures: tooLarge(size) };
    for (const part of [timeOfBuild, costOfServing, pagesInBrowser, firstLine]) {
      // A part that fails takes nothing from the others.
      const found = await part(session).catch(
        (error: unknown): Found => ({ measurements: [], failures: [messageOf(error)] }),
      );
      result.measurements.push(...found.measurements);
      result.failures.push(...(found.failures ?? []));
      if (found.table) result.table = found.table;
    }
    return result;
  },
};

/** What one part of the benchmark found. */
type Found = Pick<Result, "measurements"> & Partial<Result>;

const limited = (what: string, unit: Measurement["unit"], value: number, limit: number): Measurement => ({
  what,
  unit,
  value,
  compared: [{ to: "limit", value: limit }],
});

function sizes({ firstScreen, routes: [largest] }: ConsoleSize): Measurement[] {
  const kilobytes = (bytes = 0): number => bytes / 1_000;
  return [
    limited(
      "JavaScript of the first screen, gzip",
      "KB",
      kilobytes(firstScreen.bytes),
      kilobytes(sizeLimits.firstScreen),
    ),
    limited(
      `of the largest other page (${largest?.name})`,
      "KB",
      kilobytes(largest?.bytes),
      kilobytes(sizeLimits.route),
    ),
  ];
}

const tooLarge = ({ firstScreen, routes }: ConsoleSize): string[] =>
  [
    ...(firstScreen.bytes > sizeLimits.firstScreen ? [firstScreen] : []),
    ...routes.filter(({ bytes }) => bytes > sizeLimits.route),
  ].map(({ name, bytes }) => `${name} loads ${bytes} bytes of JavaScript.`);

async function timeOfBuild(session: Session): Promise<Found> {
  const seconds: number[] = [];
  for (let round = 1; round <= 3; round++) {
    session.update(`building the console, round ${round} of 3`);
    // Files are moved there, which needs the same disk.
    const dist = join(placesIn(root).modules, ".measured");
    seconds.push(await secondsOf(() => build({ ...placesIn(root), dist }, digestOfSources(root))));
    await rm(dist, { recursive: true });
  }
  return { measurements: [limited("build with all packages installed, median of 3", "s", median(seconds), 10)] };
}

// Serving -----------------------------------------------------------------------------------------------------------------

async function costOfServing(session: Session): Promise<Found> {
  const dataDirectory = join(session.directory, "serving");
  session.update("starting the platform without the console");
  const without = await served(session, dataDirectory, { LONGSHORE_CONSOLE: "off" });
  const [starts, memory]: [number[], number[]] = [[], []];
  for (let round = 1; round <= rounds; round++) {
    session.update(`starting the platform with the console, round ${round} of ${rounds}`);
    const { seconds, megabytes } = await served(session, dataDirectory);
    starts.push(seconds);
    memory.push(megabytes);
  }
  const count = streams.accounts * streams.each;
  return {
    measurements: [
      limited("`up` with a built console until it answers", "s", median(starts), 2.5),
      limited("more memory (PSS) after all of it was served", "MB", median(memory) - without.megabytes, 5),
      limited(`more memory (PSS) with ${count} streams of events`, "MB", await ofStreams(session), 150),
    ],
  };
}

/** Starts a platform, fetches the whole console from it if it serves one, and stops it. */
async function served(session: Session, dataDirectory: string, env: Record<string, string> = {}) {
  const platform = await startProcess({ dataDirectory, env });
  session.cleanUp(platform.stop);
  if (env.LONGSHORE_CONSOLE !== "off") await fetchAll(platform.url);
  await pause(idleMs);
  const { megabytes } = await memoryOf(platform.pid);
  await platform.stop();
  return { seconds: platform.readyAfterMs / 1_000, megabytes };
}

async function fetchAll(url: string): Promise<void> {
  const { files } = JSON.parse(await readFile(join(placesIn(root).dist, "build.json"), "utf8")) as { files: object };
  for (const path of ["", ...Object.keys(files)]) {
    const response = await fetch(`${url}/${path}`, { headers: { Accept: "text/html,*/*" } });
    if (!response.ok) throw new Error(`/${path} was answered with ${response.status}.`);
    await response.arrayBuffer();
  }
}

/** A browser holds one, of all its tabs; an account may have a hundred. */
async function ofStreams(session: Session): Promise<number> {
  const platform = await startBenchPlatform(session, {}, "streams");
  const tokens: string[] = [];
  for (let at = 1; at <= streams.accounts; at++) tokens.push(await tokenOfMember(platform, at));
  await pause(idleMs);
  const before = (await memoryOf(platform.pid)).megabytes;
  session.update("opening streams of events");
  const ended = new AbortController();
  const open = tokens.flatMap((token) =>
    Array.from({ length: streams.each }, () => openStream(platform, token, ended)),
  );
  await Promise.all(open);
  await pause(idleMs);
  const after = (await memoryOf(platform.pid)).megabytes;
  ended.abort();
  await platform.stop();
  return after - before;
}

async function tokenOfMember({ dataDirectory, organizationId }: Platform, number: number): Promise<string> {
  const [email, organization] = [`member-${number}@example.com`, String(organizationId)];
  const membership = ["--organization", organization, "--role", "Member"];
  await admin(dataDirectory, ["user", "--email", email, "--name", `Member ${number}`, ...membership]);
  const rights = ["--permissions", "*", "--organization", organization];
  const { token } = await admin(dataDirectory, ["token", "--email", email, "--name", "bench", ...rights]);
  return String(token);
}

async function openStream({ url }: Platform, token: string, { signal }: AbortController): Promise<void> {
  const response = await fetch(`${url}/api/v1/events`, { headers: { Authorization: `Bearer ${token}` }, signal });
  if (!response.ok) throw new Error(`A stream of events was refused with ${response.status}.`);
}

// In a browser ------------------------------------------------------------------------------------------------------------

/** Has `console/test/measure.ts` measure; it prints one object. */
const inBrowser = async <Answer>(args: string[], input = ""): Promise<Answer> =>
  JSON.parse(await mustRun([process.execPath, join(root, "console/test/measure.ts"), ...args], { input })) as Answer;

interface Pages {
  firstRowsMs: number;
  typingMs: number;
  jumpMs: number;
  lineMs: number;
  logHeapMb: number;
  lighthouse: { page: string; scores: Record<string, number> }[] | { failed: string };
}

async function pagesInBrowser(session: Session): Promise<Found> {
  session.update("measuring pages in a browser");
  const found = await inBrowser<Pages>(["pages"]);
  const measurements = [
    limited("first rows of 10,000 projects, from the navigation", "ms", found.firstRowsMs, 1_000),
    limited("a key in their filter, until the next frame", "ms", found.typingMs, 50),
    limited("a jump to rows that were not read, until they are shown", "ms", found.jumpMs, 100),
    { what: "a line of a log, from when it is stored until it is shown", unit: "ms", value: found.lineMs } as const,
    limited("heap of a tab with a log of 100 MB", "MB", found.logHeapMb, 120),
  ];
  return { measurements, table: tableOf(found.lighthouse) };
}

function tableOf(lighthouse: Pages["lighthouse"]): NonNullable<Result["table"]> {
  const what = "Lighthouse, desktop";
  if ("failed" in lighthouse) return { head: [what], rows: [[`not measured: ${lighthouse.failed.split("\n")[0]}`]] };
  const names = Object.keys(lighthouse[0]?.scores ?? {});
  const rows = lighthouse.map(({ page, scores }) => [page, ...names.map((name) => String(scores[name]))]);
  return { head: [what, ...names], rows };
}

async function firstLine(session: Session): Promise<Found> {
  const { platform, server, serverId, git } = await prepareStage(session);
  const project = await createProject({ platform, server, serverId, git, kind: "static", environment: "" });
  await installed(platform.client, project);
  // What is done is folded: its lines are shown while it runs.
  const body = { custom_commands: { custom: "echo Building; sleep 2" } };
  await platform.client("PUT /api/v1/projects/{id}", { params: { id: project.id }, body });
  session.update("deploying from a browser");
  const { code } = await admin(platform.dataDirectory, ["sign-in-link", "--email", platform.email]);
  const address = `${platform.url}/o/${platform.organizationId}/projects/${project.id}`;
  const link = `${platform.url}/sign-in#${code}`;
  const { firstLineMs } = await inBrowser<{ firstLineMs: number }>(["deploy", address], link);
  const what = 'from pressing "Deploy" until the first line of the log is shown';
  return { measurements: [limited(what, "ms", firstLineMs, 500)] };
}
