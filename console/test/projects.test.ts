import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { restrict } from "../../src/http/tests/support.ts";
import { fillProjects } from "./many-projects.ts";
import { openStage, readAgain, type Stage } from "./stage.ts";

// The list of projects, with as many as a large agency has.

const count = 10_000;
let stage: Stage;
let servers: [number, number];
let page: Page;

before(async () => {
  stage = await openStage();
  servers = await fillProjects(stage, count);
  page = await stage.signIn("alice", "/account");
});
after(() => stage?.close());

const address = (search = "") => `/o/${stage.cast.organizationId}/projects${search}`;
const grid = (of = page) => of.getByRole("grid", { name: "Projects" });
const rows = (of = page) => grid(of).locator("[data-row]");
const named = (text: string, of = page) => rows(of).filter({ hasText: text });
const counted = (text: string, of = page) => of.getByRole("status").filter({ hasText: text }).first();
const filter = (of = page) => of.getByRole("searchbox", { name: "Filter projects" });

/** How many pages of the list are read while something is done. What is shown may be read again, after an event. */
async function pagesReadWhile(act: () => Promise<unknown>): Promise<number> {
  const read = new Set<string | null>();
  const note = (request: { url(): string }) => {
    const { pathname, searchParams } = new URL(request.url());
    const isOfList = pathname === "/api/v1/projects" && searchParams.get("view") === "summary";
    if (isOfList && !searchParams.has("pinned")) read.add(searchParams.get("page"));
  };
  page.on("request", note);
  await act();
  page.off("request", note);
  return read.size;
}

describe("the list of 10,000 projects", () => {
  it("shows the first at once, and has only those on screen in the page", async () => {
    const read = await pagesReadWhile(async () => {
      await page.goto(address());
      await counted("10,000 projects").waitFor();
      await named("Äther und Söhne 00001").waitFor();
    });
    assert.ok(read <= 2, `${read} pages were read`);
    assert.ok((await rows().count()) < 80);
    assert.equal(await grid().getAttribute("aria-rowcount"), "10001");
  });

  it("reads only the pages where one stops scrolling", async () => {
    await page.goto(address());
    await named("Äther und Söhne 00001").waitFor();
    let rests = 0;
    const read = await pagesReadWhile(async () => {
      rests = await grid().evaluate(async (element) => {
        const times: number[] = [];
        for (let top = 0; top < element.scrollHeight; top += 4_000) {
          element.scrollTop = top;
          times.push(await new Promise(requestAnimationFrame));
        }
        element.scrollTop = element.scrollHeight;
        return times.filter((time, at) => time - (times[at - 1] ?? time) > 40).length;
      });
      await named("متجر الكتب 09998").waitFor();
    });
    // Of a hundred. Where a slow machine stops, it reads up to two.
    assert.ok(read <= 4 + 2 * rests, `${read} pages were read, in ${rests} rests`);
  });

  it("goes through the list by the keyboard, and opens a project", async () => {
    await page.goto(address());
    await named("Äther und Söhne 00001").waitFor();
    await grid().focus();
    await page.keyboard.press("End");
    await named("متجر الكتب 09998").waitFor();
    await page.keyboard.press("k");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/projects\/\d+$/);
    await page.getByRole("heading", { level: 1, name: "متجر الكتب 09994" }).waitFor();
  });

  it("filters while one types, and keeps filters and order in the address", async () => {
    await page.goto(address());
    await named("Äther und Söhne 00001").waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("repo-77");
    await counted("99 projects").waitFor();
    await page.waitForURL(/q=repo-77/);
    await page.getByRole("button", { name: "State" }).click();
    await page.getByRole("menuitemcheckbox", { name: /^Failed/ }).click();
    await page.keyboard.press("Escape");
    await page.waitForURL(/state=failed/);
    await counted("99 projects").waitFor({ state: "detached" });
    const opened = () => rows().first().locator("[data-open]").textContent();
    const [shown, first] = [page.url(), await opened()];
    await page.goto(shown);
    await rows().first().waitFor();
    assert.equal(await opened(), first);
    assert.equal(await filter().inputValue(), "repo-77");
  });

  it("types in the filter as fast as in a short list", async () => {
    const many = await typingMs("");
    const few = await typingMs("repo-777");
    assert.ok(many <= few * 3 + 50, `${many} ms with 10,000 rows, ${few} ms with a few`);
  });
});

/** The median time from a key to the next frame. The text finds the same rows. */
async function typingMs(text: string): Promise<number> {
  await page.goto(address(text && `?q=${text}`));
  await rows().first().waitFor();
  await filter().focus();
  await filter().evaluate((input) => {
    const times: number[] = [];
    Object.assign(globalThis, { times });
    input.addEventListener("keydown", () => {
      const from = performance.now();
      requestAnimationFrame(() => setTimeout(() => times.push(performance.now() - from)));
    });
  });
  for (let n = 1; n <= 9; n++) {
    await page.keyboard.press(n % 2 ? "Space" : "Backspace");
    await page.waitForFunction((typed) => (globalThis as unknown as { times: number[] }).times.length >= typed, n);
  }
  const times = await page.evaluate(() => (globalThis as unknown as { times: number[] }).times);
  return times.sort((a, b) => a - b)[4] as number;
}

