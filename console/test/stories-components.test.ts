import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { openBrowser } from "./browser.ts";
import { openStory, type StoriesServer, serveStories } from "./stories-server.ts";

// What the components do, by mouse and keyboard, in their stories.

let server: StoriesServer;
let browser: Browser;
let page: Page;
const errors: string[] = [];

before(async () => {
  server = await serveStories();
  browser = await openBrowser();
});

beforeEach(async () => {
  await page?.close();
  page = await browser.newPage({ viewport: { width: 1_000, height: 700 } });
  page.setDefaultTimeout(10_000);
  page.on("pageerror", (error) => errors.push(error.message));
});

afterEach(() => assert.deepEqual(errors.splice(0), []));

after(async () => {
  await browser?.close();
  await server?.close();
});

const focused = (): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? "");

/** The id of the row that the grid names as active, from 0. */
const activeRow = async (): Promise<number> => {
  const id = await page.getByRole("grid").getAttribute("aria-activedescendant");
  const row = page.locator(`[id="${id}"]`);
  return Number(await row.getAttribute("data-row"));
};

describe("a refused button", () => {
  const refused = () => page.locator("button[aria-describedby]", { hasText: "Roll back" });

  beforeEach(() => openStory(page, server, { story: "button" }));

  it("can be focused, and shows the reason", async () => {
    await refused().focus();
    await page.keyboard.press("Enter");
    await page.getByRole("tooltip", { name: "There is no earlier release" }).waitFor();
    assert.equal(await focused(), "Roll back");
  });

  it("has the reason as its description", async () => {
    const description = await refused().getAttribute("aria-describedby");
    assert.match((await page.locator(`[id="${description}"]`).textContent()) ?? "", /no earlier release/);
  });
});

describe("a form", () => {
  beforeEach(() => openStory(page, server, { story: "form" }));

  it("has the focus in the first field that the API refused", async () => {
    const field = page.getByRole("form", { name: "New project, refused" }).getByLabel("Name");
    assert.equal(await field.evaluate((element) => element === document.activeElement), true);
    assert.equal(await field.getAttribute("aria-invalid"), "true");
  });

  it("shows the error of a field until it is changed", async () => {
    const form = page.getByRole("form", { name: "New project, refused" });
    await form.getByText("Another project has this name.").waitFor();
    await form.getByLabel("Name").fill("Shop 2");
    await page.keyboard.press("Tab");
    await form.getByText("Another project has this name.").waitFor({ state: "detached" });
    assert.ok(await form.getByText("The repository has no branch").isVisible());
  });
});

describe("a dialog", () => {
  it("has its dangerous button refused until the name is typed", async () => {
    await openStory(page, server, { story: "dialog", state: "danger" });
    const button = page.getByRole("button", { name: "Delete server" });
    assert.equal(await button.getAttribute("aria-disabled"), "true");
    await page.keyboard.type("shop-1");
    assert.equal(await button.getAttribute("aria-disabled"), null);
  });

  it("has the focus on the button that changes nothing", async () => {
    await openStory(page, server, { story: "dialog", state: "confirm" });
    await page.getByRole("alertdialog").waitFor();
    assert.equal(await focused(), "Cancel");
  });
});

describe("a copy button", () => {
  it("copies without the clipboard's interface, which plain http has not", async () => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, "clipboard", { value: undefined });
      document.addEventListener("copy", () => {
        document.documentElement.dataset.copied = String(getSelection());
      });
    });
    await openStory(page, server, { story: "states" });
    await page.getByRole("button", { name: "Copy commit" }).click();
    await page.getByRole("status").filter({ hasText: "Copied" }).waitFor();
    assert.equal(await page.locator("html").getAttribute("data-copied"), "3f9a2c1");
  });
});

describe("a time", () => {
  it("shows the exact one with its zone on focus", async () => {
    await openStory(page, server, { story: "states" });
    await page.locator("time").first().focus();
    await page
      .getByRole("tooltip")
      .filter({ hasText: /\d{4}.*(?:UTC|GMT)/ })
      .waitFor();
  });
});

