import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { Page } from "playwright-core";
import { addProvisioned } from "../../src/features/servers/tests/support.ts";
import { openStage, type Stage } from "./stage.ts";

// An upgrade of the server under an open tab.

let stage: Stage;
before(async () => {
  stage = await openStage();
  await addProvisioned(stage, { name: "web-1" });
});
after(() => stage?.close());

const home = () => `/o/${stage.cast.organizationId}`;
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const go = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name, exact: true }).click();

it("offers the new version as soon as an answer names it", async () => {
  const page = await stage.signIn("alice", home());
  await heading(page, "Overview").waitFor();
  const bar = page.getByText("A new version is ready.");
  assert.equal(await bar.count(), 0);
  await page.route("**/api/v1/**", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, headers: { ...response.headers(), "x-longshore-version": "9.9.9" } });
  });
  await go(page, "Activity");
  await bar.waitFor();
  await page.getByRole("button", { name: "Reload page" }).click();
  await bar.waitFor({ state: "detached" });
  await heading(page, "Activity").waitFor();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.context().close();
});

it("shows those who manage an organization that a newer release is there, if the server looks for one", async () => {
  for (const [who, shown] of [
    ["alice", 1],
    ["bob", 0],
  ] as const) {
    const page = await stage.signIn(who, home());
    await heading(page, "Overview").waitFor();
    const badge = page.getByText("Longshore 9.9.9 is available");
    assert.equal(await badge.count(), 0);
    await page.route("**/api/v1/version", async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { data: object };
      await route.fulfill({ response, json: { ...body, data: { ...body.data, newest_version: "9.9.9" } } });
    });
    await page.reload();
    await heading(page, "Overview").waitFor();
    if (shown > 0) await badge.waitFor();
    assert.equal(await badge.count(), shown);
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.context().close();
  }
});

/** A page with typed text whose next page is a file that the server has no more, this many times. */
async function loseNextPage(times: number): Promise<Page> {
  const page = await stage.signIn("alice", `${home()}/projects/new`);
  await page.getByRole("textbox", { name: "Repository" }).fill("https://git.example.com/acme/draft.git");
  // The file of that page is the first that is loaded after this.
  let gone: string | undefined;
  let left = times;
  await page.route("**/assets/*.js", (route) => {
    gone ??= route.request().url();
    if (route.request().url() !== gone || left === 0) return route.continue();
    left -= 1;
    return route.fulfill({ status: 404, body: "" });
  });
  return page;
}

/** Browsers log the file that is missing. */
const forgetMissingFile = () => {
  const others = stage.problems.filter((problem) => !/404|dynamically imported module/.test(problem));
  stage.problems.splice(0, stage.problems.length, ...others);
};

it("loads a page whose file is gone with the new version, and keeps the draft of a form", async () => {
  const page = await loseNextPage(1);
  await go(page, "Activity");
  await heading(page, "Activity").waitFor();
  await go(page, "Projects");
  await page.getByRole("link", { name: "New project" }).first().click();
  const repository = page.getByRole("textbox", { name: "Repository" });
  await repository.waitFor();
  assert.equal(await repository.inputValue(), "https://git.example.com/acme/draft.git");
  forgetMissingFile();
  await page.context().close();
});

it("reloads only once for a file that stays gone, and says that the page failed", async () => {
  const page = await loseNextPage(Number.POSITIVE_INFINITY);
  let reloads = 0;
  page.on("domcontentloaded", () => {
    reloads += 1;
  });
  await go(page, "Activity");
  await page.getByRole("button", { name: "Try again" }).waitFor();
  await heading(page, "This page could not be shown").waitFor();
  assert.equal(reloads, 1);
  forgetMissingFile();
  await page.context().close();
});
