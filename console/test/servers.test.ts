import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Page } from "playwright-core";
import type { WholeServer } from "../../contract/types.ts";
import { transaction } from "../../src/db/transaction.ts";
import { endRun, insertRun, type StepChange, storePieces } from "../../src/engine/runs/queries.ts";
import { connect, withCloud } from "../../src/features/cloud-servers/tests/support.ts";
import { addProject } from "../../src/features/deployments/tests/support.ts";
import { recordConnectionCheck } from "../../src/features/servers/connection-checks.ts";
import { moveServer, setupKind } from "../../src/features/servers/queries.ts";
import { rebootPlan } from "../../src/features/servers/reboot.ts";
import { addProvisioned, addServer, newAddress } from "../../src/features/servers/tests/support.ts";
import { restrict } from "../../src/http/tests/support.ts";
import { openStage, reach, readAgain, type Stage } from "./stage.ts";

// The list of servers, a new server, and a server with its tabs.

let stage: Stage;
let page: Page;

before(async () => {
  stage = await openStage();
  page = await stage.signIn("alice", "/account");
});
after(() => stage?.close());
beforeEach(() => page.unrouteAll());

const list = (search = "") => `/o/${stage.cast.organizationId}/servers${search}`;
const address = (id: number, tab = "") => `${list()}/${id}${tab && `/${tab}`}`;
const button = (name: string, of = page) => of.getByRole("button", { name, exact: true });
const rows = (of = page) => of.getByRole("grid", { name: "Servers" }).locator("[data-row]");
const named = (text: string, of = page) => rows(of).filter({ hasText: text });
const heading = (name: string, of = page) => of.getByRole("heading", { level: 1, name, exact: true });

/** As a check of the connection stores it; null: it is connected. */
const checked = (id: number, error: string | null, problem: WholeServer["connection_problem"] = null) =>
  recordConnectionCheck(stage.ctx, id, { error, problem });

describe("the list of servers", () => {
  it("is empty at first, and says what to do", async () => {
    await page.goto(list());
    await page.getByText("No servers yet").waitFor();
    await page.getByRole("link", { name: "Connect server" }).click();
    await heading("New server").waitFor();
    assert.equal(await page.title(), "New server · Longshore");
  });

  it("shows each with its state, and follows events", async () => {
    await addProvisioned(stage, { name: "Äther und Söhne" });
    await addServer(stage, { name: "new-1" });
    await page.goto(list());
    await named("Äther und Söhne").locator('[data-state="ready"]').waitFor();
    await named("new-1").locator('[data-state="installing"]').waitFor();
    await addServer(stage, { name: "while-open" });
    await named("while-open").waitFor();
  });

  it("keeps filters and order in the address", async () => {
    await addProvisioned(stage, { name: "db-1", server_type: 1 });
    await page.goto(list());
    await button("Type").click();
    await page.getByRole("menuitemcheckbox", { name: "Database" }).click();
    await page.keyboard.press("Escape");
    await page.waitForURL(/server_type=1/);
    await named("new-1").waitFor({ state: "detached" });
    await page.reload();
    await named("db-1").waitFor();
    assert.equal(await rows().count(), 1);
    await page.keyboard.press("/");
    await page.keyboard.type("none has this");
    await page.getByText("No server matches").waitFor();
  });

  it("opens a server by the keyboard", async () => {
    await page.goto(list("?q=db-1"));
    await named("db-1").waitFor();
    await page.getByRole("grid", { name: "Servers" }).focus();
    await page.keyboard.press("Enter");
    await heading("db-1").waitFor();
  });

  it("pins a server by the keyboard", async () => {
    await page.goto(list("?q=db-1"));
    await named("db-1").waitFor();
    await page.keyboard.press(".");
    await page.getByRole("menuitem", { name: "Pin", exact: true }).click();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "db-1" }).waitFor();
  });

  it("shows its error, and reads again", async () => {
    await page.route(/\/api\/v1\/servers\?/, (route) => route.fulfill({ status: 500, json: { message: "It broke." } }));
    await page.goto(list());
    await page.getByText("The servers could not be read.").waitFor();
    await readAgain(page);
    await named("db-1").waitFor();
  });
});

