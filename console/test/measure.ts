// Measures pages of the console in a browser, and prints what it found as JSON; `./longshore bench console` runs it.
//   node console/test/measure.ts pages                     of a control plane in this process
//   node console/test/measure.ts deploy PROJECT            of a running one: the address of a project; a link that signs in is
//                                                          read from standard input
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import type { Browser, Page } from "playwright-core";
import { mustRun } from "../../sandbox/command.ts";
import { addProject, addProvisioned } from "../../src/features/deployments/tests/support.ts";
import { freePort } from "../../stage/free-port.ts";
import { openBrowser, openSharedBrowser } from "./browser.ts";
import { fillProjects } from "./many-projects.ts";
import { begin, fill, print, startStep } from "./printed-log.ts";
import { openSession, openStage, type Stage } from "./stage.ts";

/** The median in milliseconds, and in megabytes. */
interface Measured {
  firstRowsMs: number;
  typingMs: number;
  jumpMs: number;
  lineMs: number;
  logHeapMb: number;
  lighthouse: PageScores[] | { failed: string };
}

interface PageScores {
  page: string;
  scores: Record<string, number>;
}

/** It is too large to depend on, with all that it needs. */
const lighthouse = "lighthouse@13.5.0";
const rounds = 7;
const projectsCount = 10_000;
const logMb = 100;

const { positionals } = parseArgs({ allowPositionals: true });
const [what, project = ""] = positionals;
const found = what === "deploy" ? await withBrowser(measureDeploy) : await measurePages();
process.stdout.write(`${JSON.stringify(found)}\n`);
process.exit();

async function withBrowser<Value>(use: (browser: Browser) => Promise<Value>): Promise<Value> {
  const browser = await openBrowser();
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}

async function measurePages(): Promise<Measured> {
  const stage = await openStage();
  try {
    await fillProjects(stage, projectsCount);
    const page = await stage.signIn("alice", "/account");
    const list = `/o/${stage.cast.organizationId}/projects`;
    return {
      firstRowsMs: await medianOf(() => firstRowsMs(page, list)),
      typingMs: await typingMs(page),
      jumpMs: await jumpMs(page),
      ...(await measureLogs(stage, page)),
      lighthouse: await lighthouseOf(stage, ["/sign-in", `/o/${stage.cast.organizationId}`]),
    };
  } finally {
    await stage.close();
  }
}

async function medianOf(measure: (round: number) => Promise<number>): Promise<number> {
  const values: number[] = [];
  // The first round warms caches and does not count.
  for (let round = 0; round <= rounds; round++) values.push(await measure(round));
  return values.slice(1).sort((a, b) => a - b)[(rounds - 1) / 2] as number;
}

// The list of 10,000 projects ---------------------------------------------------------------------------------------------

/** From the start of the navigation until the first row of the list is painted. */
async function firstRowsMs(page: Page, list: string): Promise<number> {
  await page.goto(list, { waitUntil: "commit" });
  return page.evaluate(async () => {
    while (!document.querySelector("[data-row] [data-open]")) await new Promise(requestAnimationFrame);
    return performance.now();
  });
}

/** From a key to the next frame. The text finds the same rows. */
async function typingMs(page: Page): Promise<number> {
  const filter = page.getByRole("searchbox", { name: "Filter projects" });
  await filter.focus();
  await filter.evaluate((input) => {
    const times: number[] = [];
    Object.assign(globalThis, { times });
    input.addEventListener("keydown", () => {
      const from = performance.now();
      requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - from)));
    });
  });
  return medianOf(async (round) => {
    await page.keyboard.press(round % 2 ? "Backspace" : "Space");
    const time = await page.waitForFunction((at) => (globalThis as unknown as { times: number[] }).times[at], round);
    return Number(await time.jsonValue());
  });
}

/** From a jump to a part that was never read until its rows are on screen, with their names. */
async function jumpMs(page: Page): Promise<number> {
  const grid = page.getByRole("grid", { name: "Projects" });
  return medianOf((round) =>
    grid.evaluate(
      async (element, part) => {
        const from = performance.now();
        element.scrollTop = element.scrollHeight * part;
        const { top, bottom } = element.getBoundingClientRect();
        const isRead = () => {
          const row = document.elementFromPoint(innerWidth / 2, (top + bottom) / 2)?.closest("[data-row]");
          return row?.querySelector("[data-open]");
        };
        do await new Promise(requestAnimationFrame);
        while (!isRead());
        return performance.now() - from;
      },
      (round + 1) / (rounds + 2),
    ),
  );
}

// Logs --------------------------------------------------------------------------------------------------------------------