describe("a long list", () => {
  const openGrid = async (state = "many"): Promise<void> => {
    await openStory(page, server, { story: "grid", state });
    await page.getByRole("grid").focus();
  };

  it("has a few rows in the page, and counts all", async () => {
    await openGrid();
    assert.equal(await page.getByRole("grid").getAttribute("aria-rowcount"), "10001");
    assert.ok((await page.getByRole("row").count()) < 80);
  });

  it("is one tab stop", async () => {
    await openGrid();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.closest("[role=grid]") === null), true);
  });

  it("moves by keys, and keeps the active row in the page", async () => {
    await openGrid();
    for (const [key, row] of [
      ["j", 1],
      ["ArrowDown", 2],
      ["k", 1],
      ["End", 9_999],
      ["ArrowUp", 9_998],
      ["Home", 0],
    ] as const) {
      await page.keyboard.press(key);
      await page.locator(`[data-row="${row}"]`).waitFor();
      assert.equal(await activeRow(), row, key);
    }
    await page.getByRole("grid").evaluate((grid) => grid.scrollTo(0, 200_000));
    await page.locator('[data-row="5000"]').waitFor();
    assert.equal(await activeRow(), 0);
  });

  it("is moved through while the focus is elsewhere, and the first key only shows where one is", async () => {
    await openGrid();
    await page.getByRole("button", { name: "New project" }).focus();
    await page.keyboard.press("j");
    assert.equal(await activeRow(), 0);
    await page.keyboard.press("j");
    assert.equal(await activeRow(), 1);
  });

  it("leaves out columns where not all fit", async () => {
    await openGrid();
    const server = page.getByRole("columnheader", { name: "Server" });
    await server.waitFor();
    await page.setViewportSize({ width: 660, height: 700 });
    await server.waitFor({ state: "detached" });
    await page.setViewportSize({ width: 1_000, height: 700 });
    await server.waitFor();
  });

  it("selects by x, and up to a row by Shift and a press", async () => {
    await openGrid();
    await page.keyboard.press("x");
    await page.locator('[data-row="0"][aria-selected=true]').waitFor();
    await page.locator('[data-row="4"] [data-select]').click({ modifiers: ["Shift"] });
    await page.locator('[data-row="4"][aria-selected=true]').waitFor();
    assert.equal(await page.locator("[aria-selected=true]").count(), 5);
  });

  it("opens a row by Enter and by a press anywhere on it", async () => {
    await openGrid();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.waitForURL(/#project-2$/);
    await page.locator('[data-row="3"]').click({ position: { x: 500, y: 10 } });
    await page.waitForURL(/#project-4$/);
  });

  it("opens a row in a new tab by Ctrl and a press, or Ctrl-Enter", async () => {
    await openGrid();
    for (const press of [
      () => page.locator('[data-row="3"] [data-open]').click({ modifiers: ["Control"] }),
      () => page.keyboard.press("Control+Enter"),
    ]) {
      const opened = page.context().waitForEvent("page");
      await press();
      await (await opened).close();
      await page.getByRole("grid").focus();
    }
  });

  it("opens the actions of a row, and has the focus again at their end", async () => {
    await openGrid();
    await page.keyboard.press("j");
    await page.keyboard.press(".");
    await page.getByRole("menuitem", { name: "Deploy" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
    await page.keyboard.press("j");
    assert.equal(await activeRow(), 2);
  });

  it("has its filter at the slash", async () => {
    await openGrid("few");
    await page.keyboard.press("/");
    await page.keyboard.type("Blog");
    await page.getByText("2 of 8").waitFor();
  });

  it("keeps what was chosen in a filter with a search when Escape closes it", async () => {
    await openGrid("few");
    await page.getByRole("button", { name: "Server" }).click();
    await page.getByRole("searchbox", { name: "Find in Server" }).waitFor();
    await page.getByRole("menuitemcheckbox", { name: "shop-1", exact: true }).click();
    await page.getByRole("button", { name: "Server shop-1" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Server shop-1" }).waitFor();
  });

  it("takes about as long for a letter in its filter as a short one", async () => {
    const timeOf = async (state: string): Promise<number> => {
      await openGrid(state);
      await page.getByRole("searchbox").focus();
      const times: number[] = [];
      for (const letter of "Shop ") {
        const before = await page.evaluate(() => performance.now());
        await page.keyboard.press(letter);
        times.push(
          (await page.evaluate(
            () => new Promise<number>((done) => requestAnimationFrame(() => done(performance.now()))),
          )) - before,
        );
      }
      return times.sort((a, b) => a - b)[2] as number;
    };
    const [few, many] = [await timeOf("few"), await timeOf("many")];
    assert.ok(many < few * 5 + 200, `${few} ms with 8 rows, ${many} ms with 10,000`);
  });
});
