import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Page } from "playwright-core";
import {
  addProject,
  addProvisioned,
  deploy,
  deployed,
  finishRun,
} from "../../src/features/deployments/tests/support.ts";
import { begin, endStep, fill, print, startStep } from "./printed-log.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
let server: number;
let project: number;
/** A deployment that has begun. */
let id: number;
let page: Page;

before(async () => {
  stage = await openStage();
  server = await addProvisioned(stage);
  page = await stage.signIn("alice", "/account");
});
after(() => stage?.close());
beforeEach(async () => {
  project = await addProject(stage.pool, server);
  id = await begin(stage, project, server);
});

const address = (deployment = id, hash = "") => `/o/${stage.cast.organizationId}/deployments/${deployment}${hash}`;
const open = (deployment = id, hash = "") => page.goto(address(deployment, hash));
const line = (number: number) => page.locator(`[data-line="${number}"]`);
const log = () => page.getByRole("region", { name: /^Log of deployment/ });
const textOf = (number: number) => line(number).locator("span").last().textContent();

/** The lines on screen, by their numbers. */
const shownLines = () =>
  log().evaluate((element) => {
    const box = element.getBoundingClientRect();
    return [...element.querySelectorAll("[data-line]")]
      .filter((each) => {
        const { top, bottom } = each.getBoundingClientRect();
        return bottom > box.top && top < box.bottom;
      })
      .map((each) => Number((each as HTMLElement).dataset.line));
  });

const numbered = (count: number, from = 1) => Array.from({ length: count }, (_, at) => `line ${from + at}\n`).join("");

describe("the page of a deployment", () => {
  it("shows its state, its commit, and what it waits for", async () => {
    const [queued] = (await deploy(stage, project)) as [number];
    await open(queued);
    await page.locator('[data-state="queued"]').first().waitFor();
    await page.getByText(`Deployment ${id} of the project ends first.`).waitFor();
    await finishRun(stage, id, "succeeded", { commit: "c".repeat(40) });
    await open(id);
    await page.locator('h1 ~ [data-state="success"]').waitFor();
    await page.getByText("ccccccc").waitFor();
    assert.equal(await page.title(), "● Deployed shop · Longshore");
  });

  it("shows each line as it is printed, without a reload", async () => {
    await startStep(stage, id, 0);
    await open();
    await log().locator('[data-state="running"]').waitFor();
    await print(stage, id, "first\n");
    await line(1).waitFor();
    await print(stage, id, "second\n", "\u001b[31mthird\u001b[0m\n");
    await line(3).waitFor();
    assert.deepEqual([await textOf(1), await textOf(3)], ["first", "third"]);
    await log().getByText("3 lines from 1").waitFor();
    await endStep(stage, id, 0);
    await finishRun(stage, id, "succeeded");
    await log().locator("[data-end]").waitFor();
  });

  it("loses no line and doubles none when the connection is lost", async () => {
    await startStep(stage, id, 0);
    await print(stage, id, "line 1\n");
    await open();
    await line(1).waitFor();
    for (let n = 2; n <= 6; n += 2) {
      await print(stage, id, `line ${n}\n`);
      await line(n).waitFor();
      stage.app.server.closeAllConnections();
      await print(stage, id, `line ${n + 1}\n`);
      await line(n + 1).waitFor();
    }
    const texts = await log().locator("[data-line]").allTextContents();
    assert.deepEqual(
      texts,
      [1, 2, 3, 4, 5, 6, 7].map((n) => `${n}line ${n}`),
    );
  });

  it("follows the end until one scrolls up, and again after End", async () => {
    await startStep(stage, id, 0);
    await print(stage, id, numbered(400));
    await open();
    await line(400).waitFor();
    await print(stage, id, "line 401\n");
    await line(401).waitFor();
    await log().hover();
    await page.mouse.wheel(0, -1_500);
    await line(300).waitFor();
    await print(stage, id, numbered(12, 402));
    await page.getByRole("button", { name: "12 new lines" }).waitFor();
    const before = await shownLines();
    assert.ok(!before.includes(401));
    await log().press("End");
    await line(413).waitFor();
    await print(stage, id, "line 414\n");
    await line(414).waitFor();
  });

  it("opens the failed step at its last lines, under its reason", async () => {
    await startStep(stage, id, 0);
    await print(stage, id, numbered(50));
    await endStep(stage, id, 0);
    await startStep(stage, id, 1);
    await print(stage, id, numbered(900), "npm error code ELIFECYCLE\n");
    await endStep(stage, id, 1, 1);
    await finishRun(stage, id, "failed", {}, "The build failed: npm error code ELIFECYCLE");
    await open();
    await line(951).waitFor();
    assert.ok((await shownLines()).includes(951));
    assert.equal(await page.getByRole("button", { name: "Run again" }).getAttribute("aria-disabled"), null);
    await page.getByText("The build failed: npm error code ELIFECYCLE").first().waitFor();
  });

  it("shows why an action is refused before it is pressed", async () => {
    const live = await deployed(stage, await addProject(stage.pool, server), server);
    await open(live);
    const again = page.getByRole("button", { name: "Run again" });
    await again.waitFor();
    assert.equal(await again.getAttribute("aria-disabled"), "true");
    // Tooltips are for pointers that were seen to move.
    await page.mouse.move(5, 5);
    await again.hover();
    await page.getByRole("tooltip").getByText("Only a failed deployment can be run again.").waitFor();
  });

  it("cancels what waits", async () => {
    const [queued] = (await deploy(stage, project)) as [number];
    await open(queued);
    await page.getByRole("button", { name: "Cancel deployment" }).click();
    await page.locator('[data-state="cancelled"]').first().waitFor();
  });

  it("rolls back to it, after it has shown what becomes live", async () => {
    const [other, placed] = [await addProject(stage.pool, server), server];
    const first = await deployed(stage, other, placed, "succeeded", "a".repeat(40));
    await deployed(stage, other, placed, "succeeded", "b".repeat(40));
    await open(first);
    await page.getByRole("button", { name: "Roll back" }).click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByText(/would become live|built again/).waitFor();
    await dialog.getByRole("button", { name: "Roll back" }).click();
    await page.locator('[data-state="queued"]').first().waitFor();
    await page.getByRole("heading", { name: /^Rollback \d+/ }).waitFor();
  });
});

