import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { addProvisioned } from "../../src/features/servers/tests/support.ts";
import { addMonitor, addProject } from "../../src/features/status-pages/tests/support.ts";
import { restrict } from "../../src/http/tests/support.ts";
import { openStage, readAgain, type Stage } from "./stage.ts";

// Status pages with their incidents, and maintenance windows.

let stage: Stage;
let page: Page;
let server: number;
let project: number;
let monitor: number;

before(async () => {
  stage = await openStage();
  server = await addProvisioned(stage, { name: "web-1" });
  project = await addProject(stage.pool, server);
  monitor = await addMonitor(stage, project, { name: "Shop" });
  await addMonitor(stage, project, { name: "Mail" });
  page = await stage.signIn("alice", "/account");
});
after(() => stage?.close());
beforeEach(() => page.unrouteAll());

const below = (path: string) => `/o/${stage.cast.organizationId}/monitors/${path}`;
const button = (name: string, of: Pick<Page, "getByRole"> = page) => of.getByRole("button", { name, exact: true });
const field = (name: string, of: Pick<Page, "getByRole"> = page) => of.getByRole("textbox", { name, exact: true });
const heading = (name: string, of = page) => of.getByRole("heading", { level: 1, name, exact: true });
const dialog = () => page.getByRole("dialog");
const question = () => page.getByRole("alertdialog");
const failed = { status: 500, json: { message: "It broke." } };

async function choose(label: string, name: string, of: Pick<Page, "getByRole"> = page): Promise<void> {
  await of.getByRole("combobox", { name: label }).fill(name);
  await page.getByRole("option", { name }).first().click();
  await page.keyboard.press("Tab");
}

let slugs = 0;

async function addPage(name: string, monitors: { id: number; label?: string }[] = []): Promise<number> {
  const body = { name, slug: `page-${++slugs}`, monitors };
  const added = await stage.as("bob")("POST /api/v1/status-pages", { body });
  assert.ok(added.ok, JSON.stringify(added.body));
  return added.body.data.id;
}

async function addIncident(id: number, title: string): Promise<void> {
  const body = { title, text: "We are looking into it." };
  const added = await stage.as("bob")("POST /api/v1/status-pages/{id}/incidents", { params: { id }, body });
  assert.ok(added.ok, JSON.stringify(added.body));
}

describe("status pages", () => {
  it("are made with a name and monitors; their address follows from the name", async () => {
    await page.goto(below("status-pages"));
    await page.getByText("No status pages yet").waitFor();
    await button("New status page").click();
    await field("Name", dialog()).fill("Äther & Söhne");
    assert.equal(await field("Address", dialog()).inputValue(), "ather-sohne");
    await choose("Monitors", "Shop", dialog());
    await button("Create status page", dialog()).click();
    await heading("Äther & Söhne").waitFor();
    assert.equal(await page.title(), "Äther & Söhne · Longshore");
    await page.getByRole("list", { name: "Monitors of the page" }).getByText("Shop", { exact: true }).waitFor();
    assert.equal((await fetch(`${stage.url}/status/ather-sohne`)).status, 200);
  });

  it("are listed with their open incidents, and follow events", async () => {
    await page.goto(below("status-pages"));
    const rows = page.getByRole("table", { name: "Status pages" });
    await rows.getByText("Äther & Söhne").waitFor();
    const id = await addPage("While open");
    await rows.getByText("While open").waitFor();
    await addIncident(id, "Orders are delayed");
    await rows.getByText("1 open").waitFor();
    await rows.getByRole("link", { name: "While open" }).press("Enter");
    await heading("While open").waitFor();
  });

  it("show the API's sentence at the field", async () => {
    await page.goto(below("status-pages"));
    await button("New status page").click();
    await field("Name", dialog()).fill("Another");
    await field("Address", dialog()).fill("ather-sohne");
    await button("Create status page", dialog()).click();
    await dialog().locator("[data-invalid]").filter({ hasText: "used by another status page" }).first().waitFor();
  });

  it("show their error, and are read again", async () => {
    await page.route(/\/api\/v1\/status-pages\?/, (route) => route.fulfill(failed));
    await page.goto(below("status-pages"));
    await page.getByText("The status pages could not be read.").waitFor();
    await readAgain(page);
    await page.getByRole("table", { name: "Status pages" }).waitFor();
  });
});