describe("many projects at once", () => {
  it("says what will happen, leaves out apps, and deploys the others", async () => {
    await page.goto(address("?q=example.com&sort=name"));
    await named("Äther und Söhne 00001").waitFor();
    await grid().focus();
    await page.keyboard.press("x");
    await page.keyboard.press("j");
    await page.keyboard.press("x");
    await page.getByText("2 selected").waitFor();
    await page.getByRole("button", { name: "Select all 10,000 matching" }).click();
    await page.getByText("10,000 selected").waitFor();
    await page.getByRole("button", { name: "Clear selection" }).click();
    await page.goto(address("?q=repo-777"));
    await counted("10 projects").waitFor();
    await grid().focus();
    await page.keyboard.press("Control+a");
    await page.getByText("10 selected").waitFor();
    await page.getByRole("toolbar").getByRole("button", { name: "Deploy" }).click();
    const dialog = page.getByRole("dialog", { name: "Deploy: 10 projects" });
    await dialog.getByText("10 projects will be deployed").waitFor();
    await dialog.getByRole("button", { name: "Deploy" }).click();
    await page.getByText("Requested 10 deployments").waitFor();
    await rows().locator('[data-state="waiting"]').first().waitFor();
  });

  it("sets the environment of all that match, and shows it without a reload", async () => {
    await page.goto(address("?q=repo-888"));
    await counted("10 projects").waitFor();
    await grid().focus();
    await page.keyboard.press("Control+a");
    await page.getByRole("button", { name: "Change" }).click();
    await page.getByRole("menuitem", { name: "Set environment" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: /Environment/ }).click();
    await page.getByRole("option", { name: "Development" }).click();
    await dialog.getByText("10 projects will be labelled Development.").waitFor();
    await dialog.getByRole("button", { name: "Set environment" }).click();
    await page.waitForFunction(() => document.querySelectorAll("[data-row]").length === 10);
    await named("Development").nth(9).waitFor();
  });

  it("deploys the active one by a key, after it was asked", async () => {
    await page.goto(address("?q=repo-778&sort=name"));
    await counted("10 projects").waitFor();
    await page.keyboard.press("d");
    await page.getByRole("dialog", { name: "Deploy: 1 project" }).getByText("1 project will be deployed").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("leaves apps of the catalog out of what they cannot have", async () => {
    await page.goto(address("?q=00009"));
    await counted("1 project").waitFor();
    await grid().focus();
    await page.keyboard.press("x");
    await page.getByRole("toolbar").getByRole("button", { name: "Deploy" }).click();
    const deploy = page.getByRole("dialog").getByRole("button", { name: "Deploy" });
    await page.getByText("1 project left out").waitFor();
    assert.equal(await deploy.getAttribute("aria-disabled"), "true");
  });
});

describe("the list of projects", () => {
  it("follows what others change", async () => {
    await page.goto(address("?q=repo-4242"));
    await rows().first().waitFor();
    const found = await stage.as("alice")("GET /api/v1/projects", { query: { q: "repo-4242" } });
    assert.ok(found.ok);
    const id = found.body.data[0]?.id as number;
    await stage.as("bob")("PUT /api/v1/projects/{id}", { params: { id }, body: { name: "Renamed by Bob" } });
    await named("Renamed by Bob").waitFor();
  });

  it("pins a project at once", async () => {
    await page.goto(address("?q=repo-4243"));
    await rows().first().waitFor();
    await grid().focus();
    await page.keyboard.press(".");
    await page.getByRole("menuitem", { name: "Pin", exact: true }).click();
    await rows().getByLabel("Pinned").waitFor();
  });

  it("keeps columns and density for the account", async () => {
    await page.goto(address("?q=repo-4243"));
    await rows().first().waitFor();
    await page.getByRole("button", { name: "Display" }).click();
    await Promise.all([
      page.waitForResponse(
        (answer) => answer.url().endsWith("/me/preferences") && answer.request().method() === "PATCH",
      ),
      page.getByRole("menuitem", { name: "Repository" }).click(),
    ]);
    await page.reload();
    await page.getByRole("columnheader", { name: "Repository" }).waitFor();
  });

  it("shows a restricted member only what is in their reach, and a viewer nothing to press", async () => {
    await restrict(stage.pool, "Bob", stage.cast.organizationId, { servers: [servers[0]], projects: [] });
    const bob = await stage.signIn("bob", address());
    await counted("5,000 projects", bob).waitFor();
    const victor = await stage.signIn("victor", address());
    await counted("10,000 projects", victor).waitFor();
    assert.equal(await victor.getByRole("link", { name: "New project" }).count(), 0);
    assert.equal(await victor.getByLabel("Select all").count(), 0);
  });

  it("shows what a project is where there is none", async () => {
    const charlie = await stage.signIn("charlie", `/o/${stage.cast.charlieOrganizationId}/projects`);
    await charlie.getByText("No projects yet").waitFor();
    assert.equal(await charlie.getByRole("link", { name: "New project" }).count(), 1);
  });

  it("shows an error with its request, and tries again", async () => {
    const list = /\/api\/v1\/projects\?.*per_page=100/;
    await page.route(list, (route) =>
      route.fulfill({
        status: 500,
        headers: { "X-Request-Id": "req-77" },
        json: { status: "error", message: "It broke." },
      }),
    );
    await page.goto(address("?q=unread"));
    await page.getByText("The projects could not be read.").waitFor();
    await page.getByText("req-77").waitFor();
    await readAgain(page);
    await page.getByText("No project matches").waitFor();
  });

  it("fits on a phone", async () => {
    const phone = await stage.signIn("alice", address(), { viewport: { width: 360, height: 740 } });
    await rows(phone).first().waitFor();
    const overflow = await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `${overflow} px too wide`);
  });
});