describe("the log", () => {
  const build = async (count: number) => {
    await startStep(stage, id, 1);
    await print(stage, id, numbered(count));
    await finishRun(stage, id, "failed", {}, "It failed.");
  };

  it("opens at the lines of the address, and puts others in it", async () => {
    await build(3_000);
    await open(id, "#L1500-1502");
    await line(1_501).waitFor();
    const shown = await shownLines();
    assert.ok(shown.includes(1_500) && shown.includes(1_502));
    await page.getByRole("link", { name: "Line 1495", exact: true }).click();
    await page.waitForURL(/#L1495$/);
    await page.getByRole("link", { name: "Line 1498", exact: true }).click({ modifiers: ["Shift"] });
    await page.waitForURL(/#L1495-1498$/);
    await page.getByRole("button", { name: "Copy lines" }).click();
    await page.getByText("Copied 4 lines").waitFor({ state: "attached" });
  });

  it("is searched on the server, with the place among all matches", async () => {
    await build(3_000);
    await open();
    await line(3_000).waitFor();
    await log().press("/");
    await page.keyboard.type("LINE 77");
    await page.getByText("1 of 11", { exact: true }).waitFor();
    await line(77).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("2 of 11", { exact: true }).waitFor();
    await line(770).waitFor();
    assert.equal(await line(770).locator("mark").textContent(), "line 77");
    await page.keyboard.press("Escape");
  });

  it("never runs what a server printed", async () => {
    await startStep(stage, id, 0);
    const hostile = [
      "<img src=x onerror=alert(1)>",
      "javascript:alert(1)",
      "\u202egnp.exe",
      "a\u0001\u0007",
      "https://example.com/x.",
    ];
    await print(stage, id, `${hostile.join("\n")}\n`);
    await open();
    await line(5).waitFor();
    const texts = await Promise.all([1, 2, 3, 4, 5].map(textOf));
    assert.deepEqual(texts.slice(0, 4), [hostile[0], hostile[1], "[U+202E]gnp.exe", "a␁␇"]);
    const links = line(5).getByRole("link", { name: "https://example.com/x" });
    assert.equal(await links.getAttribute("rel"), "noopener noreferrer nofollow");
    assert.equal(await log().locator("img").count(), 0);
  });

  it("fits a phone", async () => {
    await build(100);
    const phone = await stage.signIn("alice", address(), { viewport: { width: 360, height: 740 } });
    await phone.locator('[data-line="100"]').waitFor();
    assert.ok((await phone.evaluate(() => document.documentElement.scrollWidth)) <= 360);
    await phone.close();
  });

  it("of 100 MB takes at most 120 MB of the tab, and shows any line at once", async (t) => {
    await startStep(stage, id, 1);
    await fill(stage, id, { pieces: 1_600 });
    await endStep(stage, id, 1, 1);
    await finishRun(stage, id, "failed", {}, "It failed.");
    const tab = await stage.signIn("alice", address());
    const cdp = await tab.context().newCDPSession(tab);
    await cdp.send("Performance.enable");
    const heapMb = async () => {
      await cdp.send("HeapProfiler.collectGarbage");
      const { metrics } = await cdp.send("Performance.getMetrics");
      return Math.round((metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? 0) / 1e6);
    };
    const at = (number: number) => tab.locator(`[data-line="${number}"]`);
    await at(1_200_000).waitFor();
    const heaps = [await heapMb()];
    const tookMs: number[] = [];
    for (const number of [600_000, 1_000_123, 3, 499_999, 500_001, 1_199_000]) {
      const begun = performance.now();
      await tab.evaluate((hash) => {
        location.hash = hash;
      }, `#L${number}`);
      await at(number).waitFor();
      tookMs.push(Math.round(performance.now() - begun));
    }
    const scroller = tab.getByRole("region", { name: /^Log of deployment/ });
    for (let n = 1; n <= 60; n++) {
      await scroller.evaluate((element, part) => {
        element.scrollTop = element.scrollHeight * part;
      }, n / 60);
    }
    await at(1_200_000).waitFor();
    heaps.push(await heapMb());
    const highest = await scroller.evaluate((element) => element.scrollHeight);
    t.diagnostic(JSON.stringify({ heaps, tookMs, highest }));
    assert.ok(Math.max(...heaps) <= 120, `${heaps} MB`);
    assert.ok(highest < 17_800_000);
    await tab.close();
  });
});