async function measureLogs(stage: Stage, page: Page): Promise<Pick<Measured, "lineMs" | "logHeapMb">> {
  const server = await addProvisioned(stage);
  const address = async () => {
    const id = await begin(stage, await addProject(stage.pool, server), server);
    // The one that the long log is of.
    await startStep(stage, id, 1);
    return { id, path: `/o/${stage.cast.organizationId}/deployments/${id}` };
  };
  const live = await address();
  await page.goto(live.path);
  await page
    .getByRole("region", { name: /^Log of deployment/ })
    .locator('[data-state="running"]')
    .waitFor();
  const lineMs = await medianOf((round) => untilShown(stage, page, { id: live.id, line: round + 1 }));
  const long = await address();
  await fill(stage, long.id, { pieces: Math.ceil((logMb * 1_000_000) / (750 * 86)) });
  return { lineMs, logHeapMb: await heapOf(page, long.path) };
}

/** From the time when the control plane stores a line until it is on screen. */
async function untilShown(stage: Stage, page: Page, { id, line }: { id: number; line: number }): Promise<number> {
  const shown = page.evaluate(async (number) => {
    while (!document.querySelector(`[data-line="${number}"]`)) await new Promise(requestAnimationFrame);
    return Date.now();
  }, line);
  const from = Date.now();
  await print(stage, id, `line ${line}\n`);
  return (await shown) - from;
}

/** The heap of a tab that has shown parts from all over the log. */
async function heapOf(page: Page, path: string): Promise<number> {
  await page.goto(path);
  await page.locator("[data-line]").first().waitFor();
  const log = page.getByRole("region", { name: /^Log of deployment/ });
  for (let part = 0; part <= 50; part++) await log.evaluate(showPart, part / 50);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devtools.send("Runtime.getHeapUsage");
  return usedSize / 1_000_000;
}

/** In the page: scrolls to a part of a log, and waits until its lines are there. */
async function showPart(log: Element, part: number): Promise<void> {
  const scrolled = [log, ...log.querySelectorAll("*")].find((each) => each.scrollHeight > each.clientHeight * 2);
  if (!scrolled) throw new Error("The log is not long.");
  scrolled.scrollTop = (scrolled.scrollHeight - scrolled.clientHeight) * part;
  const { left, top, width, height } = scrolled.getBoundingClientRect();
  do await new Promise(requestAnimationFrame);
  while (!document.elementFromPoint(left + width / 2, top + height / 2)?.closest("[data-line]"));
}

// Lighthouse --------------------------------------------------------------------------------------------------------------

/** Its scores of 100 for a desktop, or why there are none: the machine may have no way to npm's registry. */
function lighthouseOf(stage: Stage, paths: readonly string[]): Promise<Measured["lighthouse"]> {
  return scoresOfAll(stage, paths).catch((error: Error) => ({ failed: error.message }));
}

async function scoresOfAll(stage: Stage, paths: readonly string[]): Promise<PageScores[]> {
  const [profile, port] = [await mkdtemp(join(tmpdir(), "longshore-lighthouse-")), await freePort()];
  const context = await openSharedBrowser(profile, port);
  try {
    const results: PageScores[] = [];
    for (const path of paths) {
      if (path.startsWith("/o/")) await openSession(context, stage.url, "alice");
      results.push({ page: path, scores: await scoresOf(stage.url + path, port) });
    }
    return results;
  } finally {
    await context.close();
    await rm(profile, { recursive: true });
  }
}

async function scoresOf(url: string, port: number): Promise<Record<string, number>> {
  const report = await mustRun([
    ...[
      "npm",
      "exec",
      "--yes",
      `--package=${lighthouse}`,
      "--",
      "lighthouse",
      url,
      `--port=${port}`,
      "--preset=desktop",
    ],
    // The session is kept.
    ...["--disable-storage-reset", "--quiet", "--output=json", "--output-path=stdout"],
  ]);
  const { categories } = JSON.parse(report) as { categories: Record<string, { score: number | null }> };
  const scores = Object.entries(categories);
  return Object.fromEntries(scores.map(([name, { score }]) => [name, Math.round((score ?? 0) * 100)]));
}

// A real deployment -------------------------------------------------------------------------------------------------------

/** From the press of "Deploy" until the first line of the log is on screen. */
async function measureDeploy(browser: Browser): Promise<{ firstLineMs: number }> {
  const page = await browser.newPage();
  await page.goto((await text(process.stdin)).trim());
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(/\/o\/\d+/);
  const firstLineMs = await medianOf(async () => {
    await page.goto(project);
    const deploy = page.getByRole("button", { name: "Deploy", exact: true });
    await deploy.waitFor();
    await page.evaluate(() => {
      addEventListener("click", () => Object.assign(globalThis, { pressedAt: performance.now() }), {
        capture: true,
        once: true,
      });
    });
    await deploy.click();
    const time = await page.waitForFunction(() =>
      document.querySelector("[data-line]")
        ? performance.now() - (globalThis as unknown as { pressedAt: number }).pressedAt
        : 0,
    );
    const ms = Number(await time.jsonValue());
    await page.locator("[data-end]").waitFor();
    return ms;
  });
  return { firstLineMs };
}
