import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { addServer } from "../../src/features/servers/tests/support.ts";
import { World } from "../../test/route-world.ts";
import { emailOf, openStage, password, type Stage } from "./stage.ts";

let stage: Stage;
let home: string;
let world: World;
before(async () => {
  stage = await openStage();
  world = new World(stage.ctx, stage.cast);
  home = `/o/${stage.cast.organizationId}`;
});
after(() => stage.close());

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const main = (page: Page) => page.getByRole("navigation", { name: "Main" });
/** How many servers the overview counts. */
const serverCount = (page: Page, count: number) =>
  page.getByRole("main").locator(`a[href$="/servers"]:text-is("${count}")`);

test("the navigation leads to the pages, with focus on the heading and the name in the tab", async () => {
  const page = await stage.signIn("alice", home);
  await heading(page, "Overview").waitFor();
  assert.equal(await main(page).getByRole("link", { name: "Overview" }).getAttribute("aria-current"), "page");
  await main(page).getByRole("link", { name: "Activity" }).click();
  await page.waitForURL(`**${home}/activity`);
  await page.waitForFunction(() => document.activeElement?.textContent === "Activity");
  await page.waitForFunction(() => document.title === "Activity · Longshore");
  await page.locator('[aria-live="polite"]', { hasText: "Activity" }).waitFor();
  assert.equal(await page.getByRole("main").count(), 1);
  await page.context().close();
});

test("the keys go, find and list themselves, and rest while one types", async () => {
  const page = await stage.signIn("alice", home);
  await heading(page, "Overview").waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("a");
  await heading(page, "Activity").waitFor();
  await page.keyboard.press("/");
  const search = page.getByRole("searchbox", { name: "Filter activity" });
  await page.keyboard.type("go?");
  assert.equal(await search.inputValue(), "go?");
  await search.evaluate((input: HTMLElement) => input.blur());
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keys" });
  await keys.getByText("Filter the list").waitFor();
  const listed = (await keys.locator("kbd").allTextContents()).map((text) => text.replaceAll(/\s/g, ""));
  for (const key of ["PageDown", "PageUp", "Home", "End", "CtrlA", "d"]) assert.ok(listed.includes(key), key);
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await page.keyboard.press("Escape");
  await keys.waitFor({ state: "detached" });
  await heading(page, "Activity").waitFor();
  await page.context().close();
});

