import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import { transaction } from "../../src/db/transaction.ts";
import { Worker } from "../../src/engine/queue/worker.ts";
import { reconcileQueue } from "../../src/engine/reconcile/reconcile.ts";
import { endRun } from "../../src/engine/runs/queries.ts";
import { createRun } from "../../src/engine/runs/runs.ts";
import { importRunKind } from "../../src/features/databases/imports/jobs.ts";
import { insertImport, startLoading } from "../../src/features/databases/imports/queries.ts";
import { importPlan } from "../../src/features/databases/plans.ts";
import { importKind } from "../../src/features/databases/schema.ts";
import { create as createDatabase, end as endRunOf } from "../../src/features/databases/tests/support.ts";
import { addProject, addProvisioned, addServer } from "../../src/features/servers/tests/support.ts";
import { jobsOf } from "../../src/features.ts";
import { openStage, reach, type Stage } from "./stage.ts";

// Databases of servers and projects. The test ends the runs in the place of a server.

let stage: Stage;
let worker: Worker;
let server: number;
let page: Page;

before(async () => {
  stage = await openStage();
  const { ctx } = stage;
  const jobs = jobsOf(ctx).filter(({ name }) => name === reconcileQueue);
  worker = new Worker(ctx.queue, jobs, ctx.log);
  await worker.start(ctx.listener);
  server = await addProvisioned(stage, { name: "web-1" });
  page = await stage.signIn("alice", "/account");
});
after(async () => {
  await worker?.stop();
  await stage?.close();
});

const button = (name: string | RegExp, at: Page | Locator = page) =>
  at.getByRole("button", { name, ...(typeof name === "string" && { exact: true }) });
const dialog = (at = page) => at.getByRole("dialog").or(at.getByRole("alertdialog"));
const rowOf = (name: string, at = page) => at.getByRole("row").filter({ hasText: name });
const state = (at: Page | Locator, word: string) => at.locator(`[data-state="${word}"]`);
const section = (name: string, at = page) => at.getByRole("region", { name, exact: true });

const listOf = (id: number) => `/o/${stage.cast.organizationId}/servers/${id}/databases`;
const tabOf = (project: number) => `/o/${stage.cast.organizationId}/projects/${project}/databases`;

const create = (body: object) => createDatabase({ ...stage, serverId: server }, body);
const end = (id: number, error?: string) => endRunOf({ ...stage, serverId: server }, id, error);
async function created(body: object): Promise<number> {
  const id = await create(body);
  await end(id);
  return id;
}

const idOf = async (name: string): Promise<number> => {
  const { rows } = await stage.pool.query("select id from databases where database_name = $1", [name]);
  return Number(rows[0]?.id);
};