describe("a status page", () => {
  let id: number;
  const open = async (): Promise<void> => {
    await page.goto(below(`status-pages/${id}`));
    await heading("Shop").waitFor();
  };
  beforeEach(async () => {
    id = await addPage("Shop", [{ id: monitor, label: "Web shop" }]);
  });

  it("has its monitors in the order and under the names that one gives them", async () => {
    await open();
    await choose("Add monitor", "Mail");
    await field("Name of Shop for visitors").fill("Orders");
    await button("Move Mail up").focus();
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("aria-label")), "Move Mail down");
    await button("Save").click();
    await page.getByText("Saved.").waitFor();
    const read = await stage.as("alice")("GET /api/v1/status-pages/{id}", { params: { id } });
    assert.ok(read.ok);
    assert.deepEqual(
      read.body.data.monitors.map(({ label }) => label),
      [null, "Orders"],
    );
  });

  it("keeps what one typed when it is changed elsewhere", async () => {
    await open();
    await field("Description").fill("All that we sell.");
    const body = { name: "Shops" };
    assert.ok((await stage.as("bob")("PUT /api/v1/status-pages/{id}", { params: { id }, body })).ok);
    await page.getByText("bob@example.com changed").waitFor();
    await heading("Shops").waitFor();
    assert.equal(await field("Description").inputValue(), "All that we sell.");
    await field("Address").fill("Not an address");
    await button("Save").click();
    await page.getByText("“Address” must have 1 to 60 characters").waitFor();
  });

  it("has incidents that are opened, updated, corrected, resolved and deleted", async () => {
    await open();
    const incident = page.locator("[data-incident]");
    await button("Open incident").click();
    await field("Title", dialog()).fill("Orders are delayed");
    await field("Text", dialog()).fill("We are looking into it.");
    await button("Open incident", dialog()).click();
    await incident.locator('[data-state="investigating"]').waitFor();
    await page.locator("header").getByText("1 open").waitFor();

    await button("Edit the update “Investigating”").click();
    await field("Text", dialog()).fill("We have found it.");
    await button("Save", dialog()).click();
    await incident.getByText("We have found it.").waitFor();

    await button("Resolve").click();
    await field("Text", dialog()).fill("All orders have arrived.");
    await button("Resolve incident", dialog()).click();
    await incident.locator('[data-state="resolved"]').waitFor();
    assert.match(await (await fetch(`${stage.url}/status/page-${slugs}`)).text(), /Past incidents/);

    await button("Delete the update “Resolved”").click();
    await button("Delete update", question()).click();
    await incident.locator('[data-state="investigating"]').waitFor();
    await button("Actions of Orders are delayed").click();
    await page.getByRole("menuitem", { name: "Delete incident" }).click();
    await button("Delete incident", question()).click();
    await page.getByText("No incidents").waitFor();
  });

  it("shows incidents that others write, and does not save over what they changed", async () => {
    await addIncident(id, "Orders are delayed");
    await open();
    await button("Actions of Orders are delayed").click();
    await page.getByRole("menuitem", { name: "Rename incident" }).click();
    const incidents = await stage.as("bob")("GET /api/v1/status-pages/{id}/incidents", { params: { id } });
    assert.ok(incidents.ok);
    const params = { id, incidentId: incidents.body.data[0]?.id ?? 0 };
    const body = { state: "identified" as const, text: "It is the queue." };
    const add = "POST /api/v1/status-pages/{id}/incidents/{incidentId}/updates";
    assert.ok((await stage.as("bob")(add, { params, body })).ok);
    await page.getByText("It is the queue.").waitFor();
    await field("Title", dialog()).fill("Orders are late");
    await button("Rename incident", dialog()).click();
    await dialog().getByText("changed elsewhere").waitFor();
    assert.equal(await field("Title", dialog()).inputValue(), "Orders are late");
  });

  it("is deleted only after its name was typed", async () => {
    await open();
    await button("Delete status page").click();
    const press = button("Delete status page", question());
    assert.equal(await press.getAttribute("aria-disabled"), "true");
    await question().getByRole("textbox").fill("Shop");
    await press.click();
    await page.waitForURL(/\/status-pages$/);
    const read = await stage.as("alice")("GET /api/v1/status-pages/{id}", { params: { id } });
    assert.equal(read.status, 404);
  });

  it("offers a viewer nothing to press, and says when there is none", async () => {
    await addIncident(id, "Orders are delayed");
    const victor = await stage.signIn("victor", below(`status-pages/${id}`));
    await victor.getByText("We are looking into it.").waitFor();
    for (const name of ["Save", "Open incident", "Resolve", "Delete status page"]) {
      assert.equal(await button(name, victor).count(), 0, name);
    }
    await victor.goto(below("status-pages/999999"));
    await heading("There is no such status page", victor).waitFor();
  });
});