test("the palette goes and does by keyboard alone", async () => {
  const page = await stage.signIn("victor", home);
  await heading(page, "Overview").waitFor();
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog");
  await palette.getByRole("searchbox").waitFor();
  assert.equal(await palette.getByText("New project").count(), 0, "a viewer creates none");
  await page.keyboard.type("go act");
  await palette.getByRole("menuitem", { name: "Go to Activity" }).waitFor();
  await page.keyboard.press("Enter");
  await heading(page, "Activity").waitFor();
  await palette.waitFor({ state: "detached" });
  await page.keyboard.press("Control+k");
  await page.keyboard.type("theme dark");
  await palette.getByRole("menuitem", { name: "Switch theme to Dark" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.documentElement.dataset.theme === "dark");
  await page.context().close();
});

test("the palette finds records, and begins with those that were open last", async () => {
  const id = await world.project();
  await stage.pool.query("update projects set name = 'Buchladen' where id = $1", [id]);
  const page = await stage.signIn("alice", home);
  await heading(page, "Overview").waitFor();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("buchl");
  const found = page.getByRole("dialog").getByRole("menuitem", { name: /^Buchladen/ });
  await found.waitFor();
  await page.keyboard.press("Enter");
  await heading(page, "Buchladen").waitFor();
  assert.equal(new URL(page.url()).pathname, `${home}/projects/${id}`);
  await page.keyboard.press("g");
  await page.keyboard.press("o");
  await heading(page, "Overview").waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("group", { name: "Recent" }).getByRole("menuitem", { name: "Buchladen" }).waitFor();
  await page.context().close();
});

test("a stranger's organization looks as one that does not exist", async () => {
  const page = await stage.signIn("charlie", home);
  await heading(page, "There is no such page").waitFor();
  for (const address of ["/o/999999999", "/o/0", "/o/x"]) {
    await page.goto(address);
    await heading(page, "There is no such page").waitFor();
  }
  await page.context().close();
});

test("an address that leads nowhere keeps the navigation", async () => {
  const page = await stage.signIn("bob", `${home}/nowhere`);
  await heading(page, "There is no such page").waitFor();
  await main(page).getByRole("link", { name: "Overview" }).click();
  await heading(page, "Overview").waitFor();
  await page.context().close();
});

test("two tabs are in two organizations", async () => {
  const made = await stage.as("alice")("POST /api/v1/organizations", { body: { name: "Nordlicht GmbH" } });
  assert.ok(made.ok);
  const first = await stage.signIn("alice", home);
  const second = await first.context().newPage();
  await second.goto(`/o/${made.body.data.id}`);
  const switcher = (page: Page) => page.getByRole("navigation", { name: "Organization" }).getByRole("button");
  assert.match((await switcher(second).textContent()) ?? "", /Nordlicht GmbH.*Owner/);
  await first.reload();
  assert.match((await switcher(first).textContent()) ?? "", /Acme.*Owner/);
  await switcher(first).click();
  await first.getByRole("menuitem", { name: "Nordlicht GmbH" }).click();
  await first.waitForURL(`**/o/${made.body.data.id}`);
  await first.getByRole("heading", { name: "First steps" }).waitFor();
  await first.context().close();
});

test("an organization is created where one is, and opened", async () => {
  const page = await stage.signIn("victor", home);
  await page.getByRole("navigation", { name: "Organization" }).getByRole("button").click();
  await page.getByRole("menuitem", { name: "Create organization" }).click();
  await page.getByRole("textbox", { name: "Name" }).fill("سفينة");
  await page.getByRole("button", { name: "Create organization" }).click();
  await page.getByRole("navigation", { name: "Organization" }).getByText("سفينة").waitFor();
  await page.getByText("Connect a server").waitFor();
  await page.context().close();
});

test("an event changes the page without a reload, and only that of its organization", async () => {
  await world.deployment({ status: 1 });
  const page = await stage.signIn("victor", home);
  const { body } = await stage.as("alice")("GET /api/v1/overview");
  const count = "data" in body ? (body.data.servers?.total ?? 0) : 0;
  await serverCount(page, count).waitFor();
  await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
  await addServer(stage);
  await serverCount(page, count + 1).waitFor({ timeout: 2000 });
  assert.ok(await page.evaluate(() => "sameDocument" in globalThis));
  await page.context().close();
});

test("tabs share one stream of events", async () => {
  let streams = 0;
  const count = ({ url }: IncomingMessage) => {
    if (url === "/api/v1/events") streams += 1;
  };
  stage.app.server.on("request", count);
  const page = await stage.signIn("bob", home);
  await heading(page, "Overview").waitFor();
  for (const path of [home, `${home}/activity`]) {
    const other = await page.context().newPage();
    await other.goto(path);
    await main(other).waitFor();
  }
  await addServer(stage, { name: "seen-by-all" });
  stage.app.server.off("request", count);
  assert.equal(streams, 1);
  await page.context().close();
});

test("a lost connection is shown after a while, and the page is live again when it is back", async () => {
  const page = await stage.signIn("victor", home);
  const { body } = await stage.as("alice")("GET /api/v1/overview");
  const count = "data" in body ? (body.data.servers?.total ?? 0) : 0;
  await serverCount(page, count).waitFor();
  const { port } = stage.app.server.address() as AddressInfo;
  await new Promise((resolve) => {
    stage.app.server.close(resolve);
    stage.app.server.closeAllConnections();
  });
  const bar = page.getByText(/^Not connected since \d\d:\d\d\. What you see may be out of date\.$/);
  await bar.waitFor();
  await heading(page, "Overview").waitFor();
  await new Promise<void>((resolve) => stage.app.server.listen(port, "127.0.0.1", resolve));
  await addServer(stage, { name: "added-in-between" });
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await bar.waitFor({ state: "detached" });
  await serverCount(page, count + 1).waitFor();
  await page.context().close();
});

test("dialogs that could not be loaded are missed only by who opens one, and the page is loaded again then", async () => {
  const page = await stage.signIn("victor", "/account");
  await page.route("**/assets/dialogs-*.js", (route) => route.abort("connectionrefused"));
  const refused = page.waitForEvent("requestfailed");
  await page.goto(home);
  await refused;
  await heading(page, "Overview").waitFor();
  await page.unroute("**/assets/dialogs-*.js");
  const loadedAgain = page.waitForEvent("load");
  await page.keyboard.press("?");
  await loadedAgain;
  await heading(page, "Overview").waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  await page.context().close();
});

test("after the end of a session one signs in again, and is back on the page", async () => {
  const page = await stage.signIn("bob", `${home}/activity`);
  await heading(page, "Activity").waitFor();
  await page.context().clearCookies();
  // The page reads again, and is refused.
  await addServer(stage, { name: "after-the-session" });
  await page.waitForURL("**/sign-in?next=*");
  await page.getByRole("textbox", { name: "Email" }).fill(emailOf("bob"));
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await heading(page, "Activity").waitFor();
  await page.context().close();
});

test("the theme is chosen in the menu of the account, and kept", async () => {
  const page = await stage.signIn("alice", home);
  const choose = async (name: string) => {
    await page.getByRole("button", { name: "Alice" }).click();
    await page.getByRole("menuitem", { name, exact: true }).click();
  };
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  await choose("Dark");
  assert.equal(await theme(), "dark");
  await page.reload();
  await heading(page, "Overview").waitFor();
  assert.equal(await theme(), "dark");
  await choose("Light");
  assert.equal(await theme(), "light");
  await page.getByRole("button", { name: "Alice" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  assert.equal(new URL(page.url()).search, "", "who signs out has nowhere to go back to");
  await page.context().close();
});

test("on a phone the navigation is at the bottom, and nothing is wider than the screen", async () => {
  const page = await stage.signIn("alice", home, { viewport: { width: 360, height: 740 }, hasTouch: true });
  await heading(page, "Overview").waitFor();
  assert.equal(await main(page).count(), 1);
  for (const name of ["Overview", "Projects"]) {
    await main(page).getByRole("link", { name }).click();
    await heading(page, name).waitFor();
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= 360));
  }
  await page.getByRole("button", { name: "Account" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).waitFor();
  await page.context().close();
});