describe("the databases of a server", () => {
  it("are created, and shown as they become", async () => {
    await page.goto(listOf(server));
    await rowOf("longshore").waitFor();
    await button("Create database").click();
    await dialog().getByLabel("Name", { exact: true }).fill("Shop");
    await button("Create database", dialog()).click();
    await dialog().getByText("a lowercase letter, then").first().waitFor();
    await dialog().getByLabel("Name", { exact: true }).fill("shop");
    await button("Create database", dialog()).click();
    await state(rowOf("shop"), "creating").waitFor();
    await end(await idOf("shop"));
    await state(rowOf("shop"), "exists").waitFor();
    await end(await create({ name: "refused" }), "The disk is full.");
    await state(rowOf("refused"), "failed").waitFor();
    await rowOf("refused").getByText("The disk is full.").waitFor();
  });

  it("are filtered where they are many, by an address that can be sent", async () => {
    const other = await addProvisioned(stage, { name: "web-2" });
    await stage.pool.query(
      `insert into databases (server_id, database_type, database_name, username, password, status)
       select $1, 'mariadb', 'customer_' || n, 'customer_' || n, '', 1 from generate_series(1, 300) n`,
      [other],
    );
    await page.goto(listOf(other));
    await page.getByRole("searchbox", { name: "Filter databases" }).fill("mer_29");
    await page.waitForURL(/\?q=mer_29$/);
    await page.getByText("11 databases").waitFor();
    await page.reload();
    await page.getByText("11 databases").waitFor();
    await page.getByRole("grid", { name: "Databases" }).focus();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "customer_290" }).waitFor();
    await page.getByRole("navigation", { name: "Server", exact: true }).locator("[aria-current=page]").waitFor();
  });

  it("include those that were found there, which are adopted", async () => {
    const found = [
      { name: "old_shop", sizeBytes: 1_048_576, characterSet: "latin1", collation: "latin1_swedish_ci" },
      { name: "Wiki-2019", sizeBytes: 0, characterSet: null, collation: null },
    ];
    await stage.pool.query(
      `insert into database_engines (server_id, version, found, looked_at, look_due_at) values ($1, '10.11.14', $2, now(), now())
       on conflict (server_id) do update set version = excluded.version, found = excluded.found, looked_at = now()`,
      [server, JSON.stringify(found)],
    );
    await page.goto(listOf(server));
    await page.getByText("MariaDB 10.11.14").waitFor();
    await reach(button("Adopt", rowOf("Wiki-2019")));
    await page.getByRole("tooltip").getByText("Rename it").waitFor();
    await page.keyboard.press("Escape");
    await button("Adopt", rowOf("old_shop")).click();
    await button("Adopt database", dialog()).click();
    await state(rowOf("old_shop"), "creating").waitFor();
    await button("Adopt", rowOf("old_shop")).waitFor({ state: "detached" });
  });

  it("can be read by a viewer, who changes nothing and sees no password", async () => {
    const victor = await stage.signIn("victor", listOf(server));
    await rowOf("shop", victor).first().waitFor();
    assert.equal(await button(/Create database|Adopt/, victor).count(), 0);
    await victor.getByRole("gridcell", { name: "shop" }).first().click();
    await section("Users", victor).getByRole("cell", { name: "All rights" }).waitFor();
    assert.equal(await button(/password|settings|user|dump|Delete|Attach/i, victor).count(), 0);
  });
});

