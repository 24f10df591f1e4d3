import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { Page } from "playwright-core";
import { addProvisioned, dispatch, finishRun, startRuns } from "../../src/features/deployments/tests/support.ts";
import { print, startStep } from "./printed-log.ts";
import { emailOf, openStage, password, type Stage } from "./stage.ts";

// The main job by keyboard alone. Each control is reached by Tab, as it would be by a person without a pointer.

let stage: Stage;
let server: number;
let page: Page;

before(async () => {
  stage = await openStage({ answerWithinSeconds: "1" });
  server = await addProvisioned(stage, { name: "web-1" });
  page = await stage.visit("/sign-in");
});
after(() => stage?.close());

const press = (key: string) => page.keyboard.press(key);
const type = (text: string) => page.keyboard.type(text);
const heading = (name: string | RegExp) => page.getByRole("heading", { level: 1, name });

/** No page has more controls than that before the one that is looked for. */
const mostTabs = 120;

/** Moves the focus to a control by its name. */
async function tabTo(role: "button" | "link" | "textbox", name: string | RegExp): Promise<void> {
  const wanted = page.getByRole(role, { name, ...(typeof name === "string" && { exact: true }) });
  await wanted.first().waitFor();
  for (let tabs = 0; tabs < mostTabs; tabs++) {
    const hasFocus = await wanted.evaluateAll((found) => found.includes(document.activeElement as HTMLElement));
    if (hasFocus) return;
    await press("Tab");
  }
  assert.fail(`${role} ${name} cannot be reached by Tab`);
}

async function fill(name: string, text: string): Promise<void> {
  await tabTo("textbox", name);
  await type(text);
}

async function pressButton(name: string | RegExp): Promise<void> {
  await tabTo("button", name);
  await press("Enter");
}

async function follow(name: string | RegExp): Promise<void> {
  await tabTo("link", name);
  await press("Enter");
}

async function chooseItem(name: string): Promise<void> {
  const item = page.getByRole("menuitem", { name, exact: true });
  await item.waitFor();
  for (let moves = 0; moves < 20; moves++) {
    if (await item.evaluate((element) => element === document.activeElement)) return press("Enter");
    await press("ArrowDown");
  }
  assert.fail(`${name} cannot be reached in its menu`);
}

/** The deployment whose page is open, carried out by the test in place of a server. */
async function carryOut(commit: string): Promise<void> {
  await page.waitForURL(/\/deployments\/\d+$/);
  const id = Number(page.url().split("/").at(-1));
  await dispatch(stage, server);
  await startRuns(stage);
  await startStep(stage, id, 0);
  await print(stage, id, `building ${commit.slice(0, 7)}\n`);
  await page.locator('[data-line="1"]', { hasText: `building ${commit.slice(0, 7)}` }).waitFor();
  await finishRun(stage, id, "succeeded", { commit });
  await page.locator('h1 ~ [data-state="success"]').waitFor();
}

it("sign in, new project, deploy, log, roll back, sign out", async () => {
  await fill("Email", emailOf("alice"));
  await fill("Password", password);
  await press("Enter");
  await heading("Overview").waitFor();

  await follow("Projects");
  await heading("Projects").waitFor();
  await follow("New project");
  await fill("Repository", "https://git.example.com/acme/site.git");
  await fill("Branch", "main");
  await pressButton("Continue");
  await pressButton("Choose the framework myself");
  await pressButton(/Framework/);
  await page.getByRole("option", { name: "Static files" }).waitFor();
  await type("static");
  await press("Enter");
  await fill("Domain", "site.example.com");
  await pressButton("Deploy");
  await carryOut("a".repeat(40));

  await follow("site");
  await pressButton("Deploy");
  await carryOut("b".repeat(40));

  await follow("site");
  await pressButton("More actions");
  await chooseItem("Roll back");
  await page
    .getByRole("dialog")
    .getByText(/would become live|built again/)
    .waitFor();
  await pressButton("Roll back");
  await heading(/^Rollback \d+/).waitFor();
  await page.waitForURL(/\/deployments\/\d+$/);

  await pressButton("Alice");
  await chooseItem("Sign out");
  await page.waitForURL(/\/sign-in/);
  await heading("Sign in").waitFor();
});