describe("a new server", () => {
  it("is connected to with a command, and shows how far that is while one waits", async () => {
    await page.goto(list("/new"));
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("shop-1");
    await page.getByLabel("Public IP").fill(newAddress());
    await button("Connect server").click();
    await page.waitForURL(/\/servers\/\d+\/setup$/);
    const id = Number(page.url().match(/servers\/(\d+)/)?.[1]);
    await page.getByText("authorized_keys").waitFor();
    await button("Copy").waitFor();
    await page.getByText("Not reached", { exact: true }).waitFor();
    await checked(id, "shop-1 (10.0.0.9) did not answer as an SSH server.", "unreachable");
    await page.getByText("did not answer").waitFor();
    await page.getByText("Not reached", { exact: true }).waitFor();
    assert.equal(await button("Connect again").count(), 0, "it is repeated for a day anyway");
    await checked(id, "shop-1 (10.0.0.9) refused the key. Run the connect command on it as root.", "key_refused");
    await page.getByText("Key refused", { exact: true }).waitFor();
    await page.getByRole("main").getByRole("link", { name: "Overview" }).click();
    await page.getByText("Ubuntu 24.04", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Begins when it is connected" }).click();
    await page.getByText("Key refused", { exact: true }).waitFor();
    await moveServer(stage.pool, id, 0, 1);
    await checked(id, null);
    await page.locator('header [data-state="provisioning"]').waitFor();
    await page.getByText("authorized_keys").waitFor({ state: "detached" });
  });

  it("shows the API's sentence at the field", async () => {
    await page.goto(list("/new"));
    await page.getByLabel("Public IP").fill("here");
    await button("Connect server").click();
    await page.locator("[data-invalid]").filter({ hasText: "Public IP" }).first().waitFor();
    assert.equal(await page.getByLabel("Public IP").inputValue(), "here");
  });

  it("is ordered with an account: place, type, price", async () => {
    withCloud(stage);
    await connect(stage);
    await page.goto(list("/new"));
    await page.getByText("Order one").click();
    await page.getByRole("button", { name: /Place/ }).click();
    await page.getByRole("option").first().click();
    await page.getByRole("radio", { name: /small/i }).check({ force: true });
    await page.getByText("Total a month").waitFor();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("ordered-1");
    await button("Order server").click();
    await page.waitForURL(/\/servers\/\d+\/setup$/);
    await heading("ordered-1").waitFor();
  });

  it("is not for those who may not add one", async () => {
    const victor = await stage.signIn("victor", list("/new"));
    await victor.getByText("does not allow to add servers").waitFor();
    assert.equal(await button("Connect server", victor).count(), 0);
  });
});

/** A setup of two steps of which one failed, that is running or has ended. */
async function addSetup(id: number, state?: "failed" | "succeeded"): Promise<number> {
  const runId = await insertRun(stage.pool, { serverId: id, ...setupKind, subjectId: id, plan: rebootPlan });
  const steps: StepChange[] = [
    { position: 0, status: "completed", exitCode: 0, durationMs: 40, startedAt: 1_000, finishedAt: 1_040 },
    { position: 1, status: "failed", exitCode: 1, detail: "No packages.", durationMs: 5, startedAt: 1, finishedAt: 6 },
  ];
  await transaction(stage.pool, async (tx) => {
    await storePieces(tx, [{ runId, from: 0, to: 1, facts: {}, output: [], steps }], { waits: true });
    if (state) await endRun(tx, runId, { state, error: state === "succeeded" ? null : "It gave up." });
  });
  return runId;
}

describe("a server", () => {
  let id: number;
  beforeEach(async () => {
    id = await addProvisioned(stage, { name: "web-1" });
  });

  it("shows state and address, and follows events", async () => {
    await page.goto(address(id));
    await heading("web-1").waitFor();
    await page.locator('header [data-state="ready"]').waitFor();
    await checked(id, "It refused the connection.");
    await page.locator('header [data-state="unreachable"]').waitFor();
    await page.getByText("It refused the connection.").first().waitFor();
  });

  it("shows what its setup left to do, and runs it again", async () => {
    await addSetup(id, "succeeded");
    await page.goto(address(id, "setup"));
    await page.locator('main [data-state="completed_with_failures"]').waitFor();
    await page.getByText("1 step needs attention").waitFor();
    await page.getByText("No packages.").first().waitFor();
    await button("Run again").click();
    await page.locator('header [data-state="provisioning"]').waitFor();
    const again = page.getByRole("button", { name: "Run again", disabled: true });
    await reach(again);
    await page.getByRole("tooltip").getByText("still running").waitFor();
  });

  it("lists its projects", async () => {
    await addProject(stage.pool, id);
    await page.goto(address(id, "projects"));
    await page.getByRole("table", { name: "Projects" }).getByRole("link", { name: "shop" }).waitFor();
  });

  it("saves its settings, and keeps what one typed when they are changed elsewhere", async () => {
    await page.goto(address(id, "settings"));
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("web-one");
    const updated = await stage.as("bob")("PUT /api/v1/servers/{id}", { params: { id }, body: { notes: "Ask Bob" } });
    assert.ok(updated.ok);
    await page.getByText("bob@example.com changed").waitFor();
    await button("Save").click();
    await page.getByText("Saved.").waitFor();
    await heading("web-one").waitFor();
    assert.equal(await page.getByLabel("Notes").inputValue(), "Ask Bob");
  });

  it("is deleted only after its name was typed, and says what is lost", async () => {
    await addProject(stage.pool, id);
    await page.goto(address(id, "settings"));
    await button("Delete server").click();
    const dialog = page.getByRole("alertdialog");
    await dialog.getByText("1 project (shop)").waitFor();
    const press = dialog.getByRole("button", { name: "Delete server" });
    assert.equal(await press.getAttribute("aria-disabled"), "true");
    await dialog.getByRole("textbox").fill("web-1");
    await press.click();
    await page.waitForURL(/\/servers$/);
    const read = await stage.as("alice")("GET /api/v1/servers/{id}", { params: { id } });
    assert.equal(read.status, 404);
  });

  it("shows why it cannot be deleted before the press", async () => {
    await stage.pool.query("update servers set delete_protection = true where id = $1", [id]);
    await page.goto(address(id, "settings"));
    await reach(page.getByRole("button", { name: "Delete server", disabled: true }));
    await page.getByRole("tooltip").getByText("protected from deletion").waitFor();
  });

  it("is protected while projects are live on it, until its protection is switched off", async () => {
    const project = await addProject(stage.pool, id);
    await stage.pool.query("update placements set live_release_id = 1 where project_id = $1", [project]);
    await page.goto(address(id, "settings"));
    await reach(page.getByRole("button", { name: "Delete server", disabled: true }));
    await page.getByRole("tooltip").getByText("Projects are live on it").waitFor();
    await page.getByRole("switch", { name: "Delete protection", checked: true }).click({ force: true });
    await button("Save").click();
    await page.getByText("Saved.").waitFor();
    await button("Delete server").click();
    await page.getByRole("alertdialog").getByText("1 project (shop)").waitFor();
  });

  it("has no more than a name for those who reach a project on it only", async () => {
    const project = await addProject(stage.pool, id);
    await restrict(stage.pool, "bob", stage.cast.organizationId, { projects: [project] });
    const bob = await stage.signIn("bob", address(id));
    await heading("web-1", bob).waitFor();
    await bob.getByRole("link", { name: "shop" }).waitFor();
    assert.equal(await bob.locator("header [data-state]").count(), 0);
  });

  it("offers a viewer nothing to press, and says when there is none", async () => {
    const victor = await stage.signIn("victor", address(id, "settings"));
    await heading("web-1", victor).waitFor();
    assert.equal(await button("Save", victor).count(), 0);
    assert.equal(await button("Delete server", victor).count(), 0);
    await victor.goto(address(999_999));
    await heading("There is no such server", victor).waitFor();
  });

  it("fits on a phone, each of its pages", async () => {
    await addSetup(id, "failed");
    const phone = await stage.signIn("alice", list(), { viewport: { width: 360, height: 740 } });
    for (const path of [
      list(),
      list("/new"),
      ...["", "setup", "projects", "settings"].map((tab) => address(id, tab)),
    ]) {
      await phone.goto(path);
      await phone.getByRole("heading", { level: 1 }).waitFor();
      const overflow = await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${path}: ${overflow} px too wide`);
    }
  });
});