describe("maintenance windows", () => {
  const row = (name: string) => page.locator("[data-window]").filter({ hasText: name });

  it("show their error, and are read again", async () => {
    await page.route(/\/api\/v1\/maintenance-windows/, (route) => route.fulfill(failed));
    await page.goto(below("windows"));
    await page.getByText("The maintenance windows could not be read.").waitFor();
    await readAgain(page);
    await page.getByText("No maintenance is planned").waitFor();
  });

  it("are planned once, in one's own time zone, and are under way at once", async () => {
    await page.goto(below("windows"));
    await page.getByText("No maintenance is planned").waitFor();
    await button("Plan maintenance").click();
    await field("Name", dialog()).fill("Database upgrade");
    await dialog().getByLabel("Starts").fill("2020-01-01T22:00");
    await dialog().getByLabel("Ends").fill("2019-01-01T22:00");
    await button("Plan maintenance", dialog()).click();
    await dialog().locator("[data-invalid]").filter({ hasText: "Ends" }).first().waitFor();
    await dialog().getByLabel("Ends").fill("2099-01-01T22:00");
    await button("Plan maintenance", dialog()).click();
    await page.getByRole("list", { name: "Now" }).getByText("Database upgrade").waitFor();
    await row("Database upgrade").locator('[data-state="active"]').waitFor();
    const listed = await stage.as("alice")("GET /api/v1/maintenance-windows");
    assert.ok(listed.ok);
    const starts = await page.evaluate(() => new Date("2020-01-01T22:00").toISOString());
    assert.equal(Date.parse(listed.body.data[0]?.starts_at ?? ""), Date.parse(starts));
  });

  it("repeat, in words, of chosen monitors and servers", async () => {
    await page.goto(below("windows"));
    await button("Plan maintenance").click();
    await field("Name", dialog()).fill("Backups");
    await dialog().getByText("Repeating").click();
    await field("Schedule", dialog()).fill("0 3 * * 0");
    await dialog().getByText("Every Sunday at 03:00").waitFor();
    await dialog().getByText("Chosen monitors and servers").click();
    const press = button("Plan maintenance", dialog());
    assert.equal(await press.getAttribute("aria-disabled"), "true", "nothing is chosen");
    await choose("Monitors", "Mail", dialog());
    await choose("Servers", "web-1", dialog());
    await press.click();
    await page.getByRole("list", { name: "Coming" }).getByText("Backups").waitFor();
    await row("Backups").getByText("Every Sunday at 03:00").waitFor();
    await row("Backups").getByText("Mail and all on web-1").waitFor();
  });

  it("are changed and deleted, and follow events", async () => {
    const body = { name: "Night", cron_expression: "@daily", duration_seconds: 5_400, all_monitors: true };
    const added = await stage.as("bob")("POST /api/v1/maintenance-windows", { body });
    assert.ok(added.ok);
    await row("Night").getByText("1 h 30 min").waitFor();
    await button("Actions of Night").click();
    await page.getByRole("menuitem", { name: "Edit window" }).click();
    assert.equal(await field("Duration", dialog()).inputValue(), "90");
    await field("Duration", dialog()).fill("120");
    await button("Save", dialog()).click();
    await row("Night").getByText("for 2 h").waitFor();
    await button("Actions of Night").click();
    await page.getByRole("menuitem", { name: "Delete window" }).click();
    await button("Delete window", question()).click();
    await row("Night").waitFor({ state: "detached" });
  });

  it("end on the page when their time is over, which no event says", async () => {
    const ends = new Date(Date.now() + 4_000).toISOString();
    const body = { name: "Short", starts_at: "2020-01-01T00:00:00Z", ends_at: ends, all_monitors: true };
    assert.ok((await stage.as("bob")("POST /api/v1/maintenance-windows", { body })).ok);
    await page.goto(below("windows"));
    await page.getByRole("list", { name: "Past" }).getByText("Short").waitFor();
  });

  it("of all monitors are refused to a restricted member before the press", async () => {
    await restrict(stage.pool, "bob", stage.cast.organizationId, { projects: [project] });
    const bob = await stage.signIn("bob", below("windows"));
    await bob.getByText("No maintenance is planned").waitFor();
    await button("Plan maintenance", bob).click();
    await bob.getByText("needs a membership that is not restricted").waitFor();
    assert.ok(await bob.getByRole("radio", { name: "Chosen monitors and servers" }).isChecked());
  });

  it("fit on a phone, as status pages do", async () => {
    const name = `A${" very".repeat(20)} long name`;
    const id = await addPage(name.slice(0, 100), [{ id: monitor }]);
    await addIncident(id, "W".repeat(150));
    const phone = await stage.signIn("alice", below("windows"), { viewport: { width: 360, height: 740 } });
    for (const path of ["windows", "status-pages", `status-pages/${id}`]) {
      await phone.goto(below(path));
      await phone.getByRole("heading", { level: 1 }).waitFor();
      const overflow = await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${path}: ${overflow} px too wide`);
    }
  });
});