describe("a database", () => {
  let id: number;
  let project: number;
  before(async () => {
    project = await addProject(stage.pool, server);
    await stage.pool.query("update projects set name = 'Shop' where id = $1", [project]);
    id = await created({ name: "orders", password: "a needle in the page" });
  });
  const open = (at = page, query = "") => at.goto(`${listOf(server)}/${id}${query}`);

  it("shows its settings and password when one asks, and forgets them", async () => {
    await open();
    await section("Connection settings").waitFor();
    assert.doesNotMatch(await page.content(), /needle/);
    await button("Show settings").click();
    await section("Connection settings").getByText("DATABASE_URL=").waitFor();
    await page.getByRole("button", { name: "Framework" }).click();
    await page.getByRole("option", { name: "Laravel" }).click();
    await page.getByText('DB_PASSWORD="a needle in the page"').waitFor();
    await button("Hide settings").click();
    await page.getByText("DB_PASSWORD").waitFor({ state: "detached" });
    await button("Show the password of orders").click();
    await dialog().getByText("a needle in the page", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });
    assert.doesNotMatch(await page.content(), /needle/);
  });

  it("is read once while its password is shown, whatever changes", async () => {
    const reads = async () => {
      const action = "GET /api/v1/servers/:id/databases/:database";
      const { rows } = await stage.pool.query("select count(*)::integer from audit_log where action = $1", [action]);
      return rows[0]?.count as number;
    };
    await open();
    const before = await reads();
    await button("Show the password of orders").click();
    await dialog().getByText("a needle in the page", { exact: true }).waitFor();
    await stage.as("alice")("PUT /api/v1/servers/{id}/databases/{database}", {
      params: { id: server, database: id },
      body: { notes: "Changed while it is open" },
    });
    await page.getByText("Changed while it is open").waitFor();
    assert.equal(await reads(), before + 1);
    await page.keyboard.press("Escape");
  });

  it("that comes with a server has nothing to use before the setup", async () => {
    const added = await addServer(stage, { name: "web-2" });
    const { rows } = await stage.pool.query("select id from databases where server_id = $1", [added]);
    await page.goto(`${listOf(added)}/${rows[0]?.id}`);
    await page.getByText("Comes with the setup", { exact: true }).waitFor();
    await page.getByRole("main").getByRole("link", { name: "Show setup" }).waitFor();
    assert.equal(await button(/password|settings|dump/i).count(), 0);
  });

  it("gets another password, which the server takes", async () => {
    await open();
    await button("New password").click();
    await dialog().getByLabel("Password", { exact: true }).fill("short");
    await button("Change password", dialog()).click();
    await dialog().locator("[data-invalid]").first().waitFor();
    await dialog().getByLabel("Password", { exact: true }).fill("another password");
    await button("Change password", dialog()).click();
    await page.getByText("Being changed", { exact: true }).waitFor();
    await end(id);
    await page.getByText("Being changed", { exact: true }).waitFor({ state: "detached" });
  });

  it("gets users who read it, and loses them", async () => {
    await open();
    await button("Add read-only user").click();
    await dialog().getByLabel("Username").fill("root");
    await button("Add user", dialog()).click();
    await dialog().locator("[data-invalid]").first().waitFor();
    await dialog().getByLabel("Username").fill("reports");
    await button("Add user", dialog()).click();
    await state(rowOf("reports"), "creating").waitFor();
    await end(id);
    await state(rowOf("reports"), "exists").waitFor();
    await button("Delete reports").click();
    await button("Delete user", dialog()).click();
    await rowOf("reports").waitFor({ state: "detached" });
    await end(id);
  });

  it("belongs to a project, until it is detached", async () => {
    await page.goto(tabOf(project));
    await page.getByText("This project has no database").waitFor();
    await button("Attach database").click();
    await dialog().getByRole("combobox").fill("orders");
    await page.getByRole("option", { name: "orders" }).click();
    await button("Attach database", dialog()).click();
    await rowOf("orders").getByText("orders").click();
    await page.waitForURL(`**${tabOf(project)}/${id}`);
    await button("Detach").waitFor();
    await reach(button("Delete database"));
    await page.getByRole("tooltip").getByText("belongs to a project").waitFor();
    await button("Detach").click();
    await button("Detach database", dialog()).click();
    await button("Attach to project").click();
    const field = dialog().getByRole("combobox", { name: "Project" });
    await field.click();
    await page.getByRole("option", { name: "shop" }).first().click();
    assert.equal(await field.inputValue(), "Shop");
    await button("Attach to project", dialog()).click();
    await button("Detach").click();
    await button("Detach database", dialog()).click();
    await button("Attach to project").waitFor();
  });

  it("keeps notes, also those that someone else writes at the same time", async () => {
    await open();
    await page.getByRole("textbox", { name: "Notes" }).fill("Orders of 2026");
    const change = await stage.as("adam")("PUT /api/v1/servers/{id}/databases/{database}", {
      params: { id: server, database: id },
      body: { notes: "By Adam" },
    });
    assert.ok(change.ok);
    await page.getByText("They were changed elsewhere.").waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Notes" }).inputValue(), "Orders of 2026");
    const saved = page.waitForResponse((answer) => answer.request().method() === "PUT");
    await section("Notes").getByRole("button", { name: "Save" }).click();
    assert.equal((await saved).status(), 200);
    const { rows } = await stage.pool.query("select notes from databases where id = $1", [id]);
    assert.equal(rows[0]?.notes, "Orders of 2026");
  });

  it("is deleted by its name, with what is lost in view", async () => {
    const other = await created({ name: "of_no_use" });
    await page.goto(`${listOf(server)}/${other}`);
    await button("Delete database").click();
    await dialog().getByText("1 database (of_no_use)").waitFor();
    await dialog().getByLabel("Type of_no_use to confirm").fill("of_no_use");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**${listOf(server)}`);
    await rowOf("of_no_use").waitFor({ state: "detached" });
  });

  it("has no page once it is gone", async () => {
    await page.goto(`${listOf(server)}/999999`);
    await page.getByText("There is no such database").waitFor();
  });
});

describe("a dump", () => {
  let id: number;
  before(async () => {
    id = await created({ name: "dumps" });
  });
  const open = (query = "") => page.goto(`${listOf(server)}/${id}${query}`);

  it("is uploaded from the disk, and what refuses it is shown, also after a visit of other pages", async () => {
    await open();
    await button("Load dump").click();
    await reach(button("Load dump", dialog()));
    await page.getByRole("tooltip").getByText("Choose the file").waitFor();
    const buffer = Buffer.alloc(8 * 2 ** 20, "-- a dump\n");
    await page.locator("input[type=file]").setInputFiles({ name: "dumps.sql", mimeType: "application/sql", buffer });
    await dialog().getByText("8 MB").waitFor();
    await dialog().getByText("Empty the database first").click();
    await reach(button("Empty and load dump", dialog()));
    await page.getByRole("tooltip").getByText("Type dumps first").waitFor();
    await dialog().getByLabel("Type dumps to confirm").fill("dumps");
    const sent = page.waitForRequest(/imports\?empty_first=true$/);
    await button("Empty and load dump", dialog()).click();
    const headers = (await sent).headers();
    assert.equal(headers["content-type"], "application/octet-stream");
    assert.equal(headers["x-organization"], String(stage.cast.organizationId));
    await page.getByText("dumps.sql was not uploaded.").waitFor();
    await page.getByRole("link", { name: "Databases" }).last().click();
    await page.getByRole("grid", { name: "Databases" }).getByText("dumps").first().click();
    await page.getByText("dumps.sql was not uploaded.").waitFor();
    await button("Dismiss").click();
    await page.getByText("dumps.sql was not uploaded.").waitFor({ state: "detached" });
  });

  it("is loaded live, and another has to wait", async () => {
    const { importId, runId } = await loading(id);
    await open(`?import=${importId}`);
    await state(section("Dumps"), "loading").waitFor();
    await reach(button("Load dump"));
    await page.getByRole("tooltip").getByText("Another dump is being loaded").waitFor();
    await endLoading(runId, "ERROR 1064 (42000) at line 7: You have an error in your SQL syntax");
    await state(section("Dumps"), "failed").waitFor();
    await section("Dumps").getByText("ERROR 1064").waitFor();
    await button("Load dump").click();
    await dialog().waitFor();
  });

  it("is downloaded by the browser itself", async () => {
    await open();
    const link = page.getByRole("link", { name: "Download dump" });
    const address = `/api/v1/servers/${server}/databases/${id}/dump?organization=${stage.cast.organizationId}`;
    assert.equal(await link.getAttribute("href"), address);
    assert.notEqual(await link.getAttribute("download"), null);
  });
});

describe("the pages of databases", () => {
  it("state what a member with a single project cannot reach", async () => {
    const project = await addProject(stage.pool, server);
    const { organizationId: organization, userIds } = stage.cast;
    const restricted = await stage.as("alice")("PUT /api/v1/organizations/{id}/members/{userId}", {
      params: { id: organization, userId: userIds.bob },
      body: { role: "Member", restriction: { server_ids: [], project_ids: [project] } },
    });
    assert.ok(restricted.ok, JSON.stringify(restricted.body));
    const bob = await stage.signIn("bob", tabOf(project));
    await bob.getByText("The databases are not in your reach").waitFor();
  });

  it("fit on a phone", async () => {
    const phone = await stage.signIn("alice", "/account", { viewport: { width: 360, height: 740 } });
    const id = await idOf("shop");
    for (const address of [listOf(server), `${listOf(server)}/${id}`]) {
      await phone.goto(address);
      await phone.locator('[data-state="exists"]').first().waitFor();
      const overflow = await phone.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${address}: ${overflow} px too wide`);
    }
  });
});

/** An import whose dump is being loaded, as after an upload. */
async function loading(databaseId: number): Promise<{ importId: number; runId: number }> {
  const { pool, ctx, cast } = stage;
  const inserted = await insertImport(pool, { databaseId, userId: cast.userIds.alice, emptiesFirst: false });
  const importId = (inserted as { id: number }).id;
  const database = { engine: "mariadb", name: "dumps", username: "dumps", exists: true, isAdopted: false } as const;
  const plan = importPlan(importId, { ...database, id: databaseId, isEmptying: false, remote: false, users: [] });
  const runId = await transaction(pool, async (tx) => {
    const made = await createRun(tx, ctx.queue, { serverId: server, ...importKind, subjectId: importId, plan });
    await startLoading(tx, importId, { sizeBytes: 29, runId: made });
    return made;
  });
  return { importId, runId };
}

const endLoading = (runId: number, error: string) =>
  transaction(stage.pool, async (tx) => {
    await tx.query("update runs set state = 'running', started_at = clock_timestamp() where id = $1", [runId]);
    const ended = await endRun(tx, runId, { state: "failed", error });
    if (ended) await importRunKind(stage.ctx).onEnded(tx, ended, "failed");
  });
